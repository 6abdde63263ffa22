"""Notices a camera that gives pictures which are none: the same again and again, or only black."""

from __future__ import annotations

import numpy as np

from companion.words import Text, text
from hardware.camera.lens import Picture

FROZEN = 2.0  # seconds in which not one pixel changes: every real sensor has noise
BLACK = 2.0  # seconds in which nothing can be seen
DARKEST = 16  # grey level that all but a few pixels of a black picture stay below

SAME = text("the camera gives the same picture again and again: unplug it and plug it in again")
DARK = text(
    "the camera sees only black: take the cap off its lens, switch the light on, check its cable"
)


class DeadCameraCheck:
    """Sees every frame; time is an argument."""

    def __init__(self) -> None:
        self._last: Picture | None = None
        self._changed: float | None = None  # when a frame last differed from the one before
        self._seen: float | None = None  # when something could last be seen

    def check(self, picture: Picture, now: float) -> Text | None:
        """What is wrong with the camera, or None."""
        dark = float(np.percentile(picture, 99.5)) < DARKEST if picture.size else True
        if self._seen is None or not dark:
            self._seen = now
        same = self._last is not None and np.array_equal(picture, self._last)
        if self._changed is None or not same:
            self._changed = now
        self._last = picture.copy()
        if now - self._seen >= BLACK:
            return DARK
        if now - self._changed >= FROZEN:
            return SAME
        return None
