"""What rendered dice lie on: felt, wood, plain or woven ground, with or without a tray's rim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendered.optics import Camera, Colour, Floats, floats

Stuff: TypeAlias = Literal["felt", "wood", "plain", "weave"]
Rim: TypeAlias = Literal["none", "round", "box"]
STUFFS: tuple[Stuff, ...] = ("felt", "wood", "plain", "weave")
RIMS: tuple[Rim, ...] = ("none", "round", "box")

_TILE = 768  # pixels of a tile of ground
_SPAN = 16.0  # edges of a die that a tile covers

_CLOTH: tuple[Colour, ...] = (
    (0.03, 0.09, 0.02),  # green
    (0.02, 0.02, 0.12),  # wine
    (0.1, 0.035, 0.015),  # navy
    (0.014, 0.014, 0.014),  # black
    (0.07, 0.07, 0.07),  # grey
    (0.03, 0.06, 0.12),  # brown
    (0.25, 0.28, 0.3),  # light grey
)
_BOARD: tuple[Colour, ...] = ((0.08, 0.17, 0.3), (0.04, 0.09, 0.18), (0.16, 0.3, 0.45))
_SHEET: tuple[Colour, ...] = (
    (0.55, 0.56, 0.57),
    (0.25, 0.26, 0.27),
    (0.018, 0.018, 0.018),
    (0.06, 0.06, 0.06),
    (0.2, 0.08, 0.03),
)


@dataclass(frozen=True, slots=True)
class Floor:
    """How far dice may lie from the middle."""

    reach: tuple[float, float]  # half width and height, in edges
    round: bool = False


@dataclass(frozen=True, eq=False)
class Ground:
    """The floor, and the colour of what lies under every pixel."""

    colour: Floats  # (h, w, 3), linear
    mean: Floats  # (3,)
    floor: Floor


def ground(camera: Camera, stuff: Stuff, rim: Rim, rng: np.random.Generator) -> Ground:
    """Ground of some colour, seen by this camera."""
    width, height = camera.size
    ys, xs = np.indices((height, width), np.float32)
    x, y = camera.ground(xs.ravel(), ys.ravel()).reshape(2, height, width)
    colour = _laid(stuff, x, y, rng)
    mean = colour[height // 4 : -height // 4 or None, width // 4 : -width // 4 or None]
    # The frame's own extent on the floor, less what a die needs.
    reach_x, reach_y = width / camera.die / 2, height / camera.die / 2
    if rim != "none":
        reach_x, reach_y = reach_x * 0.86, reach_y * 0.9
        if rim == "round":
            reach_x = reach_y = min(reach_x, reach_y)
        table = _laid(STUFFS[int(rng.integers(4))], x, y, rng)
        colour = _walled(colour, table, x, y, (reach_x, reach_y), rim, rng)
    flat = floats(mean.reshape(-1, 3).mean(0))
    return Ground(colour, flat, Floor((reach_x - 0.95, reach_y - 0.95), rim == "round"))


def _laid(stuff: Stuff, x: Floats, y: Floats, rng: np.random.Generator) -> Floats:
    """The ground's colour at world places."""
    tile = _tile(stuff, rng)
    turn = float(rng.uniform(0, 2 * np.pi))
    scale = np.float32(_TILE / _SPAN)
    u = (np.cos(turn) * x - np.sin(turn) * y) * scale + _TILE / 2
    v = (np.sin(turn) * x + np.cos(turn) * y) * scale + _TILE / 2
    seen = cv2.remap(
        tile,
        u.astype(np.float32),
        v.astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    return floats(seen)


def _noise(rng: np.random.Generator, across: float, along: float) -> Floats:
    """Smooth noise of mean 0 and deviation 1, blurred by so many pixels."""
    flat = floats(rng.standard_normal((_TILE, _TILE), np.float32))
    if max(across, along) > 0.3:
        small = max(1, int(min(across, along) // 2))
        flat = flat[: _TILE // small, : _TILE // small]
        wide, tall = max(0.3, along / small), max(0.3, across / small)
        flat = floats(cv2.GaussianBlur(np.ascontiguousarray(flat), (0, 0), wide, sigmaY=tall))
        flat = floats(cv2.resize(flat, (_TILE, _TILE), interpolation=cv2.INTER_CUBIC))
    return floats((flat - flat.mean()) / max(1e-6, float(flat.std())))


def _tile(stuff: Stuff, rng: np.random.Generator) -> Floats:
    if stuff == "felt":
        base = _pick(_CLOTH, rng)
        grain = (
            0.1 * _noise(rng, 0.9, 0.9) + 0.05 * _noise(rng, 1.2, 5) + 0.05 * _noise(rng, 5, 1.2)
        )
        wave = 0.06 * _noise(rng, 60, 60)
        return _coloured(base, 1 + float(rng.uniform(0.5, 1.6)) * (grain + wave))
    if stuff == "wood":
        base = _pick(_BOARD, rng)
        rings = 0.12 * floats(np.sin(_noise(rng, 26, 300) * 5))
        grain = 0.1 * _noise(rng, 0.8, 40) + 0.12 * _noise(rng, 4, 160)
        return _coloured(base, 1 + float(rng.uniform(0.4, 1.2)) * (rings + grain))
    if stuff == "weave":
        base = _pick(_CLOTH, rng)
        rows, columns = np.mgrid[0:_TILE, 0:_TILE].astype(np.float32)
        pitch = float(rng.uniform(3.5, 7))
        thread = np.sin(columns * (2 * np.pi / pitch)) * np.sin(rows * (2 * np.pi / pitch))
        return _coloured(
            base, 1 + 0.16 * thread + 0.08 * _noise(rng, 1, 1) + 0.06 * _noise(rng, 40, 40)
        )
    base = _pick(_SHEET, rng)
    return _coloured(base, 1 + 0.015 * _noise(rng, 0.8, 0.8) + 0.03 * _noise(rng, 90, 90))


def _pick(colours: tuple[Colour, ...], rng: np.random.Generator) -> Floats:
    base = floats(colours[int(rng.integers(len(colours)))])
    return floats(base * rng.uniform(0.75, 1.3) * rng.uniform(0.92, 1.08, 3))


def _coloured(base: Floats, shade: NDArray[np.floating]) -> Floats:
    return floats(base * np.clip(shade, 0.15, 2.5)[..., None])


def _walled(
    floor: Floats,
    table: Floats,
    x: Floats,
    y: Floats,
    reach: tuple[float, float],
    rim: Rim,
    rng: np.random.Generator,
) -> Floats:
    """Floor inside, a wall round it, the table outside."""
    if rim == "round":
        far = np.hypot(x, y) - reach[0]
    else:
        corner = 0.8
        over_x, over_y = np.abs(x) - reach[0] + corner, np.abs(y) - reach[1] + corner
        outside = np.hypot(np.maximum(over_x, 0), np.maximum(over_y, 0))
        far = outside + np.minimum(np.maximum(over_x, over_y), 0) - corner
    thick = float(rng.uniform(0.35, 0.8))
    paint = _pick(_SHEET if rng.random() < 0.6 else _BOARD, rng)
    slope = np.clip(far / thick, 0, 1)
    # The wall's inside lies in its own shade, its upper edge catches the light.
    wall = paint * (0.45 + 0.35 * slope + 0.9 * np.exp(-(((slope - 0.93) / 0.07) ** 2)))[..., None]
    inside = 1 - 0.35 * np.exp(np.minimum(far, 0) / 0.35)
    mixed = floor * inside[..., None]  # big arrays are changed in place: half the memory
    edge = np.clip(far * 40, 0, 1)[..., None]
    mixed *= 1 - edge
    mixed += np.multiply(wall, edge, out=wall)
    beyond = np.clip((far - thick) * 40, 0, 1)[..., None]
    dim = 1 - 0.5 * np.exp(-np.maximum(far - thick, 0) / 0.5)
    outside = np.multiply(table, dim[..., None], out=wall)
    outside *= beyond
    mixed *= 1 - beyond
    mixed += outside
    return floats(mixed)
