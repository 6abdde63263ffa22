"""Card files: every printed value with its source, and the owner's values laid over them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from companion.errors import BadState
from companion.games.api import Correction as Correction
from companion.games.api import option
from companion.words import text

SOURCE_NAMES = {
    "rulebook": text("rulebook"),
    "faq": text("FAQ"),
    "fan": text("not checked"),
    "house": text("house value"),
    "owner": text("yours"),
}
SOURCES = tuple(SOURCE_NAMES)
SURE = ("rulebook", "faq", "owner")
"""Sources that nobody needs to be asked about."""

Printed: TypeAlias = int | str
CARD_KEY = re.compile("[a-z0-9_]{1,40}")
KEY_RULE = "a new card is called a to z, 0 to 9 and _, up to 40"


@dataclass(frozen=True, slots=True)
class Value:
    """One printed value and where we have it from."""

    value: Printed
    source: str


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number between bounds."""

    low: int
    high: int
    first: int = 0  # of a card that nobody told us of; at least `low`
    optional: bool = False  # our own cards need not have it

    def wrong(self, value: Printed) -> str:
        """What is wrong with the value, or nothing."""
        if type(value) is not int:
            return f"is {value!r}, must be a number"
        return (
            "" if self.low <= value <= self.high else f"is {value}, not {self.low} to {self.high}"
        )

    def offered(self) -> tuple[Printed, ...]:
        """The values that a panel offers."""
        return tuple(range(self.low, self.high + 1))

    @property
    def blank(self) -> Printed:
        """Of a card that nobody told us of."""
        return max(self.low, self.first)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    def wrong(self, value: Printed) -> str:
        """What is wrong with the value, or nothing."""
        words = ", ".join(filter(None, self.words))
        return "" if value in self.words else f"is {value!r}, must be one of {words}"

    def offered(self) -> tuple[Printed, ...]:
        """The values that a panel offers."""
        return self.words

    @property
    def blank(self) -> Printed:
        """Of a card that nobody told us of."""
        return self.words[0]


@dataclass(frozen=True, slots=True)
class Line:
    """A text that must mean something: `read` raises ValueError if it does not."""

    read: Callable[[str], object]
    known: tuple[str, ...] = ()

    def wrong(self, value: Printed) -> str:
        """What is wrong with the value, or nothing."""
        if not isinstance(value, str):
            return f"is {value!r}, must be a text"
        try:
            self.read(value)
        except ValueError as why:
            return str(why)
        return ""

    def offered(self) -> tuple[Printed, ...]:
        """The values that a panel offers."""
        return self.known

    @property
    def blank(self) -> Printed:
        """Of a card that nobody told us of."""
        return self.known[0] if self.known else ""


C = TypeVar("C")
Field: TypeAlias = Number | Choice | Line
Schema: TypeAlias = Mapping[str, Mapping[str, Field]]
"""For each kind of card its fields."""
Values: TypeAlias = dict[str, dict[str, Value]]
"""For each card its values; `kind` is one of them."""


def name_of_a_card(name: str) -> None:
    """A name that a display can show."""
    if not 1 <= len(name) <= 40 or not name.isprintable() or set(name) & set("{}"):
        raise ValueError(f"is {name!r}, must be 1 to 40 letters without braces")


def word_on_a_card(word: str) -> None:
    """A species, or none: our list of them need not be whole."""
    if word:
        name_of_a_card(word)


def whose_cards() -> Any:
    """A field of an options class: does the companion deal the cards, or are they cardboard?"""
    names = (text("by companion"), text("on the table"))
    values = ("companion", "table")
    return option("companion", label=text("Cards"), values=values, names=names, virtual=values[0])


def read(text: str, filename: str, schema: Schema) -> Values:
    """A whole card file; BadState names file, card and reason."""
    cards: Values = {}
    for card, table in tables(text, filename).items():
        kind = table.get("kind")
        if kind not in schema:
            raise BadState(f"{filename}: {card}: kind must be one of {', '.join(schema)}")
        cards[card] = dict(_values(table, filename, card, "house"))
        for name, value in cards[card].items():
            _check(schema[str(kind)], card, name, value.value, filename)
        needed = (n for n, f in schema[str(kind)].items() if not getattr(f, "optional", False))
        missing = [name for name in needed if name not in cards[card]]
        if missing:
            raise BadState(f"{filename}: {card}: {missing[0]} is missing")
    return cards


def own(text: str, filename: str, cards: Values, schema: Schema) -> tuple[Correction, ...]:
    """The owner's file: some values of some cards, checked against the set they correct."""
    found = tuple(
        (card, name, value.value)
        for card, table in tables(text, filename).items()
        for name, value in _values(table, filename, card, "owner")
    )
    rows = kinds_first(by_key(cards, found))
    laid_over(cards, rows, schema, filename)
    return rows


def kinds_first(rows: Iterable[Correction]) -> tuple[Correction, ...]:
    """In this order a card that we do not know is there before its values are."""
    return tuple(sorted(rows, key=lambda row: row[1] != "kind"))


def by_key(cards: Values, rows: Iterable[Correction]) -> tuple[Correction, ...]:
    """A card may be called by the name that is printed on it, in either language."""
    printed = {str(v[name].value).casefold(): key for key, v in cards.items()
               for name in ("name", "japanese") if name in v}  # fmt: skip
    return tuple(
        (card if card in cards else printed.get(card.casefold(), card), name, value)
        for card, name, value in rows
    )


def laid_over(
    cards: Values, corrections: Iterable[Correction], schema: Schema, filename: str = "corrections"
) -> Values:
    """The cards with these values laid over them, each now the owner's; BadState if it can't be.

    The kind of a card that we do not know makes it; another kind keeps what both kinds have.
    """
    merged = dict(cards)
    for card, name, value in corrections:
        if name == "kind" and (card not in merged or value != merged[card]["kind"].value):
            merged[card] = _made(merged.get(card, {}), card, value, schema, filename)
        if card not in merged:
            raise BadState(f"{filename}: {card}: there is no such card; a new one needs its kind")
        _check(schema[str(merged[card]["kind"].value)], card, name, value, filename)
        merged[card] = {**merged[card], name: Value(value, "owner")}
    return merged


def _made(
    old: Mapping[str, Value], card: str, kind: Printed, schema: Schema, filename: str
) -> dict[str, Value]:
    """A card of this kind: what the old one had and this one can have, house values elsewhere."""
    if kind not in schema:
        raise BadState(f"{filename}: {card}: kind must be one of {', '.join(schema)}")
    if not CARD_KEY.fullmatch(card):
        raise BadState(f"{filename}: {card}: {KEY_RULE}")
    blank = {
        name: Value(card if name in ("name", "japanese") else field.blank, "house")
        for name, field in schema[str(kind)].items()
        if not getattr(field, "optional", False)
    }
    fits = {name: value for name, value in old.items()
            if name in blank and not schema[str(kind)][name].wrong(value.value)}  # fmt: skip
    return {**blank, **fits, "kind": Value(kind, "owner")}


class _Corrections(tuple[Correction, ...]):
    """Corrections that hold on to the cards they make.

    A state asks for its cards a hundred times a move, and a long tuple is slow to hash.
    """

    cards: Any = None


def kept(corrections: tuple[Correction, ...]) -> tuple[Correction, ...]:
    """The corrections as a state or its options keep them, for `cards_of`."""
    return corrections if isinstance(corrections, _Corrections) else _Corrections(corrections)


def cards_of(corrections: tuple[Correction, ...], make: Callable[[tuple[Correction, ...]], C]) -> C:
    """The cards that these corrections make: made once where the corrections are `kept`."""
    cards: C | None = getattr(corrections, "cards", None)
    if cards is None:
        cards = make(corrections)
        if isinstance(corrections, _Corrections):
            corrections.cards = cards
    return cards


def to_toml(corrections: Iterable[Correction]) -> str:
    """A card file that `own` reads back: what was learnt while playing, kept for good."""
    last: dict[str, dict[str, Printed]] = {}
    for card, name, value in corrections:
        last.setdefault(card, {})[name] = value
    lines = []
    for card, values in last.items():
        lines.append(f"[{card}]")
        lines += [f"{name} = {value if isinstance(value, int) else _quoted(value)}"
                  for name, value in values.items()]  # fmt: skip
        lines.append("")
    return "\n".join(lines)


def describe(cards: Values) -> tuple[tuple[str, str, str, str], ...]:
    """Every value with its source, as rows of card, field, value, source."""
    return tuple(
        (card, name, str(value.value), value.source)
        for card, values in cards.items()
        for name, value in values.items()
    )


def offered(field: Field, now: Printed) -> tuple[Printed, ...]:
    """The values that a panel offers for a field: the present one first, the rest in order."""
    every = field.offered()
    if now not in every:
        return (now, *every)
    at = every.index(now)
    return every[at:] + every[:at]


def tables(text: str, filename: str) -> dict[str, dict[str, Any]]:
    """The cards of a TOML file, nothing about them checked yet."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadState(f"{filename}: {error}") from error
    for card, table in found.items():
        if not isinstance(table, dict):
            raise BadState(f"{filename}: {card}: must be a card, such as [{card}]")
    return found


def _values(
    table: Mapping[str, Any], filename: str, card: str, source: str
) -> Iterator[tuple[str, Value]]:
    """The values of a card; `source` is theirs, but for the names listed under another source."""
    source = table.get("source", source)
    if source not in SOURCES:
        raise BadState(f"{filename}: {card}: source is {source!r}, must be one of {SOURCES}")
    lists = {key: table[key] for key in SOURCES if isinstance(table.get(key), list)}
    elsewhere = {str(name): key for key, names in lists.items() for name in names}
    for name, value in table.items():
        if name != "source" and name not in lists:
            if not isinstance(value, int | str):
                raise BadState(f"{filename}: {card}: {name} must be a number or a text")
            yield name, Value(value, elsewhere.get(name, source))


def _check(
    fields: Mapping[str, Field], card: str, name: str, value: Printed, filename: str
) -> None:
    if name not in fields:
        raise BadState(f"{filename}: {card}: such a card has no {name}")
    if wrong := fields[name].wrong(value):
        raise BadState(f"{filename}: {card}: {name} {wrong}")


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
