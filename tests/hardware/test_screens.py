"""Every widget and menu state, read back from the chip's memory, equals its golden picture."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from hardware.glass.oled import I2C, Oled
from hardware.twins.glass import Chip, I2CTwin
from tests.hardware.samples import SAMPLES
from tests.hardware.update_screens import SCREENS


@pytest.mark.parametrize("name", SAMPLES)
def test_the_glass_shows_the_golden_screen(name: str, tmp_path: Path) -> None:
    chip = Chip()
    asyncio.run(Oled(name, "ssd1306", I2C(), bus=I2CTwin({0x3C: chip})).show(SAMPLES[name]))
    got = chip.glass()
    golden = Image.open(SCREENS / f"{name}.png").convert("1")
    differs = ImageChops.logical_xor(got, golden)
    if differs.getbbox():
        three = compare(golden, got, differs)
        three.save(tmp_path / f"{name}.png")
        pytest.fail(
            f"{name} differs within {differs.getbbox()}. Golden, drawn and difference, one above "
            f"the other: {tmp_path / name}.png. If the new one is right: "
            "python -m tests.hardware.update_screens"
        )


def test_there_is_no_golden_screen_that_nobody_draws() -> None:
    assert {path.stem for path in SCREENS.glob("*.png")} == set(SAMPLES)


def test_a_difference_of_one_pixel_is_found() -> None:
    golden = Image.open(SCREENS / "dice-8.png").convert("1")
    other = golden.copy()
    other.putpixel((5, 6), 255 - golden.getpixel((5, 6)))
    assert ImageChops.logical_xor(other, golden).getbbox() == (5, 6, 6, 7)


def compare(*pictures: Image.Image) -> Image.Image:
    """Pictures one above the other, four times as big."""
    sheet = Image.new("L", (128 * 4, (64 * 4 + 8) * len(pictures)), 90)
    for place, picture in enumerate(pictures):
        big = picture.convert("L").resize((128 * 4, 64 * 4), Image.Resampling.NEAREST)
        sheet.paste(big, (0, place * (64 * 4 + 8)))
    return sheet
