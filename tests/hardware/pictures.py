"""Pictures for properties: noise, rectangles and real screens."""

from __future__ import annotations

import random

from hypothesis import strategies as st
from PIL import Image, ImageDraw

from hardware.glass.draw import image
from tests.hardware.samples import SAMPLES

SCREENS = {name: image(view) for name, view in SAMPLES.items()}


def noise(seed: int) -> Image.Image:
    """Every pixel by chance."""
    return Image.frombytes("1", (128, 64), random.Random(seed).randbytes(1024))


def _boxes(boxes: list[tuple[int, int, int, int, bool]]) -> Image.Image:
    picture = Image.new("1", (128, 64))
    pen = ImageDraw.Draw(picture)
    for x, y, w, h, lit in boxes:
        pen.rectangle((x, y, x + w, y + h), fill=255 if lit else 0)
    return picture


def pictures() -> st.SearchStrategy[Image.Image]:
    """Any picture: some full, some nearly empty."""
    box = st.tuples(
        st.integers(0, 127),
        st.integers(0, 63),
        st.integers(0, 40),
        st.integers(0, 30),
        st.booleans(),
    )
    return st.one_of(
        st.lists(box, max_size=5).map(_boxes),
        st.sampled_from(list(SCREENS.values())),
        st.integers(0, 9).map(noise),
    )
