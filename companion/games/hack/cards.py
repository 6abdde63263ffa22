"""Reads the card file of .hack//ENEMY: decks from the rulebook, numbers of our own until told."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from companion.errors import BadState
from companion.games.cardfile import (
    Choice,
    Field,
    Line,
    Number,
    Value,
    Values,
    name_of_a_card,
    word_on_a_card,
)
from companion.games.cardgame import CardFile
from companion.games.effects import PRINTED, read, read_needs
from companion.games.hack.kinds import (
    ACTION,
    ARMOR,
    CLASSES,
    ELEMENTS,
    ITEM,
    MONSTER,
    PC,
    SPECIES,
    WEAPON,
    WORDS,
    Card,
    Cards,
)
from companion.words import Text

DECK_SIZE = 40
FEWEST, MOST = 20, 80
"""Cards in a deck of an owner's box: while he enters it, it need not be the rulebook's."""
MOST_DESTINY = 9
"""A destiny is one printed figure."""

_ANY_TEXT = ("", PRINTED)
_FLAG = Number(0, 1)


def _text(*known: str) -> Line:
    return Line(lambda line: read(line, WORDS), (*_ANY_TEXT, *known))


def _needs(line: str) -> object:
    return read_needs(line, WORDS)


_NEEDS = Line(_needs, ("", *(f"spot {n} {e}" for n in (1, 2, 3, 4) for e in ELEMENTS)))
_ALL: dict[str, Field] = {
    "name": Line(name_of_a_card),
    "kind": Choice((PC, ITEM, MONSTER, ACTION)),
    "a": Number(0, DECK_SIZE, 1),  # copies in deck A
    "b": Number(0, DECK_SIZE, 1),
    "level": Number(0, 9, optional=True),  # no rule of the sample game asks for it
    "destiny": Number(0, MOST_DESTINY),
    "element": Choice(("", *ELEMENTS)),
}
SCHEMA: Mapping[str, Mapping[str, Field]] = {
    PC: {
        **_ALL,
        "class": Choice(CLASSES),
        "strength": Number(0, 20),
        "tolerance": Number(0, 5),
        "needs": _NEEDS,
        "text": _text("played: draw 1", "played: heal 1", "fights: strength +1 if wounded"),
    },
    ITEM: {
        **_ALL,
        "subtype": Choice((WEAPON, ARMOR)),
        "bearer": Choice(("", *CLASSES)),
        "strength": Number(0, 20),
        "tolerance": Number(0, 5),
        "needs": _NEEDS,
        "text": _text("played: draw 1", "played: heal 1", "fights: destiny +1"),
    },
    MONSTER: {
        **_ALL,
        "species": Line(word_on_a_card, ("", *SPECIES)),
        "strength": Number(0, 20),
        "points": Number(0, 7),
        "storable": _FLAG,
        "unique": _FLAG,
        "needs": _NEEDS,
        "text": _text(
            "reward: draw 1",
            "reward: discard 1",
            "reward: wound 1",
            "reward: destroy 1",
            "reward: score 1",
            "portal: join",
        ),
    },
    ACTION: {
        **_ALL,
        "text": _text("flip: strength +2", "flip: strength +3", "flip: destiny +2", "flip: heal 1"),
    },
}
FIXED = ("kind", "name", "a", "b", "level")
"""Not asked for on a panel: the rulebook's deck lists say it, or the name does."""


def _built(values: Values, filename: str, older: Cards | None) -> Cards:
    same = older.values if older else {}
    cards = {
        key: older[key] if older and same.get(key) is fields else _card(key, fields)
        for key, fields in values.items()
    }
    decks = {}
    for side in ("a", "b"):
        copies = ((key, int(values[key][side].value)) for key in values)
        decks[side] = tuple(key for key, count in copies for _ in range(count))
        low, high = (FEWEST, MOST) if older else (DECK_SIZE, DECK_SIZE)  # an owner is believed
        if not low <= len(decks[side]) <= high:
            wanted = f"{low} to {high}" if older else str(DECK_SIZE)
            raise BadState(f"{filename}: deck {side} has {len(decks[side])} cards, not {wanted}")
    return Cards(MappingProxyType(cards), MappingProxyType(decks), values)


def _card(key: str, values: Mapping[str, Value]) -> Card:
    def get(name: str, default: Any) -> Any:
        return values[name].value if name in values else default

    line = get("text", "")
    house = any(v.source == "house" for field, v in values.items() if field not in FIXED)
    return Card(
        key, get("kind", ""), Text(get("name", "")), house,
        get("strength", 0), get("destiny", 0), get("element", ""), get("points", 0),
        get("tolerance", 0), get("species", ""), get("class", ""), get("bearer", ""),
        get("subtype", ""), bool(get("storable", 0)), bool(get("unique", 0)),
        read_needs(get("needs", ""), WORDS), read(line, WORDS), line == PRINTED,
    )  # fmt: skip


CARDS = CardFile(__package__, SCHEMA, FIXED, _built)
deck, doubtful, own, shipped = CARDS.deck, CARDS.doubtful, CARDS.own, CARDS.shipped
