"""Nobody is at the table: companions play for whoever looks at a page, and nothing is journaled.

A demo is no game of the house: it has no seed, no entry in the journal, no glass and no lamp shows
it. Any press ends it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from itertools import cycle
from typing import Any

from companion.bots.api import Players, decide, picks
from companion.events import BoxTold, ButtonPressed, Chosen, DiceSettled, MenuAsked, Named
from companion.games.api import Game, moves, roll
from companion.memory.timeline import Move, Timeline
from companion.ports import News
from companion.table.company import seen_by
from companion.table.lobby import once_more, without_cardboard
from companion.table.table import Table
from companion.words import SeatNo, Text, name_text

log = logging.getLogger(__name__)

SOMEBODY = (ButtonPressed, Chosen, MenuAsked, Named, BoxTold, DiceSettled)
STANDS = 2.0  # seconds for which a decision stands; each thing that it led to has one more
ENDS = 12.0  # seconds for which the end of a demo stands


class Demo:
    """An onlooker that plays by itself while the lobby is empty; `line` is what pages show."""

    def __init__(
        self, table: Table, shelf: Mapping[str, Game[Any]], players: Players, *,
        draw: Callable[[], str], after: float = 60.0, hurry: float = 1.0,
    ) -> None:  # fmt: skip
        self._table, self._players, self._draw = table, players, draw
        self._after, self._hurry = after, hurry
        self._games = cycle(shelf.values())
        self._task: asyncio.Task[None] | None = None
        self.line: Timeline | None = None
        self.number, self.names = 0, _names(2)
        self.looked_at: Callable[[], bool] = lambda: True  # does any page show it?
        self.show: Callable[[], None] = lambda: None  # called whenever it has gone on

    def changed(self, news: News) -> None:
        """Somebody is here, or nobody is any longer."""
        lobby = self._table.play.line.state if self._table.play.in_lobby else None
        empty = lobby is not None and not lobby.players
        here = any(isinstance(event, SOMEBODY) for event in news.events)
        if self._task is not None and (here or not empty):
            self._task.cancel()
            self._task = None
            if self.line is not None:
                self.line = None
                self.show()
        if empty and self._task is None:
            self._task = asyncio.create_task(self._wait())

    async def _wait(self) -> None:
        await asyncio.sleep(self._after)
        try:
            while True:
                if self.looked_at():
                    await self._play(next(self._games))
                else:
                    await asyncio.sleep(1.0)
        except Exception:  # a demo with a fault must not end the evening
            log.exception("the demo has ended")
            self.line = None
            self.show()

    async def _play(self, game: Game[Any]) -> None:
        seats = max(game.seats[0], min(2, game.seats[-1]))
        chosen = without_cardboard(game, once_more(game, [], {}).options)
        self.number, self.names = self.number + 1, _names(seats)
        line = Timeline(game, (), (game.new(seats, game.options(**dict(chosen))),))
        seed = self._draw()
        chance = picks(seed)
        while line.result is None and self.looked_at():
            action = await asyncio.to_thread(self._next, line, seed, chance)
            self.line = line = line.played(Move(line.seq + 1, action))
            self.show()
            told = sum(beat.weight > 0 for beat in line.beats(line.moves[-1], None))
            await asyncio.sleep((STANDS * (line.moves[-1].seat is not None) + told) * self._hurry)
        await asyncio.sleep(ENDS * self._hurry)
        self.line = None

    def _next(self, line: Timeline, seed: str, chance: Callable[[int], int]) -> Any:
        """What happens next: chance, a throw, or what the best companion thinks of first."""
        game, waiting = line.game, line.waiting
        if waiting.chance and game.chance is not None:
            return game.chance(line.state, chance)
        if waiting.dice is not None:
            return roll(waiting.dice, chance)
        seat = SeatNo(waiting.seats[0])
        answer = decide(self._players(game.key)[-1], seen_by(line, seat), seed, 1)
        return answer.action or next(iter(moves(game, line.state, seat)))


def _names(seats: int) -> tuple[Text, ...]:
    return tuple(name_text(f"Companion {n}" if n > 1 else "Companion") for n in range(1, seats + 1))
