"""Leaning dice through the real eye: how many it asks about, how many flat ones it takes for such.

    python -m tests.bench.leaning [TRAYS] [FIRST SEED]

Rendered trays as the product sees them (calibrated, several frames). In two of three the last die
leans by itself, against the rim or against another die, by 15 to 40 degrees.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from math import radians

import cv2
import numpy as np

from companion.events import Body
from tests.bench.rendered import AFTER, BEFORE, MIXES, Thrown, calibrated
from vision.rendered.layout import truth
from vision.rendered.render import Stage
from vision.rendered.scenes import Support, cocked, some_scene

SUPPORTS: tuple[Support, ...] = ("nothing", "rim", "die")
TILTS = (radians(15), radians(40))


def tray(seed: int) -> tuple[Thrown, Support | None]:
    """The tray of this seed and what its last die leans against; None: all lie flat."""
    rng = np.random.default_rng((seed, 4))
    black, white = MIXES[int(rng.integers(len(MIXES)))]
    counts: dict[Body, int] = {"black": black, "white": white, "blue": int(rng.integers(3))}
    bodies = [body for body, count in counts.items() for _ in range(count)]
    rng.shuffle(bodies)
    scene = some_scene(rng, bodies, touching=0.25 if rng.random() < 0.5 else 0.0)
    against = SUPPORTS[seed // 3 % 3] if seed % 3 else None
    if against is not None:
        scene = cocked(scene, rng, against, TILTS)
    stage = Stage(scene.camera, scene.light, scene.ground, scene.finish)
    full, bare = stage.linear([die.pose() for die in scene.dice]), stage.linear([])
    die_px = scene.camera.die * float(np.exp(rng.uniform(-0.12, 0.12)))
    before = (stage.develop(bare, rng) for _ in range(BEFORE))
    frames = (stage.develop(full, rng) for _ in range(AFTER))
    empty, image = stage.develop(bare, rng), stage.develop(full, rng)
    return Thrown(truth(scene.dice, scene.camera), empty, before, die_px, frames, image), against


def run(seeds: Iterable[int]) -> Counter[str]:
    """Counts by what a die leans against: trays, asked; of flat trays also dice and called so."""
    told: Counter[str] = Counter()
    for seed in seeds:
        thrown, against = tray(seed)
        reading = calibrated(thrown)
        kind = against or "flat"
        told[f"{kind} trays"] += 1
        told[f"{kind} asked"] += not reading.accepted
        if against is None:
            told["flat dice"] += len(reading.dice)
            told["flat dice called leaning"] += sum("cocked" in die.wrong for die in reading.dice)
    return told


if __name__ == "__main__":
    cv2.setNumThreads(1)
    trays, first, *_ = (*map(int, sys.argv[1:]), *(90, 8_000_000)[len(sys.argv) - 1 :])
    print(*sorted(run(range(first, first + trays)).items()), sep="\n")
