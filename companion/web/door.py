"""The door of the server: lets connections in at a pace, and closes those that say nothing."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from companion.web.origin import Kind
from companion.web.shares import Shares, household

log = logging.getLogger(__name__)

SILENCE = 10.0  # seconds in which a request must have come, or some of an answer been taken
PATIENCE = 75  # seconds that the connection of a seat is kept for its next request
AT_ONCE, PAUSE = 1, 0.005  # connections that are let in, and the seconds before the next
WAITING = 256  # connections that the kernel keeps for us meanwhile
NO_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
NO_FILES_PAUSE = 0.5
SHED = 32  # silent connections that go when the machine has no files left
PIECE = 4096  # bytes that are read at once: a crowd of tiny frames does not stop the loop
DRIPS, DRIP_PAUSE = 8, 0.1  # short pieces of one request; then more must gather before the next
TALK, ANSWERS = 1024, 16.0  # bytes that a socket may say, and more each second: it answers pings

Client: TypeAlias = tuple[str, int]  # address and port of the other end
PLACES: dict[Kind, tuple[int, int]] = {  # for one owner, for all of the kind
    "seat": (32, 320),
    "local": (64, 64),
    "stranger": (24, 256),
}
SILENT = (64, 128)


@dataclass(eq=False)
class Guest:
    """One connection. `since`: when it began to owe us a request, or to read its answer."""

    protocol: H11Protocol
    since: float
    unread: int = 0  # bytes of our answers that it has not taken
    talk: float = 0.0  # bytes that it has said beyond what a page says
    talked: float = 0.0  # when it said the last


class Door:
    """Every connection, and which of them have a place.

    A connection is silent until its request has come. Of these the oldest give way, so a seat that
    comes back always has the time to say who it is. Then it is a seat, the local browser or a
    stranger, and each kind has places of its own.
    """

    def __init__(
        self,
        proxy: Callable[[str], bool] = lambda _: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._proxy, self._clock = proxy, clock
        self.gone: Callable[[Client], None] = lambda _: None  # called when a connection has ended
        self._guests: dict[Client, Guest] = {}
        self._silent: Shares[Client] = Shares(*SILENT)
        self._places = {kind: Shares[Client](*limits) for kind, limits in PLACES.items()}

    def __len__(self) -> int:
        return len(self._guests)

    def came(self, protocol: H11Protocol) -> None:
        """A connection was made."""
        if (client := protocol.client) is not None:
            self._guests[client] = Guest(protocol, self._clock())
            self._hush(client)

    def left(self, client: Client | None, transport: asyncio.Transport) -> None:
        """A connection is gone; another one may have its port already."""
        guest = self._guests.get(client) if client is not None else None
        if client is not None and guest is not None and guest.protocol.transport is transport:
            del self._guests[client]
            self._free(client)
            self.gone(client)

    def spoke(self, client: Client | None, kind: Kind, owner: str) -> bool:
        """A request has come; False if there is no place for it."""
        if client is None or client not in self._guests or self._proxy(client[0]):
            return True
        self._free(client)
        if kind == "seat":
            self._guests[client].protocol.timeout_keep_alive = PATIENCE
        loser = self._places[kind].take(owner, client)
        if loser is not None and loser != client:
            self._drop(loser)
        return loser != client

    def rested(self, client: Client | None) -> None:
        """The request was answered: a stranger's connection is a silent one again."""
        if client is not None and client in self._guests:
            self._guests[client].since = self._clock()
            if client not in self._places["seat"]:
                self._free(client)
                self._hush(client)

    def heard(self, client: Client | None, size: int) -> None:
        """A socket says something. A page only answers our pings: who says more has to go."""
        if client is not None and (guest := self._guests.get(client)) is not None:
            now = self._clock()
            guest.talk = max(0.0, guest.talk - ANSWERS * (now - guest.talked)) + size
            guest.talked = now
            if guest.talk > TALK:
                self._drop(client)

    def sweep(self) -> None:
        """Close connections that owe us a request, or do not read."""
        now = self._clock()
        for client, guest in list(self._guests.items()):
            unread = guest.protocol.transport.get_write_buffer_size()
            if unread < guest.unread or (unread and not guest.unread):  # it reads, or begins to
                guest.since = now
            guest.unread = unread
            if (unread or client in self._silent) and now - guest.since > SILENCE:
                self._drop(client)

    def shed(self) -> None:
        """The machine has no files left: the longest silent ones go first."""
        silent = [client for client in self._guests if client in self._silent]
        for client in silent[:SHED]:
            self._drop(client)

    def _hush(self, client: Client) -> None:
        if self._proxy(client[0]):  # its silent connections are its own affair
            self._guests[client].protocol.timeout_keep_alive = PATIENCE
            return
        loser = self._silent.take(household(client[0]), client, keep_newest=True)
        if loser is not None:
            self._drop(loser)

    def _free(self, client: Client) -> None:
        for places in (self._silent, *self._places.values()):
            places.leave(client)

    def _drop(self, client: Client) -> None:
        guest = self._guests.pop(client)
        self._free(client)
        guest.protocol.transport.abort()
        self.gone(client)


def protocols(door: Door) -> tuple[type[H11Protocol], type[WebSocketsSansIOProtocol]]:
    """What uvicorn speaks with browsers, and tells the door who comes and goes.

    A socket begins as a request; from then on its own protocol hears of its end.
    """

    class Http(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            transport.max_size = PIECE  # type: ignore[attr-defined]  # of asyncio's own transport
            super().connection_made(transport)
            self.drips = 0
            door.came(self)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self.drips = self.drips + 1 if self.cycle is None or self.cycle.more_body else 0
            if self.drips > DRIPS and len(data) < PIECE:
                self.transport.pause_reading()
                self.loop.call_later(DRIP_PAUSE, self._read_on)

        def _read_on(self) -> None:
            if not self.flow.read_paused:  # else uvicorn reads on when it has caught up
                self.transport.resume_reading()

        def connection_lost(self, exc: Exception | None) -> None:
            door.left(self.client, self.transport)
            super().connection_lost(exc)

    class Socket(WebSocketsSansIOProtocol):
        def data_received(self, data: bytes) -> None:
            if self.handshake_initiated:
                door.heard(self.client, len(data))
            if not self.transport.is_closing():
                super().data_received(data)

        def connection_lost(self, exc: Exception | None) -> None:
            door.left(self.client, self.transport)
            super().connection_lost(exc)

    return Http, Socket


class Porter:
    """Lets connections in, a few at a time: a crowd at the door does not stop the table.

    asyncio's own loop would take all that wait at once, and write a traceback for each one that it
    has no file for.
    """

    def __init__(
        self, listening: socket.socket, make: Callable[[], asyncio.Protocol], door: Door
    ) -> None:
        self._listening, self._make, self._door = listening, make, door
        self._loop = asyncio.get_running_loop()
        self._coming: set[asyncio.Task[None]] = set()
        self._later: asyncio.TimerHandle | None = None
        listening.setblocking(False)
        listening.listen(WAITING)

    def open(self) -> None:
        """Let in whoever waits."""
        self._later = None
        self._loop.add_reader(self._listening, self._let_in)

    def close(self) -> None:
        """Nobody else comes in."""
        self._loop.remove_reader(self._listening)
        if self._later is not None:
            self._later.cancel()

    def _let_in(self) -> None:
        for _ in range(AT_ONCE):
            try:
                come, _ = self._listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in NO_FILES:
                    raise
                log.warning("no connection can be let in: %s", error.strerror)
                self._door.shed()
                self._rest(NO_FILES_PAUSE)
                return
            come.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            task = self._loop.create_task(self._seat(come))
            self._coming.add(task)
            task.add_done_callback(self._coming.discard)
        self._rest(PAUSE)

    async def _seat(self, come: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._make, come)
        except OSError:
            come.close()  # it went away in the meantime

    def _rest(self, seconds: float) -> None:
        self._loop.remove_reader(self._listening)
        self._later = self._loop.call_later(seconds, self.open)
