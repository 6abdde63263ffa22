"""Weighs the signs of confidence on labelled pictures and writes vision/read/confidence.json.

python -m vision.train.calibrate DICE_FOLDER
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import load
from vision.read import confidence
from vision.read.reader import Reading, examine
from vision.score import Label, labels
from vision.train.photos import learned

UNOPENED = {"piotrowy", "jimt", "marceli", "king"}
"""Sources that nothing was tuned on; half of krajzys is kept back, too."""

Floats = NDArray[np.float64]


def held_out(label: Label) -> bool:
    """Whether a picture was kept from every kind of tuning."""
    odd = hashlib.sha1(label.scene.encode()).digest()[0] % 2 == 1
    return label.source in UNOPENED or (label.source == "krajzys" and odd)


def right(label: Label, reading: Reading) -> list[bool]:
    """For each die read, whether it is one of the label's, the surest first served."""
    free = list(label.values)
    told = [False] * len(reading.dice)
    for k in sorted(range(len(told)), key=lambda k: -reading.dice[k].sure):
        if reading.dice[k].value in free:
            free.remove(reading.dice[k].value)
            told[k] = True
    return told


def fit(x: Floats, y: Floats, rounds: int = 60, pull: float = 1.0) -> Floats:
    """Logistic regression by Newton's method, pulled gently to zero; the base comes last."""
    x = np.hstack([x, np.ones((len(x), 1))])
    w = np.zeros(x.shape[1])
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        gradient = x.T @ (p - y) + pull * w
        bend = (x * (p * (1 - p))[:, None]).T @ x + pull * np.eye(len(w))
        w -= np.linalg.solve(bend, gradient)
    return w


def _lines(folder: Path) -> list[str]:
    return [line for line in (folder / "labels.jsonl").read_text().splitlines() if line.strip()]


def main(folder: Path) -> None:
    """Fits, prints how well sureness and truth agree, writes the weights."""
    cv2.setNumThreads(1)
    rows, truths = [], []
    for label, line in zip(labels(folder), _lines(folder), strict=True):
        if held_out(label) or learned(json.loads(line)) or label.source in ("fudw", "epanemu"):
            continue
        reading, signs = examine(load(folder / label.file), label.hint())
        rows += signs
        truths += right(label, reading)
    x, y = np.array(rows, np.float64), np.array(truths, np.float64)
    w = fit(x, y)
    p = 1 / (1 + np.exp(-(np.hstack([x, np.ones((len(x), 1))]) @ w)))
    print(f"{len(y)} dice, {int((1 - y).sum())} wrong")
    for low, high in ((0, 0.5), (0.5, 0.8), (0.8, 0.9), (0.9, 0.96), (0.96, 0.99), (0.99, 1.01)):
        here = (p >= low) & (p < high)
        if here.any():
            print(f"sure {low:.2f}..{high:.2f}: {here.sum()} dice, right {y[here].mean():.4f}")
    named = dict(zip(confidence.SIGNS, (round(float(v), 4) for v in w[:-1]), strict=True))
    path = Path(confidence.__file__).with_name("confidence.json")
    kept = json.loads(path.read_text())["accept"]
    told = {"signs": named, "base": round(float(w[-1]), 4), "accept": kept}
    path.write_text(json.dumps(told, indent=1) + "\n")
    print(path.read_text())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
