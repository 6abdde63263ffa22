"""What is on a tile: its gem against its own steel, so that warm light and shadow cancel out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Points = NDArray[np.float32]
Look = NDArray[np.float64]

PATCH = 32
DARK = 12.0  # added to both sides of a ratio: noise must not shout where there is little light
GLARE = 250
SPREAD = np.array([0.11, 0.11, 0.16, 0.10, 0.10, 0.14, 0.22])  # of a look, tile to tile, as rendered

_AXIS = (np.arange(PATCH) + 0.5) / PATCH - 0.5
_FAR = np.maximum(np.abs(_AXIS)[:, None], np.abs(_AXIS)[None, :])  # from the middle, squarely
_ROUND = np.hypot(_AXIS[:, None], _AXIS[None, :])
CORE, GEM, STEEL = _ROUND < 0.10, _ROUND < 0.17, (_FAR > 0.30) & (_FAR < 0.42)


@dataclass(frozen=True, slots=True)
class Palette:
    """The looks that were learnt at the table, by name; every showing of a tile is kept."""

    looks: Mapping[str, tuple[tuple[float, ...], ...]] = field(default_factory=dict)

    def with_look(self, name: str, look: Look) -> Palette:
        """One more showing of a tile."""
        shown = (*self.looks.get(name, ()), tuple(round(float(value), 4) for value in look))
        return Palette({**self.looks, name: shown})


@dataclass(frozen=True, slots=True)
class Named:
    """The likeliest name of a tile, how sure it is, and the next likeliest."""

    name: str
    sure: float
    second: str


def patch(picture: Image, corners: Points) -> Image:
    """A tile, straightened."""
    square = np.array([(0, 0), (PATCH, 0), (PATCH, PATCH), (0, PATCH)], np.float32)
    lens = cv2.getPerspectiveTransform(corners, square)
    flags = cv2.INTER_LINEAR
    return np.asarray(cv2.warpPerspective(picture, lens, (PATCH, PATCH), flags=flags), np.uint8)


def look(tile: Image) -> Look:
    """The gem's middle and its whole against the steel around it, and how uneven the tile is."""
    values = tile.astype(np.float64)
    steel = np.median(values[STEEL], axis=0) + DARK
    core = np.median(values[CORE], axis=0) + DARK
    gem = np.median(values[GEM], axis=0) + DARK
    grey = values.mean(axis=2) + DARK
    rough = np.log(np.percentile(grey, 90) / np.percentile(grey, 10))
    return np.array([*np.log(core / steel), *np.log(gem / steel), rough])


def washed(tile: Image) -> float:
    """How much of the gem a lamp mirrors away, 0 to 1."""
    return float((tile[GEM].min(axis=1) >= GLARE).mean())


def name(tile: Image, palette: Palette) -> Named:
    """The nearest of the learnt looks; far from all, or near to two, is not sure."""
    here = look(tile)
    far = {
        known: min(float((((here - np.array(one)) / SPREAD) ** 2).sum()) for one in shown)
        for known, shown in palette.looks.items()
    }
    first, second = sorted(far, key=far.__getitem__)[:2]
    ahead = 1 / (1 + exp(-min(50.0, (far[second] - far[first]) / 4)))
    known_at_all = 1 / (1 + exp(min(50.0, (far[first] - ODD) / 6)))
    return Named(first, ahead * known_at_all * (1 - washed(tile)), second)


ODD = 45.0  # squared spreads from every learnt look: half of such tiles are something else
