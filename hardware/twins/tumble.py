"""Cubes that fall, bounce, slide, and come to rest on a face or leaning on something: the physics.

Rigid cubes on felt, many at once: springs and dampers at the corners, friction that sticks (each
corner remembers where it gripped) and slips past Coulomb's limit. Metres, seconds, kilograms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from firmware.feel import RATE

Array: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

SIDE, MASS, WEIGHT = 0.030, 0.030, 9.81
HALF, INERTIA = SIDE / 2, MASS * SIDE**2 / 6
STEP = 0.0005
STRIDE = round(1 / (STEP * RATE))
PUSH, DAMP = 7500.0, 6.0  # spring and damper of a corner on felt
GRIP, GRIP_DAMP, FRICTION = 6000.0, 3.0, 0.45
SENSOR = np.array([0.002, -0.0015, 0.001])  # the accelerometer is not quite in the middle
CALM = 0.1  # seconds without motion that end a throw

CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * HALF
UP = np.array([(0, 0, 1), (0, 1, 0), (1, 0, 0), (-1, 0, 0), (0, -1, 0), (0, 0, -1)], float)
"""Which way is up in the die's own axes with face 1 to 6 on top."""

WIDE = 0.008  # half the width of what a die may fall on: a small die, or something flatter
_ALONG = np.linspace(-WIDE, WIDE, 5)
EDGE = np.array([(x, y) for x in _ALONG for y in _ALONG if WIDE in (abs(x), abs(y))])
"""Points along the upper edges of that thing, seen from above: they stand for the edges."""


@dataclass(frozen=True)
class Motion:
    """Dice in flight: one row for each."""

    place: Array  # (die, 3)
    speed: Array
    turn: Array  # (die, 3, 3): table axes from die axes
    spin: Array


@dataclass(frozen=True)
class Landing:
    """What was felt on the way (g) and the truth, 400 times a second: (time, die, 3)."""

    felt: Array
    ups: Array  # which way up was, in each die's own axes
    settled: Flags  # came to rest before the time was over

    @property
    def up(self) -> Array:
        """Up at the end."""
        return np.asarray(self.ups[-1])


def face(up: Array) -> NDArray[np.int64]:
    """The face on top, 1 to 6."""
    return np.asarray(np.argmax(up @ UP.T, axis=1) + 1)


def lean(up: Array) -> Array:
    """Degrees between the face on top and level."""
    return np.asarray(np.degrees(np.arccos(np.clip(np.max(up @ UP.T, axis=1), -1, 1))))


def fall(start: Motion, thing: Array | None = None, longest: float = 2.5) -> Landing:
    """Follow free dice until all rest; `thing` is the height of what lies at the origin."""
    dice = len(start.place)
    place, speed, turn, spin = start.place, start.speed, start.turn, start.spin
    foot = np.full((dice, 8, 3), np.nan)  # where a corner grips the table
    quiet, slow = np.zeros(dice), np.zeros((2, dice, 3))
    left = np.arange(dice)  # those that still move; the others are followed no longer
    felt, ups = [], []
    now, end = np.zeros((dice, 3)), start.turn.copy()
    for step in range(round(longest / STEP)):
        arm = CORNERS @ np.swapaxes(turn, 1, 2)
        force, torque = _table(place, speed, spin, arm, foot)
        if thing is not None:
            more_force, more_torque = _thing(place, speed, turn, spin, arm, thing[left])
            force, torque = force + more_force, torque + more_torque
        wheel = torque / INERTIA
        at = turn @ SENSOR
        pull = force / MASS + cross(wheel, at) + cross(spin, cross(spin, at))
        slow[0] += ((pull[:, None] @ turn)[:, 0] / WEIGHT - slow[0]) * DULL
        slow[1] += (slow[0] - slow[1]) * DULL
        if step % STRIDE == 0:
            now[left], end[left] = slow[1], turn
            felt.append(now.copy())
            ups.append(end[:, 2].copy())
        speed = speed + (force / MASS - (0, 0, WEIGHT)) * STEP
        spin = spin + wheel * STEP
        place = place + speed * STEP
        turn = rotation(spin * STEP) @ turn
        calm = (np.sum(spin**2, axis=1) < 0.05**2) & (np.sum(speed**2, axis=1) < 0.003**2)
        quiet = np.where(calm, quiet + STEP, 0)
        if step % 100 == 99:
            one, _, other = np.linalg.svd(turn)
            turn = one @ other
            move = quiet < CALM
            end[left], now[left] = turn, turn[:, 2]
            place, speed, turn, spin = place[move], speed[move], turn[move], spin[move]
            foot, quiet, slow, left = foot[move], quiet[move], slow[:, move], left[move]
            if not len(left):
                break
    settled = np.ones(dice, bool)
    settled[left] = False
    return Landing(np.array(felt), np.array(ups), settled)


def _table(place: Array, speed: Array, spin: Array, arm: Array, foot: Array) -> tuple[Array, Array]:
    """Push and grip of the table on the corners; `foot` remembers where they stick."""
    at = place[:, None] + arm
    moving = speed[:, None] + cross(spin[:, None], arm)
    deep = -at[:, :, 2]
    touch = deep > 0
    push = np.where(touch, np.maximum(PUSH * deep - DAMP * moving[:, :, 2], 0), 0)
    new = touch & np.isnan(foot[:, :, 0])
    foot[new] = at[new]
    foot[~touch] = np.nan
    drawn = np.where(touch[:, :, None], -GRIP * (at - foot) - GRIP_DAMP * moving, 0)
    drawn[:, :, 2] = 0
    scale = np.minimum(1, FRICTION * push / np.maximum(_size(drawn)[:, :, 0], 1e-12))
    grip = drawn * scale[:, :, None]
    slips = touch & (scale < 1)
    foot[slips] = (at + grip / GRIP)[slips]
    grip[:, :, 2] = push
    return grip.sum(1), cross(arm, grip).sum(1)


def _thing(
    place: Array, speed: Array, turn: Array, spin: Array, arm: Array, high: Array
) -> tuple[Array, Array]:
    """Push of the lying thing: its faces on our corners, its edges on our faces."""
    middle = np.stack([0 * high, 0 * high, high / 2], 1)
    box = np.stack([0 * high + WIDE, 0 * high + WIDE, high / 2], 1)
    ours = _way_out(place[:, None] + arm - middle[:, None], box[:, None])
    edge = np.empty((len(high), len(EDGE), 3))
    edge[:, :, :2], edge[:, :, 2] = EDGE, high[:, None]
    lever = edge - place[:, None]
    theirs = -_way_out(lever @ turn, np.full(3, HALF)) @ np.swapaxes(turn, 1, 2)
    force, torque = np.zeros_like(place), np.zeros_like(place)
    for deep, at in ((ours, arm), (theirs, lever)):
        size = _size(deep)
        away = deep / np.maximum(size, 1e-12)
        moving = speed[:, None] + cross(spin[:, None], at)
        rate = np.sum(moving * away, axis=2, keepdims=True)
        push = np.where(size > 0, np.maximum(PUSH * size - DAMP * rate, 0), 0)
        slide = moving - rate * away
        rub = slide * np.minimum(FRICTION * push / np.maximum(_size(slide), 1e-12), GRIP_DAMP)
        total = push * away - np.where(size > 0, rub, 0)
        force += total.sum(1)
        torque += cross(at, total).sum(1)
    return force, torque


def _way_out(at: Array, box: Array) -> Array:
    """For points in a box's own axes: the shortest way out; zero for points outside."""
    gap = box - np.abs(at)
    inside = np.all(gap > 0, axis=2, keepdims=True)
    nearest = gap == np.min(gap, axis=2, keepdims=True)
    return np.where(inside & nearest, gap * np.where(at < 0, -1, 1), 0)


def dull(felt: Array, cut: float = 44.0, rate: float = RATE) -> Array:
    """The sensor's low-pass: a ninth of the rate in its fine mode, two poles."""
    share = 1 - np.exp(-2 * np.pi * cut / rate)
    out, slow = np.empty_like(felt), np.stack([felt[0], felt[0]])
    for i, now in enumerate(felt):
        slow[0] += (now - slow[0]) * share
        slow[1] += (slow[0] - slow[1]) * share
        out[i] = slow[1]
    return out


DULL = 1 - np.exp(-2 * np.pi * 44.0 * STEP)  # the same low-pass at the step of the physics


def rotation(by: Array) -> Array:
    """Rotation matrices of rotation vectors (Rodrigues)."""
    angle = _size(by)[..., None]
    axis = by / np.maximum(angle[..., 0], 1e-12)
    skew = np.zeros((*by.shape[:-1], 3, 3))
    skew[..., 0, 1], skew[..., 0, 2], skew[..., 1, 2] = -axis[..., 2], axis[..., 1], -axis[..., 0]
    skew = skew - np.swapaxes(skew, -1, -2)
    return np.asarray(np.eye(3) + np.sin(angle) * skew + (1 - np.cos(angle)) * (skew @ skew))


def cross(a: Array, b: Array) -> Array:
    """The cross product; numpy's own is several times slower on rows this short."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], -1)


def unit(v: Array) -> Array:
    """The same directions, one long."""
    return np.asarray(v / _size(v))


def _size(v: Array) -> Array:
    return np.asarray(np.sqrt(np.sum(v * v, axis=-1, keepdims=True)))
