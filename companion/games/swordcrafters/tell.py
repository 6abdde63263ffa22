"""One sentence about a move; nothing in this game is secret."""

from __future__ import annotations

from typing import Any

from companion.games.swordcrafters.actions import (
    Add,
    Aim,
    Card,
    Craft,
    Cut,
    Dealt,
    Discard,
    Draw,
    Drawn,
    First,
    Guard,
    Icon,
    Laid,
    Next,
    Pick,
    Printed,
    Take,
    Tile,
    Untold,
)
from companion.games.swordcrafters.cards import title
from companion.games.swordcrafters.cardset import book
from companion.games.swordcrafters.gems import FORGE, NAMES, asked
from companion.games.swordcrafters.slices import LETTERS
from companion.games.swordcrafters.state import State, tiles_of
from companion.words import Seat, Text, text


def tell(before: State, action: Any, _viewer: int | None) -> Text:
    """An action in one line."""
    who = Seat(getattr(action, "seat", 0))
    match action:
        case Dealt(first=first):
            return text("Cards are dealt, {who} begins", who=Seat(first))
        case Laid(rows):
            unsure = sum(asked(tile) for row in rows for tile in row)
            if unsure:
                return text("A grid is read, {n} tiles to ask", n=unsure)
            count = sum(tile != FORGE for row in rows for tile in row)
            return text("A grid of {n} tiles is laid", n=count)
        case Drawn(key):
            return text("Solo card {key} is drawn", key=key)
        case Card(_, key) if before.phase == "magic":
            cards = book(before.options.corrections).magic
            return text("Magic: {card}", card=title(next(c for c in cards if c.key == key)))
        case Card(_, key):
            return text("Solo card {key} is an opponent", key=key)
        case Printed():
            return text("{who} tells a printed card", who=who)
        case Guard(_, gem):
            return text("{who}'s guard: {gem}", who=who, gem=NAMES[gem])
        case First():
            return text("{who} begins", who=who)
        case Tile(_, tile):
            return text("{who} names a tile: {tile}", who=who, tile=NAMES[tile])
        case Untold():
            return text("{who} leaves the rest untold", who=who)
        case Icon(_, way):
            return text("The card shows {way}", way=way)
        case Aim(_, group):
            return text("{who} aims at group {g}", who=who, g=LETTERS[group])
        case Draw():
            return text("{who} draws a line", who=who)
        case Cut():
            return text("{who} slices group {g}", who=who, g=LETTERS[before.aim])
        case Discard(_, group):
            return text("{who} discards group {g}", who=who, g=LETTERS[group])
        case Take(_, group):
            count = len(tiles_of(before, before.groups[group]))
            return text("{who} takes {g}: {n} tiles", who=who, g=LETTERS[group], n=count)
        case Pick(_, tile):
            return text("{who} picks {tile}", who=who, tile=NAMES[tile])
        case Craft(_, side):
            picked = NAMES[before.smiths[action.seat].picked]
            return text("{who} forges {tile} on side {s}", who=who, tile=picked, s=side + 1)
        case Add(_, tile):
            return text("{who} enters {tile}", who=who, tile=NAMES[tile])
        case Next():
            return text("{who} ends a side", who=who)
    return text("{who} goes a step back", who=who)
