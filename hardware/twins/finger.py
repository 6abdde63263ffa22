"""The twin of a finger: presses gpiozero's mock pins from its own thread, and bounces."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

from companion.events import Key
from companion.words import Panel
from hardware.panel.buttons import Pin

BOUNCE = 0.002  # seconds until a contact rests
HOLD, LIFT = 0.04, 0.03  # seconds that a quick finger stays, and is away before it can be back


class SwitchPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin that moves when it was meant to, while word of it may come late, as on a Pi.

    The edges carry the moment they happened, as the kernel stamps real ones, and who asks the pin
    gets its level of now, even if edges are still on their way.
    """

    def __init__(self, *args: Any, **how: Any) -> None:
        self._course: list[tuple[float, bool]] = []  # what the contact does, and when
        super().__init__(*args, **how)

    def play(self, course: list[tuple[float, bool]], sleep: Callable[[float], None]) -> None:
        """Go through levels at their times (of the monotonic clock), telling of each."""
        self._course = course
        for when, high in course:
            sleep(max(0.0, when - time.monotonic()))
            if self._change_state(high):
                self._last_change = when
                del self.states[:-1]  # gpiozero would keep every edge for ever
                if self._when_changed is not None:
                    self._call_when_changed()
        self._course = []

    def _get_state(self) -> bool:
        now = time.monotonic()
        past = [high for when, high in self._course if when <= now]
        return past[-1] if past else bool(self._state)


class Finger:
    """Presses the buttons of panels that were made with its `factory`."""

    def __init__(
        self,
        pins: Mapping[tuple[Panel, Key], Pin],
        *,
        pull_up: bool = True,
        seed: int = 0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.factory = MockFactory(pin_class=SwitchPin)
        self._pins = dict(pins)
        self._pull_up = pull_up
        self._chance = random.Random(seed)
        self._sleep = sleep
        self._free = {button: asyncio.Lock() for button in pins}

    async def press(self, panel: Panel, key: Key, hold: float = HOLD) -> None:
        """Down and up again, on another thread, as gpiozero's own callbacks come.

        A button has room for one finger: a press that comes too soon waits for the one before.
        """
        async with self._free[panel, key]:
            await asyncio.to_thread(self.push, panel, key, hold)

    def push(self, panel: Panel, key: Key, hold: float = HOLD) -> None:
        """Down and up again, here and now."""
        self._play(panel, key, self._bounce(down=True))
        self._sleep(hold)
        self._play(panel, key, self._bounce(down=False))
        self._sleep(LIFT)

    def chatter(self, panel: Panel, key: Key, edges: int, every: float = 0.0005) -> None:
        """A loose wire: so many edges, then open."""
        course = [(edge * every, edge % 2 == 0) for edge in range(edges)]
        self._play(panel, key, [*course, (edges * every, False)])

    def _bounce(self, down: bool) -> list[tuple[float, bool]]:
        """Towards a level, off it and back a few times within BOUNCE seconds."""
        count = self._chance.randint(1, 3)
        times = sorted(self._chance.uniform(0, BOUNCE) for _ in range(2 * count))
        return [(0.0, down), *((t, down == (i % 2 == 1)) for i, t in enumerate(times))]

    def _play(self, panel: Panel, key: Key, edges: list[tuple[float, bool]]) -> None:
        start = time.monotonic()
        course = [(start + after, down != self._pull_up) for after, down in edges]
        self.factory.pin(self._pins[panel, key]).play(course, self._sleep)
