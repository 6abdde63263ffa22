"""The grid cut into groups: rectangles, straight lines, and why a line is no slice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from companion.games.api import require

Point: TypeAlias = tuple[int, int]  # a corner between cells: (row, column) from the top left
Line: TypeAlias = tuple[Point, Point]
NOBODY = -1
GONE = -2  # thrown out of a solo game
LETTERS = "ABCDEF"


@dataclass(frozen=True, slots=True)
class Group:
    """A rectangle of cells; `bottom` and `right` are the first row and column outside."""

    top: int
    left: int
    bottom: int
    right: int
    owner: int = NOBODY
    sword: int = 0  # of the owner, where it has two

    @property
    def size(self) -> int:
        """Cells, the forge among them."""
        return (self.bottom - self.top) * (self.right - self.left)

    def cells(self) -> Iterator[Point]:
        """Every cell, left to right, top to bottom."""
        for row in range(self.top, self.bottom):
            for column in range(self.left, self.right):
                yield row, column


def lines(group: Group, least: int = 1, way: str = "") -> Iterator[Line]:
    """Every legal slice of a group; `way` H or V keeps one direction."""
    top, left, bottom, right = group.top, group.left, group.bottom, group.right
    if way != "V":
        for row in range(top + 1, bottom):
            if min(row - top, bottom - row) * (right - left) >= least:
                yield (row, left), (row, right)
    if way != "H":
        for column in range(left + 1, right):
            if min(column - left, right - column) * (bottom - top) >= least:
                yield (top, column), (bottom, column)


def halved(group: Group) -> int:
    """The cells of the smaller half, cut as evenly as it goes; 0 if no slice can part it."""
    tall, wide = group.bottom - group.top, group.right - group.left
    return max(tall // 2 * wide, wide // 2 * tall)


def split(group: Group, line: Line) -> tuple[Group, Group]:
    """The two groups that a slice makes: the upper or left one first."""
    (row, column), (end_row, _) = line
    if row == end_row:
        return (
            Group(group.top, group.left, row, group.right),
            Group(row, group.left, group.bottom, group.right),
        )
    return (
        Group(group.top, group.left, group.bottom, column),
        Group(group.top, column, group.bottom, group.right),
    )


def judge(size: Point, groups: tuple[Group, ...], aim: int, line: Line, least: int) -> None:
    """Raise Illegal unless the line cuts the aimed group, and only it, into exactly two."""
    rows, columns = size
    whole = all(len(point) == 2 and all(isinstance(n, int) for n in point) for point in line)
    require(whole, "S-R13", "A slice has two ends, each a row and a column")
    (row, column), (end_row, end_column) = line
    inside = min(row, end_row) >= 0 and max(row, end_row) <= rows
    inside = inside and min(column, end_column) >= 0 and max(column, end_column) <= columns
    require(inside, "S-R13", "The slice leaves the grid of {r} by {c}", r=rows, c=columns)
    require((row == end_row) != (column == end_column), "S-R13", "A slice must be straight")
    group = groups[aim]
    flat = row == end_row
    across = group.top < row < group.bottom if flat else group.left < column < group.right
    name = LETTERS[aim]
    require(across, "S-R14", "The line does not part group {g} in two", g=name)
    start, end = (column, end_column) if flat else (row, end_row)
    low, high = (group.left, group.right) if flat else (group.top, group.bottom)
    parted, cells = max(0, min(end, high) - max(start, low)), high - low
    require(
        parted == cells, "S-R14", "Group {g} stays whole: the line parts {n} of {all} cells",
        n=parted, all=cells, g=name,
    )  # fmt: skip
    require(
        low == start and end == high,
        "S-R14",
        "The line runs on past group {g}: end it there",
        g=name,
    )
    small = min(half.size for half in split(group, line))
    require(
        small >= least, "S-H1", "A group of {n} is too small, {least} needed", n=small, least=least
    )
