"""Dice to learn from: small scenes with truth, drawn fast, of every light, ground and kind."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.train.grounds import Floats, Random, ground, junk, noise

BODIES = ("black", "white", "blue", "other")
OVER = 2  # drawn this much larger, then shrunk
_CORNERS = np.array([(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], np.float64) / 2
_CIRCLE = np.stack([np.cos(a := np.linspace(0, 2 * np.pi, 17)[:-1]), np.sin(a)], 1)
_PIPS = {  # in units of (along, across)
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)],
}


@dataclass(frozen=True)
class Truth:
    """One die of a scene: centre of its upper face, edge in pixels, and what it is."""

    x: float
    y: float
    edge: float
    value: int  # 0: cocked, no face is up; -1: not to be learned from
    body: int
    turn: float  # radians, modulo a quarter


@dataclass(frozen=True)
class Make:
    """How one set of dice is made."""

    body: int
    ink: Floats
    pip: Floats
    round: float
    pip_radius: float
    big_one: float
    along: float
    across: float
    gloss: float
    dimple: float


def make(random: Random) -> Make:
    """A kind of dice; black and white ones are the most common."""
    body = int(random.choice(4, p=[0.27, 0.33, 0.12, 0.28]))
    dark = np.full(3, random.uniform(0, 45), np.float32) + random.uniform(0, 12, 3)
    light = np.float32(random.uniform(200, 265)) - random.uniform(0, 25, 3)
    pip = light
    if body == 0:
        ink = np.full(3, random.uniform(4, 55)) + random.uniform(0, 8, 3)
        if random.random() < 0.12:
            pip = np.array([40, random.uniform(150, 200), 220]) * random.uniform(0.7, 1)  # gold
    elif body == 1:
        ink = np.full(3, random.uniform(190, 262))
        ink -= random.choice([0.0, 1.0, 1.0]) * np.array(
            [random.uniform(0, 75), random.uniform(0, 22), 0]
        )
        pip = dark
        if random.random() < 0.08:
            pip = np.array([[150, 60, 30], [30, 30, 190], [60, 110, 40]][random.integers(3)], float)
    elif body == 2:
        hsv = [random.uniform(92, 108), random.uniform(60, 190), random.uniform(170, 255)]
        ink = cv2.cvtColor(np.array([[hsv]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0].astype(float)
        pip = light if random.random() < 0.6 else dark
    else:
        hue = random.uniform(0, 180)
        hsv = [hue, random.uniform(110, 255), random.uniform(50, 250)]
        if 90 < hue < 112:  # keep clear of light blue: only deep blues here
            hsv[2] = random.uniform(40, 140)
        if 18 < hue < 33 and random.random() < 0.7:  # yellow is never taken for ivory
            hsv[1] = random.uniform(130, 255)
        ink = cv2.cvtColor(np.array([[hsv]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0].astype(float)
        pick = random.random()
        pip = light if pick < 0.5 else dark
        if pick > 0.85:
            pip = np.array([40, random.uniform(150, 200), 220]) * random.uniform(0.7, 1)
        if random.random() < 0.14:  # dark grey with red pips
            ink = np.full(3, random.uniform(35, 95)) + random.uniform(0, 12, 3)
            pip = np.array(
                [random.uniform(20, 60), random.uniform(20, 60), random.uniform(120, 220)]
            )
    spread = random.uniform(0.2, 0.3)
    return Make(
        body,
        ink.astype(np.float32),
        np.asarray(pip, np.float32),
        random.uniform(0.03, 0.24),
        random.uniform(0.065, 0.125),
        random.uniform(1.3, 1.8) if random.random() < 0.2 else 1.0,
        spread,
        min(0.3, max(0.15, spread * random.normal(1, 0.12))),
        random.uniform(0, 1) ** 2,
        random.uniform(0, 1),
    )


class Camera:
    """A pinhole above the table, looking at its middle."""

    def __init__(self, random: Random, side: float, edge: float) -> None:
        tilt = np.radians(
            random.choice([random.uniform(0, 22), random.uniform(15, 52)], p=[0.7, 0.3])
        )
        around, roll = random.uniform(0, 2 * np.pi, 2)
        self.far = random.uniform(7, 40)
        back = np.array(
            [np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt)]
        )
        helper = np.array([np.cos(roll), np.sin(roll), 0.0])
        right = np.cross(helper, back)
        right /= np.linalg.norm(right)
        self.axes = np.stack([right, np.cross(back, right), back])
        self.place = back * self.far
        self.focal = edge * self.far
        self.middle = side / 2

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """World points to pixels."""
        seen = (points - self.place) @ self.axes.T
        depth = np.maximum(-seen[:, 2:3], 0.5)
        flat: NDArray[np.float64] = self.middle + seen[:, :2] * (self.focal, -self.focal) / depth
        return flat

    def ground_at(self, x: float, y: float) -> NDArray[np.float64]:
        """The point of the table under a pixel."""
        ray = np.array([(x - self.middle) / self.focal, -(y - self.middle) / self.focal, -1.0])
        ray = ray @ self.axes
        steep = min(ray[2], -0.05)
        hit: NDArray[np.float64] = self.place - ray * self.place[2] / steep
        return hit


def _fill(canvas: Floats, points: NDArray[np.float64], ink: Floats) -> None:
    where = np.round(points * 16).astype(np.int32)
    cv2.fillConvexPoly(canvas, where, [float(c) for c in ink], cv2.LINE_AA, 4)


def _turned(yaw: float, cock: float, axis: float) -> NDArray[np.float64]:
    c, s = np.cos(yaw), np.sin(yaw)
    flat = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    if not cock:
        return flat
    lean, _ = cv2.Rodrigues(np.array([np.cos(axis), np.sin(axis), 0.0]) * cock)
    leaned: NDArray[np.float64] = lean @ flat
    return leaned


def _faces(value: int, random: Random) -> dict[tuple[int, int], int]:
    """Values by (axis, sign): opposite faces add up to seven."""
    pairs = [p for p in ((1, 6), (2, 5), (3, 4)) if value not in p]
    if random.random() < 0.5:
        pairs.reverse()
    faces = {(2, 1): value, (2, -1): 7 - value}
    for axis, pair in enumerate(pairs):
        flip = int(random.integers(2))
        faces[(axis, 1)], faces[(axis, -1)] = pair[flip], pair[1 - flip]
    return faces


def _draw_die(
    canvas: Floats,
    camera: Camera,
    made: Make,
    centre: NDArray[np.float64],
    turn: NDArray[np.float64],
    value: int,
    light: NDArray[np.float64],
    lamp: tuple[float, float],
    random: Random,
) -> NDArray[np.float64]:
    """Draws one die; gives the corners of its upper face."""
    side = canvas.shape[0]
    middle = camera.project(centre[None])[0]
    edge = camera.focal / max(0.5, float(np.linalg.norm(camera.place - centre)))
    inset = _CORNERS * (1 - 2 * made.round)
    spots = camera.project(inset @ turn.T + centre)
    rim = (spots[:, None, :] + _CIRCLE[None] * made.round * edge).reshape(-1, 2)
    hull = cv2.convexHull(rim.astype(np.float32))[:, 0, :].astype(np.float64)

    pad = int(edge * 0.25) + 3
    x0, y0 = np.maximum(np.floor(hull.min(0)).astype(int) - pad, 0)
    x1, y1 = np.minimum(np.ceil(hull.max(0)).astype(int) + pad, side)
    top = camera.project(
        (np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1.0]]) / 2) @ turn.T + centre
    )
    if x1 - x0 < 3 or y1 - y0 < 3:
        return top
    patch = canvas[y0:y1, x0:x1]
    die = patch.copy()
    shift = np.array([x0, y0], np.float64)
    ambient, direct = lamp
    faces = _faces(value, random)
    view = camera.place - centre

    def lit(normal: NDArray[np.float64]) -> float:
        return ambient + direct * max(0.0, float(normal @ light))

    seen: list[tuple[float, int, int, NDArray[np.float64]]] = []
    for axis in range(3):
        for sign in (-1, 1):
            normal = turn[:, axis] * sign
            facing = float(normal @ (view - normal / 2)) / float(np.linalg.norm(view))
            if facing > 0.03:
                seen.append((facing, axis, sign, normal))
    seen.sort(key=lambda f: f[0])
    mean = float(np.mean([lit(n) for _, _, _, n in seen])) if seen else 1.0
    rimmed = made.ink * mean * random.uniform(0.75, 1.15)
    if random.random() < 0.3 * (1 + made.gloss):  # bevels catch the light
        rimmed = rimmed + random.uniform(0, 90) * made.gloss
    _fill(die, hull - shift, rimmed)
    flat = (1 - 2 * made.round * random.uniform(0.5, 1.0)) / 2
    for _, axis, _, normal in seen:
        u, v = turn[:, (axis + 1) % 3], turn[:, (axis + 2) % 3]
        corner = flat * random.uniform(0.55, 0.95)
        ring = [
            (a * s if k else a * t, b * t if k else b * s)
            for a, b, k, s, t in (
                (1, 1, 0, flat, corner),
                (1, 1, 1, flat, corner),
                (1, -1, 1, flat, corner),
                (1, -1, 0, flat, corner),
                (-1, -1, 0, flat, corner),
                (-1, -1, 1, flat, corner),
                (-1, 1, 1, flat, corner),
                (-1, 1, 0, flat, corner),
            )
        ]
        around = centre + normal / 2 + np.array([p * u + q * v for p, q in ring])
        quad = camera.project(around) - shift
        hull_face = cv2.convexHull(quad.astype(np.float32))[:, 0, :].astype(np.float64)
        _fill(die, hull_face, made.ink * lit(normal))
    soft = edge * made.round * random.uniform(0.15, 0.4)
    if soft > 0.4:
        die = cv2.GaussianBlur(die, (0, 0), soft)
    if random.random() < 0.35:  # marbled or translucent
        grain = max(2.0, edge * random.uniform(0.1, 0.6))
        size = max(die.shape[:2])
        cloud = noise(random, size, grain, grain)[: die.shape[0], : die.shape[1], None]
        die = die + cloud * float(random.uniform(0, 22))
    for _, axis, sign, normal in seen:
        u, v = turn[:, (axis + 1) % 3], turn[:, (axis + 2) % 3]
        if random.random() < 0.5:
            u, v = v, u
        worth = faces[(axis, sign)]
        radius = made.pip_radius * (made.big_one if worth == 1 else 1.0)
        along, across = made.along, made.across
        if worth in (3, 5, 4, 2) and random.random() < 0.8:
            across = along
        ink = made.pip * (0.35 + 0.65 * lit(normal))
        flipped = random.random() < 0.5
        for p, q in _PIPS[worth]:
            q = -q if flipped else q
            spot = centre + normal / 2 + u * p * along + v * q * across
            disc = spot + (u[None] * _CIRCLE[:, :1] + v[None] * _CIRCLE[:, 1:]) * radius
            _fill(die, camera.project(disc) - shift, ink)
            if made.dimple > 0.5 and random.random() < 0.7:  # a glint, or a shaded rim
                inner = spot + light * radius * 0.35 * random.choice([-1, 1])
                inner = inner + (
                    u[None] * _CIRCLE[:, :1] + v[None] * _CIRCLE[:, 1:]
                ) * radius * random.uniform(0.25, 0.6)
                glint = ink + random.uniform(-50, 130) * made.gloss
                _fill(die, camera.project(inner) - shift, glint.astype(np.float32))
    if random.random() < 0.25 + 0.4 * made.gloss:  # glare on the whole
        size = edge * random.uniform(0.1, 0.45)
        at = middle - shift + random.normal(0, 0.3, 2) * edge
        yy, xx = np.mgrid[0 : die.shape[0], 0 : die.shape[1]].astype(np.float32)
        tall = random.uniform(0.4, 1.6)
        spot_light = np.exp(-(((xx - at[0]) / size) ** 2 + ((yy - at[1]) / size / tall) ** 2))
        die = die + spot_light[..., None].astype(np.float32) * random.uniform(20, 170) * (
            0.3 + made.gloss
        )
    mask = np.zeros(die.shape[:2], np.float32)
    _fill(mask[..., None] if mask.ndim == 3 else mask, hull - shift, np.ones(1, np.float32))
    patch[:] = patch + (die.astype(np.float32) - patch) * mask[..., None]
    return top


def _places(
    random: Random, camera: Camera, side: float, count: int
) -> list[tuple[NDArray[np.float64], float]]:
    """Where the dice stand and how they are turned; sometimes side by side, touching."""
    placed: list[tuple[NDArray[np.float64], float]] = []
    close = random.choice([1.45, 1.12, 1.02], p=[0.5, 0.3, 0.2])
    for _ in range(count * 6):
        if len(placed) == count:
            break
        if placed and random.random() < 0.3:
            base, yaw = placed[random.integers(len(placed))]
            quarter = yaw + np.pi / 2 * random.integers(4)
            step = np.array([np.cos(quarter), np.sin(quarter), 0]) * random.uniform(1.0, 1.06)
            slide = np.array([-np.sin(quarter), np.cos(quarter), 0]) * random.normal(0, 0.2)
            spot, turn = base + step + slide, yaw + random.normal(0, 0.03)
            limit = 0.98
        else:
            spot = camera.ground_at(*random.uniform(-0.05 * side, 1.05 * side, 2))
            spot[2] = 0.5
            turn, limit = random.uniform(0, np.pi / 2), close
        if all(np.hypot(*(spot - other)[:2]) > limit for other, _ in placed):
            placed.append((spot, turn))
    return placed


def finish(random: Random, canvas: Floats, side: int) -> NDArray[np.uint8]:
    """Light, lens and file: shading, blur, noise, JPEG."""
    big = canvas.shape[0]
    if random.random() < 0.6:
        slope = noise(random, big, big * 0.8, big * 0.8)
        canvas = canvas * (1 + np.clip(slope, -2, 2)[..., None] * random.uniform(0, 0.25))
    tint = 1 + random.normal(0, 0.09, 3) * random.choice([0, 1, 2.0])
    power = float(np.exp(random.normal(0.0, 0.35)))
    image = canvas * (tint * power).astype(np.float32) + random.choice([0, random.uniform(0, 30)])
    image = cv2.resize(image.astype(np.float32), (side, side), interpolation=cv2.INTER_AREA)
    image = np.clip(image, 0, 255)
    if random.random() < 0.55:
        image = cv2.GaussianBlur(image, (0, 0), random.uniform(0.3, 1.3))
    if random.random() < 0.08:
        length = int(random.integers(2, 6))
        kernel = np.zeros((length, length), np.float32)
        cv2.line(
            kernel,
            (0, int(random.integers(length))),
            (length - 1, int(random.integers(length))),
            1.0,
        )
        image = cv2.filter2D(image, -1, kernel / max(1.0, float(kernel.sum())))
    if random.random() < 0.35:
        image = image + (image - cv2.GaussianBlur(image, (0, 0), 1.2)) * random.uniform(0.2, 1.3)
    if random.random() < 0.6:
        image = image + random.standard_normal(image.shape).astype(np.float32) * random.uniform(
            0, 9
        )
    done = np.clip(image, 0, 255).astype(np.uint8)
    if random.random() < 0.06:
        done = cv2.cvtColor(cv2.cvtColor(done, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    if random.random() < 0.6:
        _, data = cv2.imencode(
            ".jpg", done, [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(45, 97))]
        )
        done = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return done


def scene(
    random: Random,
    side: int,
    edge: float,
    behind: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.uint8], list[Truth]]:
    """A picture `side` pixels square with dice of about `edge` pixels, and what lies in it."""
    big = side * OVER
    if behind is not None:
        canvas = cv2.resize(behind, (big, big), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    else:
        canvas = ground(random, big)
    for _ in range(random.integers(0, 4) if random.random() < 0.5 else 0):
        junk(random, canvas, edge * OVER)
    camera = Camera(random, big, edge * OVER)
    room = (side / edge) ** 2
    count = int(min(random.integers(0, 9), max(1, room / 1.8)))
    sets = [make(random) for _ in range(random.integers(1, 4))]
    high = random.uniform(0.35, 1.4)
    way = random.uniform(0, 2 * np.pi)
    light = np.array([np.cos(way) * np.cos(high), np.sin(way) * np.cos(high), np.sin(high)])
    ambient = random.uniform(0.3, 0.9)
    lamp = (ambient, (1.05 - ambient) / np.sin(high))
    truths: list[Truth] = []
    dice = []
    for spot, yaw in _places(random, camera, big, count):
        made = sets[random.integers(len(sets))]
        size = random.normal(1, 0.03) if random.random() < 0.8 else random.uniform(0.75, 1.3)
        cock = random.uniform(0.5, 0.78) if random.random() < 0.03 else 0.0
        dice.append((spot, yaw, made, size, cock))
    strength = random.uniform(0, 0.75)
    if strength > 0.15:
        shadow = np.ones((big, big), np.float32)
        for spot, yaw, _, _, _ in dice:
            corners = (_CORNERS * 0.96) @ _turned(yaw, 0, 0).T + spot
            fall = corners - light * (corners[:, 2:3] / max(light[2], 0.3))
            hull = cv2.convexHull(camera.project(fall).astype(np.float32))[:, 0, :].astype(
                np.float64
            )
            _fill(shadow, hull, np.array([1 - strength], np.float32))
        blur = edge * OVER * random.uniform(0.02, 0.25)
        canvas *= cv2.GaussianBlur(shadow, (0, 0), max(0.5, blur))[..., None]
    # those farther away first, so that nearer dice cover them
    dice.sort(key=lambda d: -float(np.linalg.norm(camera.place - d[0])))
    for spot, yaw, made, size, cock in dice:
        value = int(random.integers(1, 7))
        turn = _turned(yaw, cock, yaw + np.pi / 2 * random.integers(4)) * size
        place = spot.copy()
        place[2] = 0.5 * size * (1 if not cock else 1.25)
        lean = turn / size
        quad = _draw_die(canvas, camera, made, place, turn, value, light, lamp, random)
        del lean
        truths.append(_truth(quad / OVER, side, 0 if cock else value, made.body))
    truths = _uncovered(truths)
    return finish(random, canvas, side), truths


def _truth(quad: NDArray[np.float64], side: int, value: int, body: int) -> Truth:
    area = 0.5 * abs(
        float(np.sum(quad[:, 0] * np.roll(quad[:, 1], -1) - quad[:, 1] * np.roll(quad[:, 0], -1)))
    )
    x, y = quad.mean(0)
    step = quad[1] - quad[0]
    inside = np.clip(quad, 0, side)
    if np.abs(inside - quad).max() > 0.08 * np.sqrt(area):
        value = -1
    return Truth(
        float(x), float(y), float(np.sqrt(area)), value, body, float(np.arctan2(step[1], step[0]))
    )


def _uncovered(truths: list[Truth]) -> list[Truth]:
    """Dice whose face a nearer one hides are not to be learned from."""
    kept: list[Truth] = []
    for i, one in enumerate(truths):
        hidden = any(
            np.hypot(one.x - o.x, one.y - o.y) < 0.8 * max(one.edge, o.edge)
            for o in truths[i + 1 :]
        )
        kept.append(Truth(one.x, one.y, one.edge, -1, one.body, one.turn) if hidden else one)
    return kept
