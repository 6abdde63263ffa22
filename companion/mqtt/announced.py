"""A table that looks for a venue: mDNS says where it is, its glass shows a code to whoever asks.

It stands where the bus would, and becomes the bus when a venue has adopted it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from companion.errors import BadConfig, BadState, CompanionError, DeviceLost
from companion.events import Emit, Message
from companion.memory.codec import json_line
from companion.mqtt.adoption import KIND, fresh_code, keep, kept, opened
from companion.mqtt.bus import NAME, Bus, Refused
from companion.ports import News
from companion.settings.settings import MqttSettings
from companion.words import Translate

log = logging.getLogger(__name__)

LIFE = 300.0  # seconds for which a code counts
TRIES = 10  # wrong letters until it counts no more
LONGEST = 32_768  # bytes of a message: a certificate has two thousand
PATIENCE = 10.0  # seconds for one
AGAIN = 60.0  # seconds between two tries of a broker that does not let us in
PACE = 5.0  # seconds between two codes on the glass


class Announced:
    """A source and an onlooker; `make` is called with the settings that a venue gave."""

    name, proves_itself, longest_pause = NAME, True, 30.0

    def __init__(
        self, table: str, host: str, folder: Path, make: Callable[[MqttSettings, bool], Bus],
        translate: Translate = str, clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self.table, self._host, self._folder = table, host, folder
        self._make, self._translate, self._clock = make, translate, clock
        self._bus: Bus | None = None
        self._code, self._since, self._tries, self._shown = "", 0.0, 0, 0.0
        self._let_go = False
        self._turn = asyncio.Lock()
        self._adopted = asyncio.Event()

    def changed(self, news: News) -> None:
        """The bus wants to know, if there is one."""
        if self._bus is not None:
            self._bus.changed(news)

    async def run(self, emit: Emit) -> None:
        """Wait for a venue, then be its table; let go by it, wait again between two tries."""
        given = None if self._bus else self._given()
        if given is None and (self._bus is None or self._let_go):
            with suppress(TimeoutError):
                async with asyncio.timeout(AGAIN if self._bus else None):
                    await self._wait(emit)
                    given = self._given()
        if given is not None:
            self._bus = self._make(given, self._adopted.is_set())
        self._let_go = False
        try:
            if self._bus is not None:
                await self._bus.run(emit)
        except Refused:
            self._let_go = True
            raise

    def _given(self) -> MqttSettings | None:
        try:
            return kept(self._folder)
        except BadConfig as error:
            log.warning("no venue is known: %s", error)
            return None

    async def _wait(self, emit: Emit) -> None:
        """Until a venue has adopted this table."""
        if find_spec("zeroconf") is None:
            raise DeviceLost("zeroconf is not installed: pip install 'table-companion[mqtt]'")
        self._adopted.clear()

        async def visited(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(OSError, TimeoutError, ValueError):
                async with asyncio.timeout(PATIENCE):
                    said = json.loads(await reader.readline())
                    answer = await self._answer(said, emit)
                    writer.write(json_line(answer).encode() + b"\n")
                    await writer.drain()
            writer.close()

        try:
            server = await asyncio.start_server(visited, self._host, limit=LONGEST)
        except OSError as error:
            raise DeviceLost(f"no venue can find this table: {error.strerror}") from error
        async with server, self._told(server.sockets[0].getsockname()[1]):
            await self._adopted.wait()

    async def _answer(self, said: Any, emit: Emit) -> dict[str, Any]:
        """To a venue that asks for a code, or sends its letter; one at a time."""
        async with self._turn:
            try:
                if "letter" in said:
                    await self._take(said, emit)
                    return {"adopted": True}
                self._show(emit)
            except (CompanionError, TypeError) as error:
                return {"wrong": str(error)}
            return {"shown": True}

    def _show(self, emit: Emit) -> None:
        now = self._clock()
        if self._code and now - self._shown < PACE:
            return
        if not self._counts(now):
            self._code, self._since, self._tries = fresh_code(), now, 0
        self._shown = now
        translate = self._translate
        emit(Message(translate("Code for the venue: {code}").format(code=self._code)))

    def _counts(self, now: float) -> bool:
        return bool(self._code) and now - self._since < LIFE and self._tries < TRIES

    async def _take(self, said: Any, emit: Emit) -> None:
        if not self._counts(self._clock()):
            raise BadState("no code stands on the glass: have it shown again")
        self._tries += 1
        letter, password = await asyncio.to_thread(opened, self._code, said)
        await asyncio.to_thread(keep, self._folder, letter, password)
        self._code = ""
        called, translate = letter.get("table"), self._translate
        log.info("a venue has adopted this table: it is %s there", called)
        emit(Message(translate("The venue knows this table as {name}").format(name=called)))
        self._adopted.set()

    @asynccontextmanager
    async def _told(self, port: int) -> AsyncIterator[None]:
        """mDNS says where we are, on the networks that may see our pages, for this block."""
        import ifaddr
        from zeroconf import InterfaceChoice, IPVersion, NonUniqueNameException
        from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

        everywhere = self._host in ("0.0.0.0", "::")
        loop = asyncio.get_running_loop()
        own = str((await loop.getaddrinfo(self._host, None, family=socket.AF_INET))[0][4][0])
        ours = (one for adapter in ifaddr.get_adapters() for one in adapter.ips if one.is_IPv4)
        addresses = [str(one.ip) for one in ours] if everywhere else [own]
        info = AsyncServiceInfo(
            KIND, f"{self.table}.{KIND}", port=port, properties={"table": self.table},
            parsed_addresses=[one for one in addresses if one != "127.0.0.1" or not everywhere],
            server=f"{socket.gethostname().split('.')[0]}-{port}.local.",
        )  # fmt: skip
        try:
            mdns = AsyncZeroconf(
                interfaces=InterfaceChoice.All if everywhere else [own],
                ip_version=IPVersion.V4Only,
            )
        except OSError as error:
            raise DeviceLost(f"no venue can find this table: {error.strerror}") from error
        try:
            await (await mdns.async_register_service(info, allow_name_change=True))
            yield
        except NonUniqueNameException as error:
            raise DeviceLost("no venue can find this table: its name is taken") from error
        finally:
            await mdns.async_unregister_all_services()
            await mdns.async_close()
