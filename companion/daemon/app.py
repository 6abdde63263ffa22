"""The daemon: settings, devices, table and window in one loop. The only file that sees all."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.care.doctor import ailing, diagnose
from companion.care.finding import Finding
from companion.care.machine import this_machine
from companion.care.touch import known
from companion.care.watch import Watch
from companion.daemon.clock import Clock
from companion.daemon.devices import build
from companion.daemon.loop import Daemon
from companion.daemon.safe import devices_that_work, places
from companion.errors import CompanionError, NoRoom
from companion.eye.for_pages import EyeForPages
from companion.files import alone
from companion.games import GAMES
from companion.language import speaker
from companion.memory.cardbox import CardBox
from companion.memory.journal import Journal
from companion.memory.recovery import open_journal
from companion.settings.settings import Settings
from companion.table import troubles
from companion.table.seating import Seating
from companion.table.table import Table
from companion.words import Panel, text

if TYPE_CHECKING:  # the pages take as long to import as all the rest: only if they are wanted
    from companion.web.server import Web

log = logging.getLogger(__name__)

JOURNAL = "journal.db"
LEAF = 4.0  # seconds for which the table's display shows a page before it turns to the next
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
                pages = web(daemon, settings, journal.path, opened)
                devices.sources.append(pages)
                daemon.look_on(pages)
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
    """Who sees which display: a seat without one of its own shares the table's."""
    panels = max((panel.seat for panel in settings.panels), default=-1) + 1
    displays = {display.name: display.seats for display in settings.displays}
    served = {panel for some in displays.values() for panel in some}
    homeless = tuple(panel for panel in map(Panel, range(panels)) if panel not in served)
    public = next((name for name, some in displays.items() if not some), None)
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
            lambda: [one.as_json(speaker(language)) for one in checkup(daemon.table, settings)],
        ),
        opened,
    )  # fmt: skip


def checkup(table: Table, settings: Settings) -> list[Finding]:
    """The doctor's findings while we run: our own devices are not touched, we know them."""
    found = list(diagnose(this_machine(), settings, known(table.lost)))
    if (why := table.lost.get(troubles.SAFE)) is not None:
        do = text("Mend it, then sudo systemctl restart companion.")
        found.insert(0, Finding("start", text("Start-up"), "wrong", why, do))
    return found


def _table(settings: Settings, folder: Path, clock: Clock) -> tuple[Table, Journal]:
    """The table as the journal in this folder tells it; what damage has cost is said."""
    journal, damage = open_journal(folder / JOURNAL, clock)
    try:
        table = Table(
            GAMES, journal, seating(settings), mode=settings.table.mode,
            box=CardBox(folder / "cards"),
            draw=lambda: secrets.token_hex(32),
        )  # fmt: skip
    except BaseException:
        journal.close()
        raise
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
