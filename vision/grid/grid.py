"""Reads a grid of tiles: rows and columns, the name of each tile, how sure; learns the colours."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import SURE, GridRead
from vision.grid.find import Lattice, find
from vision.grid.tiles import DARK, PLAIN, VALUES, Palette, look_of, name, patch, shade, steel

Image = NDArray[np.uint8]

WIDTH = 640  # pictures are looked at in this width
UNSEEN = 0.5  # at most so sure of a place where no outline was found
GAP = ""
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
        """The reading as an event for the table."""
        return GridRead(self.rows, self.sure, self.accepted, picture, source)


def read(picture: Image, palette: Palette) -> GridReading | None:
    """The grid in a picture (blue, green, red), rows from the top; None if none lies there."""
    picture = _fitted(picture)
    lattice = find(picture)
    if lattice is None or len(palette.looks) < 2:
        return None
    tiles = _tiles(picture, lattice)
    usual, table = _usual(tiles), _table(picture, lattice)
    named: dict[tuple[int, int], tuple[str, float]] = {}
    for place, tile in tiles.items():
        seen = name(tile, usual, palette)
        if place in lattice.found or (seen.name != PLAIN and _enclosed(lattice, place)):
            named[place] = seen.name, round(seen.sure, 4)
        elif seen.name == PLAIN and _bare(tiles, place, table):
            named[place] = GAP, SURE
        else:
            named[place] = seen.name, round(min(seen.sure, UNSEEN), 4)
    places = [[(row, column) for column in range(lattice.columns)] for row in range(lattice.rows)]
    return GridReading(
        tuple(tuple(named[place][0] for place in row) for row in places),
        tuple(tuple(named[place][1] for place in row) for row in places),
        lattice,
    )


def _enclosed(lattice: Lattice, place: tuple[int, int]) -> bool:
    """Do its neighbours say well enough where a tile without an outline lies?"""
    row, column = place
    beside = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return sum(other in lattice.found for other in beside) >= 3


def _table(picture: Image, lattice: Lattice) -> NDArray[np.float64]:
    """The colour of the table, where four tiles leave it open between them."""
    points = [
        (c + 0.5, r + 0.5) for r in range(lattice.rows - 1) for c in range(lattice.columns - 1)
    ]
    seen = cv2.perspectiveTransform(np.array([points], np.float64), lattice.lens)[0]
    high, wide = picture.shape[:2]
    spots = [picture[int(np.clip(y, 1, high - 2)), int(np.clip(x, 1, wide - 2))] for x, y in seen]
    return np.asarray(np.median(np.array(spots, np.float64), axis=0) + DARK)


def _bare(
    tiles: dict[tuple[int, int], Image], place: tuple[int, int], table: NDArray[np.float64]
) -> bool:
    """Is a place without an outline far more like the table than like the others' steel?"""
    usual = np.median([steel(tile) for other, tile in tiles.items() if other != place], axis=0)
    here = steel(tiles[place])
    off_table, off_steel = (np.abs(np.log(here / one)).sum() for one in (table, usual))
    return bool(2 * off_table < off_steel)


def _tiles(picture: Image, lattice: Lattice) -> dict[tuple[int, int], Image]:
    """Every place of the grid, straightened."""
    return {
        (row, column): patch(picture, lattice.corners(row, column))
        for row in range(lattice.rows)
        for column in range(lattice.columns)
    }


def _usual(tiles: dict[tuple[int, int], Image]) -> float:
    """How bright steel is in this picture."""
    return float(np.median([shade(tile) for tile in tiles.values()]))


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
    tiles = _tiles(picture, lattice)
    usual = _usual(tiles)
    for row, names in enumerate(shown):
        for column, known in enumerate(names):
            learnt = learnt.with_look(known, look_of(tiles[row, column], usual))
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
    whole = all(len(one) == VALUES for shown in looks.values() for one in shown)
    if not whole or not all(looks.values()):
        raise ValueError(f"a look has {VALUES} values")
    return Palette(looks)


def _fitted(picture: Image) -> Image:
    high, wide = picture.shape[:2]
    if wide == WIDTH:
        return picture
    size = (WIDTH, round(high * WIDTH / wide))
    how = cv2.INTER_AREA if wide > WIDTH else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, size, interpolation=how), np.uint8)
