"""The server on the daemon's own loop: a device like others, lost when its port is taken."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import uvicorn

from companion.errors import DeviceLost
from companion.events import DeviceUp, Emit, PhonesChanged
from companion.ports import News
from companion.web.api import application
from companion.web.box import LIMITS as BOX_LIMITS
from companion.web.desk import Desk
from companion.web.door import Door, Porter, protocols
from companion.web.feeds import Feeds
from companion.web.guard import IMPORT, Guard
from companion.web.history import IMPORT_PATH
from companion.web.origin import Proxies
from companion.web.sessions import Claims
from companion.web.turns import Turns

NEIGHBOURS = 10  # ports that are tried
LIMITS: dict[str, Any] = {
    "ws_max_size": 4096,
    "ws_per_message_deflate": False,  # costs a Pi more than it saves a house network
    "h11_max_incomplete_event_size": 32 * 1024,
    "timeout_graceful_shutdown": 1,
    "lifespan": "off",
    "log_config": None,
    "log_level": "warning",
    "access_log": False,
    "server_header": False,
    "proxy_headers": False,
}


class Web:
    """A Source that serves pages: events come in by phones, views go out by feeds."""

    name = "web"

    def __init__(self, desk: Desk, opened: Callable[[str], None] = lambda _: None) -> None:
        self.desk = desk
        self._opened = opened  # called with the address, once the server answers there
        here = desk.settings
        kept = desk.journal.with_name("claims.json")
        self.claims = Claims(
            desk.table.seating.panels, kept, address=address(here.host, here.port), wifi=desk.wifi
        )
        proxies, turns = Proxies(here.trusted_proxies), Turns()
        self.door = Door(proxies.trusts)
        self.door.gone = turns.gone
        self._turns = turns
        self.feeds = Feeds(desk.document, turns)
        self.claims.lost = self.feeds.wake
        self.claims.changed = lambda: desk.emit(PhonesChanged())
        self.port = here.port
        self.open = asyncio.Event()  # set while the server answers
        self._closing = threading.Event()  # ends the work beside the loop
        app = application(desk, self.claims, self.feeds, self._closing)
        limits = {IMPORT_PATH: IMPORT, **BOX_LIMITS}
        self.app = Guard(app, self.claims.panel, self.door, proxies, turns, here.names, limits)
        desk.table.seat_phones(self.claims)
        if desk.eye is not None:
            desk.eye.changed = self.feeds.refresh

    async def run(self, emit: Emit) -> None:
        """Serve until cancelled."""
        listening = bind(self.desk.settings.host, self.desk.settings.port)
        self._closing.clear()
        self.port = listening.getsockname()[1]
        self.claims.address = address(self.desk.settings.host, self.port)
        async with served(self.app, self.door, listening) as serving:
            self.open.set()
            self._opened(self.claims.address)
            emit(DeviceUp(self.name))
            try:
                await asyncio.shield(serving)
            finally:
                self.open.clear()
                self._closing.set()
                self._turns.empty()

    def changed(self, news: News) -> None:
        """The table took events, or a glass shows something new."""
        self._turns.busy()
        if news.glass is not None:
            self.desk.shown(*news.glass)
            self.feeds.show(self.desk.glasses_for)
            return
        for event in news.events:
            self.desk.heard(event)
        self.feeds.refresh()


def bind(host: str, port: int) -> socket.socket:
    """The port of the settings; a neighbour if another program, or another table, has it."""
    neighbours = range(port, min(port + NEIGHBOURS, 65536)) if port >= 1024 else (port,)
    why: OSError | None = None
    for one in neighbours:
        listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, one))
            listening.listen()  # two may bind the same port, but only one hears there
            return listening
        except OSError as error:
            listening.close()
            why = error
    raise DeviceLost(
        f"port {port} of {host} cannot be used ({why.strerror if why else ''}): "
        "take another, by --port or in the settings"
    )


@contextlib.asynccontextmanager
async def served(
    app: Guard, door: Door, listening: socket.socket
) -> AsyncIterator[asyncio.Future[None]]:
    """An application behind its door, while the block runs; the future ends when it fails."""
    server = _Server(app, door)
    porter = Porter(listening, server.protocol, door)
    serving = asyncio.ensure_future(server.serve([]))
    porter.open()
    try:
        yield serving
    finally:
        porter.close()
        server.end()
        await serving
        listening.close()


class _Server(uvicorn.Server):
    """Leaves signals to the daemon, and connections to the door."""

    def __init__(self, app: Guard, door: Door) -> None:
        http, ws = protocols(door)
        super().__init__(uvicorn.Config(app, http=http, ws=ws, **LIMITS))
        self.config.load()
        self._door, self._ended = door, asyncio.Event()

    def end(self) -> None:
        """Close every connection, and end `serve`."""
        self.should_exit = True
        self._ended.set()

    def protocol(self) -> asyncio.Protocol:
        """For a connection that was let in."""
        return self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state={}
        )

    async def main_loop(self) -> None:
        """Once a second, for the date of answers and for the door; uvicorn wakes up ten times."""
        while not await self.on_tick(0):
            self._door.sweep()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), 1.0)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def address(host: str, port: int) -> str:
    """Where phones find this machine: its own address on the network, if it has one."""
    if host in ("0.0.0.0", "::"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("10.255.255.255", 1))  # sends nothing: only asks for the way
                host = probe.getsockname()[0]
            except OSError:
                host = socket.gethostname()
    shown = f"[{host}]" if ":" in host else host
    return shown if port == 80 else f"{shown}:{port}"
