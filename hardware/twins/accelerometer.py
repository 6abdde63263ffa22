"""What the accelerometer in a die feels when it is thrown, dropped on something, or carried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from firmware.feel import RATE
from hardware.twins import tumble
from hardware.twins.tumble import (
    CORNERS,
    SIDE,
    UP,
    WEIGHT,
    Array,
    Landing,
    cross,
    rotation,
    unit,
)

Samples: TypeAlias = NDArray[np.int16]
"""(time, die, axis) in mg, 400 a second: what the driver would hand over."""
Chance: TypeAlias = np.random.Generator

REST = 1.3  # seconds of lying still after each throw


@dataclass(frozen=True)
class Sensors:
    """The faults of many accelerometers, as the LIS3DH's data sheet allows them."""

    mount: Array  # (die, 3, 3): glued in a little askew
    bias: Array  # (die, 3) in mg when it was calibrated
    drift: Array  # (die, 3) in mg since then
    gain: Array  # (die, 3)

    def read(self, felt: Array, chance: Chance, *, drifted: bool = True) -> Samples:
        """What is felt (g) as samples: noise, a range of 4 g, steps of 2 mg."""
        mg = (felt[:, :, None] @ np.swapaxes(self.mount, 1, 2))[:, :, 0] * 1000 * self.gain
        mg += self.bias + self.drift * drifted + chance.normal(0, 1.5, felt.shape)
        return (np.clip(np.round(mg / 2), -2048, 2047) * 2).astype(np.int16)

    def faces(self, chance: Chance) -> list[tuple[tuple[int, int, int], ...]]:
        """What calibration stores: the mean of a block on each face in turn."""
        lying = np.broadcast_to(UP[:, None], (6, len(self.bias), 3))
        blocks = [self.read(np.repeat(one[None], 8, 0), chance, drifted=False) for one in lying]
        dice = np.round(np.stack([block.mean(0) for block in blocks], 1)).astype(int).tolist()
        return [tuple((x, y, z) for x, y, z in die) for die in dice]


def sensors(chance: Chance, dice: int) -> Sensors:
    """Draw sensors: offset 40 mg (one sigma), 0.5 mg/K over 15 K, gain 1 %, mount 2 degrees."""
    return Sensors(
        mount=rotation(chance.normal(0, np.radians(2), (dice, 3))),
        bias=chance.normal(0, 40, (dice, 3)),
        drift=chance.uniform(-7.5, 7.5, (dice, 3)),
        gain=chance.uniform(0.99, 1.01, (dice, 3)),
    )


def landing(chance: Chance, dice: int, *, gentle: bool = False) -> Landing:
    """Move dice about in the hand and throw them, or (`gentle`) let them roll off a level palm."""
    low, high = (0.004, 0.02) if gentle else (0.02, 0.25)
    slow, fast = (0.25, 0.5) if gentle else (0.1, 1.2)
    lazy, busy = (8, 16) if gentle else (5, 45)
    way = chance.uniform(0, 2 * np.pi, dice)
    ahead = np.stack([np.cos(way), np.sin(way), 0 * way], 1)
    axis = cross(np.broadcast_to([0.0, 0.0, 1.0], ahead.shape), ahead)
    axis = unit(axis + chance.normal(0, 0.1 if gentle else 0.6, (dice, 3)))
    turn = _level(chance, dice) if gentle else _any_way(chance, dice)
    return _let_go(
        chance,
        turn,
        chance.uniform(low, high, dice),
        ahead * chance.uniform(slow, fast, (dice, 1)),
        axis * chance.uniform(lazy, busy, (dice, 1)),
    )


def drop(chance: Chance, dice: int) -> Landing:
    """Drop dice half onto a small die, or onto something flatter: many end up leaning."""
    thing = np.where(chance.random(dice) < 0.4, 0.016, chance.uniform(0.001, 0.016, dice))
    aside = unit(chance.normal(0, 1, (dice, 2))) * chance.uniform(0.3, 1.0, (dice, 1)) * SIDE
    spin = chance.normal(0, 2, (dice, 3))
    height = thing + chance.uniform(0.003, 0.04, dice)
    return _let_go(chance, _level(chance, dice), height, 0 * spin, spin, aside, thing)


def carry(chance: Chance, dice: int) -> tuple[Array, NDArray[np.int64]]:
    """Lift lying dice, carry them level across the table, put them down; and the face they show.

    A second of lying still, the way through the air, a second and a half of lying still.
    """
    shown = chance.integers(0, 6, dice)
    lying = np.repeat(UP[shown][None], RATE, 0)
    count = int(chance.uniform(0.8, 2.4) * RATE)
    time = np.arange(count)[:, None] / RATE
    along = _smooth(count) * chance.uniform(0.2, 0.8, dice) / (count / RATE) ** 2 / WEIGHT
    rise = np.concatenate([_smooth(count // 2), -_smooth(count - count // 2)])
    rise = rise * chance.uniform(0.03, 0.15, dice) / (count / 2 / RATE) ** 2 / WEIGHT
    tremor = np.zeros((3, count, dice))  # of a hand: 7 to 30 mg, two tones of 7 to 12 Hz
    for _ in range(2):
        beat, phase = chance.uniform(7, 12, (3, 1, dice)), chance.uniform(0, 6.3, (3, 1, dice))
        tremor += np.sin(2 * np.pi * beat * time + phase)
    tremor *= chance.uniform(0.007, 0.030, dice)
    sway = np.radians(chance.uniform(0, 8, dice)) * np.sin(np.pi * time / time[-1]) ** 2
    pull = np.stack([along + sway + tremor[0], tremor[1], 1 + rise + tremor[2]], 2)
    for early in (chance.integers(6, 25, dice), np.full(dice, 4)):  # an edge first, then the face
        bump = chance.uniform(0.01, 0.08, dice) * RATE / 2 / WEIGHT  # 1 to 8 cm/s, in 5 ms
        for late in range(2):
            pull[count - early + late, np.arange(dice), 2] += bump
    up = UP[shown]
    aside = np.roll(up, 1, axis=1)
    axes = np.stack([aside, cross(up, aside), up], 2)  # columns: ahead, aside, up
    moved = (pull[:, :, None] @ np.swapaxes(axes, 1, 2))[:, :, 0]
    return tumble.dull(np.concatenate([lying, moved, lying, lying[: RATE // 2]])), shown + 1


def _let_go(
    chance: Chance,
    turn: Array,
    height: Array,
    speed: Array,
    spin: Array,
    aside: Array | None = None,
    thing: Array | None = None,
) -> Landing:
    """Half a second in a moving hand, the free fall, then lying still."""
    place = np.zeros_like(speed)
    place[:, 2] = height - np.min((CORNERS @ np.swapaxes(turn, 1, 2))[:, :, 2], axis=1)
    if aside is not None:
        place[:, :2] = aside
    end = tumble.fall(tumble.Motion(place, speed, turn, spin), thing)
    up, count = turn[:, 2], RATE // 2
    start = unit(up + chance.normal(0, 0.5, up.shape))
    hand = unit(up + (start - up) * np.linspace(1, 0, count)[:, None, None] ** 2)
    hand = hand + tumble.dull(chance.normal(0, 0.5, (count, len(up), 3)), 6.0)
    still = np.repeat(end.up[None], int(REST * RATE), 0)
    held = np.repeat(up[None], count, 0)
    return Landing(
        np.concatenate([hand, end.felt, still]),
        np.concatenate([held, end.ups, still]),
        end.settled,
    )


def _any_way(chance: Chance, dice: int) -> Array:
    """Random attitudes, none likelier than another (columns of a random basis)."""
    basis, upper = np.linalg.qr(chance.normal(0, 1, (dice, 3, 3)))
    basis = basis * np.sign(np.diagonal(upper, axis1=1, axis2=2))[:, None]
    return np.asarray(basis * np.linalg.det(basis)[:, None, None])


def _level(chance: Chance, dice: int) -> Array:
    """Any face on top, within some degrees of level."""
    up = UP[chance.integers(0, 6, dice)]
    aside = np.roll(up, 1, axis=1)
    rows = np.stack([aside, cross(up, aside), up], 1)
    about = np.stack([np.zeros(dice), np.zeros(dice), chance.uniform(0, 6.3, dice)], 1)
    return np.asarray(rotation(chance.normal(0, 0.1, (dice, 3))) @ rotation(about) @ rows)


def _smooth(count: int) -> Array:
    """Acceleration of a hand that goes one unit in unit time, as smoothly as hands do."""
    s = np.linspace(0, 1, count)[:, None]
    return np.asarray(60 * s - 180 * s**2 + 120 * s**3)
