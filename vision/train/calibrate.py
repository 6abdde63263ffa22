"""Is the sureness honest: the weights of vision/read/confidence.json on composed trays and photos.

python -m vision.train.calibrate DICE_FOLDER [COMPOSED TRAYS [DIAGRAM.png]]
"""

from __future__ import annotations

import hashlib
import json
import sys
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import SeenDie
from vision.picture import load
from vision.read import confidence
from vision.read.reader import Hint, Reading, examine
from vision.score import Label, labels
from vision.train.compose import THINGS, compose
from vision.train.cutouts import Parts, parts
from vision.train.diagram import BINS, bins, diagram
from vision.train.photos import FREE, learned

UNOPENED = {"piotrowy", "jimt", "marceli", "king"}
"""Sources that nothing was tuned on; half of krajzys is kept back, too."""

FIRST = 7_000_000  # seed of the composed trays

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


def fit(x: Floats, y: Floats, start: Floats, rounds: int = 300, pull: float = 3.0) -> Floats:
    """Logistic regression by Newton's method; the base comes last.

    Pulled gently to the weights at the start: few dice are misread, so few tell anything.
    """
    x = np.hstack([x, np.ones((len(x), 1))])
    w = start.copy()
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        gradient = x.T @ (p - y) + pull * (w - start)
        steep = np.maximum(p * (1 - p), 0.02)  # else the first steps leap far where all is sure
        bend = (x * steep[:, None]).T @ x + pull * np.eye(len(w))
        w -= np.linalg.solve(bend, gradient)
    return w


def composed(pool: Parts, count: int) -> tuple[list[Floats], list[bool]]:
    """Signs of dice in composed trays, and whether each is read right, its colour included."""
    rows, truths = list[Floats](), list[bool]()
    for seed in range(count):
        rng = np.random.default_rng(seed)
        kind = THINGS[seed % len(THINGS)] if seed % 10 == 0 else None
        tray = compose(FIRST + seed, pool, kind)
        hint = Hint(die_px=tray.die_px, background=tray.empty(rng))
        reading, signs = examine(tray.frame(rng), hint)
        for die, some in zip(reading.dice, signs, strict=True):
            if {"round", "joined"} & set(die.wrong):
                continue  # asked about whatever its sureness
            near = [one for one in tray.dice if _apart(one, die) < 0.4]
            rows.append(np.asarray(some, np.float64))
            truths.append(bool(near) and _same(near[0], die))
    return rows, truths


def photographed(folder: Path) -> tuple[list[Floats], list[bool]]:
    """Signs of dice in photographs that may be learned from and that no network has seen."""
    rows, truths = list[Floats](), list[bool]()
    lines = (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines if line.strip()]
    for label, record in zip(labels(folder), records, strict=True):
        free = str(record["licence"]).startswith(FREE) and not learned(record)
        if not free or held_out(label) or label.source == "epanemu":
            continue
        reading, signs = examine(load(folder / label.file), label.hint())
        rows += [np.asarray(some, np.float64) for some in signs]
        truths += right(label, reading)
    return rows, truths


def _apart(one: SeenDie, two: SeenDie) -> float:
    way = np.hypot(one.centre[0] - two.centre[0], one.centre[1] - two.centre[1])
    return float(way) / one.size


def _same(truth: SeenDie, die: SeenDie) -> bool:
    """Print has no value for the eye."""
    return truth.body == die.body and truth.value in (0, die.value)


def main(folder: Path, count: int = 1000, picture: Path | None = None) -> None:
    """Prints and draws how well the shipped sureness and truth agree, and what a new fit says."""
    cv2.setNumThreads(1)
    given = confidence.weights()
    both = {
        "composed trays": composed(parts(folder, "fitting"), count),
        "photographs": photographed(folder),
    }
    told: dict[str, list[tuple[float, bool]]] = {}
    for name, (rows, truths) in both.items():
        sures = [confidence.sure(np.asarray(row, np.float32), given) for row in rows]
        told[name] = list(zip(sures, truths, strict=True))
        print(f"{name}: {len(truths)} dice, {len(truths) - sum(truths)} wrong")
        for (low, high), one in zip(pairwise(BINS), bins(told[name]), strict=True):
            if one:
                print(f"sure {low:.2f}..{high:.2f}: {one[0]} dice, right {one[1] / one[0]:.4f}")
    if picture:
        cv2.imwrite(str(picture), diagram(told))
    x = np.array([row for rows, _ in both.values() for row in rows], np.float64)
    y = np.array([one for _, truths in both.values() for one in truths], np.float64)
    shipped = np.array([*given.signs, given.base])
    fresh = fit(x, y, shipped)
    for sign, was, now in zip((*confidence.SIGNS, "base"), shipped, fresh, strict=True):
        print(f"{sign}: {was:.4f}, fitted anew {now:.4f}")


if __name__ == "__main__":
    given, trays, drawn, *_ = (*sys.argv[1:], *("1000", "")[len(sys.argv) - 2 :])
    main(Path(given), int(trays), Path(drawn) if drawn else None)
