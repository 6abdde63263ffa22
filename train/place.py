"""Finds places for dice that are labelled without: only where finder and label fully agree.

python -m train.place DICE_FOLDER FOUND.jsonl
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cv2
import numpy as np

from train.photos import learned
from vision.picture import bounded, load
from vision.read import Hint, look


def main(folder: Path, target: Path) -> None:
    """Writes one line for every picture whose dice could be placed."""
    cv2.setNumThreads(1)
    lines = []
    tried = 0
    for line in (folder / "labels.jsonl").read_text().splitlines():
        record = json.loads(line)
        dice = record["dice"]
        if not dice or not learned(record) or all(die["box"] for die in dice):
            continue
        tried += 1
        image, shrunk = bounded(load(folder / record["file"]))
        judged = sorted(look(image, Hint()), key=lambda one: -one.chance)[: len(dice)]
        values = [int(np.argmax(one.worth[1:])) + 1 for one in judged]
        if sorted(values) != sorted(die["value"] for die in dice):
            continue
        if min((one.chance for one in judged), default=0.0) < 0.2:
            continue
        free = list(dice)
        rows = []
        for one, value in zip(judged, values, strict=True):
            same = [die for die in free if die["value"] == value]
            colours = {die["colour"] for die in same}
            free.remove(same[0])
            # where two dice of one value differ in colour, which is which is not known
            colour = same[0]["colour"] if len(colours) == 1 else None
            f = one.found
            rows.append([f.x / shrunk, f.y / shrunk, f.edge / shrunk, value, colour])
        lines.append(json.dumps({"file": record["file"], "dice": rows}))
    target.write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} of {tried} pictures placed")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
