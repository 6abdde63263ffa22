"""A journal of 10,000 games: its list, players and dice, beside a bare scan of the same rows."""

from __future__ import annotations

import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from companion.bots.shelf import GAMES, analyst
from companion.games.api import Die, Rolled
from companion.memory.codec import action_to_json
from companion.memory.journal import Journal
from companion.web.history import Shelves
from tests.bots.test_kiriai import at_random
from tests.bots.test_review import duel

Row = tuple[str, str, str, str]
MANY, EACH = 10_000, 3
NAMES = ("Aki", "Bo", "Cy", "Di")


def rows() -> Iterator[Row]:
    """The answers of the history page, and a duel that is weighed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        _fill(path)
        desk: Any = SimpleNamespace(
            journal=path, shelf=GAMES, reader="", say=lambda text, names: text.show(names),
            table=SimpleNamespace(play=SimpleNamespace(number=0)),
        )  # fmt: skip
        shelves = Shelves(desk, threading.Event())
        with sqlite3.connect(path) as db:
            for name, ask, table in (
                ("list", lambda: shelves.games(""), "games"),
                ("players", shelves.players, "games"),
                ("dice", shelves.dice, "entries"),
            ):
                ours = _took(ask)
                bare = _took(lambda t=table: db.execute(f"SELECT * FROM {t}").fetchall())
                said = f"{1000 * bare[1]:.0f} ms of the processor: a bare scan of its rows"
                took = f"{ours[0]:.2f} s, {1000 * ours[1]:.0f} ms of the processor"
                yield f"10,000 games: {name}", took, said, f"{ours[1] / bare[1]:.1f}"
    played = duel(1, (at_random(1), at_random(2)))
    weigh = _took(lambda: [*analyst(GAMES["kiriai"], played)])
    yield "a duel weighed", f"{1000 * weigh[0]:.0f} ms", "1 s (the goal)", f"{weigh[0]:.3f}"


def _took(work: Callable[[], object], times: int = 5) -> tuple[float, float]:
    """The least of some runs: seconds on the clock, and of the processor, which rests leave out."""
    found = []
    for _ in range(times):
        start, busy = time.perf_counter(), time.process_time()
        work()
        found.append((time.perf_counter() - start, time.process_time() - busy))
    return min(one for one, _ in found), min(one for _, one in found)


def _fill(path: Path) -> None:
    now = [1.7e9]
    journal = Journal(path, lambda: now[0])
    with journal.together():
        for number in range(MANY):
            now[0] += 900 if number % 6 else 80_000
            two = (NAMES[number % 4], NAMES[(number + 1 + number % 3) % 4])
            seats = [{"panel": n, "name": name} for n, name in enumerate(two)]
            game = journal.begin("sao", GAMES["sao"].version, seats, {"mode": "hard"}, "00")
            for seq in range(1, EACH + 1):
                rolled = action_to_json(Rolled((Die("black", 1 + (number + seq) % 6),)))
                journal.append(game, seq, None, "do", {**rolled, "roll": {"how": "eye"}})
            now[0] += 1500
            journal.end(game, None)
    journal.close()


if __name__ == "__main__":
    for row in rows():
        print(*row, sep=" | ")
