"""Feeds systemd's watchdog: a probe goes the way of a press, and all that it meets must move."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Mapping

from companion.daemon.notify import Notify
from companion.events import Emit, Pulse

log = logging.getLogger(__name__)

BEATS = 5  # in the time that the watchdog waits


class Progress:
    """Which parts of the daemon still have to show that they move. No clock in here."""

    def __init__(self, parts: Iterable[str]) -> None:
        self._parts = frozenset(parts)
        self._owing = set(self._parts)

    def moved(self, part: str) -> None:
        """This part did some of its work."""
        self._owing.discard(part)

    @property
    def owing(self) -> Collection[str]:
        """The parts that have not moved since the last meal."""
        return sorted(self._owing)

    def fed(self) -> bool:
        """True, and a new round begins, when all have moved; else the watchdog stays hungry."""
        if self._owing:
            return False
        self._owing = set(self._parts)
        return True


class Watchdog:
    """`alive` tells whether every source still runs, `turns` how much each display has done."""

    def __init__(
        self,
        notify: Notify,
        emit: Emit,
        alive: Callable[[], bool],
        turns: Callable[[], Mapping[str, int]],
    ) -> None:
        self._notify = notify
        self._emit = emit
        self._alive = alive
        self._turns = turns
        self._seen = dict(turns())
        self.progress = Progress(("inputs", "table", *self._seen))

    async def run(self) -> None:
        """Until cancelled; nothing to do where no watchdog waits."""
        if self._notify.watchdog is None:
            return
        hungry: list[str] = []
        while True:
            await self.beat()
            owing = list(self.progress.owing)
            if self.progress.fed():
                self._notify.tell(WATCHDOG="1")
            elif owing == hungry:
                log.warning("the watchdog is not fed: no move of %s", ", ".join(owing))
            hungry = owing
            await asyncio.sleep(self._notify.watchdog / BEATS)

    async def beat(self) -> None:
        """Send a probe from another thread, as the pins do, and see which displays have moved."""
        loop = asyncio.get_running_loop()
        await asyncio.to_thread(loop.call_soon_threadsafe, self._probe)
        for name, turns in self._turns().items():
            if turns != self._seen[name]:
                self._seen[name] = turns
                self.progress.moved(name)

    def probe_came(self) -> None:
        """The table came to the probe."""
        self.progress.moved("table")

    def _probe(self) -> None:
        if self._alive():
            self.progress.moved("inputs")
        self._emit(Pulse())
