"""Outlines measured plainly along rays: is a body round like a token, is a spot a big ace."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import Image
from vision.read.find import Floats, Found
from vision.read.pips import EDGE, SIDE, Pips

RAYS = 48
ROUND = 0.04  # waves of a round outline; fitted on composites: tokens to 0.03, dice from 0.06
PAINTED = 8.0  # levels; fitted on composites: cards mostly below 6, of 634 dice two below 12
_PARTS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)  # of the way from body to ground: where a body ends
_OUTSIDE = np.arange(0.3, 1.05, 0.02, dtype=np.float32)  # edges from the middle
_INSIDE = np.arange(0.01, 0.48, 0.01, dtype=np.float32)
_ACE = (0.12, 0.34)  # radius of an ace that the plain count does not see
_INKED = 40.0  # levels by which an ace differs from its body at least
_SMOOTH = 0.12  # waves of an ace's outline
_TURNS = np.arange(RAYS, dtype=np.float32) * np.float32(2 * np.pi / RAYS)
_ACROSS, _DOWN = np.cos(_TURNS)[:, None], np.sin(_TURNS)[:, None]
_FAR = np.abs(np.arange(SIDE) + 0.5 - SIDE / 2) / EDGE
_SQUARE = np.maximum(_FAR[:, None], _FAR)
_BESIDE = np.abs(np.arange(SIDE) + 0.5 - SIDE / 2) < 0.3 * EDGE
_PAST = slice(round(SIDE / 2 + 0.46 * EDGE), SIDE)  # from just inside a face's end to beyond it
_PLACES = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
_BEYOND = np.array([np.rot90(_PLACES, turns)[_BESIDE, _PAST].ravel() for turns in range(4)])
_RIM = np.flatnonzero((_SQUARE > 0.36) & (_SQUARE < 0.44))[::5]  # of a face: no pip reaches it


def tint(look: Image) -> Floats:
    """The paint of a body: the rim of its upright face, where no pip lies."""
    rim = look.reshape(-1, 3).take(_RIM, 0)
    rim.sort(0)
    return np.asarray(rim[len(rim) // 2], np.float32)


def is_round(image: Image, one: Found, paint: Floats) -> bool:
    """Whether the body around a face is a disc; False also where its outline is not plain."""
    half = int(1.1 * one.edge) + 1
    big = cv2.getRectSubPix(image, (2 * half + 1, 2 * half + 1), (one.x, one.y))
    away = _along_rays(np.asarray(big, np.uint8), float(half), one.edge, paint, _OUTSIDE)
    ground = float(np.median(away[:, _OUTSIDE > 0.9].mean(1)))
    for part in _PARTS:
        over = away > max(6.0, part * ground)
        first = np.where(over.any(1), _OUTSIDE[over.argmax(1)], np.float32(2))
        plain = (first < 0.95) & (first > 0.31)
        if plain.mean() > 0.95 and _waves(first) < ROUND:
            return True
    return False


def goes_on(look: Image, paint: Floats) -> tuple[bool, ...]:
    """On which sides (right, down, left, up) the paint goes on past the end of an upright face."""
    beyond = cv2.blur(look, (3, 3)).reshape(-1, 3).take(_BEYOND, 0)
    away = np.abs(beyond.astype(np.float32) - paint).max(2)
    return tuple((np.count_nonzero(away < PAINTED, 1) > 0.85 * away.shape[1]).tolist())


def ace(look: Image, paint: Floats) -> Pips | None:
    """One big round spot in the middle of an upright face, as Japanese dice have it."""
    away = _along_rays(look, SIDE / 2 - 0.5, EDGE, paint, _INSIDE)
    inked = float(np.median(away[:, _INSIDE < 0.08]))
    if inked < _INKED:
        return None
    under = away < 0.5 * inked
    radius = np.where(under.any(1), _INSIDE[under.argmax(1)], np.float32(1))
    fits = (radius > 0.6 * _ACE[0]) & (radius < 1.3 * _ACE[1])
    beyond = (radius[:, None] + 0.04 < _INSIDE) & (_INSIDE < 0.44)
    bare = float((under & beyond).sum()) / max(1.0, float(beyond.sum()))
    if fits.mean() < 0.95 or not _ACE[0] < float(radius.mean()) < _ACE[1] or bare < 0.9:
        return None
    return Pips(1, 1.0) if _waves(radius) < _SMOOTH else None


def _along_rays(look: Image, middle: float, edge: float, paint: Floats, reach: Floats) -> Floats:
    """How far each point differs from the paint, by ray and by distance from the middle."""
    soft = cv2.GaussianBlur(look, (0, 0), max(0.5, edge / 40))
    across, down = middle + edge * reach * _ACROSS, middle + edge * reach * _DOWN
    there = cv2.remap(soft, across, down, cv2.INTER_LINEAR).astype(np.float32) - paint
    return np.asarray(np.sqrt(np.einsum("ijk,ijk->ij", there, there)), np.float32)


def _waves(radius: NDArray[np.float32]) -> float:
    """How far an outline departs from a circle, wherever its middle is."""
    parts = np.abs(np.fft.rfft(radius)) / len(radius)
    return float(2 * np.sqrt((parts[2:9] ** 2).sum()) / parts[0])
