"""A game of Sword of Fellows that has come to level 50, where character dice are thrown."""

from __future__ import annotations

from pathlib import Path
from random import Random

from companion.games.api import roll
from companion.games.sao import SAO
from companion.games.sao import actions as do
from companion.games.sao.legal import legal
from companion.games.sao.state import State
from companion.table.table import Seating
from tests.table.desk import Desk

SEATING = Seating(
    5, ("Red", "Blue", "Green", "Yellow", "White"),
    {"table": (), **{f"seat {n + 1}": (n,) for n in range(5)}},
)  # fmt: skip


def level_50(folder: Path) -> Path:
    """A state directory whose game waits for a throw at level 50; luck decides how soon."""
    for seed in range(1, 200):
        here = folder / str(seed)
        here.mkdir(parents=True)
        desk = Desk(here, SEATING, shelf={"sao": SAO}, seed=seed)
        if _played(desk, Random(seed)):
            desk.journal.close()
            return here
        desk.journal.close()
    raise AssertionError("nobody came to level 50")


def _played(desk: Desk, rng: Random) -> bool:
    """Kirito and Asuna at panels 0 and 1, by keen and lucky players."""
    for panel in (0, 1):
        desk.choose(panel, "Join")
    desk.choose(0, "Start")
    play = desk.table.play
    for seat, key in enumerate(("kirito", "asuna")):
        play.act(do.Play(seat, key), None)
    for _ in range(3000):
        state: State = play.line.state
        if state.outcome:
            return False
        wait = play.line.waiting
        if state.level and wait.dice is not None:
            return True
        move = None
        if wait.dice is None:
            move = _keen(state, rng.choice(wait.seats or (0, 1)), rng)
        if move is not None:
            play.act(move, move.seat)
        elif wait.dice is not None:
            play.act(roll(wait.dice, lambda n: rng.choice((n - 1, rng.randrange(n)))), None)
    return False


def _keen(state: State, seat: int, rng: Random) -> object | None:
    if state.phase == "dice" and state.throws()[0] and rng.random() < 0.8:
        left = state.plans()[0].left
        if left:
            return do.Again(state.turn, left)
    return next(iter(legal(state, seat)), None)
