"""The feed of each viewer, kept fresh while somebody listens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.websockets import WebSocket, WebSocketDisconnect

from companion.web.desk import Desk, Viewer
from companion.web.feed import Feed

SLOWEST = 10.0  # seconds that a browser may let a message wait before it is dropped
MOST = 200  # sockets at once
NOT_YOURS, TOO_MANY = 4401, 4429  # why a socket is closed


class Feeds:
    """Documents out: one feed for each viewer, any number of sockets on each."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._feeds: dict[Viewer, Feed] = {}
        self._telling: set[asyncio.Future[None]] = set()

    def of(self, viewer: Viewer) -> Feed:
        """A viewer's feed, fresh."""
        feed = self._feeds.setdefault(viewer, Feed())
        feed.put(self._desk.document(viewer))
        return feed

    def refresh(self) -> None:
        """Something may have changed: tell those who listen."""
        for viewer, feed in self._feeds.items():
            if feed.heard:
                feed.put(self._desk.document(viewer))

    def wake(self, viewer: Viewer) -> None:
        """Let the sockets of a viewer see whether they may still listen."""
        if viewer in self._feeds:
            self._feeds[viewer].wake()

    def drop(self) -> None:
        """Let every socket go; browsers that are awake come back by themselves."""
        for task in self._telling:
            task.cancel()

    async def serve(
        self,
        socket: WebSocket,
        viewer: Viewer,
        allowed: Callable[[], bool],
        number: int | None,
        epoch: str,
    ) -> None:
        """Tell a browser everything from `number` on, until it goes, sleeps or may not."""
        await socket.accept()
        if not allowed():
            await socket.close(NOT_YOURS, "this browser does not speak for that seat")
        elif len(self._telling) >= MOST:
            await socket.close(TOO_MANY, "too many browsers look on")
        else:
            await self._serve(socket, viewer, allowed, number, epoch)

    async def _serve(
        self,
        socket: WebSocket,
        viewer: Viewer,
        allowed: Callable[[], bool],
        number: int | None,
        epoch: str,
    ) -> None:
        telling = asyncio.ensure_future(self._tell(socket, viewer, allowed, number, epoch))
        hearing = asyncio.ensure_future(_until_gone(socket))
        self._telling.add(telling)
        try:
            await asyncio.wait({telling, hearing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._telling.discard(telling)
            for task in (telling, hearing):
                task.cancel()
            await asyncio.gather(telling, hearing, return_exceptions=True)

    async def _tell(
        self,
        socket: WebSocket,
        viewer: Viewer,
        allowed: Callable[[], bool],
        number: int | None,
        epoch: str,
    ) -> None:
        feed = self.of(viewer)
        with feed.listen() as news:
            while allowed():
                news.clear()
                messages, number, epoch = feed.since(number, epoch), feed.number, feed.epoch
                for message in messages:
                    try:
                        async with asyncio.timeout(SLOWEST):
                            await socket.send_text(message)
                    except (TimeoutError, WebSocketDisconnect, OSError):
                        return
                await news.wait()
        await socket.close(NOT_YOURS, "this browser no longer speaks for that seat")


async def _until_gone(socket: WebSocket) -> None:
    """Browsers have nothing to say here; what they say is not kept."""
    try:
        while True:
            await socket.receive_text()
    except (WebSocketDisconnect, KeyError, RuntimeError):
        return
