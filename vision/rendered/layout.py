"""How dice lie in a rendered tray, and what a perfect eye would say of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.events import Point, SeenDie
from vision.rendered.dieface import Skin, face_up
from vision.rendered.optics import Camera, Floats, turned
from vision.rendered.trace import Pose


@dataclass(frozen=True, slots=True)
class Die:
    """A die that lies in the tray. Places are edges of a die from the middle of the tray."""

    value: int
    skin: Skin
    at: Point
    turn: float = 0.0  # radians
    tilt: float = 0.0  # cocked by so many radians
    lean: float = 0.0  # towards this direction
    level: float = 0.0  # height of what it stands on: 1.0 on another die

    def pose(self) -> Pose:
        """Its place and attitude, resting on its level."""
        attitude = face_up(self.value, self.turn)
        if self.tilt:
            axis = (-float(np.sin(self.lean)), float(np.cos(self.lean)), 0.0)
            attitude = turned(axis, self.tilt) @ attitude
        centre = np.array([*self.at, 0.0], np.float32)
        pose = Pose(self.skin, centre, attitude)
        centre[2] = self.level + pose.lowest()
        return pose


def truth(dice: Sequence[Die], camera: Camera) -> tuple[SeenDie, ...]:
    """What a perfect eye would say: centre, outline and size are those of the upper face."""
    width, height = camera.size
    seen = []
    for die in dice:
        pose = die.pose()
        up = int(np.abs(pose.attitude[2]).argmax())
        face = pose.corners().reshape(2, 2, 2, 3)
        side = 1 if pose.attitude[2, up] > 0 else 0
        square = np.take(face, side, axis=up).reshape(4, 3)[[0, 1, 3, 2]]
        outline = camera.project(square)
        edge = float(np.linalg.norm(outline - np.roll(outline, 1, 0), axis=1).mean())
        hull = camera.project(pose.corners())
        wrong = []
        if any(other is not die and _touching(die, other) for other in dice):
            wrong.append("touching")
        if any(other is not die and _stacked(die, other) for other in dice):
            wrong.append("stacked")
        if die.tilt:
            wrong.append("cocked")
        if hull.min() < 0 or (hull.max(0) > (width - 1, height - 1)).any():
            wrong.append("cut")
        centre = outline.mean(0)
        seen.append(
            SeenDie(
                value=0 if die.skin.signs else die.value,
                body=die.skin.body,
                sure=1.0,
                centre=(float(centre[0]), float(centre[1])),
                size=edge,
                outline=tuple((float(x), float(y)) for x, y in outline),
                wrong=tuple(wrong),
            )
        )
    return tuple(seen)


def square(die: Die) -> Floats:
    """The die's footprint, (4, 2)."""
    half = die.skin.edge / 2
    c, s = np.cos(die.turn) * half, np.sin(die.turn) * half
    return np.array(
        [[c - s, s + c], [-c - s, -s + c], [-c + s, -s - c], [c + s, s - c]], np.float32
    ) + (np.asarray(die.at, np.float32))


def gap(one: Die, two: Die) -> float:
    """Distance of two footprints along the axis that parts them best; negative: they overlap."""
    best = -np.inf
    first, second = square(one), square(two)
    for turn in (one.turn, one.turn + np.pi / 2, two.turn, two.turn + np.pi / 2):
        axis = np.array([np.cos(turn), np.sin(turn)], np.float32)
        a, b = first @ axis, second @ axis
        best = max(best, float(b.min() - a.max()), float(a.min() - b.max()))
    return best


def _touching(one: Die, two: Die) -> bool:
    return abs(one.level - two.level) < 0.5 and gap(one, two) < 0.05


def _stacked(one: Die, two: Die) -> bool:
    return abs(one.level - two.level) >= 0.5 and gap(one, two) < 0


def moved(die: Die, by: Point, turn: float = 0.0) -> Die:
    """The die, pushed along the floor."""
    return replace(die, at=(die.at[0] + by[0], die.at[1] + by[1]), turn=die.turn + turn)
