"""An ended game is weighed beside the loop when a seat looks back; most evenings need no numpy."""

from __future__ import annotations

import asyncio
import logging

from companion.bots.api import Analyst
from companion.events import Emit, Reviewed
from companion.ports import News
from companion.table.company import played
from companion.table.looking_back import opened
from companion.table.table import Table

log = logging.getLogger(__name__)


class Afterwards:
    """An onlooker that has the game on the table weighed once somebody looks back on it."""

    def __init__(self, table: Table, emit: Emit, analyst: Analyst) -> None:
        self._table, self._emit, self._analyst = table, emit, analyst
        self._entry = ""  # the end that is weighed, or was
        self._task: asyncio.Task[None] | None = None

    def changed(self, _news: News) -> None:
        """Begin when somebody looks back; a corrected end is another."""
        play = self._table.play
        if not play.over or play.entry == self._entry:
            return
        if any(opened(self._table.panel(panel)) for panel in play.players if panel is not None):
            self._entry = play.entry
            self._task = asyncio.create_task(self._weigh(play.entry))

    async def _weigh(self, entry: str) -> None:
        line, found = self._table.play.line, []
        moments = self._analyst(line.game, played(line))
        try:
            while (one := await asyncio.to_thread(next, moments, None)) is not None:
                found.append(one)
        except Exception:  # what is nice to know must not end the evening
            log.exception("the game could not be weighed")
        self._emit(Reviewed(entry, tuple(found)))
