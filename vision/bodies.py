"""Bodies counted apart from faces: a witness for dice that nobody read."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import Point
from vision.find import Found
from vision.picture import Image

EDGE = 12.0  # pixels to an edge where bodies are looked for
TELLS = 14.0  # a body must differ this much from its ground to be looked for at all
CHANGED = 28  # difference to the empty tray that counts


def unread(
    image: Image, dice: Sequence[Found], background: Image | None = None
) -> tuple[Point, ...]:
    """Centres of bodies like those of the dice that were read, where no die was read."""
    if not dice:
        return ()
    edge = float(np.median([die.edge for die in dice]))
    scale = min(1.0, EDGE / edge)
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    free = _free(small.shape[:2], dice, scale)
    if background is not None:
        empty = cv2.resize(background, small.shape[1::-1], interpolation=cv2.INTER_AREA)
        differs = cv2.absdiff(small, empty).max(2) > CHANGED
        return _bodies(differs & free, edge * scale, scale, 0.3)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32)
    found: list[Point] = []
    done: list[NDArray[np.float32]] = []
    for die in dice:
        body, ground = _colours(lab, die, scale, free)
        apart = float(np.linalg.norm(body - ground))
        if apart < TELLS or any(np.linalg.norm(body - other) < 10 for other in done):
            continue
        done.append(body)
        near = min(30.0, 0.4 * apart)
        like = ((lab - body) ** 2).sum(2) < near * near
        found += _bodies(like & free, edge * scale, scale, 0.4)
    return tuple(found)


def _free(shape: tuple[int, int], dice: Sequence[Found], scale: float) -> NDArray[np.bool_]:
    """Where no die was read."""
    taken = np.zeros(shape, np.uint8)
    for die in dice:
        at = (round(die.x * scale), round(die.y * scale))
        cv2.circle(taken, at, max(1, round(die.edge * scale * 0.95)), 1, -1)
    return np.asarray(taken == 0)


def _colours(
    lab: NDArray[np.float32], die: Found, scale: float, free: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Colour of a die's body and of the ground around it."""
    x, y, half = die.x * scale, die.y * scale, die.edge * scale / 2
    tall, wide = lab.shape[:2]
    inner = lab[_span(y, half * 0.8, tall), _span(x, half * 0.8, wide)].reshape(-1, 3)
    outer = np.s_[_span(y, half * 3, tall), _span(x, half * 3, wide)]
    around = lab[outer][free[outer]]
    if len(around) < 8:
        around = lab[outer].reshape(-1, 3)
    return np.median(inner, 0), np.median(around, 0)


def _span(at: float, half: float, end: int) -> slice:
    low = min(max(0, int(at - half)), end - 1)
    return slice(low, max(low + 1, min(end, int(np.ceil(at + half)))))


def _bodies(mask: NDArray[np.bool_], edge: float, scale: float, least: float) -> tuple[Point, ...]:
    """Pieces of a mask that are about as big and as square as a die."""
    number, _, stats, centres = cv2.connectedComponentsWithStats(
        mask.astype(np.uint8), connectivity=4
    )
    found = []
    for k in range(1, number):
        _x, _y, w, h, area = (int(v) for v in stats[k])
        fits = 0.6 * edge <= min(w, h) and max(w, h) <= 1.9 * edge
        if fits and area >= max(least * edge**2, 0.5 * w * h):
            found.append((float(centres[k][0] / scale), float(centres[k][1] / scale)))
    return tuple(found)
