"""The loop: events in from every source, views out to every display, news to every onlooker."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from companion.daemon.clock import Clock
from companion.daemon.devices import Devices
from companion.daemon.drills import Drills, Rig
from companion.daemon.eye_orders import EyeOrders
from companion.daemon.moments import Moments
from companion.daemon.notify import Notify
from companion.daemon.page_turner import PageTurner
from companion.daemon.supervise import Latest, keep_alive
from companion.daemon.throwing import throw_twins
from companion.daemon.watchdog import Watchdog
from companion.daemon.window import Window
from companion.events import ButtonPressed, CameraAsked, Event, Message, Pulse, ShutdownAsked
from companion.ports import News, Onlooker
from companion.table.table import Table
from companion.views import WAKE, Line, View
from companion.words import Text, Translate, text

log = logging.getLogger(__name__)

GOODBYE = 5.0  # seconds that a glass has to say it


class Daemon:
    """Takes every event to the table, and shows what came of it."""

    def __init__(
        self,
        table: Table,
        devices: Devices,
        state: Path,
        translate: Translate = str,
        *,
        clock: Clock | None = None,
        drilled: bool = False,
        leaf: float | None = None,
    ) -> None:
        self.table, self.devices = table, devices
        clock = clock or Clock()
        devices.sources.append(clock)
        self._inbox: asyncio.Queue[Event] = asyncio.Queue()
        self._translate = translate
        self.drills = Drills(Rig(devices, clock) if drilled else None)
        self.window = Window(
            state / "window.sock", table.seating.displays, devices, self.emit,
            {
                "throw": lambda _: self._throw_and_say(),
                "camera": lambda word: self.emit(CameraAsked(word)),
                "drill": lambda asked: self.window.say(self.drills.order(*asked)),
            },
            translate, table.camera,
        )  # fmt: skip
        self._onlookers: list[Onlooker] = [
            self.window,
            EyeOrders(table, devices, state, self.emit),
            Moments(table, self.emit),
        ]
        self._latest = {
            name: Latest(self.window.watched(display, self._tell), self.emit)
            for name, display in devices.displays.items()
        }
        self._lamps = {  # no look after these: a lamp does not answer
            panel: Latest(lamp, self.emit, refresh=None) for panel, lamp in devices.lamps.items()
        }
        self._glass_of = {
            panel: name for name, panels in table.seating.displays.items() for panel in panels
        }
        self._put: dict[str, View] = {}
        self._wakes = False  # somebody elsewhere wants every glass bright
        self._leaf, self._pages = leaf, PageTurner()
        self._running: list[asyncio.Task[None]] = []
        self._notify = Notify()
        self._watchdog = Watchdog(self._notify, self.emit, self._alive, self._turns)
        self._leaving: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()

    def emit(self, event: Event) -> None:
        """Called on the loop. A press is stamped with what stood on the glass at that moment."""
        if isinstance(event, ButtonPressed) and event.offered is None:
            glass = self._latest.get(self._glass_of.get(event.panel, ""))
            event = replace(event, offered=glass.shown if glass else None)
        self._inbox.put_nowait(event)

    def look_on(self, onlooker: Onlooker) -> None:
        """Tell this one, too, what happens."""
        self._onlookers.append(onlooker)

    async def drained(self) -> None:
        """Until every event so far has had its effect."""
        await self._inbox.join()

    async def settled(self) -> None:
        """Until nothing waits to be taken and every display shows its newest view, or is lost."""
        await self._inbox.join()
        for latest in self._latest.values():
            await latest.settled.wait()

    def stop(self) -> None:
        """End `run`."""
        self._stop.set()

    async def run(self, ready: Callable[[], None]) -> None:
        """Until SIGTERM or SIGINT; a bug ends the process, the journal goes on after it."""
        loop = asyncio.get_running_loop()
        for stop in (signal.SIGTERM, signal.SIGINT):
            # a loop outside the main thread, as tests have it, can hear no signals
            with suppress(NotImplementedError, RuntimeError):
                loop.add_signal_handler(stop, self.stop)
        async with asyncio.TaskGroup() as tasks:
            running = [tasks.create_task(keep_alive(s, self.emit)) for s in self.devices.sources]
            self._running = list(running)
            for latest in (*self._latest.values(), *self._lamps.values()):
                running.append(tasks.create_task(latest.run()))
            running.append(tasks.create_task(self._play()))
            if self._leaf is not None:
                running.append(tasks.create_task(self._pages.run(self._leaf, self.show)))
            await self.window.open()
            self.show()
            self._tell(News())
            await self.settled()
            running.append(tasks.create_task(self._watchdog.run()))
            self._notify.tell(READY="1", STATUS="The table is open.")
            ready()
            await self._stop.wait()
            self._notify.tell(STOPPING="1")
            self.window.close()
            for task in running:
                task.cancel()

    def show(self) -> None:
        """Put the newest views out; a display drops those it has no time for."""
        own = {name for name, panels in self.table.seating.displays.items() if len(panels) == 1}
        views = {
            name: (latest, view if name in own else self._pages.turned(name, view))
            for name, latest in self._latest.items()
            for view in (self.table.view(name),)
        }
        views |= {f"{n}": (lamp, self.table.panel(n)) for n, lamp in self._lamps.items()}
        wakes, self._wakes = self._latest if self._wakes else (), False
        for name, (latest, view) in views.items():
            if self._put.get(name) != view or name in wakes:
                self._put[name] = view
                latest.put(replace(view, call=WAKE) if name in wakes else view)

    async def throw(self) -> Text | None:
        """Throw the twins' dice as the table has asked; or why not."""
        return await throw_twins(self.table, self.devices)

    async def _throw_and_say(self) -> None:
        """For a terminal: tells the readers of the window why nothing was thrown."""
        if (why := await self.throw()) is not None:
            names = self.table.play.names
            self.window.say({"throw": "refused", "says": why.show(names, self._translate)})

    def turn(self) -> None:
        """The displays that no panel leafs through turn to their next page."""
        self._pages.next()
        self.show()

    async def goodbye(self) -> None:
        """Every glass says so; when it stands there, the machine is asked to power off."""
        log.info("the shutdown button was held: goodbye")
        kept = text("The game is kept. Pull the plug when the Pi's green lamp is dark.")
        for latest in self._latest.values():
            latest.put(View(text("Goodbye"), text("Powering off"), (Line(kept),), page=0))
        with suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE):
                for latest in self._latest.values():
                    await latest.settled.wait()
        self.devices.power_off()

    async def _play(self) -> None:
        while True:
            burst = [await self._inbox.get()]
            while not self._inbox.empty():  # shown once
                burst.append(self._inbox.get_nowait())
            for event in burst:
                self._handle(event)
            if self._leaving is None:
                self.show()
            if news := tuple(event for event in burst if not isinstance(event, Pulse)):
                self._tell(News(news))
            for _ in burst:
                self._inbox.task_done()

    def _handle(self, event: Event) -> None:
        match event:
            case Pulse():
                self._watchdog.probe_came()
            case ShutdownAsked():
                self._leaving = self._leaving or asyncio.create_task(self.goodbye())
            case _:
                self.table.handle(event)
                self._wakes = self._wakes or isinstance(event, Message)

    def _tell(self, news: News) -> None:
        for onlooker in self._onlookers:
            onlooker.changed(news)

    def _alive(self) -> bool:
        """Every source still runs, or is tried again."""
        return not any(task.done() for task in self._running)

    def _turns(self) -> dict[str, int]:
        return {name: latest.turns for name, latest in self._latest.items()}
