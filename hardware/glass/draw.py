"""A view as a picture of 128 x 64 pixels, legible at arm's length: one idea per screen. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import assert_never

from PIL import Image, ImageDraw

from companion.views import (
    BLANK,
    Cards,
    Choice,
    Code,
    Cross,
    Dice,
    Ending,
    Grid,
    Line,
    Meter,
    Part,
    Tally,
    Track,
    View,
    leaves,
)
from companion.words import Text, text
from hardware.glass.frame import HEIGHT, WIDTH
from hardware.glass.letters import fitted, overleaf, shortened, width, wrapped, write
from hardware.glass.track import draw_track
from hardware.glass.widgets import (
    Box,
    Say,
    card_pages,
    draw_cards,
    draw_code,
    draw_cross,
    draw_dice,
    draw_grid,
    draw_lines,
    draw_meters,
)

HEAD = 13  # the status line and its rule
FOOT = 10  # caption and page dots
BODY = Box(1, HEAD + 1, WIDTH - 2, HEIGHT - HEAD - FOOT - 2)
ROWS = 3  # of a menu that are visible at once
ROW_SIZES = (16, 14, 12)
BESIDE = 54  # how wide a grid may be beside a menu
STALE = text("stale")


@dataclass(frozen=True, slots=True)
class Page:
    """One idea: parts of one kind, and a caption under them."""

    parts: tuple[Part, ...]
    caption: Text


def image(view: View, say: Say | None = None) -> Image.Image:
    """What the glass shows. `say` puts a text into the reader's language."""
    say = say or partial(Text.show, names=view.names)
    picture = Image.new("1", (WIDTH, HEIGHT))
    if view.leaf is not None:
        _told(picture, view, view.leaf, say)
    elif view.page is None and view.choices:
        _menu(picture, view, say)
    else:
        _leaf(picture, view, say)
    if view.leaf is None:  # a notice waits until the story is read
        _notice(picture, say(view.notice))
    # Pillow keeps the ink 1 as it is, while its own operations expect 255 in a picture of bits
    return Image.frombytes("1", picture.size, picture.tobytes())


def pages(view: View, say: Say) -> tuple[Page, ...]:
    """The parts of a view, one idea per screen, most important first."""
    found = [Page((Line(view.tip),), BLANK)] if view.tip.template else []
    for kind, group in groupby(view.parts, key=_kind):
        parts = tuple(group)
        if kind is Meter:
            found += [Page(parts[i : i + 4], view.title) for i in range(0, len(parts), 4)]
        elif kind is Line:
            found += _sentences(parts, view.title, say)
        else:
            found += [page for part in parts for page in _alone(part, view, say)]
    if len(wrapped(say(view.waiting), 10, WIDTH - 2)) > 2:  # too long for a head: told in full here
        found.append(Page((Line(view.waiting),), view.title))
    if view.words:
        found += _sentences(tuple(map(Line, view.words)), text("Words"), say)
    for label, value in view.extra:
        found.append(Page((Line(_plain(value), big=True),), _plain(label)))
    return tuple(found) or (Page((Line(view.title, big=True),), Text("")),)


def _kind(part: Part) -> object:
    big = isinstance(part, Line) and part.big
    return "big" if big else type(part)


def _alone(part: Part, view: View, say: Say) -> list[Page]:
    title = view.title
    match part:
        case Cards(label):
            rows = ROWS - (width(say(view.waiting), 10) > WIDTH - 2)  # below a head of two lines
            return [Page((some,), label) for some in card_pages(part, say, BODY.w, rows)]
        case Dice(label=label):
            return [Page((part,), label if label.template else title)]
        case Cross(middle, note):
            return [Page((part,), text("{card}, {note}", card=middle, note=note))]
        case Line() | Meter() | Track() | Grid() | Code():
            return [Page((part,), title)]
        case Ending(tallies=tallies):
            return [Page((part,), title), *(page for one in tallies for page in _points(one))]
        case _:
            assert_never(part)


def _points(tally: Tally) -> list[Page]:
    """Where a seat's points come from."""
    meters = tuple(Meter(what, n) for what, n in tally.breakdown)
    caption = text("{who}: {n}", who=tally.who, n=tally.total)
    return [Page(meters[i : i + 4], caption) for i in range(0, len(meters), 4)]


def _sentences(parts: Sequence[Part], title: Text, say: Say) -> list[Page]:
    """As many whole sentences on a page as stay easy to read; a longer one goes on overleaf."""
    leaves: list[list[str]] = [[]]
    for part in parts:
        assert isinstance(part, Line)
        for said in overleaf(say(part.text), 12, BODY.w, ROWS):
            lines = wrapped(said, 12, BODY.w)
            if leaves[-1] and len(leaves[-1]) + len(lines) > ROWS:
                leaves.append([])
            leaves[-1] += lines
    return [Page(tuple(Line(_plain(line)) for line in leaf), title) for leaf in leaves]


def _plain(said: str) -> Text:
    """Words that were already said, as a text."""
    return Text("{said}", (("said", said),))


def _head(picture: Image.Image, view: View, say: Say, *, tight: bool = False, most: int = 2) -> int:
    """Whose move it is and what is waited for, on every screen; and whether the screen is live.

    Gives how much higher than usual it came out: what is too long for a line takes `most`.
    """
    room = WIDTH - 2
    if not view.live:
        mark = say(STALE)
        wide = width(mark, 10) + 4
        room -= wide + 2
        ImageDraw.Draw(picture).rectangle((WIDTH - wide, 0, WIDTH - 1, 10), fill=1)
        write(picture, (WIDTH - wide + 2, 0), mark, 10, ink=0)
    said = say(view.waiting) or say(view.title)
    size = 10 if tight or width(said, 12) > room else 12
    _, lines = fitted(said, room, size * most, (size,)) if size == 10 else (size, [said])
    y = 0 if tight or len(lines) > 1 else (12 - size) // 2
    for number, line in enumerate(lines):
        write(picture, (1, y + number * 10), line, size)
    return 10 * (len(lines) - 1)


def _rule(picture: Image.Image, y: int, live: bool) -> None:
    """A line under the status: broken when the screen is stale."""
    pen = ImageDraw.Draw(picture)
    if live:
        pen.line((0, y, WIDTH - 1, y), fill=1)
        return
    for x in range(0, WIDTH, 4):
        pen.line((x, y, x + 1, y), fill=1)


def _leaf(picture: Image.Image, view: View, say: Say) -> None:
    """A page of parts."""
    leaves = pages(view, say)
    number = (view.page or 0) % len(leaves)
    page = leaves[number]
    part = page.parts[0]
    if isinstance(part, Code):
        _code(picture, part, view, say)
        _dots(picture, number, len(leaves))
        return
    if isinstance(part, Ending):
        _ending(picture, part, view.live, say)
        _dots(picture, number, len(leaves))
        return
    lower = _head(picture, view, say)
    head = HEAD + min(lower, 8)
    _rule(picture, head - 1, view.live)
    if isinstance(part, Grid):
        box = Box(0, head + 1, WIDTH - 40, HEIGHT - head - 1)
        wide = draw_grid(picture, box, part) + 6
        _caption(picture, Box(wide, head + 1, WIDTH - wide - 1, HEIGHT - head - 1), page, say)
        _dots(picture, number, len(leaves))
        return
    whole = number == 0 and view.tip.template  # a tip takes the foot, too, so it is never cut
    dots = 0 if whole else _dots(picture, number, len(leaves))
    room = HEIGHT - head - (FOOT if dots else 2)
    box = replace(BODY, y=head + 1, h=room) if lower or whole else BODY
    _draw(picture, box, part, page.parts, say)
    caption = say(page.caption) if not lower else ""
    write(picture, (1, HEIGHT - FOOT), shortened(caption, 10, WIDTH - dots - 5), 10)


def _told(picture: Image.Image, view: View, leaf: int, say: Say) -> None:
    """A leaf of the story: what the last moves led to, as large as it fits."""
    told = leaves(view.beats)
    lines = [Line(beat.says, big=beat.weight > 1) for beat in told[leaf]]
    draw_lines(picture, Box(1, 1, WIDTH - 2, HEIGHT - FOOT), lines, say)
    _dots(picture, leaf, len(told))


def _ending(picture: Image.Image, part: Ending, live: bool, say: Say) -> None:
    """Who won, on a bright band; why; everybody's points, the winners' underlined."""
    high = 20 if say(part.why) or part.tallies else HEIGHT - FOOT
    pen = ImageDraw.Draw(picture)
    said = say(part.says) if live else f"{say(part.says)} ({say(STALE)})"
    size, lines = fitted(said, WIDTH - 6, high - 2, (16, 12, 10))
    if live:
        pen.rectangle((0, 0, WIDTH - 1, high - 1), fill=1)
    y = max(1, (high - len(lines) * size) // 2)
    for line in lines:
        x = (WIDTH - width(line, size)) // 2
        write(picture, (x, y), line, size, ink=0 if live else 1, bold=size == 16)
        y += size
    foot = FOOT * (1 + (len(part.tallies) > 2)) + 2 if part.tallies else FOOT
    if why := say(part.why):
        box = Box(1, high + 1, WIDTH - 2, HEIGHT - high - foot - 1)
        draw_lines(picture, box, [Line(_plain(why))], say)
    for place, tally in enumerate(part.tallies[:5]):
        wide = 57 if len(part.tallies) < 3 else 40
        room = wide - 4 - width(f" {tally.total}", 10)
        shown = f"{shortened(say(tally.who), 10, room)} {tally.total}"
        x, row = 1 + place % 3 * wide, place // 3
        write(picture, (x, HEIGHT - foot + 1 + row * FOOT), shown, 10)
        if tally.won:
            under = HEIGHT - foot + (row + 1) * FOOT
            pen.line((x, under, x + width(shown, 10) - 1, under), fill=1)


def _code(picture: Image.Image, part: Code, view: View, say: Say) -> None:
    """A code takes the whole height, or no phone reads it; the words stand at its right."""
    draw_code(picture, Box(0, 0, HEIGHT, HEIGHT), part)
    x = HEIGHT + 4
    head = say(view.waiting if view.live else STALE)
    write(picture, (x, 0), shortened(head, 10, WIDTH - x), 10)
    for dot in range(x, WIDTH, 1 if view.live else 4):
        picture.putpixel((dot, HEAD - 1), 1)
    size, lines = fitted(say(part.label), WIDTH - x, 24, (12, 10))
    rows = [(line, size) for line in lines]
    rows += [(line, 10) for line in wrapped(part.says, 10, WIDTH - x)[:2]]
    y = HEAD + 2
    for line, high in rows:
        write(picture, (x, y), line, high)
        y += high


def _draw(
    picture: Image.Image,
    box: Box,
    first: Line | Meter | Dice | Track | Cards | Cross,
    parts: tuple[Part, ...],
    say: Say,
) -> None:
    """All parts of a page, which are of one kind: that of the first."""
    match first:
        case Line():
            draw_lines(picture, box, [part for part in parts if isinstance(part, Line)], say)
        case Meter():
            draw_meters(picture, box, [part for part in parts if isinstance(part, Meter)], say)
        case Dice():
            draw_dice(picture, box, first)
        case Track():
            draw_track(picture, box, first)
        case Cards():
            draw_cards(picture, box, first, say)
        case Cross():
            draw_cross(picture, box, first, say)
        case _:
            assert_never(first)


def _caption(picture: Image.Image, box: Box, page: Page, say: Say) -> None:
    said = say(page.caption)
    whole = width(said, 10) <= box.w < width(said, 12)  # rather smaller than in two lines
    size, lines = fitted(said, box.w, box.h - FOOT, (10,) if whole else (12, 10))
    for number, line in enumerate(lines):
        write(picture, (box.x, box.y + number * size), line, size)


def _dots(picture: Image.Image, number: int, count: int) -> int:
    """Which page of how many, at the lower right; gives how wide that came out."""
    if count < 2:
        return 0
    pen = ImageDraw.Draw(picture)
    if count > 8:
        said = f"{number + 1}/{count}"
        write(picture, (WIDTH - width(said, 10), HEIGHT - FOOT), said, 10)
        return width(said, 10)
    for place in range(count):
        x, y = WIDTH - (count - place) * 6, HEIGHT - 6
        if place == number:
            pen.rectangle((x, y - 1, x + 4, y + 3), fill=1)
        else:
            pen.rectangle((x + 1, y, x + 3, y + 2), outline=1)
    return count * 6


def _menu(picture: Image.Image, view: View, say: Say) -> None:
    """The choices: at most three rows, the one under the finger inverse, a scroll mark.

    Where the choice is about a grid, the grid stands beside them, with the line to be confirmed.
    Two rows only where what a choice leads to takes more than a line; where it takes more than two,
    the row under the finger alone.
    """
    choices, count = view.choices, len(view.choices)
    cursor = min(max(view.cursor, 0), count - 1)
    grid = bool(view.parts) and isinstance(view.parts[0], Grid)
    names = WIDTH - 13 - (BESIDE + 4) * grid  # what a row has for a label, beside a scroll mark
    details = [said for choice in choices if (said := _said(choice, names, say))]
    long = any(width(said, 10) > WIDTH - 2 or "\n" in said for said in details)
    tight = long or (bool(details) and count >= ROWS)
    said = _said(choices[cursor], names, say)
    alone = len(wrapped(said, 10, WIDTH - 2)) > 2
    rows = 1 if alone else 2 if long else ROWS
    first = cursor if alone else min(max(cursor - 1, 0), max(0, count - rows))
    visible = choices[first : first + rows]
    deepest = max((len(wrapped(one, 10, WIDTH - 9)) for one in details), default=0)
    lower = _head(picture, view, say, tight=tight, most=1 if deepest > 3 else 2)
    head, row = (11, 13 if alone else 14) if tight else (HEAD, 17)  # 13: four lines fit under it
    if lower:
        head, row, rows = 21, 13 if alone else 14, 1 if long else 2 if details else ROWS
        first = cursor if long else min(max(cursor - 1, 0), max(0, count - rows))
        visible = choices[first : first + rows]
    _rule(picture, head - 1, view.live)
    wide = WIDTH
    if grid and isinstance(part := view.parts[0], Grid):
        wide -= BESIDE + 4
        beside = Box(WIDTH - BESIDE, head + 1, BESIDE, HEIGHT - head - 1)
        draw_grid(picture, beside, _pointed_at(part, choices[cursor].about))
    room = wide - (7 if count > rows else 0)
    size = _row_size([say(choice.label) for choice in choices], room - 12, row)
    for number, choice in enumerate(visible):
        box = Box(0, head + number * row, room, row)
        _row(picture, box, choice, say(choice.label), size, first + number == cursor)
    if count > rows:
        high = HEIGHT - head if alone else row * rows
        _scroll(picture, Box(wide - 5, head, 5, high), first, rows, count)
    if details:
        y = head + row * len(visible) + (0 if tight else 1)
        _detail(picture, Box(1, y, (room if alone else wide) - 2, HEIGHT - y), said)
    elif count < ROWS and not lower:
        write(picture, (1, HEIGHT - FOOT), shortened(say(view.title), 10, wide - 2), 10)


def _pointed_at(grid: Grid, group: int | None) -> Grid:
    """The grid with the group lit that the choice under the finger means."""
    if group is None:
        return grid
    rows = (tuple(replace(cell, lit=cell.group == group) for cell in row) for row in grid.rows)
    return replace(grid, rows=tuple(rows))


def _row_size(labels: Sequence[str], room: int, row: int) -> int:
    """One size for the whole menu, so that rows do not jump when it scrolls."""
    for size in ROW_SIZES:
        if size <= row and all(width(label, size) <= room for label in labels):
            return size
    return ROW_SIZES[-1]


def _row(
    picture: Image.Image, box: Box, choice: Choice, label: str, size: int, chosen: bool
) -> None:
    pen = ImageDraw.Draw(picture)
    ink = 1
    if chosen:
        edges = (box.x, box.y, box.x + box.w - 1, box.y + box.h - 1)
        pen.rounded_rectangle(edges, 2, fill=1)
        ink = 0
    x, room = box.x + 3, box.w - 6
    if choice.barred:
        middle = box.y + box.h // 2
        pen.line((x, middle - 3, x + 6, middle + 3), fill=ink, width=2)
        pen.line((x, middle + 3, x + 6, middle - 3), fill=ink, width=2)
        x, room = x + 10, room - 10
    if width(label, size) > room:
        size = 10
    label = shortened(label, size, room)
    y = box.y + (box.h - size) // 2
    write(picture, (x, y), label, size, ink=ink, bold=size == 16 and not choice.barred)


def _scroll(picture: Image.Image, box: Box, first: int, rows: int, count: int) -> None:
    """Where the visible rows stand in the whole menu, with arrows where there is more."""
    pen = ImageDraw.Draw(picture)
    right, bottom = box.x + box.w - 1, box.y + box.h - 1
    middle = box.x + box.w // 2
    if first > 0:
        pen.polygon([(box.x, box.y + 3), (right, box.y + 3), (middle, box.y + 1)], fill=1)
    if first + rows < count:
        pen.polygon([(box.x, bottom - 3), (right, bottom - 3), (middle, bottom - 1)], fill=1)
    top, high = box.y + 6, box.h - 12
    pen.line((middle, top, middle, top + high - 1), fill=1)
    knob = max(6, high * rows // count)
    at = top + (high - knob) * first // (count - rows)
    pen.rectangle((middle - 1, at, middle + 1, at + knob - 1), fill=1)


def _said(choice: Choice, room: int, say: Say) -> str:
    """What a choice leads to, or which rule bars it; first its name, if its row cuts that."""
    said = say(choice.detail)
    if choice.barred and not choice.detail.template:
        said = say(text("Not now: rule {rule}", rule=choice.barred))
    label = say(choice.label)
    if width(label, 10) <= room - 10 * bool(choice.barred):
        return said
    return f"{label}\n{said}" if said else label


def _detail(picture: Image.Image, box: Box, said: str) -> None:
    if not said:
        return
    size, lines = fitted(said, box.w, box.h, (12, 10))
    for number, line in enumerate(lines):
        write(
            picture, (box.x, box.y + number * size + (box.h - len(lines) * size) // 2), line, size
        )


def _notice(picture: Image.Image, said: str) -> None:
    """A refusal or a warning, inverse over the lower part: as many lines as it needs."""
    if not said:
        return
    size, lines = fitted(said, WIDTH - 4, HEIGHT - 4, (12, 10))
    if len(lines) * size > HEIGHT - HEAD - 4:  # the longest are set small before they hide the head
        size, lines = fitted(said, WIDTH - 4, HEIGHT - 4, (10,))
    high = max(2, len(lines)) * size + 3
    top = HEIGHT - high
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, top - 1, WIDTH - 1, HEIGHT - 1), fill=0)
    pen.rectangle((0, top, WIDTH - 1, HEIGHT - 1), fill=1)
    y = top + (high - len(lines) * size) // 2
    for line in lines:
        write(picture, (2, y), line, size, ink=0)
        y += size
