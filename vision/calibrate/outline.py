"""Where is the tray: the first edge around its floor, round or a box; how to straighten it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import Point
from vision.picture import Image
from vision.watch.sight import Straight

WIDE = 320  # pixels of the picture in which the edge is looked for
RAYS = 180  # directions from the middle
STEPS = 1.0  # rings per pixel
LEAST = 7.0  # difference in colour (Lab) that can be an edge
CLEAR = 5.0  # times the floor's own unrest
BORDER = 7.0  # pixels from the picture's border in which nothing is believed
NEAR = 0.015  # of the width that an edge may lie off the fitted line
ENOUGH = 0.7  # of all directions must agree
MARGIN = 0.04  # of the tray that is kept around it: a die that leans on the wall is seen whole

Floats = NDArray[np.float32]
_WEIGHTS = np.array([0.8, 1.2, 1.2], np.float32)  # lightness counts less than colour: it falls off
_SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)


@dataclass(frozen=True, slots=True)
class Outline:
    """The tray's floor in the picture: its corners, or points around the circle."""

    kind: Literal["round", "box"]
    corners: tuple[Point, ...]  # of the box, or of the square around the circle; clockwise
    points: tuple[Point, ...]  # what to draw


def outline(image: Image) -> Outline | None:
    """The tray around the middle of the picture, or None where there is no clear edge."""
    scale = image.shape[1] / WIDE
    size = (WIDE, max(1, round(image.shape[0] / scale)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    edge = _edge(np.asarray(small, np.uint8))
    if len(edge) < ENOUGH * RAYS:
        return None
    fits = [fit for fit in (_circle(edge), _box(edge)) if fit is not None]
    if not fits:
        return None
    share, kind, corners, points = max(fits, key=lambda fit: fit[0])
    if share < ENOUGH:
        return None
    return Outline(kind, _scaled(corners, scale), _scaled(points, scale))


def straightening(tray: Outline, size: tuple[int, int]) -> Straight:
    """How to see this tray from straight above, about as big as it is in the picture."""
    corners = np.array(tray.corners, np.float32)
    across = (_far(corners, 0, 1) + _far(corners, 3, 2)) / 2
    along = (_far(corners, 0, 3) + _far(corners, 1, 2)) / 2
    if tray.kind == "round":
        across = along = max(across, along)
    margin = MARGIN * max(across, along)
    wide, tall = across + 2 * margin, along + 2 * margin
    grow = min(1.0, size[0] / wide, size[1] / tall)  # never bigger than the picture it comes from
    block = 16
    width, height = (max(block, round(side * grow / block) * block) for side in (wide, tall))
    x, y = width / wide, height / tall
    square = np.array(
        [
            [margin * x, margin * y],
            [(margin + across) * x, margin * y],
            [(margin + across) * x, (margin + along) * y],
            [margin * x, (margin + along) * y],
        ],
        np.float32,
    )
    matrix = cv2.getPerspectiveTransform(corners, square)
    return Straight(np.asarray(matrix, np.float64), (width, height))


def _edge(small: Image) -> Floats:
    """Where each direction from the middle first meets another colour, (n, 2)."""
    tall, wide = small.shape[:2]
    lab = cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    lab = cv2.GaussianBlur(lab, (0, 0), 1.2)
    middle, reach = (wide / 2, tall / 2), float(np.hypot(wide, tall)) / 2
    rings = int(reach * STEPS)
    how = cv2.WARP_POLAR_LINEAR | cv2.INTER_LINEAR | cv2.WARP_FILL_OUTLIERS
    polar = cv2.warpPolar(lab, (rings, RAYS), middle, reach, how)
    inside = cv2.warpPolar(np.ones((tall, wide), np.float32), (rings, RAYS), middle, reach, how)
    polar = np.asarray(cv2.blur(polar, (1, 3)), np.float32)
    total = np.cumsum(np.pad(polar, ((0, 0), (1, 0), (0, 0))), axis=1)
    before, after = 10, 4  # rings that are compared
    at = np.arange(before, rings - after)
    inner = (total[:, at] - total[:, at - before]) / before
    outer = (total[:, at + after] - total[:, at]) / after
    apart = np.linalg.norm((outer - inner) * _WEIGHTS, axis=2)
    apart[inside[:, at + after - 1] < 0.99] = 0
    calm = apart[:, : max(4, int(min(wide, tall) * 0.3 * STEPS) - before)]
    limit = max(LEAST, CLEAR * float(np.median(calm)))
    found = []
    for ray in range(RAYS):
        over = np.flatnonzero(apart[ray] > limit)
        if over.size:
            first = int(over[0])
            ring = first + int(np.argmax(apart[ray, first : first + 8])) + before
            turn = 2 * np.pi * ray / RAYS
            far = ring / rings * reach
            found.append((middle[0] + far * np.cos(turn), middle[1] + far * np.sin(turn)))
    points = np.array(found, np.float32).reshape(-1, 2)
    clear = (points > BORDER).all(1) & (points < np.array([wide, tall]) - BORDER).all(1)
    return points[clear]  # what the picture's own border cuts off is no edge of the tray


Fit = tuple[float, Literal["round", "box"], Floats, Floats]


def _circle(edge: Floats) -> Fit | None:
    """An ellipse through most of the points: a circle seen at a slant."""
    kept = edge
    for _ in range(4):
        if len(kept) < 12:
            return None
        (x, y), (wide, tall), turn = cv2.fitEllipse(kept)
        if min(wide, tall) < 0.2 * WIDE or max(wide, tall) > 1.6 * min(wide, tall):
            return None
        angle = np.deg2rad(turn)
        across = np.array([np.cos(angle), np.sin(angle)], np.float32)
        along = np.array([-across[1], across[0]], np.float32)
        middle = np.array([x, y], np.float32)
        off = edge - middle
        u, v = off @ across / (wide / 2), off @ along / (tall / 2)
        away = np.abs(np.hypot(u, v) - 1) * (wide + tall) / 4
        kept = edge[away < max(NEAR * WIDE, float(np.median(away)))]
    share = float((away < NEAR * WIDE).mean()) * len(edge) / RAYS
    # What makes the ellipse of a circle, without turning the picture.
    stretch = np.outer(across, across) * wide / 2 + np.outer(along, along) * tall / 2
    turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    ring = middle + np.stack([np.cos(turns), np.sin(turns)], 1) @ stretch
    corners = middle + _SQUARE @ stretch
    return share, "round", np.asarray(corners, np.float32), np.asarray(ring, np.float32)


def _box(edge: Floats) -> Fit | None:
    """Four straight sides through most of the points; its corners may be rounded."""
    box = cv2.boxPoints(cv2.minAreaRect(cv2.convexHull(edge)))
    middle = box.mean(0)
    lines = []
    near = np.zeros(len(edge), bool)
    for side in range(4):
        a, b = box[side], box[(side + 1) % 4]
        way = (b - a) / max(1e-6, float(np.linalg.norm(b - a)))
        normal = np.array([-way[1], way[0]], np.float32)
        normal = normal if float((a - middle) @ normal) > 0 else -normal
        along = (edge - a) @ way / max(1e-6, float(np.linalg.norm(b - a)))
        depth = (edge - middle) @ normal / max(1e-6, float((a - middle) @ normal))
        own = edge[(along > 0.12) & (along < 0.88) & (depth > 0.6)]
        if len(own) < 8:
            return None
        for _ in range(4):
            vx, vy, x, y = (
                float(n) for n in cv2.fitLine(own, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
            )
            away = np.abs((edge - [x, y]) @ np.array([-vy, vx]))
            mine = (along > 0.12) & (along < 0.88) & (depth > 0.6)
            closest = mine & (away < max(NEAR * WIDE, float(np.median(away[mine]))))
            own = edge[closest]
            if len(own) < 6:
                return None
        near |= away < NEAR * WIDE
        lines.append(np.array([-vy, vx, vy * x - vx * y]))
    crossings = [np.cross(lines[side - 1], lines[side]) for side in range(4)]
    if any(abs(c[2]) < 1e-9 for c in crossings):
        return None
    corners = np.array([c[:2] / c[2] for c in crossings], np.float32)
    # corners are rounded: points that lie inside of them count neither way
    rounded = _rounded(edge, corners)
    share = float(near[~rounded].mean()) * len(edge) / RAYS if (~rounded).any() else 0.0
    ordered = _clockwise(corners)
    return share, "box", ordered, ordered


def _rounded(edge: Floats, corners: Floats) -> NDArray[np.bool_]:
    size = float(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean())
    away = np.linalg.norm(edge[:, None] - corners[None], axis=2).min(1)
    return np.asarray(away < 0.12 * size)


def _clockwise(corners: Floats) -> Floats:
    """From the upper left, as one reads a picture with y downwards."""
    off = corners - corners.mean(0)
    ordered = corners[np.argsort(np.arctan2(off[:, 1], off[:, 0]))]
    first = int(np.argmin(ordered.sum(1)))
    return np.asarray(np.roll(ordered, -first, 0), np.float32)


def _far(corners: Floats, one: int, two: int) -> float:
    return float(np.linalg.norm(corners[one] - corners[two]))


def _scaled(points: Floats, scale: float) -> tuple[Point, ...]:
    return tuple((float(x) * scale, float(y) * scale) for x, y in points)
