"""One die drawn by following rays: rounded edges, dented pips, lamp, window and neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.rendered.dieface import FACES, Skin, sign
from vision.rendered.optics import Camera, Floats, Light, floats

_STEPS = 9
_CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)


@dataclass(frozen=True, eq=False)
class Pose:
    """Where a die is and how it is turned."""

    skin: Skin
    centre: Floats  # world, (3,)
    attitude: Floats  # local to world, (3, 3)

    def corners(self, scale: float = 1.0) -> Floats:
        """Its eight corners in the world."""
        half = np.float32(self.skin.edge / 2 * scale)
        return floats(self.centre + half * _CORNERS @ self.attitude.T)

    def lowest(self) -> float:
        """How far its lowest point lies under its centre; corners are rounded off."""
        skin, down = self.skin, -self.attitude[2]
        inner = (1 - skin.bevel) * float(np.abs(down).sum()) + skin.bevel
        return skin.edge / 2 * min(inner, skin.ball)


@dataclass(frozen=True, eq=False)
class Patch:
    """A drawn die: linear colour times cover, and cover, at a place of the picture."""

    left: int
    top: int
    light: Floats  # (h, w, 3)
    cover: Floats  # (h, w)


def draw_die(
    pose: Pose,
    camera: Camera,
    light: Light,
    others: Sequence[Pose] = (),
    floor: Floats | None = None,
    coarse: int = 1,
) -> Patch | None:
    """The die as the camera sees it; None when it lies outside the picture.

    `floor` is the colour of the light that comes back from the ground; `coarse` 2 draws every
    second pixel only, for dice that fly too fast to show detail.
    """
    width, height = camera.size
    seen = camera.project(pose.corners())
    left, top = np.floor(seen.min(0) - 2).astype(int)
    right, bottom = np.ceil(seen.max(0) + 3).astype(int)
    left, top = max(0, int(left)), max(0, int(top))
    right, bottom = min(width, int(right)), min(height, int(bottom))
    if right - left < 2 or bottom - top < 2:
        return None
    step = coarse
    ys, xs = np.mgrid[top:bottom:step, left:right:step].astype(np.float32)
    shape = xs.shape
    half = np.float32(pose.skin.edge / 2)
    origin = floats(pose.attitude.T @ (camera.eye - pose.centre)) / half
    ray = floats(pose.attitude.T @ camera.rays(xs.ravel(), ys.ravel()))
    pixel = step * float(np.linalg.norm(origin)) / camera.focal  # a pixel's width on the die

    keep, where, cover = _march(pose.skin, origin, ray, pixel)
    colour = np.zeros((xs.size, 3), np.float32)
    alpha = np.zeros(xs.size, np.float32)
    if keep.size:
        floor_light = np.full(3, 0.1, np.float32) if floor is None else floor
        shade = _shade(pose, light, where, ray[:, keep], pixel, others, floor_light)
        colour[keep] = shade * cover[:, None]
        alpha[keep] = cover
    colour, alpha = colour.reshape(*shape, 3), alpha.reshape(shape)
    if step > 1:
        size = (right - left, bottom - top)
        colour = cv2.resize(colour, size, interpolation=cv2.INTER_LINEAR)
        alpha = cv2.resize(alpha, size, interpolation=cv2.INTER_LINEAR)
    return Patch(left, top, floats(colour), floats(alpha))


def _march(
    skin: Skin, origin: Floats, ray: Floats, pixel: float
) -> tuple[np.ndarray, Floats, Floats]:
    """Which rays meet the die, where (3, n), and how much of their pixel it covers."""
    reach = np.float32(1 + pixel)
    slope = np.where(np.abs(ray) < 1e-6, np.float32(1e-6), ray)
    one, two = (-reach - origin[:, None]) / slope, (reach - origin[:, None]) / slope
    enter = np.minimum(one, two).max(0)
    leave = np.maximum(one, two).min(0)
    keep = np.flatnonzero(enter < leave)
    ray, far, stop = ray[:, keep], enter[keep], leave[keep]
    inner, bevel, ball = np.float32(1 - skin.bevel), np.float32(skin.bevel), np.float32(skin.ball)
    nearest = np.full(far.shape, np.inf, np.float32)
    best = far.copy()
    for _ in range(_STEPS):
        p = origin[:, None] + ray * far
        q = np.abs(p) - inner
        out = np.maximum(q, 0)
        box = np.sqrt((out * out).sum(0)) + np.minimum(q.max(0), 0) - bevel
        gap = np.maximum(box, np.sqrt((p * p).sum(0)) - ball)
        closer = gap < nearest
        nearest = np.where(closer, gap, nearest)
        best = np.where(closer, far, best)
        far = np.minimum(far + np.maximum(gap, 0), stop)
    cover = floats(np.clip(1 - nearest / np.float32(pixel), 0, 1))
    hit = np.flatnonzero(cover > 0)
    return keep[hit], floats(origin[:, None] + ray[:, hit] * best[hit]), cover[hit]


def _shade(
    pose: Pose,
    light: Light,
    where: Floats,
    ray: Floats,
    pixel: float,
    others: Sequence[Pose],
    floor: Floats,
) -> Floats:
    """Linear colour (n, 3) of points of the surface."""
    skin = pose.skin
    normal, paint, hollow = _surface(skin, where, ray, pixel)
    half = np.float32(skin.edge / 2)
    normal = pose.attitude @ normal
    ray = pose.attitude @ ray
    world = pose.centre[:, None] + half * (pose.attitude @ where)

    to_lamp = np.asarray(light.lamp, np.float32)[:, None] - world
    away = (to_lamp * to_lamp).sum(0)
    to_lamp /= np.sqrt(away)
    facing = (normal * to_lamp).sum(0)
    lamp = light.falling(away, facing) * _visible(world, light, others)
    up = normal[2] * 0.5 + 0.5
    low = np.clip(world[2] / np.float32(skin.edge * 0.7), 0, 1)  # dim where it meets the ground
    open_sky = (0.45 + 0.55 * low) * hollow
    room = np.asarray(light.room, np.float32)
    around = floor[None, :] * ((1 - up) * 0.7)[:, None] + room[None, :] * up[:, None]
    lamp_colour = np.asarray(light.colour, np.float32)
    colour = paint * (lamp[:, None] * lamp_colour + around * open_sky[:, None])

    # What the polish mirrors: lamp, window and room, more at a flat angle (Schlick).
    cosine = np.clip(-(normal * ray).sum(0), 0, 1)
    mirror = ray + 2 * cosine * normal
    fresnel = skin.gloss + (1 - skin.gloss) * (1 - cosine) ** 5 * 0.6
    spark = np.clip((mirror * to_lamp).sum(0), 0, 1) ** np.float32(skin.polish)
    glare = spark * light.strength * np.float32(skin.polish / 12) * (facing > 0)
    level = np.maximum(mirror[2], 0.05)
    wx, wy = light.window_at
    pane_x = np.clip(1.6 - np.abs(mirror[0] / level - wx) * 4, 0, 1)
    pane_y = np.clip(1.6 - np.abs(mirror[1] / level - wy) * 4, 0, 1)
    window = pane_x * pane_y * (mirror[2] > 0.05) * light.window
    sky = np.clip(mirror[2] * 0.5 + 0.5, 0, 1)
    sheen = (
        (glare + window)[:, None] * lamp_colour + sky[:, None] * room + (1 - sky)[:, None] * floor
    )
    return floats(colour + sheen * (fresnel * hollow)[:, None])


def _surface(skin: Skin, where: Floats, ray: Floats, pixel: float) -> tuple[Floats, Floats, Floats]:
    """Local normal (3, n), paint (n, 3) and openness (n) with pips or signs on each face."""
    out = np.maximum(np.abs(where) - np.float32(1 - skin.bevel), 0)
    normal = np.sign(where) * out
    length = np.sqrt((normal * normal).sum(0))
    round_ = (where * where).sum(0) >= np.float32((skin.ball - 0.002) ** 2)
    normal = np.where(round_ | (length < 1e-6), where, normal)
    normal = normal + 0.035 * where  # faces are never quite flat
    normal /= np.sqrt((normal * normal).sum(0))
    paint = np.tile(np.asarray(skin.paint, np.float32), (where.shape[1], 1))
    hollow = np.ones(where.shape[1], np.float32)
    axis = np.abs(where).argmax(0)
    flat = np.take_along_axis(np.abs(normal), axis[None], 0)[0] > 0.8
    for number in range(3):
        a, b = (number + 1) % 3, (number + 2) % 3
        for side in (0, 1):
            mine = (axis == number) & ((where[number] > 0) == (side == 0)) & flat
            chosen = np.flatnonzero(mine)
            if not chosen.size:
                continue
            value = FACES[number][side]
            u, v = where[a, chosen], where[b, chosen]
            slant = np.maximum(np.abs(ray[number, chosen]), 0.25)
            blur = np.float32(pixel) / slant
            if skin.signs:
                ink = _ink(value, u * (1 if side == 0 else -1), v)
                paint[chosen] += (np.asarray(skin.pip, np.float32) - paint[chosen]) * ink[:, None]
                continue
            near, du, dv = np.full(u.shape, 9, np.float32), np.zeros_like(u), np.zeros_like(u)
            for pu, pv in skin.pips(value):
                away = np.hypot(u - pu, v - pv)
                mask = away < near
                near = np.where(mask, away, near)
                du, dv = np.where(mask, pu - u, du), np.where(mask, pv - v, dv)
            ace = value == 1
            dot = skin.dot * (skin.ace if ace else 1.0)
            colour = skin.ace_paint if ace and skin.ace_paint else skin.pip
            ink = np.clip((dot - near) / blur + 0.5, 0, 1)
            paint[chosen] += (np.asarray(colour, np.float32) - paint[chosen]) * ink[:, None]
            lean = ink * np.float32(skin.dent / dot)
            normal[a, chosen] += lean * du
            normal[b, chosen] += lean * dv
            hollow[chosen] = 1 - 0.35 * ink * min(1.0, skin.dent * 1.5)
    normal /= np.sqrt((normal * normal).sum(0))
    return floats(normal), paint, hollow


def _ink(value: int, u: Floats, v: Floats) -> Floats:
    """How much ink of the printed sign lies at places of a face."""
    x = ((u / 0.78 + 1) * 63.5).astype(np.float32)[None]
    y = ((1 - v / 0.78) * 63.5).astype(np.float32)[None]
    found = cv2.remap(sign(value), x, y, cv2.INTER_LINEAR, borderValue=0)
    return floats(found).ravel()


def _visible(world: Floats, light: Light, others: Sequence[Pose]) -> Floats:
    """Share of the lamp that neighbours leave free, (n)."""
    free = np.ones(world.shape[1], np.float32)
    if not others:
        return free
    lamps = light.samples(3)
    for lamp in lamps:
        toward = lamp[:, None] - world
        blocked = np.zeros(world.shape[1], bool)
        for other in others:
            inverse = other.attitude.T / np.float32(other.skin.edge / 2 * 0.94)
            start = inverse @ (world - other.centre[:, None])
            slope = inverse @ toward
            slope = np.where(np.abs(slope) < 1e-6, np.float32(1e-6), slope)
            one, two = (-1 - start) / slope, (1 - start) / slope
            enter = np.minimum(one, two).max(0)
            leave = np.maximum(one, two).min(0)
            blocked |= (enter < leave) & (leave > 0.001) & (enter < 1)
        free -= blocked / np.float32(len(lamps))
    return free
