"""Measures of Swordcrafters for `make bench`: the grid reader, whole games."""

from __future__ import annotations

import random
import statistics
import time

from companion.games.swordcrafters import SWORDCRAFTERS
from companion.games.swordcrafters.state import Options
from tests.vision.grid_scene import random_rows, scene
from tests.vision.test_grid import palette
from vision.grid.grid import read

FRAME_MS = 100  # ten looks a second are more than a grid needs
GAMES_PER_SECOND = 5


def rows() -> list[tuple[str, str, str, str]]:
    """Name, ours, the limit, ours over the limit."""
    return [reader(), playouts()]


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


def playouts(seconds: float = 2.0) -> tuple[str, str, str, str]:
    """Whole random games of three through legal and apply, on one core."""
    chance, games, start = random.Random(1), 0, time.process_time()
    while time.process_time() - start < seconds:
        state = SWORDCRAFTERS.new(3, Options(way="virtual"))
        while waiting := SWORDCRAFTERS.waiting(state):
            if waiting.chance and SWORDCRAFTERS.chance is not None:
                action = SWORDCRAFTERS.chance(state, chance.randrange)
            else:
                seat = chance.choice(waiting.seats)
                action = chance.choice(list(SWORDCRAFTERS.legal(state, seat)))
            state = SWORDCRAFTERS.apply(state, action)
        games += 1
    speed = games / (time.process_time() - start)
    limit = GAMES_PER_SECOND
    return "swords: playouts per second", f"{speed:.0f}", f"{limit}", f"{speed / limit:.1f}"
