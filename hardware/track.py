"""A track with its pieces as pixels: samurai that look at each other, or letters on long ones."""

from __future__ import annotations

from PIL import Image, ImageDraw, ImageOps

from companion.views import Piece, Track
from hardware.letters import figures, glyph, write
from hardware.widgets import Box

SAMURAI = """
....##..........
...###..........
.....#####......
....#######.....
....####.##.....
....#######.....
.....#####......
......###.......
...########.....
..###########...
..##############
..#####.########
..#####.#...###.
..######.#......
..#########.....
................
...#########....
..###########...
..####.######...
.#####..#####...
.#####..######..
######..#######.
"""
HIGH, LOW = ((14, 10), (18, -7)), ((14, 11), (22, 17))  # the blade, from the hands to the tip
ROOM = 8  # above the head, for a blade held high


def draw_track(onto: Image.Image, box: Box, track: Track) -> None:
    """Spaces in a row from left to right, pieces standing on them."""
    step = box.w // max(1, track.spaces)
    left = box.x + (box.w - step * track.spaces) // 2
    ground = box.y + box.h - 10
    pen = ImageDraw.Draw(onto)
    for space in range(1, track.spaces + 1):
        x = left + (space - 1) * step
        here = any(piece.space == space for piece in track.pieces)
        pen.rectangle((x + 1, ground, x + step - 2, ground + (1 if here else 0)), fill=1)
        if step >= 8:
            number = figures(str(space), 10)
            onto.paste(1, (x + (step - number.width) // 2, ground + 3), number)
    for space in sorted({piece.space for piece in track.pieces}):
        pieces = [piece for piece in track.pieces if piece.space == space]
        for place, piece in enumerate(pieces):
            middle = left + (space - 1) * step + step * (2 * place + 1) // (2 * len(pieces))
            if step >= 20:
                _samurai(onto, middle, ground, piece)
            else:
                _letter(onto, middle, ground - 18 * (place + 1), piece)


def _samurai(onto: Image.Image, middle: int, ground: int, piece: Piece) -> None:
    rows = SAMURAI.split()
    figure = Image.new("1", (26, ROOM + len(rows)))
    for y, row in enumerate(rows):
        for x, dot in enumerate(row):
            if dot == "#":
                figure.putpixel((x + 3, y + ROOM), 1)
    pen = ImageDraw.Draw(figure)
    if piece.hurt:
        pen.line((3, ROOM + 20, 15, ROOM + 9), fill=0, width=2)
        pen.line((3, ROOM + 14, 12, ROOM + 20), fill=0, width=2)
    (x0, y0), (x1, y1) = HIGH if piece.raised else LOW
    pen.line((x0 + 3, y0 + ROOM, x1 + 3, y1 + ROOM), fill=1, width=2)
    if piece.facing == "left":
        figure = ImageOps.mirror(figure)
    x = middle - (11 if piece.facing == "right" else 15)
    onto.paste(1, (x, ground - figure.height), figure)
    sign = figures(piece.sign, 10)
    behind = x - sign.width + 5 if piece.facing == "right" else x + figure.width - 5
    onto.paste(1, (behind, ground - figure.height + 9), sign)


def _letter(onto: Image.Image, middle: int, y: int, piece: Piece) -> None:
    """On short spaces a piece is its letter, with a stroke where it looks and one if it is hurt."""
    wide = sum(glyph(letter, 16).width for letter in piece.sign)
    x = middle - wide // 2
    write(onto, (x, y), piece.sign, 16, bold=True)
    pen = ImageDraw.Draw(onto)
    side = x + wide + 1 if piece.facing == "right" else x - 2
    pen.line((side, y + 4, side, y + (8 if piece.raised else 14)), fill=1)
    if piece.hurt:
        pen.line((x, y + 9, x + wide, y + 9), fill=1)
