"""The eye's own program: a camera and `vision` joined, speaking JSON lines, killed when it stalls.

`python -m companion.eye.program SOURCE`, as the daemon's child: orders come in on standard input,
one JSON object a line (`{"do": "expect", …}`, `{"do": "render", …}`, see docs/eye.md); events,
signs of life (twice a second, also during a long reading) and the last words go out on standard
output. It ends when standard input ends.
People use `companion-eye` (look.py).
"""

from __future__ import annotations

import argparse
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO, TypeAlias, assert_never

import numpy as np

from companion.errors import BadState, CompanionError, DeviceLost
from companion.events import CameraTold, DiceNudged, DiceSettled, GridRead
from companion.eye.calibrating import Calibrating
from companion.eye.calibration_file import store
from companion.eye.fit import Fit
from companion.eye.protocol import (
    Answer,
    Beat,
    Calibrate,
    Expect,
    Fault,
    Glance,
    Order,
    Render,
    Simple,
    Tiles,
    Trouble,
    decode_order,
    encode,
)
from companion.eye.pulse import EVERY, Pulse
from companion.eye.twin import TwinCamera
from companion.words import text
from hardware.camera.by_name import open_camera
from hardware.camera.dead_camera import DeadCameraCheck
from hardware.camera.lens import Camera, Shot
from vision.grid.grid import palette_from_json
from vision.grid.watch import GridWatch
from vision.picture import Image, bounded
from vision.read.reader import Hint, read
from vision.rendered.tray import Tray
from vision.watch.memory import give_back
from vision.watch.settle import Settle, TrayEvent, snapshot
from vision.watch.sight import Sight

Say: TypeAlias = Callable[[str], None]
TWIN = "twin"  # the tray that is not there, instead of a camera
_QUIET = 2.0  # seconds without a move: then the roll is over, and the next one is not yet thrown
_TURN = threading.Lock()  # a line is said whole: two threads speak
_GRACE = 3.0  # seconds to end by itself when the daemon is gone


class Child:
    """Frames in, lines out, orders heard between two frames."""

    def __init__(
        self,
        source: str,
        size: tuple[int, int] | None = None,
        hint: Hint | None = None,
        seed: int | None = None,
        say: Say | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
        kept: Path | None = None,
        seen: bool = False,
    ) -> None:
        self.source, self.kept = source, kept
        self.fit = Fit()
        self._calibrating: Calibrating | None = None
        self._number = 0  # of that calibration
        self._now = 0.0  # time of the last frame
        self._frames = 0
        self.settle = Settle(read, hint)
        self.tray: Tray | None = None
        if source == TWIN:
            self.tray = Tray(np.random.default_rng(seed), size or (640, 480))
            self.camera: Camera = TwinCamera(self.tray, clock, sleep)
        else:
            self.camera = open_camera(source, size, seen)
        self.orders: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.say = say or _print
        self.clock, self.sleep = clock, sleep
        self._dead_camera = DeadCameraCheck()
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
        begun = beaten = moved = self.clock()
        spare = False
        self.say(encode(Beat(0, self.settle.state, 0.0)))
        for number, shot in enumerate(self.camera.frames(), 1):
            started = self.clock()
            if self.camera.live and (wrong := self._dead_camera.check(shot.glimpse, started)):
                raise DeviceLost(wrong)
            sight = _sight(shot)
            if number == 1:
                self._start(sight)
            for event in self.see(sight, shot.time):
                self.say(encode(event))
            self.camera.hold(self.settle.state not in ("opening", "rest"))
            self._frames, ended = number, self.clock()
            if self.settle.state != "rest":
                moved, spare = ended, True
            elif spare and ended - moved >= _QUIET:
                spare = False
                give_back()  # what the roll took
            if ended - beaten >= EVERY or number == 1:
                beaten = ended
                spent = round(1000 * (ended - started), 2)
                self.say(encode(Beat(number, self.settle.state, spent)))
            if not self._hear():
                return
        if self.clock() - begun < 1:
            self.sleep(1.0)  # a source that ends at once is not to be restarted at full speed
        raise DeviceLost(text("{source} has no more frames", source=self.source))

    def pulse(self, worker: int) -> None:
        """Say that this thread works while its frames take long; until the program ends."""
        spent = time.pthread_getcpuclockid(worker)
        pulse = Pulse(lambda: self._frames, lambda: time.clock_gettime(spent))
        while not self._ended.wait(EVERY):
            if pulse.beats(self.clock()):
                self.say(encode(Beat(self._frames, self.settle.state, 0.0)))

    def _start(self, first: Sight) -> None:
        """The camera is open: see through what was calibrated for it."""
        if self.kept is not None:
            for event in self.fit.start(self.kept, self.camera, (first.shape[1], first.shape[0])):
                self.say(encode(event))
            if self.fit.in_use:
                self.settle.refit(self.fit.hint)

    def see(
        self, frame: Image | Sight, now: float
    ) -> tuple[TrayEvent | GridRead | CameraTold, ...]:
        """One frame: what was asked about it, then what happened to the dice, or the tiles."""
        raw = frame if isinstance(frame, Sight) else Sight.of(frame)
        self._now = now
        if self._calibrating is not None:
            self._show(raw)
            return self._calibrate(self._calibrating, self._calibrating.feed(raw.whole, now))
        sight = self.fit.through(raw)
        if self._learn:
            self._learn = False
            self.settle.learn_empty(sight.whole)
        self._show(sight)
        if self._tiles is not None:
            laid = self._tiles.feed(sight.whole, now)
            return () if laid is None else (laid,)
        seen = self.settle.feed(sight, now)
        if self.tray is not None and self.tray.placed and self.settle.state == "rest":
            self.tray.seen()
            seen = tuple(_no_roll(one) for one in seen)
        if self.settle.state == "motion":
            self.fit.stirred()
            return seen
        resting = self.settle.state == "rest"
        changed = None if seen else self.fit.check(raw, self.settle.dice, now, resting)
        if changed is None:
            return seen
        self.settle.refit(self.fit.hint if self.fit.in_use else Hint())
        return (changed,)

    def _show(self, sight: Sight) -> None:
        """A picture for whoever asked to look, if somebody did."""
        if self._glance:
            self._glance = False
            size = (sight.whole.shape[1], sight.whole.shape[0])
            self.say(encode(Glance(snapshot(sight.whole, 640), size)))

    def _calibrate(
        self, under_way: Calibrating, said: tuple[CameraTold, ...]
    ) -> tuple[CameraTold, ...]:
        """Pass on what a calibration says; when it is over, see through it."""
        said = tuple(replace(one, calibration=self._number) for one in said)
        if not under_way.over:
            return said
        self._calibrating = None
        if under_way.found is not None:
            try:
                if self.kept is not None:
                    store(self.kept, under_way.found)
            except BadState as error:
                said = (*said, CameraTold("unreadable", why=str(error)))
            self.fit.use(under_way.found, self.camera)
        self.settle.refit(self.fit.hint if self.fit.in_use else Hint())
        return said

    def obey(self, given: Order) -> bool:
        """Carry out an order; False ends the program."""
        match given:
            case Expect():
                self.settle.expect(given.asked, given.wanted, given.bodies)
                if self.tray is not None:
                    self.tray.arrange(given.lying)
            case Render():
                self._render(given)
                if given.number:
                    self.say(encode(Answer(given.number)))
            case Tiles(colours=colours):
                self._tiles = _watcher(Path(colours)) if colours else None
            case Calibrate(word="start"):
                self._calibrating = Calibrating(self.camera, read, self._now)
                self._number = given.number
            case Calibrate(word=word):
                if self._calibrating is not None and given.number == self._number:
                    said = self._calibrate(self._calibrating, self._calibrating.answer(word))
                    for one in said:
                        self.say(encode(one))
            case Fault():
                if not isinstance(self.camera, TwinCamera):
                    raise BadState("only the twin fails when it is told to; this is a real source")
                self.camera.ailment = given.kind
            case Simple():
                return self._obey_simple(given)
            case _:
                assert_never(given)
        return True

    def _obey_simple(self, given: Simple) -> bool:
        match given.do:
            case "glance":
                self._glance = True
            case "empty":
                self._learn = True
            case "quit":
                return False
            case _:
                assert_never(given.do)
        return True

    def _render(self, given: Render) -> None:
        tray = self.tray
        if tray is None:
            raise BadState(text("The dice of this table are real: throw them there."))
        if given.throw is not None:
            tray.throw(given.throw, given.keep)
        if given.take is not None:
            tray.take(given.take)
        if given.clear:
            tray.clear()
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
        if given.light is not None:
            tray.set_up(given.light)
        if given.bump is not None and isinstance(self.camera, TwinCamera):
            self.camera.bumped = given.bump

    def _hear(self) -> bool:
        """Obey what was said since the last frame; False: end."""
        while True:
            try:
                line = self.orders.get_nowait()
            except queue.Empty:
                return True
            if line is None:
                return False
            given: Order | None = None
            try:
                given = decode_order(line)
                if not self.obey(given):
                    return False
            except BadState as error:
                number = given.number if isinstance(given, Render) else 0
                self.say(encode(Answer(number, error.why)))

    def _listen(self, stdin: IO[str]) -> None:
        for line in stdin:
            if line.strip():
                self.orders.put(line)
        self.orders.put(None)
        if not self._ended.wait(_GRACE):
            os._exit(1)  # the daemon is gone, and the camera hangs: nobody else would end this


def _no_roll(seen: TrayEvent) -> TrayEvent:
    """A twin's dice that a hand turned or laid in count as what lay there: they were not thrown."""
    if isinstance(seen, DiceNudged):
        return DiceSettled(seen.dice, 0, accepted=True)
    return replace(seen, roll=0) if isinstance(seen, DiceSettled) else seen


def _sight(shot: Shot) -> Sight:
    """A camera's frame as the eye takes it in."""
    if shot.small is None:
        return Sight.of(bounded(shot.whole)[0])
    (width, height), step = shot.size, round(shot.size[0] / shot.small.shape[1])
    return Sight(shot.small, step, (height, width, 3), lambda: shot.whole)


def _watcher(colours: Path) -> GridWatch:
    """A watch over tiles whose colours were learnt (docs/grid.md)."""
    try:
        return GridWatch(palette_from_json(colours.read_text("utf-8")))
    except (OSError, ValueError) as error:
        raise BadState(f"{colours}: no colours of tiles: {error}") from error


def _print(line: str) -> None:
    with _TURN:
        print(line, flush=True)


def main() -> None:
    """Watch a source for the daemon until one of them ends."""
    parser = argparse.ArgumentParser(prog="companion.eye.program", description=main.__doc__)
    parser.add_argument("source", help="a camera's number, a clip, or the twin")
    parser.add_argument("--calibration", type=Path, help="file with what was calibrated")
    parser.add_argument("--seen", action="store_true", help="this camera gave pictures before")
    parser.add_argument("--seed", type=int, help="for the twin: the same throws each time")
    given = parser.parse_args()
    try:
        child = Child(given.source, seed=given.seed, kept=given.calibration, seen=given.seen)
        worker = threading.get_ident()
        threading.Thread(target=child.pulse, args=(worker,), daemon=True).start()
        child.run()
    except BrokenPipeError:
        os._exit(1)  # nobody listens any more
    except CompanionError as error:
        print(
            encode(Trouble(error.why if isinstance(error, DeviceLost) else str(error))), flush=True
        )
        print(f"companion.eye.program: {error}", file=sys.stderr)
        raise SystemExit(1) from error


if __name__ == "__main__":
    main()
