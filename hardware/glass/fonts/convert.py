"""Makes the glyph files of this folder out of the fonts they come from (see README.md).

Run as `python -m hardware.glass.fonts.convert FOLDER`, where FOLDER holds the unpacked Debian
packages xfonts-efont-unicode and fonts-misaki. Needed only to change what the files hold.
"""

from __future__ import annotations

import gzip
import io
import struct
import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).parent
MISSING = "\uffff"
SPACES = {0x20, 0xA0, 0x3000}  # empty, but there


def japanese() -> list[int]:
    """JIS X 0208, the characters of daily Japanese."""
    codes = set()
    for row in range(0xA1, 0xF5):
        for cell in range(0xA1, 0xFF):
            try:
                codes.add(ord(bytes((row, cell)).decode("euc_jp")))
            except UnicodeDecodeError:
                continue
    return sorted(codes)


def narrow() -> list[int]:
    """Latin, Greek, Cyrillic, punctuation, arrows, signs, narrow kana."""
    spans = ((0x20, 0x7E), (0xA0, 0x17F), (0x386, 0x3CE), (0x400, 0x45F), (0x2010, 0x2044))
    signs = ((0x20AC, 0x20AC), (0x2160, 0x216B), (0x2190, 0x21D5), (0x2200, 0x22A5))
    marks = ((0x2500, 0x25FF), (0x2605, 0x2606), (0x2660, 0x266F), (0x2713, 0x2717))
    kana = ((0xFF61, 0xFF9F),)
    return [code for a, b in spans + signs + marks + kana for code in range(a, b + 1)]


def convert(font: ImageFont.FreeTypeFont, width: int, height: int, codes: list[int]) -> bytes:
    """The glyphs of a font: width, height, how many; their codes; their rows, leftmost bit high."""

    def glyph(character: str) -> bytes:
        cell = Image.new("1", (width, height))
        pen = ImageDraw.Draw(cell)
        pen.fontmode = "1"
        pen.text((0, 0), character, font=font, fill=1)
        return cell.tobytes()

    none = glyph(MISSING)
    there = {code: bits for code in codes if (bits := glyph(chr(code))) != none or code in SPACES}
    head = struct.pack("<3H", width, height, len(there))
    return head + struct.pack(f"<{len(there)}H", *there) + b"".join(there.values())


def main(folder: Path) -> None:
    """Write every glyph file."""
    for size in (10, 12, 14, 16, 24):
        _write(folder, f"h{size}.pcf.gz", f"narrow-{size}", size, size // 2, narrow())
    for size in (12, 14, 16):
        _write(folder, f"f{size}.pcf.gz", f"wide-{size}", size, size, japanese())
    _write(folder, "misaki_gothic_2nd.ttf", "wide-8", 8, 8, japanese())


def _write(folder: Path, source: str, name: str, size: int, width: int, codes: list[int]) -> None:
    raw = next(folder.rglob(source)).read_bytes()
    data = gzip.decompress(raw) if source.endswith(".gz") else raw
    font = ImageFont.truetype(io.BytesIO(data), size, layout_engine=ImageFont.Layout.BASIC)
    (HERE / f"{name}.glyphs").write_bytes(convert(font, width, size, codes))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
