"""What the owner of a printed game has corrected: one card file per game, kept for good."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any

from companion.errors import BadState, NoRoom
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
        if game.cards is None or not path.exists():
            return ()
        try:
            return game.cards.own(path.read_text("utf-8"), path.name)
        except (OSError, UnicodeDecodeError) as error:
            raise BadState(f"{path}: cannot be read: {error}") from error

    def keep(self, game: Game[Any], corrections: tuple[Correction, ...]) -> None:
        """Write them, whole or not at all."""
        if game.cards is None:
            return
        path = self.file(game)
        head = "# Printed values told at the table; every other card is as shipped.\n\n"
        text = head + game.cards.to_toml(corrections)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            new = path.with_suffix(".new")
            with new.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            new.replace(path)
        except OSError as error:
            raise NoRoom(f"{path} could not be written: {error}") from error
