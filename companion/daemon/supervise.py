"""A lost device is an event, not an ending: it is tried again while the others go on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeAlias

from companion.errors import DeviceLost
from companion.events import DeviceDown, DeviceUp, Emit, Event
from companion.ports import Display, Source
from companion.views import View

Sleep: TypeAlias = Callable[[float], Awaitable[object]]
"""How to let time pass; tests hand in a clock of their own."""

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 1.0  # a hub that boots late has its second try within 5 s
REFRESH = 1.5  # a display that nobody uses is known to be lost within 2 s
STEADY = 2.0  # seconds without a loss that prove a silent source to be back


def pauses(longest: float | None) -> Iterator[float]:
    """How long to wait before each new try: ever longer, up to a limit."""
    pause = FIRST_PAUSE
    while True:
        yield pause
        pause = min(2 * pause, longest or LONGEST_PAUSE)


class Reporter:
    """Tells each loss once, again only for a reason not told yet, and each return once."""

    def __init__(self, name: str, emit: Emit, longest_pause: float | None = None) -> None:
        self.name = name
        self.down = False
        self._longest_pause = longest_pause
        self._reasons: set[str] = set()  # of this loss, as announced
        self._emit = emit
        self._pauses = pauses(longest_pause)

    def lost(self, why: DeviceLost) -> float:
        """Note a failed try; gives the pause before the next."""
        self.down = True
        if str(why) not in self._reasons:
            self._reasons.add(str(why))
            self._emit(DeviceDown(self.name, why.why))
        return next(self._pauses)

    def works(self) -> None:
        """Note that the device does its work."""
        self._pauses = pauses(self._longest_pause)
        if self.down:
            self.down = False
            self._reasons.clear()
            self._emit(DeviceUp(self.name))


async def keep_alive(
    source: Source, emit: Emit, *, sleep: Sleep = asyncio.sleep, steady: float = STEADY
) -> None:
    """Run a source, again and again when it is lost. Any error but DeviceLost is a bug: it rises.

    A lost source counts as back at its first event, or after `steady` seconds without a loss.
    A source may emit DeviceUp itself once its device is open: it is passed on after a loss only.
    One that says `proves_itself` counts as back at its own DeviceUp and at nothing else; one whose
    tries are costly says its `longest_pause` between them, and may cut a `pause` short.
    """
    reporter = Reporter(source.name, emit, getattr(source, "longest_pause", None))
    proves_itself: bool = getattr(source, "proves_itself", False)
    steady = float("inf") if proves_itself else steady

    def hear(event: Event) -> None:
        if not proves_itself or event == DeviceUp(source.name):
            reporter.works()
        if event != DeviceUp(source.name):  # Reporter reports its return
            emit(event)

    while True:
        try:
            return await _run(source, hear, reporter, sleep, steady)
        except DeviceLost as why:
            pause = reporter.lost(why)
        await getattr(source, "pause", sleep)(pause)


async def _run(source: Source, hear: Emit, reporter: Reporter, sleep: Sleep, steady: float) -> None:
    work = asyncio.ensure_future(source.run(hear))
    patient = sleep(steady) if steady < float("inf") else asyncio.Event().wait()
    proof = asyncio.ensure_future(patient)
    try:
        await asyncio.wait({work, proof}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            reporter.works()
        await work
    finally:
        for task in (work, proof):
            task.cancel()
        await asyncio.gather(work, proof, return_exceptions=True)


class Latest:
    """Keeps one display at the newest view; older ones are dropped, never queued."""

    def __init__(
        self,
        display: Display,
        emit: Emit,
        *,
        sleep: Sleep = asyncio.sleep,
        refresh: float | None = REFRESH,
    ) -> None:
        self.display = display
        self.shown: int | None = None  # `stamp` of the view that stands on the glass
        self.turns = 0  # views shown, or tries that failed: stands still only if the display hangs
        self._sleep = sleep
        self._refresh = refresh  # how often an unchanged view is shown again
        self._reporter = Reporter(display.name, emit)
        self._view: View | None = None
        self._news = asyncio.Event()
        self.settled = asyncio.Event()  # the newest view stands there, or the display is lost

    def put(self, view: View) -> None:
        """Show this as soon as the display is free."""
        self._view = view
        self.settled.clear()
        self._news.set()

    async def run(self) -> None:
        """Show what was put, for ever; a lost display is tried again with the newest view."""
        await self._news.wait()
        while True:
            self._news.clear()
            view = self._view
            assert view is not None  # only `put` sets the event
            try:
                await self.display.show(view)
            except DeviceLost as why:
                self.shown = None
                self.turns += 1
                self.settled.set()
                await self._sleep(self._reporter.lost(why))
            else:
                self.shown = view.stamp
                self.turns += 1
                self._reporter.works()
                if view is self._view:
                    self.settled.set()
                await self._wait()

    async def _wait(self) -> None:
        """Until something new comes, or until it is time to look after the display again.

        An unchanged view is shown again now and then: the display dims and shifts by it, and a
        glass that was unplugged while nobody played is noticed.
        """
        waits: list[asyncio.Future[object]] = [asyncio.ensure_future(self._news.wait())]
        if self._refresh is not None:
            waits.append(asyncio.ensure_future(self._sleep(self._refresh)))
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waits:
                task.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
