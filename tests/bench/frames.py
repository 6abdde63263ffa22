"""What a frame costs, line by line for `make bench`: reading, idling, rest to event, drawing."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.events import Body, DiceSettled
from tests.bench.speed import DICE, SIZES, calibrated, frames, measured, plain, recipe
from vision.picture import Image
from vision.read.reader import Reading, read
from vision.rendered.render import Finish, Scene, Stage
from vision.rendered.scenes import some_scene
from vision.rendered.throw import clip, rest, throw
from vision.watch.settle import Read, Settle


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the benchmark: ours against a peer or a limit, both in the same unit."""

    name: str
    ours: float
    peer: float
    unit: str = "ms"
    worst: float | None = None  # our 95th percentile
    beside: str = "limit"  # what the peer is

    @property
    def ratio(self) -> float:
        """Ours divided by theirs; under 1 is good."""
        return self.ours / self.peer


def rows(times: int = 12) -> list[Row]:
    """Every line, on one core; takes about half a minute."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        reading = [row for size in SIZES for row in _reading(size, times)]
        idle = [_idle(size, times * 25) for size in SIZES]
        return [*reading, *idle, *_event(read), _drawing()]
    finally:
        cv2.setNumThreads(threads)


def _reading(size: tuple[int, int], times: int) -> Sequence[Row]:
    """A calibrated tray beside the usual recipe; a small picture without any hint."""
    lines = []
    for dice in DICE:
        some = list(frames(size, dice, times))
        where = f"{dice} dice at {size[0]}x{size[1]}"
        peer = float(np.median(measured(recipe, some)[0]))
        middle, late = np.percentile(measured(calibrated, some)[0], [50, 95])
        told = f"calibrated tray, {where}"
        lines.append(Row(told, float(middle), peer, worst=float(late), beside="usual recipe"))
        if size == SIZES[0]:
            middle, late = np.percentile(measured(plain, some)[0], [50, 95])
            lines.append(Row(f"no hint, {where}", float(middle), 150.0, worst=float(late)))
    return lines


def _timed(call: Callable[[], object], times: int) -> tuple[float, float]:
    """Median and 95th percentile in milliseconds of this core."""
    call()
    spent = []
    for _ in range(times):
        begun = time.process_time()
        call()
        spent.append(1000 * (time.process_time() - begun))
    return float(np.median(spent)), float(np.percentile(spent, 95))


def _tray(size: tuple[int, int], count: int) -> tuple[Scene, Stage]:
    rng = np.random.default_rng(count)
    kinds: list[Body] = ["black", "white"]
    bodies = [kinds[i % 2] for i in range(count)]
    scene = some_scene(rng, bodies, size=size, stuff="felt", rim="round")
    scene = replace(scene, finish=Finish(blur=0.6 * size[0] / 640, noise=2.0, jpeg=0))
    return scene, Stage(scene.camera, scene.light, scene.ground, scene.finish)


def _idle(size: tuple[int, int], times: int) -> Row:
    scene, stage = _tray(size, 6)
    rng = np.random.default_rng(0)
    poses = [die.pose() for die in scene.dice]
    some = [stage.frame(poses, rng) for _ in range(8)]
    settle, now = _still(some), 10.0

    def look() -> None:
        nonlocal now
        now += 0.07
        settle.feed(some[int(now / 0.07) % len(some)], now)

    ours, worst = _timed(look, times)
    return Row(f"idle frame at {size[0]}x{size[1]}", ours, 1.0, worst=worst)


def _still(some: Sequence[Image]) -> Settle:
    """A Settle at rest over these frames, with a reader that costs nothing."""
    settle = Settle(lambda _image, _hint: Reading((), True))
    for number, frame in enumerate(some):
        settle.feed(frame, number * 0.1)
    if settle.state != "rest":
        raise ValueError("the tray does not come to rest")
    return settle


def _event(read: Read, rate: float = 15.0) -> Sequence[Row]:
    """From the first frame in which the dice rest to the event: frames, and work done in them."""
    scene, stage = _tray((640, 480), 6)
    rng = np.random.default_rng(1)
    settle = Settle(read)
    act = throw((), (), scene.dice, rng)
    waited, spent = 0, 0.0
    for frame in clip(stage, [rest((), 1.0), act, rest(scene.dice, 2.0)], rng, rate):
        begun = time.process_time()
        events = settle.feed(frame.image, frame.time)
        if frame.dice:
            waited += 1
            spent += 1000 * (time.process_time() - begun)
        if any(isinstance(event, DiceSettled) for event in events):
            break
    waiting = 1000 * waited / rate
    return (
        Row(f"rest to event at {rate:.0f} frames/s", float(waited), 4.0, unit="frames"),
        Row("rest to event, waiting and work", waiting + spent, 500.0),
    )


def _drawing() -> Row:
    """The twin's own frame: eight dice in flight, the dearest it ever draws."""
    scene, stage = _tray((640, 480), 8)
    rng = np.random.default_rng(2)
    shown = clip(stage, [throw((), (), scene.dice, rng)], rng, 15.0)
    ours, worst = _timed(lambda: next(shown), 14)
    return Row("rendered frame, 8 dice thrown", ours, 100.0, worst=worst)
