"""A hand that reaches into the rendered tray: skin, fingers, and a shadow under it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.rendered.optics import Camera, Colour, Floats, Light, floats
from vision.rendered.trace import Patch

_SIDE = 420  # pixels of the drawn hand
_PALM = 100.0  # its palm's width in them
_WIDTH = 4.6  # the palm's width on the table, in edges of a die
_MIDDLE = (210.0, 150.0)  # the point that is put at a place: where fingers grip

# Each part: from, to, radius. The arm runs down out of the drawing.
_OPEN = (
    ((210, 250), (210, 460), 46.0),
    ((210, 215), (210, 245), 56.0),
    ((172, 200), (150, 110), 17.0),
    ((199, 190), (192, 84), 18.0),
    ((226, 190), (232, 86), 18.0),
    ((250, 200), (268, 108), 16.0),
    ((160, 240), (110, 180), 19.0),
)
_CLOSED = (
    ((210, 250), (210, 460), 46.0),
    ((210, 205), (210, 235), 58.0),
    ((172, 190), (168, 158), 19.0),
    ((199, 182), (197, 148), 20.0),
    ((226, 182), (228, 148), 20.0),
    ((250, 190), (254, 160), 18.0),
    ((164, 220), (186, 176), 20.0),
)


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the tray: where it grips (edges of a die), where it comes from, open or not."""

    at: tuple[float, float]
    arm: float  # direction in which the arm leaves, radians
    closed: bool = False
    skin: Colour = (0.2, 0.3, 0.5)


@lru_cache(1)  # either takes 3 MB
def _drawn(closed: bool) -> tuple[Floats, Floats]:
    """Normals (h, w, 3) and cover (h, w) of the hand, arm downwards."""
    height = np.zeros((_SIDE, _SIDE), np.float32)
    cover = np.zeros((_SIDE, _SIDE), np.uint8)
    for start, stop, radius in _CLOSED if closed else _OPEN:
        part = np.zeros((_SIDE, _SIDE), np.uint8)
        cv2.line(part, start, stop, 255, round(radius * 2), cv2.LINE_AA)
        deep = floats(cv2.distanceTransform((part > 127).astype(np.uint8), cv2.DIST_L2, 5))
        dome = np.sqrt(np.maximum(radius**2 - (radius - np.minimum(deep, radius)) ** 2, 0))
        height = floats(np.maximum(height, dome))
        cover = np.maximum(cover, part)
    height = floats(cv2.GaussianBlur(height, (0, 0), 2.0))
    slope_x = floats(cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=1 / 8))
    slope_y = floats(cv2.Sobel(height, cv2.CV_32F, 0, 1, scale=1 / 8))
    normal = np.stack([-slope_x, slope_y, np.ones_like(height)], -1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    return floats(normal), floats(cover) / np.float32(255)


def draw_hand(hand: Hand, camera: Camera, light: Light) -> Patch | None:
    """The hand as the camera sees it, a die's height above the floor; None: out of the picture."""
    normal, cover = _drawn(hand.closed)
    width, height = camera.size
    place = camera.project(np.array([[*hand.at, 1.5]], np.float32))[0]
    scale = _WIDTH * camera.die / _PALM
    turn = hand.arm + np.pi / 2  # drawn with the arm downwards
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    forward = np.array([[c, s, 0], [-s, c, 0]], np.float32)
    forward[:, 2] = place - forward[:, :2] @ np.asarray(_MIDDLE, np.float32)
    reach = np.array([[0, 0, 1], [_SIDE, 0, 1], [0, _SIDE, 1], [_SIDE, _SIDE, 1]], np.float32)
    spread = reach @ forward.T
    left, top = np.maximum(np.floor(spread.min(0)), 0).astype(int)
    right, bottom = np.minimum(np.ceil(spread.max(0)), (width, height)).astype(int)
    if right - left < 2 or bottom - top < 2:
        return None
    forward[:, 2] -= (left, top)
    size = (int(right - left), int(bottom - top))
    mask = floats(cv2.warpAffine(cover, forward, size, flags=cv2.INTER_LINEAR))
    if mask.max() < 0.05:
        return None
    facing = cv2.warpAffine(normal, forward, size, flags=cv2.INTER_LINEAR)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    lamp = np.asarray(light.lamp, float)
    lamp /= np.linalg.norm(lamp)
    flat = rotation.T @ lamp[:2]
    toward = floats(facing @ floats([flat[0], flat[1], lamp[2]]))
    colour = floats(light.colour) * np.float32(light.strength)
    lit = np.maximum(toward, 0)[..., None] * colour + floats(light.room) * (
        0.5 + 0.5 * facing[..., 2:]
    )
    return Patch(int(left), int(top), floats(lit * floats(hand.skin) * mask[..., None]), mask)
