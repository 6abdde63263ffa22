"""The 40 pins of a Raspberry Pi's header: what each is, and where it stands."""

from __future__ import annotations

GPIO = {  # BCM number: pin of the header
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21,
    25: 22, 11: 23, 8: 24, 7: 26, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38,
    21: 40,
}  # fmt: skip
POWER = {1: "3V3", 17: "3V3", 2: "5V", 4: "5V"}
GROUND = (6, 9, 14, 20, 25, 30, 34, 39)
ID = {27: "ID SD", 28: "ID SC"}
PINS = range(1, 41)

_BCM = {pin: bcm for bcm, pin in GPIO.items()}


def name(pin: int) -> str:
    """What stands beside a pin: GPIO17, 3V3, GND."""
    if pin in _BCM:
        return f"GPIO{_BCM[pin]}"
    return POWER.get(pin) or ID.get(pin) or "GND"


def row(pin: int) -> int:
    """From the top, where pin 1 is."""
    return (pin - 1) // 2


def on_left(pin: int) -> bool:
    """Odd pins stand in the left column, if the USB ports are at the bottom."""
    return pin % 2 == 1
