"""Panels and glass in the terminal: keys are the buttons, screens are drawn with characters."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import shutil
import socket
import subprocess
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from companion.errors import CompanionError
from companion.events import KEYS, Key
from companion.memory.codec import json_line
from hardware.glass.blocks import braille, half_blocks
from hardware.glass.frame import unpack

ROWS = ("qwer", "uiop", "asdf", "hjkl", "zxcv")  # previous, next, select, back of each panel
ARROWS: dict[str, Key] = {
    "\x1b[D": "previous", "\x1b[A": "previous", "\x1b[C": "next", "\x1b[B": "next",
    "\r": "select", "\n": "select", "\x7f": "back", "\x08": "back", "\x1b": "back",
}  # fmt: skip
THROW = "t"  # the simulated dice, when a roll is asked for
QUIT = ("\x03", "\x04", "Q")
HELP = (
    "Tab: next panel   arrows: previous, next   Enter: select   Backspace: back",
    "t: throw the dice   Ctrl-C: leave   or the letters above each screen",
)


@dataclass
class Screens:
    """What the terminal shows: the newest frame of every display, and whose keys the arrows are."""

    frames: dict[str, bytes] = field(default_factory=dict)
    panels: dict[str, list[int]] = field(default_factory=dict)
    says: dict[str, list[str]] = field(default_factory=dict)
    refused: str = ""  # why no dice were thrown
    plain: bool = False  # words instead of pictures
    focus: int = 0

    def take(self, message: bytes) -> None:
        """A line from the window."""
        told = json.loads(message)
        if "throw" in told:
            self.refused = told["says"]
        if "display" not in told:
            return
        self.frames[told["display"]] = base64.b64decode(told["frame"])
        self.panels[told["display"]] = told["panels"]
        self.says[told["display"]] = told["says"]

    def drawn(self, columns: int, rows: int) -> list[str]:
        """The screens as lines, as large and as many as the terminal holds; the focus always."""
        names = sorted(self.frames, key=lambda name: (self.panels[name], name))
        foot = (self.refused, HELP[1]) if self.refused else HELP
        room = rows - len(foot)
        lines = self._all(names, columns, room)
        if len(lines) > room:  # what is left out is whole screens; Tab brings them here
            mine = sorted(names, key=lambda name: self.focus not in self.panels[name])
            fits = [
                n for n in range(1, len(mine)) if len(self._all(mine[:n], columns, room)) <= room
            ]
            lines = self._all(mine[: fits[-1] if fits else 1], columns, room)[:room]
        return [text[:columns] for text in (*lines, *foot)]

    def _all(self, names: list[str], columns: int, rows: int) -> list[str]:
        if self.plain:
            return [row for name in names for row in (self._label(name, columns), *self.says[name])]
        fine, width, across = False, 128, max(1, (columns + 1) // 129)
        if -(-len(names) // across) * 33 > rows:  # too few lines for 32 a screen
            fine, width, across = True, 64, max(1, (columns + 1) // 65)
        lines: list[str] = []
        for start in range(0, len(names), across):
            some = names[start : start + across]
            lines.append(" ".join(self._label(name, width) for name in some))
            drawn = [_cells(self.frames[name], fine) for name in some]
            lines += [" ".join(cells) for cells in zip(*drawn, strict=True)]
        return lines

    def _label(self, name: str, width: int) -> str:
        keys = "  ".join(" ".join(ROWS[panel]) for panel in self.panels[name])
        mark = "▶ " if self.focus in self.panels[name] else "  "
        return f"{mark}{name}  {keys}".ljust(width)[:width]

    def key(self, typed: str) -> tuple[int, Key] | None:
        """The button that a key is, or None; Tab moves the arrows to the next panel."""
        every = sorted({panel for panels in self.panels.values() for panel in panels})
        if typed == "\t" and every:
            self.focus = every[(every.index(self.focus) + 1) % len(every)]
            return None
        if typed in ARROWS:
            return self.focus, ARROWS[typed]
        for panel, row in enumerate(ROWS):
            if typed in row and typed and panel in every:
                return panel, KEYS[row.index(typed)]
        return None


@lru_cache(maxsize=32)  # of many screens only one changes with a key
def _cells(frame: bytes, fine: bool) -> tuple[str, ...]:
    """A frame in characters, every row as wide as the glass."""
    glass = unpack(frame)
    rows = (braille(glass) if fine else half_blocks(glass)).split("\n")
    return tuple(row.ljust(64 if fine else 128) for row in rows)


async def watch(window: Path, plain: bool = False) -> None:
    """Attach to the daemon behind this socket until the user leaves."""
    try:
        reader, writer = await asyncio.open_unix_connection(window)
    except OSError as error:
        raise CompanionError(f"no companion runs at {window.parent}: start one first") from error
    screens, loop = Screens(plain=plain), asyncio.get_running_loop()
    left = loop.create_future()

    def typed() -> None:
        keys = os.read(sys.stdin.fileno(), 64).decode(errors="ignore")
        screens.refused = ""
        for key in _split(keys):
            if key in QUIT and not left.done():
                left.set_result(None)
            elif key == THROW:
                writer.write(b'{"throw":true}\n')
            elif (button := screens.key(key)) is not None:
                writer.write(json_line({"press": button}).encode() + b"\n")
        _paint(screens)

    with _raw_terminal():
        loop.add_reader(sys.stdin, typed)
        hearing = asyncio.create_task(_hear(reader, screens))
        try:
            await asyncio.wait({hearing, left}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            loop.remove_reader(sys.stdin)
            hearing.cancel()
            writer.close()
    if not left.done():
        raise CompanionError("the companion has stopped")


async def _hear(reader: asyncio.StreamReader, screens: Screens) -> None:
    while message := await reader.readline():
        screens.take(message)
        _paint(screens)


def _paint(screens: Screens) -> None:
    size = shutil.get_terminal_size()
    lines = screens.drawn(size.columns, size.lines)
    sys.stdout.write("\x1b[H" + "\x1b[K\r\n".join(lines) + "\x1b[K\x1b[J")
    sys.stdout.flush()


def _split(typed: str) -> Iterator[str]:
    """Keys out of what was read at once; an arrow is three characters."""
    while typed:
        length = 3 if typed.startswith("\x1b[") and len(typed) > 2 else 1
        yield typed[:length]
        typed = typed[length:]


@contextmanager
def _raw_terminal() -> Iterator[None]:
    if not sys.stdin.isatty():
        raise CompanionError("companion glass needs a terminal")
    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    quiet = termios.tcgetattr(sys.stdin)
    quiet[3] &= ~termios.ISIG  # Ctrl-C is a key here
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, quiet)
    sys.stdout.write("\x1b[?1049h\x1b[?25l")
    try:
        yield
    finally:
        sys.stdout.write("\x1b[?25h\x1b[?1049l")
        sys.stdout.flush()
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def answers(path: Path) -> bool:
    """A socket whose daemon was killed stays behind and answers nobody."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            return probe.connect_ex(str(path)) == 0
        except OSError:  # a path too long for a socket
            return False


@contextmanager
def own_daemon(arguments: list[str], window: Path, log: Path) -> Iterator[None]:
    """A daemon of our own for as long as the terminal shows it, unless one runs already."""
    if answers(window):
        yield
        return
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        said_to = log.open("ab")
    except OSError as error:
        raise CompanionError(f"you may not write {log.parent}: {error.strerror}") from error
    with said_to as noise:
        child = subprocess.Popen(
            [sys.executable, "-m", "companion", *arguments],
            stdout=subprocess.PIPE, stderr=noise, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            print("The table starts ...", file=sys.stderr, flush=True)
            ready = child.stdout.readline() if child.stdout else b""
            if not ready:
                said = log.read_text(errors="replace").strip().splitlines()
                raise CompanionError(said[-1] if said else "the companion did not start")
            yield
        finally:
            child.terminate()
            with suppress(subprocess.TimeoutExpired):
                child.wait(5)
            child.kill()
            child.wait()
