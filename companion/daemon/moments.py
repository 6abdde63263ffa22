"""Where nothing is to be chosen, play goes on after a moment; a press is quicker."""

from __future__ import annotations

import asyncio

from companion.events import Chosen, Emit
from companion.ports import News
from companion.table.table import Table


class Moments:
    """An onlooker that takes the one choice there is, when its moment is over."""

    def __init__(self, table: Table, emit: Emit) -> None:
        self._table, self._emit = table, emit
        self._coming: tuple[int, Chosen] | None = None
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
            seconds, choice = coming
            self._timer = asyncio.get_running_loop().call_later(seconds, self._emit, choice)
