"""The ways from luma.oled to a chip: I2C and SPI, the real ones or those of a twin."""

from __future__ import annotations

from typing import Any

import smbus2
from luma.core.interface.serial import i2c, spi
from luma.oled import device as drivers

from companion.errors import DeviceLost

NOP = 0xE3
OFF = 0x40  # of the status byte: the display is off, as after its power was lost


def driver(kind: str) -> Any:
    """Luma's class for a chip."""
    return getattr(drivers, kind)


def answers(port: int, address: int, bus: Any = None) -> str | None:
    """Why no chip answers at this address; None: one does. Does nothing to what it shows."""
    try:
        opened = bus or smbus2.SMBus(port)
        try:
            opened.write_i2c_block_data(address, 0, [NOP])
        finally:
            opened.close()
    except OSError as error:
        return error.strerror or str(error)
    return None


class I2CWire(i2c):  # type: ignore[misc]  # luma has no types
    """Luma's I2C on a bus of our own, which may be a twin's."""

    def __init__(self, port: int, address: int, bus: Any = None) -> None:
        super().__init__(bus=bus or smbus2.SMBus(port), address=address)
        self._managed = True  # luma then sends a run whole instead of in pieces of 32 bytes
        self._i2c_msg_write = smbus2.i2c_msg.write
        self.command(NOP)  # answers or raises, before luma builds a driver around it
        self._asks: bool | None = None

    def started(self) -> None:
        """The display was just switched on: learn whether its status can be believed."""
        try:
            self._asks = not self._bus.read_byte(self._addr) & OFF
        except OSError:  # write-only modules exist; whether they answer at all, a NOP tells
            self._asks = False

    def forgot(self) -> bool:
        """Whether the chip lost its power since it was started. Raises OSError if it is gone."""
        if self._asks:
            return bool(self._bus.read_byte(self._addr) & OFF)
        self.command(NOP)
        return False


class SPIWire(spi):  # type: ignore[misc]  # luma has no types
    """Luma's SPI with pins by gpiozero, which unlike RPi.GPIO serve a Pi 5, too."""

    def __init__(
        self, port: int, device: int, dc: int, rst: int, bus: Any = None, pins: Any = None
    ) -> None:
        self._pins = pins or Pins()
        super().__init__(
            spi=bus or _spidev(),
            gpio=self._pins,
            port=port,
            device=device,
            gpio_DC=dc,
            gpio_RST=rst,
        )

    def started(self) -> None:
        """Nothing to learn: the chip cannot answer on this wire."""

    def forgot(self) -> bool:
        """Never known on this wire."""
        return False

    def cleanup(self) -> None:
        """Close the bus and give back the pins."""
        super().cleanup()
        self._pins.close()


class Pins:
    """As much of RPi.GPIO as luma uses, on gpiozero."""

    LOW, HIGH, OUT = 0, 1, 0

    def __init__(self, factory: Any = None) -> None:
        self._factory = factory
        self._devices: dict[int, Any] = {}

    def setup(self, pin: int, _mode: int) -> None:
        """Make a pin an output."""
        from gpiozero import OutputDevice

        from hardware.panel.gpio import pins_of

        with pins_of(f"pin {pin}", self._factory):
            self._devices[pin] = OutputDevice(pin, pin_factory=self._factory)

    def output(self, pin: int, level: int) -> None:
        """Drive a pin."""
        self._devices[pin].value = level

    def close(self) -> None:
        """Give back every pin."""
        for device in self._devices.values():
            device.close()
        self._devices.clear()


def _spidev() -> Any:
    try:
        import spidev
    except ImportError as error:
        raise DeviceLost(
            "a display on SPI needs the package spidev: sudo apt install python3-spidev"
        ) from error
    return spidev.SpiDev()
