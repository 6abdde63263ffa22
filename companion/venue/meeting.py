"""Tables that wait for a venue: found by mDNS, adopted by the code on their glass, let go again."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import socket
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field

from companion.errors import BadState, DeviceLost
from companion.memory.codec import json_line
from companion.mqtt.adoption import KIND, written
from companion.mqtt.bus import port
from companion.settings.settings import MqttSettings
from companion.venue.access import Access, password_row
from companion.venue.letters import TABLE
from companion.web.asks import Body, said

log = logging.getLogger(__name__)

PATIENCE = 10.0  # seconds for a table's answer
FETCH = 3000  # milliseconds for what mDNS knows of a table
MOST = 2000  # tables that wait; a stranger may make up any number
ANSWER = 4096  # bytes
HERE = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Found:
    """A table that waits, as mDNS tells of it."""

    name: str
    address: str
    port: int


@dataclass
class Meeting:
    """The tables that wait, and those that were adopted."""

    mqtt: MqttSettings
    access: Access
    host: str
    found: dict[str, Found] = field(default_factory=dict)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def run(self) -> None:
        """Look out for tables, for ever."""
        from zeroconf import InterfaceChoice, IPVersion, ServiceStateChange
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

        everywhere = self.host in ("0.0.0.0", "::")
        loop, tasks = asyncio.get_running_loop(), set[asyncio.Task[None]]()
        own = str((await loop.getaddrinfo(self.host, None, family=socket.AF_INET))[0][4][0])
        mdns = AsyncZeroconf(
            interfaces=InterfaceChoice.All if everywhere else [own], ip_version=IPVersion.V4Only
        )

        async def ask(name: str) -> None:
            info = AsyncServiceInfo(KIND, name)
            if await info.async_request(mdns.zeroconf, FETCH) and info.parsed_addresses():
                self._note(name, info.parsed_addresses()[0], info.port or 0)

        def heard(name: str, state_change: ServiceStateChange, **_: Any) -> None:
            if state_change is ServiceStateChange.Removed:
                self.found.pop(name, None)
            elif len(tasks) < MOST:
                tasks.add(task := loop.create_task(ask(name)))
                task.add_done_callback(tasks.discard)

        browser = AsyncServiceBrowser(mdns.zeroconf, KIND, handlers=[heard])
        try:
            await self.access.run()
        finally:
            await browser.async_cancel()
            await mdns.async_close()

    def _note(self, name: str, address: str, where: int) -> None:
        if len(self.found) < MOST:
            called = re.sub(r"[^A-Za-z0-9_-]+", "-", name.removesuffix(f".{KIND}"))[:40]
            self.found[name] = Found(called or "table", address, where)

    async def adopted(self) -> dict[str, float]:
        """The tables of this venue, and since when."""
        async with self.access.database.asked() as db:
            rows = await db.execute(
                "SELECT table_id, extract(epoch FROM since)::float FROM admitted ORDER BY table_id"
            )
            return {row[0]: row[1] for row in await rows.fetchall()}

    async def ask(self, name: str) -> None:
        """Have the table show a code on its glass."""
        await self._speak(name, {"show": True})

    async def adopt(self, name: str, code: str, table: str) -> None:
        """Give the table a user of its own, and tell it where the broker is."""
        async with self.turn:
            if not TABLE.fullmatch(table) or table == self.mqtt.user:
                raise BadState("a table's name has letters, digits, - and _, 40 at most")
            if table in await self.adopted():
                raise BadState(f"there is a table {table} already: choose another name")
            if self.mqtt.broker in HERE and self._waits(name).address not in HERE:
                raise BadState("no other machine finds this broker: name it in [mqtt] broker")
            message, password = await asyncio.to_thread(written, code, self._letter(table))
            row = password_row(password, secrets.token_bytes(12))
            async with self.access.database.asked() as db:
                await db.execute("INSERT INTO admitted VALUES (%s, %s)", (table, row))
            try:
                await self.access.renew()
                await self._speak(name, message)
            except BaseException:
                await self._forget(table)
                raise
            self.found.pop(name, None)
            log.warning("%s was adopted as table %s", name, table)

    async def revoke(self, table: str) -> None:
        """From now on the broker does not let it in."""
        await self._forget(table)
        log.warning("table %s was let go", table)

    async def _forget(self, table: str) -> None:
        async with self.access.database.asked() as db:
            await db.execute("DELETE FROM admitted WHERE table_id = %s", (table,))
        await self.access.renew()

    def _letter(self, table: str) -> dict[str, Any]:
        mqtt, ca = self.mqtt, self.mqtt.ca
        return {
            "broker": mqtt.broker, "port": port(mqtt), "tls": mqtt.tls, "prefix": mqtt.prefix,
            "discovery": mqtt.discovery, "table": table, "user": table,
            "ca": Path(ca).expanduser().read_text("utf-8") if ca else "",
        }  # fmt: skip

    def _waits(self, name: str) -> Found:
        if name not in self.found:
            raise BadState("this table waits no more")
        return self.found[name]

    async def _speak(self, name: str, message: dict[str, Any]) -> None:
        """Say one thing to a table that waits, and hear its answer."""
        table = self._waits(name)
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await asyncio.open_connection(
                    table.address, table.port, limit=ANSWER
                )
                try:
                    writer.write(json_line(message).encode() + b"\n")
                    answer = json.loads(await reader.readline())
                finally:
                    writer.close()
        except (OSError, TimeoutError, ValueError) as error:
            raise DeviceLost(f"table {table.name} does not answer") from error
        if not isinstance(answer, dict) or "wrong" in answer:
            wrong = str(answer.get("wrong"))[:200] if isinstance(answer, dict) else "nonsense"
            raise BadState(f"table {table.name}: {wrong}")


class Waiting(Body):
    """A table that waits, by the name under which mDNS has it."""

    name: Annotated[str, Field(min_length=1, max_length=200)]


class Adoption(Waiting):
    """The code on its glass, and how it is to be called here."""

    code: Annotated[str, Field(min_length=1, max_length=20)]
    table: Annotated[str, Field(min_length=1, max_length=40)]


class Table(Body):
    """A table of this venue."""

    table: Annotated[str, Field(min_length=1, max_length=40)]


def routes(meeting: Meeting, only: Any) -> APIRouter:
    """For organisers alone."""
    router = APIRouter(tags=["tables"], dependencies=[only])

    @router.get("/api/tables", responses=said(403, 503))
    async def tables() -> dict[str, Any]:
        """The tables that wait, and those of this venue."""
        waiting = [
            {"name": name, "table": one.name, "address": one.address}
            for name, one in sorted(meeting.found.items())
        ]
        since = [{"table": name, "since": at} for name, at in (await meeting.adopted()).items()]
        return {"waiting": waiting, "tables": since}

    @router.post("/api/tables/code", responses=said(400, 403))
    async def code(body: Waiting) -> dict[str, bool]:
        """Have a table show its code."""
        await meeting.ask(body.name)
        return {"shown": True}

    @router.post("/api/tables/adopt", responses=said(400, 403, 503))
    async def adopt(body: Adoption) -> dict[str, bool]:
        """Make it a table of this venue."""
        await meeting.adopt(body.name, body.code, body.table)
        return {"adopted": True}

    @router.post("/api/tables/revoke", responses=said(403, 503))
    async def revoke(body: Table) -> dict[str, bool]:
        """Let it go."""
        await meeting.revoke(body.table)
        return {"revoked": True}

    return router
