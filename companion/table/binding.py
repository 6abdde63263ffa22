"""What binds the box in the game on the table: its seed, and what everybody may see of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from companion.games.api import Game, Pick
from companion.memory.journal import Entry, Record
from companion.memory.seals import Seals, begun, seed_code
from companion.words import SeatNo


class Binding:
    """Salts and picks of one game after another; `draw` gives a seed that nobody knows."""

    def __init__(self, draw: Callable[[], str]) -> None:
        self.draw = draw
        self.code, self.since = "", 0.0  # the code of the seed, and since when it is shown
        self._seals = self._first = Seals("", "")

    @property
    def seed(self) -> str:
        """Secret until the game is over."""
        return self._seals.seed

    def revealed(self, over: bool) -> str:
        """The seed as everybody may know it; "" while the game runs."""
        return self.seed if over and self.code else ""

    def begin(self, record: Record | None, game: Game[Any], entries: Iterable[Entry]) -> None:
        """Take up the seed of a game that begins or goes on.

        One from before there were seeds is sealed with a seed that is not kept: nobody can guess
        it, and nobody can verify it.
        """
        assert record is not None  # it stands in the journal
        self.code, self.since = seed_code(record.seed), record.began
        cuts = record.options.get("cuts", ())
        self._first = begun(record.seed or self.draw(), game.key, cuts)
        self._seals = self._first.heard_all(game, entries)

    def salted(self, action: Any, number: int) -> Any:
        """The action of entry `number`; a sealed choice gets its salt."""
        if getattr(action, "salt", None) != "":
            return action
        return replace(action, salt=self._seals.salt(action.seat, number))

    def player(self, seat: SeatNo) -> str:
        """What a companion at this seat thinks with, the whole game long."""
        return self._first.player(seat)

    def pick(self, number: int) -> Pick:
        """The companion's own chance for entry `number`."""
        return self._seals.pick(number)

    def heard(self, action: Any) -> None:
        """It is in the journal: what follows depends on it."""
        self._seals = self._seals.heard(action)
