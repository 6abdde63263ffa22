"""What the eye saw, drawn over the picture: for people, pages and failing tests."""

from __future__ import annotations

import cv2
import numpy as np

from vision.picture import Image, bounded
from vision.read.reader import Reading

_INK = {
    "black": (60, 200, 255),
    "white": (255, 120, 40),
    "blue": (255, 220, 60),
    "other": (200, 90, 255),
}
_DOUBT = (40, 40, 255)


def draw(image: Image, reading: Reading, caption: str = "", longest: int = 900) -> Image:
    """The picture with outlines, values and doubts; `caption` goes under it."""
    canvas, scale = bounded(image, longest)
    canvas = canvas.copy()
    if canvas.size == 0:
        canvas = np.zeros((1, 1, 3), np.uint8)
    size = max(0.45, max(canvas.shape[:2]) / 1400)
    for die in reading.dice:
        ink = _INK[die.body]
        shape = np.round(np.array(die.outline or [die.centre]) * scale).astype(np.int32)
        cv2.polylines(canvas, [shape], True, ink, 2, cv2.LINE_AA)
        told = f"{die.value} {die.sure:.2f}"
        if die.second:
            told += f" ({die.second})"
        x, y = int(die.centre[0] * scale), int((die.centre[1] + die.size * 0.8) * scale)
        _write(canvas, told, (x - int(45 * size), y), size, ink if die.sure > 0.9 else _DOUBT)
        if die.wrong:
            spot = (x - int(45 * size), y + int(22 * size))
            _write(canvas, " ".join(die.wrong), spot, size * 0.7, _DOUBT)
    foot = caption or ("accepted" if reading.accepted else "asks: " + ", ".join(reading.doubts))
    strip = np.zeros((int(36 * size) + 6, canvas.shape[1], 3), np.uint8)
    _write(strip, foot, (6, strip.shape[0] - 10), size, (255, 255, 255))
    return np.vstack([canvas, strip])


def _write(
    canvas: Image, words: str, at: tuple[int, int], size: float, ink: tuple[int, int, int]
) -> None:
    cv2.putText(canvas, words, at, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), 4, cv2.LINE_AA)
    cv2.putText(canvas, words, at, cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1, cv2.LINE_AA)
