"""What a seat may press: groups, lines, tiles, sides, in labels that fit the glass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.swordcrafters.actions import (
    Add,
    Aim,
    Card,
    Craft,
    Cut,
    Discard,
    Draw,
    First,
    Guard,
    Icon,
    Next,
    Pick,
    Printed,
    Take,
    Tile,
    Undo,
    Untold,
)
from companion.games.swordcrafters.cards import pays, title
from companion.games.swordcrafters.cardset import book
from companion.games.swordcrafters.crafting import active, hole
from companion.games.swordcrafters.entry import place
from companion.games.swordcrafters.gems import FORGE, NAMES, sign
from companion.games.swordcrafters.play import legal
from companion.games.swordcrafters.printed import DONE
from companion.games.swordcrafters.printing import METHOD_NAMES
from companion.games.swordcrafters.slices import LETTERS, Group, split
from companion.games.swordcrafters.state import State, tiles_of
from companion.games.swordcrafters.sword import SIDES, free_sides
from companion.views import BLANK, Choice
from companion.words import Text, text

FEW = 6  # magic cards that stand in a list
_WAYS = {"H": text("Horizontal"), "V": text("Vertical")}


def choices(state: State, seat: int) -> Iterator[Choice]:
    """Everything the seat may press now; the sides that are too high come last, barred.

    A magic card is named by what is printed on it, until few of the book are left.
    """
    actions = list(legal(state, seat))
    few = sum(isinstance(action, Card) for action in actions) <= FEW or state.phase != "magic"
    for action in actions:
        if few or not isinstance(action, Card):
            yield _choice(state, seat, action)
    smith = state.smiths[seat]
    at = active(smith)
    if state.phase == "craft" and smith.picked and at is not None:
        sword = smith.swords[at]
        for side in range(SIDES):
            if side not in free_sides(sword):
                label = text("Side {s}", s=side + 1)
                yield Choice(label, Craft(seat, side), hole(sword, side), barred="S-R23")


def _choice(state: State, seat: int, action: Any) -> Choice:
    match action:
        case Tile(_, tile) | Pick(_, tile) | Add(_, tile) | Guard(_, tile):
            return Choice(NAMES[tile], action, drawn=("tile", sign(tile)))
        case Aim(_, group):
            content = _content(state, state.groups[group])
            return Choice(group_name(state, group), action, content, about=group)
        case Draw():
            return _line(state, action)
        case Cut():
            return Choice(text("Cut here"), action, _halves(state))
        case Undo():
            return Choice(text("Undo"), action)
        case Take(_, group, sword):
            label = group_name(state, group)
            if len(state.smiths[seat].swords) > 1:
                label = text("{g} for sword {n}", g=LETTERS[group], n=sword + 1)
            return Choice(label, action, _content(state, state.groups[group]), about=group)
        case Discard(_, group):
            label = text("Discard {g}", g=LETTERS[group])
            return Choice(label, action, _content(state, state.groups[group]), about=group)
        case Craft(_, side):
            return Choice(text("Side {s}", s=side + 1), action, _side(state, seat, side))
        case Next():
            return Choice(_next(state, seat), action)
        case Card(_, key):
            return _card(state, action, key)
        case Printed(_, word):
            return Choice(_word(word), action)
        case Icon(_, icon):
            return Choice(_WAYS[icon], action)
        case First():
            return Choice(text("I begin"), action, text("the horn shows me"))
        case Untold():
            return Choice(text("Leave open"), action, text("named when forged"))
    return Choice(text("Go on"), action)


def group_name(state: State, group: int) -> Text:
    """`Group B: 3 tiles`, and whether the forge is in it."""
    count = _count(state, group)
    if any(state.rows[row][column] == FORGE for row, column in state.groups[group].cells()):
        return text("{g}: {n}+forge", g=LETTERS[group], n=count)
    if count == 1:
        return text("{g}: 1 tile", g=LETTERS[group])
    return text("{g}: {n} tiles", g=LETTERS[group], n=count)


def _count(state: State, group: int) -> int:
    return len(tiles_of(state, state.groups[group]))


def _content(state: State, group: Group) -> Text:
    """The tiles of a group, row by row: `RB/-F`."""
    rows = (
        "".join(sign(state.rows[row][column]) for column in range(group.left, group.right))
        for row in range(group.top, group.bottom)
    )
    return text("{tiles}", tiles="/".join(rows))


def _line(state: State, action: Draw) -> Choice:
    flat = action.start[0] == action.end[0]
    row, column = action.start
    label = text("Row {a}|{b}", a=row, b=row + 1)
    if not flat:
        label = text("Column {a}|{b}", a=column, b=column + 1)
    return Choice(label, action, _parted(state, action.start, action.end))


def _halves(state: State) -> Text:
    return _parted(state, *state.line) if state.line is not None else BLANK


def _parted(state: State, start: tuple[int, int], end: tuple[int, int]) -> Text:
    first, second = split(state.groups[state.aim], (start, end))
    return text("{a} and {b} tiles", a=len(tiles_of(state, first)), b=len(tiles_of(state, second)))


def _side(state: State, seat: int, side: int) -> Text:
    smith = state.smiths[seat]
    sword = smith.swords[active(smith) or 0]
    shown = " ".join(sign(tile) for tile in sword.gems(side))
    return text("{tiles}", tiles=shown) if shown else text("bare")


def _next(state: State, seat: int) -> Text:
    smith = state.smiths[seat]
    _, side = place(smith)
    return text("Sword is done") if side == SIDES - 1 else text("Next side")


def _card(state: State, action: Card, key: str) -> Choice:
    if state.phase == "magic":
        card = next(card for card in book(state.options.corrections).magic if card.key == key)
        return Choice(title(card), action, pays(card))
    rival = next(card for card in book(state.options.corrections).solo if card.key == key)
    detail = text("slices {icons}, {n} tiles", icons=rival.slices, n=rival.length)
    if rival.source == "house":
        detail = text("slices {icons}, {n} tiles, house card", icons=rival.slices, n=rival.length)
    return Choice(text("Solo card {key}", key=key), action, detail)


def _word(word: str) -> Text:
    if word in METHOD_NAMES:
        return METHOD_NAMES[word]
    if word in NAMES:
        return NAMES[word]
    return text("That is all") if word == DONE else text("{n} VP", n=word)
