"""The daemon: settings, devices, table and window in one loop. The only file that sees all."""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from companion.care.doctor import ailing, look
from companion.care.finding import Finding
from companion.care.machine import this_machine
from companion.care.touch import known
from companion.care.watch import Watch
from companion.daemon.clock import Clock
from companion.daemon.devices import Devices, build
from companion.daemon.drills import Rig, drill
from companion.daemon.heart import Heart
from companion.daemon.notify import Notify
from companion.daemon.page_turner import Leaves
from companion.daemon.safe import devices_that_work, places
from companion.daemon.supervise import Latest, keep_alive
from companion.daemon.window import Window
from companion.errors import BadState, CompanionError, NoRoom
from companion.events import (
    Body,
    ButtonPressed,
    CameraAsked,
    CameraTold,
    Chosen,
    Event,
    Pulse,
    ShutdownAsked,
)
from companion.eye.for_pages import Lookout
from companion.eye.protocol import Calibrate, Expect, Order, Render, Tiles
from companion.files import alone
from companion.games import GAMES
from companion.games.api import DiceWanted
from companion.language import speaker
from companion.memory.cardbox import CardBox
from companion.memory.journal import Journal, open_journal
from companion.settings.settings import Settings
from companion.table import troubles
from companion.table.grids import COLOURS
from companion.table.seating import Seating
from companion.table.table import Table
from companion.views import BLANK, Line, View
from companion.words import Translate, text

if TYPE_CHECKING:  # the pages take as long to import as all the rest: only if they are wanted
    from companion.web.server import Web

log = logging.getLogger(__name__)

JOURNAL = "journal.db"
LEAF = 4.0  # seconds for which the table's display shows a page before it turns to the next
TRIED = ("black", "black", "black", "white", "white")  # thrown before a game, to try the tray
GOODBYE = 5.0  # seconds that a glass has to say it


async def serve(
    settings: Settings,
    ready: Callable[[], None] = lambda: None,
    opened: Callable[[str], None] = lambda _: None,
    safe: str = "",
) -> None:
    """Run the table until told to stop; everything that happened is on disk at any moment.

    `safe` says why it runs in safe mode, if it does.
    """
    state = settings.table.directory()
    with alone(state, bool(safe)):
        clock = Clock()
        table, journal = _safe_table(settings, clock) if safe else _table(settings, state, clock)
        if safe:
            log.warning("safe mode: %s", safe)
            table.trouble(troubles.SAFE, text("Safe mode: {why}", why=safe.split("\n")[0]))
        translate = speaker(settings.table.language)
        devices = (devices_that_work if safe else build)(settings, translate)
        try:
            devices.sources.append(Watch(lambda: ailing(this_machine(), settings)))
            daemon = Daemon(
                table, devices, state, translate, clock=clock, drilled=twins(settings), leaf=LEAF
            )
            if settings.web.on:
                daemon.look_on(web(daemon, settings, journal.path, opened))
            await daemon.run(ready)
        except BaseExceptionGroup as group:  # what we raise on purpose is told as what it is
            ours, other = group.split(CompanionError)
            if ours is None or other is not None:
                raise
            raise _first(ours) from group
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
    from companion.web.desk import Desk
    from companion.web.server import Web

    language = settings.table.language
    eye = daemon.devices.eye
    lookout = None
    if eye is not None:
        rendered = settings.eye.camera == "twin"
        lookout = Lookout(eye, journal.with_name("examples"), daemon.throw, twin=rendered)
    return Web(
        Desk(
            daemon.table, GAMES, journal, settings.web, daemon.emit, daemon.taken,
            lambda panel, key: daemon.devices.press(panel, key, daemon.emit),
            twins(settings), language, speaker(language), lookout, settings.wifi,
            lambda: [one.told(speaker(language)) for one in checkup(daemon.table, settings)],
        ),
        opened,
    )  # fmt: skip


def checkup(table: Table, settings: Settings) -> list[Finding]:
    """The doctor's findings while we run: our own devices are not touched, we know them."""
    found = list(look(this_machine(), settings, known(table.lost)))
    if (why := table.lost.get(troubles.SAFE)) is not None:
        do = text("Mend it, then sudo systemctl restart companion.")
        found.insert(0, Finding("start", text("Start"), "wrong", why, do))
    return found


class Daemon:
    """The loop: events in from every source, views out to every display."""

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
        self.table = table
        clock = clock or Clock()
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
            translate,
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
        self._leaf = leaf
        self._leaves = Leaves()
        self._ordered: dict[str, Order] = {"tiles": Tiles()}  # what the eye looks for now
        self._colours = state / COLOURS
        self._onlookers: list[Web] = []
        self._running: list[asyncio.Task[None]] = []
        self._notify = Notify()
        self._heart = Heart(self._notify, self.emit, self._alive, self._turns)
        self._leaving: asyncio.Task[None] | None = None
        self._coming: tuple[int, Chosen] | None = None  # what goes on by itself, and when
        self._timer: asyncio.TimerHandle | None = None
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
                running.append(tasks.create_task(self._turn_pages(self._leaf)))
            await self._window.open()
            self.show()
            await self.settled()
            running.append(tasks.create_task(self._heart.run()))
            self._notify.tell(READY="1", STATUS="The table is open.")
            ready()
            await self._stop.wait()
            self._notify.tell(STOPPING="1")
            self._window.close()
            for task in running:
                task.cancel()

    def _alive(self) -> bool:
        """Every source still runs, or is tried again."""
        return not any(task.done() for task in self._running)

    def _turns(self) -> dict[str, int]:
        return {name: latest.turns for name, latest in self._latest.items()}

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

    def throw(self) -> bool:
        """The twins' dice are thrown, as the table has asked; before a game, some to try."""
        if (step := self.table.camera.told) is not None and self.devices.eye is not None:
            some: tuple[tuple[Body, int], ...] = (("black", 0), ("white", 0), ("white", 0))
            clearing = step.step == "clear"
            return self.devices.eye.order(Render(clear=True) if clearing else Render(throw=some))
        wanted = self.table.wanted
        if wanted is None and self.table.play.in_lobby:
            wanted = DiceWanted(TRIED)
        if wanted is None:
            return False
        if self.devices.eye is not None:
            thrown = tuple((cast(Body, body), 0) for body in wanted.bodies)
            kept = tuple((cast(Body, die.body), die.value) for die in wanted.kept)
            self.devices.eye.order(Render(throw=thrown, keep=kept))
        if self.devices.hub is not None:
            for die in wanted.characters:
                self.devices.hub.throw(die)
        return True

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

    def _look_for(self) -> None:
        """Tell the eye what to look for: a roll, and how many dice then lie there, or tiles."""
        eye = self.devices.eye
        if eye is None:
            return
        wanted = self.table.wanted or self.table.lying
        count = len(wanted.bodies) + len(wanted.kept) if wanted else None
        tiles = self.table.wants_grid and self._colours.exists()
        for order in (
            Expect(
                asked=True if wanted else None if self.table.play.in_lobby else False, wanted=count
            ),
            Tiles(colours=str(self._colours) if tiles else ""),
        ):
            if self._ordered.get(order.do) != order:
                self._ordered[order.do] = order
                eye.order(order)

    def _calibrate(self) -> None:
        """The eye is told what people said about its calibration."""
        eye = self.devices.eye
        for word, number in self.table.camera.take():
            if eye is None or not eye.order(Calibrate(word=word, number=number)):
                self.emit(CameraTold("failed", why="lost", calibration=number))

    def show(self) -> None:
        """Put the newest views out; a display drops those it has no time for."""
        self._look_for()
        self._calibrate()
        self._go_on_by_itself()
        views = {
            name: (latest, self._turned(name, self.table.view(name)))
            for name, latest in self._latest.items()
        }
        views |= {f"{n}": (lamp, self.table.panel(n)) for n, lamp in self._lamps.items()}
        for name, (latest, view) in views.items():
            if self._put.get(name) != view:
                self._put[name] = view
                latest.put(view)

    def _go_on_by_itself(self) -> None:
        """Where nothing is to be chosen, play may go on after a moment; a press is quicker."""
        coming = self.table.moment()
        if coming == self._coming:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._coming, self._timer = coming, None
        if coming is not None:
            self._timer = asyncio.get_running_loop().call_later(coming[0], self.emit, coming[1])

    def turn(self) -> None:
        """The displays that no panel leafs through turn to their next page."""
        self._leaves.next()
        self.show()

    def _turned(self, name: str, view: View) -> View:
        own = len(self.table.seating.displays[name]) == 1
        leafed = own or view.seat is not None or view.choices
        return view if leafed else self._leaves.of(name, view)

    async def _turn_pages(self, leaf: float) -> None:
        while True:
            await asyncio.sleep(leaf)
            self.turn()

    def _say(self, told: CameraTold) -> None:
        """For somebody who calibrates at a terminal."""
        if self.table.camera.late(told):
            return
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
                self._take(event)
            if self._leaving is None:
                self.show()
            for event in burst:
                if isinstance(event, CameraTold):
                    self._say(event)
            news: list[Event] = [event for event in burst if not isinstance(event, Pulse)]
            for pages in self._onlookers if news else ():
                pages.changed(news)
            for _ in burst:
                self._inbox.task_done()

    def _take(self, event: Event) -> None:
        match event:
            case Pulse():
                self._heart.taken()
            case ShutdownAsked():
                self._leaving = self._leaving or asyncio.create_task(self.goodbye())
            case _:
                self.table.handle(event)


def _table(settings: Settings, folder: Path, clock: Clock) -> tuple[Table, Journal]:
    """The table as the journal in this folder tells it; a damaged journal is set aside and said."""
    journal, aside = open_journal(folder / JOURNAL, clock)
    try:
        table = Table(
            GAMES, journal, seating(settings), mode=settings.table.mode,
            box=CardBox(folder / "cards"),
            pick=random.SystemRandom().randrange, salt=lambda: secrets.token_hex(4),
        )  # fmt: skip
    except BaseException:
        journal.close()
        raise
    if aside is not None:
        log.error("the journal was damaged; it is kept as %s, a new one is begun", aside)
        table.announce(text("The journal was damaged. It is kept as {name}.", name=aside.name))
    elif table.play.restored is not None:
        log.info("%s", table.play.restored.show())
    return table, journal


def _safe_table(settings: Settings, clock: Clock) -> tuple[Table, Journal]:
    """A table of safe mode: nothing is read of what normal starts keep, for it may be at fault."""
    for folder in places(settings):
        try:
            made = _table(settings, folder, clock)
        except Exception:
            log.exception("%s cannot hold the games of safe mode", folder)
        else:
            log.warning("the games of safe mode are kept in %s", folder)
            return made
    raise NoRoom("there is no room for a game: not on the disk, and not in memory")


def _first(group: BaseExceptionGroup[CompanionError]) -> CompanionError:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, CompanionError)
    return error
