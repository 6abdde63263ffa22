"""A sheet as pixels: the same shapes, painted by Pillow twice as large and smoothed."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import assert_never

from PIL import Image, ImageDraw, ImageFont

from companion.care.sheet import Box, Disc, Point, Shape, Sheet, Wire, Words

SMOOTH = 2  # painted so many times larger than written
DASH, GAP = 3, 6


def write_png(sheet: Sheet, path: Path, scale: int = 2) -> None:
    """Write the sheet, `scale` pixels for one of its units."""
    paint(sheet, scale).save(path, optimize=True)


def paint(sheet: Sheet, scale: int = 2) -> Image.Image:
    """The sheet as a picture of few colours."""
    times = scale * SMOOTH
    size = round(sheet.width * scale), round(sheet.height * scale)
    picture = Image.new("RGB", (size[0] * SMOOTH, size[1] * SMOOTH), sheet.paper)
    pen = ImageDraw.Draw(picture)
    for shape in sheet.shapes:
        _paint(pen, shape, times)
    written = picture.resize(size, Image.Resampling.BOX)
    return written.quantize(128, dither=Image.Dither.NONE)


def _paint(pen: ImageDraw.ImageDraw, shape: Shape, times: int) -> None:
    match shape:
        case Box(x, y, w, h, fill, edge, corner, thick):
            pen.rounded_rectangle(
                (x * times, y * times, (x + w) * times, (y + h) * times), corner * times,
                fill=fill, outline=edge or None, width=round(thick * times),
            )  # fmt: skip
        case Disc(x, y, r, fill, edge, thick):
            round_box = ((x - r) * times, (y - r) * times, (x + r) * times, (y + r) * times)
            pen.ellipse(round_box, fill=fill, outline=edge or None, width=round(thick * times))
        case Wire(points, colour, thick, seam, dashed):
            if seam:
                _stroke(pen, points, seam, thick + 3, times)
            if dashed:
                _dashes(pen, points, colour, thick, times)
            else:
                _stroke(pen, points, colour, thick, times)
        case Words(x, y, said, size, colour, anchor, bold):
            font = ImageFont.load_default(size * times)
            side = {"start": "l", "middle": "m", "end": "r"}[anchor]
            pen.text(
                (x * times, (y + size * 0.35) * times), said, fill=colour, font=font,
                anchor=f"{side}s", stroke_width=round(0.35 * times) if bold else 0,
                stroke_fill=colour,
            )  # fmt: skip
        case _:
            assert_never(shape)


def _stroke(
    pen: ImageDraw.ImageDraw, points: tuple[Point, ...], colour: str, thick: float, times: int
) -> None:
    way = [(x * times, y * times) for x, y in points]
    pen.line(way, fill=colour, width=round(thick * times), joint="curve")
    for x, y in (way[0], way[-1]):
        r = thick * times / 2
        pen.ellipse((x - r, y - r, x + r, y + r), fill=colour)


def _dashes(
    pen: ImageDraw.ImageDraw, points: tuple[Point, ...], colour: str, thick: float, times: int
) -> None:
    for (x0, y0), (x1, y1) in pairwise(points):
        long = max(1.0, ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5)
        at = 0.0
        while at < long:
            end = min(at + DASH, long)
            piece = tuple(
                (x0 + (x1 - x0) * part / long, y0 + (y1 - y0) * part / long) for part in (at, end)
            )
            _stroke(pen, piece, colour, thick, times)
            at += DASH + GAP
