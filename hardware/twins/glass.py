"""The twin of a display: rebuilds the chip's memory from the bytes on its wire."""

from __future__ import annotations

import random
from errno import EREMOTEIO
from typing import Any

from PIL import Image, ImageChops

from hardware.glass.frame import HEIGHT, PAGES, WIDTH, unpack

OFF = 0x40  # status byte: the display is off

_ARGUMENTS = {0x81: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}


class Chip:
    """SSD1306: 128 columns, windows, a charge pump. Starts as power leaves it: random and dark."""

    columns = WIDTH
    left = 0  # first column that the glass shows
    arguments = _ARGUMENTS | {0x20: 1, 0x21: 2, 0x22: 2, 0x8D: 1}
    pumped = True  # without its charge pump this glass stays dark

    def __init__(self, seed: int = 0) -> None:
        self._chance = random.Random(seed)
        self.power_on()

    def power_on(self) -> None:
        """Registers as after reset; the memory is anything."""
        self.memory = [bytearray(self._chance.randbytes(self.columns)) for _ in range(PAGES)]
        self.reset()

    def reset(self) -> None:
        """What the reset pin does: every register, not the memory."""
        self.on = self.inverse = self.all_on = self.pump = False
        self.contrast = 0x7F
        self.mode = 2  # page addressing
        self.column = self.page = 0
        self.window = (0, WIDTH - 1, 0, PAGES - 1)
        self.mirrored = self.upended = False
        self.start_line = self.shifted = 0
        self.unknown: list[int] = []
        self._pending: list[int] = []

    @property
    def status(self) -> int:
        """The byte that a read gives."""
        return 0 if self.on else OFF

    def command(self, data: bytes) -> None:
        """Bytes that came with the command flag."""
        for byte in data:
            self._pending.append(byte)
            code, *arguments = self._pending
            if len(arguments) == self.arguments.get(code, 0):
                self._pending = []
                self._obey(code, *arguments)

    def data(self, data: bytes) -> None:
        """Bytes that came with the data flag."""
        for byte in data:
            if self.column < self.columns:
                self.memory[self.page][self.column] = byte
            self._advance()

    def glass(self) -> Image.Image:
        """What an eye sees on a module, which is wired for mirrored, upended scanning."""
        pages = b"".join(page[self.left : self.left + WIDTH] for page in self.memory)
        if not self.on or (self.pumped and not self.pump):
            return Image.new("1", (WIDTH, HEIGHT))
        if self.all_on:
            return Image.new("1", (WIDTH, HEIGHT), 1)
        seen = unpack(pages)
        seen = ImageChops.offset(seen, 0, -(self.start_line + self.shifted))
        if not self.mirrored:
            seen = seen.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        if not self.upended:
            seen = seen.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        return ImageChops.invert(seen) if self.inverse else seen

    def _advance(self) -> None:
        left, right, top, bottom = self.window
        self.column += 1
        if self.mode == 0 and self.column > right:
            self.column = left
            self.page = self.page + 1 if self.page < bottom else top
        elif self.mode == 2 and self.column >= self.columns:
            self.column = 0

    def _obey(self, code: int, *arguments: int) -> None:
        match code, arguments:
            case 0x81, (level,):
                self.contrast = level
            case 0x20, (mode,):
                self.mode = mode & 3
            case 0x21, (left, right):
                self.window = (left & 0x7F, right & 0x7F, *self.window[2:])
                self.column = left & 0x7F
            case 0x22, (top, bottom):
                self.window = (*self.window[:2], top & 7, bottom & 7)
                self.page = top & 7
            case 0x8D, (pump,):
                self.pump = bool(pump & 4)
            case 0xD3, (rows,):
                self.shifted = rows & 63
            case _ if arguments or code == 0xE3:
                pass  # timing, voltages, no operation: nothing that the eye sees
            case _:
                self._obey_short(code)

    def _obey_short(self, code: int) -> None:
        if code <= 0x1F:
            if self.mode == 2:  # page addressing only
                low, high = self.column & 0x0F, self.column & 0xF0
                self.column = high | code if code <= 0x0F else (code & 0x0F) << 4 | low
        elif 0x40 <= code <= 0x7F:
            self.start_line = code & 63
        elif code & 0xFE == 0xA0:
            self.mirrored = bool(code & 1)
        elif code & 0xFE == 0xA4:
            self.all_on = bool(code & 1)
        elif code & 0xFE == 0xA6:
            self.inverse = bool(code & 1)
        elif code & 0xFE == 0xAE:
            self.on = bool(code & 1)
        elif 0xB0 <= code <= 0xB7:
            if self.mode == 2:
                self.page = code & 7
        elif 0xC0 <= code <= 0xCF:
            self.upended = bool(code & 8)
        else:
            self.unknown.append(code)


class SSD1309(Chip):
    """As the SSD1306, but fed from outside: it has no charge pump and no command for one."""

    arguments = _ARGUMENTS | {0x20: 1, 0x21: 2, 0x22: 2, 0xFD: 1}
    pumped = False


class SH1106(Chip):
    """132 columns, page addressing only, and a converter of its own that is on after reset."""

    columns = 132
    left = 2
    arguments = _ARGUMENTS | {0xAD: 1}
    pumped = False

    def _advance(self) -> None:
        self.column = min(self.column + 1, self.columns)  # stays behind the last one


CHIPS: dict[str, type[Chip]] = {"ssd1306": Chip, "ssd1309": SSD1309, "sh1106": SH1106}


class _Wire:
    """Counts what goes over it, and can be pulled."""

    def __init__(self) -> None:
        self.sent = 0  # bytes, addresses and control bytes included
        self.transfers = 0
        self.pulled = False

    def count(self, size: int) -> None:
        self.sent += size
        self.transfers += 1

    def forget(self) -> None:
        """Count from nought again."""
        self.sent = self.transfers = 0


class I2CTwin(_Wire):
    """An SMBus with chips on it."""

    def __init__(self, chips: dict[int, Chip]) -> None:
        super().__init__()
        self.chips = chips

    def seconds(self, hertz: int = 400_000) -> float:
        """How long all that took: nine clocks a byte, one each to start and to stop."""
        return (9 * self.sent + 2 * self.transfers) / hertz

    def heal(self, address: int = 0x3C, *, power_lost: bool = True) -> None:
        """Plug it in again; the display lost its power meanwhile, unless only data was cut."""
        self.pulled = False
        if power_lost:
            self.chips[address].power_on()

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        """As smbus2: at most 32 bytes."""
        if len(data) > 32:
            raise ValueError("Data length cannot exceed 32 bytes")
        self._write(address, bytes([register, *data]))

    def i2c_rdwr(self, *messages: Any) -> None:
        """As smbus2, for writing."""
        for message in messages:
            self._write(message.addr, bytes(message))

    def read_byte(self, address: int) -> int:
        """As smbus2."""
        chip = self._addressed(address)
        self.count(2)
        return chip.status

    def close(self) -> None:
        """The twin stays."""

    def _write(self, address: int, data: bytes) -> None:
        chip = self._addressed(address)
        self.count(1 + len(data))
        if data[0] == 0x00:
            chip.command(data[1:])
        elif data[0] == 0x40:
            chip.data(data[1:])

    def _addressed(self, address: int) -> Chip:
        if self.pulled or address not in self.chips:
            self.count(1)
            raise OSError(EREMOTEIO, "Remote I/O error")
        return self.chips[address]


class SPITwin(_Wire):
    """A SpiDev with a chip behind it, and its D/C and reset pins. A pulled wire tells nothing."""

    LOW, HIGH, OUT = 0, 1, 0

    def __init__(self, chip: Chip, dc: int = 24, rst: int = 25) -> None:
        super().__init__()
        self.chip = chip
        self.max_speed_hz = 0
        self._dc, self._rst = dc, rst
        self._levels: dict[int, int] = {}

    def seconds(self, hertz: int = 8_000_000) -> float:
        """How long all that took."""
        return 8 * self.sent / hertz

    def heal(self, *, power_lost: bool = True) -> None:
        """Plug it in again."""
        self.pulled = False
        if power_lost:
            self.chip.power_on()

    def open(self, port: int, device: int) -> None:
        """As spidev."""

    def writebytes(self, data: list[int]) -> None:
        """As spidev."""
        self.count(len(data))
        if not self.pulled:
            (self.chip.data if self._levels[self._dc] else self.chip.command)(bytes(data))

    def setup(self, pin: int, _mode: int) -> None:
        """As RPi.GPIO."""
        self._levels[pin] = 0

    def output(self, pin: int, level: int) -> None:
        """As RPi.GPIO."""
        self._levels[pin] = level
        if pin == self._rst and not level and not self.pulled:
            self.chip.reset()

    def close(self) -> None:
        """The twin stays."""
