"""Rendered trays for the pool: the slow, faithful pictures beside the quick ones.

python -m vision.train.trays POOL SEED COUNT
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np

from companion.events import Body
from vision.rendered.render import render
from vision.rendered.scenes import cocked, some_scene
from vision.train.photos import cuts
from vision.train.scenes import BODIES

KINDS: tuple[Body, ...] = ("black", "white", "blue", "other")
PER_TRAY = 8


def main(folder: str, seed: int, count: int) -> None:
    """Renders `count` trays and cuts each into several scenes."""
    cv2.setNumThreads(1)
    random = np.random.default_rng(seed)
    images, truths = [], []
    for number in range(count):
        size = int(random.integers(4, 13))
        bodies = [KINDS[k] for k in random.choice(4, size, p=[0.4, 0.36, 0.2, 0.04])]
        touching = float(random.choice([0.0, 0.35]))
        made = some_scene(random, bodies, touching=touching)
        if random.random() < 0.1 and made.dice:
            made = cocked(made, random)
        picture = render(made, random)
        dice = []
        for die in picture.dice:
            step = np.subtract(die.outline[1], die.outline[0])
            turn = float(np.arctan2(step[1], step[0]))
            value = -1 if {"cut", "stacked"} & set(die.wrong) else die.value
            dice.append((*die.centre, die.size, value, BODIES.index(die.body), turn))
        if not dice:
            continue
        some, rows = cuts(random, picture.image, dice, PER_TRAY)
        images += some
        truths += rows
        if number % 50 == 49 or number == count - 1:
            target = Path(folder) / f"trays-{seed}-{number:04}.npz"
            part = target.with_suffix(".part.npz")
            np.savez(part, images=np.stack(images), truths=np.stack(truths))
            part.rename(target)
            images, truths = [], []


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
