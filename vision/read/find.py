"""Where are faces of dice: a small network looks at the picture at several sizes."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import atan2, ceil, exp, hypot, log
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import Image, halved
from vision.read.net import load

GLANCE = "glance.onnx"  # half the finder, for dice of a known size
CELL = 4  # pixels of the network's input to one of its answers
UNIT = 30.0  # edge at which its size answer is zero
BEST = 30.0  # edge at which it sees best
SMALLER = 26.0  # edge that is enough where the size is known
LEAST, MOST = 17.0, 63.0  # edges that it answers for
FLOOR = 0.12  # fainter hunches are not kept
ALIKE = 1.2  # edges within this factor are of one size
SIDES = (48, 56, 64, 80, 96)  # pixels of the squares in which boxes are looked at
BLOCK = 16  # bigger boxes: so many pixels, or twice, three times …
KEPT = 144  # bigger squares are so rare that no network is kept for them
APART = 0.62  # two faces are at least this much of an edge apart
_LIMIT = log(FLOOR / (1 - FLOOR))
_AROUND = np.ones((3, 3), np.uint8)

Floats = NDArray[np.float32]
Box: TypeAlias = tuple[int, int, int, int]
"""x, y, width, height in pixels."""


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


def _glance(side: int) -> cv2.dnn.Net:
    return _kept(side) if side <= KEPT else load(GLANCE)


@functools.cache
def _kept(_side: int) -> cv2.dnn.Net:
    """The glance for squares of this side only: to change its size takes it longer than to look."""
    return load(GLANCE)


def softmax(logits: Floats) -> Floats:
    """Chances along the last axis."""
    e = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True), np.float32)


def find(image: Image, scales: Sequence[float]) -> list[Found]:
    """Faces in the picture looked at in each of these scales, the likeliest first."""
    net = load("finder.onnx")  # not kept: it takes 20 MB of room for a whole picture
    return distinct([one for scale in scales for one in _at_scale(net, image, scale)])


def distinct(found: list[Found]) -> list[Found]:
    """The likeliest of those that are about one and the same face, of about the same size."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda f: -f.heat):
        if not any(overlap(one, other) and _alike(one, other) for other in kept):
            kept.append(one)
    return kept


def overlap(one: Found, other: Found) -> bool:
    """Whether two faces are too near for two dice."""
    return hypot(one.x - other.x, one.y - other.y) < APART * max(one.edge, other.edge)


def _alike(one: Found, other: Found) -> bool:
    return 1 / ALIKE < one.edge / other.edge < ALIKE


def find_in(image: Image, boxes: Sequence[Box], edge: float) -> list[Found]:
    """Faces of a known edge, in these boxes only."""
    scale = SMALLER / edge
    sides = [_side(max(w, h) * scale) for _, _, w, h in boxes]
    corners = [
        (x + (w - side / scale) / 2, y + (h - side / scale) / 2)
        for (x, y, w, h), side in zip(boxes, sides, strict=True)
    ]
    cuts = [_cut(image, *at, s / scale, s) for at, s in zip(corners, sides, strict=True)]
    answers = [_answer(_glance(len(cut)), cut) for cut in cuts]
    found = []
    for (x, y, w, h), corner, answer in zip(boxes, corners, answers, strict=True):
        for one in peaks(answer):
            here = _scaled(one, scale, *corner)
            if x <= here.x < x + w and y <= here.y < y + h:
                found.append(here)
    return distinct(found)


def _side(long: float) -> int:
    """The side of the square in which a box is looked at that is so long."""
    return next((side for side in SIDES if side >= long), ceil(long / BLOCK) * BLOCK)


def _cut(image: Image, left: float, top: float, span: float, side: int) -> Image:
    """A square of the picture, made `side` pixels wide; past the border its edge goes on."""
    x0, y0, size = round(left), round(top), max(1, round(span))
    x1, y1 = x0 + size, y0 + size
    tall, wide = image.shape[:2]
    inside = image[max(0, y0) : min(tall, y1), max(0, x0) : min(wide, x1)]
    over = (max(0, -y0), max(0, y1 - tall), max(0, -x0), max(0, x1 - wide))
    whole = cv2.copyMakeBorder(inside, *over, cv2.BORDER_REPLICATE) if any(over) else inside
    step = max(1, size // side)  # halving is fast; what is left to shrink is less than a half
    small = halved(np.asarray(whole, np.uint8), step)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR), np.uint8)


def _at_scale(net: cv2.dnn.Net, image: Image, scale: float) -> list[Found]:
    tall, wide = image.shape[:2]
    size = (max(1, round(wide * scale)), max(1, round(tall * scale)))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    seen = image if scale == 1 else np.asarray(cv2.resize(image, size, interpolation=how), np.uint8)
    right, below = -size[0] % 8, -size[1] % 8
    if right or below:
        edged = cv2.copyMakeBorder(seen, 0, below, 0, right, cv2.BORDER_REPLICATE)
        seen = np.asarray(edged, np.uint8)
    return [
        _scaled(one, scale)
        for one in peaks(_answer(net, seen))
        if one.x < size[0] and one.y < size[1]
    ]


def _answer(net: cv2.dnn.Net, picture: Image) -> Floats:
    net.setInput(cv2.dnn.blobFromImage(picture, 1 / 64, mean=(128, 128, 128)))
    return np.asarray(net.forward()[0], np.float32)


def _scaled(one: Found, scale: float, left: float = 0.0, top: float = 0.0) -> Found:
    return replace(one, x=one.x / scale + left, y=one.y / scale + top, edge=one.edge / scale)


def peaks(out: Floats) -> list[Found]:
    """The network's answer, read: tops of its heat with what it says there."""
    heat = out[0]
    top = cv2.dilate(heat, _AROUND)
    found = []
    tall, wide = heat.shape
    for j, i in np.argwhere((heat >= top) & (heat > _LIMIT)).tolist():
        j0, j1, i0, i1 = max(j - 1, 0), min(j + 2, tall), max(i - 1, 0), min(i + 2, wide)
        around = out[:, j0:j1, i0:i1].reshape(len(out), -1)
        near = [1 / (1 + exp(-max(-50.0, each))) for each in around[0].tolist()]
        whole = sum(near)
        shares = [each / whole for each in near]
        told = around @ np.array(shares, np.float32)
        size, cosine, sine = told[1:4].tolist()
        edge = UNIT * exp(min(1.5, max(-1.5, size)))
        if not LEAST <= edge <= MOST:
            continue
        across = i0 + sum(share * (k % (i1 - i0)) for k, share in enumerate(shares))
        down = j0 + sum(share * (k // (i1 - i0)) for k, share in enumerate(shares))
        found.append(
            Found(
                (across + 0.5) * CELL,
                (down + 0.5) * CELL,
                edge,
                atan2(sine, cosine) / 4,
                max(near),
                softmax(told[4:11]),
                softmax(told[11:15]),
            )
        )
    return found
