"""Which value does a face show: a second small network looks at one face at a time."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.picture import Image, halved
from vision.read.find import Floats, Found, softmax
from vision.read.net import load

PATCH = 40
REACH = 1.5  # side of a patch in edges
_SHRUNK = 0.5  # a face that is made smaller than this is shrunk first: to blur it whole is slow


@functools.cache
def _net() -> cv2.dnn.Net:
    return load("face.onnx")


def patch(image: Image, one: Found, turn: float, side: int = PATCH, reach: float = REACH) -> Image:
    """The face cut out, made upright and then turned by `turn`."""
    scale = side / (one.edge * reach)
    cos, sin = math.cos(turn - one.turn), math.sin(turn - one.turn)
    # only what the turned square covers, and what the blur looks at beside it
    wide = one.edge * reach / 2 * (abs(cos) + abs(sin)) + 1.6 / scale + 2
    x0, y0 = max(0, int(one.x - wide)), max(0, int(one.y - wide))
    part = image[y0 : int(one.y + wide) + 2, x0 : int(one.x + wide) + 2]
    step = max(1, int(_SHRUNK / scale))
    if step > 1:
        part, scale = halved(part, step), scale * step
    if scale < 0.6:
        done = (1 - 1 / step**2) / 12  # shrinking has blurred it a little already
        soft = math.sqrt((0.4 / scale) ** 2 - done)
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), soft), np.uint8)
    x, y = (one.x - x0 + 0.5) / step - 0.5, (one.y - y0 + 0.5) / step - 0.5
    c, s, half = cos * scale, sin * scale, side / 2
    move = np.array([[c, -s, half - c * x + s * y], [s, c, half - s * x - c * y]])
    cut = cv2.warpAffine(
        part, move, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut, np.uint8)


def judge(image: Image, found: Sequence[Found], turns: int = 2) -> tuple[Floats, Floats]:
    """For each face the chances of 0 (no face) and 1..6, and of its four body colours."""
    if not found:
        return np.zeros((0, 7), np.float32), np.zeros((0, 4), np.float32)
    net = _net()
    told = []
    for one in found:  # one by one: another number of looks takes it longer than a look
        looks = [patch(image, one, np.pi / 4 * k) for k in range(turns)]
        net.setInput(cv2.dnn.blobFromImages(looks, 1 / 64, mean=(128, 128, 128)))
        told.append(net.forward().reshape(turns, -1))
    out = np.asarray(told, np.float32)
    return softmax(out[:, :, :7]).mean(1), softmax(out[:, :, 7:]).mean(1)
