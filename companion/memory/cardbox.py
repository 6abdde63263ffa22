"""What the owner of a printed game has corrected: one card file per game, kept for good."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any

from companion.errors import BadState, NoRoom
from companion.files import aside, read_text
from companion.games.api import Correction, Game

log = logging.getLogger(__name__)


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
            path.parent.mkdir(parents=True, exist_ok=True)
            self._set_aside(game)
            new = path.with_suffix(".new")
            with new.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            new.replace(path)
        except OSError as error:
            raise NoRoom(f"{path} could not be written: {error}") from error
