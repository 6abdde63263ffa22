"""The database as the pages ask it: one connection, one question at a time, opened when needed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg

from companion.errors import CompanionError
from companion.venue.store import Connection, opened


class Away(CompanionError):
    """The database or the broker does not answer. Ask again in a while."""


class Database:
    """PostgreSQL by its address."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._turn = asyncio.Lock()
        self._open: Connection | None = None

    @asynccontextmanager
    async def asked(self) -> AsyncIterator[Connection]:
        """A transaction: all of it is kept, or nothing."""
        async with self._turn:
            try:
                if self._open is None or self._open.closed:
                    self._open = await opened(self._address)
                async with self._open.transaction():
                    yield self._open
                await self._open.commit()
            except (psycopg.OperationalError, OSError) as error:
                await self.close()
                raise Away("the database does not answer: try again in a while") from error

    async def close(self) -> None:
        """Nothing is asked any more."""
        if self._open is not None:
            await self._open.close()
            self._open = None
