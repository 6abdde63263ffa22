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
PLAIN = "blank"
GEMLESS = (PLAIN, "forge")
PALE = 0.25  # how much of a gem's colour comes and goes
GLARE = 250
ODD = 12.0  # squared spreads from every learnt look: half of such tiles were misread
LEAD = 1.2  # squared spreads before the next look that make odds of e to one
# how much a look varies from tile to tile, as rendered: gem's middle, whole gem, unevenness, shade
SPREAD = np.array([0.10, 0.10, 0.15, 0.09, 0.09, 0.13, 0.22, 0.45])
CALM = np.array([0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.45, 1.0])  # of it, where there is no gem
VALUES = len(SPREAD)
SHADOW = np.array([0.11] * 6 + [0.0, 0.0])  # an edge of shadow dims a gem against its steel


def _weights(spread: Look) -> Look:
    """Squared distances are weighted so: what varies much counts little."""
    return np.asarray(np.linalg.inv(np.diag(spread**2) + np.outer(SHADOW, SHADOW)))


GEM_WEIGHTS, BARE_WEIGHTS = _weights(SPREAD), _weights(SPREAD * CALM)
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


def steel(tile: Image) -> Look:
    """The colour of a tile's steel."""
    return np.asarray(np.median(tile[STEEL].astype(np.float64), axis=0) + DARK)


def shade(tile: Image) -> float:
    """How bright a tile's steel is."""
    return float(np.median(tile[STEEL])) + DARK


def look_of(tile: Image, usual: float) -> Look:
    """The gem's middle and its whole against the steel around it, how uneven the tile is, and its
    shade against the `usual` one of this picture."""
    values = tile.astype(np.float64)
    around = steel(tile)
    core = np.median(values[CORE], axis=0) + DARK
    gem = np.median(values[GEM], axis=0) + DARK
    light, dark = np.percentile(values.mean(axis=2) + DARK, (90, 10))
    own = np.log([light / dark, shade(tile) / usual])
    return np.array([*np.log(core / around), *np.log(gem / around), *own])


def washed(tile: Image) -> float:
    """How much of the gem a lamp mirrors away, 0 to 1."""
    return float((tile[GEM].min(axis=1) >= GLARE).mean())


def name(tile: Image, usual: float, palette: Palette) -> Named:
    """The nearest of the learnt looks; far from all, or near to two, is not sure."""
    here = look_of(tile, usual)
    plain = np.mean([*palette.looks.get(PLAIN, ((0.0,) * VALUES,))], axis=0)
    far = {
        known: min(_far(here, np.array(one), plain, known) for one in shown)
        for known, shown in palette.looks.items()
    }
    first, second = sorted(far, key=far.__getitem__)[:2]
    ahead = 1 / (1 + exp(-min(50.0, (far[second] - far[first]) / LEAD)))
    known_at_all = 1 / (1 + exp(min(50.0, (far[first] - ODD) / 1.5)))
    return Named(first, ahead * known_at_all * (1 - washed(tile)), second)


def _far(here: Look, one: Look, plain: Look, known: str) -> float:
    """Squared spreads from a learnt look, or from a paler one: a mirrored lamp pales every gem."""
    if known in GEMLESS:
        miss = here - one
        return float(miss @ (BARE_WEIGHTS if known == PLAIN else GEM_WEIGHTS) @ miss)
    towards, off, pale = one - plain, here - plain, PALE**-2
    weighed = GEM_WEIGHTS @ towards
    strength = float((weighed @ off + pale) / (weighed @ towards + pale))
    strength = min(max(strength, 0.25), 1.25)
    miss = off - strength * towards
    return float(miss @ GEM_WEIGHTS @ miss) + pale * (1 - strength) ** 2
