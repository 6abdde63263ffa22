"""What gpiozero's pins can answer with, in sentences that say what to do.

A pin that cannot be had is a lost device: the rest of the table goes on without it.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any

from gpiozero import exc

from companion.errors import DeviceLost

_alone = Lock()  # the current directory belongs to the whole process


def _driver_errors() -> tuple[type[Exception], ...]:
    """The kernel's and, if it is in use, lgpio's own error, which is no OSError."""
    lgpio = sys.modules.get("lgpio")
    return (OSError, lgpio.error) if lgpio else (OSError,)


def _load_lgpio() -> None:
    """Import lgpio elsewhere: it makes a FIFO in the current directory, which may be read-only.

    It holds both ends open, so the FIFO needs no name afterwards. Where the import fails, gpiozero
    tries it again and says why.
    """
    with _alone:
        if "lgpio" in sys.modules:
            return
        try:
            here = os.open(".", os.O_PATH)
        except OSError:  # this user may not enter it
            here = os.open("/", os.O_PATH)
        try:
            with suppress(ImportError, OSError), TemporaryDirectory() as folder:
                os.chdir(folder)
                import lgpio  # noqa: F401
        finally:
            os.fchdir(here)
            os.close(here)


@contextmanager
def pins_of(name: str, factory: Any = None) -> Iterator[None]:
    """Translate what goes wrong with the pins of the device `name`.

    Without a factory gpiozero chooses, and lgpio is its first choice.
    """
    if factory is None:
        _load_lgpio()
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
            "Is python3-lgpio installed, does another program use them, "
            "is the user in the group gpio?"
        ) from error
