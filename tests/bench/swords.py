"""Measures of Swordcrafters for `make bench`: the grid reader."""

from __future__ import annotations

import random
import statistics
import time

from tests.vision.grid_scene import random_rows, scene
from tests.vision.test_grid import palette
from vision.grid.grid import read

FRAME_MS = 100  # ten looks a second are more than a grid needs


def rows() -> list[tuple[str, str, str, str]]:
    """Name, ours, the limit, ours over the limit."""
    return [reader()]


def reader(grids: int = 30) -> tuple[str, str, str, str]:
    """One rendered frame of 640 by 480 read whole, on one core."""
    pictures = []
    for seed in range(grids):
        rng = random.Random(seed)
        pictures.append(scene(random_rows(rng, 3 + seed % 2), rng))
    colours = palette()
    read(pictures[0], colours)
    took = []
    for picture in pictures:
        start = time.process_time()
        read(picture, colours)
        took.append((time.process_time() - start) * 1000)
    middle = statistics.median(took)
    return (
        "swords: grid reader, ms a frame",
        f"{middle:.1f}",
        f"{FRAME_MS}",
        f"{middle / FRAME_MS:.2f}",
    )
