"""The owner's card values: loaded when a game begins, saved when they are entered at the table."""

from __future__ import annotations

import logging
from typing import Any

from companion.errors import BadState, NoRoom
from companion.games.api import Correction, Game
from companion.memory.cardbox import CardBox
from companion.words import Text, text

log = logging.getLogger(__name__)


class OwnCards:
    """`trouble` says what is wrong with the owner's file; no trouble of his costs a move."""

    def __init__(self, box: CardBox) -> None:
        self._box = box
        self._learnt: tuple[Correction, ...] = ()
        self.trouble: Text | None = None

    def load(self, game: Game[Any]) -> tuple[Correction, ...]:
        """The owner's values; a file that cannot be is said, and the shipped cards are used."""
        try:
            return self._box.load(game)
        except BadState as wrong:
            log.error("%s", wrong)
            self.trouble = text("Shipped cards are used. {wrong}", wrong=str(wrong))
            return ()

    def begin(self, game: Game[Any], state: Any) -> None:
        """What the game knows of them from its start needs no keeping."""
        self._learnt = game.cards.learnt(state) if game.cards else ()

    def keep(self, game: Game[Any], state: Any) -> None:
        """The owner's file gets what was told; the journal has it, so a full disk costs no move."""
        if game.cards is None or (learnt := game.cards.learnt(state)) == self._learnt:
            return
        try:
            self._box.keep(game, learnt)
            self._learnt = learnt
        except NoRoom as error:
            log.error("%s", error)
            self.trouble = text("Printed values are not kept yet. {why}", why=str(error))
