"""What a game is made of: options, actions, smiths and the grid between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from companion.games.api import Correction, option
from companion.games.cardfile import kept
from companion.games.swordcrafters.cards import Magic, Solo
from companion.games.swordcrafters.gems import FORGE
from companion.games.swordcrafters.slices import NOBODY, Group, Point
from companion.games.swordcrafters.sword import Sword
from companion.words import text

ROUNDS = 6
CARDS = 3
FORGE_CELL: Point = (1, 2)
MOST_UNDOS = 99  # by this choice; the table's menu knows no end
Phase: TypeAlias = Literal[
    "deal", "magic", "rivals", "guards", "first",
    "lay", "draw", "slice", "discard", "select", "craft", "enter", "over",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Options:
    """What the lobby asks, and the printed cards that the owner has told."""

    way: str = option(
        "tracked",
        label=text("Tiles"),
        values=("tracked", "score", "virtual"),
        names=(text("Real, tracked"), text("Real, score"), text("On screen")),
        virtual="virtual",
    )
    variant: str = option(
        "standard",
        label=text("Variant"),
        values=("standard", "light", "dual"),
        names=(text("Standard"), text("Lightweight"), text("Dual, for 2")),
    )
    faces: str = option(
        "beginner",
        label=text("Cards"),
        values=("beginner", "intermediate", "mixed"),
        names=(text("Beginner"), text("Intermediate"), text("Mixed")),
    )
    opponents: int = option(1, label=text("Solo opponents"), values=(1, 2, 3, 4))
    least: int = option(1, label=text("Smallest group"), values=(1, 2))
    positive: bool = option(
        False,
        label=text("0 gems"),
        values=(False, True),
        names=(text("may place"), text("no place")),
    )
    blanks: bool = option(
        False,
        label=text("Take out 3 of"),
        values=(False, True),
        names=(text("6 gems"), text("gems, blanks")),
    )
    dual: str = option(
        "each",
        label=text("Dual swords"),
        values=("each", "together"),
        names=(text("score each"), text("score as one")),
    )
    corrections: tuple[Correction, ...] = ()
    guards: bool = option(
        True,
        label=text("Guard gems"),
        values=(True, False),
        names=(text("count"), text("do not count")),
    )
    breaks: bool = option(
        True,
        label=text("Blanks in runs"),
        values=(True, False),
        names=(text("break them"), text("are skipped")),
    )
    rules: int = field(default=2, repr=False)
    """Their version: in 1 a solo slice could make a later one impossible."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "corrections", kept(self.corrections))


@dataclass(frozen=True, slots=True)
class Smith:
    """One player: a sword or two, and for each the tiles still to be forged this round."""

    swords: tuple[Sword, ...]
    hands: tuple[tuple[str, ...], ...]
    picked: str = ""
    entered: int = 0  # sides complete, in a game that is only scored
    undone: int = 0
    word: int = 0  # points by the table's word


@dataclass(frozen=True, slots=True)
class State:
    """A game. Nothing is hidden in it: what nobody knows yet is drawn when it is needed."""

    options: Options
    smiths: tuple[Smith, ...]
    phase: Phase
    supply: tuple[int, ...]  # tiles that are still to be drawn, by kind
    round: int = 1
    first: int = 0
    turn: int = 0  # slices or selections made in this phase
    magic: tuple[Magic, ...] = ()
    draft: tuple[str, ...] = ()  # a printed card, word by word
    rivals: tuple[Solo, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    groups: tuple[Group, ...] = ()
    aim: int = NOBODY
    line: tuple[Point, Point] | None = None
    icons: str = ""  # this round's slices, in solo
    drawn: tuple[str, ...] = ()  # solo cards that were turned up

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.smiths)

    @property
    def solo(self) -> bool:
        """One plays against cards."""
        return self.seats == 1

    @property
    def few(self) -> bool:
        """Two or three play: the small grid, fewer tiles (S-R35)."""
        return self.seats in (2, 3)

    @property
    def real(self) -> bool:
        """The tiles are cardboard: players enter them, or the eye reads them."""
        return self.options.way != "virtual"

    @property
    def size(self) -> Point:
        """Rows and columns of the grid."""
        return (3, 4) if self.few else (4, 4)

    @property
    def turns(self) -> int:
        """Slices of a round, and selections: one each, with two players two each (S-R34)."""
        return 4 if self.seats == 2 else self.seats

    @property
    def mover(self) -> int:
        """Whose slice or selection it is."""
        return (self.first + self.turn) % len(self.smiths)


def dual(options: Options, seats: int) -> bool:
    """Two swords each: a variant for two players."""
    return options.variant == "dual" and seats == 2


def open_groups(state: State) -> tuple[int, ...]:
    """The groups that nobody has taken or thrown out."""
    return tuple(n for n, group in enumerate(state.groups) if group.owner == NOBODY)


def tiles_of(state: State, group: Group) -> tuple[str, ...]:
    """The sword tiles of a group, without the forge, which is nobody's (S-R18)."""
    cells = (state.rows[row][column] for row, column in group.cells())
    return tuple(tile for tile in cells if tile != FORGE)
