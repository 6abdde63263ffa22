"""Tables of Sainome Colosseum laid out by hand for the tests: what is not named is in the deck."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any, NamedTuple

from companion.games.api import Die, Rolled
from companion.games.cardfile import Correction
from companion.games.sainome import SAINOME
from companion.games.sainome import actions as do
from companion.games.sainome.cards import deck, doubtful, shipped
from companion.games.sainome.kinds import PLACES
from companion.games.sainome.possible import possible
from companion.games.sainome.state import UNKNOWN, Options, Side, State
from tests.games import moves
from tests.games.unknown_cards import told_as_printed

A, B = 0, 1
UP, LEFT, DOWN, RIGHT = range(4)


TOLD = told_as_printed(shipped(), shipped().values, doubtful)


class Lay(NamedTuple):
    """One side of the table. Of cardboard a hand is a number."""

    character: str = "magician"
    hand: tuple[str, ...] | int = ()
    up: str = ""
    left: str = ""
    down: str = ""
    right: str = ""
    hp: int = 10
    top: tuple[str, ...] = ()  # of the HP stack
    awake: bool = False
    fewer: int = 0


def board(
    a: Lay, b: Lay, *, cards: str = "companion", fix: tuple[Correction, ...] = (),
    chain: str = "flow", phase: str = "act", deck_top: tuple[str, ...] = (),
    discard: tuple[str, ...] = (), hp: int = 10, **more: Any,
) -> State:  # fmt: skip
    """A possible table with these cards in these places; A is on turn."""
    told = (*TOLD, *fix) if cards == "table" else fix
    options = Options(hp, "no", cards, chain, told)
    every = deck(told).deck
    hidden = cards == "table"
    left = Counter(every) - Counter(deck_top) - Counter(discard)
    for lay in (a, b):
        hand = () if isinstance(lay.hand, int) else lay.hand
        left -= Counter((*hand, *lay.top, *(c for c in lay[2:6] if c)))
    rest = [UNKNOWN] * 50 if hidden else list(left.elements())
    sides = []
    for lay in (a, b):
        hand = (UNKNOWN,) * lay.hand if isinstance(lay.hand, int) else lay.hand
        stack = (*lay.top, *(rest.pop() for _ in range(lay.hp - len(lay.top))))
        worn = (lay.up, lay.left, lay.down, lay.right)
        sides.append(Side(lay.character, stack, hand, worn, lay.awake, fewer=lay.fewer))
    if hidden:
        used = sum(len(s.stack) + len(s.hand) + 4 - s.worn.count("") for s in sides)
        rest = rest[: 50 - used - len(discard) - len(deck_top)]
    state = State(
        options, (sides[0], sides[1]), told, (*deck_top, *rest), discard, phase, A, 5, (6, 1),
        asked=tuple(deck(told).values), **more,
    )  # fmt: skip
    possible(state)
    return state


def thrown(*values: int) -> Rolled:
    """Dice on the table."""
    return Rolled(tuple(Die("black", value) for value in values))


after, refused, legal = (partial(one, SAINOME) for one in (moves.after, moves.refused, moves.legal))


def hp(state: State) -> tuple[int, int]:
    """Both HP."""
    return len(state.sides[A].stack), len(state.sides[B].stack)


def worn(state: State, seat: int) -> dict[str, str]:
    """What is attached where."""
    return {p: c for p, c in zip(PLACES, state.sides[seat].worn, strict=True) if c}


def with_its_six(card: str, theirs: Lay, *hand: str) -> State:
    """A has used this card by the 6 that its owner says is on it."""
    state = board(Lay(hand=(card, *hand)), theirs, fix=((card, "six", 1),))
    state = after(state, do.Strike(A), thrown(6))
    if state.phase == "dodge":
        state = after(state, do.GoOn(B))
    use = do.Use(A, card, 4)
    assert use in legal(state, A)
    return after(state, use)
