"""The parts of a view as pixels: meters, dice, grids, cards, slots, sentences. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from PIL import Image, ImageDraw

from companion.views import Cards, Code, Cross, Dice, Face, Grid, Line, Meter, Slot
from companion.words import Text
from hardware.glass.letters import figures, fitted, overleaf, shortened, width, write

Say: TypeAlias = Callable[[Text], str]

TEXT_SIZES = (14, 12, 10)
BIG_SIZES = (32, 24, 16, 14, 12, 10)
CARD = 12  # how wide the picture of a card before its name is


@dataclass(frozen=True, slots=True)
class Box:
    """Where on the glass."""

    x: int
    y: int
    w: int
    h: int


def draw_lines(onto: Image.Image, box: Box, parts: Sequence[Line], say: Say) -> None:
    """Sentences, in the middle, as large as they fit."""
    said = "\n".join(say(part.text) for part in parts)
    big = any(part.big for part in parts)
    huge = figures(said, 48) if big and len(said) < 6 else None
    if huge and huge.width <= box.w and huge.height <= box.h:
        place = (box.x + (box.w - huge.width) // 2, box.y + (box.h - huge.height) // 2)
        onto.paste(1, place, huge)
        return
    size, lines = fitted(said, box.w, box.h, BIG_SIZES if big else TEXT_SIZES)
    y = box.y + max(0, box.h - len(lines) * size) // 2
    for line in lines:
        x = box.x + max(0, box.w - width(line, size)) // 2
        write(onto, (x, y), line, size, bold=size == 16)
        y += size


def draw_meters(onto: Image.Image, box: Box, meters: Sequence[Meter], say: Say) -> None:
    """One to four numbers: one alone is as big as the glass allows."""
    if len(meters) == 1:
        _one_meter(onto, box, meters[0], say)
        return
    columns = 1 if len(meters) == 2 else 2
    rows = -(-len(meters) // columns)
    w, h = (box.w - 4 * (columns - 1)) // columns, box.h // rows
    for place, meter in enumerate(meters):
        x = box.x + place % columns * (w + 4)
        _small_meter(onto, Box(x, box.y + place // columns * h, w, h - 1), meter, say)


def _one_meter(onto: Image.Image, box: Box, meter: Meter, say: Say) -> None:
    bar = 7 if meter.top else 0
    tall = figures(str(meter.value), 48)
    if tall.height > box.h - bar or tall.width > box.w // 2 + 14:
        tall = figures(str(meter.value), 32)
    y = box.y + (box.h - bar - tall.height) // 2
    onto.paste(1, (box.x + box.w - tall.width - 2, y), tall)
    room = box.w - tall.width - 8
    size, lines = fitted(say(meter.label), room, box.h - bar - 12, (16, 14, 12, 10))
    for number, line in enumerate(lines):
        write(onto, (box.x, box.y + number * size), line, size, bold=size == 16)
    if meter.top:
        top = f"/{meter.top}"
        write(onto, (box.x, box.y + box.h - bar - 11), shortened(top, 10, room), 10)
        _bar(onto, Box(box.x, box.y + box.h - 6, box.w, 6), meter.value, meter.top)


def _small_meter(onto: Image.Image, box: Box, meter: Meter, say: Say) -> None:
    """The number at the right, as high as the box; its name and bar at the left."""
    label, number = say(meter.label), figures(str(meter.value), 24)
    tight = width(label, 10) > box.w - number.width - 3
    if tight or number.width > box.w // 2 or number.height > box.h:
        number = figures(str(meter.value), 16)
    onto.paste(1, (box.x + box.w - number.width, box.y + (box.h - number.height) // 2), number)
    room = box.w - number.width - 2
    high = box.h - (5 if meter.top else 0)
    size = next((s for s in (16, 14, 12, 10) if s <= high and width(label, s) <= room), 10)
    label = shortened(label, size, room)
    write(onto, (box.x, box.y + (high - size) // 2), label, size, bold=size == 16)
    if meter.top:
        _bar(onto, Box(box.x, box.y + box.h - 4, room, 4), meter.value, meter.top)


def _bar(onto: Image.Image, box: Box, value: int, top: int) -> None:
    pen = ImageDraw.Draw(onto)
    pen.rectangle((box.x, box.y, box.x + box.w - 1, box.y + box.h - 1), outline=1)
    full = round((box.w - 2) * min(max(value, 0), top) / top)
    if full:
        pen.rectangle((box.x + 1, box.y + 1, box.x + full, box.y + box.h - 2), fill=1)


def draw_dice(onto: Image.Image, box: Box, part: Dice) -> None:
    """One to fourteen dice in as few rows as make them largest."""
    if not part.dice:
        return
    mark = 4 if any(die.mark for die in part.dice) else 0
    count = len(part.dice)

    def room_in(rows: int) -> int:
        columns = -(-count // rows)
        return min((box.w + 2) // columns - 2, (box.h + 2) // rows - 2 - mark)

    rows = max(range(1, 5), key=room_in)
    columns = -(-count // rows)
    size = next((s for s in DIE_SIZES if s <= room_in(rows)), min(DIE_SIZES))
    gap = min(8, (box.w - columns * size) // max(1, columns - 1))
    high = rows * (size + mark) + (rows - 1) * 2
    for place, die in enumerate(part.dice):
        in_row = min(columns, count - place // columns * columns)
        left = box.x + (box.w - in_row * size - (in_row - 1) * gap) // 2
        x = left + place % columns * (size + gap)
        y = box.y + (box.h - high) // 2 + place // columns * (size + mark + 2)
        draw_die(onto, x, y, size, die)


def draw_die(onto: Image.Image, x: int, y: int, size: int, die: Face) -> None:
    """Dark with bright pips, bright with dark pips, or hatched: as the dice look on the table."""
    pen = ImageDraw.Draw(onto)
    end_x, end_y = x + size - 1, y + size - 1
    white, blue = die.body == "white", die.body == "blue"
    pen.rounded_rectangle((x, y, end_x, end_y), max(1, size // 7), fill=int(white), outline=1)
    if blue and size < 20:  # too small to hatch: a dotted edge
        pen.point([(x + a, y + b) for a in range(size) for b in range(size) if (a + b) % 2], fill=0)
    elif blue:
        inside = range(2, size - 2)
        pen.point([(x + a, y + b) for a in inside for b in inside if (a + b) % 4 == 0], fill=1)
    ink = int(not white)
    edge, pip = DIE_SIZES[size]
    places = (edge, (size - pip) // 2, size - edge - pip)
    for across, down in () if die.sign else PIPS.get(die.value, ()):
        left, top = x + places[across], y + places[down]
        if blue:
            pen.rectangle((left - 1, top - 1, left + pip, top + pip), fill=0)
        (pen.ellipse if pip > 3 else pen.rectangle)((left, top, left + pip - 1, top + pip - 1), ink)
    if die.sign or die.value not in PIPS:
        shown = die.sign or (str(die.value) if die.value else "?")
        sign = figures(shown, 16 if size > 18 and len(shown) < 3 else 10)
        if blue:
            pen.rectangle((x + 2, y + 2, end_x - 2, end_y - 2), fill=0)
        onto.paste(ink, (x + (size - sign.width) // 2, y + (size - sign.height) // 2), sign)
    if die.mark == "kept":
        pen.rectangle((x + 1, end_y + 2, end_x - 1, end_y + 3), fill=1)
    elif die.mark == "thrown":
        for column in range(x + 1, end_x, 4):
            pen.rectangle((column, end_y + 2, column + 1, end_y + 3), fill=1)
    elif die.mark == "doubt":
        pen.rectangle((end_x - 7, y - 1, end_x + 1, y + 9), fill=0)
        write(onto, (end_x - 5, y - 1), "?", 10, bold=True)


# edge length: (from the edge to the first pip, pip); three pips then stand evenly in a row
DIE_SIZES = {
    35: (4, 7),
    32: (4, 6),
    29: (4, 5),
    25: (3, 5),
    22: (3, 4),
    19: (3, 3),
    17: (2, 3),
    15: (2, 3),
    12: (2, 2),
    10: (1, 2),
}
L, M, R = 0, 1, 2
PIPS = {
    1: ((M, M),),
    2: ((L, L), (R, R)),
    3: ((L, L), (M, M), (R, R)),
    4: ((L, L), (L, R), (R, L), (R, R)),
    5: ((L, L), (L, R), (M, M), (R, L), (R, R)),
    6: ((L, L), (L, M), (L, R), (R, L), (R, M), (R, R)),
}


def draw_grid(onto: Image.Image, box: Box, part: Grid) -> int:
    """Cells with thick borders between groups; gives how wide it came out."""
    rows, columns = len(part.rows), max((len(row) for row in part.rows), default=0)
    if not rows or not columns:
        return 0
    cell = min((box.h - 2) // rows, (box.w - 2) // columns, 18)
    size = next((s for s in (16, 14, 12, 10) if s <= cell + 2), 10)
    pen = ImageDraw.Draw(onto)

    def at(row: int, column: int) -> tuple[int, int]:
        return box.x + column * cell, box.y + row * cell

    def group(row: int, column: int) -> int | None:
        inside = 0 <= row < rows and 0 <= column < len(part.rows[row])
        return part.rows[row][column].group if inside else None

    for r, row in enumerate(part.rows):
        for c, square in enumerate(row):
            x, y = at(r, c)
            if square.lit:
                pen.rectangle((x + 2, y + 2, x + cell - 1, y + cell - 1), fill=1)
            sign = figures(square.sign, size) if square.sign.strip() else None
            if sign:
                place = (x + (cell + 2 - sign.width) // 2, y + (cell + 2 - sign.height) // 2)
                onto.paste(int(not square.lit), place, sign)
    for r in range(rows + 1):
        for c in range(columns + 1):
            x, y = at(r, c)
            if c < columns:
                _border(pen, (x, y, x + cell + 1, y + 1), group(r - 1, c) != group(r, c))
            if r < rows:
                _border(pen, (x, y, x + 1, y + cell + 1), group(r, c - 1) != group(r, c))
    if part.cut:
        (r0, c0), (r1, c1) = part.cut
        _cut(pen, *at(r0, c0), *at(r1, c1))
    return columns * cell + 2


def _border(pen: ImageDraw.ImageDraw, line: tuple[int, int, int, int], thick: bool) -> None:
    x0, y0, x1, y1 = line
    if thick:
        pen.rectangle(line, fill=1)
    elif x1 - x0 > y1 - y0:
        pen.point([(x, y0) for x in range(x0 + 3, x1 - 1, 3)], fill=1)
    else:
        pen.point([(x0, y) for y in range(y0 + 3, y1 - 1, 3)], fill=1)


def _cut(pen: ImageDraw.ImageDraw, x0: int, y0: int, x1: int, y1: int) -> None:
    """A bold dashed line with a dark edge, so that it stands out from any border."""
    pen.line((x0, y0, x1, y1), fill=0, width=6)
    steps = max(abs(x1 - x0), abs(y1 - y0))
    for step in range(0, steps + 1, 5):
        x = x0 + (x1 - x0) * step // max(1, steps)
        y = y0 + (y1 - y0) * step // max(1, steps)
        pen.rectangle((x - 1, y - 1, x + 1, y + 1), fill=1)


def draw_code(onto: Image.Image, box: Box, part: Code) -> None:
    """A QR code as large as the box takes, dark on bright with a bright margin, for a camera."""
    side, room = len(part.rows), min(box.w, box.h)
    small = 2 if 2 * side <= room - 4 else 1  # rather a narrow margin than modules of one pixel
    module = max(small, room // (side + 4))
    pen = ImageDraw.Draw(onto)
    pen.rectangle((box.x, box.y, box.x + box.w - 1, box.y + box.h - 1), fill=1)
    left, top = box.x + (box.w - side * module) // 2, box.y + (box.h - side * module) // 2
    for r, row in enumerate(part.rows):
        for c, dark in enumerate(row):
            if dark == "1":
                x, y = left + c * module, top + r * module
                pen.rectangle((x, y, x + module - 1, y + module - 1), fill=0)


def card_pages(part: Cards, say: Say, wide: int, rows: int) -> list[Cards]:
    """As many cards on each page as can be read whole; a text of more rows goes on overleaf."""
    pages: list[Cards] = [replace(part, cards=())]
    for name, note in part.cards:
        for said in overleaf(say(note), 10, wide - CARD, rows):
            card = (name, Text("{said}", (("said", said),)))
            more = replace(part, cards=(*pages[-1].cards, card))
            if len(more.cards) <= cards_a_page(more, say, wide):
                pages[-1] = more
            else:
                pages.append(replace(part, cards=(card,)))
    return pages


def cards_a_page(part: Cards, say: Say, wide: int) -> int:
    """Three, two where a note stands below its card's name, one where it takes several lines."""
    fit = 3
    for name, note in part.cards:
        if width(say(note), 10) > wide - CARD:
            return 1
        fit = fit if _beside(say(name), say(note), wide) else 2
    return fit


def _beside(name: str, note: str, wide: int) -> bool:
    return not note or width(name, 10) + 4 + width(note, 10) <= wide - CARD


def draw_cards(onto: Image.Image, box: Box, part: Cards, say: Say) -> None:
    """A row for each card: its name, and its note small at the right, or below it."""
    row, x = box.h // cards_a_page(part, say, box.w), box.x + CARD
    for number, (name, note) in enumerate(part.cards):
        y = box.y + number * row
        ImageDraw.Draw(onto).rounded_rectangle((box.x, y + 1, box.x + 7, y + row - 3), 1, outline=1)
        label, said, room = say(name), say(note), box.w - CARD
        if not _beside(label, said, box.w):
            write(onto, (x, y), shortened(label, 10, room), 10)
            for line, below in enumerate(fitted(said, room, row - 9, (10,))[1]):
                write(onto, (x, y + 9 + 10 * line), below, 10)
            continue
        if said:
            room -= width(said, 10) + 4
            write(onto, (box.x + box.w - width(said, 10), y + (row - 10) // 2), said, 10)
        size = next((s for s in (14, 12, 10) if s <= row and width(label, s) <= room), 10)
        write(onto, (x, y + (row - size) // 2), shortened(label, size, room), size)


def draw_cross(onto: Image.Image, box: Box, part: Cross, say: Say) -> None:
    """A card in the middle, what is attached at its four sides around it.

    Where a name is too long for its side, the four stand below one another, each with its arrow.
    """
    row, side = box.h // 3, (box.w - 44) // 2
    if any(_slot_width(slot, say) > side for slot in (part.slots[1], part.slots[3])):
        for number, (arrow, slot) in enumerate(zip("↑←↓→", part.slots, strict=True)):
            y = box.y + number * box.h // 4
            write(onto, (box.x, y), arrow, 10)
            _slot(onto, Box(box.x + 12, y, min(box.w - 12, _slot_width(slot, say)), 10), slot, say)
        return
    middle = Box(box.x + side + 1, box.y + row, box.w - 2 * side - 2, box.h - 2 * row)
    up, left, down, right = part.slots
    _slot(onto, Box(box.x, box.y, box.w, row), up, say)
    _slot(onto, Box(box.x, middle.y, side, middle.h), left, say)
    _slot(onto, Box(box.x, middle.y + middle.h, box.w, row), down, say)
    _slot(onto, Box(middle.x + middle.w + 1, middle.y, side, middle.h), right, say)
    edges = (middle.x, middle.y, middle.x + middle.w - 1, middle.y + middle.h - 1)
    ImageDraw.Draw(onto).rounded_rectangle(edges, 2, outline=1)
    name = shortened(say(part.middle), 10, middle.w - 2)
    at = (middle.x + (middle.w - width(name, 10)) // 2, middle.y + (middle.h - 10) // 2)
    write(onto, at, name, 10)


def _slot_width(slot: Slot, say: Say) -> int:
    return width(slot.sign[:2], 10) + 6 + width(say(slot.name) or "-", 10)


def _slot(onto: Image.Image, box: Box, slot: Slot, say: Say) -> None:
    """The number inverse, then the card; a card that acts is inverse as a whole."""
    sign, high = slot.sign[:2], min(box.h, 12)
    y, wide = box.y + (box.h - high) // 2, width(sign, 10) + 4
    name = shortened(say(slot.name) or "-", 10, box.w - wide - 2)
    whole = wide + 2 + width(name, 10)
    x = box.x + max(0, box.w - whole) // 2
    end = x + (whole if slot.lit else wide) - 1
    ImageDraw.Draw(onto).rectangle((x, y, end, y + high - 1), fill=1)
    write(onto, (x + 2, y + (high - 10) // 2), sign, 10, ink=0)
    write(onto, (x + wide + 2, y + (high - 10) // 2), name, 10, ink=int(not slot.lit))
