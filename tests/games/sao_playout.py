"""Random games of Sword of Fellows, without `random`'s whims: a seed gives the same game again."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

from companion.games.api import roll
from companion.games.sao.actions import Again, Corrected, Drawn, Play
from companion.games.sao.game import SAO, apply, chance, legal, new, waiting
from companion.games.sao.sound import sound
from companion.games.sao.state import Options, State

OTHERS = ("asuna", "agil", "klein", "lisbeth", "silica")


def parties(seats: int) -> list[tuple[str, ...]]:
    """All sets of characters that so many players can field."""
    return [("kirito", *rest) for rest in combinations(OTHERS, max(1, seats - 1))]


def start(seats: int, party: tuple[str, ...], options: Options) -> State:
    """The game with its characters chosen."""
    state = new(seats, options)
    for seat, key in enumerate(party):
        if seats == 1 and key == "kirito":
            continue
        state = apply(state, Play(min(seat, seats - 1), key))
    return state


def choose(state: State, rng: Random, keen: float) -> Any:
    """A legal move: often the first (the best plan), else any kind of move, then one of it."""
    seats = list(waiting(state).seats) or list(range(state.seats))
    moves = list(legal(state, rng.choice(seats)))
    if not moves:
        return None
    kinds: dict[type, list[Any]] = {}
    for move in moves:
        kinds.setdefault(type(move), []).append(move)
    if rng.random() < keen:
        return moves[0]
    return rng.choice(kinds[rng.choice(list(kinds))])


def play(
    seats: int, party: tuple[str, ...], options: Options, rng: Random, check: bool = True
) -> tuple[State, int, set[str]]:
    """One game to its end: the last state, how many actions it took, which phases it saw."""
    state, steps, seen = start(seats, party, options), 0, set[str]()
    keen = rng.random()
    while not state.outcome:
        seen.add(state.phase)
        wait = waiting(state)
        action = None
        if wait.chance:
            action = chance(state, rng.randrange)
        elif wait.dice is None or rng.random() < 0.2:
            action = choose(state, rng, keen)
        if action is None and wait.dice is None:
            raise RuntimeError(state)
        if action is None:
            action = roll(wait.dice, rng.randrange)
        state = apply(state, action)
        steps += 1
        if check:
            sound(state)
        if steps > SAO.cap:
            raise RuntimeError(f"no end after {steps} actions")
    return state, steps, seen
