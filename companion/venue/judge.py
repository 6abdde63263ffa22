"""Plays ended games again, one at a time in a process of its own: to keep never waits for it.

The queue is the table `due`. A judge locks the row of its game while it works: other instances take
other games, and a judge that dies lets go of its own.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import psycopg

from companion.memory.codec import json_line
from companion.venue.store import Connection, opened

log = logging.getLogger(__name__)
LONGEST = 60.0  # seconds for one game; the longest that was played takes less than one
MOST = 20_000  # entries; the longest game has some 400
LOOK = 5.0  # seconds between two looks, when nobody says that there is work
PROGRAM = (sys.executable, "-m", "companion.cli.judge")

NEXT = """SELECT id, table_id, game, proven, finish FROM due JOIN games USING (table_id, game)
ORDER BY id LIMIT 1 FOR UPDATE OF due SKIP LOCKED"""
TOLD = "SELECT told FROM entries WHERE table_id = %s AND game = %s ORDER BY number"
VERDICT = """UPDATE games SET verdict = %s, says = %s
WHERE table_id = %s AND game = %s AND proven = %s AND finish = %s"""


@dataclass(frozen=True, slots=True)
class Judged:
    """A game with its verdict, as it was told."""

    table: str
    game: int
    rows: tuple[str, ...]
    finish: str
    verdict: str


async def nothing(_db: Connection, _judged: Judged) -> None:
    """Who only wants the verdict does no more with it."""


class Judge:
    """One of an instance; its child is started anew when it dies or takes too long."""

    def __init__(
        self, database: str, judged: Callable[[Connection, Judged], Awaitable[None]] = nothing,
        program: Sequence[str] = PROGRAM,
    ) -> None:  # fmt: skip
        self._database, self._judged, self._program = database, judged, program
        self._child: asyncio.subprocess.Process | None = None
        self.work = asyncio.Event()

    async def run(self) -> None:
        """For ever."""
        try:
            while True:
                with suppress(psycopg.OperationalError, OSError):  # the keeper says so
                    db = await opened(self._database)
                    try:
                        await self._visit(db)
                    finally:
                        await db.close()
                await asyncio.sleep(LOOK)
        finally:
            self._end()

    async def _visit(self, db: Connection) -> None:
        while True:
            self.work.clear()
            while await self._next(db):
                pass
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK):
                    await self.work.wait()

    async def _next(self, db: Connection) -> bool:
        """Judge the game that has waited longest; False: there is none."""
        async with db.transaction():
            row = await (await db.execute(NEXT)).fetchone()
            if row is None:
                return False
            due, table, game, proven, finish = row
            rows = []
            if proven < MOST:
                rows = [one[0] async for one in await db.execute(TOLD, (table, game))]
            verdict, says = await self._ask(rows, game, finish)
            judged = await db.execute(VERDICT, (verdict, says, table, game, proven, finish))
            if judged.rowcount:  # else more was told meanwhile, and it is due again
                await self._judged(db, Judged(table, game, tuple(rows), finish, verdict))
                await db.execute("DELETE FROM due WHERE id = %s", (due,))
        await db.commit()
        if verdict != "holds":
            log.warning("table %s: game %d %s: %s", table, game, verdict, says)
        return True

    async def _ask(self, rows: list[str], game: int, finish: str) -> tuple[str, str]:
        if not rows:
            return "unverifiable", f"it has more than {MOST} entries"
        try:
            async with asyncio.timeout(LONGEST):
                child = await self._started()
                assert child.stdin is not None
                assert child.stdout is not None
                child.stdin.write((json_line([rows, game, finish]) + "\n").encode())
                await child.stdin.drain()
                verdict, says = json.loads(await child.stdout.readline())
        except TimeoutError:
            self._end()
            return "unverifiable", f"to play it again takes more than {LONGEST:.0f} s"
        except (ValueError, OSError):
            self._end()
            return "unverifiable", "whoever played it again broke down over it"
        return verdict, says

    async def _started(self) -> asyncio.subprocess.Process:
        if self._child is None:
            pipe = asyncio.subprocess.PIPE
            self._child = await asyncio.create_subprocess_exec(
                *self._program, stdin=pipe, stdout=pipe
            )
        return self._child

    def _end(self) -> None:
        if self._child is not None:
            with suppress(ProcessLookupError):
                self._child.kill()
            self._child = None
