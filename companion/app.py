"""The daemon: settings, devices, table and window in one loop. The only file that sees all."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import random
import secrets
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import cast

from companion.cardbox import CardBox
from companion.clock import Clock
from companion.devices import Devices, build
from companion.drills import Rig, drill
from companion.errors import BadConfig, BadState
from companion.events import Body, ButtonPressed, CameraAsked, CameraTold, Event
from companion.eye_lines import Calibrate, Expect, Render
from companion.games import GAMES
from companion.journal import open_journal
from companion.language import speaker
from companion.settings import Settings
from companion.table import Seating, Table
from companion.views import BLANK, View
from companion.web.desk import Desk
from companion.web.server import Web
from companion.window import Window
from companion.words import text
from hardware.supervise import Latest, keep_alive

log = logging.getLogger(__name__)

JOURNAL, LOCK = "journal.db", "lock"


async def serve(
    settings: Settings,
    ready: Callable[[], None] = lambda: None,
    opened: Callable[[str], None] = lambda _: None,
) -> None:
    """Run the table until told to stop; everything that happened is on disk at any moment."""
    state = settings.table.directory()
    with _alone(state):
        clock = Clock()
        journal, aside = open_journal(state / JOURNAL, clock)
        dice = random.SystemRandom()
        table = Table(
            GAMES, journal, seating(settings), mode=settings.table.mode,
            box=CardBox(state / "cards"),
            pick=dice.randrange, salt=lambda: secrets.token_hex(4),
        )  # fmt: skip
        if aside is not None:
            log.error("the journal was damaged; it is kept as %s, a new one is begun", aside)
            table.announce(text("The journal was damaged. It is kept as {name}.", name=aside.name))
        elif table.play.restored is not None:
            log.info("%s", table.play.restored.show())
        devices = build(settings, speaker(settings.table.language))
        try:
            daemon = Daemon(table, devices, state, clock, twins(settings))
            if settings.web.on:
                daemon.look_on(web(daemon, settings, state / JOURNAL, opened))
            await daemon.run(ready)
        finally:
            devices.close()
            journal.close()


def seating(settings: Settings) -> Seating:
    """Who sees which display: a seat without one of its own shares the table's."""
    panels = max((panel.seat for panel in settings.panels), default=-1) + 1
    displays = {display.name: display.seats for display in settings.displays}
    served = {seat for seats in displays.values() for seat in seats}
    homeless = tuple(seat for seat in range(panels) if seat not in served)
    public = next((name for name, seats in displays.items() if not seats), None)
    if public is not None and homeless:
        displays[public] = homeless if len(homeless) > 1 else (*homeless, *homeless)
    names = tuple(name.show() for name in settings.table.names)
    return Seating(panels, names, displays)


def twins(settings: Settings) -> bool:
    """Whether this table is only there in programs: then it may be drilled."""
    return settings.hardware.panels == settings.hardware.displays == "twin"


def web(
    daemon: Daemon,
    settings: Settings,
    journal: Path,
    opened: Callable[[str], None] = lambda _: None,
) -> Web:
    """The pages of this table; `opened` is told their address."""
    language = settings.table.language
    return Web(
        Desk(
            daemon.table, GAMES, journal, settings.web, daemon.emit, daemon.taken,
            lambda panel, key: daemon.devices.press(panel, key, daemon.emit),
            twins(settings), language, speaker(language),
        ),
        opened,
    )  # fmt: skip


class Daemon:
    """The loop: events in from every source, views out to every display."""

    def __init__(
        self, table: Table, devices: Devices, state: Path, clock: Clock, drilled: bool = False
    ) -> None:
        self.table = table
        self.rig = Rig(devices, clock) if drilled else None
        devices.sources.append(clock)
        self.devices = devices
        self._inbox: asyncio.Queue[Event] = asyncio.Queue()
        table.camera.there = devices.eye is not None
        self._window = Window(
            state / "window.sock", table.seating.displays, devices, self.emit,
            {
                "throw": lambda _: self.throw(),
                "camera": lambda word: self.emit(CameraAsked(word)),
                "drill": lambda asked: self.drill(*asked),
            },
        )  # fmt: skip
        self._latest = {
            name: Latest(self._window.watched(display), self.emit)
            for name, display in devices.displays.items()
        }
        self._lamps = {panel: Latest(lamp, self.emit) for panel, lamp in devices.lamps.items()}
        self._glass_of = {
            panel: name for name, panels in table.seating.displays.items() for panel in panels
        }
        self._put: dict[str, View] = {}
        self._expected: Expect | None = None
        self._onlookers: list[Web] = []
        self._stop = asyncio.Event()

    def emit(self, event: Event) -> None:
        """Called on the loop. A press is stamped with what stood on the glass at that moment."""
        if isinstance(event, ButtonPressed) and event.offered is None:
            glass = self._latest.get(self._glass_of.get(event.seat, ""))
            event = replace(event, offered=glass.shown if glass else None)
        self._inbox.put_nowait(event)

    def look_on(self, pages: Web) -> None:
        """Let the pages run with the devices, and tell them what happens."""
        self.devices.sources.append(pages)
        self._window.tell_also.append(pages.shown)
        self._onlookers.append(pages)

    async def taken(self) -> None:
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
            with suppress(NotImplementedError, RuntimeError):
                loop.add_signal_handler(stop, self.stop)
        async with asyncio.TaskGroup() as tasks:
            running = [tasks.create_task(keep_alive(s, self.emit)) for s in self.devices.sources]
            for latest in (*self._latest.values(), *self._lamps.values()):
                running.append(tasks.create_task(latest.run()))
            running.append(tasks.create_task(self._play()))
            window = await self._window.open()
            self.show()
            ready()
            await self._stop.wait()
            window.close()
            self._window.close()
            for task in running:
                task.cancel()

    def throw(self) -> None:
        """The twins' dice are thrown, as the table has asked: tumbling in the rendered tray."""
        if (step := self.table.camera.told) is not None and self.devices.eye is not None:
            some: tuple[tuple[Body, int], ...] = (("black", 0), ("white", 0), ("white", 0))
            clearing = step.step == "clear"
            self.devices.eye.order(Render(clear=True) if clearing else Render(throw=some))
            return
        wanted = self.table.wanted
        if wanted is None:
            return
        if self.devices.eye is not None:
            thrown = tuple((cast(Body, body), 0) for body in wanted.bodies)
            kept = tuple((cast(Body, die.body), die.value) for die in wanted.kept)
            self.devices.eye.order(Render(throw=thrown, keep=kept))
        if self.devices.hub is not None:
            for die in wanted.characters:
                self.devices.hub.throw(die)

    def drill(self, name: str, mend: bool) -> None:
        """Break something of a table of twins, or mend it; readers of the window are told."""
        try:
            if self.rig is None:
                raise BadState("only a table of twins is drilled: companion run --twin")
            chosen = drill(name)
            (chosen.cure if mend else chosen.cause)(self.rig)
        except BadState as error:
            self._window.say({"drill": name, "refused": str(error)})
        else:
            self._window.say({"drill": name, "did": "mended" if mend else "broken"})

    def _expect(self) -> None:
        """The eye must know whether a roll is asked for, and how many dice will then lie there."""
        wanted = self.table.wanted or self.table.lying
        count = len(wanted.bodies) + len(wanted.kept) if wanted else None
        expected = Expect(asked=wanted is not None, wanted=count)
        if self.devices.eye is not None and expected != self._expected:
            self._expected = expected
            self.devices.eye.order(expected)

    def _calibrate(self) -> None:
        """The eye is told what people said about its calibration."""
        for word in self.table.camera.take():
            if self.devices.eye is None or not self.devices.eye.order(Calibrate(word=word)):
                self.emit(CameraTold("failed", why="lost"))

    def show(self) -> None:
        """Put the newest views out; a display drops those it has no time for."""
        self._expect()
        self._calibrate()
        views = {name: (latest, self.table.view(name)) for name, latest in self._latest.items()}
        views |= {f"{n}": (lamp, self.table.panel(n)) for n, lamp in self._lamps.items()}
        for name, (latest, view) in views.items():
            if self._put.get(name) != view:
                self._put[name] = view
                latest.put(view)

    def _say(self, told: CameraTold) -> None:
        """For somebody who calibrates at a terminal."""
        page = self.table.camera.page(None)
        says = page.title.show() if page else (self.table.camera.hear(told)[0] or BLANK).show()
        dice = [f"{die.body} {die.value}" for die in told.dice]
        self._window.say({"camera": told.step, "says": says, "dice": dice})

    async def _play(self) -> None:
        while True:
            burst = [await self._inbox.get()]
            while not self._inbox.empty():  # shown once
                burst.append(self._inbox.get_nowait())
            for event in burst:
                self.table.handle(event)
            self.show()
            for event in burst:
                if isinstance(event, CameraTold):
                    self._say(event)
            for pages in self._onlookers:
                pages.changed(burst)
            for _ in burst:
                self._inbox.task_done()


@contextmanager
def _alone(state: Path) -> Iterator[None]:
    """One daemon per state directory: two would each believe to be the table."""
    try:
        state.mkdir(parents=True, exist_ok=True)
        handle = os.open(state / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise BadConfig(f"the state directory {state} cannot be used: {error.strerror}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise BadConfig(f"another companion already uses {state}: stop it first") from error
    finally:
        os.close(handle)
