"""Reads the card file of Sainome Colosseum: the second edition's values until the owner tells."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from itertools import combinations
from types import MappingProxyType

from companion.errors import BadState
from companion.games import cardfile
from companion.games.cardfile import (
    SURE,
    Choice,
    Correction,
    Field,
    Line,
    Number,
    Printed,
    Values,
    name_of_a_card,
)
from companion.games.effects import PRINTED, read
from companion.games.sainome.kinds import (
    CHARACTER,
    ITEM,
    KINDS,
    MAGIC,
    PLACES,
    SKILL,
    USES,
    WEAPON,
    WORDS,
    Card,
    Cards,
    Character,
    Face,
)
from companion.words import Name

FILE = "cards.toml"
DECK = {WEAPON: 10, MAGIC: 10, ITEM: 13, SKILL: 17}
DECK_SIZE = 50
MOST_DAMAGE, MOST_CATALYST = 9, 4
FIXED = ("kind", "name", "japanese", "copies", "family")
"""Not asked for on a panel."""

_FLAG = Number(0, 1)
_LINKS = tuple(" ".join(some) for n in range(5) for some in combinations(PLACES, n))
_AWAKENS = ("hurt", "trash", *(f"hp {n}" for n in range(1, 8)))


def _text(*known: str) -> Line:
    return Line(lambda line: read(line, WORDS), ("", PRINTED, *known))


_NAMES: dict[str, Field] = {"name": Line(name_of_a_card), "japanese": Line(name_of_a_card)}
_TEXTS = {
    WEAPON: _text("power: luck 1", "acts: take 1", "acts: break 1"),
    MAGIC: _text("power: burn 4", "acts: bind 1"),
    ITEM: _text(
        "acts: break 1", "acts: drop 1", "power: count 1", "worn: limit +2",
        "counter: damage /2", "counter: damage =1", "rolled: weigh",
    ),
    SKILL: _text(
        "power: charge +2", "counter: guts if deadly", "counter: damage =0",
        "played: plant; trash: blast 2", "counter: plant; trash: blast 2",
        "played: barrage if behind", "played: swap", "played: choice", "played: back 1",
        "played: overdrive", "played: change", "played: reckless if last", "played: restart",
        "played: steal 1", "played: search 1",
    ),
}  # fmt: skip
SCHEMA: Mapping[str, Mapping[str, Field]] = {
    CHARACTER: {
        **_NAMES,
        "kind": Choice((CHARACTER,)),
        **{place: Number(1, 5) for place in PLACES},
        "text": _text(),
        "awakens": Choice(_AWAKENS),
        **{f"awake_{place}": Number(0, 5) for place in PLACES},
        "awake_text": _text(),
        "returns": Choice(("", "draw", "trash")),
    },
    **{
        kind: {
            **_NAMES,
            "kind": Choice((kind,)),
            "family": Choice(("", "saw")),
            "copies": Number(0, DECK_SIZE),
            "use": Choice(USES),
            "damage": Number(0, MOST_DAMAGE),
            "catalyst": Number(0, MOST_CATALYST),
            "links": Choice(_LINKS),
            "stay": _FLAG,
            "six": _FLAG,
            "text": _TEXTS[kind],
        }
        for kind in KINDS
    },
}


_LATEST: list[tuple[tuple[Correction, ...], Cards]] = []
"""The set asked for last: a game asks a hundred times a move, and long tuples are slow to hash."""


def shipped() -> Cards:
    """The cards that come with the companion."""
    return deck(())


def deck(corrections: tuple[Correction, ...]) -> Cards:
    """The shipped cards with the owner's values laid over them."""
    if not _LATEST or _LATEST[0][0] is not corrections:
        _LATEST[:] = [(corrections, _merged(corrections))]
    return _LATEST[0][1]


@lru_cache(maxsize=128)
def _merged(corrections: tuple[Correction, ...]) -> Cards:
    return merge(_shipped(), corrections)


def parse(text: str, filename: str) -> Cards:
    """A whole set of cards; BadState names file, card and reason."""
    return _built(cardfile.read(text, filename, SCHEMA), filename)


def own(text: str, filename: str, cards: Cards) -> tuple[Correction, ...]:
    """The owner's file: some values of some cards, checked against the set they correct."""
    return cardfile.own(text, filename, cards.values, SCHEMA)


def merge(
    cards: Cards, corrections: tuple[Correction, ...], filename: str = "corrections"
) -> Cards:
    """The cards with these values laid over them, each now the owner's."""
    return _built(cardfile.laid_over(cards.values, corrections, SCHEMA, filename), filename)


def doubtful(cards: Cards, key: str) -> tuple[str, ...]:
    """The values of a card or character that its owner has not told yet."""
    return cards.doubtful[key]


def offered(cards: Cards, key: str, field: str) -> tuple[Printed, ...]:
    """The values that a panel offers for a field, the present one first."""
    values = cards.values[key]
    return cardfile.offered(SCHEMA[str(values["kind"].value)][field], values[field].value)


@cache
def _shipped() -> Cards:
    return parse(files(__package__).joinpath(FILE).read_text("utf-8"), FILE)


def _built(values: Values, filename: str) -> Cards:
    cards, characters = {}, {}
    for key, fields in values.items():
        if fields["kind"].value == CHARACTER:
            characters[key] = _character(key, tuple(fields.items()))
        else:
            cards[key] = _card(key, tuple(fields.items()))
    copies = [key for key in cards for _ in range(int(values[key]["copies"].value))]
    for kind, wanted in DECK.items():
        have = sum(cards[key].kind == kind for key in copies)
        if have != wanted:
            raise BadState(f"{filename}: {have} cards are {kind}, not {wanted}")
    if len(characters) != 4:
        raise BadState(f"{filename}: {len(characters)} characters, not 4")
    doubtful = {
        key: tuple(f for f, v in fields.items() if f not in FIXED and v.source not in SURE)
        for key, fields in values.items()
    }
    return Cards(
        MappingProxyType(cards), MappingProxyType(characters), tuple(copies), values,
        MappingProxyType(doubtful),
    )  # fmt: skip


Fields = tuple[tuple[str, cardfile.Value], ...]


@lru_cache(maxsize=4096)
def _card(key: str, fields: Fields) -> Card:
    get = {name: value.value for name, value in fields}
    line = str(get["text"])
    return Card(
        key, str(get["kind"]), _name(get), _house(fields),
        str(get["use"]), int(get["damage"]), int(get["catalyst"]), tuple(str(get["links"]).split()),
        bool(get["stay"]), bool(get["six"]), str(get["family"]), read(line, WORDS), line == PRINTED,
    )  # fmt: skip


@lru_cache(maxsize=1024)
def _character(key: str, fields: Fields) -> Character:
    get = {name: value.value for name, value in fields}

    def face(prefix: str) -> Face:
        up, left, down, right = (int(get[prefix + place]) for place in PLACES)
        line = str(get[f"{prefix}text"])
        return Face((up, left, down, right), read(line, WORDS), line == PRINTED)

    return Character(
        key, _name(get), _house(fields),
        (face(""), face("awake_")), str(get["awakens"]), str(get["returns"]),
    )  # fmt: skip


def _name(get: Mapping[str, object]) -> Name:
    return Name(str(get["name"]), str(get["japanese"]))


def _house(fields: Fields) -> bool:
    """Is a value that the players reckon with our own design?"""
    return any(value.source == "house" for name, value in fields if name not in FIXED)
