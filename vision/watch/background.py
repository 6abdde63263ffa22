"""What changed in the tray since it last lay still: cheap enough to ask of every frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import SeenDie
from vision.picture import Image
from vision.read.reader import Box

_WIDE = 160  # the small grey picture that is compared
_LEAST = 3  # changed pixels of it that are no longer noise
_EDGE = 0.25  # share of an edge's height that may flicker
_NEAR = np.ones((3, 3), np.uint8)
_RELIT = 8.0  # grey levels that half of a picture differs by when its light changes
_HAND = 3.0  # dice that fit into the smallest hand
_ARM = 1.8  # edges of a die that the thinnest arm is wide


def shrunk(image: Image) -> tuple[Image, int]:
    """A small grey copy, and how many pixels became one."""
    step = max(1, round(image.shape[1] / _WIDE))
    size = (max(1, image.shape[1] // step), max(1, image.shape[0] // step))
    small: NDArray[Any] = image[: size[1] * step, : size[0] * step]  # whole steps are far faster
    if step > 2:  # halving is fast; of a big picture a quarter of the pixels is enough
        twice = (2 * size[0], 2 * size[1])
        small = cv2.resize(small, twice, interpolation=cv2.INTER_LINEAR)
    if step > 1:
        small = cv2.resize(small, size, interpolation=cv2.INTER_AREA)
    if small.ndim == 3:
        small = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    return np.asarray(small, np.uint8), step


@dataclass
class Noise:
    """How much two pictures of the same thing differ, learned from frame to frame."""

    level: float | None = None  # deviation in grey levels, once it is known

    @property
    def bound(self) -> float:
        """Grey levels that noise does not reach."""
        return min(40.0, max(8.0, 2 + 5.5 * (1.0 if self.level is None else self.level)))

    def learn(self, before: Image, after: Image) -> None:
        """Take in two frames; half of the picture may move, what is still tells the noise."""
        counts = np.bincount(cv2.absdiff(before, after).ravel(), minlength=256)
        below = np.cumsum(counts)
        half = float(np.interp(below[-1] / 2, below, np.arange(256) + 0.5))
        if half < _RELIT:  # else the light itself changed
            seen = half / 0.6745  # half of all normal numbers lie within 0.6745 deviations
            self.level = seen if self.level is None else self.level + 0.1 * (seen - self.level)


@dataclass(frozen=True, eq=False)
class Change:
    """Where two small pictures differ."""

    mask: Image
    area: int  # pixels of the small picture

    def __bool__(self) -> bool:
        return self.area >= _LEAST


def slack(small: Image) -> Image:
    """What sharp edges may flicker by themselves: codecs and focus tremble there."""
    steep = cv2.morphologyEx(small, cv2.MORPH_GRADIENT, _NEAR)
    return np.asarray(cv2.convertScaleAbs(steep, alpha=_EDGE), np.uint8)


def change(before: Image, after: Image, bound: float, spare: Image | None = None) -> Change:
    """Where the small picture `after` differs from `before` by more than noise.

    `spare` is the slack of `before`, where it is known already.
    """
    apart = cv2.subtract(cv2.absdiff(before, after), slack(before) if spare is None else spare)
    _, mask = cv2.threshold(apart, bound, 1, cv2.THRESH_BINARY)
    if cv2.countNonZero(mask):
        crowd = cv2.boxFilter(mask, -1, (3, 3), normalize=False)
        mask[crowd < 2] = 0  # a pixel alone is noise: dice and hands are bigger
        mask *= 255
    return Change(np.asarray(mask, np.uint8), int(cv2.countNonZero(mask)))


def relit(before: Image, after: Image) -> Image:
    """`before` as the light of `after` would show it: lamps dim and cameras adapt."""
    bright = before > 16
    if np.count_nonzero(bright) < bright.size // 20:
        return before
    ratio = after[bright].astype(np.float32) / before[bright]
    gain = float(np.clip(np.median(ratio), 0.4, 2.5))
    if abs(gain - 1) < 0.02:
        return before
    return np.asarray(np.clip(before * np.float32(gain), 0, 255), np.uint8)


def hand_in(mask: Image, step: int, die: float | None) -> bool:
    """Whether something far bigger than a die reaches in broadly over the edge of the picture.

    Broadly: the shadow of a die near the edge crosses it, too, but no wider than the die.
    """
    edge = die / step if die else mask.shape[1] * 0.08
    count, stats, labels = _parts(mask)
    sides = (labels[0], labels[-1], labels[:, 0], labels[:, -1])
    for part in range(1, count):
        if int(stats[part][4]) > _HAND * edge * edge and any(
            _longest(side == part) > _ARM * edge for side in sides
        ):
            return True
    return False


def boxes(
    mask: Image, step: int, size: tuple[int, int], dice: Sequence[SeenDie], die: float | None
) -> tuple[Box, ...]:
    """Boxes (of the whole picture, width and height `size`) that hold every change.

    A known die that a box touches lies in it whole, so that it is read again and not cut.
    """
    margin = (die or size[0] * 0.08) * 0.5
    count, stats, _ = _parts(mask)
    found: list[tuple[float, float, float, float]] = []
    for part in range(1, count):
        x, y, wide, tall, area = (int(n) for n in stats[part])
        if area >= 2:
            left, top = x * step - margin, y * step - margin
            found.append((left, top, (x + wide) * step + margin, (y + tall) * step + margin))
    rooms = [_room(each) for each in dice]
    merged = _merged(found, rooms)
    width, height = size
    clipped = []
    for left, top, right, bottom in merged:
        a, b = max(0, int(left)), max(0, int(top))
        c, d = min(width, int(np.ceil(right))), min(height, int(np.ceil(bottom)))
        if c > a and d > b:
            clipped.append((a, b, c - a, d - b))
    return tuple(sorted(clipped))


def within(die: SeenDie, places: Sequence[Box]) -> bool:
    """Whether the die's middle lies in one of the boxes."""
    x, y = die.centre
    return any(a <= x <= a + w and b <= y <= b + h for a, b, w, h in places)


def patched(background: Image | None, image: Image, dice: Sequence[SeenDie]) -> Image | None:
    """The empty tray, renewed wherever no die nor its shadow lies; None while parts are unseen."""
    if background is None or background.shape != image.shape:
        return image.copy() if not dice else None
    keep = np.zeros(image.shape[:2], np.uint8)
    for die in dice:
        centre = (round(die.centre[0]), round(die.centre[1]))
        cv2.circle(keep, centre, round(die.size * 1.6), 255, -1)
    fresh = image.copy()
    fresh[keep > 0] = background[keep > 0]
    return fresh


def _longest(flags: NDArray[np.bool_]) -> int:
    """The longest unbroken run."""
    ends = np.flatnonzero(np.diff(np.concatenate(([0], flags.astype(np.int8), [0]))))
    return int((ends[1::2] - ends[::2]).max(initial=0))


def _parts(mask: Image) -> tuple[int, NDArray[np.int32], NDArray[np.int32]]:
    """Connected parts, the ground the first: how many, x, y, width, height, area; which where."""
    grown = cv2.dilate(mask, _NEAR)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(grown)
    return count, np.asarray(stats, np.int32), np.asarray(labels, np.int32)


def _room(die: SeenDie) -> tuple[float, float, float, float]:
    (x, y), half = die.centre, die.size * 0.95  # its side faces and its shadow included
    return (x - half, y - half, x + half, y + half)


def _merged(
    found: list[tuple[float, float, float, float]],
    rooms: list[tuple[float, float, float, float]],
) -> list[tuple[float, float, float, float]]:
    """Overlapping boxes become one, dice that they touch included, until nothing overlaps."""
    pending, done = list(found), list[tuple[float, float, float, float]]()
    spare = list(rooms)
    while pending:
        box = pending.pop()
        for other in [*pending, *done, *spare]:
            if box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]:
                for group in (pending, done, spare):
                    if other in group:
                        group.remove(other)
                        break
                low = min(box[0], other[0]), min(box[1], other[1])
                pending.append((*low, max(box[2], other[2]), max(box[3], other[3])))
                break
        else:
            done.append(box)
    return done
