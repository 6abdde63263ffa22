"""PostgreSQL as the memory of a venue: plain SQL, idempotent, several instances at once."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias

import psycopg

from companion.games.api import Game
from companion.venue.letters import END, Told, judged

log = logging.getLogger(__name__)
MIGRATIONS = Path(__file__).with_name("migrations")
LOCK = 0x7AB1E  # of PostgreSQL: one instance migrates, the others wait
Connection: TypeAlias = psycopg.AsyncConnection[tuple[Any, ...]]


async def opened(address: str) -> Connection:
    """A connection to a database that has every table."""
    db = await psycopg.AsyncConnection.connect(address)
    async with db.transaction():
        await db.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        await db.execute("CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY)")
        rows = await (await db.execute("SELECT number FROM migrations")).fetchall()
        for file in sorted(MIGRATIONS.glob("*.sql")):
            if (number := int(file.name[:3])) not in {row[0] for row in rows}:
                await db.execute(file.read_text("utf-8").encode())
                await db.execute("INSERT INTO migrations VALUES (%s)", (number,))
    await db.commit()
    return db


async def refuse(db: Connection, table: str, says: str, line: str) -> None:
    """Keep what was not taken, and why, for the organiser."""
    log.warning("table %s: %s", table, says)
    await db.execute(
        "INSERT INTO refused (table_id, says, line) VALUES (%s, %s, %s)",
        (table, says, line[:2000].replace("\0", "")),
    )


async def keep(db: Connection, batch: Iterable[Told], shelf: Mapping[str, Game[Any]]) -> None:
    """All of these in one transaction: proven, waiting for a gap to close, or refused."""
    in_order = sorted(batch, key=lambda one: (one.table, one.game, one.number % (1 << 32)))
    async with db.transaction():
        for (table, game), told in groupby(in_order, key=lambda one: (one.table, one.game)):
            await _keep_game(db, table, game, list(told), shelf)


async def _keep_game(
    db: Connection, table: str, game: int, told: list[Told], shelf: Mapping[str, Game[Any]]
) -> None:
    key = (table, game)
    await db.execute(
        "INSERT INTO games (table_id, game) VALUES (%s, %s) ON CONFLICT DO NOTHING", key
    )
    found = await db.execute(
        "SELECT proven, hash, finish, verdict FROM games WHERE table_id = %s AND game = %s "
        "FOR UPDATE", key,
    )  # fmt: skip
    row = await found.fetchone()
    assert row is not None
    proven, hash, finish, verdict = row
    waiting = await _waiting(db, key)
    for one in told:
        if one.number == END:
            if one.told != finish:
                finish, verdict = one.told, None
        elif one.number <= proven:
            await _compare(db, one)
        else:
            waiting[one.number] = one
    while proven + 1 in waiting:
        one = waiting.pop(proven + 1)
        await db.execute(
            "DELETE FROM waiting WHERE table_id = %s AND game = %s AND number = %s",
            (*key, one.number),
        )
        if not one.follows(hash):
            says = f"entry {one.number} of game {game} does not follow the one before it"
            await refuse(db, table, says, one.told)
            break
        await db.execute(
            "INSERT INTO entries VALUES (%s, %s, %s, %s, %s)",
            (*key, one.number, one.hash, one.told),
        )
        proven, hash = one.number, one.hash
    for one in waiting.values():
        await db.execute("INSERT INTO waiting VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
                         (*key, one.number, one.hash, one.told))  # fmt: skip
    says = ""
    if finish is not None and verdict is None:
        verdict, says = await _verdict(db, key, proven, finish, shelf)
    await db.execute(
        "UPDATE games SET proven = %s, hash = %s, finish = %s, says = CASE WHEN verdict IS NOT "
        "DISTINCT FROM %s THEN says ELSE %s END, verdict = %s WHERE table_id = %s AND game = %s",
        (proven, hash, finish, verdict, says, verdict, *key),
    )


async def _waiting(db: Connection, key: tuple[str, int]) -> dict[int, Told]:
    rows = await db.execute(
        "SELECT number, hash, told FROM waiting WHERE table_id = %s AND game = %s", key
    )
    return {number: Told(*key, number, hash, told) async for number, hash, told in rows}


async def _compare(db: Connection, one: Told) -> None:
    """Told before: a repeat, or another word than the first."""
    found = await db.execute(
        "SELECT hash FROM entries WHERE table_id = %s AND game = %s AND number = %s",
        (one.table, one.game, one.number),
    )
    row = await found.fetchone()
    if row is None or row[0] != one.hash or not json.loads(one.told):
        says = f"entry {one.number} of game {one.game} was told otherwise before"
        await refuse(db, one.table, says, one.told)


async def _verdict(
    db: Connection, key: tuple[str, int], proven: int, finish: str, shelf: Mapping[str, Game[Any]]
) -> tuple[str | None, str]:
    """Of an ended game whose entries are all there; None: it runs, or something is missing."""
    end = json.loads(finish)
    if end.get("ended") is None or end.get("entries") != proven:
        return None, ""
    rows = await db.execute(
        "SELECT told FROM entries WHERE table_id = %s AND game = %s ORDER BY number", key
    )
    told = [row[0] async for row in rows]
    finish = json.dumps({**end, "game": key[1]})
    return await asyncio.to_thread(judged, told, finish, shelf)
