"""What one seat, or the public, may see and may press now: the way out, and the only one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from companion.words import SeatNo, Text

BLANK = Text("")


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence. `big` asks for the largest letters that fit."""

    text: Text
    big: bool = False
    tiles: tuple[str, ...] = ()  # their signs, drawn where there is colour; in [] a guard's


@dataclass(frozen=True, slots=True)
class Meter:
    """A number that matters (HP, points); with `top` it is drawn as a bar, too."""

    label: Text
    value: int
    top: int | None = None
    key: str = ""  # the fact that it shows: companion/games/story.py
    words: Text = BLANK  # the label on a page, where a glass has room for a sign alone


@dataclass(frozen=True, slots=True)
class Face:
    """A die to draw: black main, white support or blue character; `mark` says kept, thrown …"""

    body: str
    value: int
    mark: Literal["", "kept", "thrown", "doubt"] = ""
    sign: str = ""  # shown in place of pips: a face that counts as several values


@dataclass(frozen=True, slots=True)
class Dice:
    """A row of dice."""

    dice: tuple[Face, ...]
    label: Text = BLANK


@dataclass(frozen=True, slots=True)
class Piece:
    """Something that stands on a track: `sign` is one or two letters, `facing` where it looks."""

    sign: str
    space: int  # from 1
    facing: Literal["left", "right"] = "right"
    raised: bool = False  # drawn high (a sword held up) or low
    hurt: bool = False


@dataclass(frozen=True, slots=True)
class Track:
    """Spaces in a row with pieces on them."""

    spaces: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a grid: `sign` is a letter or blank, cells of one `group` belong together."""

    sign: str
    group: int = 0
    lit: bool = False
    mark: str = ""  # in its corner, where there is room: what the choices call the group


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells; borders are drawn between groups. `cut` is a line still to be confirmed."""

    rows: tuple[tuple[Cell, ...], ...]
    cut: tuple[tuple[int, int], tuple[int, int]] | None = None  # two corner points (row, column)


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards by name under a label; `note` of a card says "set aside", "house value" …"""

    label: Text
    cards: tuple[tuple[Text, Text], ...]  # name, note


@dataclass(frozen=True, slots=True)
class Slot:
    """A side of a card in the middle: its sign (a number), what is attached there, if it acts."""

    sign: str
    name: Text = BLANK
    lit: bool = False


@dataclass(frozen=True, slots=True)
class Cross:
    """A card in the middle with a slot at each side, in the order up, left, down, right."""

    middle: Text
    note: Text
    slots: tuple[Slot, Slot, Slot, Slot]


@dataclass(frozen=True, slots=True)
class Code:
    """A QR code: `rows` of "1" (dark) and "0"; `says` is what a reader who cannot scan it reads."""

    label: Text
    says: str
    rows: tuple[str, ...]
    private: bool = False  # for the eyes at the table: it holds a password


@dataclass(frozen=True, slots=True)
class Tally:
    """One seat's points at the end, and where they come from."""

    who: Text
    total: int
    won: bool = False
    breakdown: tuple[tuple[Text, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game as a picture: who won ("You win!"), why, and everybody's points."""

    says: Text
    why: Text
    tallies: tuple[Tally, ...] = ()


@dataclass(frozen=True, slots=True)
class Beat:
    """One thing that a move led to: "Counterattack: Kirito -3"."""

    says: Text
    about: tuple[str, ...] = ()  # the facts that it names: companion/games/story.py
    weight: int = 1  # 2: the one to remember; 0: for the log, no glass waits for it
    rule: str = ""  # that decided it
    alone: bool = False  # a whole sentence: it needs a leaf of its own


def leaves(beats: tuple[Beat, ...]) -> tuple[tuple[Beat, ...], ...]:
    """The beats as a glass tells them: a great or a long one alone, others two at a time."""
    found: list[tuple[Beat, ...]] = []
    for beat in beats:
        last = found[-1] if found else ()
        if len(last) == 1 and all(one.weight == 1 and not one.alone for one in (*last, beat)):
            found[-1] = (*last, beat)
        elif beat.weight:
            found.append((beat,))
    return tuple(found)


Part: TypeAlias = Line | Meter | Dice | Track | Grid | Cards | Cross | Code | Ending


Drawn: TypeAlias = Literal["card", "die", "space", "tile"]
"""A card by its name, a die by its place in the first row, a space by its number, a tile's sign."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a press of select means. `barred` names the rule that forbids it just now."""

    label: Text
    action: Any  # an Action of the game, or a word of the table's own menu
    detail: Text = BLANK
    barred: str = ""
    about: int | None = None  # the group of the grid that it means: lit under the finger
    good: bool = False  # a lesson marks it: the coach would take it
    drawn: tuple[Drawn, int | str | Text] | None = None  # what of the parts is tapped for it


@dataclass(frozen=True, slots=True)
class View:
    """A game fills the first five fields; the table adds the rest before the view goes out."""

    title: Text  # the scene: "Round 3", "Lower, step 2"
    waiting: Text  # whose move it is and what the table waits for
    parts: tuple[Part, ...] = ()  # most important first
    choices: tuple[Choice, ...] = ()
    brief: tuple[Part, ...] = ()  # for the table's small display, on a few pages; (): all parts

    seat: SeatNo | None = None  # None: the public
    names: tuple[Text, ...] = ()  # of the seats, for texts that name them
    cursor: int = 0  # the choice under the finger
    page: int | None = None  # None: show the choices; a number: leaf through the parts
    beats: tuple[Beat, ...] = ()  # what the last moves led to
    leaf: int | None = None  # of their leaves, the one that a glass tells now; None: all are read
    tip: Text = BLANK  # what a lesson says of this decision
    tip_rules: tuple[str, ...] = ()  # that it rests on
    words: tuple[Text, ...] = ()  # of the game, explained: for a look at the table
    notice: Text = BLANK  # a refusal with its rule, a lost device, what was restored …
    seq: int = 0  # number of this offer: grows when what the buttons mean changes
    live: bool = True  # False: shown from memory, the daemon does not answer
    lamp: bool = False  # the seat is waited for
    call: str = ""  # to be heard once: "asked", or "dice 12": the roll of that entry lies still
    extra: tuple[tuple[str, str], ...] = ()  # label and value: an address, a code to claim a seat
    entry: str = ""  # "game/entry" of the journal that this view was drawn from

    @property
    def stamp(self) -> int:
        """What a press on a glass that shows this view means: this offer, or only "read"."""
        return self.seq if self.leaf is None else READ


WAKE = "wake"  # a call that a glass sees: be bright
READ = -1  # on a leaf of the story
