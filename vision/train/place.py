"""Finds places for dice that are labelled without: only where finder and label fully agree.

python -m vision.train.place DICE_FOLDER FOUND.jsonl
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.picture import bounded, load
from vision.read.reader import Hint, Judged, candidates
from vision.train.photos import WRONG, learned, places


def main(folder: Path, target: Path) -> None:
    """Writes one line for every picture whose dice could be placed."""
    cv2.setNumThreads(1)
    lines = []
    tried = 0
    for line in (folder / "labels.jsonl").read_text().splitlines():
        record = json.loads(line)
        if not record["dice"] or not learned(record) or record["source"] == "epanemu":
            continue  # epanemu is stretched: its boxes hold the side faces too
        tried += 1
        image, shrunk = bounded(load(folder / record["file"]))
        judged = sorted(candidates(image, Hint()), key=lambda one: -one.weight)
        if all(die["box"] for die in record["dice"]):
            rows = [
                [x, y, e, v, die["colour"]]
                for (x, y, e, v, *_), die in zip(places(record), record["dice"], strict=True)
            ]
        else:
            rows = placed(record, judged, shrunk)
        if not rows:
            continue
        # what the eye takes for dice and is none is the best to learn from
        for one in judged:
            x, y = one.found.x / shrunk, one.found.y / shrunk
            if all(np.hypot(x - row[0], y - row[1]) > 0.6 * row[2] for row in rows if row[3] > 0):
                rows.append([x, y, one.found.edge / shrunk, WRONG, None])
        lines.append(json.dumps({"file": record["file"], "dice": rows}))
    target.write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} of {tried} pictures placed")


def placed(record: dict[str, Any], judged: list[Judged], shrunk: float) -> list[list[Any]]:
    """The labelled dice with places, or none if eye and label differ."""
    free = list(record["dice"])
    best = judged[: len(free)]
    values = [one.value for one in best]
    if sorted(values) != sorted(die["value"] for die in free):
        return []
    if min((one.chance for one in best), default=0.0) < 0.2:
        return []
    rows = []
    for one, value in zip(best, values, strict=True):
        same = [die for die in free if die["value"] == value]
        colours = {die["colour"] for die in same}
        free.remove(same[0])
        # where two dice of one value differ in colour, which is which is not known
        colour = same[0]["colour"] if len(colours) == 1 else None
        f = one.found
        rows.append([f.x / shrunk, f.y / shrunk, f.edge / shrunk, value, colour])
    return rows


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
