"""Safe mode: after failed starts the table comes up without what may have failed, and says why."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from companion.daemon.devices import Devices, build
from companion.errors import DeviceLost, reason
from companion.ports import Display
from companion.settings.settings import Settings
from companion.views import View
from companion.words import Translate

log = logging.getLogger(__name__)

WORDS = "last-words"  # in the runtime directory, which lies in memory
RESULTS = {
    "watchdog": "the table hung, and the watchdog ended it",
    "start-limit-hit": "it failed several times in a row",
    "timeout": "it did not become ready in time",
    "oom-kill": "the memory was full",
}


def without_hardware(settings: Settings) -> Settings:
    """The same table with its displays, but no pin, camera or hub is touched; pages are on."""
    bare = tuple(replace(panel, lamp=None, buzzer=None) for panel in settings.panels)
    return replace(
        settings, panels=bare, hardware=replace(settings.hardware, panels="twin"),
        eye=replace(settings.eye, camera="off"), hub=replace(settings.hub, port="off"),
        shutdown=replace(settings.shutdown, pin=None), web=replace(settings.web, on=True),
    )  # fmt: skip


def places(settings: Settings) -> Iterator[Path]:
    """Folders for the games of safe mode, the best first; nothing that was there before is read.

    Beside the other games, where systemd gives room, in memory: a full or locked disk stops none.
    """
    folders = [settings.table.directory(), replace(settings.table, state="").directory()]
    if (words := _place(os.environ)) is not None:
        folders.append(words.parent)
    yield from dict.fromkeys(folder / "safe" for folder in folders)
    for memory in ("/dev/shm", None):
        with suppress(OSError):
            folder = Path(tempfile.mkdtemp(prefix="companion-safe-", dir=memory))
            yield folder
            shutil.rmtree(folder, ignore_errors=True)  # it could not be used either


def devices_that_work(settings: Settings, translate: Translate) -> Devices:
    """The displays, and none of them can end the daemon, whatever is wrong with it."""
    try:
        devices = build(settings, translate)
    except Exception:  # safe mode outlives any bug in a device
        log.exception("the displays cannot be made")
        return build(replace(settings, displays=()), translate)
    devices.displays = {name: _Forgiven(glass) for name, glass in devices.displays.items()}
    return devices


class _Forgiven:
    """A display whose every failure counts as a loss."""

    def __init__(self, display: Display) -> None:
        self.name = display.name
        self._display = display

    async def show(self, view: View) -> None:
        try:
            await self._display.show(view)
        except DeviceLost:
            raise
        except Exception as error:
            raise DeviceLost(f"{self.name}: {error}") from error

    def close(self) -> None:
        close = getattr(self._display, "close", None)
        if close is not None:
            close()


@contextmanager
def last_words(environment: Mapping[str, str] = os.environ) -> Iterator[None]:
    """Whatever ends the daemon is noted for safe mode: our sentence, or where the bug is."""
    place = _place(environment)
    if place is not None:
        with suppress(OSError):
            place.unlink(missing_ok=True)
    try:
        yield
    except Exception as error:
        if place is not None:
            with suppress(OSError):
                place.write_text(reason(error), encoding="utf-8")
        raise


def why(environment: Mapping[str, str] = os.environ) -> str:
    """Why the normal start failed, in one sentence."""
    place = _place(environment)
    if place is not None:
        with suppress(OSError):
            return place.read_text(encoding="utf-8", errors="replace").strip()
    result = environment.get("MONITOR_SERVICE_RESULT", "")
    if not result:
        return "it was asked for"
    return RESULTS.get(result, f"it ended with {environment.get('MONITOR_EXIT_STATUS', result)}")


def _place(environment: Mapping[str, str]) -> Path | None:
    given = environment.get("RUNTIME_DIRECTORY", "").split(":")[0]
    return Path(given) / WORDS if given else None
