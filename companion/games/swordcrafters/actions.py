"""What can be done in a game: chance and readings have no seat, every decision has."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.swordcrafters.slices import Point


@dataclass(frozen=True, slots=True)
class Dealt:
    """Chance dealt three cards, guards for every sword, the first player, solo opponents."""

    magic: tuple[str, ...]
    guards: tuple[str, ...]
    first: int
    rivals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Laid:
    """A grid lies there: drawn, or read from real tiles; of one that looks red, "red?", we ask."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """Chance turned up the solo card of this round."""

    card: str


@dataclass(frozen=True, slots=True)
class Card:
    """A magic card (or, in solo, an opponent) that lies on the real table."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Printed:
    """One word of a printed card that is in no list: its method, a gem, "done", or points."""

    seat: int
    word: str


@dataclass(frozen=True, slots=True)
class Guard:
    """A seat tells the next gem of its guards."""

    seat: int
    gem: str


@dataclass(frozen=True, slots=True)
class First:
    """The anvil's horn points at this seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class Tile:
    """The next tile that the companion does not know: by name, or "?" to leave it untold."""

    seat: int
    tile: str


@dataclass(frozen=True, slots=True)
class Untold:
    """The rest of the grid stays untold: each tile is named when it is forged."""

    seat: int


@dataclass(frozen=True, slots=True)
class Icon:
    """The next slice that the real solo card shows: H or V."""

    seat: int
    way: str


@dataclass(frozen=True, slots=True)
class Aim:
    """This group will be sliced."""

    seat: int
    group: int


@dataclass(frozen=True, slots=True)
class Draw:
    """Along this line, from corner to corner, whichever way; it is shown, not yet cut."""

    seat: int
    start: Point
    end: Point

    def __post_init__(self) -> None:
        start, end = sorted((self.start, self.end))
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "end", end)


@dataclass(frozen=True, slots=True)
class Cut:
    """Yes, along the line that is shown."""

    seat: int


@dataclass(frozen=True, slots=True)
class Undo:
    """One small step back within one's own unfinished slice or entry."""

    seat: int


@dataclass(frozen=True, slots=True)
class Discard:
    """Solo: this group goes back to the box, the other one stays."""

    seat: int
    group: int


@dataclass(frozen=True, slots=True)
class Take:
    """This group is mine; with two swords, for this one."""

    seat: int
    group: int
    sword: int = 0


@dataclass(frozen=True, slots=True)
class Pick:
    """The next tile to forge; an untold one is named now."""

    seat: int
    tile: str


@dataclass(frozen=True, slots=True)
class Craft:
    """The picked tile goes on this side."""

    seat: int
    side: int


@dataclass(frozen=True, slots=True)
class Add:
    """Score only: the next tile of the side that is entered."""

    seat: int
    tile: str


@dataclass(frozen=True, slots=True)
class Next:
    """Score only: this side is complete."""

    seat: int


ACTIONS = (
    Dealt, Laid, Drawn, Card, Printed, Guard, First, Tile, Untold, Icon,
    Aim, Draw, Cut, Undo, Discard, Take, Pick, Craft, Add, Next,
)  # fmt: skip
