"""The twin of a finger: presses gpiozero's mock pins from its own thread, and bounces."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping

from gpiozero.pins.mock import MockFactory

from companion.events import Key
from hardware.buttons import Pin

BOUNCE = 0.002  # seconds until a contact rests
HOLD = 0.06  # seconds that a finger stays


class Finger:
    """Presses the buttons of panels that were made with the same `factory` and `pins`."""

    def __init__(
        self,
        factory: MockFactory,
        pins: Mapping[tuple[int, Key], Pin],
        *,
        pull_up: bool = True,
        seed: int = 0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._factory = factory
        self._pins = dict(pins)
        self._pull_up = pull_up
        self._chance = random.Random(seed)
        self._sleep = sleep

    async def press(self, seat: int, key: Key, hold: float = HOLD) -> None:
        """Down and up again, on another thread, as gpiozero's own callbacks come."""
        await asyncio.to_thread(self.push, seat, key, hold)

    def push(self, seat: int, key: Key, hold: float = HOLD) -> None:
        """Down and up again, here and now."""
        self._move(seat, key, True)
        self._sleep(hold)
        self._move(seat, key, False)

    def chatter(self, seat: int, key: Key, edges: int, every: float = 0.0005) -> None:
        """A loose wire: so many edges, then open."""
        for edge in range(edges):
            self._drive(seat, key, edge % 2 == 0)
            self._sleep(every)
        self._drive(seat, key, False)

    def _move(self, seat: int, key: Key, down: bool) -> None:
        """Towards a level, bouncing off it a few times within BOUNCE seconds."""
        bounces = self._chance.randint(1, 6)
        for _ in range(bounces):
            self._drive(seat, key, down)
            self._sleep(self._chance.uniform(0, BOUNCE / bounces / 2))
            self._drive(seat, key, not down)
            self._sleep(self._chance.uniform(0, BOUNCE / bounces / 2))
        self._drive(seat, key, down)

    def _drive(self, seat: int, key: Key, down: bool) -> None:
        pin = self._factory.pin(self._pins[seat, key])
        (pin.drive_low if down == self._pull_up else pin.drive_high)()
