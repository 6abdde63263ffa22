"""Is a body painted light blue: measured plainly, a witness that has learned nothing."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.face import patch
from vision.find import Found
from vision.picture import Image

SIDE = 48  # of the patch that is measured
REACH = 1.6  # its side in edges
BRIGHT = 55  # the stronger of blue and green; darker paint tells nothing
OVER_RED = 1.22  # blue over red: white under the coldest lamp stays below
OVER_GREEN = 1.42  # blue over green: darker blues lie above
OVER_GROUND = 1.15  # a light-blue die is so much brighter than blue ground
_EDGE = SIDE / REACH
_FAR = np.abs(np.arange(SIDE) + 0.5 - SIDE / 2) / _EDGE  # edges from the middle
_INSIDE = slice(round(SIDE / 2 - 0.42 * _EDGE), round(SIDE / 2 + 0.42 * _EDGE))
_BAND = (_FAR > 0.58) & (_FAR < 0.74)


def light_blue(image: Image, one: Found) -> float:
    """0..1: how well the face is a light-blue square of this place and size, print aside."""
    look = cv2.GaussianBlur(patch(image, one, 0.0, SIDE, REACH), (3, 3), 0).astype(np.float32)
    blue, green, red = look[..., 0] + 4, look[..., 1] + 4, look[..., 2] + 4
    bright = np.maximum(blue, green)
    mask = (bright > BRIGHT) & (blue > OVER_RED * red) & (blue < OVER_GREEN * green)
    around = _around(mask.astype(np.float32))
    if around > 0.5:  # the ground is blue, too: the die is brighter
        mask &= bright > OVER_GROUND * _around(bright)
        around = _around(mask.astype(np.float32))
    inside = float(mask[_INSIDE, _INSIDE].mean())
    return float(np.clip((inside - around - 0.1) / 0.35, 0, 1))


def _around(plane: NDArray[np.float32]) -> float:
    """The mean on the two lowest of four sides: on others a side of the die may be seen."""
    rows, columns = plane[_BAND][:, _INSIDE], plane[:, _BAND][_INSIDE]
    half = rows.shape[0] // 2
    sides = (rows[:half], rows[half:], columns[:, :half], columns[:, half:])
    return sum(sorted(float(side.mean()) for side in sides)[:2]) / 2
