"""Hands for the tests of Swordcrafters: games set up in a line, swords written as letters."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from companion.games.swordcrafters import SWORDCRAFTERS
from companion.games.swordcrafters.actions import Dealt, Laid, Undo
from companion.games.swordcrafters.gems import FORGE, SIGNS
from companion.games.swordcrafters.state import Options, State
from companion.games.swordcrafters.sword import Sword

TILE = {sign: tile for tile, sign in SIGNS.items()}
new, apply, legal = SWORDCRAFTERS.new, SWORDCRAFTERS.apply, SWORDCRAFTERS.legal


def grid(letters: str) -> tuple[tuple[str, ...], ...]:
    """`RB-G YOFP …`: a grid, row by row."""
    return tuple(tuple(TILE[letter] for letter in row) for row in letters.split())


SMALL = grid("RBGP YOF- RBGP")
LARGE = grid("RBGP YOF- RBGP YO-R")


def sword(sides: str, guards: str = "") -> Sword:
    """`RRB-/R/R/R`: four sides from the guard to the tip; guards sit on the first and third."""
    tiles = tuple(tuple(TILE[letter] for letter in side) for side in sides.split("/"))
    return Sword(tuple(TILE[letter] for letter in guards), tiles)


def virtual(seats: int, first: int = 0, **options: Any) -> State:
    """A virtual game, dealt: cards 1 to 3, guards as they come."""
    chosen = Options(way="virtual", **options)
    state = new(seats, chosen)
    face = "b" if chosen.faces == "intermediate" else "a"
    swords = sum(len(smith.swords) for smith in state.smiths)
    guards = (*SIGNS,)[:6] * 2
    rivals = tuple(str(n) for n in range(1, chosen.opponents + 1)) if seats == 1 else ()
    dealt = Dealt(tuple(f"{n}{face}" for n in (1, 2, 3)), guards[: 2 * swords], first, rivals)
    return apply(state, dealt)


def laid(seats: int, first: int = 0, **options: Any) -> State:
    """A virtual game with its first grid."""
    state = virtual(seats, first, **options)
    return apply(state, Laid(SMALL if state.few else LARGE))


def on(state: State, seed: int = 0, until: str = "over", rounds: int = 6) -> State:
    """Play at random, nothing undone, until a phase of a round comes up."""
    rng = random.Random(seed)
    while state.phase != "over" and (state.phase != until or state.round > rounds):
        state = step(state, rng)
    return state


def step(state: State, rng: random.Random) -> State:
    waiting = SWORDCRAFTERS.waiting(state)
    if waiting.chance and SWORDCRAFTERS.chance is not None:
        return apply(state, SWORDCRAFTERS.chance(state, rng.randrange))
    moves = [m for m in legal(state, rng.choice(waiting.seats)) if not isinstance(m, Undo)]
    return apply(state, rng.choice(moves))


def slices(state: State) -> Iterator[State]:
    """Every state after one whole slice, found through `legal` alone."""
    if state.phase != "slice":
        return
    seat = state.mover
    before = len(state.groups)
    for action in legal(state, seat):
        if isinstance(action, Undo):
            continue
        after = apply(state, action)
        if len(after.groups) > before:
            yield after
        else:
            yield from slices(after)


def scored(state: State, *swords: Sword, **changes: Any) -> State:
    """The end of a game with these swords."""
    smiths = tuple(
        replace(smith, swords=(one,), hands=((),))
        for smith, one in zip(state.smiths, swords, strict=True)
    )
    return replace(state, smiths=smiths, phase="over", rows=(), groups=(), round=6, **changes)


def forge_at(rows: tuple[tuple[str, ...], ...]) -> list[tuple[int, int]]:
    return [(r, c) for r, row in enumerate(rows) for c, tile in enumerate(row) if tile == FORGE]
