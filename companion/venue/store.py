"""PostgreSQL as the memory of a venue: plain SQL, idempotent, several instances at once."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import psycopg

from companion.venue.chains import Chain
from companion.venue.letters import Told

log = logging.getLogger(__name__)
MIGRATIONS = Path(__file__).with_name("migrations")
LOCK = 0x7AB1E  # of PostgreSQL: one instance migrates, the others wait
Connection: TypeAlias = psycopg.AsyncConnection[tuple[Any, ...]]
Key: TypeAlias = tuple[str, int]

ASKED = "unnest(%s::text[], %s::int[]) AS asked (table_id, game)"
FIVE = "unnest(%s::text[], %s::int[], %s::int[], %s::text[], %s::text[])"


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
    table = table[:40]
    log.warning("table %s: %s", table, says)
    await db.execute(
        "INSERT INTO refused (table_id, says, line) VALUES (%s, %s, %s)",
        (table, says, line[:2000].replace("\0", "")),
    )


async def keep(db: Connection, batch: Iterable[Told]) -> bool:
    """All of these in one transaction, in a few statements however many they are.

    True: some game has ended and is to be judged. Games are locked in one order, so that two
    instances that keep entries of the same games wait for each other and never in a circle.
    """
    told: defaultdict[Key, list[Told]] = defaultdict(list)
    for one in batch:
        told[one.table, one.game].append(one)
    async with db.transaction():
        chains = await _locked(db, sorted(told))
        waiting = await _waiting(db, sorted(told))
        for chain in chains:
            key = chain.table, chain.game
            chain.take(told[key], waiting.get(key, ()))
        await _write(db, "entries", [one for chain in chains for one in chain.entries])
        await _write(db, "waiting", [one for chain in chains for one in chain.early])
        await _no_longer_waiting(db, [one for one in chains if (one.table, one.game) in waiting])
        await _compare(db, [one for chain in chains for one in chain.repeats])
        for chain in chains:
            for one in chain.wrong:
                says = f"entry {one.number} of game {one.game} does not follow the one before it"
                await refuse(db, one.table, says, one.told)
        return await _advance(db, [chain for chain in chains if chain.changed])


async def _locked(db: Connection, keys: Sequence[Key]) -> list[Chain]:
    """These games as they stand, for us alone until the transaction ends."""
    await db.execute(
        f"INSERT INTO games (table_id, game) SELECT * FROM {ASKED} ON CONFLICT DO NOTHING",
        _columns(keys, 2),
    )
    rows = await db.execute(
        f"SELECT table_id, game, proven, hash, finish FROM games JOIN {ASKED} "
        "USING (table_id, game) ORDER BY table_id, game FOR UPDATE OF games", _columns(keys, 2),
    )  # fmt: skip
    return [Chain(*row) async for row in rows]


async def _waiting(db: Connection, keys: Sequence[Key]) -> dict[Key, list[Told]]:
    rows = await db.execute(
        f"SELECT waiting.* FROM waiting JOIN {ASKED} USING (table_id, game)", _columns(keys, 2)
    )
    found: defaultdict[Key, list[Told]] = defaultdict(list)
    async for row in rows:
        found[row[0], row[1]].append(Told(*row))
    return found


async def _write(db: Connection, where: str, told: Sequence[Told]) -> None:
    """The games are locked and these are new, so nothing can stand in their place."""
    if told:
        async with db.cursor() as cursor, cursor.copy(f"COPY {where} FROM STDIN".encode()) as copy:
            for one in told:
                await copy.write_row((one.table, one.game, one.number, one.hash, one.told))


async def _no_longer_waiting(db: Connection, chains: Sequence[Chain]) -> None:
    """What was proven, and what was refused in its place."""
    reached = [
        (chain.table, chain.game, max([chain.proven, *(one.number for one in chain.wrong)]))
        for chain in chains
    ]
    if reached:
        await db.execute(
            "DELETE FROM waiting USING unnest(%s::text[], %s::int[], %s::int[]) AS asked (t, g, n) "
            "WHERE table_id = t AND game = g AND number <= n", _columns(reached, 3),
        )  # fmt: skip


async def _compare(db: Connection, repeats: Sequence[Told]) -> None:
    """Told before: a repeat, or another word than the first."""
    if not repeats:
        return
    asked = [(one.table, one.game, one.number) for one in repeats]
    rows = await db.execute(
        "SELECT entries.* FROM entries JOIN unnest(%s::text[], %s::int[], %s::int[]) "
        "AS asked (table_id, game, number) USING (table_id, game, number)", _columns(asked, 3),
    )  # fmt: skip
    before = {Told(*row) async for row in rows}
    for one in repeats:
        if one not in before:
            says = f"entry {one.number} of game {one.game} was told otherwise before"
            await refuse(db, one.table, says, one.told)


async def _advance(db: Connection, chains: Sequence[Chain]) -> bool:
    rows = [(one.table, one.game, one.proven, one.hash, one.finish) for one in chains]
    if rows:
        await db.execute(
            "UPDATE games SET proven = p, hash = h, finish = f, verdict = NULL, says = '' "
            f"FROM {FIVE} AS told (t, g, p, h, f) WHERE table_id = t AND game = g",
            _columns(rows, 5),
        )
    whole = [(one.table, one.game) for one in chains if one.whole]
    if whole:
        await db.execute(
            f"INSERT INTO due (table_id, game) SELECT * FROM {ASKED} ON CONFLICT DO NOTHING",
            _columns(whole, 2),
        )
    return bool(whole)


def _columns(rows: Sequence[Sequence[Any]], count: int) -> list[list[Any]]:
    """Rows as the columns that unnest wants."""
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(count)]
