"""Strangers take turns, an address at a time, with room for the seats between them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque

PACE = 0.01  # seconds between two strangers: 100 a second, and a page needs twenty


class Turns:
    """Whoever waits here waits only for strangers; the seats never come this way."""

    def __init__(self, pace: float = PACE) -> None:
        self._pace = pace
        self._waiting: OrderedDict[str, deque[asyncio.Future[bool]]] = OrderedDict()
        self._of: dict[tuple[str, int], asyncio.Future[bool]] = {}
        self._calling: asyncio.Task[None] | None = None

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
        """Nobody waits there any more."""
        turn = self._of.pop(client, None)
        if turn is not None and not turn.done():
            turn.set_result(False)

    def empty(self) -> None:
        """Nobody gets a turn any more: the table is being closed."""
        for client in list(self._of):
            self.gone(client)

    async def _call(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                owner, turns = self._waiting.popitem(last=False)
                turn = turns.popleft()
                if turns:
                    self._waiting[owner] = turns
                if turn.done():  # its connection is gone
                    continue
                turn.set_result(True)
                before = loop.time()
                await asyncio.sleep(self._pace)
                late = loop.time() - before - self._pace
                await asyncio.sleep(late)  # a busy loop gets a rest as long as it was late
        finally:
            self._calling = None
