"""Commands that speak to a running table through its window: calibrate, drill, ask how it is."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

from companion.daemon.drills import drill as find
from companion.errors import BadState, CompanionError, DeviceLost
from companion.events import CAMERA_STEPS
from companion.memory.codec import json_line

Say: TypeAlias = Callable[[str], None]
Ask: TypeAlias = Callable[[str], Awaitable[bool]]
"""Asks a person; True is yes, or simply Enter."""

NOTICED, HEALED = 45.0, 90.0  # seconds that a drill waits for the glass
EXAMINED = 30.0  # seconds that a companion may take to look at itself


class Window:
    """The other end of the daemon's socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.notices: dict[str, str] = {}  # what stands on each glass besides the game

    def send(self, asked: dict[str, Any]) -> None:
        """Ask the daemon for something."""
        self._writer.write(json_line(asked).encode() + b"\n")

    async def hear(self) -> dict[str, Any]:
        """The next thing that it says."""
        told = await self._reader.readline()
        if not told:
            raise DeviceLost("the companion has stopped")
        said = dict(json.loads(told))
        if "display" in said:
            self.notices[said["display"]] = said["notice"]
        return said


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[Window]:
    """Attached to the daemon behind this socket."""
    try:
        reader, writer = await asyncio.open_unix_connection(path, limit=1 << 20)
    except OSError as error:
        raise CompanionError(f"no companion runs at {path.parent}: start one first") from error
    try:
        yield Window(reader, writer)
    finally:
        writer.close()


async def ask_doctor(path: Path) -> list[dict[str, str]] | None:
    """What the doctor finds inside the companion that runs; None: none runs, or it is silent."""
    try:
        async with asyncio.timeout(EXAMINED), opened(path) as window:
            window.send({"doctor": True})
            while "doctor" not in (told := await window.hear()):
                pass
            return list(told["doctor"])
    except (CompanionError, TimeoutError):
        return None


async def calibrate(path: Path, twin: bool, say: Say, ask: Ask) -> None:
    """Lead a person through a calibration; an error says why there is none."""
    async with opened(path) as window:
        window.send({"camera": "start"})
        step: dict[str, Any] = {}
        try:
            while True:
                told = await window.hear()
                if "throw" in told:  # nothing was moved: the same step again
                    say(told["says"])
                step = told if "camera" in told else step
                if ("camera" in told or ("throw" in told and step)) and await _step(
                    window, step, twin, say, ask
                ):
                    return
        except (asyncio.CancelledError, BadState):  # whoever calibrates has left
            window.send({"camera": "stop"})
            raise


async def _step(window: Window, told: dict[str, Any], twin: bool, say: Say, ask: Ask) -> bool:
    """One step; True when it is done."""
    step, says = told["camera"], told["says"]
    if step == "done":
        say(says)
        return True
    if step in ("failed", "stopped"):
        raise CompanionError(says)
    if step not in CAMERA_STEPS:
        return False
    seen = f" Seen: {', '.join(told['dice'])}." if told["dice"] else ""
    say(f"{CAMERA_STEPS[step]} of {max(CAMERA_STEPS.values())}: {says}{seen}")
    if step == "check":
        window.send({"camera": "right" if await ask("Rightly read?") else "wrong"})
    elif step == "clear" and told["dice"] and not twin:
        if await ask("Is the tray empty all the same?"):
            window.send({"camera": "empty"})
    elif twin and (step in ("throw", "again") or told["dice"]):
        await ask("Simulated dice: Enter moves them.")
        window.send({"throw": True})
    return False


async def drill(path: Path, name: str, say: Say) -> None:
    """Break something, wait until a glass says so, mend it, wait until that is gone."""
    chosen = find(name)
    async with opened(path) as window:
        window.send({"drill": [name, False]})
        say(chosen.about)
        began = time.monotonic()
        try:
            said = await _noticed(window, chosen.press)
            say(f"The glass says, after {time.monotonic() - began:.1f} s: {said}")
        finally:
            window.send({"drill": [name, True]})
        began = time.monotonic()
        await _healed(window, said, chosen.press)
        say(f"Healed {time.monotonic() - began:.1f} s after the cause was gone.")


async def _noticed(window: Window, press: bool) -> str:
    """What stands on a glass that did not before."""
    before: dict[str, str] | None = None
    try:
        async with asyncio.timeout(NOTICED):
            while True:
                told = await window.hear()
                if "refused" in told:
                    raise CompanionError(told["refused"])
                if told.get("did") == "broken":
                    before = dict(window.notices)
                    if press:
                        window.send({"press": [0, "select"]})
                new = told.get("notice", "")
                if before is not None and new and new != before.get(told["display"]):
                    return str(new)
    except TimeoutError:
        raise CompanionError(f"no glass said anything for {NOTICED:g} s") from None


async def _healed(window: Window, said: str, press: bool) -> None:
    """Until no glass says it any more."""
    mended = False
    try:
        async with asyncio.timeout(HEALED):
            while True:
                told = await window.hear()
                if told.get("did") == "mended":
                    mended = True
                    if press:
                        window.send({"press": [0, "next"]})
                if mended and said not in window.notices.values():
                    return
    except TimeoutError:
        raise CompanionError(f"the glass still says it after {HEALED:g} s: {said}") from None
