"""Cuts photographs that may be learned from (MIT, BSD, Apache, CC BY) into scenes for the pool.

    python -m vision.train.photos DICE_FOLDER POOL [--found FOUND.jsonl]

FOUND.jsonl gives places for pictures labelled without them: {"file": ..., "dice": [[x, y, edge,
value, colour], ...]}, written by train.place where finder and label agreed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.train.pool import SIDE, packed
from vision.train.scenes import Truth

FREE = ("MIT", "BSD", "Apache", "CC BY")
KEPT_BACK = {  # scenes that are free to learn from, but measured on instead
    "damian_carpet6",
    "damian_wood456",
    "kamil_wood",
    "kamil_black_box",
    "matteo_valid",
    "bwcrop_kamil",
}
Placed = tuple[float, float, float, int, int, float]  # x, y, edge, value, body, turn or nan
WRONG = -2  # value of a place that the eye takes for a die and that is none
BODY = {"black": 0, "white": 1, None: -1}


def learned(record: dict[str, Any]) -> bool:
    """Whether the networks may see this picture while they learn."""
    if not record["licence"].startswith(FREE) or record["scene"] in KEPT_BACK:
        return False
    origin = record.get("derived_from", record["file"])
    return hashlib.sha1(origin.encode()).digest()[0] % 5 != 0 or record["source"] not in (
        "nell",
        "bwcrop",
    )


def places(record: dict[str, Any]) -> list[Placed]:
    """Centre, edge, value and body of each labelled die that has a box."""
    found = []
    for die in record["dice"]:
        x, y, w, h = die["box"]
        body = BODY.get(die["colour"], 3)
        # the box of a square turned at random is 4/pi of its edge wide on the average
        place = (x + w / 2, y + h / 2, (w + h) / 2 / 1.2)
        found.append((*place, die["value"], body, float("nan")))
    return found


def cuts(
    random: np.random.Generator,
    image: np.ndarray[Any, np.dtype[np.uint8]],
    dice: list[Placed],
    count: int,
) -> tuple[list[Any], list[Any]]:
    """Scenes of the pool's size: around dice at many scales and turns, now and then anywhere."""
    images, truths = [], []
    for _ in range(count):
        low, high = (17.0, 52.0) if random.random() < 0.85 else (8.0, 90.0)
        want = float(np.exp(random.uniform(np.log(low), np.log(high))))
        x, y, edge, *_ = dice[random.integers(len(dice))]
        scale = min(want / edge, 2.5)
        if random.random() < 0.8:
            x, y = random.uniform(-0.3, 0.3, 2) * SIDE / scale + (x, y)
        else:
            x, y = random.uniform(0, image.shape[1]), random.uniform(0, image.shape[0])
        turn = random.uniform(0, 2 * np.pi)
        c, s = np.cos(turn) * scale, np.sin(turn) * scale
        move = np.array([[c, -s, SIDE / 2 - c * x + s * y], [s, c, SIDE / 2 - s * x - c * y]])
        source = image
        if scale < 0.6:
            source = cv2.GaussianBlur(image, (0, 0), 0.42 / scale)
        edges = cv2.BORDER_REPLICATE
        images.append(
            cv2.warpAffine(source, move, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=edges)
        )
        rows = []
        for dx, dy, size, value, body, way in dice:
            px, py = move @ (dx, dy, 1.0)
            if -size < px < SIDE + size and -size < py < SIDE + size:
                rows.append(Truth(px, py, size * scale, value, body, way + turn))
        truths.append(packed(rows))
    return images, truths


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("dice", type=Path)
    ask.add_argument("pool", type=Path)
    ask.add_argument("--found", type=Path)
    ask.add_argument("--count", type=int, default=24)
    ask.add_argument("--name", default="photos")
    told = ask.parse_args()
    random = np.random.default_rng(7)
    known: dict[str, list[Placed]] = {}
    if told.found:
        for line in told.found.read_text().splitlines():
            one = json.loads(line)
            known[one["file"]] = [
                (x, y, e, v, BODY.get(colour, 3), float("nan"))
                for x, y, e, v, colour in one["dice"]
            ]
    told.pool.mkdir(parents=True, exist_ok=True)
    images: list[Any] = []
    truths: list[Any] = []
    for line in (told.dice / "labels.jsonl").read_text().splitlines():
        record = json.loads(line)
        if not record["dice"] or not learned(record) or record["source"] == "epanemu":
            continue  # epanemu is stretched: its boxes hold the side faces too
        if told.found:
            dice = known.get(record["file"], [])
        else:
            dice = places(record) if all(die["box"] for die in record["dice"]) else []
        if not dice:
            continue
        image = cv2.imread(str(told.dice / record["file"]))
        pictures, rows = cuts(random, image, dice, told.count)
        images += pictures
        truths += rows
    part = told.pool / f"{told.name}.part.npz"
    np.savez(part, images=np.stack(images), truths=np.stack(truths))
    part.rename(told.pool / f"{told.name}.npz")  # whole, or not there for a learner to read
    print(f"{len(images)} cuts")


if __name__ == "__main__":
    main()
