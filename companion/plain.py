"""A view as plain lines of text: for replays in the terminal and for playthroughs in the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.views import Cards, Code, Dice, Grid, Line, Meter, Part, Piece, Track, View
from companion.words import Text

Say = Callable[[Text], str]


def plain(view: View, say: Say | None = None) -> Iterator[str]:
    """Everything that the view says, most important first."""
    tell = say or (lambda text: text.show(view.names))
    yield f"{tell(view.title)} | {tell(view.waiting)}"
    for part in view.parts:
        yield f"  {part_line(part, tell)}"
    for choice in view.choices:
        barred = f" (not now: {choice.barred})" if choice.barred else ""
        detail = f" - {tell(choice.detail)}" if tell(choice.detail) else ""
        yield f"  [{tell(choice.label)}]{detail}{barred}"


def part_line(part: Part, tell: Say) -> str:
    """One part as one line."""
    match part:
        case Line(text):
            return tell(text)
        case Meter(label, value, top):
            return f"{tell(label)} {value}" + (f"/{top}" if top is not None else "")
        case Dice(dice, label):
            faces = " ".join(f"{d.body[0]}{d.value}{d.mark[:1]}" for d in dice)
            return f"{tell(label)} {faces}".strip()
        case Track(spaces, pieces):
            return " ".join(_space(n, part) for n in range(1, spaces + 1)) if pieces else "-"
        case Grid(rows):
            return " / ".join(" ".join(cell.sign or "." for cell in row) for row in rows)
        case Cards(label, cards):
            named = (f"{tell(name)}" + (f" ({tell(n)})" if tell(n) else "") for name, n in cards)
            return f"{tell(label)}: {', '.join(named) or '-'}"
        case Code(label, says):
            return f"{tell(label)}: {says}"


def _space(number: int, track: Track) -> str:
    signs = "".join(_piece(piece) for piece in track.pieces if piece.space == number)
    return f"[{signs or ' '}]"


def _piece(piece: Piece) -> str:
    held, hurt = "^" if piece.raised else "_", "*" if piece.hurt else ""
    return f"{piece.sign}{held}{hurt}{'>' if piece.facing == 'right' else '<'}"
