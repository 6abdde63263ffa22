"""Cards out of the hand: named, compared with the print, attached, detached, played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.errors import Illegal
from companion.games.api import require
from companion.games.cardgame import held, taken, taken_back
from companion.games.effects import firing, needs_text
from companion.games.records import replace
from companion.games.sainome import actions as do
from companion.games.sainome.cards import CARDS, doubtful
from companion.games.sainome.damage import counters, muted, open_use
from companion.games.sainome.kinds import (
    EQUIP,
    INSTANT,
    KINDS,
    PLACE_NAMES,
    PLACES,
    WORDS,
    Card,
)
from companion.games.sainome.state import (
    SLOTS,
    UNKNOWN,
    State,
    in_slot,
    met,
    pool,
    with_side,
    without,
)
from companion.games.sainome.strike import queued
from companion.games.sainome.verbs import VERBS
from companion.words import text

SHOWING = ("equip", "act", "dodge", "six")
"""Phases in which a card can come out of the hand; a hit is the other occasion."""


def need_held(state: State, seat: int, card: str, rule: str) -> Card:
    """The card, if it can be played by name now."""
    if card not in held(state, seat) or card not in state.cards:
        if state.cardboard and UNKNOWN in state.sides[seat].hand:
            raise Illegal("H1", text("First show the card"))
        raise Illegal(rule, text("That card is not in your hand"))
    return state.cards[card]


def wanted(state: State, card: Card) -> bool:
    """Cardboard: is it a card for this moment, or one that might be by its print?"""
    if open_use(state, card.key):
        return True
    if state.hit is not None:
        return counters(card, "counter")
    match state.phase:
        case "equip":
            return card.use == EQUIP
        case "dodge":
            return counters(card, "rolled")
        case "six":
            fresh = card.key not in state.asked and "six" in doubtful(state.cards, card.key)
            return card.six or fresh
    return card.use == INSTANT


def showable(state: State, seat: int, kind: str = "") -> tuple[str, ...]:
    """Cardboard: the cards (of a kind) for this moment, first those that we know to be left.

    How many copies there are is our guess, so that one more is believed (H1).
    """
    if state.shown or UNKNOWN not in state.sides[seat].hand or not _occasion(state, seat):
        return ()
    can, cards = pool(state), state.cards.cards
    fit = [key for key, card in cards.items() if kind in ("", card.kind) and wanted(state, card)]
    return tuple(sorted(fit, key=lambda key: key not in can))


def _occasion(state: State, seat: int) -> bool:
    """May a card come out of the hand now?"""
    if state.hit is not None:
        return bool(state.hit.amount) and not state.hit.countered and not muted(state, seat)
    if state.due or state.phase not in SHOWING:
        return False
    return state.phase != "act" or "instant" not in state.done


def openable(state: State, seat: int) -> tuple[str, ...]:
    """Cardboard: the other kinds that the hand can hold."""
    kinds = {state.cards[card].kind for card in showable(state, seat)}
    return tuple(kind for kind in KINDS if kind != state.kind and kind in kinds)


def _open(state: State, action: do.Open) -> State:
    can = action.kind in openable(state, action.seat)
    require(can, "H1", "No card of that kind fits this moment")
    return replace(state, kind=action.kind)


def _show(state: State, action: do.Show) -> State:
    seat, card = action.seat, action.card
    if not state.kind or card not in showable(state, seat, state.kind):
        require(bool(state.kind), "H1", "First say what kind of card it is")
        raise Illegal("H1", text("Show a card of that kind that can be used now"))
    state = with_side(state, seat, hand=without(state.sides[seat].hand, UNKNOWN))
    return compared(replace(state, shown=card), card)


def compared(state: State, key: str) -> State:
    """The first time that a print is seen, its owner is asked for it."""
    if key in state.asked or not doubtful(state.cards, key):
        return state
    return replace(state, shown=key, learning=True, asked=(*state.asked, key))


def _withdraw(state: State, action: do.Withdraw) -> State:
    require(state.shown in state.cards, "H1", "You show no card that could be taken back")
    return taken_back(state, action.seat)


def _agreed(state: State, action: do.Agreed) -> State:
    state = CARDS.agreed(state, action)
    shown = state.shown if state.shown in state.cards else ""  # a character lies there already
    return replace(state, learning=False, shown=shown)


def _attach(state: State, action: do.Attach) -> State:
    seat, place = action.seat, action.place
    card = need_held(state, seat, action.card, equipping(state))
    require(card.use == EQUIP, "R19", "{card} is no card to attach", card=card.name)
    require(place in SLOTS, "R20", "Choose one of the four sides")
    side = PLACE_NAMES[PLACES[place]]
    linked = PLACES[place] in card.links
    require(linked, "R36", "{card} has no link for {side}", card=card.name, side=side)
    worn = state.sides[seat].worn
    require(not worn[place], "R20", "A card is there ({side}): take it off first", side=side)
    state = taken(state, seat, card.key)
    return with_side(state, seat, worn=in_slot(worn, place, card.key))


def _detach(state: State, action: do.Detach) -> State:
    require(not state.shown, "H1", "First attach or take back the card")
    mine = [place for place, _ in state.worn(action.seat)]
    require(action.place in mine, equipping(state), "You have no card there")
    side = state.sides[action.seat]
    card, worn = side.worn[action.place], in_slot(side.worn, action.place, "")
    return with_side(state, action.seat, worn=worn, hand=(*side.hand, card))


def _play(state: State, action: do.Play) -> State:
    """An instant (R21); if its text is an attack, the attack action is still to come (R15)."""
    may_act(state, "instant")
    card = need_held(state, action.seat, action.card, "R21")
    require(card.use == INSTANT, "R40", "{card} is no instant", card=card.name)
    return replace(performed(state, action.seat, card), done=(*state.done, "instant"))


def performed(state: State, seat: int, card: Card) -> State:
    """The text of an instant, played as an action or by the 6 on it (R21, R37)."""
    found = tuple(firing(card.clauses, "played", met(state, seat)))
    if not found and not card.printed:
        needs = [clause.needs for clause in card.clauses if clause.when == "played"]
        require(bool(needs), "R21", "{card} has no text to play", card=card.name)
        only = needs_text(needs[0], WORDS)
        raise Illegal("R21", text("{card}: only if {needs}", card=card.name, needs=only))
    due = tuple(queued(e.verb, e.amount, seat, card.key) for e in found if e.verb in VERBS)
    after = taken(state, seat, card.key)
    aims = [VERBS[one.verb].targets for one in due]
    meets = not aims or any(
        aim is None or aim(after, one) for aim, one in zip(aims, due, strict=True)
    )
    require(meets, "R21", "{card} would find nothing to act on", card=card.name)
    return replace(after, played=card.key, due=due, report=None)


def equipping(state: State) -> str:
    """The rule by which cards are attached: the first hand, Quick Change, or the action."""
    if not state.turns:
        return "R8"
    return "R21" if state.swift else "R18"


def may_act(state: State, what: str) -> None:
    """Each action once, and no more than two (R12, R14)."""
    require(what not in state.done, "R14", "You have done that: each action once a turn")
    require(state.allowed() > 0, "R12", "No action is left: end your actions")


HAND_ACTS: dict[type, tuple[tuple[str, ...], Callable[[State, Any], State]]] = {
    do.Attach: (("equip",), _attach),
    do.Detach: (("equip",), _detach),
    do.Play: (("act",), _play),
}
SHOWN_ACTS: dict[type, Callable[[State, Any], State]] = {
    do.Open: _open,
    do.Show: _show,
    do.Withdraw: _withdraw,
}
LEARN_ACTS: dict[type, Callable[[State, Any], State]] = {
    do.Correct: CARDS.correct,
    do.Corrected: CARDS.corrected,
    do.Agreed: _agreed,
}
