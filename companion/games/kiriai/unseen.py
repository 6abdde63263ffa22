"""Duels that a viewer cannot tell from this one: everything hidden is drawn anew."""

from __future__ import annotations

from companion.games.api import Pick, resalted, shuffled
from companion.games.kiriai.cards import SPECIAL, SPECIALS, STANCES
from companion.games.kiriai.state import (
    SEATS,
    Fighter,
    Laid,
    Placed,
    State,
    layable,
    opened,
    own_spaces,
)
from companion.games.records import replace


def unseen(state: State, viewer: int | None, pick: Pick) -> State:
    """The state with the others' specials, plans and starts drawn among all that can be."""
    fighters = list(_specials(state, viewer, pick))
    for seat in SEATS:
        if seat != viewer:
            fighters[seat] = _plan(state, fighters[seat], pick)
            fighters[seat] = _start(state, seat, fighters[seat], pick)
    return replace(state, fighters=(fighters[0], fighters[1]))


def _specials(state: State, viewer: int | None, pick: Pick) -> tuple[Fighter, ...]:
    """Hidden specials, out of those that neither lie open nor are in the viewer's hand."""
    hidden = [seat for seat in SEATS if seat != viewer and not _named(state, seat)]
    known = {
        special
        for seat, fighter in enumerate(state.fighters)
        for special in (fighter.spent, fighter.special if seat not in hidden else "")
    }
    rest = shuffled((special for special in SPECIALS if special not in known), pick)
    fighters = list(state.fighters)
    for seat, special in zip(hidden, rest, strict=False):
        fighter = fighters[seat]
        asked = fighter.done or state.phase != "tell"
        if state.cardboard and asked and not fighter.spent:
            # the player may have noted nothing at all, and nobody else can know
            fighters[seat] = replace(fighter, special=special if pick(4) else "")
        elif fighter.special:
            fighters[seat] = replace(fighter, special=special)
    return tuple(fighters)


def _named(state: State, seat: int) -> bool:
    """Has this seat's special been laid open?"""
    fighter = state.fighters[seat]
    if fighter.spent:
        return True
    return state.phase == "show" and fighter.done and fighter.plan[len(state.steps)].face == SPECIAL


def _plan(state: State, fighter: Fighter, pick: Pick) -> Fighter:
    """Cards that lie face down become any that could lie there."""
    drawn = replace(fighter, plan=fighter.plan[: opened(state)])
    for laid in fighter.plan[opened(state) :]:
        options = layable(drawn, state.cardboard)
        face = options[pick(len(options))]
        drawn = replace(drawn, plan=(*drawn.plan, Laid(face, resalted(laid.salt, pick))))
    return drawn


def _start(state: State, seat: int, fighter: Fighter, pick: Pick) -> Fighter:
    if state.phase != "place" or fighter.placed is None:
        return fighter
    space, stance = own_spaces(seat)[pick(3)], STANCES[pick(2)]
    return replace(fighter, placed=Placed(space, stance, resalted(fighter.placed.salt, pick)))
