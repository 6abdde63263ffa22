"""Reads a grid of tiles: rows and columns, the name of each tile, how sure; learns the colours."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import GridRead
from vision.grid_find import Lattice, find
from vision.grid_tiles import Palette, look, name, patch

Image = NDArray[np.uint8]

WIDTH = 640  # pictures are looked at in this width
SURE = 0.9  # the eye stakes the game on tiles above this
UNSEEN = 0.5  # at most so sure of a tile whose outline was not found
SHOWN = (("red", "blue", "green", "purple"), ("yellow", "orange", "blank", "forge"))
"""How the tiles are laid out to be learnt: one of each, in two rows."""


@dataclass(frozen=True, slots=True)
class GridReading:
    """One look at the table: the names row by row, and how sure each is."""

    rows: tuple[tuple[str, ...], ...]
    sure: tuple[tuple[float, ...], ...]
    lattice: Lattice

    @property
    def accepted(self) -> bool:
        """Would the eye stake the game on every tile?"""
        return all(sure >= SURE for row in self.sure for sure in row)

    def event(self, picture: bytes = b"", source: str = "eye") -> GridRead:
        """What the table is told."""
        return GridRead(self.rows, self.sure, self.accepted, picture, source)


def read(picture: Image, palette: Palette) -> GridReading | None:
    """The grid in a picture (blue, green, red), rows from the top; None if none lies there."""
    picture = _fitted(picture)
    lattice = find(picture)
    if lattice is None or len(palette.looks) < 2:
        return None
    rows, sures = [], []
    for row in range(lattice.rows):
        named = [_named(picture, lattice, row, column, palette) for column in range(lattice.columns)]
        rows.append(tuple(tile for tile, _ in named))
        sures.append(tuple(sure for _, sure in named))
    return GridReading(tuple(rows), tuple(sures), lattice)


def _named(
    picture: Image, lattice: Lattice, row: int, column: int, palette: Palette
) -> tuple[str, float]:
    seen = name(patch(picture, lattice.corners(row, column)), palette)
    if (row, column) in lattice.found:
        return seen.name, round(seen.sure, 4)
    return seen.name, round(min(seen.sure, UNSEEN), 4)


def learn(
    picture: Image,
    palette: Palette | None = None,
    shown: Sequence[Sequence[str]] = SHOWN,
) -> Palette:
    """The palette with the tiles of one more picture; ValueError says what is wrong with it."""
    picture = _fitted(picture)
    lattice = find(picture)
    wanted = (len(shown), len(shown[0]))
    if lattice is None or (lattice.rows, lattice.columns) != wanted:
        seen = (0, 0) if lattice is None else (lattice.rows, lattice.columns)
        raise ValueError(
            f"lay {wanted[0]} rows of {wanted[1]} tiles; {seen[0]} rows of {seen[1]} are seen"
        )
    missing = wanted[0] * wanted[1] - len(lattice.found)
    if missing:
        raise ValueError(f"{missing} tiles are not seen clearly: move them apart, or add light")
    learnt = palette or Palette()
    for row, names in enumerate(shown):
        for column, known in enumerate(names):
            learnt = learnt.with_look(known, look(patch(picture, lattice.corners(row, column))))
    return learnt


def palette_to_json(palette: Palette) -> str:
    """A palette as text, to be kept in the state directory."""
    return json.dumps({known: list(map(list, looks)) for known, looks in palette.looks.items()})


def palette_from_json(source: str) -> Palette:
    """The palette in a text; ValueError if it is none."""
    table = json.loads(source)
    if not isinstance(table, dict):
        raise ValueError("a palette is an object of names and looks")
    looks = {
        str(known): tuple(tuple(float(value) for value in one) for one in shown)
        for known, shown in table.items()
    }
    if any(len(one) != 7 for shown in looks.values() for one in shown) or not all(looks.values()):
        raise ValueError("a look has seven values")
    return Palette(looks)


def _fitted(picture: Image) -> Image:
    high, wide = picture.shape[:2]
    if wide == WIDTH:
        return picture
    size = (WIDTH, round(high * WIDTH / wide))
    how = cv2.INTER_AREA if wide > WIDTH else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, size, interpolation=how), np.uint8)
