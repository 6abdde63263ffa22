"""What gpiozero's pins can answer with, in sentences that say what to do.

A pin that cannot be had is a lost device: the rest of the table goes on without it.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from gpiozero import exc

from companion.errors import DeviceLost


def _driver_errors() -> tuple[type[Exception], ...]:
    """The kernel's and, if it is in use, lgpio's own error, which is no OSError."""
    lgpio = sys.modules.get("lgpio")
    return (OSError, lgpio.error) if lgpio else (OSError,)


@contextmanager
def pins_of(name: str) -> Iterator[None]:
    """Translate what goes wrong with the pins of the device `name`."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", exc.PinFactoryFallback)  # told in a sentence, below
            yield
    except exc.BadPinFactory as error:
        raise DeviceLost(
            f"{name}: this machine has no pins that gpiozero can use ({error}). "
            "On a Raspberry Pi install python3-lgpio; elsewhere use twins: `companion run --twin`."
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
            f"{name}: no permission for the pins: sudo usermod -aG gpio USER, then log in again."
        ) from error
    except _driver_errors() as error:
        raise DeviceLost(
            f"{name}: the pins do not answer ({error}). "
            "Is another program using them, and is the user in the group gpio?"
        ) from error
