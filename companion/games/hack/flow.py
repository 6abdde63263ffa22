"""How the game goes on by itself until somebody must choose, tell or shuffle."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.effects import firing, run
from companion.games.hack.fights import can_join, compared, holding
from companion.games.hack.state import (
    HAND,
    NOBODY,
    SEATS,
    START_HAND,
    UNKNOWN,
    WIN,
    Battle,
    State,
    could_flip,
    with_side,
)
from companion.games.hack.verbs import VERBS, due_of
from companion.games.records import replace


def settle(state: State) -> State:
    """Carry on until the table waits for somebody, or the game is over."""
    while state.phase != "over":
        following = _on(state)
        if following is None:
            break
        state = following
    return state


def _on(state: State) -> State | None:
    if not state.shown and (state.points(0) >= WIN or state.points(1) >= WIN):
        return replace(state, phase="over", back=state.phase)  # R5, H10
    if state.drawing() != NOBODY:
        return None
    for seat in (state.mover, state.other):
        if state.sides[seat].owed:
            return _drawn(state, seat)
    if state.due:
        after = run(state, VERBS)
        return after if after is not state else None
    step = _STEPS.get(state.phase)
    return step(state) if step else None


def _drawn(state: State, seat: int) -> State:
    side = state.sides[seat]
    if not side.deck:  # no card anywhere: nothing to draw
        return with_side(state, seat, owed=0)
    state = with_side(
        state, seat, deck=side.deck[1:], hand=(*side.hand, side.deck[0]), owed=side.owed - 1
    )
    return _marked(state, seat)


def _marked(state: State, seat: int) -> State:
    """Who took the last card ends the game with this turn (R6, H6)."""
    return state if state.sides[seat].deck else replace(state, last=True)


def _cut(state: State) -> State | None:
    if NOBODY in state.cut:
        return None
    if state.cut[0] == state.cut[1]:
        return replace(state, cut=(NOBODY, NOBODY))
    first = 0 if state.cut[0] > state.cut[1] else 1
    for seat in SEATS:
        state = with_side(state, seat, owed=START_HAND)  # R9
    return replace(state, mover=first, phase="deal")


def begin_turn(state: State, seat: int) -> State:
    """Draw one (R11), then reconcile (R12)."""
    state = with_side(state, seat, owed=1)
    return replace(state, mover=seat, turns=state.turns + 1, phase="draw", passed=0)


def end_turn(state: State) -> State:
    """The other's turn, unless a deck ran out."""
    if state.last:
        return replace(state, phase="over", kind="")
    return begin_turn(replace(state, kind=""), state.other)


def _reconcile(state: State) -> State | None:
    side = state.sides[state.mover]
    if len(side.hand) > HAND:
        return None
    if len(side.hand) < HAND and (side.deck or side.discard):
        return with_side(state, state.mover, owed=HAND - len(side.hand))
    return replace(state, phase="play")


def _join(state: State) -> State | None:
    portal = state.sides[state.mover].portal
    if any(can_join(state, state.cards[card]) for card in portal):
        return None
    return replace(state, phase="stand")


def _assign(state: State) -> State | None:
    """With a single PC there is a single fight, and every monster is in it."""
    heroes = state.sides[state.other].heroes
    if len(heroes) != 1:
        return None
    battle = Battle(heroes[0].card, state.attackers)
    return replace(state, attackers=(), battles=(battle,), phase="order")


def _extra(state: State) -> State | None:
    if len(state.battles) != 1:
        return None
    battle = replace(state.battle, monsters=state.battle.monsters + state.attackers)
    return replace(state, attackers=(), battles=(battle,), phase="order")


def _order(state: State) -> State | None:
    if not state.battles:
        return end_turn(state)  # R53
    return replace(state, phase="flip", passed=0) if len(state.battles) == 1 else None


def _flip(state: State) -> State | None:
    if state.passed >= 2:
        return replace(state, phase="destiny")
    seat = state.mover if state.passed else state.other
    return None if could_flip(state, seat) else replace(state, passed=state.passed + 1)


def _destiny(state: State) -> State | None:
    for seat in (state.mover, state.other):
        side = state.sides[seat]
        if state.battle.destiny[seat] != NOBODY:
            continue
        if not side.deck:
            return fated(state, seat, 0)
        if side.deck[0] != UNKNOWN:
            return fated(state, seat, state.cards[side.deck[0]].destiny)
    return None if NOBODY in state.battle.destiny else compared(state)


def fated(state: State, seat: int, number: int) -> State:
    """The top card is revealed for its destiny and discarded."""
    both = list(state.battle.destiny)
    both[seat] = number
    side = state.sides[seat]
    drawn = (*state.battle.drawn, *side.deck[:1])
    battle = replace(state.battle, destiny=(both[0], both[1]), drawn=drawn)
    state = replace(state, battles=(battle, *state.battles[1:]))
    if not side.deck:
        return state
    discard = (*side.discard, side.deck[0])
    return _marked(with_side(state, seat, deck=side.deck[1:], discard=discard), seat)


def _reward(state: State) -> State | None:
    if state.rewards:
        return None
    if state.battles:
        return replace(state, phase="score")
    return _avoided(state)


def _avoided(state: State) -> State:
    """Every monster with points is scored, the others are discarded (R37)."""
    side, seat = state.sides[state.mover], state.mover
    scored = tuple(m for m in state.attackers if state.cards[m].points)
    rest = tuple(m for m in state.attackers if not state.cards[m].points)
    state = with_side(state, seat, score=side.score + scored, discard=side.discard + rest)
    return replace(state, attackers=(), phase="order")


def _score(state: State) -> State | None:
    if any(state.cards[monster].points for monster in state.battle.monsters):
        return None
    return scored(state, "")


def scored(state: State, monster: str) -> State:
    """One monster of a fight won goes to the score pile (R51), the rest are discarded (R52)."""
    side, battle = state.sides[state.mover], state.battle
    rest = list(battle.monsters)
    pile = side.score
    if monster:
        rest.remove(monster)
        pile = (*pile, monster)
    state = with_side(state, state.mover, score=pile, discard=(*side.discard, *rest))
    return replace(state, battles=state.battles[1:], phase="order")


def triggered(state: State, when: str, card: str, seat: int) -> State:
    """Queue what a card's text does at this moment."""
    effects = firing(state.cards[card].clauses, when, holding(state, card, seat))
    due = tuple(due_of(effect, seat, card) for effect in effects if effect.verb in VERBS)
    return replace(state, due=state.due + due)


_STEPS: dict[str, Callable[[State], State | None]] = {
    "cut": _cut,
    "deal": lambda state: begin_turn(state, state.mover),
    "draw": _reconcile,
    "played": end_turn,
    "join": _join,
    "assign": _assign,
    "extra": _extra,
    "order": _order,
    "flip": _flip,
    "destiny": _destiny,
    "reward": _reward,
    "score": _score,
}
