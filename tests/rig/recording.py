"""What the I²C bus of the rig carried, and the glass of every display rebuilt from it. Pure."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from PIL import Image

from hardware.twins.glass import Chip

HEAD = struct.Struct("=IIIIQQ")  # as in gpl/i2c-rec.c: magic, channel, length, 0, begun, ended
MAGIC = 0x43324952
NS_PER_BYTE = 22_500  # nine bits at 400 kHz
LEAST = 8  # rows; a line between two parts of the glass has one
NOTHING = Image.new("1", (128, 16))
GLASSES = ("table", "seat 1", "seat 2", "seat 3", "seat 4", "seat 5")  # by channel


@dataclass(frozen=True, slots=True)
class Transfer:
    """One write to a display: when the kernel began and ended it, in ns since the guest's boot."""

    glass: str
    begun: int
    ended: int
    data: bytes

    @property
    def bus_ns(self) -> int:
        """How long the wire itself takes for it, the address included."""
        return (len(self.data) + 1) * NS_PER_BYTE


def transfers(stream: bytearray) -> Iterator[Transfer]:
    """Take every whole transfer out of the stream; the beginning of the next one stays in it."""
    while len(stream) >= HEAD.size:
        magic, channel, length, _, begun, ended = HEAD.unpack_from(stream)
        if magic != MAGIC or channel >= len(GLASSES):
            raise ValueError(f"the recording is out of step: {bytes(stream[:32]).hex()}")
        if len(stream) < HEAD.size + length:
            return
        data = bytes(stream[HEAD.size : HEAD.size + length])
        del stream[: HEAD.size + length]
        yield Transfer(GLASSES[channel], begun, ended, data)


@dataclass
class Glasses:
    """The chips behind the splitter, as the bytes left them."""

    chips: dict[str, Chip] = field(default_factory=lambda: {name: Chip() for name in GLASSES})
    ended: dict[str, int] = field(default_factory=dict)  # of the last transfer to each

    def feed(self, one: Transfer) -> None:
        """Do what a display does with these bytes."""
        chip = self.chips[one.glass]
        if one.data[:1] == b"\x00":
            chip.command(one.data[1:])
        elif one.data[:1] == b"\x40":
            chip.data(one.data[1:])
        self.ended[one.glass] = one.ended

    def picture(self, name: str) -> Image.Image:
        """What an eye sees on it."""
        return self.chips[name].glass()


def lit_rows(picture: Image.Image) -> Image.Image:
    """The highlighted choice: the first rows, at least eight, of which most pixels are lit."""
    run: list[int] = []
    for y in range(picture.height + 1):
        row = picture.crop((0, y, 96, y + 1)).convert("L").tobytes()  # beyond the end: dark
        if row.count(255) > 48:
            run.append(y)
        elif len(run) >= LEAST:
            break
        else:
            run = []
    return picture.crop((0, run[0], picture.width, run[-1] + 1)) if run else NOTHING
