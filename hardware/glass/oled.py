"""OLED displays on luma.oled: draws a view and sends only what changed on the glass."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from PIL import Image

from companion.errors import BadConfig, DeviceLost, barred
from companion.views import WAKE, View
from companion.words import Text, text
from hardware.glass.burn_in import DIM_AFTER, SHIFT_EVERY, Care
from hardware.glass.draw import image
from hardware.glass.frame import HEIGHT, WHOLE, WIDTH, Window, changes, cut, pack

Kind: TypeAlias = Literal["ssd1306", "ssd1309", "sh1106"]
KINDS: tuple[Kind, ...] = ("ssd1306", "ssd1309", "sh1106")

BRIGHT, DIM = 0xCF, 0x08  # contrast
SH1106_LEFT = 2  # its memory is 132 columns wide, the glass shows 128 of them

# bytes that one more window takes on I2C: two transfers' address and control byte, and commands
WINDOW_COST = {"ssd1306": 4 + 6, "ssd1309": 4 + 6, "sh1106": 4 + 3}


@dataclass(frozen=True, slots=True)
class I2C:
    """A display on /dev/i2c-`port`; the kernel shows the branches of a TCA9548A as more ports."""

    port: int = 1
    address: int = 0x3C

    def __str__(self) -> str:
        return f"I2C bus {self.port}, address 0x{self.address:02X}"


@dataclass(frozen=True, slots=True)
class SPI:
    """A display on /dev/spidev`port`.`device`, with its D/C and reset pins."""

    port: int = 0
    device: int = 0
    dc: int = 24
    rst: int = 25

    def __str__(self) -> str:
        return f"SPI bus {self.port}, device {self.device}, D/C pin {self.dc}"


class Oled:
    """One display: knows what is on its glass, repaints it in full when that is not sure."""

    def __init__(
        self,
        name: str,
        kind: Kind,
        at: I2C | SPI,
        *,
        rotate: int = 0,
        paint: Callable[[View], Image.Image] = image,
        bus: Any = None,
        pins: Any = None,
        clock: Callable[[], float] = time.monotonic,
        dim_after: float = DIM_AFTER,
        shift_every: float = SHIFT_EVERY,
        bright: int = BRIGHT,
    ) -> None:
        """`bus` (an SMBus or SpiDev) and `pins` are opened by itself unless a twin is handed in."""
        if kind not in KINDS:
            raise BadConfig(f"{name}: no display of kind {kind!r}; there are {', '.join(KINDS)}")
        if rotate not in (0, 180):
            raise BadConfig(f"{name}: a display is rotated by 0 or 180 degrees, not {rotate}")
        if isinstance(at, I2C) and not 0x08 <= at.address <= 0x77:
            raise BadConfig(f"{name}: 0x{at.address:02X} is no I2C address (0x08 to 0x77)")
        self.name = name
        self._kind = kind
        self._at = at
        self._rotate = rotate
        self._paint = paint
        self._bus = bus
        self._pins = pins
        self._clock = clock
        self._care = Care(dim_after, shift_every)
        self._bright = bright
        self._turn = threading.Lock()  # a write that was cancelled may still be under way
        self._wire: Any = None
        self._device: Any = None
        self._glass: bytes | None = None  # what the chip holds; None: not sure
        self._contrast: int | None = None
        self._view: View | None = None
        self._picture: Image.Image | None = None  # of that view
        self._offset = (0, 0)  # where that stands on the glass

    async def show(self, view: View) -> None:
        """Draw a view and send what changed. The same view again dims, shifts and looks alive."""
        await asyncio.to_thread(self._show, view)

    def picture(self) -> Image.Image:
        """What was last drawn, for those who look on from elsewhere."""
        return self._picture or Image.new("1", (WIDTH, HEIGHT))

    def close(self) -> None:
        """Dark: a glass without a daemon must not look alive."""
        with self._turn:
            if self._wire is not None:
                with suppress(DeviceLost), self._translated():
                    self._device.hide()
                self._drop()

    def _show(self, view: View) -> None:
        drawn = self._picture if view is self._view else None
        picture = drawn or self._paint(view)
        with self._turn, self._translated():
            if self._wire is None or self._wire.forgot():
                self._start()
            woken = view.call == WAKE and view is not self._view
            rest = self._care.rest(woken or picture != self._picture, self._clock())
            same = picture is self._picture and rest.offset == self._offset
            self._view, self._picture, self._offset = view, picture, rest.offset
            if rest.shifted and isinstance(self._at, SPI):
                self._start()  # SPI never tells that the power was lost: now and then, be sure
            if self._glass is None or not same:
                self._send(pack(self._placed(picture, rest.offset)))
            self._light(min(DIM, self._bright) if rest.dim else self._bright)

    def _placed(self, picture: Image.Image, offset: tuple[int, int]) -> Image.Image:
        if offset != (0, 0):
            moved = Image.new("1", (WIDTH, HEIGHT))
            moved.paste(picture, offset)
            picture = moved
        return picture.transpose(Image.Transpose.ROTATE_180) if self._rotate else picture

    def _send(self, new: bytes) -> None:
        tall = self._kind != "sh1106"
        if self._glass is None:
            windows = [WHOLE] if tall else [Window(0, WIDTH - 1, p, p) for p in range(HEIGHT // 8)]
        else:
            windows = changes(self._glass, new, cost=WINDOW_COST[self._kind], tall=tall)
        for window in windows:
            self._device.command(*self._opening(window))
            self._device.data(cut(new, window))
        self._glass = new

    def _opening(self, window: Window) -> tuple[int, ...]:
        """The commands after which the chip takes the bytes of a window."""
        if self._kind == "sh1106":
            column = window.left + SH1106_LEFT
            return 0xB0 | window.top, column & 0x0F, 0x10 | column >> 4
        return 0x21, window.left, window.right, 0x22, window.top, window.bottom

    def _light(self, contrast: int) -> None:
        if contrast != self._contrast:
            self._device.contrast(contrast)
            self._contrast = contrast

    def _start(self) -> None:
        """Open the wire if need be and send the chip its first commands; its memory is unknown."""
        from hardware.glass import oled_wire

        self._glass = self._contrast = None
        at = self._at
        if self._wire is None:
            if isinstance(at, I2C):
                self._wire = oled_wire.I2CWire(at.port, at.address, self._bus)
            else:
                self._wire = oled_wire.SPIWire(
                    at.port, at.device, at.dc, at.rst, self._bus, self._pins
                )
        if self._device is None:
            self._device = oled_wire.driver(self._kind)(self._wire)
        else:
            # again on the same object: luma keeps every driver it ever made until the exit
            self._device.__init__(self._wire)
        self._wire.started()

    def _drop(self) -> None:
        wire, self._wire, self._glass = self._wire, None, None
        if wire is not None:
            with suppress(OSError):
                wire.cleanup()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        from luma.core import error as luma

        try:
            yield
        except (OSError, luma.Error) as error:
            self._drop()
            raise DeviceLost(_advice(self._at, error)) from error


def _advice(at: I2C | SPI, error: Exception) -> str | Text:
    """What is wrong with the way to a display, and what to do about it."""
    bus = f"i2c-{at.port}" if isinstance(at, I2C) else f"spidev{at.port}.{at.device}"
    if isinstance(error, PermissionError):
        group = "i2c" if isinstance(at, I2C) else "spi"
        return barred(error) or (
            f"no permission for /dev/{bus}: sudo usermod -aG {group} USER, then log in again."
        )
    if isinstance(error, FileNotFoundError):
        return f"there is no /dev/{bus}. Switch the bus on, or correct its number in the settings."
    if isinstance(error, DeviceLost):
        return error.why
    return text(
        "it does not answer on {place} ({error}). "
        "Check its plug, and the bus and address in the settings.",
        place=str(at), error=str(error),
    )  # fmt: skip
