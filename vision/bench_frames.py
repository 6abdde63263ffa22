"""How long the eye takes for a frame, beside the usual recipe on the same frame, on one core."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.events import Body, DiceSettled
from vision.background import boxes, change, shrunk
from vision.picture import Image
from vision.read import Hint, Reading, read
from vision.render import Finish, Scene, Stage
from vision.scenes import some_scene
from vision.settle import Read, Settle
from vision.throw import clip, rest, throw

SIZES = ((640, 480), (1296, 972))
COUNTS = (6, 8)


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


def rows(read: Read = read, times: int = 15) -> list[Row]:
    """Every line; takes about half a minute."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        found: list[Row] = []
        for size in SIZES:
            for count in COUNTS:
                found += _reading(read, size, count, times)
            found.append(_idle(size, times * 20))
        return [*found, *_event(read), _drawing()]
    finally:
        cv2.setNumThreads(threads)


def usual(image: Image) -> list[int]:
    """The usual recipe: blobs, near ones are one die, as many as they are is its value."""
    settings = cv2.SimpleBlobDetector.Params()
    settings.filterByInertia = True
    settings.minInertiaRatio = 0.6
    spots: list[tuple[float, float, float]] = []
    for colour in (0, 255):  # dark pips and light ones
        settings.blobColor = colour
        found = cv2.SimpleBlobDetector.create(settings).detect(image)
        spots += [(spot.pt[0], spot.pt[1], spot.size) for spot in found]
    if not spots:
        return []
    places = np.array(spots)
    near = np.hypot(*(places[:, None, :2] - places[None, :, :2]).transpose(2, 0, 1))
    joined = (near < 2.6 * np.median(places[:, 2])).astype(np.uint8)
    for middle in range(len(places)):  # who is near a near one is near (Warshall)
        joined |= joined[:, middle : middle + 1] & joined[middle]
    return sorted(len(group) for group in {tuple(np.flatnonzero(row)) for row in joined})


def timed(call: Callable[[], object], times: int) -> tuple[float, float]:
    """Median and 95th percentile in milliseconds."""
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
    scene = replace(scene, finish=Finish(blur=0.6 * size[0] / 640, noise=2.0))
    return scene, Stage(scene.camera, scene.light, scene.ground, scene.finish)


def _reading(read: Read, size: tuple[int, int], count: int, times: int) -> Sequence[Row]:
    scene, stage = _tray(size, count)
    rng = np.random.default_rng(0)
    empty = stage.frame([], rng)
    frame = stage.frame([die.pose() for die in scene.dice], rng)
    small, step = shrunk(frame)
    mask = change(shrunk(empty)[0], small, 8).mask
    places = boxes(mask, step, size, (), scene.camera.die)
    hint = Hint(die_px=scene.camera.die, background=empty, changed=places)
    where = f"{count} dice at {size[0]}x{size[1]}"
    peer, _ = timed(lambda: usual(frame), times)
    ours, worst = timed(lambda: read(frame, hint), times)
    lines = [Row(f"calibrated tray, {where}", ours, peer, worst=worst, beside="usual recipe")]
    if size[0] == 640:
        ours, worst = timed(lambda: read(frame, Hint()), times)
        lines.append(Row(f"no hint, {where}", ours, 150.0, worst=worst))
    return lines


def _idle(size: tuple[int, int], times: int) -> Row:
    scene, stage = _tray(size, 6)
    rng = np.random.default_rng(0)
    poses = [die.pose() for die in scene.dice]
    frames = [stage.frame(poses, rng) for _ in range(8)]
    settle, now = _still(frames), 10.0

    def look() -> None:
        nonlocal now
        now += 0.07
        settle.feed(frames[int(now / 0.07) % len(frames)], now)

    ours, worst = timed(look, times)
    return Row(f"idle frame at {size[0]}x{size[1]}", ours, 1.0, worst=worst)


def _still(frames: Sequence[Image]) -> Settle:
    """A Settle at rest over these frames, with a reader that costs nothing."""
    settle = Settle(lambda _image, _hint: Reading((), True))
    for number, frame in enumerate(frames):
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
    return (
        Row("rest to event at 15 frames/s", float(waited), 5.0, unit="frames"),
        Row("rest to event, work", spent, 1000.0),
    )


def _drawing() -> Row:
    """The twin's own frame: eight dice in flight, the dearest it ever draws."""
    scene, stage = _tray((640, 480), 8)
    rng = np.random.default_rng(2)
    act = throw((), (), scene.dice, rng)
    spent = []
    for _ in clip(stage, [act], rng, 15.0):
        spent.append(time.process_time())
    each = 1000 * np.diff(spent)
    return Row(
        "rendered frame, 8 dice thrown", float(np.median(each)), 100.0, worst=float(each.max())
    )
