"""What dice lie on, and what lies beside them: grounds and junk to learn from, drawn at random."""

from __future__ import annotations

import string

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Random = np.random.Generator


def colour(random: Random) -> Floats:
    """A colour of the kind that tables have: mostly muted, sometimes loud (BGR, 0..255)."""
    hue, value = random.uniform(0, 180), random.uniform(5, 255)
    loud = random.choice([random.uniform(0, 40), random.uniform(0, 255)], p=[0.6, 0.4])
    pixel = np.array([[[hue, loud, value]]], np.uint8)
    return cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


def noise(random: Random, side: int, grain_x: float, grain_y: float) -> Floats:
    """Smooth noise of about unit spread with the given grain in pixels."""
    small = random.standard_normal(
        (max(2, int(side / grain_y)), max(2, int(side / grain_x)))
    ).astype(np.float32)
    return cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC)


def ground(random: Random, side: int) -> Floats:
    """A plain, wooden, woven, printed or lined ground, `side` pixels square."""
    base = np.empty((side, side, 3), np.float32)
    base[:] = colour(random)
    kind = random.integers(0, 9)
    if kind == 8:  # a dark or broken sensor
        spread = random.uniform(5, 128)
        base += random.normal(0, spread, base.shape).astype(np.float32)
    elif kind <= 1:  # plain
        base += noise(random, side, 90, 90)[..., None] * random.uniform(0, 12)
    elif kind == 2:  # wood
        strength = random.uniform(4, 30)
        along = noise(random, side, random.uniform(60, 300), random.uniform(1.5, 12))
        along += 0.6 * noise(random, side, random.uniform(20, 90), random.uniform(1, 4))
        base += along[..., None] * strength * random.uniform(0.6, 1.2, 3).astype(np.float32)
    elif kind == 3:  # felt, cloth, carpet
        for _ in range(random.integers(1, 4)):
            grain = random.uniform(1, 14)
            base += noise(random, side, grain, grain)[..., None] * random.uniform(3, 35)
    elif kind == 4:  # woven or dotted lattice
        y, x = np.mgrid[0:side, 0:side].astype(np.float32)
        turn, pitch = random.uniform(0, np.pi), random.uniform(4, 40)
        u = np.cos(turn) * x + np.sin(turn) * y
        v = -np.sin(turn) * x + np.cos(turn) * y
        wave = np.sin(u * 2 * np.pi / pitch) * np.sin(v * 2 * np.pi / pitch)
        if random.random() < 0.5:
            wave = (wave > random.uniform(0.1, 0.8)).astype(np.float32)
        base += wave[..., None] * random.uniform(-40, 40, 3).astype(np.float32)
    elif kind == 5:  # squared or ruled paper
        step, ink = random.integers(12, 70), colour(random)
        for at in range(int(random.integers(0, step)), side, int(step)):
            cv2.line(base, (at, 0), (at, side), ink.tolist(), int(random.integers(1, 4)))
            if random.random() < 0.8:
                cv2.line(base, (0, at), (side, at), ink.tolist(), int(random.integers(1, 4)))
    elif kind == 6:  # print
        for _ in range(random.integers(5, 40)):
            shape(random, base)
    else:  # two fields: edge of a tray, a sheet of paper, a bowl
        other = colour(random)
        if random.random() < 0.5:
            centre = random.uniform(0, side, 2).astype(int).tolist()
            cv2.circle(base, centre, int(random.uniform(0.3, 1) * side), other.tolist(), -1)
        else:
            points = random.uniform(-0.3, 1.3, (4, 2)) * side
            hull = cv2.convexHull(points.astype(np.float32)).astype(np.int32)
            cv2.fillConvexPoly(base, hull, other.tolist())
        base += noise(random, side, 5, 5)[..., None] * random.uniform(0, 10)
    if random.random() < 0.6:
        turned = cv2.getRotationMatrix2D((side / 2, side / 2), random.uniform(0, 360), 1.45)
        base = cv2.warpAffine(base, turned, (side, side), borderMode=cv2.BORDER_REFLECT)
    return base


def shape(random: Random, canvas: Floats) -> None:
    """One piece of print: a disc, a ring, a stroke, a letter, a rectangle."""
    side = canvas.shape[0]
    ink = colour(random).tolist()
    at = random.uniform(0, side, 2).astype(int).tolist()
    size = float(np.exp(random.uniform(np.log(3), np.log(side / 3))))
    kind = random.integers(0, 5)
    if kind == 0:
        cv2.circle(canvas, at, max(1, int(size / 2)), ink, -1, cv2.LINE_AA)
    elif kind == 1:
        cv2.circle(canvas, at, max(1, int(size)), ink, int(random.integers(1, 6)), cv2.LINE_AA)
    elif kind == 2:
        to = random.uniform(0, side, 2).astype(int).tolist()
        cv2.line(canvas, at, to, ink, int(random.integers(1, 8)), cv2.LINE_AA)
    elif kind == 3:
        word = "".join(random.choice(list(string.ascii_letters + string.digits + ".:;o%8"), 5))
        scale = random.uniform(0.3, 2.5)
        face = int(random.integers(0, 5))
        sheet = np.zeros(canvas.shape[:2], np.uint8)  # cv2 5 writes on bytes only
        cv2.putText(sheet, word, at, face, scale, 255, int(random.integers(1, 5)), cv2.LINE_AA)
        canvas += (np.array(ink, np.float32) - canvas) * (sheet[..., None] / np.float32(255))
    else:
        box = cv2.boxPoints(
            (tuple(at), (size, size * random.uniform(0.3, 2)), random.uniform(0, 90))
        )
        cv2.fillConvexPoly(canvas, box.astype(np.int32), ink, cv2.LINE_AA)


def junk(random: Random, canvas: Floats, edge: float) -> None:
    """Something of a die's size that is none: a knob, a coin, a blank block, a pen, loose dots."""
    side = canvas.shape[0]
    x, y = random.uniform(0, side, 2)
    kind = random.integers(0, 6)
    ink, other = colour(random).tolist(), colour(random).tolist()
    if kind <= 1:  # a knob or a cap, perhaps with a rim or a dot
        radius = edge * random.uniform(0.2, 0.7)
        cv2.circle(canvas, (int(x), int(y)), int(radius), ink, -1, cv2.LINE_AA)
        if random.random() < 0.6:
            inner = max(1, int(radius * random.uniform(0.1, 0.9)))
            thick = -1 if random.random() < 0.5 else 2
            cv2.circle(canvas, (int(x), int(y)), inner, other, thick, cv2.LINE_AA)
    elif kind == 2:  # a blank block
        box = cv2.boxPoints(
            ((x, y), (edge, edge * random.uniform(0.6, 1.6)), random.uniform(0, 90))
        )
        cv2.fillConvexPoly(canvas, box.astype(np.int32), ink, cv2.LINE_AA)
        if random.random() < 0.4:
            low = cv2.boxPoints(((x, y), (edge * 0.8, edge * 0.7), random.uniform(0, 90)))
            cv2.polylines(canvas, [low.astype(np.int32)], True, other, 2, cv2.LINE_AA)
    elif kind == 3:  # a pen
        to = (int(x + random.normal(0, edge * 4)), int(y + random.normal(0, edge * 4)))
        cv2.line(canvas, (int(x), int(y)), to, ink, max(2, int(edge * random.uniform(0.1, 0.7))))
    elif kind == 4:  # crumbs
        for _ in range(random.integers(2, 25)):
            at = (int(x + random.normal(0, edge)), int(y + random.normal(0, edge)))
            radius = max(1, int(edge * random.uniform(0.02, 0.16)))
            cv2.circle(canvas, at, radius, ink, -1, cv2.LINE_AA)
    else:
        shape(random, canvas)
