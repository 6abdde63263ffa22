"""Is a body painted light blue: measured plainly, by one who has learned nothing."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import Body
from vision.picture import Image, thinned
from vision.read.face import patch
from vision.read.find import Found

SIDE = 48  # of the patch that is measured
REACH = 1.6  # its side in edges
BRIGHT = 55  # the stronger of blue and green; darker paint tells nothing
OVER_RED = 1.22  # blue over red: white under the coldest lamp stays below
OVER_GREEN = 1.42  # blue over green: darker blues lie above
OVER_GROUND = 1.15  # a light-blue die is so much brighter than blue ground
GROUND = 0.25  # share of a picture from which light blue is the ground's colour
TOP = 0.8  # the upper face is the brightest: sides are darker than this part of it
INK = 0.2  # by how much print at least differs from the body
HEAT = 0.45  # how much a light-blue square is a die before anybody looked at it closely
_DARK, _PALE = 95.0, 115.0  # brightest colour of black bodies; of others
_GREY = 0.3  # how far the darkest colour of a white body lies below its brightest
_COLD = (1.15, 1.35)  # blue over red of white bodies at most, of light-blue ones under any lamp
_FINE = 14.0  # pixels to an edge where light-blue squares are looked for
_SIZES = (0.7, 1.35)  # edges that such a square may measure
_LEAST = 0.1  # square edges of light blue without which there is none
_EDGE = SIDE / REACH
_FAR = np.abs(np.arange(SIDE) + 0.5 - SIDE / 2) / _EDGE  # edges from the middle
_INSIDE = slice(round(SIDE / 2 - 0.42 * _EDGE), round(SIDE / 2 + 0.42 * _EDGE))
_PRINT = np.array([0.94, *[0.01] * 6], np.float32)  # no value
_BLUE = np.array([0.02, 0.02, 0.94, 0.02], np.float32)
_BAND = (_FAR > 0.58) & (_FAR < 0.74)


def named(rim: NDArray[np.float32]) -> Body:
    """The colour of a body by its paint (blue, green, red); bounds between those of composites."""
    blue, _, red = (float(n) + 8 for n in rim)
    low, high = float(rim.min()) + 8, float(rim.max()) + 8
    if high < _DARK:
        return "black"
    if high > _PALE and 1 - low / high < _GREY and blue < _COLD[0] * red:
        return "white"
    return "blue" if high > _PALE and blue > _COLD[1] * red else "other"


def light_blue(image: Image, one: Found) -> float:
    """0..1: how well the face is a light-blue square of this place and size, print aside."""
    look = cv2.GaussianBlur(patch(image, one, 0.0, SIDE, REACH), (3, 3), 0).astype(np.float32)
    bright, mask = painted(look)
    around = _around(mask.astype(np.float32))
    if around > 0.5:  # the ground is blue, too: the die is brighter
        mask &= bright > OVER_GROUND * _around(bright)
        around = _around(mask.astype(np.float32))
    inside = float(mask[_INSIDE, _INSIDE].mean())
    return float(np.clip((inside - around - 0.1) / 0.35, 0, 1))


def squares(image: Image, edge: float) -> list[Found]:
    """Light-blue squares about as big as a die: faces with print are easily overlooked."""
    step = max(1, round(edge / _FINE))
    if not tinted(image[::step, ::step], edge / step):  # nearly always, and quickly told
        return []
    small = thinned(image, step)
    bright, mask = painted(small.astype(np.float32))
    if not 0 < mask.mean() < GROUND:
        return []
    found = []
    shapes, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for shape in shapes:
        x, y, w, h = cv2.boundingRect(shape)
        if min(w, h) * step < _SIZES[0] * edge:
            continue
        body = cv2.drawContours(np.zeros((h, w), np.uint8), [shape - (x, y)], -1, 1, -1)
        here = bright[y : y + h, x : x + w]
        dark, light = np.percentile(here[body > 0], [2, 98])
        if light - dark < INK * light:  # bare ground
            continue
        upper = (body > 0) & (here > TOP * np.percentile(here[body > 0], 80))
        one = _square(upper.astype(np.uint8), step)
        if one is not None and _SIZES[0] < one.edge / edge < _SIZES[1]:
            found.append(replace(one, x=one.x + x * step, y=one.y + y * step))
    return found


def tinted(some: Image, edge: float) -> bool:
    """Whether so many pixels are light blue that a die of this edge may be among them."""
    return bool(np.count_nonzero(painted(some.astype(np.float32))[1]) >= _LEAST * edge**2)


def _square(upper: NDArray[np.uint8], step: int) -> Found | None:
    """The biggest part of a mask as a face, if it is about square; print on it does not count."""
    shapes, _ = cv2.findContours(upper, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    shape = cv2.convexHull(max(shapes, key=cv2.contourArea))
    (x, y), (w, h), angle = cv2.minAreaRect(shape)
    if max(w, h) > 1.4 * min(w, h) or cv2.contourArea(shape) < 0.7 * w * h:
        return None
    edge = (float(np.sqrt(w * h)) + 1) * step  # a contour runs through the middle of pixels
    turn = float(np.radians(angle))
    centre = (x + 0.5) * step, (y + 0.5) * step
    return Found(*centre, edge, turn, HEAT, _PRINT, _BLUE)


def painted(look: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """How bright a picture is, and where it is light blue."""
    blue, green, red = look[..., 0] + 4, look[..., 1] + 4, look[..., 2] + 4
    bright = np.maximum(blue, green)
    return bright, (bright > BRIGHT) & (blue > OVER_RED * red) & (blue < OVER_GREEN * green)


def _around(plane: NDArray[np.float32]) -> float:
    """The mean on the two lowest of four sides: on others a side of the die may be seen."""
    rows, columns = plane[_BAND][:, _INSIDE], plane[:, _BAND][_INSIDE]
    half = rows.shape[0] // 2
    sides = (rows[:half], rows[half:], columns[:, :half], columns[:, half:])
    return sum(sorted(float(side.mean()) for side in sides)[:2]) / 2
