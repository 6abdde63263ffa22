"""Pictures and colours on disk: what the command line needs to learn and to try a reading."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.grid.grid import GridReading, learn, palette_from_json, palette_to_json, read
from vision.grid.tiles import Palette


def open_picture(path: Path) -> NDArray[np.uint8]:
    """A picture file as blue, green, red; ValueError if it is none."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError(f"{path} is no picture that can be read")
    return np.asarray(picture, np.uint8)


def learn_all(pictures: Iterable[tuple[str, NDArray[np.uint8]]]) -> Palette:
    """The colours of all these pictures; ValueError names the one that does not do."""
    learnt: Palette | None = None
    for name, picture in pictures:
        try:
            learnt = learn(picture, learnt)
        except ValueError as why:
            raise ValueError(f"{name}: {why}") from why
    if learnt is None:
        raise ValueError("show at least one picture")
    return learnt


def read_file(path: Path, colours: Path) -> GridReading | None:
    """The grid in a picture file, by learnt colours."""
    return read(open_picture(path), palette_from_json(colours.read_text("utf-8")))


def keep(palette: Palette, colours: Path) -> None:
    """Write the colours, whole or not at all."""
    colours.parent.mkdir(parents=True, exist_ok=True)
    new = colours.with_suffix(".new")
    new.write_text(palette_to_json(palette), "utf-8")
    new.replace(colours)
