"""What the eye has learnt of its tray: one JSON file in the state directory, validated."""

from __future__ import annotations

import base64
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

from companion.errors import BadState
from companion.events import Point
from companion.eye.shape import Within, shaped
from companion.files import read_text

FORMAT: Literal[1] = 1
NAME = "camera.json"
Side = Annotated[int, Within(16, 10_000)]


@dataclass(frozen=True, slots=True)
class Calibration:
    """One camera over one tray in one light. Pixels are those of the camera's own frames."""

    format: Literal[1]
    camera: str  # its identity: the file of another camera is not used
    size: tuple[Side, Side]  # width and height of its frames
    at: float  # when, in seconds since 1970
    look: dict[str, float]  # exposure and white balance, by the camera's own names
    tray: Literal["round", "box", "none"]
    corners: tuple[Point, ...]  # of the tray, clockwise: four, or none
    die: Annotated[float, Within(3, 2000)]  # edge of a die in the straightened picture
    itself: Annotated[float, Within(0, 1)]  # how alike two pictures of the empty tray were
    background: str  # the empty tray, a JPEG in base64

    @property
    def picture(self) -> bytes:
        """The empty tray as a JPEG."""
        return base64.b64decode(self.background, validate=True)


def load(path: Path) -> Calibration | None:
    """The stored calibration; None: there is none. BadState says what is wrong with the file."""
    try:
        text = read_text(path)
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise BadState(f"{path} cannot be read: {error}") from error
    try:
        plain = json.loads(text)
        if plain.get("format", 0) > FORMAT:
            raise BadState(f"{path} was written by a newer companion: calibrate again")
        found = shaped(plain, Calibration)
        if len(found.corners) not in (0, 4):
            raise ValueError(f"a tray has four corners, not {len(found.corners)}")
        base64.b64decode(found.background, validate=True)
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        first = str(error).splitlines()[0]
        raise BadState(f"{path} holds no calibration ({first}): calibrate again") from error
    return found


def store(path: Path, found: Calibration) -> None:
    """Write it whole or not at all; on disk when this returns."""
    new = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with new.open("w", encoding="utf-8") as file:
            json.dump(asdict(found), file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise BadState(f"{path} cannot be written: {error.strerror}") from error
