"""Where are faces of dice: a small network looks at the picture at several sizes."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import Image

CELL = 4  # pixels of the network's input to one of its answers
UNIT = 30.0  # edge at which its size answer is zero
BEST = 30.0  # edge at which it sees best
LEAST, MOST = 16.0, 56.0  # edges that it answers for
FLOOR = 0.08  # fainter hunches are not kept
APART = 0.62  # two faces are at least this much of an edge apart

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A face, as the finder believes it: pixels of the picture it was given."""

    x: float
    y: float
    edge: float
    turn: float  # radians, modulo a quarter turn
    heat: float  # 0..1: how much this is a face
    values: Floats  # chance of 0 (cocked) and 1..6
    bodies: Floats  # chance of black, white, blue, other


@functools.cache
def _net() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(Path(__file__).with_name("finder.onnx")))


def softmax(logits: Floats) -> Floats:
    """Chances along the last axis."""
    e = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True), np.float32)


def find(image: Image, scales: Sequence[float]) -> list[Found]:
    """Faces in the picture looked at in each of these scales, the likeliest first."""
    found: list[Found] = []
    for scale in scales:
        found += _at_scale(image, scale)
    return distinct(found)


def distinct(found: list[Found]) -> list[Found]:
    """The likeliest of those that are about one and the same die."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda f: -f.heat):
        near = (
            o for o in kept if np.hypot(one.x - o.x, one.y - o.y) < APART * max(one.edge, o.edge)
        )
        if next(near, None) is None:
            kept.append(one)
    return kept


def _at_scale(image: Image, scale: float) -> list[Found]:
    tall, wide = image.shape[:2]
    size = (max(1, round(wide * scale)), max(1, round(tall * scale)))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    seen = image if scale == 1 else cv2.resize(image, size, interpolation=how)
    right, below = -size[0] % 8, -size[1] % 8
    if right or below:
        seen = cv2.copyMakeBorder(seen, 0, below, 0, right, cv2.BORDER_REPLICATE)
    net = _net()
    net.setInput(cv2.dnn.blobFromImage(seen, 1 / 64, mean=(128, 128, 128)))
    out = np.asarray(net.forward(), np.float32)[0]
    return [
        Found(f.x / scale, f.y / scale, f.edge / scale, f.turn, f.heat, f.values, f.bodies)
        for f in peaks(out)
        if f.x < size[0] and f.y < size[1]
    ]


def peaks(out: Floats) -> list[Found]:
    """The network's answer, read: tops of its heat with what it says there."""
    heat = out[0]
    top = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    limit = float(np.log(FLOOR / (1 - FLOOR)))
    found = []
    tall, wide = heat.shape
    for j, i in np.argwhere((heat >= top) & (heat > limit)):
        j0, j1, i0, i1 = max(j - 1, 0), min(j + 2, tall), max(i - 1, 0), min(i + 2, wide)
        near = 1 / (1 + np.exp(-heat[j0:j1, i0:i1]))
        weight = (near / near.sum()).astype(np.float32)
        told = (out[:, j0:j1, i0:i1] * weight).sum((1, 2))
        edge = UNIT * float(np.exp(np.clip(told[1], -1.5, 1.5)))
        if not LEAST <= edge <= MOST:
            continue
        yy, xx = np.mgrid[j0:j1, i0:i1]
        found.append(
            Found(
                (float((xx * weight).sum()) + 0.5) * CELL,
                (float((yy * weight).sum()) + 0.5) * CELL,
                edge,
                float(np.arctan2(told[3], told[2])) / 4,
                float(near.max()),
                softmax(told[4:11]),
                softmax(told[11:15]),
            )
        )
    return found
