"""Measures of Sword of Fellows for `make bench`: plans, the coach, whole games."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time

from companion.bots import fellows
from companion.games.sao.actions import Exchange
from companion.games.sao.assign import Arms, arms, plans
from companion.games.sao.cards import shipped
from companion.games.sao.kinds import Step
from companion.games.sao.state import Owned
from tests.games.sao_playout import moves, world
from tests.games.sao_table import done, fight, throw

Row = tuple[str, str, str, str]
"""What is measured (with its unit), ours, the limit, ours over the limit."""
PLANS_PER_SECOND, LINES_MS, LINES_FIRST_MS, GAMES_PER_SECOND = 1000, 50, 1000, 10


def rows() -> list[Row]:
    """Every measure once; the book of the plans and the lattices are warm."""
    return [
        assignments(),
        lines(6),
        lines(8),
        lines_at_first(),
        before_throw("reaper", "kirito", "asuna"),
        before_throw("reaper", "kirito", "asuna", "silica"),
        before_throw("reaper", "kirito", "asuna", "silica", "klein"),
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


def lines(dice: int, rolls: int = 50) -> Row:
    """All that the coach says of a throw, a new one each time, two throws to go."""
    rng = Random(dice)
    scenario = {6: "pkguild", 8: "twins"}[dice]
    state = fight("kirito", "silica", scenario=scenario)

    def once() -> None:
        faces = "".join(str(rng.randrange(1, 7)) for _ in range(dice))
        fellows._solved.cache_clear()
        fellows.ranked(throw(state, faces[: dice // 2], faces[dice // 2 :]))

    once()
    worst = max(_timed(once) for _ in range(rolls)) * 1000
    return _row(f"sao: lines of {dice} dice, worst of {rolls}, ms", worst, LINES_MS)


def lines_at_first() -> Row:
    """Six plain dice and two character dice of a party that the coach has not met before."""
    state = fight("kirito", "asuna", scenario="reaper", kit=(Owned("repulser", 0),))
    state = throw(done(state, Exchange(0, 0), Exchange(1, 1)), "123", "456", "12")
    took = _timed(lambda: fellows.ranked(state)) * 1000
    return _row("sao: lines of 6 dice and 2 blue, the first time, ms", took, LINES_FIRST_MS)


def before_throw(scenario: str, *party: str) -> Row:
    """All that the coach says before a throw: of blue dice, with three also of the partner."""
    state = fight(*party, scenario=scenario)

    def once() -> None:
        fellows._solved.cache_clear()
        fellows._valued.cache_clear()
        fellows.ranked(state)

    once()
    worst = max(_timed(once) for _ in range(20)) * 1000
    return _row(f"sao: lines of {len(party)} before a throw, worst of 20, ms", worst, LINES_MS)


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
