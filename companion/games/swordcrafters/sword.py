"""A sword: two guards, four sides that grow tier by tier, runs of equal gems."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.records import replace
from companion.games.swordcrafters.gems import BLANK, GEMS

SIDES = 4
GUARDED = (0, 2)  # S-H5; turning the sword swaps them


@dataclass(frozen=True, slots=True)
class Sword:
    """Each side is a tuple of tiles from the guard to the tip."""

    guards: tuple[str, ...] = ()
    sides: tuple[tuple[str, ...], ...] = ((),) * SIDES

    @property
    def length(self) -> int:
        """All tiles of all sides; guards are none."""
        return sum(map(len, self.sides))

    def gems(self, side: int) -> tuple[str, ...]:
        """What a side shows, its guard's gem first (S-H4)."""
        if side in GUARDED and len(self.guards) > GUARDED.index(side):
            return (self.guards[GUARDED.index(side)], *self.sides[side])
        return self.sides[side]


@dataclass(frozen=True, slots=True)
class Run:
    """Matching neighbours on one side: `start` counts from 1, the guard's gem included."""

    side: int
    gem: str
    start: int
    length: int


def free_sides(sword: Sword) -> tuple[int, ...]:
    """Where the next tile may go: the sides of lowest height, so that none stays open (S-R23)."""
    low = min(map(len, sword.sides))
    return tuple(side for side in range(SIDES) if len(sword.sides[side]) == low)


def forged(sword: Sword, side: int, tile: str) -> Sword:
    """The sword with one more tile on a side."""
    sides = list(sword.sides)
    sides[side] = (*sides[side], tile)
    return replace(sword, sides=tuple(sides))


def best_run(sword: Sword, side: int, *, guards: bool = True, breaks: bool = True) -> Run:
    """The longest run of one gem on a side (S-R29), the first of equals.

    The guard's gem counts (S-H4) and blanks break it (S-H6), unless the table plays otherwise.
    """
    best, start = Run(side, "", 0, 0), 0
    tiles = sword.gems(side) if guards else sword.sides[side]
    shown = [(at, gem) for at, gem in enumerate(tiles, start=1) if breaks or gem != BLANK]
    for n, (_, gem) in enumerate(shown):
        if n and shown[n - 1][1] != gem:
            start = n
        if gem in GEMS and n - start + 1 > best.length:
            best = Run(side, gem, shown[start][0], n - start + 1)
    return best


def gem_counts(sword: Sword, *, guards: bool = True) -> tuple[int, ...]:
    """How many of each gem all sides show, guards among them (S-H4)."""
    sides = [sword.gems(side) if guards else sword.sides[side] for side in range(SIDES)]
    shown = [gem for side in sides for gem in side]
    return tuple(shown.count(gem) for gem in GEMS)
