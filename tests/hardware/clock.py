"""Time that passes only when a test says so."""

from __future__ import annotations

import asyncio


class Clock:
    """Hand `sleep` to what waits, then let time go by with `advance`."""

    def __init__(self) -> None:
        self.now = 0.0
        self.asked: list[float] = []  # how long somebody wanted to sleep
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    async def sleep(self, seconds: float) -> None:
        self.asked.append(seconds)
        waking: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now + seconds, waking))
        await waking

    async def advance(self, seconds: float) -> None:
        await settle()
        end = self.now + seconds
        while due := [s for s in self._sleepers if s[0] <= end and not s[1].done()]:
            self.now, waking = min(due, key=lambda sleeper: sleeper[0])
            waking.set_result(None)
            await settle()
        self.now = end


async def settle() -> None:
    """Let everything run that can run without time passing."""
    for _ in range(20):
        await asyncio.sleep(0)
