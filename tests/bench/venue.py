"""`make bench`, the venue: how fast it keeps what a broker kept for it, beside PostgreSQL."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

from companion.games import GAMES
from tests.mqtt.broker import Broker
from tests.venue.crowd import evening
from tests.venue.postgres import Postgres
from tests.venue.test_scale import BIG, bare, drained

TABLES, GAMES_EACH = 40, 2


def rows() -> Iterator[tuple[str, str, str, str]]:
    """One instance; the same rows by bare INSERT … ON CONFLICT, one by one and sent ahead."""
    for first in range(len(GAMES)):
        evening(first, GAMES_EACH)  # not while it is measured
    with tempfile.TemporaryDirectory() as folder:
        broker, postgres = Broker(Path(folder) / "broker", memory=BIG).start(), Postgres().start()
        try:
            found = asyncio.run(drained(broker, postgres, TABLES, GAMES_EACH, kill=False))
            for name, rate in zip(("one by one", "sent ahead"), bare(postgres), strict=True):
                yield (
                    f"venue: entries kept, {found.entries}", f"{found.rate:.0f} /s",
                    f"bare INSERT, {name} {rate:.0f} /s", f"{found.rate / rate:.2f} (goal 0.5)",
                )  # fmt: skip
        finally:
            broker.kill()
            postgres.remove()


if __name__ == "__main__":
    for one in rows():
        print(*one, sep=" | ")
