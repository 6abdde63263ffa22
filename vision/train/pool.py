"""Draws scenes into files, a few hundred each, so that drawing and learning run side by side.

python -m vision.train.pool FOLDER SEED COUNT
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np

from vision.train.scenes import Truth, scene

SIDE = 192
PER_FILE = 250
MOST = 48  # dice in one scene


def packed(truths: list[Truth]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Truths as rows (x, y, edge, value, body, turn), padded with edge 0."""
    rows = np.zeros((MOST, 6), np.float32)
    for row, t in zip(rows, truths, strict=False):
        row[:] = (t.x, t.y, t.edge, t.value, t.body, t.turn)
    return rows


def main(folder: str, seed: int, count: int) -> None:
    """Writes `count` files of drawn scenes."""
    cv2.setNumThreads(1)
    random = np.random.default_rng(seed)
    Path(folder).mkdir(parents=True, exist_ok=True)
    for number in range(count):
        images, truths = [], []
        for _ in range(PER_FILE):
            wide = random.random() < 0.22
            low, high = (8.0, 130.0) if wide else (17.0, 54.0)
            edge = float(np.exp(random.uniform(np.log(low), np.log(high))))
            image, seen = scene(random, SIDE, edge)
            images.append(image)
            truths.append(packed(seen))
        target = Path(folder) / f"drawn-{seed}-{number:04}.npz"
        part = target.with_suffix(".part.npz")
        np.savez(part, images=np.stack(images), truths=np.stack(truths))
        part.rename(target)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
