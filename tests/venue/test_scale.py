"""A venue of a thousand tables: how late it is, how fast it can be, and that nothing is lost."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from companion.games import GAMES
from tests.mqtt.broker import Broker
from tests.venue.crowd import Crowd, Watcher, evening, lines, percentile, wall
from tests.venue.postgres import Postgres
from tests.venue.test_keeper import rows, venue

BIG = ("max_inflight_messages 5000", "autosave_interval 60")  # as docs/venue-scale.md has it
BARE = """CREATE TABLE bare (table_id text, game integer, number integer, hash text NOT NULL,
told text NOT NULL, PRIMARY KEY (table_id, game, number))"""
BATCH = 1000


@dataclass
class Found:
    """What a run of the venue showed."""

    entries: int
    store: list[float]  # seconds from told to kept
    wall: list[float]  # seconds from told to seen at the wall
    memory: tuple[int, int]  # kilobytes at the beginning and at the end
    rate: float = 0.0


def memory(process: subprocess.Popen[str]) -> int:
    """Resident kilobytes."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(next(row for row in status.splitlines() if row.startswith("VmRSS")).split()[1])


def whole(postgres: Postgres, crowd: Crowd) -> bool:
    """The store has exactly what was told: every entry, in its words, and no other."""
    told = {
        (name, game, number): line
        for at, name in enumerate(crowd.names())
        for game, number, line in lines(name, at % len(GAMES), crowd.games)
        if number >= 0 and number < len(crowd.told.get((name, game), ()))
    }
    with psycopg.connect(postgres.address) as db, db.cursor("all") as cursor:
        for table, game, number, hash, said in cursor.execute("SELECT * FROM entries"):
            line = told.pop((table, game, number))
            assert line.decode().endswith(f'"told":{said},"hash":"{hash}"}}'), (table, game, number)
    return not told and rows(postgres, "SELECT * FROM waiting") == []


async def at_a_pace(
    broker: Broker, postgres: Postgres, tables: int, seconds: float, pace: float
) -> Found:
    """One instance, its wall open in a browser."""
    crowd = Crowd(broker.port, tables)
    seen: list[float] = []
    pages = 'host = "127.0.0.1"\nport = 0'
    with (
        venue(broker, postgres, pages=pages) as child,
        psycopg.connect(postgres.address, autocommit=True) as db,
    ):
        assert child.stdout is not None
        address = child.stdout.readline().split("http://")[1].split("/")[0]
        watcher, before = Watcher(crowd), memory(child)
        looking = asyncio.create_task(wall(crowd, address, seen))
        playing = asyncio.create_task(crowd.play(seconds, pace))
        while not playing.done() or not watcher.look(db):
            watcher.look(db)
            await asyncio.sleep(0.1)
        await playing
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking
        assert whole(postgres, crowd)
        return Found(crowd.entries(), watcher.lags, seen, (before, memory(child)))


async def all_seen(watcher: Watcher, db: psycopg.Connection[Any]) -> None:
    """Until everything that was told is in the store."""
    while not watcher.look(db):  # noqa: ASYNC110
        await asyncio.sleep(0.05)


async def drained(
    broker: Broker, postgres: Postgres, tables: int, games: int, *, kill: bool
) -> Found:
    """What the broker has kept while the venue was away, as fast as it goes; then all is compared.

    `kill`: two instances share it, and one is killed in the middle and started again.
    """
    crowd = Crowd(broker.port, tables, games)
    with venue(broker, postgres, "one"):
        pass  # from here on the broker keeps everything for it
    if kill:
        with venue(broker, postgres, "two"):
            pass
    await crowd.play(None)
    with psycopg.connect(postgres.address, autocommit=True) as db, venue(broker, postgres) as one:
        watcher, count = Watcher(crowd), "SELECT coalesce(sum(proven + 1), 0) FROM games"
        first, began = db.execute(count).fetchone(), time.monotonic()
        before = memory(one)
        if kill:
            with venue(broker, postgres, "two"):
                os.kill(one.pid, signal.SIGKILL)
                one.wait()
                with venue(broker, postgres, "one"):
                    await all_seen(watcher, db)
        else:
            await all_seen(watcher, db)
        took = time.monotonic() - began
        assert first is not None
        found = Found(crowd.entries(), [], [], (before, 0 if kill else memory(one)))
        found.rate = (crowd.entries() - first[0]) / took
    assert whole(postgres, crowd)
    return found


def bare(postgres: Postgres, most: int = 30_000) -> tuple[float, float]:
    """The same rows by INSERT … ON CONFLICT in transactions as large: one statement after the
    other, and all of a transaction sent ahead; entries a second."""
    found = []
    with psycopg.connect(postgres.address) as db:
        told = db.execute("SELECT * FROM entries LIMIT %s", (most,)).fetchall()
        for ahead in (False, True):
            db.execute("DROP TABLE IF EXISTS bare")
            db.execute(BARE)
            db.commit()
            insert = "INSERT INTO bare VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"
            began = time.monotonic()
            for at in range(0, len(told), BATCH):
                with db.transaction(), db.cursor() as cursor:
                    if ahead:
                        cursor.executemany(insert, told[at : at + BATCH])
                    else:
                        for row in told[at : at + BATCH]:
                            cursor.execute(insert, row)
            found.append(len(told) / (time.monotonic() - began))
    return found[0], found[1]


@pytest.fixture
def big(tmp_path: Path) -> Any:
    for first in range(len(GAMES)):
        evening(first, 2)  # not while it is measured
    broker = Broker(tmp_path / "broker", memory=BIG).start()
    yield broker
    broker.kill()


@pytest.mark.slow
async def test_at_a_quick_pace_forty_tables_are_kept_and_seen_entry_for_entry(
    big: Broker, postgres: Postgres
) -> None:
    found = await at_a_pace(big, postgres, 40, 3.0, 0.2)
    assert found.entries > 300
    assert len(found.store) == found.entries
    assert found.wall


@pytest.mark.slow
async def test_two_instances_drain_what_was_kept_though_one_is_killed(
    big: Broker, postgres: Postgres
) -> None:
    found = await drained(big, postgres, 10, 2, kill=True)
    assert found.entries > 1000


@pytest.mark.soak
async def test_a_thousand_tables_at_a_human_pace_then_as_fast_as_it_goes(
    big: Broker, postgres: Postgres
) -> None:
    minutes, load = float(os.environ.get("MINUTES", "10")), os.getloadavg
    found = await at_a_pace(big, postgres, 1000, 60 * minutes, 6.0)
    print(f"\n1,000 tables, {minutes:g} min: {found.entries} entries, load {load()[0]:.1f}")
    for name, lags in (("store", found.store), ("wall", found.wall)):
        parts = [f"{percentile(lags, part):.2f}" for part in (0.5, 0.95, 0.99, 1)]
        print(f"lag at the {name}: {', '.join(parts)} s (50, 95, 99, 100 %), {len(lags)} seen")
    print(f"memory of the venue: {found.memory[0] / 1e3:.0f} then {found.memory[1] / 1e3:.0f} MB")
    empty(postgres)
    fast = await drained(big, postgres, 100, 2, kill=False)
    one, ahead = bare(postgres)
    print(f"as fast as it goes: {fast.rate:.0f} entries/s, load {load()[0]:.1f}")
    print(
        f"bare {one:.0f}/s ({fast.rate / one:.2f}), ahead {ahead:.0f}/s ({fast.rate / ahead:.2f})"
    )
    empty(postgres)
    killed = await drained(big, postgres, 100, 2, kill=True)
    print(f"two instances, one killed: {killed.rate:.0f} entries/s, {killed.entries} all there")
    assert percentile(found.store, 0.95) < 2
    assert percentile(found.wall, 0.95) < 2
    assert fast.rate / one > 0.5


def empty(postgres: Postgres) -> None:
    with psycopg.connect(postgres.address) as db:
        db.execute("TRUNCATE games, entries, waiting, due, refused")
