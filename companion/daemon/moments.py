"""Where nothing is to be chosen, the story and play go on after a moment; a press is quicker."""

from __future__ import annotations

import asyncio

from companion.events import Emit, Event
from companion.ports import News
from companion.table.table import Table


class Moments:
    """An onlooker that turns leaves and takes the one choice there is, each after its moment."""

    def __init__(self, table: Table, emit: Emit) -> None:
        self._table, self._emit = table, emit
        self._coming: tuple[float, Event] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def changed(self, _news: News) -> None:
        """Wait for what is coming now, and no longer for what was."""
        coming = self._table.moment()
        if coming == self._coming:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._coming, self._timer = coming, None
        if coming is not None:
            seconds, event = coming
            self._timer = asyncio.get_running_loop().call_later(seconds, self._came, event)

    def _came(self, event: Event) -> None:
        """It is no longer coming: the same may come again after it."""
        self._coming = None
        self._emit(event)
