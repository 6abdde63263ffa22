"""The feed of each viewer, kept fresh while somebody listens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from starlette.websockets import WebSocket, WebSocketDisconnect

from companion.web.desk import Viewer
from companion.web.feed import Document, Feed
from companion.web.shares import Shares
from companion.web.turns import Turns

SLOWEST = 10.0  # seconds that a browser may let a message wait before it is dropped
PUBLIC = ("public", "table")
OWN = (16, 160)  # sockets of one seat or of this machine, and of all seats together
STRANGERS = (8, 32)  # sockets of one address, of all addresses
HEARD = 0.05  # seconds between two things that a browser says: it has no reason to say any
NOT_YOURS, TOO_MANY, TOO_SLOW = 4401, 4429, 4408  # why a socket is closed


@dataclass(frozen=True, slots=True)
class Ear:
    """A browser that listens: as whom, whether it still may, with whom it shares its places."""

    socket: WebSocket
    viewer: Viewer
    allowed: Callable[[], bool]
    owner: str
    language: str = ""
    own: bool = False  # a seat, or a browser on this machine
    paced: bool = True  # waits for its turn


class Feeds:
    """Documents out: one feed for each viewer, many sockets on each.

    Strangers get the news in turns, the newest only: however many look on, the seats hear first,
    and what strangers alone look at is written when one of them has his turn, once for all.
    """

    def __init__(
        self, document: Callable[[Viewer, str], Document], turns: Turns,
        strangers: tuple[int, int] = STRANGERS,
    ) -> None:  # fmt: skip
        self._document, self._turns = document, turns
        self._feeds: dict[tuple[Viewer, str], Feed] = {}
        self._telling: set[asyncio.Future[None]] = set()
        self._own: Shares[asyncio.Future[None]] = Shares(*OWN)
        self._strangers: Shares[asyncio.Future[None]] = Shares(*strangers)

    def of(self, viewer: Viewer, language: str = "") -> Feed:
        """A viewer's feed in a language, fresh."""
        feed = self._feeds.setdefault((viewer, language), Feed())
        if feed.stale:
            feed.put(self._document(viewer, language))
        return feed

    @property
    def looked_at(self) -> bool:
        """Whether anybody who is no seat looks on."""
        return any(feed.heard for (viewer, _), feed in self._feeds.items() if viewer in PUBLIC)

    def refresh(self) -> None:
        """Something may have changed: tell those who listen."""
        for (viewer, language), feed in self._feeds.items():
            if feed.urgent:
                feed.put(self._document(viewer, language))
            else:
                feed.stale = True
                feed.wake()

    def show(self, glasses: Callable[[Viewer], Document]) -> None:
        """A glass shows something new; the table told everything else when it happened."""
        for (viewer, _), feed in self._feeds.items():
            if feed.urgent and not feed.stale:
                seen = {k: v for k, v in feed.document.items() if not k.startswith("glass:")}
                feed.put(seen | glasses(viewer))
            else:
                feed.stale = True
                feed.wake()

    def wake(self, viewer: Viewer) -> None:
        """Let the sockets of a viewer see whether they may still listen."""
        for (whose, _), feed in self._feeds.items():
            if whose == viewer:
                feed.wake()

    def drop(self) -> None:
        """Let every socket go; browsers that are awake come back by themselves."""
        for task in self._telling:
            task.cancel()

    async def serve(self, ear: Ear, number: int | None, epoch: str) -> None:
        """Tell a browser everything from `number` on, until it goes, sleeps or may not."""
        await ear.socket.accept()
        if not ear.allowed():
            await ear.socket.close(NOT_YOURS, "this browser does not speak for that seat")
            return
        telling = asyncio.ensure_future(self._tell(ear, number, epoch))
        places = self._own if ear.own else self._strangers
        loser = places.take(ear.owner, telling)
        if loser is not None:
            loser.cancel()
        if loser is telling:
            await ear.socket.close(TOO_MANY, "too many browsers look on")
            return
        hearing = asyncio.ensure_future(_until_gone(ear.socket))
        self._telling.add(telling)
        try:
            await asyncio.wait({telling, hearing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._telling.discard(telling)
            places.leave(telling)
            for task in (telling, hearing):
                task.cancel()
            await asyncio.gather(telling, hearing, return_exceptions=True)

    async def _tell(self, ear: Ear, number: int | None, epoch: str) -> None:
        feed = self.of(ear.viewer, ear.language)
        with feed.listen(urgent=not ear.paced) as news:
            while ear.allowed():
                news.clear()
                self.of(ear.viewer, ear.language)
                messages, number, epoch = feed.since(number, epoch), feed.number, feed.epoch
                for message in messages:
                    try:
                        async with asyncio.timeout(SLOWEST):
                            await ear.socket.send_text(message)
                    except (TimeoutError, WebSocketDisconnect, OSError):
                        return
                await news.wait()
                if ear.paced:
                    await self._turns.wait(ear.owner)
        await ear.socket.close(NOT_YOURS, "this browser no longer speaks for that seat")


async def _until_gone(socket: WebSocket) -> None:
    """Browsers have nothing to say here; what they say is not kept."""
    try:
        while True:
            await socket.receive_text()
            await asyncio.sleep(HEARD)
    except (WebSocketDisconnect, KeyError, RuntimeError):
        return
