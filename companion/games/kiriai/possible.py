"""Which states a duel can be in: what comes from outside is checked here."""

from __future__ import annotations

from companion.errors import BadState
from companion.games.kiriai.cards import BASIC_CARDS, FACES, SPECIAL, SPECIALS, STANCES
from companion.games.kiriai.duel import resolve
from companion.games.kiriai.state import (
    DEFEATED,
    SEATS,
    SETTING_UP,
    SIZES,
    Fighter,
    State,
    faces_of,
    own_spaces,
)


def possible(state: State) -> None:
    """Raise BadState, with the reason, on a duel that no play can reach."""
    _need(state.options.battlefield in SIZES, "the battlefield is standard or advanced")
    _need(state.options.cards in ("companion", "table"), "the specials are companion or table")
    _need(state.options.round_cap >= 1, "the round cap is at least 1")
    _need(len(state.fighters) == 2, "a duel has two fighters")
    _possible_phase(state)
    for seat in SEATS:
        _possible_fighter(state, seat)
    blue, red = state.fighters
    _need(blue.stand.space <= red.stand.space or not red.stand.space, "Blue stands past Red")
    _need(not blue.spent or blue.spent != red.spent, "one special was played by both")
    if not state.cardboard:
        held = {fighter.special or fighter.spent for fighter in state.fighters}
        _need(len(held) == 2 or state.phase == "deal", "both hold the same special")
    for step in state.steps:
        known = all(face in FACES and face != SPECIAL for face in step.faces)
        _need(known, "a step has an unknown card")
        _need(step.outcome == resolve(state.size, *step.before, *step.faces), "a step went wrong")


def _possible_phase(state: State) -> None:
    phase, steps = state.phase, len(state.steps)
    cap = state.options.round_cap
    phases = {"choose": (0, 2), "show": (0, 1), "between": (1,), "over": (0, 1, 2)}
    _need(phase in phases or phase in SETTING_UP, f"there is no phase {phase!r}")
    _need(steps in phases.get(phase, (0,)), f"{steps} steps cannot be in phase {phase}")
    _need(phase != "deal" or not state.cardboard, "cardboard is not dealt by the companion")
    _need(phase not in ("tell", "show") or state.cardboard, "only cardboard is told and shown")
    _need(phase != "place" or state.size == 7, "only the advanced battlefield is placed on")
    _need(1 <= state.round <= cap + 1, f"round {state.round} is not in 1 to {cap + 1}")
    wounds = [fighter.wounds for fighter in state.fighters]
    ended = DEFEATED in wounds or state.round > cap
    _need(ended == (phase == "over"), "the duel is over exactly when it is decided")
    _need(wounds != [DEFEATED, DEFEATED], "both are defeated")
    done = sum(fighter.done for fighter in state.fighters)
    _need(
        done < 2 and (not done or phase not in ("deal", "between", "over")), "nobody is waited for"
    )
    for cut in state.cuts:
        _need(cut.by in SEATS and cut.face in FACES and cut.round >= 1, "a wound by nobody")


def _possible_fighter(state: State, seat: int) -> None:
    fighter = state.fighters[seat]
    placed = state.size == 5 or state.phase not in SETTING_UP
    spaces = range(1, state.size + 1) if placed else range(1)
    _need(fighter.stand.space in spaces, f"space {fighter.stand.space} is not on the battlefield")
    _need(fighter.stand.stance in STANCES, f"there is no stance {fighter.stand.stance!r}")
    _need(0 <= fighter.wounds <= DEFEATED, f"{fighter.wounds} wounds cannot be")
    _need(fighter.aside in ("", *BASIC_CARDS), f"{fighter.aside!r} cannot be set aside")
    _need(fighter.special in ("", *SPECIALS), f"there is no special {fighter.special!r}")
    _need(fighter.spent in ("", *SPECIALS), f"there is no special {fighter.spent!r}")
    _need(not (fighter.special and fighter.spent), "a player has one special, held or played")
    if state.phase in SETTING_UP:
        _need(not (fighter.aside or fighter.spent or fighter.plan), "no card was played yet")
    if state.phase == "deal":
        _need(not fighter.special, "no special is dealt yet")
    elif not state.cardboard:
        _need(bool(fighter.special or fighter.spent), "a player has no special")
    if start := fighter.placed:
        legal = start.space in own_spaces(seat) and start.stance in STANCES
        _need(legal and state.size == 7, "a start that cannot be chosen")
    _need(state.phase != "place" or fighter.done == (fighter.placed is not None), "who has placed?")
    _possible_plan(state, fighter)


def _possible_plan(state: State, fighter: Fighter) -> None:
    plan, count = fighter.plan, len(fighter.plan)
    wanted: dict[str, tuple[int, ...]] = {"show": (2,), "between": (2,), "over": (0, 2)}
    wanted["choose"] = (2,) if fighter.done else (0, 1, 2)
    _need(count in wanted.get(state.phase, (0,)), f"{count} cards laid in phase {state.phase}")
    mine = faces_of(fighter, state.cardboard)
    for place, laid in enumerate(plan):
        _need(laid.face in mine, f"{laid.face!r} was laid but is not held")
        if laid.forced:
            continue
        card = FACES[laid.face].card
        _need(card != fighter.aside, f"{laid.face!r} was laid but rests")
        done = 0 if state.phase == "choose" else len(state.steps)
        gone = card == SPECIAL and fighter.spent and place >= done
        _need(not gone, f"{laid.face!r} was laid but is spent")
        _need(all(FACES[other.face].card != card for other in plan[:place]), "one card laid twice")


def _need(holds: bool, why: str) -> None:
    if not holds:
        raise BadState(f"not a duel: {why}")
