"""Which value does a face show: a second small network looks at one face at a time."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import cv2
import numpy as np

from vision.find import Floats, Found, softmax
from vision.net import load
from vision.picture import Image

PATCH = 40
REACH = 1.5  # side of a patch in edges


@functools.cache
def _net() -> cv2.dnn.Net:
    return load("face.onnx")


def patch(image: Image, one: Found, turn: float, side: int = PATCH, reach: float = REACH) -> Image:
    """The face cut out, made upright and then turned by `turn`."""
    scale = side / (one.edge * reach)
    c, s = np.cos(turn - one.turn) * scale, np.sin(turn - one.turn) * scale
    half = side / 2
    move = np.array([[c, -s, half - c * one.x + s * one.y], [s, c, half - s * one.x - c * one.y]])
    x0, y0 = (int(max(0, v - one.edge * reach)) for v in (one.x, one.y))
    x1, y1 = (int(v + one.edge * reach) + 2 for v in (one.x, one.y))
    part = image[y0:y1, x0:x1]
    move[:, 2] += move[:, :2] @ (x0, y0)
    if scale < 0.6:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.4 / scale), np.uint8)
    cut = cv2.warpAffine(
        part, move, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut, np.uint8)


def judge(image: Image, found: Sequence[Found], turns: int = 2) -> tuple[Floats, Floats]:
    """For each face the chances of 0 (no face) and 1..6, and of its four body colours."""
    if not found:
        return np.zeros((0, 7), np.float32), np.zeros((0, 4), np.float32)
    looks = [patch(image, one, np.pi / 4 * k) for one in found for k in range(turns)]
    net = _net()
    net.setInput(cv2.dnn.blobFromImages(looks, 1 / 64, mean=(128, 128, 128)))
    out = np.asarray(net.forward(), np.float32).reshape(len(found), turns, -1)
    return softmax(out[:, :, :7]).mean(1), softmax(out[:, :, 7:]).mean(1)
