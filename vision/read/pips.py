"""Pips counted the plain way on upright faces: a witness that has learned nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from statistics import median
from typing import TypeAlias

import cv2
import numpy as np

from vision.picture import Image

SIDE = 64  # of the patch
MISFIT = 0.1  # in edges
REACH = 1.2  # side of the patch in edges
EDGE = SIDE / REACH
GLINT = 0.85  # a light spot in the middle this much darker than its fellows is no pip
_MIDDLE = 0.15  # edges from the middle of a face to where a lamp's glint passes for a middle pip
_LEVELS = (0.35, 0.5, 0.7)  # of the strongest pip
_KERNEL = np.ones((17, 17), np.uint8)  # square: fast
_SMALLEST, _BIGGEST = 0.006 * EDGE**2, 0.11 * EDGE**2  # of a pip, in pixels
_FAR = 0.42 * EDGE  # pixels from the middle of a face to that of a pip at most
_ROWS = SIDE + 1  # a black line between two faces keeps their spots apart

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Pips:
    """What was counted; value 0 where no pattern of a die stands out."""

    value: int = 0
    clear: float = 0.0  # 0..1, how well the pattern fits
    light: bool = False  # light pips on a dark body
    glint: bool = False  # a lamp glints in the place of a middle pip


@dataclass(frozen=True, slots=True)
class Spot:
    """A round spot on a face: edges from the middle, pixels, how bright it is."""

    at: Point
    area: int
    bright: float


@dataclass(frozen=True, slots=True, eq=False)
class _Plane:
    """One way to look at a face: what stands out from it, lighter or darker."""

    face: int
    light: bool
    flat: Image
    hat: Image
    peak: float


def count(patch: Image, pale: bool | None = None) -> Pips:
    """The pips on one upright face."""
    return counts([patch], [pale])[0]


def counts(patches: Sequence[Image], pales: Sequence[bool | None]) -> list[Pips]:
    """The pips on upright faces cut out by `face.patch` with this module's SIDE and REACH.

    `pales` says of each whether light or dark pips are looked for; None: both.
    """
    best = [Pips()] * len(patches)
    planes = [
        plane
        for face, (patch, pale) in enumerate(zip(patches, pales, strict=True))
        for plane in _planes(face, patch, pale)
        if plane.peak >= 6
    ]
    for plane, levels in zip(planes, _spots(planes), strict=True):
        votes: dict[int, list[list[Spot]]] = {}
        glint = False
        for spots in levels:
            seen = _without_glint(spots) if pales[plane.face] else spots
            glint |= seen is not spots
            votes.setdefault(len(seen), []).append(seen)
        for value, same in votes.items():
            fits = (pattern([spot.at for spot in seen]) * _alike(seen) for seen in same if seen)
            # the same count at several levels is worth more than one lucky level
            worth = (0.55 + 0.2 * len(same)) * min(1.0, plane.peak / 20)
            clear = next((fit for fit in fits if fit > 0), 0.0) * worth
            if clear > best[plane.face].clear:
                best[plane.face] = Pips(value, min(1.0, clear), plane.light, glint)
    return best


def _planes(face: int, patch: Image, pale: bool | None) -> list[_Plane]:
    """Brightness, and the direction in which the colours of the face differ most."""
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)
    flat = [grey] if pale is not None else [grey, _spread(patch)]
    found = []
    for each in flat:
        plane = cv2.GaussianBlur(each, (3, 3), 0)
        for light in (False, True) if pale is None else (pale,):
            way = cv2.MORPH_TOPHAT if light else cv2.MORPH_BLACKHAT
            hat = np.asarray(cv2.morphologyEx(plane, way, _KERNEL), np.uint8)
            inner = hat[8:-8:2, 8:-8:2].reshape(-1)
            place = int(0.985 * inner.size)
            peak = float(np.partition(inner, place)[place])
            found.append(_Plane(face, light, np.asarray(plane, np.uint8), hat, peak))
    return found


def _spread(patch: Image) -> Image:
    """The colours of a face along the axis on which they differ most."""
    flat = patch[10:-10:2, 10:-10:2].reshape(-1, 3).astype(np.float32)
    centred = flat - flat.mean(0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    axis = axes[:, 2] * (np.sign(axes[:, 2].sum()) or 1.0)
    across = (patch.astype(np.float32) - flat.mean(0)) @ axis.astype(np.float32) + 128
    return np.asarray(np.clip(across, 0, 255), np.uint8)


def _spots(planes: Sequence[_Plane]) -> list[list[list[Spot]]]:
    """For each plane and level the round spots; none where something long lies on the face.

    All planes are laid one below the other, so that one look finds every spot.
    """
    found: list[list[list[Spot]]] = [[[] for _ in _LEVELS] for _ in planes]
    if not planes:
        return found
    sheet = np.zeros((len(planes), len(_LEVELS), _ROWS, SIDE), np.uint8)
    for plane, part in zip(planes, sheet, strict=True):
        for level, room in zip(_LEVELS, part, strict=True):
            cv2.threshold(plane.hat, plane.peak * level, 1, cv2.THRESH_BINARY, room[:SIDE])
    flat = sheet.reshape(-1, SIDE)
    _, _, stats, centres = cv2.connectedComponentsWithStats(flat, connectivity=4)
    areas, middles = stats[1:, 4], np.abs(centres[1:, 0] + 0.5 - SIDE / 2)
    fits = (areas >= _SMALLEST) & (areas <= _BIGGEST) & (middles <= _FAR)
    some = np.flatnonzero(fits) + 1
    long: set[tuple[int, int]] = set()
    for (_, _, w, h, area), (x, y) in zip(
        stats[some].tolist(), centres[some].tolist(), strict=True
    ):
        room, row = divmod(y, _ROWS)
        across, down = x + 0.5 - SIDE / 2, row + 0.5 - SIDE / 2
        if abs(down) > _FAR:
            continue
        place, level = divmod(int(room), len(_LEVELS))
        if max(w, h) > 2.3 * min(w, h) or area < 0.55 * w * h:
            long.add((place, level))
        bright = float(planes[place].flat[int(row), int(x)])
        found[place][level].append(Spot((across / EDGE, down / EDGE), area, bright))
    for place, level in long:
        found[place][level] = []
    return found


def _without_glint(spots: list[Spot]) -> list[Spot]:
    """Lamps glint in the middle of shiny dark faces, darker than paint: no pip.

    A pip that a lamp glints upon is as bright as its fellows, though it stands out less.
    """
    middle = [spot for spot in spots if hypot(*spot.at) < _MIDDLE]
    if len(middle) != 1 or len(spots) < 3:
        return spots
    others = [spot for spot in spots if spot is not middle[0]]
    paint = median(spot.bright for spot in others)
    return others if middle[0].bright < GLINT * paint else spots


def _alike(spots: Sequence[Spot]) -> float:
    """How alike in size the spots are."""
    areas = [spot.area for spot in spots]
    return min(1.0, 2 * min(areas) / max(areas))


def pattern(spots: Sequence[Point]) -> float:
    """How well these spots lie as pips lie on a die (0: not at all)."""
    number = len(spots)
    if not 1 <= number <= 6:
        return 0.0
    x0, y0 = sum(x for x, _ in spots) / number, sum(y for _, y in spots) / number
    off = hypot(x0, y0)
    if off > 0.16:
        return 0.0
    rel = [(x - x0, y - y0) for x, y in spots]
    # every pattern of a die looks the same when turned by half
    places = np.array(rel)
    misfit = float(np.abs(places[:, None] + places).max(2).min(1).max())
    if misfit > MISFIT:
        return 0.0
    reach = sorted(hypot(x, y) for x, y in rel)
    central = sum(each < 0.1 for each in reach)
    if central != number % 2 or (number > 1 and reach[-1] < 0.2):
        return 0.0
    if number >= 4 and reach[-4] < 0.55 * reach[-1]:
        return 0.0
    if number == 6 and not _two_rows(rel):
        return 0.0
    return (1 - misfit / MISFIT * 0.5) * (1 - off / 0.16 * 0.5)


def _two_rows(rel: Sequence[Point]) -> bool:
    """Six spots in two rows of three, along one axis or the other."""
    for axis in (0, 1):
        row = sorted(spot[axis] for spot in rel)
        if row[2] < -0.08 and row[3] > 0.08 and row[2] - row[0] < 0.17 and row[5] - row[3] < 0.17:
            return True
    return False
