"""Checks the machine at the start and every so often; reports each new fault once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from companion.events import Emit, Unwell
from companion.words import Text

EVERY = 300.0  # seconds


class Watch:
    """A source: tells on the glass what the doctor finds, when it is new."""

    name = "watch"

    def __init__(
        self,
        look: Callable[[], Mapping[str, Text]],
        *,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._look, self._sleep = look, sleep
        self._known: frozenset[str] = frozenset()

    async def run(self, emit: Emit) -> None:
        """Until cancelled; the tools of the system run beside the loop."""
        while True:
            found = await asyncio.to_thread(self._look)
            for key in found.keys() - self._known:
                emit(Unwell(found[key]))
            self._known = frozenset(found)
            await self._sleep(EVERY)
