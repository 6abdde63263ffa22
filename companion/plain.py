"""A view as plain lines of text: for replays, playthroughs, and whoever has a glass read aloud."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import assert_never

from companion.views import (
    Cards,
    Choice,
    Code,
    Cross,
    Dice,
    Ending,
    Face,
    Grid,
    Line,
    Meter,
    Part,
    Piece,
    Tally,
    Track,
    View,
    leaves,
)
from companion.words import Text, Translate, text

Say = Callable[[Text], str]


def plain(view: View, say: Say | None = None) -> Iterator[str]:
    """Everything that the view says, most important first."""
    tell = say or (lambda text: text.show(view.names))
    yield f"{tell(view.title)} | {tell(view.waiting)}"
    if tip := tell(view.tip):
        yield f"  {tip} ({' '.join(view.tip_rules)})"
    for part in view.parts:
        yield f"  {part_line(part, tell)}"
    for choice in view.choices:
        yield f"  {_row(choice, tell)}"


def spoken(view: View, translate: Translate = str) -> Iterator[str]:
    """A glass in words: its notice first, then all it says, and where the finger is."""

    def tell(said: Text) -> str:
        return said.show(view.names, translate)

    if not view.live:
        yield tell(text("stale"))
    if notice := tell(view.notice):
        yield f"! {notice}"
    if view.leaf is not None:
        yield from (f"* {tell(beat.says)}" for beat in leaves(view.beats)[view.leaf])
    yield from plain(replace(view, choices=()), tell)
    yield from (f"  {tell(word)}" for word in view.words)
    if view.choices and view.page is not None:
        onward = tell(text("Select goes to the choices"))
        yield f"  ({onward})"
    for number, choice in enumerate(view.choices):
        here = view.page is None and number == view.cursor
        yield f"{'>' if here else ' '} {_row(choice, tell)}"


def _row(choice: Choice, tell: Say) -> str:
    barred = f" (not now: {choice.barred})" if choice.barred else ""
    detail = f" - {tell(choice.detail)}" if tell(choice.detail) else ""
    return f"[{tell(choice.label)}]{detail}{barred}"


def part_line(part: Part, tell: Say) -> str:
    """One part as one line."""
    match part:
        case Line(text):
            return tell(text)
        case Meter(label, value, top):
            return f"{tell(label)} {value}" + (f"/{top}" if top is not None else "")
        case Dice(dice, label):
            faces = " ".join(_face(die) for die in dice)
            return f"{tell(label)} {faces}".strip()
        case Track(spaces, pieces):
            return " ".join(_space(n, part) for n in range(1, spaces + 1)) if pieces else "-"
        case Grid(rows):
            return " / ".join(" ".join(cell.sign or "." for cell in row) for row in rows)
        case Cards(label, cards):
            named = (f"{tell(name)}" + (f" ({tell(n)})" if tell(n) else "") for name, n in cards)
            return f"{tell(label)}: {', '.join(named) or '-'}"
        case Cross(middle, note, slots):
            sides = (f"{s.sign} {tell(s.name) or '-'}{'!' * s.lit}" for s in slots)
            return f"{tell(middle)} ({tell(note)}): {', '.join(sides)}"
        case Code(label, says):
            return f"{tell(label)}: {says}"
        case Ending(says, why, tallies):
            points = "".join(f"; {_tally(one, tell)}" for one in tallies)
            return f"{tell(says)} {tell(why)}".strip() + points
        case _:
            assert_never(part)


def _tally(one: Tally, tell: Say) -> str:
    """A seat's points and what they are made of."""
    made = ", ".join(f"{tell(what)} {n}" for what, n in one.breakdown)
    return f"{tell(one.who)} {one.total}" + (f" ({made})" if made else "")


def _face(die: Face) -> str:
    """Black and white by their letter, a blue one by its name, and what they show."""
    body = die.body if die.body == "blue" else die.body[0]
    return f"{body}{die.sign or die.value}{die.mark[:1]}"


def _space(number: int, track: Track) -> str:
    signs = "".join(_piece(piece) for piece in track.pieces if piece.space == number)
    return f"[{signs or ' '}]"


def _piece(piece: Piece) -> str:
    held, hurt = "^" if piece.raised else "_", "*" if piece.hurt else ""
    return f"{piece.sign}{held}{hurt}{'>' if piece.facing == 'right' else '<'}"
