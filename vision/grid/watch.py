"""When is a grid a grid: the same tiles, read alike several times, for long enough; told once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import GridRead
from vision.grid.grid import GridReading, read
from vision.grid.tiles import Palette

Image = NDArray[np.uint8]

LOOKS = 3  # readings in a row that must agree on rows and columns
STILL = 0.6  # seconds that they must span
SMALL = 320  # width of the picture that is kept


@dataclass(slots=True)
class GridWatch:
    """Feed it pictures; it gives a reading when a new grid lies still, and then is silent."""

    palette: Palette
    _looks: tuple[tuple[float, GridReading], ...] = ()
    _reported: tuple[tuple[str, ...], ...] | None = None

    def feed(self, picture: Image, now: float) -> GridRead | None:
        """One picture; the event to emit, if there is one."""
        seen = read(picture, self.palette)
        if seen is None:
            self._looks = ()
            return None
        if self._looks and _shape(self._looks[-1][1]) != _shape(seen):
            self._looks = ()
        self._looks = (*self._looks[-(2 * LOOKS) :], (now, seen))
        first = self._looks[0][0]
        if len(self._looks) < LOOKS or now - first < STILL:
            return None
        agreed = agree([look for _, look in self._looks])
        if agreed.rows == self._reported:
            return None
        self._reported = agreed.rows
        return agreed.event(small(picture))


def agree(looks: list[GridReading]) -> GridReading:
    """What several looks at the same tiles say together: a tile they quarrel about is unsure."""
    rows, sures = [], []
    for row in range(len(looks[0].rows)):
        names, sure = [], []
        for column in range(len(looks[0].rows[0])):
            seen = [(look.rows[row][column], look.sure[row][column]) for look in looks]
            name, votes = Counter(name for name, _ in seen).most_common(1)[0]
            best = sorted(s for other, s in seen if other == name)[votes // 2]
            names.append(name)
            sure.append(round(best * votes / len(seen), 4))
        rows.append(tuple(names))
        sures.append(tuple(sure))
    return GridReading(tuple(rows), tuple(sures), looks[-1].lattice)


def small(picture: Image) -> bytes:
    """A small JPEG, for the journal's ring of pictures."""
    high, wide = picture.shape[:2]
    size = (SMALL, round(high * SMALL / wide))
    _, packed = cv2.imencode(".jpg", cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
    return bytes(packed)


def _shape(seen: GridReading) -> tuple[int, int]:
    return len(seen.rows), len(seen.rows[0])
