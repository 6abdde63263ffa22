"""Opening the cards: one pair after the other, then the end of the round."""

from __future__ import annotations

from companion.games.kiriai.cards import BASICS, FACES, SPECIAL
from companion.games.kiriai.duel import BLUE, NOBODY, RED, Stand, resolve
from companion.games.kiriai.state import DEFEATED, Fighter, Laid, State, Step, Wound
from companion.games.records import replace


def open_next(state: State) -> State:
    """Open the next card of both plans and play it out, once specials of cardboard are named."""
    number = len(state.steps)
    blue, red = state.fighters
    laid = (blue.plan[number], red.plan[number])
    if state.phase != "show" and state.cardboard:
        named = tuple(
            card.face != SPECIAL or bool(fighter.spent)
            for card, fighter in zip(laid, state.fighters, strict=True)
        )
        if not all(named):
            blue, red = replace(blue, done=named[BLUE]), replace(red, done=named[RED])
            return replace(state, fighters=(blue, red), phase="show")
    faces = (_face(blue, laid[BLUE]), _face(red, laid[RED]))
    before = (blue.stand, red.stand)
    outcome = resolve(state.size, *before, *faces)
    salts, forced = (laid[BLUE].salt, laid[RED].salt), (laid[BLUE].forced, laid[RED].forced)
    step = Step(faces, salts, before, outcome, forced)
    cuts = state.cuts
    if outcome.hurt != NOBODY:
        by = 1 - outcome.hurt
        cuts = (*cuts, Wound(by, state.round, faces[by]))
    fighters = (
        _moved(blue, outcome.after[BLUE], faces[BLUE], outcome.hurt == BLUE),
        _moved(red, outcome.after[RED], faces[RED], outcome.hurt == RED),
    )
    steps = (*state.steps, step)
    return settled(replace(state, fighters=fighters, phase="between", steps=steps, cuts=cuts))


def _face(fighter: Fighter, laid: Laid) -> str:
    return (fighter.special or fighter.spent) if laid.face == SPECIAL else laid.face


def _moved(fighter: Fighter, stand: Stand, face: str, hurt: bool) -> Fighter:
    """A wound moves nobody and turns nobody (K-R31); a special is spent (K-R38)."""
    wounds = fighter.wounds + hurt
    if face in BASICS:
        return replace(fighter, stand=stand, wounds=wounds, done=False)
    return replace(fighter, stand=stand, wounds=wounds, done=False, special="", spent=face)


def settled(state: State) -> State:
    """Is the duel decided (K-R32)? If both cards are done, end the round (K-R34 to K-R39)."""
    blue, red = state.fighters
    if DEFEATED in (blue.wounds, red.wounds) or state.round > state.options.round_cap:
        return replace(_cleared(state), phase="over")
    if state.phase not in ("between", "over"):
        return state
    if len(blue.plan) < 2:  # between rounds: the table's word reopened a duel that was over
        return replace(state, phase="choose")
    if len(state.steps) < 2:
        return replace(state, phase="between")
    state = replace(
        state, fighters=(_rested(blue), _rested(red)), phase="choose", round=state.round + 1
    )
    return replace(state, phase="over") if state.round > state.options.round_cap else state


def _cleared(state: State) -> State:
    """A round that ends before its cards are open is as if they were never laid."""
    if state.phase not in ("choose", "show"):
        return state
    blue, red = (replace(fighter, plan=(), done=False) for fighter in state.fighters)
    return replace(
        state, fighters=(blue, red), steps=state.steps if state.phase == "choose" else ()
    )


def _rested(fighter: Fighter) -> Fighter:
    card = FACES[fighter.plan[1].face].card
    return replace(fighter, plan=(), aside="" if card == SPECIAL else card)


def with_fighter(state: State, seat: int, fighter: Fighter) -> State:
    blue, red = state.fighters
    return replace(state, fighters=(fighter, red) if seat == BLUE else (blue, fighter))
