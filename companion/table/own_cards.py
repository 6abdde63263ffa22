"""The owner's card values: loaded when a game begins, saved when they are told at the table."""

from __future__ import annotations

import logging
from typing import Any

from companion.errors import BadState, Illegal, NoRoom
from companion.games.api import Correction, Game
from companion.games.box import Box, Told, changed, checked, together
from companion.memory.cardbox import CardBox
from companion.words import Text, text

log = logging.getLogger(__name__)


class OwnCards:
    """`trouble` says what is wrong with the owner's file; no trouble of his costs a move."""

    def __init__(self, box: CardBox) -> None:
        self._box = box
        self._began = 0  # how many corrections the game on the table began with
        self._told: tuple[Correction, ...] = ()  # since then, and kept
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
        self._began = len(game.cards.learnt(state)) if game.cards else 0
        self._told = ()

    def resumed(self, game: Game[Any], state: Any) -> None:
        """What was kept before the plug was pulled; the box may have changed since."""
        told = self._since(game, state)
        known = {row[:2] for row in self.load(game)} if told else set()
        if all(row[:2] in known for row in told):
            self._told = told

    def keep(self, game: Game[Any], state: Any) -> None:
        """Write the owner's file; the journal has the answers, so a full disk costs no move."""
        told = self._since(game, state)
        if told == self._told:
            return
        mine = tuple(row for row in self.load(game) if row not in self._told or row in told)
        try:
            self._box.keep(game, together(mine, told, theirs_win=True))
            self._told = told
        except NoRoom as error:
            log.error("%s", error)
            self.trouble = text("Printed values are not kept yet. {why}", why=str(error))

    def _since(self, game: Game[Any], state: Any) -> tuple[Correction, ...]:
        return game.cards.learnt(state)[self._began :] if game.cards else ()

    # -- my box --------------------------------------------------------------------------------

    def tell(self, game: Game[Any], card: str, told: Told | None) -> None:
        """The owner says what is printed on a card; Illegal says why that cannot be."""
        self._change(game, lambda printing, mine: changed(printing, mine, card, told))

    def bring(self, game: Game[Any], theirs: Box, theirs_win: bool) -> None:
        """Another's box, beside the owner's own."""
        self._change(
            game, lambda p, mine: checked(p, together(mine, theirs, theirs_win), "both boxes")
        )

    def _change(self, game: Game[Any], change: Any) -> None:
        if game.cards is None:
            raise Illegal("table", text("This game has no cards."))
        try:
            self._box.keep(game, change(game.cards.printing, self._box.load(game)))
        except BadState as wrong:
            raise Illegal("table", text("{why}", why=str(wrong))) from wrong


def pending(game: Game[Any], state: Any, box: Box, card: str) -> Box:
    """What the box says of a card otherwise than the game on the table, and can say now."""
    cards = game.cards
    if cards is None or cards.amended is None:
        return ()
    now = cards.printing.values(cards.learnt(state), "game").get(card, {})
    new = cards.printing.values(box, "box").get(card, {})
    return tuple(
        (card, name, value.value)
        for name, value in new.items()
        if name in now and name not in cards.printing.later and now[name].value != value.value
    )
