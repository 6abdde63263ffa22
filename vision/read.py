"""What lies in the picture: the one door into the eye. An array goes in, a reading comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.events import Point, SeenDie

Image: TypeAlias = NDArray[np.uint8]
Box: TypeAlias = tuple[int, int, int, int]
"""x, y, width, height in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Hint:
    """What is known of the tray beforehand; every part may be missing. Pixels of the picture."""

    die_px: float | None = None  # edge of a die
    tray: tuple[Point, ...] | None = None  # polygon; dice outside it do not count
    circle: tuple[float, float, float] | None = None  # x, y, radius; likewise
    background: Image | None = None  # the empty tray, same size as the picture
    changed: tuple[Box, ...] | None = None  # look only here


@dataclass(frozen=True, slots=True)
class Reading:
    """The dice of one picture, and whether the eye would stake the game on them."""

    dice: tuple[SeenDie, ...] = ()
    accepted: bool = False
    doubts: tuple[str, ...] = ()  # why not, in short words; empty when accepted

    @property
    def values(self) -> tuple[int, ...]:
        """The values in rising order."""
        return tuple(sorted(die.value for die in self.dice))


def read(image: Image, hint: Hint = Hint()) -> Reading:  # noqa: B008 (frozen)
    """The dice in `image` (BGR, BGRA or grey)."""
    if image.size == 0:
        return Reading(doubts=("empty picture",))
    raise NotImplementedError
