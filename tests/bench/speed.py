"""How long does a look take: the eye beside the usual recipe, on the same rendered frames.

python -m tests.bench.speed
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from companion.events import Body
from vision.picture import Image
from vision.read.reader import Hint, read
from vision.rendered.render import render
from vision.rendered.scenes import some_scene
from vision.watch.background import boxes, change, shrunk

SIZES = ((640, 480), (1296, 972))
DICE: dict[int, tuple[Body, ...]] = {
    6: ("black",) * 3 + ("white",) * 3,
    8: ("black",) * 4 + ("white",) * 4,
}


@dataclass(frozen=True, eq=False)
class Frame:
    """A frame of a calibrated tray, and the same tray empty."""

    image: Image
    empty: Image
    before: Image  # the empty tray, small and grey
    die_px: float
    values: tuple[int, ...]


def frames(size: tuple[int, int], dice: int, count: int, seed: int = 1) -> Iterator[Frame]:
    """Rendered frames with `dice` dice."""
    random = np.random.default_rng(seed)
    for _ in range(count):
        scene = some_scene(random, DICE[dice], size)
        full = render(scene, random)
        empty = render(replace(scene, dice=()), random)
        values = tuple(sorted(die.value for die in full.dice))
        edge = float(np.median([die.size for die in full.dice]))
        yield Frame(full.image, empty.image, shrunk(empty.image)[0], edge, values)


def plain(frame: Frame) -> tuple[int, ...]:
    """The eye without any hint."""
    return read(frame.image).values


def calibrated(frame: Frame) -> tuple[int, ...]:
    """The eye of a calibrated tray: what changed is found, and only that is looked at."""
    after, step = shrunk(frame.image)
    size = (frame.image.shape[1], frame.image.shape[0])
    changed = boxes(change(frame.before, after, 12.0).mask, step, size, (), frame.die_px)
    hint = Hint(die_px=frame.die_px, background=frame.empty, changed=changed)
    return read(frame.image, hint).values


def recipe(frame: Frame) -> tuple[int, ...]:
    """The usual recipe: blobs in the grey picture, gathered into dice by their distance."""
    ask = cv2.SimpleBlobDetector.Params()
    ask.filterByInertia = True
    ask.minInertiaRatio = 0.6
    grey = cv2.medianBlur(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), 5)
    spots = []
    for colour in (0, 255):
        ask.filterByColor, ask.blobColor = True, colour
        spots += [
            (spot.pt[0], spot.pt[1]) for spot in cv2.SimpleBlobDetector.create(ask).detect(grey)
        ]
    groups: list[list[tuple[float, float]]] = []
    for spot in spots:
        near = [g for g in groups if any(_apart(spot, o) < frame.die_px * 0.6 for o in g)]
        groups = [g for g in groups if g not in near] + [[spot, *(o for g in near for o in g)]]
    return tuple(sorted(len(g) for g in groups if len(g) <= 6))


def _apart(one: tuple[float, float], other: tuple[float, float]) -> float:
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))


def measured(
    look: Callable[[Frame], tuple[int, ...]], some: list[Frame]
) -> tuple[NDArray[np.float64], float]:
    """Milliseconds for each frame on one core, and the share read exactly right."""
    for frame in some:  # loads what is loaded once: a running eye has seen cuts of every size
        look(frame)
    times, right = [], 0
    for frame in some:
        begun = time.process_time()  # of this core: other work on the machine is not counted
        values = look(frame)
        times.append((time.process_time() - begun) * 1000)
        right += values == frame.values
    return np.array(times), right / len(some)


def main(count: int = 24) -> None:
    """Prints the table."""
    cv2.setNumThreads(1)
    table = Table(title=f"Milliseconds per frame on one core, {count} rendered frames each")
    for head in ("frame", "dice", "who looks", "median", "p95", "exactly right"):
        table.add_column(head, justify="right")
    ways = (("no hint", plain), ("calibrated tray", calibrated), ("usual recipe", recipe))
    for size in SIZES:
        for dice in DICE:
            some = list(frames(size, dice, count))
            for name, look in ways:
                times, right = measured(look, some)
                median, late = np.percentile(times, [50, 95])
                row = (f"{size[0]}x{size[1]}", str(dice), name)
                table.add_row(*row, f"{median:.1f}", f"{late:.1f}", f"{right:.0%}")
    Console().print(table)


if __name__ == "__main__":
    main()
