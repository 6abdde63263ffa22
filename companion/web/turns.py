"""Strangers take turns, an address at a time, with room for the seats between them."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable

PACE = 0.005  # seconds between two strangers at least
QUIET = 0.03  # seconds without a press or a seat's request, for which strangers wait ...
LONGEST = 0.1  # ... but no longer than this
REST = 3  # times as long as the loop has worked since: strangers get a quarter of its time


class Turns:
    """Whoever waits here waits only for strangers; the seats never come this way."""

    def __init__(self, pace: float = PACE, worked: Callable[[], float] = time.thread_time) -> None:
        self._pace, self._worked = pace, worked
        self._waiting: OrderedDict[str, deque[asyncio.Future[bool]]] = OrderedDict()
        self._of: dict[tuple[str, int], asyncio.Future[bool]] = {}
        self._calling: asyncio.Task[None] | None = None
        self._quiet = 0.0  # when nobody at the table will have done anything for a while

    def busy(self) -> None:
        """Somebody at the table does something: strangers let him finish."""
        self._quiet = time.monotonic() + QUIET

    async def wait(self, owner: str, client: tuple[str, int] | None = None) -> bool:
        """Until it is this owner's turn. Each owner has one turn in a round, however many wait.

        False if the client's connection has gone meanwhile: nobody hears the answer.
        """
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(turn)
        if client is not None:
            self._of[client] = turn
        if self._calling is None:
            self._calling = asyncio.ensure_future(self._call())
        try:
            return await turn
        finally:
            if client is not None and self._of.get(client) is turn:
                del self._of[client]

    def gone(self, client: tuple[str, int]) -> None:
        """The connection has ended: it wants no turn any more."""
        turn = self._of.pop(client, None)
        if turn is not None and not turn.done():
            turn.set_result(False)

    def empty(self) -> None:
        """Nobody gets a turn any more: the table is being closed."""
        for client in list(self._of):
            self.gone(client)

    async def _call(self) -> None:
        try:
            while self._waiting:
                await self._pause()
                owner, turns = self._waiting.popitem(last=False)
                turn = turns.popleft()
                if turns:
                    self._waiting[owner] = turns
                if turn.done():  # its connection is gone
                    continue
                turn.set_result(True)
                before = self._worked()
                await asyncio.sleep(self._pace)
                await asyncio.sleep(REST * (self._worked() - before))
        finally:
            self._calling = None

    async def _pause(self) -> None:
        until = time.monotonic() + LONGEST
        left = min(self._quiet, until) - time.monotonic()
        while left > 0:
            await asyncio.sleep(left)
            left = min(self._quiet, until) - time.monotonic()
