"""Letters for a small glass: bitmap fonts that ship with us, Latin and Japanese side by side."""

from __future__ import annotations

import mmap
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path
from unicodedata import category, name

from PIL import Image

FONTS = Path(__file__).parent / "fonts"
ELLIPSIS = "…"
DENSE = "mwMW@%#&"  # letters that would fill up if they were set bold
ENDS = "をにはがでとものへやかるうくすつらばず"  # of a Japanese phrase: particles, verbs
AFTER = "てたい"  # ends a phrase, too, after another hiragana
CLOSING = ("Pe", "Pf")  # categories of brackets and quotes
MARKS = (("。", "."), ("、", "\uff1b", ",", ";", ":"))  # what a page ends with, the best first
UNKNOWN = "〓"  # what Japanese printers set for a sign they do not have

# height: (narrow file, wide file, how many times as big the wide one is drawn)
_FILES = {10: (10, 8, 1), 12: (12, 12, 1), 14: (14, 14, 1), 16: (16, 16, 1), 24: (24, 12, 2)}
_TWICE = {32: 16, 48: 24}
SIZES = (*_TWICE, *_FILES)


class Glyphs:
    """One file of glyphs, all of one width; a glyph is read when it is first drawn."""

    def __init__(self, name: str) -> None:
        with (FONTS / f"{name}.glyphs").open("rb") as file:
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.width, self.height, count = struct.unpack_from("<3H", self._data)
        self.codes: tuple[int, ...] = struct.unpack_from(f"<{count}H", self._data, 6)
        self._start = 6 + 2 * count
        self._size = self.height * ((self.width + 7) // 8)

    def get(self, character: str) -> Image.Image | None:
        """The glyph, or None if this file lacks it."""
        code = ord(character)
        place = bisect_left(self.codes, code)
        if place == len(self.codes) or self.codes[place] != code:
            return None
        start = self._start + place * self._size
        bits = self._data[start : start + self._size]
        return Image.frombytes("1", (self.width, self.height), bits)


@cache
def glyphs(name: str) -> Glyphs:
    """The file of that name, opened once."""
    return Glyphs(name)


@lru_cache(2048)
def glyph(character: str, size: int) -> Image.Image:
    """A character in one of SIZES: narrow ones are half as wide as high."""
    if size in _TWICE:
        return _larger(glyph(character, _TWICE[size]), 2)
    narrow, wide, times = _FILES[size]
    found = glyphs(f"narrow-{narrow}").get(character)
    if found is None:
        found = glyphs(f"wide-{wide}").get(character)
        if found is None:
            return glyph(UNKNOWN, size) if character != UNKNOWN else glyph("?", size)
        found = _larger(found, times)
        if found.height < size:  # the small wide letters stand in the middle of the line
            taller = Image.new("1", (found.width, size))
            taller.paste(found, (0, (size - found.height) // 2))
            found = taller
    return found


@lru_cache(4096)
def width(text: str, size: int) -> int:
    """How many pixels a line takes."""
    return sum(glyph(character, size).width for character in text)


def write(
    onto: Image.Image,
    at: tuple[int, int],
    text: str,
    size: int,
    *,
    ink: int = 1,
    bold: bool = False,
) -> int:
    """Draw a line with its upper left corner there; gives where it ends."""
    if text:
        onto.paste(ink, at, _drawn_line(text, size, bold))
    return at[0] + width(text, size)


@lru_cache(512)
def _drawn_line(text: str, size: int, bold: bool) -> Image.Image:
    """A line set once, for glasses say the same again and again: a mask, never drawn upon."""
    line = Image.new("1", (width(text, size) + bold, size))
    x = 0
    for character in text:
        letter = glyph(character, size)
        line.paste(1, (x, 0), letter)
        if bold and character not in DENSE:
            line.paste(1, (x + 1, 0), letter)
        x += letter.width
    return line


def figures(text: str, size: int) -> Image.Image:
    """A line without the empty rows and columns around it: for numbers as big as they can be."""
    line = Image.new("1", (max(1, width(text, size)), size))
    write(line, (0, 0), text, size)
    box = line.getbbox()
    return line.crop(box) if box else line


def shortened(text: str, size: int, room: int) -> str:
    """The line, or as much of it as fits with an ellipsis."""
    if width(text, size) <= room:
        return text
    room -= width(ELLIPSIS, size)
    end = 0
    while end < len(text) and width(text[: end + 1], size) <= room:
        end += 1
    return text[:end].rstrip() + ELLIPSIS


def wrapped(text: str, size: int, room: int) -> list[str]:
    """The text in lines that fit: broken between words, in Japanese phrases; long words last."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for piece in pieces(paragraph):
            if width((line + piece).rstrip(), size) <= room:
                line += piece
                continue
            if line.strip():
                lines.append(line.rstrip())
            line = piece.lstrip()
            while width(line.rstrip(), size) > room:
                end = _fitting(line, size, room)
                if line[end - 2 : end + 1].isalpha() and not _wide(line[end - 1]):
                    end = max(1, end - 1)
                    lines.append(line[:end] + "-")
                else:
                    kana = (n for n in range(end, 1, -1) if _hiragana(line[n]))
                    end = next((n for n in kana if not _hiragana(line[n - 1])), end)
                    end -= _clings(line[end]) and end > 1
                    lines.append(line[:end])
                line = line[end:]
        lines.append(line.rstrip())
    return lines


def overleaf(text: str, size: int, room: int, rows: int) -> Iterator[str]:
    """What one page after the other holds: each ends with a sentence, a clause, or a word."""
    while len(wrapped(text, size, room)) > rows:
        most = bisect_right(
            range(len(text)), rows, key=lambda n: len(wrapped(text[:n], size, room))
        )
        fits = [n for n in accumulate(map(len, pieces(text))) if n < most] or [most - 1]
        best = (n for mark in MARKS for n in fits[::-1] if text[:n].rstrip().endswith(mark))
        end = next((n for n in best if n > fits[-1] // 2), fits[-1])
        yield text[:end].rstrip()
        text = text[end:].lstrip()
    yield text


def fitted(text: str, room: int, height: int, sizes: tuple[int, ...]) -> tuple[int, list[str]]:
    """The largest of the sizes in which the text fits, and its lines; the last with an ellipsis.

    A size that would tear a word apart gives way to a smaller one that does not.
    """
    for size in sizes:
        lines = wrapped(text, size, room)
        torn = any(width(piece.rstrip(), size) > room for piece in pieces(text))
        if len(lines) * size <= height and not torn:
            return size, lines
    size = sizes[-1]
    lines = wrapped(text, size, room)
    most = max(1, height // size)
    if len(lines) > most:
        last = lines[most - 1]
        if width(last + ELLIPSIS, size) > room and " " in last:  # a word less, not half of it
            last = last.rsplit(" ", 1)[0]
        lines = [*lines[: most - 1], shortened(last + ELLIPSIS, size, room)]
    return size, lines


def _larger(letter: Image.Image, times: int) -> Image.Image:
    if times == 1:
        return letter
    size = (letter.width * times, letter.height * times)
    return letter.resize(size, Image.Resampling.NEAREST)


def pieces(text: str) -> list[str]:
    """Where a line may end: after a space, a hyphen or a phrase of Japanese, after a mark.

    A line does not begin with a closing mark or a small kana, nor end with an opening bracket.
    """
    found, start = [], 0
    for at in range(1, len(text)):
        if text[at - 1] in " -" or _parts(text[max(0, at - 2) : at], text[at]):
            found.append(text[start:at])
            start = at
    return [*found, text[start:]] if text else []


def _parts(before: str, following: str) -> bool:
    """Whether a line may end between these: a phrase ends with a mark, or with a particle or a verb
    before something that is no hiragana. 捨て札 stays whole, 捨てて and 札 part."""
    last = before[-1]
    if not (_wide(last) or _wide(following)) or _clings(following) or _opens(last):
        return False
    if _hiragana(last) and not _hiragana(following):
        return last in ENDS or (last in AFTER and _hiragana(before[0]))
    return category(last) == "Po" or (category(last) in CLOSING and not _hiragana(following))


def _hiragana(character: str) -> bool:
    return "\u3041" <= character <= "\u309f"


def _katakana(character: str) -> bool:
    return "\u30a1" <= character <= "\u30fc"


def _wide(character: str) -> bool:
    return ord(character) >= 0x2E80


def _opens(character: str) -> bool:
    return category(character) in ("Ps", "Pi")


def _clings(character: str) -> bool:
    return category(character) in (*CLOSING, "Po", "Lm") or " SMALL " in name(character, "")


def _fitting(text: str, size: int, room: int) -> int:
    end = 1
    while end < len(text) and width(text[: end + 1], size) <= room:
        end += 1
    return end
