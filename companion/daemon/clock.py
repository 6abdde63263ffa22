"""The time of day as the journal notes it, and the watch that notices when it goes back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from companion.daemon.supervise import Sleep
from companion.errors import DeviceLost
from companion.events import DeviceUp, Emit
from companion.words import text

JUMP = 60.0  # seconds that a clock may be put back without a word
EVERY = 5.0  # seconds between two looks
FORGET = 600.0  # seconds after which the new time is taken for the right one


class Clock:
    """A device that is lost while the clock stands before a time that it has shown already.

    Forward jumps are usual (a Pi has no battery for its clock and asks the network later).
    """

    name = "clock"
    proves_itself = True

    def __init__(
        self,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self.offset = 0.0  # a drill puts it wrong
        self._wall, self._steady, self._sleep = wall, steady, sleep
        self._gap: float | None = None  # the time of day at the steady clock's nought
        self._wrong: float | None = None  # since when it is behind, by the steady clock

    def __call__(self) -> float:
        """Seconds since 1970."""
        return self._wall() + self.offset

    async def run(self, emit: Emit) -> None:
        """Look now and then; DeviceLost says how far it went back."""
        while True:
            self.check()
            emit(DeviceUp(self.name))
            await self._sleep(EVERY)

    def check(self) -> None:
        """Compare it with the steady clock."""
        now = self._steady()
        gap = self() - now
        behind = 0.0 if self._gap is None else self._gap - gap
        if behind > JUMP:
            self._wrong = now if self._wrong is None else self._wrong
            if now - self._wrong < FORGET:
                went = text(
                    "The clock went back by {n} minutes. The order of moves is kept, "
                    "their times are wrong.",
                    n=round(behind / 60),
                )
                raise DeviceLost(went)
        self._gap, self._wrong = gap, None
