"""Swordcrafters for newcomers."""

from __future__ import annotations

from companion.games.lesson import HOUSE, Arranged, Lesson, Page, Tip, Word, span
from companion.games.swordcrafters import actions as do
from companion.views import Cards, Cell, Grid, Line, Part
from companion.words import text

_TILES = ("RGBP", "YRFG", "BBPR")


def _grid(split: int = 4, taken: bool = False) -> tuple[Part, ...]:
    rows = tuple(
        tuple(
            Cell(sign, group := int(at >= split), lit=taken and group == 1)
            for at, sign in enumerate(row)
        )
        for row in _TILES
    )
    return (Grid(rows),)


LESSON = Lesson(
    pages=(
        Page(
            text("The goal"),
            (
                text("In six rounds you forge a sword of gems. Most points win."),
                text("Each round: slice the grid, select a group, craft your sword."),
            ),
            span("S-R", 1, 11, 33),
            _grid,
        ),
        Page(
            text("Slice"),
            (
                text("Each player makes one slice: one straight line through one group."),
                text("It makes two groups of that one. Slice so that you like what is left."),
            ),
            span("S-R", 8, 9, (12, 15)),
            lambda: _grid(2),
        ),
        Page(
            text("Select"),
            (
                text("From the first player on, each takes one whole group."),
                text("One group is left over. Whoever takes the group of the forge (F) is first."),
            ),
            span("S-R", 7, (16, 20)),
            lambda: _grid(2, taken=True),
        ),
        Page(
            text("Craft"),
            (
                text("Forge all your tiles, in any order: the lowest side grows first."),
                text("A sword has four sides. What is forged stays."),
            ),
            span("S-R", (21, 24), 26),
            lambda: tuple(
                Line(text("Side {s}", s=n), tiles=tuple(side))
                for n, side in enumerate(("RRG", "BB", "GGP", "YY"), 1)
            ),
        ),
        Page(
            text("Runs"),
            (
                text("On each side the longest run of one gem counts 2 points a gem."),
                text("A run has two gems at least."),
            ),
            span("S-R", 28, 29),
            lambda: (
                Line(text("A side"), tiles=("G", "R", "R", "R")),
                Line(text("3 gems: 6 points")),
            ),
        ),
        Page(
            text("Most tiles, and magic"),
            (
                text("Most tiles: 6 points. Three magic cards pay for gems on your whole sword."),
                text("Players who tie share the points of the places they fill."),
            ),
            span("S-R", 4, 27, (30, 32)),
            lambda: (Cards(text("Magic"), ((text("Most red"), text("5, 3, 1 points")),)),),
        ),
    ),
    words=(
        Word(text("Slice"), text("A straight line that parts one group into two.")),
        Word(text("Group"), text("Tiles that no line parts. You take a whole one.")),
        Word(text("Forge"), text("F in the grid: whoever takes its group begins the next round.")),
        HOUSE,
        Word(text("Run"), text("Gems of one kind side by side on one side of the sword.")),
        Word(text("Guard"), text("The gem at the hilt: the first gem of its side.")),
        Word(text("Magic card"), text("Pays the players who have most (or least) of something.")),
    ),
    later=span("S-R", 2, 3, 5, 6, 10, 25, (34, 41)),
    tips=(
        Tip(
            (do.Aim,),
            text("You slice: choose the group to part. Leave two groups that you would take."),
            span("S-R", 12, 13, 16),
        ),
        Tip(
            (do.Draw,),
            text("Slice: one straight line through the group. Keep gems of one colour together."),
            span("S-R", 13, 14, 28),
        ),
        Tip(
            (do.Cut,),
            text("The line shows what becomes two groups. Cut, or undo and try another."),
            span("S-R", 12, 14, 34),
        ),
        Tip(
            (do.Take,),
            text("Take a group: many tiles, or gems your sword has. With the forge you begin."),
            span("S-R", 16, 19, 27, 34),
        ),
        Tip(
            (do.Pick,),
            text("Forge all your tiles, in your order: first the one that lengthens a run."),
            span("S-R", 21, 22, 28),
        ),
        Tip(
            (do.Craft,),
            text("Only the lowest side grows. Put like on like: a run counts 2 points a gem."),
            span("S-R", 23, 24, 28),
        ),
    ),
    first=Arranged("swordcrafters 6", deals=2),
)
