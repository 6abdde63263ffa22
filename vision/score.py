"""How well was a picture read: labels against readings, counted."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from companion.errors import BadState
from companion.events import Point
from vision.read.reader import Hint, Reading

BLACK_AND_WHITE = frozenset({"black", "white"})


@dataclass(frozen=True, slots=True)
class Label:
    """One labelled picture; the form is that of the collection's labels.jsonl."""

    file: str
    source: str
    tier: str
    scene: str
    values: tuple[int, ...]
    colours: tuple[str | None, ...]
    boxes: tuple[tuple[float, float, float, float] | None, ...]
    circle: tuple[float, float, float] | None
    die_px: float | None

    @property
    def black_and_white(self) -> bool:
        """Whether only black and white dice lie there (or none at all)."""
        return all(colour in BLACK_AND_WHITE for colour in self.colours)

    def hint(self, scale_known: bool = False) -> Hint:
        """What the reader may know beforehand."""
        return Hint(die_px=self.die_px if scale_known else None, circle=self.circle)


@dataclass(frozen=True, slots=True)
class Score:
    """One picture, scored."""

    label: Label
    values: tuple[int, ...]
    accepted: bool
    doubts: tuple[str, ...]
    exact: bool
    dice_right: int  # found where they lie (where places are known) and read right
    bodies_right: int  # of the black and white dice
    bodies: int
    milliseconds: float


@dataclass
class Sum:
    """Figures over many pictures."""

    pictures: int = 0
    exact: int = 0
    accepted: int = 0
    accepted_wrong: int = 0
    dice: int = 0
    dice_right: int = 0
    bodies: int = 0
    bodies_right: int = 0
    times: list[float] = field(default_factory=list)

    def add(self, score: Score) -> None:
        """Counts one more picture."""
        self.pictures += 1
        self.exact += score.exact
        self.accepted += score.accepted
        self.accepted_wrong += score.accepted and not score.exact
        self.dice += len(score.label.values)
        self.dice_right += score.dice_right
        self.bodies += score.bodies
        self.bodies_right += score.bodies_right
        self.times.append(score.milliseconds)

    def figures(self) -> dict[str, float | int | None]:
        """Everything as plain numbers; shares are None where there is nothing to share."""
        median, late = np.percentile(self.times, [50, 95]) if self.times else (0.0, 0.0)
        return {
            "pictures": self.pictures,
            "exact": self.exact,
            "exact_share": _share(self.exact, self.pictures),
            "accepted": self.accepted,
            "accepted_share": _share(self.accepted, self.pictures),
            "accepted_wrong": self.accepted_wrong,
            "accepted_wrong_share": _share(self.accepted_wrong, self.accepted),
            "dice": self.dice,
            "dice_right_share": _share(self.dice_right, self.dice),
            "bodies": self.bodies,
            "bodies_right_share": _share(self.bodies_right, self.bodies),
            "ms_median": round(float(median), 2),
            "ms_p95": round(float(late), 2),
        }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 5) if whole else None


def labels(folder: Path) -> list[Label]:
    """The labels of a folder of pictures."""
    path = folder / "labels.jsonl"
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as why:
        raise BadState(f"{path}: {why.strerror or why}") from why
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found.append(_label(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError) as why:
            raise BadState(f"{path}, line {number}: not a label ({why!r})") from why
    return found


def _label(record: dict[str, Any]) -> Label:
    dice = record["dice"]
    return Label(
        record["file"],
        record.get("source", ""),
        record.get("tier", "A"),
        record.get("scene", ""),
        tuple(int(die["value"]) for die in dice),
        tuple(die.get("colour") for die in dice),
        tuple(tuple(die["box"]) if die.get("box") else None for die in dice),
        tuple(record["roi_circle"]) if record.get("roi_circle") else None,
        record.get("die_px"),
    )


def score(label: Label, reading: Reading, milliseconds: float) -> Score:
    """One reading held against its label."""
    exact = reading.values == tuple(sorted(label.values))
    pairs = _pairs(label, reading)
    right = bodies = bodies_right = 0
    if pairs is None:  # no places: as many as the two collections have in common
        seen: Counter[tuple[int, str]] = Counter((die.value, die.body) for die in reading.dice)
        right = sum((Counter(label.values) & Counter(die.value for die in reading.dice)).values())
        wanted: Counter[tuple[int, str]] = Counter()
        for value, colour in zip(label.values, label.colours, strict=True):
            if colour in BLACK_AND_WHITE and any(die.value == value for die in reading.dice):
                wanted[value, str(colour)] += 1
        for value in range(1, 7):  # of dice not found there is no colour to judge
            here = {c: wanted[value, c] for c in BLACK_AND_WHITE}
            found = sum(n for (v, _), n in seen.items() if v == value)
            total = sum(here.values())
            others = sum(
                v == value and c not in BLACK_AND_WHITE
                for v, c in zip(label.values, label.colours, strict=True)
            )
            judged = min(total, max(0, found - others)) if others else min(total, found)
            bodies += judged
            bodies_right += min(judged, sum(min(n, seen[value, c]) for c, n in here.items()))
    else:
        for index, die in pairs:
            good = reading.dice[die].value == label.values[index]
            right += good
            colour = label.colours[index]
            if colour in BLACK_AND_WHITE:
                bodies += 1
                bodies_right += reading.dice[die].body == colour
    return Score(
        label,
        reading.values,
        reading.accepted,
        reading.doubts,
        exact,
        right,
        bodies_right,
        bodies,
        milliseconds,
    )


def _pairs(label: Label, reading: Reading) -> list[tuple[int, int]] | None:
    """Labelled dice with the found die that lies in their box; None where places are unknown."""
    if not label.boxes or any(box is None for box in label.boxes):
        return None
    free = set(range(len(reading.dice)))
    pairs = []
    for index, box in enumerate(label.boxes):
        if box is None:
            continue
        x, y, w, h = box
        near = [(_off(reading.dice[k].centre, x, y, w, h), k) for k in free]
        inside = min((n for n in near if n[0] <= 1), default=None)
        if inside is not None:
            free.discard(inside[1])
            pairs.append((index, inside[1]))
    return pairs


def _off(centre: Point, x: float, y: float, w: float, h: float) -> float:
    """How far from the middle of a box, 1 being its border."""
    return max(abs(centre[0] - x - w / 2) / (w / 2), abs(centre[1] - y - h / 2) / (h / 2))
