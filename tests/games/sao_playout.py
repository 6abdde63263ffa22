"""Random games of Sword of Fellows: one seed gives the same game again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import combinations, islice
from random import Random
from typing import Any

from companion.errors import Illegal
from companion.games.api import roll
from companion.games.cardfile import Correction
from companion.games.sao import actions as do
from companion.games.sao.game import SAO
from companion.games.sao.legal import legal
from companion.games.sao.play import apply, chance, new, waiting
from companion.games.sao.possible import possible
from companion.games.sao.state import BOTH, EASY, FEWER, NO_DICE, NORMAL, Options, State

OTHERS = ("asuna", "agil", "klein", "lisbeth", "silica")
HARDNESS = (EASY, NORMAL, FEWER, NO_DICE, BOTH)
SECTIONS = (
    ("illfang", "pkguild", "traproom"),
    ("kuradeel", "dragon", "giant"),
    ("twins", "scythe", "reaper"),
)


def parties(seats: int) -> list[tuple[str, ...]]:
    """All sets of characters that so many players can field."""
    return [("kirito", *rest) for rest in combinations(OTHERS, max(1, seats - 1))]


def start(seats: int, party: tuple[str, ...], options: Options) -> State:
    """The game with its characters chosen."""
    state = new(seats, options)
    for seat, key in enumerate(party):
        if seats > 1 or key != "kirito":
            state = apply(state, do.Play(min(seat, seats - 1), key))
    return state


def sturdy(party: tuple[str, ...], hp: int) -> tuple[Correction, ...]:
    """Characters so tough that even a random game sees the final battle."""
    levels = ("start", "level50", "level80")
    return tuple((key, f"hp.{level}", hp) for key in party for level in levels)


def world(rng: Random) -> tuple[int, tuple[str, ...], Options]:
    """Any number of players, any party, any difficulty; half of the parties are sturdy."""
    seats = rng.randrange(1, 5)
    party = rng.choice(parties(seats))
    cards = "table" if rng.random() < 0.2 else "companion"
    corrections = sturdy(party, rng.choice((30, 99))) if rng.random() < 0.5 else ()
    return seats, party, Options(rng.choice(HARDNESS), cards, corrections)


def chosen(state: State, seats: tuple[int, ...], rng: Random, keen: float) -> State | None:
    """After some legal move of one of these seats; `keen`: how often it is the most telling one."""
    seat = rng.choice(seats)
    if rng.random() < keen:
        if state.phase == "dice" and state.throws()[0] and rng.random() < 0.8:
            left = state.plans()[0].left
            if left and seat == state.seat(state.turn):
                return apply(state, do.Again(seat, left))
        first = next(iter(legal(state, seat)), None)
        return apply(state, first) if first else None
    if state.phase == "dice":
        for _ in range(5):
            with suppress(Illegal):
                return apply(state, _guess(state, seat, rng))
    moves = list(islice(legal(state, seat), 2_000))
    kinds = sorted({type(move).__name__ for move in moves})
    kind = rng.choice(kinds) if kinds else ""
    some = [move for move in moves if type(move).__name__ == kind]
    return apply(state, rng.choice(some)) if some else None


def _guess(state: State, seat: int, rng: Random) -> Any:
    """A move that may be legal: quicker than to list all that are."""
    some = tuple(sorted(rng.sample(range(len(state.dice)), rng.randrange(1, len(state.dice) + 1))))
    who = rng.choice(state.pair)
    to = rng.choice((*state.card(who).power.to, 0, 1, -1, 2))
    kinds: tuple[Callable[[], Any], ...] = (
        lambda: do.Again(seat, some),
        lambda: do.Mark(seat, some[0]),
        lambda: do.Ability(seat, who, some[: rng.randrange(0, 3)], to),
        lambda: do.Control(seat, some[0], rng.randrange(1, 7)),
        lambda: do.Stand(seat),
        lambda: do.Strike(seat, rng.choice(state.plans()).uses),
    )
    return rng.choice(kinds)()


def moves(
    seats: int, party: tuple[str, ...], options: Options, rng: Random, check: bool = True
) -> tuple[State, int, set[str]]:
    """One game to its end: the last state, how many actions it took, what it saw."""
    state, steps, seen = start(seats, party, options), 0, set[str]()
    keen = rng.random() ** 0.5
    while not state.outcome:
        seen |= {state.phase, state.scenario}
        wait = waiting(state)
        after = None
        if wait.chance:
            after = apply(state, chance(state, rng.randrange))
        elif wait.dice is None or rng.random() < 0.2:
            after = chosen(state, wait.seats or tuple(range(seats)), rng, keen)
        if after is None:
            assert wait.dice is not None, state
            after = apply(state, roll(wait.dice, rng.randrange))
        state = after
        steps += 1
        if check:
            possible(state)
        assert steps < SAO.cap, state
    return state, steps, seen
