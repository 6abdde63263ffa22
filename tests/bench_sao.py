"""Measures of Sword of Fellows for `make bench`: plans, odds, whole games."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time

from companion.games.sao.assign import Arms, arms, plans
from companion.games.sao.cards import shipped
from companion.games.sao.kinds import Step
from companion.games.sao.odds import lines
from tests.games.sao_playout import moves, world

Row = tuple[str, float, float, float]
"""What is measured (with its unit), ours, the limit, and how far it is kept (1 or more: kept)."""


def rows() -> list[Row]:
    """Every measure once; the book of the plans and the lattices are warm."""
    return [
        assignments(),
        odds(6),
        odds(8),
        playouts(),
    ]


def assignments(count: int = 4000) -> Row:
    """Best plans of eight dice, a new pool each time."""
    rng = Random(8)
    mine = _arms("kirito")
    pools = [tuple((rng.randrange(1, 7),) for _ in range(8)) for _ in range(count)]
    for pool in pools:  # warm: every multiset is in the book
        plans.__wrapped__(mine, pool)
    took = _timed(lambda: [plans.__wrapped__(mine, pool) for pool in pools])
    speed = count / took
    return "sao: plans of 8 dice per second", speed, 1000.0, speed / 1000.0


def odds(dice: int) -> Row:
    """All sensible sets to throw again, two throws to go, a new roll each time."""
    rng = Random(dice)
    mine, faces, free = _arms("silica"), ((),) * dice, tuple(range(dice))

    def once() -> None:
        pool = tuple((rng.randrange(1, 7),) for _ in range(dice))
        lines(mine, pool, faces, 2, free)

    once()
    worst = max(_timed(once) for _ in range(50)) * 1000
    return f"sao: odds of {dice} dice, worst of 50, ms", worst, 50.0, 50.0 / worst


def playouts(count: int = 60) -> Row:
    """Random games with every state checked."""
    rng = Random(5)

    def some() -> None:
        for _ in range(count):
            moves(*world(rng), rng)

    speed = count / _timed(some)
    return "sao: checked playouts per second", speed, 10.0, speed / 10.0


def _arms(key: str) -> Arms:
    return arms(enumerate(shipped().characters[key].skills), Step("", 50, 5))


def _timed(work: Callable[[], object]) -> float:
    """Seconds of one core: what else the machine does meanwhile does not count."""
    start = process_time()
    work()
    return process_time() - start


if __name__ == "__main__":
    for name, ours, limit, ratio in rows():
        print(f"{name:45} {ours:12.1f}  limit {limit:10.1f}  {ratio:8.1f}")
