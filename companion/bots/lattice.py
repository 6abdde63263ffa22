"""Multisets of dice as places in arrays: a step up adds a die of one value, a step down takes it.

A turn is an array over these places. The worth of keeping some dice and throwing the rest is the
mean over the steps up; the best of all keeps is the greatest over the steps down.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
VALUES = (1, 2, 3, 4, 5, 6)
Values = tuple[int, ...]
"""Values of some dice, sorted."""


class Level:
    """All multisets of one size, and where one more die or one less leads."""

    def __init__(self, size: int) -> None:
        self.every: tuple[Values, ...] = tuple(combinations_with_replacement(VALUES, size))
        self.place = {values: at for at, values in enumerate(self.every)}

    @staticmethod
    @cache
    def of(size: int) -> Level:
        """The level of this size, built once."""
        return Level(size)

    def at(self, values: Iterable[int]) -> int:
        """The place of these values, in any order."""
        return self.place[tuple(sorted(values))]


@cache
def up(size: int) -> Places:
    """From each multiset of this size, by value: the place with one die more."""
    above = Level.of(size + 1)
    return np.array([[above.at((*have, v)) for v in VALUES] for have in Level.of(size).every])


@cache
def down(size: int) -> Places:
    """From each multiset of this size: the places with one die less, the first again and again."""
    below = Level.of(size - 1)
    rows = []
    for have in Level.of(size).every:
        less = [below.at((*have[:i], *have[i + 1 :])) for i in range(size)]
        rows.append((sorted(set(less)) + less[:1] * 6)[: min(size, 6)])
    return np.array(rows)


@cache
def changed(size: int, kind: str, dice: int, to: Values) -> Places:
    """From each multiset of this size: where an ability may lead, itself where it has fewer ways.

    Kinds as on the cards (`Power`), and `any`: up to so many dice to whatever value.
    """
    level = Level.of(size)
    rows = [sorted({level.at(one) for one in _changes(have, kind, dice, to)} or {at})
            for at, have in enumerate(level.every)]  # fmt: skip
    width = max(map(len, rows))
    return np.array([row + row[:1] * (width - len(row)) for row in rows])


def _changes(have: Values, kind: str, dice: int, to: Values) -> Iterable[Values]:
    if kind == "shift":
        for value in set(have):
            for step in (1, -1):
                if 1 <= value + step <= 6:
                    yield tuple(v + step if v == value else v for v in have)
        return
    found = {have}
    for _ in range(dice):
        found |= {
            tuple(sorted((*one[:i], new, *one[i + 1 :])))
            for one in found
            for i, value in enumerate(one)
            for new in (_flipped(value) if kind == "flip" else to)
        }
    yield from found - {have}


def _flipped(value: int) -> Values:
    return (7 - value,)
