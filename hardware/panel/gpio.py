"""What gpiozero's pins can answer with, in sentences that say what to do.

A pin that cannot be had is a lost device: the rest of the table goes on without it.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gpiozero import Device, exc

from companion.errors import DeviceLost, barred
from companion.words import text

GONE = text("the chip of its pins is gone; it is looked for again")
CHOICE = "GPIOZERO_PIN_FACTORY"  # gpiozero's own setting: lgpio, rpigpio, pigpio, native


def _driver_errors() -> tuple[type[Exception], ...]:
    """The kernel's and, if it is in use, lgpio's own error, which is no OSError."""
    lgpio = sys.modules.get("lgpio")
    return (OSError, lgpio.error) if lgpio else (OSError,)


def _ensure_factory() -> None:
    """Our own pins, unless the environment names others."""
    if Device.pin_factory is not None or os.environ.get(CHOICE):
        return
    try:
        from hardware.panel.lines import LineFactory
    except ImportError as error:
        raise exc.BadPinFactory(f"gpiod cannot be imported: {error}") from error
    Device.pin_factory = LineFactory()


@contextmanager
def pins_of(name: str, factory: Any = None) -> Iterator[None]:
    """Translate what goes wrong with the pins of the device `name`."""
    try:
        if factory is None:
            _ensure_factory()
        yield
    except (ImportError, exc.PinUnknownPi) as error:
        raise DeviceLost(
            f"{name}: this machine has no pins that gpiozero can use ({error}). On a Raspberry Pi "
            "`sudo make install` brings gpiod; elsewhere use twins: `companion run --twin`."
        ) from error
    except (exc.PinInvalidPin, exc.PinInvalidFunction, exc.PinFixedPull) as error:
        raise DeviceLost(
            f"{name}: {error}. Name another pin in the settings; `pinout` shows which there are."
        ) from error
    except (exc.GPIOPinInUse, exc.PinError, exc.GPIODeviceError) as error:
        raise DeviceLost(
            f"{name}: {error}. Two devices cannot share a pin: give each its own in the settings."
        ) from error
    except PermissionError as error:
        raise DeviceLost(
            barred(error)
            or f"{name}: no permission for the pins: sudo usermod -aG gpio USER, then log in again."
        ) from error
    except _driver_errors() as error:
        if getattr(error, "errno", None) == errno.ENODEV:
            raise DeviceLost(GONE) from error
        raise DeviceLost(
            f"{name}: the pins do not answer ({error}). "
            "Does another program use them, is the user in the group gpio?"
        ) from error
