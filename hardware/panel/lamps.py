"""A lamp per panel, lit while the table waits for it, with a buzzer that calls once."""

from __future__ import annotations

import asyncio
from typing import Any

from gpiozero import LED, Buzzer

from companion.events import Emit
from companion.views import View
from companion.words import Panel
from hardware.panel.buttons import Pin
from hardware.panel.gpio import pins_of

CALL = 0.08  # seconds that the buzzer sounds


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
        self._lit = False

    async def show(self, view: View) -> None:
        """Light or darken the lamp; sound the buzzer when it goes on."""
        with pins_of(self.name, self._factory):
            if self._led is None:
                self._led = LED(self._pin, pin_factory=self._factory)
                if self._buzzer_pin is not None:
                    self._buzzer = Buzzer(self._buzzer_pin, pin_factory=self._factory)
            self._led.value = view.lamp
            if view.lamp and not self._lit and self._buzzer:
                self._buzzer.beep(CALL, 0, n=1)  # in gpiozero's background
            self._lit = view.lamp

    def close(self) -> None:
        """Dark and silent."""
        for device in (self._led, self._buzzer):
            if device is not None:
                device.close()
        self._led = self._buzzer = None


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
