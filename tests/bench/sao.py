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

Row = tuple[str, str, str, str]
"""What is measured (with its unit), ours, the limit, ours over the limit."""
PLANS_PER_SECOND, ODDS_MS, ODDS_FIRST_MS, GAMES_PER_SECOND = 1000, 50, 1000, 10


def rows() -> list[Row]:
    """Every measure once; the book of the plans and the lattices are warm."""
    return [
        assignments(),
        odds(6),
        odds(8),
        odds_at_first(),
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
    return _row("sao: plans of 8 dice per second", speed, PLANS_PER_SECOND)


def odds(dice: int, rolls: int = 50) -> Row:
    """All sensible sets to throw again, two throws to go, a new roll each time."""
    rng = Random(dice)
    mine, faces, free = _arms("silica"), ((),) * dice, tuple(range(dice))

    def once() -> None:
        pool = tuple((rng.randrange(1, 7),) for _ in range(dice))
        lines(mine, pool, faces, 2, free)

    once()
    worst = max(_timed(once) for _ in range(rolls)) * 1000
    return _row(f"sao: odds of {dice} dice, worst of {rolls}, ms", worst, ODDS_MS)


def odds_at_first() -> Row:
    """Six plain dice and two character dice of a party that the coach has not met before."""
    people = shipped().characters
    faces = ((),) * 6 + (people["kirito"].faces, people["asuna"].faces)
    pool = tuple((value,) for value in range(1, 7)) + tuple(face[-1] for face in faces[6:])
    mine = arms(enumerate(people["kirito"].skills), Step("", 50, 5), plus=len(faces))
    took = _timed(lambda: lines(mine, pool, faces, 2, tuple(range(8)))) * 1000
    return _row("sao: odds of 6 dice and 2 blue, the first time, ms", took, ODDS_FIRST_MS)


def playouts(count: int = 60) -> Row:
    """Random games with every state checked."""
    rng = Random(5)

    def some() -> None:
        for _ in range(count):
            moves(*world(rng), rng)

    speed = count / _timed(some)
    return _row("sao: checked playouts per second", speed, GAMES_PER_SECOND)


def _row(name: str, ours: float, limit: float) -> Row:
    return name, f"{ours:.1f}", f"limit {limit}", f"{ours / limit:.2f}"


def _arms(key: str) -> Arms:
    return arms(enumerate(shipped().characters[key].skills), Step("", 50, 5))


def _timed(work: Callable[[], object]) -> float:
    """Seconds of one core: what else the machine does meanwhile does not count."""
    start = process_time()
    work()
    return process_time() - start


if __name__ == "__main__":
    for row in rows():
        print(*row, sep="  ")
