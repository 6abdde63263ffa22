"""Does a calibration still hold: has the camera moved, has the light changed since?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import SeenDie
from vision.picture import Image

WIDE = 160  # pixels of the pictures that are compared
MOVED = 0.02  # of the picture's width that its corners may have moved: about a quarter of a die
ALIKE = 0.6  # of the correlation that the tray has with itself: below, it is not the same tray
SURE = 0.98  # correlation that no move leaves
BRIGHTER = 1.35  # the floor may be so many times as bright, or as dark
REDDER = 1.18  # and one colour against another so much stronger
PATCHY = 0.3  # of the picture that a new shadow or sunbeam may cover
SHADE = 0.3  # by which a part must differ from the rest to be such a patch

Drifted = Literal["fits", "moved", "light", "covered"]


@dataclass(frozen=True, slots=True)
class Drift:
    """How the tray looks now beside how it looked when it was calibrated."""

    verdict: Drifted
    shift: float  # of the width, at the worst corner
    alike: float  # correlation once that is undone, 0..1
    bright: float  # times as bright
    tint: float  # how much stronger one colour has become against another
    patchy: float  # share of the picture under a new shadow or sunbeam


def drift(before: Image, now: Image, dice: Sequence[SeenDie] = (), itself: float = 1.0) -> Drift:
    """Compare the empty tray of the calibration with this picture, leaving its dice out.

    `itself` is how alike two pictures of that tray were: a plain floor has little to compare.
    """
    old, new = _small(before), _small(now)
    free = _without(dice, now.shape[1], new.shape[:2])
    warp, alike = _aligned(_sharp(old), _sharp(new), free)
    shift = _corners(warp, new.shape[:2])
    seen = free > 0
    ratio = (new.astype(np.float32) + 4) / (old + 4)
    colour = np.median(ratio[seen], axis=0) if seen.any() else np.ones(3, np.float32)
    bright = float(np.median(colour))
    tint = float(colour.max() / max(1e-6, float(colour.min())))
    grey = cv2.blur(ratio.mean(2), (9, 9)) / max(1e-6, bright)
    patches = (np.abs(np.log(np.maximum(grey, 1e-3))) > np.log1p(SHADE)) & seen
    patchy = float(patches.sum() / max(1, int(seen.sum())))
    verdict = _verdict(shift, alike / max(0.1, itself), bright, tint, patchy)
    return Drift(verdict, shift, alike, bright, tint, patchy)


def _verdict(shift: float, alike: float, bright: float, tint: float, patchy: float) -> Drifted:
    if alike < ALIKE:
        return "covered"
    if shift > MOVED:
        return "moved"
    if not 1 / BRIGHTER < bright < BRIGHTER or tint > REDDER or patchy > PATCHY:
        return "light"
    return "fits"


def _small(image: Image) -> NDArray[np.float32]:
    size = (WIDE, max(1, round(image.shape[0] * WIDE / image.shape[1])))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.float32)


def _sharp(colour: NDArray[np.float32]) -> NDArray[np.float32]:
    """The grain of the picture without its light: what brightness and shadows leave alone."""
    grey = np.log(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY) + 8)
    fine = cv2.GaussianBlur(grey, (0, 0), 1.0) - cv2.GaussianBlur(grey, (0, 0), 8.0)
    return np.asarray(fine, np.float32)


def _without(dice: Sequence[SeenDie], width: int, shape: tuple[int, ...]) -> Image:
    """255 where no die lies."""
    free = np.full(shape[:2], 255, np.uint8)
    scale = shape[1] / width
    for die in dice:
        centre = (round(die.centre[0] * scale), round(die.centre[1] * scale))
        cv2.circle(free, centre, max(2, round(die.size * scale * 2)), 0, -1)
    return free


def _aligned(
    old: NDArray[np.float32], new: NDArray[np.float32], free: Image
) -> tuple[NDArray[np.float32], float]:
    """The affine map from old to new that fits best, and how well it does."""
    best, alike = np.eye(2, 3, dtype=np.float32), _correlation(old, new, free)
    if alike > SURE:
        return best, alike
    window = cv2.createHanningWindow(old.shape[::-1], cv2.CV_32F)
    (x, y), _ = cv2.phaseCorrelate(old, new, window)
    for start in ((0.0, 0.0), (x, y)):
        warp = np.array([[1, 0, start[0]], [0, 1, start[1]]], np.float32)
        stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-4)
        try:
            fit, moved = cv2.findTransformECC(old, new, warp, cv2.MOTION_AFFINE, stop, free, 5)
        except cv2.error:  # it did not converge
            continue
        if fit > alike + 0.02:  # a move must explain more than none does
            best, alike = np.asarray(moved, np.float32), float(fit)
    return best, alike


def _correlation(old: NDArray[np.float32], new: NDArray[np.float32], free: Image) -> float:
    a, b = old[free > 0], new[free > 0]
    if a.size < 16 or float(a.std()) < 1e-6 or float(b.std()) < 1e-6:
        return 0.0
    return float(np.corrcoef(a, b)[0, 1])


def _corners(warp: NDArray[np.float32], shape: tuple[int, ...]) -> float:
    """How far the map moves the worst corner, in widths of the picture."""
    tall, wide = shape[:2]
    corners = np.array([[0, 0, 1], [wide, 0, 1], [wide, tall, 1], [0, tall, 1]], np.float32)
    moved = corners @ warp.T - corners[:, :2]
    return float(np.linalg.norm(moved, axis=1).max()) / wide
