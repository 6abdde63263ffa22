"""How long the companion's players take for a move, how much memory, and room; `make bench`."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from time import process_time

from companion.bots import kiriai
from companion.bots.api import Bot, decide
from companion.bots.shelf import GAMES, players
from tests.bots.playing import cardless, evening, knows

Row = tuple[str, str, str, str]
LONGEST = 3.0  # seconds for a move
ROOM = 10.0  # MB for all tables


def rows() -> Iterator[Row]:
    """Name, median and longest move, memory, the longest over the limit; the tables on disk."""
    for key in GAMES:
        for bot in players(key):
            yield moves(bot)
    size = sum(path.stat().st_size for path in Path(kiriai.__file__).parent.glob("*.table")) / 1e6
    yield "kiriai: tables", f"{size:.2f} MB", f"limit {ROOM:.0f} MB", f"{size / ROOM:.3f}"


def moves(bot: Bot, most: int = 60) -> Row:
    """The first moves of a game of two that the bot plays alone, each with all its rounds."""
    game, times, memory = GAMES[bot.game], list[float](), 0
    start = game.new(2, cardless(game))
    for states, acts, seat, _ in islice(evening(game, start, (bot, bot), "bench"), most):
        seen = knows(game, states, acts, seat)
        began = process_time()
        decide(bot, seen, "bench", bot.rounds)
        times.append(process_time() - began)
        if len(times) % 20 == 3:  # tracing is slow: now and then, and not while time is taken
            tracemalloc.start()
            decide(bot, seen, "bench", bot.rounds)
            memory = max(memory, tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    longest = max(times)
    return (
        f"{bot.game}, {bot.level}: a move of {bot.rounds} rounds",
        f"{median(times) * 1e3:.1f} ms, longest {longest * 1e3:.0f} ms",
        f"limit {LONGEST:.0f} s; memory {memory / 1e6:.1f} MB",
        f"{longest / LONGEST:.3f}",
    )


if __name__ == "__main__":
    for row in rows():
        print(*row, sep="  ", flush=True)
