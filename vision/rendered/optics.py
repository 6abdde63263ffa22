"""The rendered tray's camera and lamp: where a point lands, what light falls on it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float32]
Image: TypeAlias = NDArray[np.uint8]
Colour: TypeAlias = tuple[float, float, float]  # linear blue, green, red: the order of cv2


def floats(numbers: ArrayLike) -> Floats:
    """Numbers as an array of 32 bits each: half the memory, and what cv2 draws with."""
    return np.asarray(numbers, np.float32)


def turned(axis: tuple[float, float, float], angle: float) -> Floats:
    """The rotation by `angle` about `axis` (Rodrigues)."""
    x, y, z = np.asarray(axis, float) / max(1e-9, float(np.linalg.norm(axis)))
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return floats(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


def kelvin(temperature: float) -> Colour:
    """Rough colour of a lamp: 2,700 K is warm, 6,500 K is white."""
    warm = (6500 - temperature) / 3800
    return (1 - 0.45 * warm, 1 - 0.16 * warm, 1 + 0.1 * warm)


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole above the tray. World: x right, y up in the picture, z towards the camera.

    Lengths are edges of a die of 1; the tray's floor is z = 0.
    """

    size: tuple[int, int] = (640, 480)  # width, height
    die: float = 52.0  # edge in pixels of a die in the middle of the tray
    tilt: float = 0.12  # radians from the vertical
    towards: float = -1.57  # the side it leans to: direction in the plane
    roll: float = 0.0
    height: float = 28.0  # distance to the middle of the tray

    @cached_property
    def eye(self) -> Floats:
        """Where it stands."""
        flat = np.sin(self.tilt)
        direction = [flat * np.cos(self.towards), flat * np.sin(self.towards), np.cos(self.tilt)]
        return floats(np.array(direction) * self.height)

    @cached_property
    def axes(self) -> Floats:
        """Rows: right, down and forward of the picture, in the world."""
        forward = floats(-self.eye / np.linalg.norm(self.eye))
        up = np.array([np.sin(self.roll), np.cos(self.roll), 0], np.float32)
        right = np.cross(forward, up)
        right = right / np.linalg.norm(right)
        return floats(np.stack([right, np.cross(forward, right), forward]))

    @property
    def focal(self) -> float:
        """Focal length in pixels."""
        return self.die * self.height

    def project(self, points: NDArray[np.floating]) -> Floats:
        """Pixels of world points, (n, 3) to (n, 2)."""
        seen = (np.asarray(points, np.float32) - self.eye) @ self.axes.T
        centre = np.array(self.size, np.float32) / 2
        return floats(seen[:, :2] / seen[:, 2:] * self.focal + centre - 0.5)

    def rays(self, x: Floats, y: Floats) -> Floats:
        """Directions (unit, world) through the pixels, (3, n)."""
        right = (x - self.size[0] / 2 + 0.5) / self.focal
        down = (y - self.size[1] / 2 + 0.5) / self.focal
        flat = np.stack([right, down, np.ones_like(right)])
        flat /= np.sqrt((flat * flat).sum(0))
        return floats(self.axes.T @ flat)

    def ground(self, x: Floats, y: Floats) -> Floats:
        """World x and y of the floor under the pixels, (2, n)."""
        ray = self.rays(x, y)
        reach = -self.eye[2] / ray[2]
        return floats(self.eye[:2, None] + ray[:2] * reach)


@dataclass(frozen=True, eq=False)
class Light:
    """One lamp and what the room adds."""

    lamp: tuple[float, float, float] = (6.0, 10.0, 26.0)
    colour: Colour = (1.0, 1.0, 1.0)
    strength: float = 0.8  # what falls on the middle of the tray
    radius: float = 2.0  # a big lamp throws soft shadows
    room: Colour = (0.3, 0.3, 0.3)
    window: float = 0.5  # brightness of what glossy faces mirror
    window_at: tuple[float, float] = (0.5, -0.6)  # its direction, x/z and y/z

    def samples(self, count: int) -> Floats:
        """Points spread over the lamp, (count, 3)."""
        turn = np.arange(count) * 2.399963  # the golden angle spreads evenly
        far = self.radius * np.sqrt((np.arange(count) + 0.5) / count)
        spread = np.stack([far * np.cos(turn), far * np.sin(turn), 0 * far], 1)
        return floats(np.asarray(self.lamp) + spread)

    def falling(self, away: Floats, toward: Floats) -> Floats:
        """Irradiance factor at squared distance `away` under cosine `toward`."""
        middle = np.asarray(self.lamp, np.float32)
        near = float(middle @ middle)
        scale = self.strength * near * np.sqrt(near) / float(middle[2])
        return floats(np.maximum(toward, 0) * (scale / away))
