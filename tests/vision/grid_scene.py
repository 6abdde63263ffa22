"""Pictures of a laid-out grid for the tests: tiles, light, shadows, lens and table are made up.

Nobody gave us photographs of the real tiles. A tile here is a square of steel with a gem in the
middle, or without one; the forge is a dark tile with an anvil. What is varied, and how far, stands
in `Disturbance`: a reader that passes here has still to meet the real thing.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Real = NDArray[np.float32]

GEMS = {  # reflectances, red green blue: as printed, before any light falls on them
    "red": (0.62, 0.07, 0.08),
    "blue": (0.08, 0.20, 0.62),
    "green": (0.08, 0.46, 0.16),
    "purple": (0.36, 0.10, 0.46),
    "yellow": (0.78, 0.66, 0.10),
    "orange": (0.80, 0.32, 0.05),
}
NAMES = (*GEMS, "blank", "forge")
STEEL = (0.50, 0.51, 0.53)
TABLES = (
    (0.22, 0.13, 0.07),  # dark wood
    (0.42, 0.28, 0.15),  # oak
    (0.05, 0.20, 0.09),  # felt
    (0.03, 0.03, 0.04),  # black cloth
    (0.10, 0.12, 0.25),  # blue cloth
    (0.30, 0.05, 0.06),  # red cloth
)
WARM, DAY, COLD = (1.0, 0.72, 0.38), (1.0, 1.0, 1.0), (0.78, 0.95, 1.18)
ANVIL = (
    (16, 24), (58, 24), (48, 36), (42, 36), (44, 48),
    (52, 54), (20, 54), (28, 48), (30, 36), (22, 32),
)  # fmt: skip
CURVE = np.int16(np.linspace(0, 1, 4096) ** (1 / 2.2) * 255)  # of the camera
ART = 72  # pixels of a tile's side before it is seen through the lens


@dataclass(frozen=True)
class Disturbance:
    """How bad it may get; the figures are the ends of what is drawn at random."""

    tilt: float = 0.22  # how much narrower the far edge is than the near one
    turn: float = 18.0  # degrees of the whole grid
    jitter: float = 0.03  # of a tile: how carelessly it is laid
    twist: float = 4.0  # degrees of a single tile
    gap: tuple[float, float] = (0.06, 0.20)  # between tiles, of a tile
    bright: tuple[float, float] = (0.45, 1.15)
    slope: float = 0.45  # how much darker one side of the picture is
    shadows: int = 2
    noise: tuple[float, float] = (1.0, 7.0)  # of 255
    blur: tuple[float, float] = (0.0, 1.3)  # pixels
    glare: float = 0.25  # how often a lamp mirrors somewhere
    others: int = 3  # things beside the grid: dice, stacks of tiles, a hand
    quality: tuple[int, int] = (60, 95)  # of the JPEG


def tile(name: str, rng: random.Random) -> Real:
    """One tile from above, as reflectances."""
    steel = np.array(STEEL) * rng.uniform(0.9, 1.1)
    if name == "forge":
        steel = np.array((0.10, 0.08, 0.07))
    art = np.ones((ART, ART, 3), np.float32) * steel.astype(np.float32)
    sheen = np.linspace(rng.uniform(0.93, 1.0), rng.uniform(1.0, 1.07), ART, dtype=np.float32)
    art *= sheen[:, None, None]
    art *= _grain((ART, ART), rng, 0.025)[..., None]
    edge = tuple(float(v) for v in steel * 0.55)
    cv2.rectangle(art, (1, 1), (ART - 2, ART - 2), edge, 2)
    middle = ART // 2
    if name == "forge":
        light = (0.55, 0.50, 0.45)
        cv2.fillPoly(art, [np.array(ANVIL, np.int32)], light)
        cv2.circle(art, (middle, 12), 5, (0.8, 0.35, 0.08), -1)
    elif name in GEMS:
        radius = int(ART * rng.uniform(0.19, 0.23))
        gem = np.array(GEMS[name]) * rng.uniform(0.88, 1.12)
        angles = np.arange(8) * np.pi / 4 + 0.2
        corners = np.stack([np.cos(angles), np.sin(angles)], 1) * radius
        shape = [np.int32(middle + corners)]
        cv2.fillPoly(art, shape, tuple(float(v) for v in gem))
        cv2.fillPoly(
            art,
            [np.int32(middle + corners / 2)],
            tuple(float(v) for v in np.minimum(gem * 1.18, 0.95)),
        )
        cv2.polylines(art, shape, True, tuple(float(v) for v in steel * 0.4), 1)
        spark = (middle - radius // 2, middle - radius // 2)
        cv2.circle(art, spark, max(1, radius // 6), (0.95, 0.95, 0.95), -1)
    else:
        cv2.line(art, (middle, 10), (middle, ART - 10), tuple(float(v) for v in steel * 0.8), 2)
    return np.ascontiguousarray(np.rot90(art, rng.randrange(4)))


UNDISTURBED = Disturbance()


def scene(
    rows: tuple[tuple[str, ...], ...],
    rng: random.Random,
    bad: Disturbance = UNDISTURBED,
    light: tuple[float, float, float] | None = None,
    size: tuple[int, int] = (640, 480),
) -> Image:
    """A picture (blue, green, red) of a grid that lies on a table."""
    plane, where = _table(rows, rng, bad)
    seen = _through_lens(plane, where, rng, bad, size)
    return _exposed(_lit(seen, rng, bad, light), rng, bad)


def random_rows(rng: random.Random, height: int) -> tuple[tuple[str, ...], ...]:
    """A grid as the game lays it: the forge in row 2, column 3."""
    kinds = NAMES[:-1]
    return tuple(
        tuple("forge" if (r, c) == (1, 2) else rng.choice(kinds) for c in range(4))
        for r in range(height)
    )


def _grain(shape: tuple[int, int], rng: random.Random, strength: float) -> Real:
    noise = np.random.default_rng(rng.getrandbits(32)).normal(1.0, strength, shape)
    return noise.astype(np.float32)


def _table(
    rows: tuple[tuple[str, ...], ...], rng: random.Random, bad: Disturbance
) -> tuple[Real, tuple[float, float, float, float]]:
    """The table from straight above, and where on it the grid lies."""
    height, width = len(rows), max(map(len, rows))
    pitch = ART * (1 + rng.uniform(*bad.gap))
    margin = int(ART * 2.2)
    high, wide = int(pitch * height) + 2 * margin, int(pitch * width) + 2 * margin
    base = np.array(rng.choice(TABLES), np.float32) * rng.uniform(0.8, 1.2)
    plane = np.ones((high, wide, 3), np.float32) * base
    grain = cv2.resize(_grain((high // 24 + 2, 4), rng, 0.12), (wide, high))
    plane *= grain[..., None]
    for _ in range(rng.randrange(bad.others + 1)):
        _beside(plane, margin, rng)
    for row, names in enumerate(rows):
        for column, name in enumerate(names):
            if name:
                x = margin + (column + 0.5) * pitch + rng.uniform(-1, 1) * bad.jitter * ART
                y = margin + (row + 0.5) * pitch + rng.uniform(-1, 1) * bad.jitter * ART
                _put(plane, tile(name, rng), (x, y), rng.uniform(-1, 1) * bad.twist)
    return plane, (margin, margin, pitch * width, pitch * height)


def _put(plane: Real, art: Real, at: tuple[float, float], degrees: float) -> None:
    """Lay a tile, with the thin shadow that its edge throws."""
    side = int(ART * 1.7)
    left, top = int(at[0]) - side // 2, int(at[1]) - side // 2
    if left < 0 or top < 0 or top + side > plane.shape[0] or left + side > plane.shape[1]:
        return
    patch = plane[top : top + side, left : left + side]
    turn = cv2.getRotationMatrix2D((ART / 2, ART / 2), degrees, 1.0)
    turn[:, 2] += np.array(at) - ART / 2 - (left, top)
    mask = cv2.warpAffine(np.ones((ART, ART), np.float32), turn, (side, side))
    shadow = cv2.GaussianBlur(np.roll(mask, (3, 3), (0, 1)), (0, 0), 3)
    patch *= (1 - 0.45 * shadow)[..., None]
    moved = cv2.warpAffine(art, turn, (side, side))
    patch *= (1 - mask)[..., None]
    patch += moved * mask[..., None]


def _beside(plane: Real, margin: int, rng: random.Random) -> None:
    """A die, a stack of tiles or part of a hand, off the grid."""
    high, wide = plane.shape[:2]
    near = margin - ART * 0.8
    x, y = rng.uniform(0, wide), rng.choice((near * 0.8, high - near * 0.8))
    if rng.random() < 0.5:
        x, y = rng.choice((near * 0.8, wide - near * 0.8)), rng.uniform(0, high)
    kind = rng.randrange(3)
    if kind == 0:
        half = int(ART * 0.22)
        ink = rng.choice(((0.03,) * 3, (0.85,) * 3, (0.3, 0.6, 0.8)))
        cv2.rectangle(
            plane, (int(x) - half, int(y) - half), (int(x) + half, int(y) + half), ink, -1
        )
    elif kind == 1:
        _put(plane, tile(rng.choice(NAMES[:-1]), rng), (x, y), rng.uniform(0, 90))
    else:
        cv2.circle(plane, (int(x), int(y)), int(ART * 0.5), (0.55, 0.36, 0.27), -1)


def _through_lens(
    plane: Real,
    where: tuple[float, float, float, float],
    rng: random.Random,
    bad: Disturbance,
    size: tuple[int, int],
) -> Real:
    """The table in perspective: turned, tilted, as near as the grid still fits."""
    x, y, w, h = where
    corners = np.array([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], np.float64)
    centre = corners.mean(0)
    angle = np.radians(rng.uniform(-1, 1) * bad.turn)
    turn = np.array(((np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))))
    flat = (corners - centre) @ turn.T
    flat /= max(np.abs(flat[:, 0]).max() / size[0], np.abs(flat[:, 1]).max() / size[1])
    near = rng.uniform(0.62, 0.9) * 0.5
    seen = flat * near * 2 * 0.5
    depth = 1 + (seen[:, 1] / size[1]) * rng.uniform(-1, 1) * bad.tilt * 2
    depth += (seen[:, 0] / size[0]) * rng.uniform(-1, 1) * bad.tilt
    seen = seen * depth[:, None] * 1.6
    seen += np.array(size) / 2 - seen.mean(0)
    low, high = seen.min(0), seen.max(0)
    room = np.array(size) * 0.94 / (high - low)
    seen = (seen - np.array(size) / 2) * min(1.0, room.min()) + np.array(size) / 2
    lens = cv2.getPerspectiveTransform(corners.astype(np.float32), seen.astype(np.float32))
    edge = plane[0, 0].tolist()
    return np.asarray(
        cv2.warpPerspective(
            plane,
            lens,
            size,
            flags=cv2.INTER_AREA,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=edge,
        ),
        np.float32,
    )


def _lit(
    seen: Real, rng: random.Random, bad: Disturbance, light: tuple[float, float, float] | None
) -> Real:
    """Light of a colour, falling off to one side; soft shadows; a lamp that mirrors."""
    high, wide = seen.shape[:2]
    if light is None:
        lamp = rng.choice((WARM, DAY, COLD))
        mix = rng.random()
        colour = np.array(DAY) * (1 - mix) + np.array(lamp) * mix
    else:
        colour = np.array(light)
    seen = seen * (colour * rng.uniform(*bad.bright)).astype(np.float32)
    angle, fall = rng.uniform(0, 6.3), rng.uniform(0, bad.slope)
    ys = np.arange(0, high, 4, dtype=np.float32)[:, None]  # light changes slowly: a coarse field
    xs = np.arange(0, wide, 4, dtype=np.float32)[None, :]
    along = (np.cos(angle) * (xs / wide - 0.5) + np.sin(angle) * (ys / high - 0.5)) * 1.4
    field = 1 - fall * (along + 0.5).clip(0, 1)
    for _ in range(rng.randrange(bad.shadows + 1)):
        mask = np.zeros(field.shape, np.float32)
        x, y = rng.uniform(0, wide / 4), rng.uniform(0, high / 4)
        far = max(high, wide) / 8
        points = [(x + rng.uniform(-far, far), y + rng.uniform(-far, far)) for _ in range(4)]
        cv2.fillConvexPoly(mask, cv2.convexHull(np.array(points, np.int32)), 1.0)
        mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(1, 6))
        field = field * (1 - rng.uniform(0.2, 0.55) * mask)
    seen = seen * _full(field, seen)
    if rng.random() < bad.glare:
        x, y, r = rng.uniform(0, wide), rng.uniform(0, high), rng.uniform(8, 30)
        spot = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * r * r)) * rng.uniform(0.2, 0.8)
        seen = seen + _full(spot, seen) * colour.astype(np.float32)
    return np.asarray(seen, np.float32)


def _full(coarse: Real, seen: Real) -> Real:
    """A field of light in the picture's own size."""
    high, wide = seen.shape[:2]
    return np.asarray(cv2.resize(np.float32(coarse), (wide, high))[..., None], np.float32)


def _exposed(seen: Real, rng: random.Random, bad: Disturbance) -> Image:
    """Blur, the camera's curve, noise, JPEG."""
    sigma = rng.uniform(*bad.blur)
    if sigma > 0.2:
        seen = cv2.GaussianBlur(seen, (0, 0), sigma)
    coded = CURVE[np.clip(seen * rng.uniform(1.1, 1.5) * 4095, 0, 4095).astype(np.uint16)]
    cv2.setRNGSeed(rng.getrandbits(31))
    noise = cv2.randn(np.empty(coded.shape, np.int16), 0, rng.uniform(*bad.noise))
    picture = np.clip(coded + noise, 0, 255).astype(np.uint8)[..., ::-1]
    quality = rng.randint(*bad.quality)
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
