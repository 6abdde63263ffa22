"""What is on a rendered die: its skin, the places of its pips, its printed signs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from companion.events import Body
from vision.rendered.optics import Colour, Floats, floats, turned

_H = np.pi / 2
# Opposite faces add up to seven; 1, 2, 3 run counter-clockwise round their corner.
FACES: tuple[tuple[int, int], ...] = ((2, 5), (3, 4), (1, 6))  # (plus, minus) of x, y, z
_UP = {
    1: turned((1, 0, 0), 0.0),
    2: turned((0, 1, 0), -_H),
    3: turned((1, 0, 0), _H),
    4: turned((1, 0, 0), -_H),
    5: turned((0, 1, 0), _H),
    6: turned((1, 0, 0), 2 * _H),
}


def face_up(value: int, turn: float) -> Floats:
    """The attitude of a die that lies flat with `value` on top, turned by `turn` radians."""
    return turned((0, 0, 1), turn) @ _UP[value]


@dataclass(frozen=True, slots=True)
class Skin:
    """How a die is made. Lengths are halves of its edge; colours are linear."""

    body: Body = "white"
    paint: Colour = (0.7, 0.72, 0.74)
    pip: Colour = (0.02, 0.02, 0.02)
    edge: float = 1.0  # length of the die's edge in the world
    bevel: float = 0.2  # radius of its rounded edges
    ball: float = 1.5  # corners cut by a ball of this radius
    dot: float = 0.19  # radius of a pip
    spread: float = 0.5  # distance of the outer pips from the middle line
    narrow: float = 1.0  # rows of a six stand closer than those of a four
    dent: float = 0.6  # slope of a pip's rim
    gloss: float = 0.04  # share of light mirrored straight on
    polish: float = 60.0
    ace: float = 1.0  # a one that is bigger than the rest
    ace_paint: Colour | None = None
    signs: bool = False  # printed faces instead of pips

    def pips(self, value: int) -> list[tuple[float, float]]:
        """Centres of the pips of a face."""
        s, n = self.spread, self.spread * self.narrow
        corners = [(s, s), (-s, -s), (s, -s), (-s, s)]
        if value == 6:
            return [(x, y) for x in (-n, n) for y in (-s, 0.0, s)]
        middle = [(0.0, 0.0)] if value % 2 else []
        return middle + corners[: value - value % 2]


def _grey(rng: np.random.Generator, low: float, high: float, tint: float) -> Colour:
    level = float(rng.uniform(low, high))
    blue, green, red = (1 + rng.uniform(-tint, tint, 3)) * level
    return (float(blue), float(green), float(red))


_OTHERS: tuple[Colour, ...] = (
    (0.03, 0.03, 0.45),  # red
    (0.05, 0.25, 0.04),  # green
    (0.05, 0.5, 0.7),  # yellow
    (0.22, 0.03, 0.2),  # purple
    (0.03, 0.2, 0.6),  # orange
    (0.3, 0.08, 0.02),  # navy
)


def skin(body: Body, rng: np.random.Generator) -> Skin:
    """Some die of this body, as shops sell them."""
    shape = Skin(
        body,
        bevel=float(rng.uniform(0.08, 0.3)),
        ball=float(rng.uniform(1.4, 1.75)),
        dot=float(rng.uniform(0.16, 0.23)),
        spread=float(rng.uniform(0.46, 0.56)),
        narrow=float(rng.uniform(0.82, 1.0)),
        dent=float(rng.uniform(0.2, 0.9)),
        gloss=float(rng.uniform(0.02, 0.06)),
        polish=float(rng.uniform(30, 160)),
    )
    if body == "black":
        paint, pip = _grey(rng, 0.008, 0.035, 0.12), _grey(rng, 0.6, 0.85, 0.05)
        return replace(shape, paint=paint, pip=pip)
    if body == "white":
        ivory = float(rng.uniform(0.72, 1.0))
        level = float(rng.uniform(0.55, 0.85))
        paint = (level * ivory, level * (0.4 + 0.6 * ivory) ** 0.3, level)
        red = (0.03, 0.03, 0.5) if rng.random() < 0.12 else None
        ace = float(rng.uniform(1.2, 1.7)) if red else 1.0
        pip = _grey(rng, 0.01, 0.05, 0.2)
        return replace(shape, paint=paint, pip=pip, ace=ace, ace_paint=red)
    if body == "blue":
        pale = float(rng.uniform(0.75, 1.1))
        paint = (0.72 * pale, 0.5 * pale, float(rng.uniform(0.14, 0.26)) * pale)
        ink = _grey(rng, 0.8, 0.9, 0.03) if rng.random() < 0.5 else (0.12, 0.04, 0.02)
        return replace(shape, paint=paint, pip=ink, signs=True)
    paint = _OTHERS[int(rng.integers(len(_OTHERS)))]
    return replace(shape, paint=paint, pip=_grey(rng, 0.6, 0.85, 0.05))


@cache
def sign(value: int) -> Floats:
    """The printed sign of a face, 128 pixels square: 0 body, 1 ink."""
    flat = np.zeros((512, 512), np.uint8)
    if value == 1:  # a sword
        _fill(flat, [(236, 60), (256, 24), (276, 60), (276, 330), (236, 330)])
        _fill(flat, [(160, 330), (352, 330), (352, 366), (160, 366)])
        _fill(flat, [(238, 366), (274, 366), (274, 470), (238, 470)])
    elif value == 2:  # two swords crossed
        for side in (1, -1):
            _fill(flat, [(256 + side * x, y) for x, y in ((-170, 60), (150, 400), (120, 430))])
            _fill(flat, [(256 + side * x, y) for x, y in ((60, 400), (160, 300), (180, 320))])
    elif value == 3:  # a shield
        _fill(flat, [(96, 80), (256, 40), (416, 80), (400, 300), (256, 470), (112, 300)])
        cv2.line(flat, (256, 90), (256, 410), 0, 26)
        cv2.line(flat, (130, 210), (382, 210), 0, 26)
    elif value == 4:  # a heart
        cv2.circle(flat, (172, 180), 92, 255, -1, cv2.LINE_AA)
        cv2.circle(flat, (340, 180), 92, 255, -1, cv2.LINE_AA)
        _fill(flat, [(86, 214), (426, 214), (256, 450)])
    elif value == 5:  # a star
        points = [(-_H + i * np.pi / 5, 220 if i % 2 == 0 else 92) for i in range(10)]
        _fill(flat, [(256 + r * np.cos(a), 256 + r * np.sin(a)) for a, r in points])
    else:  # lightning
        _fill(flat, [(300, 30), (130, 290), (236, 290), (200, 480), (390, 200), (276, 200)])
    small = cv2.resize(flat, (128, 128), interpolation=cv2.INTER_AREA)
    return floats(small) / np.float32(255)


def _fill(flat: np.ndarray, points: list[tuple[float, float]]) -> None:
    cv2.fillPoly(flat, [np.array(points, np.int32)], 255, cv2.LINE_AA)
