"""Pips counted the plain way on one upright face: a witness that has learned nothing."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import Image

SIDE = 64  # of the patch
MISFIT = 0.1  # in edges
REACH = 1.2  # side of the patch in edges
EDGE = SIDE / REACH
_LEVELS = (0.35, 0.5, 0.7)  # of the strongest pip
_KERNEL = np.ones((17, 17), np.uint8)  # square: fast

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pips:
    """What was counted; value 0 where no pattern of a die stands out."""

    value: int = 0
    clear: float = 0.0  # 0..1, how well the pattern fits
    light: bool = False  # light pips on a dark body


def count(patch: Image, pale: bool | None = None) -> Pips:
    """The pips on an upright face cut out by `face.patch` with this module's SIDE and REACH.

    `pale` says whether light or dark pips are looked for; None: both.
    """
    best = Pips()
    for plane in _planes(patch, pale is None):
        for light in (False, True) if pale is None else (pale,):
            hat = cv2.morphologyEx(
                plane, cv2.MORPH_TOPHAT if light else cv2.MORPH_BLACKHAT, _KERNEL
            )
            inner = np.sort(hat[8:-8:2, 8:-8:2], axis=None)
            peak = float(inner[int(0.985 * inner.size)])
            if peak < 6:
                continue
            votes: dict[int, list[float]] = {}
            for level in _LEVELS:
                spots, contrast = _spots(np.asarray(hat, np.uint8), peak * level)
                fit = pattern(spots) * contrast
                if fit > 0:
                    votes.setdefault(len(spots), []).append(fit)
            for value, fits in votes.items():
                # the same count at several levels is worth more than one lucky level
                clear = max(fits) * (0.55 + 0.2 * len(fits)) * min(1.0, peak / 20)
                if clear > best.clear:
                    best = Pips(value, min(1.0, clear), light)
    return best


def _planes(patch: Image, coloured: bool) -> list[Image]:
    """Brightness, and the direction in which the colours of the face differ most."""
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)
    if not coloured:
        return [np.asarray(cv2.GaussianBlur(grey, (3, 3), 0), np.uint8)]
    flat = patch[10:-10:2, 10:-10:2].reshape(-1, 3).astype(np.float32)
    centred = flat - flat.mean(0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    axis = axes[:, 2] * (np.sign(axes[:, 2].sum()) or 1.0)
    across = (patch.astype(np.float32) - flat.mean(0)) @ axis.astype(np.float32) + 128
    spread = np.clip(across, 0, 255).astype(np.uint8)
    return [np.asarray(cv2.GaussianBlur(p, (3, 3), 0), np.uint8) for p in (grey, spread)]


def _spots(hat: Image, level: float) -> tuple[Points, float]:
    """Centres of round spots above the level, in edges from the middle; and how alike they are."""
    binary = (hat > level).astype(np.uint8)
    number, _, stats, centres = cv2.connectedComponentsWithStats(binary, connectivity=4)
    found, areas = [], []
    sizes = stats.tolist()
    for k in range(1, number):
        _, _, w, h, area = sizes[k]
        size = area / EDGE**2
        if not 0.006 <= size <= 0.11:
            continue
        x, y = (centres[k] + 0.5 - SIDE / 2) / EDGE
        if max(abs(x), abs(y)) > 0.42:
            continue
        if max(w, h) > 2.3 * min(w, h) or area < 0.55 * w * h:
            return np.zeros((0, 2)), 0.0  # something long lies on the face: not to be counted
        found.append((x, y))
        areas.append(area)
    if not found:
        return np.zeros((0, 2)), 0.0
    alike = min(areas) / max(areas)
    return np.array(found), min(1.0, alike * 2)


def pattern(spots: Points) -> float:
    """How well these spots lie as pips lie on a die (0: not at all)."""
    number = len(spots)
    if not 1 <= number <= 6:
        return 0.0
    middle = spots.mean(0)
    off = float(np.hypot(*middle))
    if off > 0.16:
        return 0.0
    rel = spots - middle
    reach = np.hypot(rel[:, 0], rel[:, 1])
    # every pattern of a die looks the same when turned by half
    mirror = np.abs(rel[:, None] + rel[None]).max(2).min(1)
    misfit = float(mirror.max())
    if misfit > MISFIT:
        return 0.0
    central = int((reach < 0.1).sum())
    if central != number % 2 or (number > 1 and reach.max() < 0.2):
        return 0.0
    if number >= 4:
        corners = np.sort(reach)[-4:]
        if corners[0] < 0.55 * corners[3]:
            return 0.0
        if number == 6 and not _two_rows(rel):
            return 0.0
    return float((1 - misfit / MISFIT * 0.5) * (1 - off / 0.16 * 0.5))


def _two_rows(rel: Points) -> bool:
    """Six spots in two rows of three, along one axis or the other."""
    for axis in (0, 1):
        row = np.sort(rel[:, axis])
        if row[2] < -0.08 and row[3] > 0.08 and row[2] - row[0] < 0.17 and row[5] - row[3] < 0.17:
            return True
    return False
