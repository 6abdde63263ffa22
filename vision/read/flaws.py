"""What is wrong with a die, said in words of the table, so that the doubt can be shown."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import Image
from vision.read.find import Found

TOUCHING = 1.12  # centres nearer than this many edges
STACKED = 0.8  # nearer than this: one lies on the other
DARK = 28.0  # brightest tenth of the face
FLAT = 14.0  # spread between pips and body
BLURRED = 0.1  # steepest edge on the face, in parts of its contrast per pixel of the patch


def flaws(
    one: Found, patch: Image, body: str, fellows: Sequence[Found], size: tuple[int, int]
) -> tuple[str, ...]:
    """The flaws of one die; `patch` is its upright face, `size` the picture's height and width."""
    wrong = []
    near = [
        hypot(one.x - o.x, one.y - o.y) / ((one.edge + o.edge) / 2) for o in fellows if o is not one
    ]
    if near and min(near) < STACKED:
        wrong.append("stacked")
    elif near and min(near) < TOUCHING:
        wrong.append("touching")
    reach = one.edge * 0.5
    if one.x < reach or one.y < reach or one.x > size[1] - reach or one.y > size[0] - reach:
        wrong.append("cut")
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)
    edge = grey.shape[0]
    inner = grey[edge // 8 : -edge // 8, edge // 8 : -edge // 8]
    low, high = _ranked(inner[::2, ::2], 0.04, 0.96)
    if high < DARK or high - low < FLAT:
        wrong.append("dark" if high < 90 else "glare")
    else:
        (steep,) = _ranked(cv2.absdiff(inner[::2, 1:], inner[::2, :-1]), 0.985)
        if steep / (high - low) < BLURRED:
            wrong.append("blurred")
    if body in ("black", "other") and float((inner > 250).mean()) > 0.45:
        wrong.append("glare")
    return tuple(wrong)


def _ranked(plane: NDArray[Any], *shares: float) -> list[float]:
    """The levels that these shares of a plane's pixels lie below."""
    places = [int(share * plane.size) for share in shares]
    ranked = np.partition(plane, places, axis=None)
    return [float(ranked[place]) for place in places]
