"""The reader of our own letters reads them, and nothing where there is nothing."""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops

from hardware.glass.letters import write
from tests.hardware.ocr import read


@pytest.mark.parametrize("size", [10, 12, 14, 16, 24])
@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("inverse", [False, True])
def test_text_is_read_wherever_it_stands(size: int, bold: bool, inverse: bool) -> None:
    glass = Image.new("1", (128, 64))
    write(glass, (5, 7), "Parry 42", size, ink=255, bold=bold and size == 16)
    assert read(ImageChops.invert(glass) if inverse else glass) == ["Parry 42"]


def test_lines_are_read_from_top_to_bottom_and_left_to_right() -> None:
    glass = Image.new("1", (128, 64))
    write(glass, (80, 3), "Right", 12, ink=255)
    write(glass, (2, 3), "Left", 12, ink=255)
    write(glass, (2, 30), "Below", 16, ink=255)
    assert read(glass) == ["Left", "Right", "Below"]


@pytest.mark.slow
def test_japanese_is_read_when_asked_for() -> None:
    glass = Image.new("1", (128, 64))
    write(glass, (2, 3), "侍の剣 3", 16, ink=255)
    assert read(glass, japanese=True) == ["侍の剣 3"]


def test_an_empty_and_a_full_glass_say_nothing() -> None:
    assert read(Image.new("1", (128, 64))) == []
    assert read(Image.new("1", (128, 64), 255)) == []
