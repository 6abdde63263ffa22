"""The eye's own program: a camera and `vision` joined, speaking JSON lines, killed when it stalls.

Alone:

    companion-eye photo.jpg [--draw OUT.jpg]    what it sees: a table, and drawn
    companion-eye --watch 0                     a camera; or a clip, or a folder of pictures
    companion-eye --watch clip.mp4 --json       one JSON object a line

As the daemon's child (`--child`): orders come in on standard input, one JSON object a line
(`{"do": "expect", …}`, `{"do": "render", …}`, see docs/eye.md); events, signs of life (twice a
second) and the last words go out on standard output. It ends when standard input ends.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Annotated, TypeAlias

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from companion.errors import BadState, CompanionError, DeviceLost
from companion.events import DiceNudged, DiceSettled, GridRead, SeenDie
from companion.eye_lines import Beat, Expect, Glance, Order, Render, Tiles, Trouble, order, told
from hardware.camera import PICTURES, Frames, frames
from vision.draw import draw
from vision.grid import palette_from_json
from vision.grid_watch import GridWatch
from vision.picture import Image, bounded, load
from vision.read import Hint, Reading, read
from vision.settle import Seen, Settle, snapshot
from vision.tray import Tray

Say: TypeAlias = Callable[[str], None]
TWIN = "twin"  # the tray that is not there, instead of a camera
BUSY, CALM = 12.0, 6.0  # its frames a second while something happens, and while nothing does
_BEAT = 0.5  # seconds between signs of life
_GRACE = 3.0  # seconds to end by itself when the daemon is gone
_KNOWN = (DiceSettled, DiceNudged)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    source: Annotated[
        str, typer.Argument(help="A picture; with --watch a camera's number, a clip or a folder.")
    ],
    watch: Annotated[bool, typer.Option(help="Tell rolls from frame to frame.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    drawing: Annotated[Path | None, typer.Option("--draw", help="Draw what it sees.")] = None,
    child: Annotated[bool, typer.Option(hidden=True)] = False,
    width: Annotated[int, typer.Option(help="Width of a camera's frames.")] = 640,
    height: Annotated[int, typer.Option(help="Height of a camera's frames.")] = 480,
    die: Annotated[float | None, typer.Option(help="Edge of a die in pixels, if known.")] = None,
    empty: Annotated[Path | None, typer.Option(help="A picture of the empty tray.")] = None,
    seed: Annotated[int | None, typer.Option(hidden=True)] = None,
) -> None:
    """Read physical dice from a picture, or watch them roll."""
    try:
        hint = Hint(die_px=die, background=load(empty) if empty else None)
        if child:
            Child(source, (width, height), hint, seed).run()
        elif watch:
            _watch(source, (width, height), hint, json, drawing)
        else:
            _look(source, hint, json, drawing)
    except BrokenPipeError:
        os._exit(1)  # nobody listens any more
    except CompanionError as error:
        if child:
            print(told(Trouble(str(error))), flush=True)
        print(f"companion-eye: {error}", file=sys.stderr)
        raise SystemExit(1) from error


# -- alone ---------------------------------------------------------------------------------------


def _look(source: str, hint: Hint, json: bool, drawing: Path | None) -> None:
    """One picture, or each picture of a folder by itself."""
    for number, (_, image) in enumerate(frames(source)):
        reading = read(image, hint)
        if json:
            print(told(DiceSettled(reading.dice, number, reading.accepted)), flush=True)
        else:
            _tell(reading.dice, reading.accepted, reading.doubts)
        if drawing is not None:
            _write(drawing, image, reading)


def _watch(
    source: str, size: tuple[int, int], hint: Hint, json: bool, drawing: Path | None
) -> None:
    """A camera or a clip: what happens to the dice, as it happens. Pictures: each by itself."""
    if Path(source).is_dir() or Path(source).suffix.lower() in PICTURES:
        _look(source, hint, json, drawing)
        return
    settle = Settle(read, hint)
    for now, image in frames(source, size):
        frame, _ = bounded(image)
        for event in settle.feed(frame, now):
            if json:
                print(told(event), flush=True)
            elif isinstance(event, _KNOWN):
                print(f"{now:8.2f} s  {type(event).__name__}")
                _tell(event.dice, isinstance(event, DiceSettled) and event.accepted, ())
            if drawing is not None and isinstance(event, _KNOWN):
                _write(drawing, frame, Reading(event.dice, True))


def _write(path: Path, image: Image, reading: Reading) -> None:
    """What the eye saw, as a JPEG."""
    try:
        path.write_bytes(snapshot(draw(image, reading), 2000, 90))
    except OSError as error:
        raise BadState(f"{path} cannot be written: {error.strerror}") from error


def _tell(dice: tuple[SeenDie, ...], accepted: bool, doubts: tuple[str, ...]) -> None:
    table = Table("value", "body", "sure", "or", "where", "edge", "wrong")
    for die in dice:
        table.add_row(
            str(die.value or "?"),
            die.body,
            f"{die.sure:.3f}",
            str(die.second or ""),
            f"{die.centre[0]:.0f}, {die.centre[1]:.0f}",
            f"{die.size:.0f}",
            ", ".join(die.wrong),
        )
    counts = Counter(die.body for die in dice)
    console = Console()
    console.print(table)
    shown = ", ".join(f"{count} {body}" for body, count in counts.items()) or "no dice"
    verdict = "accepted" if accepted else "would ask" + (f": {', '.join(doubts)}" if doubts else "")
    console.print(f"{shown}; sum {sum(die.value for die in dice)}; {verdict}")


# -- as the daemon's child -----------------------------------------------------------------------


class Child:
    """Frames in, lines out, orders heard between two frames."""

    def __init__(
        self,
        source: str,
        size: tuple[int, int] = (640, 480),
        hint: Hint | None = None,
        seed: int | None = None,
        say: Say | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.source, self.size = source, size
        self.settle = Settle(read, hint)
        self.tray = Tray(np.random.default_rng(seed), size) if source == TWIN else None
        self.orders: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.say = say or _print
        self.clock, self.sleep = clock, sleep
        self.frozen = False
        self._glance = False
        self._learn = False
        self._tiles: GridWatch | None = None
        self._ended = threading.Event()

    def run(self, orders: IO[str] | None = None) -> None:
        """Until the source ends or the daemon goes away."""
        try:
            self._run(orders or sys.stdin)
        finally:
            self._ended.set()

    def _run(self, stdin: IO[str]) -> None:
        threading.Thread(target=self._listen, args=(stdin,), daemon=True).start()
        begun = beaten = self.clock()
        self.say(told(Beat(0, self.settle.state, 0.0)))
        for number, (now, image) in enumerate(self._frames(), 1):
            started = self.clock()
            frame, _ = bounded(image)
            for event in self.see(frame, now):
                self.say(told(event))
            ended = self.clock()
            if ended - beaten >= _BEAT or number == 1:
                beaten = ended
                spent = round(1000 * (ended - started), 2)
                self.say(told(Beat(number, self.settle.state, spent)))
            if not self._hear():
                return
        if self.clock() - begun < 1:
            self.sleep(1.0)  # a source that ends at once is not to be restarted at full speed
        raise DeviceLost(f"{self.source} has no more frames")

    def see(self, frame: Image, now: float) -> tuple[Seen | GridRead, ...]:
        """One frame: what was asked about it, then what happened to the dice, or the tiles."""
        if self._learn:
            self._learn = False
            self.settle.learn_empty(frame)
        if self._glance:
            self._glance = False
            self.say(told(Glance(snapshot(frame, 640), (frame.shape[1], frame.shape[0]))))
        if self._tiles is not None:
            laid = self._tiles.feed(frame, now)
            return () if laid is None else (laid,)
        return self.settle.feed(frame, now)

    def obey(self, given: Order) -> bool:
        """Carry out an order; False ends the program."""
        if isinstance(given, Expect):
            self.settle.expect(given.asked, given.wanted)
        elif isinstance(given, Render):
            self._render(given)
        elif isinstance(given, Tiles):
            self._tiles = _watcher(Path(given.colours)) if given.colours else None
        elif given.do == "freeze":
            self.frozen = True
        elif given.do == "glance":
            self._glance = True
        elif given.do == "empty":
            self._learn = True
        else:
            return False
        return True

    def _render(self, given: Render) -> None:
        tray = self.tray
        if tray is None:
            raise BadState("only the twin can be rendered into; this is a real source")
        try:
            if given.throw is not None:
                tray.throw(given.throw, given.keep)
            if given.take is not None:
                tray.take(given.take)
            if given.nudge is not None:
                tray.nudge(given.nudge)
            if given.drag is not None:
                tray.drag(*given.drag)
            if given.stack is not None:
                tray.stack(*given.stack)
            if given.cock is not None:
                tray.cock(given.cock)
            if given.cover is not None:
                tray.cover(given.cover)
        except ValueError as error:
            raise BadState(str(error)) from error

    def _frames(self) -> Frames:
        if self.tray is None:
            yield from frames(self.source, self.size, live=True)
            return
        yield from self._rendered(self.tray)

    def _rendered(self, tray: Tray) -> Iterator[tuple[float, Image]]:
        due = self.clock()
        while True:
            now = self.clock()
            yield now, tray.frame(now)
            due = max(due + 1 / (BUSY if tray.busy else CALM), self.clock())
            self.sleep(max(0.0, due - self.clock()))

    def _hear(self) -> bool:
        """Obey what was said since the last frame; False: end."""
        while True:
            if self.frozen:
                self.sleep(0.1)  # a hung camera: no frame, no sign of life, until it is killed
            try:
                line = self.orders.get_nowait()
            except queue.Empty:
                if self.frozen:
                    continue
                return True
            if line is None:
                return False
            try:
                if not self.obey(order(line)):
                    return False
            except BadState as error:
                print(f"companion-eye: {error}", file=sys.stderr, flush=True)

    def _listen(self, stdin: IO[str]) -> None:
        for line in stdin:
            if line.strip():
                self.orders.put(line)
        self.orders.put(None)
        if not self._ended.wait(_GRACE):
            os._exit(1)  # the daemon is gone, and the camera hangs: nobody else would end this


def _watcher(colours: Path) -> GridWatch:
    """A watch over tiles whose colours were learnt (docs/grid.md)."""
    try:
        return GridWatch(palette_from_json(colours.read_text("utf-8")))
    except (OSError, ValueError) as error:
        raise BadState(f"{colours}: no colours of tiles: {error}") from error


def _print(line: str) -> None:
    print(line, flush=True)


def run() -> None:
    """The console script."""
    app()


if __name__ == "__main__":
    run()
