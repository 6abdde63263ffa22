"""The daemon: settings, devices, table and window in one loop. The only file that sees all."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.bots.shelf import GAMES, analyst, players
from companion.care.device_checks import Touch
from companion.care.doctor import ailing, diagnose
from companion.care.finding import Finding
from companion.care.machine import this_machine
from companion.care.watch import Watch
from companion.daemon.afterwards import Afterwards
from companion.daemon.clock import Clock
from companion.daemon.demo import Demo
from companion.daemon.devices import build
from companion.daemon.limits import Thrift
from companion.daemon.loop import Daemon
from companion.daemon.partner import Partner
from companion.daemon.safe import devices_that_work, places
from companion.errors import CompanionError, NoRoom
from companion.eye.for_pages import EyeForPages
from companion.files import alone
from companion.language import languages, speaker
from companion.memory.cardbox import CardBox
from companion.memory.journal import Journal
from companion.memory.recovery import open_journal
from companion.settings.settings import MqttSettings, Settings
from companion.table import troubles
from companion.table.seating import Seating
from companion.table.table import Table
from companion.words import Panel, Translate, text

if TYPE_CHECKING:  # the pages take as long to import as all the rest: only if they are wanted
    from companion.mqtt.announced import Announced
    from companion.mqtt.bus import Bus
    from companion.web.server import Web

log = logging.getLogger(__name__)

JOURNAL = "journal.db"
LEAF = 4.0  # seconds for which the table's display shows a page before it turns to the next


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
    with alone(state, bool(safe)), ExitStack() as stack:
        clock = Clock()
        table, journal = _safe_table(settings, clock) if safe else _table(settings, state, clock)
        if safe:
            log.warning("safe mode: %s", safe)
            table.trouble(troubles.SAFE, text("Safe mode: {why}", why=safe.split("\n")[0]))
        translate = speaker(settings.table.language)
        devices = (devices_that_work if safe else build)(settings, translate)
        try:
            devices.sources += [Watch(lambda: ailing(this_machine(), settings)), Thrift()]
            daemon = Daemon(
                table, devices, state, translate, clock=clock, drilled=twins(settings), leaf=LEAF
            )
            rolls = daemon.throw if settings.eye.camera == "twin" else None
            pace, thinks = settings.table.pace, settings.table.thinks
            daemon.look_on(Partner(table, daemon.emit, rolls, pace=pace, thinks=thinks))
            daemon.look_on(Afterwards(table, daemon.emit, analyst))
            daemon.window.offer("doctor", lambda _: _examined(daemon, settings))
            if settings.web.on:
                pages = web(daemon, settings, journal.path, opened)
                devices.sources.append(pages)
                daemon.look_on(pages)
                if settings.table.demo in ("on", "twin" if twins(settings) else "on"):
                    show_demos(daemon, pages)
            if (settings.mqtt.broker or settings.mqtt.announce) and not safe:
                broker = stack.enter_context(bus(table, settings, journal.path, translate))
                devices.sources.append(broker)
                daemon.look_on(broker)
            await daemon.run(ready)
        except BaseExceptionGroup as group:  # raise our own error itself, not the group around it
            ours, other = group.split(CompanionError)
            if ours is None or other is not None:
                raise
            raise _first(ours) from group
        finally:
            devices.close()
            journal.close()


def seating(settings: Settings) -> Seating:
    """Who sees which display: a seat without one of its own shares the table's, and the display
    of a seat without a panel is public."""
    panels = settings.places
    displays = {
        display.name: tuple(seat for seat in display.seats if seat < panels)
        for display in settings.displays
    }
    served = {panel for some in displays.values() for panel in some}
    homeless = tuple(panel for panel in map(Panel, range(panels)) if panel not in served)
    public = next((name for name, some in displays.items() if not some), None)
    if public is not None and homeless:
        displays[public] = homeless if len(homeless) > 1 else (*homeless, *homeless)
    names = tuple(name.show() for name in settings.table.names)
    return Seating(panels, names, displays)


def show_demos(daemon: Daemon, pages: Web, after: float = 60.0, hurry: float = 1.0) -> None:
    """While nobody is at the table, pages show companions that play."""
    draw = partial(secrets.token_hex, 32)
    demo = Demo(daemon.table, GAMES, players, draw=draw, after=after, hurry=hurry)
    pages.desk.demo, demo.show = demo, pages.feeds.refresh
    demo.looked_at = lambda: pages.feeds.looked_at
    daemon.look_on(demo)


def twins(settings: Settings) -> bool:
    """Whether this table is only there in programs: then it may be drilled."""
    return settings.hardware.panels == settings.hardware.displays == "twin"


def web(
    daemon: Daemon,
    settings: Settings,
    journal: Path,
    opened: Callable[[str], None] = lambda _: None,
) -> Web:
    """The pages of this table; calls `opened` with their address."""
    from companion.web.desk import Desk
    from companion.web.server import Web

    language = settings.table.language
    eye = daemon.devices.eye
    for_pages = None
    if eye is not None:
        rendered = settings.eye.camera == "twin"
        for_pages = EyeForPages(eye, journal.with_name("examples"), daemon.throw, twin=rendered)
    return Web(
        Desk(
            daemon.table, GAMES, journal, settings.web, daemon.emit, daemon.drained,
            lambda panel, key: daemon.devices.press(panel, key, daemon.emit),
            twins(settings), language, speaker(language), for_pages, settings.wifi,
            {one: speaker(one) for one in languages()},
            lambda: _told(daemon.table, settings), analyst,
        ),
        opened,
    )  # fmt: skip


@contextmanager
def bus(
    table: Table, settings: Settings, journal: Path, translate: Translate
) -> Iterator[Bus | Announced]:
    """The broker of this table, or whoever looks for a venue that gives it one."""
    from companion.memory.sent import Notes
    from companion.mqtt.announced import Announced
    from companion.mqtt.bus import Bus, table_id
    from companion.mqtt.outbox import Outbox

    with closing(Notes(journal)) as notes:

        def made(mqtt: MqttSettings, fresh: bool = False) -> Bus:
            if fresh:
                notes.from_here(table.play.number)
            outbox = Outbox(journal, GAMES, table_id(mqtt))
            return Bus(mqtt, table.play, outbox, notes, translate)

        if settings.mqtt.broker:
            yield made(settings.mqtt)
        else:
            folder, host = journal.with_name("venue"), settings.web.host
            yield Announced(table_id(settings.mqtt), host, folder, made, translate)


def checkup(table: Table, settings: Settings) -> list[Finding]:
    """The doctor's findings while we run: our own devices are not touched, we know them."""
    found = list(diagnose(this_machine(), settings, Touch(lost=table.lost)))
    if (why := table.lost.get(troubles.SAFE)) is not None:
        do = text("Mend it, then sudo systemctl restart companion.")
        found.insert(0, Finding("start", text("Start-up"), "wrong", why, do))
    return found


def _told(table: Table, settings: Settings) -> list[dict[str, str]]:
    translate = speaker(settings.table.language)
    return [one.as_json(translate) for one in checkup(table, settings)]


async def _examined(daemon: Daemon, settings: Settings) -> None:
    """Tell the readers of the window; the tools of the system run beside the loop."""
    daemon.window.say({"doctor": await asyncio.to_thread(_told, daemon.table, settings)})


def _table(settings: Settings, folder: Path, clock: Clock) -> tuple[Table, Journal]:
    """The table as the journal in this folder tells it; what damage has cost is said."""
    journal, damage = open_journal(folder / JOURNAL, clock)
    try:
        table = Table(
            GAMES, journal, seating(settings), mode=settings.table.mode,
            goes_on=settings.table.goes_on, cardboard=not twins(settings), players=players,
            box=CardBox(folder / "cards"), draw=lambda: secrets.token_hex(32),
        )  # fmt: skip
    except BaseException:
        journal.close()
        raise
    table.watched.real_dice = "twin" not in (settings.eye.camera, settings.hub.port)
    if damage is not None:
        log.error("%d games were brought back; the old files: %s", damage.games, damage.kept)
        table.trouble(troubles.JOURNAL, damage.says())
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
