"""The shutdown button: held for some seconds, it asks for a clean end; a brush of a sleeve not."""

from __future__ import annotations

import asyncio
from typing import Any

from companion.events import DeviceUp, Emit, ShutdownAsked
from hardware.panel.buttons import Pin, contact
from hardware.panel.debounce import STABLE, ButtonChange, Debounce, Hold

LOOK = 0.05  # seconds between two looks at a button that is down


class OffSwitch:
    """A Source with one button."""

    name = "shutdown button"

    def __init__(
        self, pin: Pin, hold: float, *, factory: Any = None, stable: float = STABLE
    ) -> None:
        self._pin = pin
        self._hold = hold
        self._factory = factory
        self._stable = stable

    async def run(self, emit: Emit) -> None:
        """Emit ShutdownAsked each time that the button was held long enough."""
        loop = asyncio.get_running_loop()
        debounce, hold, down = Debounce(self._stable), Hold(self._hold), asyncio.Event()

        def tell(verdict: ButtonChange) -> None:
            if verdict == "press":
                hold.press(debounce.since)  # a busy loop hears of it late
                down.set()

        with contact(self.name, self._pin, debounce, tell, self._factory) as gone:
            gone.add_done_callback(lambda _: down.set())
            emit(DeviceUp(self.name))
            while True:
                await down.wait()
                if gone.done():
                    gone.result()
                if hold.poll(debounce.closed, loop.time()):
                    emit(ShutdownAsked())
                if not hold.waiting:
                    down.clear()
                else:
                    await asyncio.sleep(LOOK)
