"""What the owner of a printed game has corrected: one card file per game, kept for good."""

from __future__ import annotations

import logging
import os
import re
from pathlib import Path
from typing import Any

from companion.errors import BadState, NoRoom
from companion.files import aside, read_text
from companion.games.api import Correction, Game

log = logging.getLogger(__name__)
MOST_PHOTO = 512 * 1024  # bytes; the page makes them some 150,000
START_OF_SCAN, COMMENT = 0xDA, 0xFE  # markers of JPEG; 0xE1 to 0xEF are what programs noted


class CardBox:
    """The folder `cards` of the state directory; a file there may also be written by hand."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def file(self, game: Game[Any]) -> Path:
        """Where a game's own values stand."""
        return self._folder / f"{game.key}.toml"

    def load(self, game: Game[Any]) -> tuple[Correction, ...]:
        """The owner's values; BadState names file, card and reason."""
        path = self.file(game)
        if game.cards is None:
            return ()
        try:
            return game.cards.own(read_text(path), path.name)
        except (FileNotFoundError, NotADirectoryError):
            return ()
        except BadState:
            raise
        except Exception as error:  # a person's file: anything may stand in it
            why = getattr(error, "strerror", None) or error
            raise BadState(f"{path.name}: cannot be read: {why}") from error

    def _set_aside(self, game: Game[Any]) -> None:
        """A file that cannot be read is not overwritten: its owner will want to mend it."""
        try:
            self.load(game)
        except BadState:
            path = self.file(game)
            path.rename(aside(path))

    def keep(self, game: Game[Any], corrections: tuple[Correction, ...]) -> None:
        """Write them, whole or not at all."""
        if game.cards is None:
            return
        path = self.file(game)
        head = "# Printed values told at the table; every other card is as shipped.\n\n"
        text = head + game.cards.to_toml(corrections)
        try:
            self._set_aside(game)
        except OSError as error:
            raise NoRoom(f"{path} could not be written: {error}") from error
        _write(path, text.encode())

    # -- photographs: beside the values, on this machine alone

    def photo(self, game: str, card: str) -> bytes:
        """The photograph of a card; none: nothing."""
        path = self._photo(game, card)
        return path.read_bytes() if path.is_file() else b""

    def photos(self, game: str) -> set[str]:
        """The cards of a game that have one."""
        return {path.stem for path in (self._folder / "photos" / game).glob("*.jpg")}

    def keep_photo(self, game: str, card: str, picture: bytes) -> None:
        """Keep it, without whatever the camera noted beside it; an empty one takes it away."""
        path = self._photo(game, card)
        if not picture:
            path.unlink(missing_ok=True)
        else:
            _write(path, plain_jpeg(picture))

    def _photo(self, game: str, card: str) -> Path:
        if not re.fullmatch(r"[a-z0-9_.]{1,50}", card) or card.startswith("."):
            raise BadState(f"{card!r} is no card")
        return self._folder / "photos" / game / f"{card}.jpg"


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        with new.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        raise NoRoom(f"{path} could not be written: {error}") from error


def plain_jpeg(picture: bytes) -> bytes:
    """A JPEG without the notes in it (where and when, with which phone); BadState if it is none.

    Segments up to the start of the scan are walked; the scan itself is kept as it is.
    """
    if len(picture) > MOST_PHOTO:
        raise BadState(f"a photograph has at most {MOST_PHOTO} bytes, not {len(picture)}")
    if not picture.startswith(b"\xff\xd8\xff") or not picture.endswith(b"\xff\xd9"):
        raise BadState("a photograph must be a whole JPEG")
    kept, at = [picture[:2]], 2
    while at + 4 <= len(picture) and picture[at] == 0xFF:
        marker, size = picture[at + 1], int.from_bytes(picture[at + 2 : at + 4], "big")
        if marker == START_OF_SCAN:
            return b"".join((*kept, picture[at:]))
        if not (0xE1 <= marker <= 0xEF or marker == COMMENT):
            kept.append(picture[at : at + 2 + size])
        at += 2 + max(size, 2)
    raise BadState("a photograph must be a whole JPEG")
