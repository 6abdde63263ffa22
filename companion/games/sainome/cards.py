"""Reads the card file of Sainome Colosseum: the second edition's values until the owner tells."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from types import MappingProxyType

from companion.errors import BadState
from companion.games.cardfile import (
    Choice,
    Field,
    Line,
    Number,
    Value,
    Values,
    name_of_a_card,
)
from companion.games.cardgame import CardFile
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

DECK = {WEAPON: 10, MAGIC: 10, ITEM: 13, SKILL: 17}
DECK_SIZE = 50
FEWEST, MOST = 40, 80  # of an owner's box: two HP stacks and two hands are dealt
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
            "kind": Choice(KINDS),
            "family": Choice(("", "saw")),
            "copies": Number(0, DECK_SIZE, 1),
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


def _built(values: Values, filename: str, older: Cards | None) -> Cards:
    cards, characters = {}, {}
    for key, fields in values.items():
        same = older if older and older.values.get(key) is fields else None
        if fields["kind"].value == CHARACTER:
            characters[key] = same.characters[key] if same else _character(key, fields)
        else:
            cards[key] = same[key] if same else _card(key, fields)
    copies = [key for key in cards for _ in range(int(values[key]["copies"].value))]
    if older and not FEWEST <= len(copies) <= MOST:  # an owner is believed while he enters his box
        raise BadState(f"{filename}: the deck has {len(copies)} cards, not {FEWEST} to {MOST}")
    for kind, wanted in () if older else DECK.items():
        have = sum(cards[key].kind == kind for key in copies)
        if have != wanted:
            raise BadState(f"{filename}: {have} cards are {kind}, not {wanted}")
    if len(characters) < 4 or (len(characters) > 4 and not older):
        raise BadState(f"{filename}: {len(characters)} characters, not 4")
    return Cards(MappingProxyType(cards), MappingProxyType(characters), tuple(copies), values)


def _card(key: str, fields: Mapping[str, Value]) -> Card:
    get = {name: value.value for name, value in fields.items()}
    line = str(get["text"])
    return Card(
        key, str(get["kind"]), _name(get), _house(fields),
        str(get["use"]), int(get["damage"]), int(get["catalyst"]), tuple(str(get["links"]).split()),
        bool(get["stay"]), bool(get["six"]), str(get["family"]), read(line, WORDS), line == PRINTED,
    )  # fmt: skip


def _character(key: str, fields: Mapping[str, Value]) -> Character:
    get = {name: value.value for name, value in fields.items()}

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


def _house(fields: Mapping[str, Value]) -> bool:
    """Is a value that counts in play our own design?"""
    return any(value.source == "house" for name, value in fields.items() if name not in FIXED)


CARDS = CardFile(__package__, SCHEMA, FIXED, _built)
deck, doubtful, own, shipped = CARDS.deck, CARDS.doubtful, CARDS.own, CARDS.shipped
