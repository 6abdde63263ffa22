"""Reads the glass: finds the letters of our own fonts wherever they stand, bright or dark."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeAlias

from PIL import Image

from hardware.glass.letters import glyph, glyphs

READ = (24, 16, 14, 12, 10)
ASCII = [chr(code) for code in range(0x21, 0x7F)] + list("ÄÖÜäöüß…")
THIN = set(".,'`-_|:;!\"~^i…lI1\uffe3\uff3f一二三ー")  # borders and bars look like these

Shape: TypeAlias = tuple[int, ...]


class Letter(NamedTuple):
    """What a shape stands for, how wide its cell is, and what it spills into the next."""

    character: str
    wide: int
    spill: int


class Shapes(NamedTuple):
    """The letters of a size by their columns, and the second and third columns they can have."""

    letters: dict[Shape, Letter]
    inner: set[tuple[int, int]]


@dataclass(frozen=True)
class Run:
    """Letters of one size in one row."""

    x: int
    y: int
    size: int
    text: str
    wide: int

    @property
    def ink(self) -> int:
        return self.size * self.size * sum(letter not in THIN for letter in self.text)


def read(glass: Image.Image, *, japanese: bool = False) -> list[str]:
    """The lines of text on a glass, from top to bottom, then from left to right."""
    found: list[Run] = []
    high = glass.height
    columns = _columns(glass.convert("1"))
    for dark in (0, (1 << high) - 1):
        seen = [column ^ dark for column in columns]
        for size in READ:
            shapes = _shapes(size, japanese)
            for y in range(high - size + 1):
                # a band of `size` rows; the lowest bit of a column is its lowest row
                shift, mask = high - size - y, (1 << size) - 1
                found += _runs([column >> shift & mask for column in seen], shapes, y, size)
    kept: list[Run] = []
    for run in sorted(found, key=lambda run: -run.ink):
        if not any(_overlap(run, other) for other in kept):
            kept.append(run)
    return [run.text for run in sorted(kept, key=lambda run: (run.y, run.x))]


def _runs(columns: list[int], shapes: Shapes, y: int, size: int) -> list[Run]:
    half = size // 2
    runs: list[Run] = []
    x = 0
    while x <= len(columns) - half:
        if (columns[x + 1], columns[x + 2]) not in shapes.inner:
            x += 1
            continue
        text, at, end, spill = "", x, x, 0
        while at <= len(columns) - half:
            # the last column of a bold letter is drawn into the cell of the next
            rest = (columns[at] & ~spill, *columns[at + 1 : at + size])
            letter = shapes.letters.get(rest) or shapes.letters.get(rest[:half])
            if letter:
                text += letter.character
                at += letter.wide
                end, spill = at, letter.spill
            elif text and not any(rest[:half]) and not text.endswith("  "):
                text, at, spill = text + " ", at + half, 0
            else:
                break
        text = text.strip()
        if sum(letter not in THIN for letter in text) >= 2:
            runs.append(Run(x, y, size, text, end - x))
            x = end
        else:
            x += 1
    return runs


@cache
def _shapes(size: int, japanese: bool) -> Shapes:
    letters: dict[Shape, Letter] = {}
    characters = list(ASCII)
    if japanese:
        wide = {10: 8, 24: 12}.get(size, size)
        characters += [chr(code) for code in glyphs(f"wide-{wide}").codes if code >= 0x3001]
    for character in characters:
        shape = tuple(_columns(glyph(character, size)))
        if not any(shape):
            continue
        letters.setdefault(shape, Letter(character, len(shape), 0))
        bold = tuple(a | b for a, b in zip(shape, (0, *shape), strict=False))
        letters.setdefault(bold, Letter(character, len(shape), shape[-1]))
    return Shapes(letters, {(shape[1], shape[2]) for shape in letters})


def _columns(picture: Image.Image) -> list[int]:
    """Each column as one number, its lowest bit the lowest row."""
    turned = picture.transpose(Image.Transpose.ROTATE_90).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    raw, step = turned.tobytes(), (picture.height + 7) // 8
    spare = step * 8 - picture.height
    return [int.from_bytes(raw[i : i + step], "big") >> spare for i in range(0, len(raw), step)]


def _overlap(a: Run, b: Run) -> bool:
    across = a.x < b.x + b.wide and b.x < a.x + a.wide
    return across and a.y < b.y + b.size - 2 and b.y < a.y + a.size - 2
