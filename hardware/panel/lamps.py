"""A lamp per panel, lit while the table waits for it, with a buzzer that calls."""

from __future__ import annotations

import asyncio
from typing import Any

from gpiozero import LED, Buzzer

from companion.events import Emit
from companion.views import Beat, Ending, View
from companion.words import Panel
from hardware.panel.buttons import Pin
from hardware.panel.gpio import pins_of

TURN, NEWS, OVER, REST, ASKED = (0.08, 1), (0.05, 2), (0.2, 3), (0.02, 1), (0.1, 2)
"""How long the buzzer sounds, and how often: your turn; a hit or a fall; the game is over; the dice
lie still; something is asked."""


class Lamp:
    """A Display that shows one bit of a view."""

    def __init__(
        self, panel: Panel, pin: Pin, *, buzzer: Pin | None = None, factory: Any = None
    ) -> None:
        self.name = f"lamp {panel + 1}"
        self._pin = pin
        self._buzzer_pin = buzzer
        self._factory = factory
        self._led: LED | None = None
        self._buzzer: Buzzer | None = None
        self._shown: View | None = None

    async def show(self, view: View) -> None:
        """Light or darken the lamp; sound the buzzer when it goes on, at a hit, and at the end."""
        with pins_of(self.name, self._factory):
            if self._led is None:
                self._led = LED(self._pin, pin_factory=self._factory)
                if self._buzzer_pin is not None:
                    self._buzzer = Buzzer(self._buzzer_pin, pin_factory=self._factory)
            self._led.value = view.lamp
            call = _call(self._shown, view)
            if call and self._buzzer:
                seconds, times = call
                self._buzzer.beep(seconds, seconds, n=times)  # in gpiozero's background
            self._shown = view

    def close(self) -> None:
        """Dark and silent."""
        for device in (self._led, self._buzzer):
            if device is not None:
                device.close()
        self._led = self._buzzer = None


def _call(before: View | None, now: View) -> tuple[float, int] | None:
    """What is heard when this view follows that one: the most important thing only."""
    if _over(now):
        return None if before is None or _over(before) else OVER
    if before is not None and _great(now) != _great(before) and _great(now):
        return NEWS
    if before is not None and now.call != before.call and now.call:
        return ASKED if now.call == "asked" else REST
    return TURN if now.lamp and not (before and before.lamp) else None


def _over(view: View) -> bool:
    return bool(view.parts) and isinstance(view.parts[0], Ending)


def _great(view: View) -> tuple[Beat, ...]:
    return tuple(beat for beat in view.beats if beat.weight > 1)


class TrayLamp:
    """A Source that tells nothing: a lamp over the tray, lit for as long as it runs.

    It belongs to the daemon, not to the eye: it does not flicker when the camera is restarted.
    """

    name = "tray lamp"

    def __init__(self, pin: Pin, *, factory: Any = None) -> None:
        self._pin, self._factory = pin, factory

    async def run(self, _emit: Emit) -> None:
        """Light until cancelled."""
        with pins_of(self.name, self._factory):
            led = LED(self._pin, pin_factory=self._factory)
            try:
                led.on()
                await asyncio.Event().wait()
            finally:
                led.close()
