"""Trying the real devices, gently: nothing is shown, nothing is driven."""

from __future__ import annotations

from collections.abc import Mapping

from companion.care.device_checks import Touch
from companion.errors import CompanionError
from companion.settings.wiring import DisplayWiring
from companion.words import Text


def real(busy: bool) -> Touch:
    """The devices of this machine; `busy`: a running companion holds the pins."""
    return Touch(_display, _button, busy=busy)


def known(lost: Mapping[str, Text]) -> Touch:
    """Nothing is touched: the companion that asks knows which of its devices are lost."""
    return Touch(lambda _: None, lambda _: None, lost=lost)


def _display(wiring: DisplayWiring) -> str | None:
    from hardware.glass.oled_wire import answers

    return answers(wiring.port, wiring.address)


def _button(pin: int) -> str | None:
    from hardware.panel.buttons import held_down

    try:
        return "held down, or joined to ground" if held_down(pin) else None
    except CompanionError as error:
        return str(error).removeprefix(f"pin {pin}: ").rstrip(".")
