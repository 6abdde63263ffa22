"""Bodies counted apart from faces: a witness for dice that nobody read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import degrees, log2

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import Point
from vision.picture import Image, halved
from vision.read.find import Box, Found
from vision.read.paint import GROUND, painted

EDGE = 12.0  # pixels to an edge where bodies are looked for
LEAST = 11.0  # at least so many where the tray is compared with the empty one
TELLS = 14.0  # a body must differ this much from its ground to be looked for at all
CHANGED = 13  # difference to the empty tray that counts
SHADE = (0.5, 1.1)  # how much light falls on ground in a shadow, or when the lamp changes
_GROWN = 1.3  # a die covers so much of the ground, its visible sides included
_NEAR = 0.17  # edges by which what changed is grown, so that the pips of a die hang together
_WHOLE = 0.9  # what is smaller, grown as it is, may be a part of a die only
_PIPS_NEAR = 0.2  # edges by which such a part is grown more
_MARGIN = 0.05  # edges of ground that the finder sees around that
_ROOM = 1.75  # edges that it sees at least
_SHADED = 0.6  # share of a face that differs, if only like a shadow
_DIE = 1.6  # edges that a die and its shadow are wide at most
_CORE = 0.36  # edges that an unread body is wide at least, beside what dice cover


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """Where a picture differs from the empty tray, on a small scale."""

    mask: NDArray[np.bool_]
    dimmed: NDArray[np.bool_]  # where a shadow lies, or a body that looks like one
    colours: Image  # of the pixels in the mask, a row each
    scale: float  # pixels of the mask to one of the picture
    edge: float  # of a die, in the mask

    def share(self, one: Found) -> float:
        """How much of a face lies where something changed, shadows aside."""
        return float(self.mask[self._under(one)].mean())

    def differs(self, one: Found) -> bool:
        """Whether a face may lie here: something is new, or all of it is as dim as a shadow."""
        return self.share(one) > 0 or float(self.dimmed[self._under(one)].mean()) > _SHADED

    def at(self, x: float, y: float) -> bool:
        """Whether something changed at a point of the picture, shadows aside."""
        tall, wide = self.mask.shape
        row, column = int(y * self.scale), int(x * self.scale)
        return 0 <= row < tall and 0 <= column < wide and bool(self.mask[row, column])

    def _under(self, one: Found) -> tuple[slice, slice]:
        x, y, half = one.x * self.scale, one.y * self.scale, one.edge * self.scale / 2
        tall, wide = self.mask.shape
        return _span(y, half, tall), _span(x, half, wide)

    def rooms(self) -> list[Box]:
        """Boxes of the picture that hold every die: one for whatever lies close together.

        Of a black die on black cloth only the pips show, so each room is wide enough for a die.
        """
        reach = round(_NEAR * self.edge)
        grown = cv2.dilate(self.mask.astype(np.uint8), np.ones((2 * reach + 1,) * 2, np.uint8))
        pieces = _pieces(grown > 0)[0]
        parts = [each for each in pieces if max(each[2:4]) < _WHOLE * self.edge]
        for x, y, w, h, _ in parts:  # the two pips of one die may lie apart
            more = round(_PIPS_NEAR * self.edge)
            grown[max(0, y - more) : y + h + more, max(0, x - more) : x + w + more] = 1
        found = []
        for x, y, w, h, _ in _pieces(grown > 0)[0] if parts else pieces:
            across = max(_MARGIN * self.edge, (_ROOM * self.edge - w) / 2)
            down = max(_MARGIN * self.edge, (_ROOM * self.edge - h) / 2)
            place = (x - across, y - down, w + 2 * across, h + 2 * down)
            left, top, wide, tall = (round(n / self.scale) for n in place)
            found.append((left, top, wide, tall))
        return found + self._dim_rooms(grown > 0)

    def _dim_rooms(self, fresh: NDArray[np.bool_]) -> list[Box]:
        """Boxes around what looks like a shadow, is as big as a die and hangs on nothing new.

        A shadow lies beside what throws it; a greyish die on beige ground only looks like one.
        """
        side = max(3, round(self.edge * _CORE))
        core = cv2.erode(self.dimmed.astype(np.uint8), np.ones((side, side), np.uint8))
        if not cv2.countNonZero(core):
            return []
        _, named, stats, _ = cv2.connectedComponentsWithStats(
            (self.dimmed | fresh).astype(np.uint8), connectivity=4
        )
        cast = set(named[fresh].tolist())
        solid = set(named[core > 0].tolist())
        rooms = []
        for name in solid - cast:
            x, y, w, h, _area = stats[name].tolist()
            if max(w, h) < _DIE * self.edge:
                more = (_ROOM * self.edge - min(w, h)) / 2
                place = (x - more, y - more, w + 2 * more, h + 2 * more)
                left, top, wide, tall = (round(n / self.scale) for n in place)
                rooms.append((left, top, wide, tall))
        return rooms

    def unread(self, dice: Sequence[Found]) -> tuple[Point, ...]:
        """Centres of what holds a good part of a die, where no die was read."""
        taken = np.zeros(self.mask.shape, np.uint8)
        for die in dice:
            middle, side = (die.x * self.scale, die.y * self.scale), die.edge * self.scale * _GROWN
            corners = cv2.boxPoints((middle, (side, side), degrees(die.turn)))
            cv2.fillConvexPoly(taken, np.round(corners * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        side = max(3, round(self.edge * _CORE))
        free = (self.mask & (taken == 0)).astype(np.uint8)
        core = cv2.erode(free, np.ones((side, side), np.uint8))
        if not cv2.countNonZero(core):  # nearly always
            return ()
        return tuple((x / self.scale, y / self.scale) for x, y in _pieces(core > 0)[1])


def changes(image: Image, background: Image, edge: float) -> Changes | None:
    """What is not as in the empty tray; None where nearly nothing is: then the light changed."""
    step = 1 << max(0, int(log2(edge / LEAST)))  # halving is fast, and good to a level
    small, empty = halved(image, step), halved(background, step)
    apart = cv2.split(cv2.absdiff(small, empty))
    mask = np.asarray(cv2.max(cv2.max(apart[0], apart[1]), apart[2]) > CHANGED)
    where = np.flatnonzero(mask)
    there = small.reshape(-1, 3).take(where, 0)
    fresh = ~_shade(there, empty.reshape(-1, 3).take(where, 0))
    mask.reshape(-1)[where] = fresh
    dimmed = np.zeros(mask.shape, np.bool_)
    dimmed.reshape(-1)[where] = ~fresh
    if np.count_nonzero(fresh) > 0.7 * mask.size:
        return None
    return Changes(mask, dimmed, there[fresh], 1 / step, edge / step)


def _shade(there: Image, empty: Image) -> NDArray[np.bool_]:
    """Which pixels show the same ground in other light: all its colours are dimmed alike."""
    lit = (there.T.astype(np.float32, "C") + 6) / (empty.T.astype(np.float32, "C") + 6)
    low, high = lit.min(0), lit.max(0)
    return np.asarray((high < SHADE[1]) & (low > SHADE[0]) & (high - low < 0.14 * high + 0.03))


def unread(image: Image, dice: Sequence[Found]) -> tuple[Point, ...]:
    """Centres of bodies like those of the dice that were read, or light blue, and not read."""
    if not dice:
        return ()
    edge = float(np.median([die.edge for die in dice]))
    step = max(1, round(edge / EDGE))  # whole steps are far faster
    small, scale = halved(image, step), 1 / step
    free = _free(small.shape, dice, scale)
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
    blue = painted(small.astype(np.float32))[1]
    if blue.mean() < GROUND:
        found += _bodies(blue & free, edge * scale, scale, 0.4)
    return tuple(found)


def _free(shape: tuple[int, ...], dice: Sequence[Found], scale: float) -> NDArray[np.bool_]:
    """Where no die was read."""
    taken = np.zeros(shape[:2], np.uint8)
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
    found = []
    for (_, _, w, h, area), (x, y) in zip(*_pieces(mask), strict=True):
        fits = 0.75 * edge <= min(w, h) and max(w, h) <= 1.75 * edge
        if fits and area >= max(least * edge**2, 0.55 * w * h):
            found.append((x / scale, y / scale))
    return tuple(found)


def _pieces(mask: NDArray[np.bool_]) -> tuple[list[list[int]], list[Point]]:
    """Connected pieces: x, y, width, height, area of each, and their centres."""
    bits = mask.astype(np.uint8)
    _, _, stats, centres = cv2.connectedComponentsWithStats(bits, connectivity=4)
    return stats.tolist()[1:], centres.tolist()[1:]
