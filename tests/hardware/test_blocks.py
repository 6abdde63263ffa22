"""The glass in a terminal, worked out by hand."""

from __future__ import annotations

from PIL import Image

from hardware.glass.blocks import braille, half_blocks
from tests.hardware.pictures import SCREENS


def picture(*rows: str) -> Image.Image:
    made = Image.new("1", (len(rows[0]), len(rows)))
    made.putdata([255 * (dot == "#") for row in rows for dot in row])
    return made


def test_half_blocks_join_two_rows() -> None:
    assert half_blocks(picture("#.#.", "..##", "#...", "....")) == "▀ █▄\n▀"


def test_braille_joins_two_columns_and_four_rows() -> None:
    # dots 1, 5, 3 and 8 of the left cell: 0x01 + 0x10 + 0x04 + 0x80; the right one is full
    made = picture("#.##", ".###", "#.##", ".###")
    assert braille(made) == chr(0x2800 + 0x95) + chr(0x28FF)


def test_a_glass_is_128_by_32_half_blocks_and_64_by_16_braille_characters() -> None:
    glass = SCREENS["notice-long"]
    assert len(half_blocks(glass).split("\n")) == 32
    assert max(map(len, half_blocks(glass).split("\n"))) == 128
    assert [len(line) for line in braille(glass).split("\n")] == [64] * 16


def test_every_pixel_is_there() -> None:
    glass = SCREENS["dice-8"]
    lit = sum(byte.bit_count() for byte in glass.tobytes())
    assert sum((ord(c) - 0x2800).bit_count() for c in braille(glass) if c != "\n") == lit
    assert sum({"█": 2, "▀": 1, "▄": 1}.get(c, 0) for c in half_blocks(glass)) == lit
