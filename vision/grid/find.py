"""Where are the tiles of a grid: squares in perspective, and the rows and columns they lie in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Points = NDArray[np.float32]
Lens = NDArray[np.float64]

SMALLEST, LARGEST = 0.0015, 0.12  # of the picture: a tile that is no tile
SQUARE = 0.55  # the shortest side of a tile in perspective, of its longest
LIKE = 1.45  # how much larger a neighbour may look
REACH = (0.88, 1.75)  # to the next tile's middle, in sides
ASKEW = 0.15  # of a pitch: how far a corner may be off its place


@dataclass(frozen=True, slots=True)
class Lattice:
    """Rows and columns: the corners of each tile that was found, and a lens for the others."""

    rows: int
    columns: int
    found: dict[tuple[int, int], Points]
    lens: Lens  # (column, row) of a tile's middle to the picture
    side: float  # of a tile, in pitches

    def corners(self, row: int, column: int) -> Points:
        """Where a tile lies, whether its outline was found or not."""
        seen = self.found.get((row, column))
        if seen is not None:
            return seen
        half = self.side / 2
        ideal = [(-half, -half), (half, -half), (half, half), (-half, half)]
        flat = np.array([[(column + x, row + y) for x, y in ideal]], np.float64)
        return np.asarray(cv2.perspectiveTransform(flat, self.lens)[0], np.float32)


def find(picture: Image) -> Lattice | None:
    """The grid in a picture, rows from the top; None if there is none."""
    squares = _apart(list(_squares(picture)))
    best: dict[tuple[int, int], int] = {}
    left = set(range(len(squares)))
    while left:
        component = _spread(squares, min(left))
        left -= set(component.values()) | {min(left)}
        if len(component) > len(best):
            best = component
    return _lattice(squares, best) if len(best) >= 4 else None


def _squares(picture: Image) -> Iterator[Points]:
    """Everything with four corners that could be a tile, by several ways of looking."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    smooth = cv2.GaussianBlur(grey, (0, 0), 1.2)
    area = grey.shape[0] * grey.shape[1]
    middle = float(np.median(smooth))
    kernel = np.ones((3, 3), np.uint8)
    masks = []
    for low, high in ((0.25, 0.6), (0.5, 1.2)):
        edges = cv2.Canny(smooth, max(8.0, low * middle * 0.5), max(20.0, high * middle * 0.6))
        masks.append(cv2.bitwise_not(cv2.dilate(edges, kernel)))
    block = (grey.shape[0] // 4) | 1
    masks.append(
        cv2.adaptiveThreshold(smooth, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, 0)
    )
    blue, green, red = cv2.split(cv2.GaussianBlur(picture, (5, 5), 0))
    least = cv2.min(cv2.min(blue, green), red)  # steel is grey, most tables are not
    masks.append(cv2.threshold(least, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1])
    for mask in masks:
        outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for outline in outlines:
            if SMALLEST * area <= cv2.contourArea(outline) <= LARGEST * area:
                square = _four_corners(np.asarray(outline))
                if square is not None:
                    yield square


def _four_corners(outline: NDArray[np.int32]) -> Points | None:
    """The corners of an outline, clockwise from the upper left; None if it has not four."""
    hull = cv2.convexHull(outline)
    if cv2.contourArea(outline) < 0.8 * cv2.contourArea(hull):
        return None
    around = cv2.arcLength(hull, True)
    for slack in (0.03, 0.05, 0.08):
        shape = cv2.approxPolyDP(hull, slack * around, True)
        if len(shape) == 4:
            break
    else:
        return None
    if cv2.contourArea(hull) > 1.25 * cv2.contourArea(shape):
        return None
    corners = shape[:, 0].astype(np.float32)
    sides = np.linalg.norm(corners - np.roll(corners, -1, 0), axis=1)
    if sides.min() < SQUARE * sides.max():
        return None
    return _clockwise(corners)


def _clockwise(corners: Points) -> Points:
    middle = corners.mean(0)
    angle = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    around = corners[np.argsort(angle)]
    first = int(np.argmin(around.sum(1)))
    return np.asarray(np.roll(around, -first, 0), np.float32)


def _side(square: Points) -> float:
    return float(np.sqrt(cv2.contourArea(square)))


def _apart(squares: list[Points]) -> list[Points]:
    """One outline per place: of several on one spot, the one most like the others in size."""
    if not squares:
        return []
    sizes = np.array([_side(square) for square in squares])
    counts = [(np.abs(np.log(sizes / size)) < 0.2).sum() for size in sizes]
    usual = sizes[int(np.argmax(counts))]
    order = np.argsort(np.abs(np.log(sizes / usual)))
    middles = np.array([square.mean(0) for square in squares])
    kept: list[int] = []
    for at in order:
        if not kept or np.hypot(*(middles[kept] - middles[at]).T).min() > 0.5 * usual:
            kept.append(int(at))
    return [squares[at] for at in kept]


def _spread(squares: list[Points], start: int) -> dict[tuple[int, int], int]:
    """From one tile to its neighbours, and theirs: (row, column) of each that is reached."""
    middles = np.array([square.mean(0) for square in squares])
    sizes = np.array([_side(square) for square in squares])
    place = {start: (0, 0)}
    taken = {(0, 0): start}
    edge = [start]
    while edge:
        at = edge.pop(0)
        row, column = place[at]
        for step, vector in _steps(squares[at]):
            cell = (row + step[0], column + step[1])
            other = _neighbour(at, vector, middles, sizes)
            if other is not None and other not in place and cell not in taken:
                place[other], taken[cell] = cell, other
                edge.append(other)
    return taken


def _steps(square: Points) -> Iterator[tuple[tuple[int, int], NDArray[np.float32]]]:
    a, b, c, d = square
    right, down = (b - a + c - d) / 2, (d - a + c - b) / 2
    yield (0, 1), right
    yield (0, -1), -right
    yield (1, 0), down
    yield (-1, 0), -down


def _neighbour(
    at: int, vector: NDArray[np.float32], middles: NDArray[np.float32], sizes: NDArray[np.float64]
) -> int | None:
    """The tile that lies in this direction, next to this one."""
    offset = middles - middles[at]
    length = float(np.linalg.norm(vector))
    along = offset @ vector / length**2
    across = np.abs(offset @ np.array([-vector[1], vector[0]])) / length**2
    alike = np.abs(np.log(sizes / sizes[at])) < np.log(LIKE)
    fine = (along > REACH[0]) & (along < REACH[1]) & (across < 0.32) & alike
    if not fine.any():
        return None
    return int(np.argmin(np.where(fine, along + across, np.inf)))


def _lattice(squares: list[Points], cells: dict[tuple[int, int], int]) -> Lattice | None:
    """The rows and columns that the tiles agree on; what lies askew to them is none of them."""
    keys = list(cells)
    flat = np.array([(column, row) for row, column in keys], np.float64)
    seen = np.array([squares[cells[key]].mean(0) for key in keys], np.float64)
    if np.linalg.matrix_rank(flat - flat.mean(0)) < 2:
        return None
    slack = 0.2 * float(np.median([_side(squares[at]) for at in cells.values()]))
    lens = _lens(flat, seen, slack)
    if lens is None:
        return None
    ideal = [
        _flattened(squares[cells[key]], lens) - np.float32(at)
        for key, at in zip(keys, flat, strict=True)
    ]
    side = float(np.median([_side(corners) for corners in ideal]))
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32) * side / 2
    good = [n for n, corners in enumerate(ideal) if np.abs(corners - square).max() < ASKEW]
    if len(good) < 4:
        return None
    origin = flat[good].min(0)
    flat = flat[good] - origin
    lens = _lens(flat, seen[good])
    if lens is None:
        return None
    columns, rows = (int(n) + 1 for n in flat.max(0))
    placed = {
        (int(row), int(column)): squares[cells[keys[n]]]
        for n, (column, row) in zip(good, flat, strict=True)
    }
    return Lattice(rows, columns, placed, lens, side)


def _lens(flat: Lens, seen: Lens, slack: float = 0.0) -> Lens | None:
    """The perspective that takes lattice places to the picture, whatever lies off by `slack`."""
    how = cv2.RANSAC if slack else 0
    found, _ = cv2.findHomography(flat, seen, how, slack)
    return None if found is None else np.asarray(found, np.float64)


def _flattened(square: Points, lens: Lens) -> Points:
    """A square's corners in pitches, as if seen from straight above."""
    back = np.linalg.inv(lens)
    return np.asarray(
        cv2.perspectiveTransform(square[None].astype(np.float64), back)[0], np.float32
    )
