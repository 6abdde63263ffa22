"""Reads card files: the shipped one, and the owner's own values that are laid over it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from companion.errors import BadState
from companion.games.cardfile import (
    CARD_KEY,
    KEY_RULE,
    SOURCES,
    Correction,
    Value,
    kinds_first,
    tables,
)
from companion.games.sao.fields import (
    ADDS,
    PATTERN,
    SCHEMA,
    blanks,
    faces,
    field,
    power,
    step_blanks,
)
from companion.games.sao.kinds import (
    LEVELS,
    SECTIONS,
    Cards,
    Character,
    Item,
    Key,
    Scenario,
    Skill,
    Step,
)
from companion.games.sao.patterns import blocks, can_show, vocabulary

Row = tuple[str, str, str, str]


@cache
def shipped() -> Cards:
    """The cards that come with the companion."""
    return parse(files(__package__).joinpath("cards.toml").read_text("utf-8"), "cards.toml")


def deck(corrections: tuple[Correction, ...]) -> Cards:
    """The shipped cards with the owner's values laid over them."""
    return merge(shipped(), corrections)


def owners(corrections: Iterable[Correction]) -> None:
    """Raise BadState on a correction of what the rulebook or the publisher says (H1)."""
    for card, name, value in corrections:
        known = shipped().values.get((card, name))
        if known and known.source in ("rulebook", "faq") and known.value != value:
            raise BadState(f"{card}: {name} is {known.value} by the {known.source}, not {value}")


def parse(text: str, filename: str) -> Cards:
    """A whole set of cards; BadState names file, card and reason."""
    kinds: dict[str, str] = {}
    values: dict[Key, Value] = {}
    for card, table in tables(text, filename).items():
        kind = table.pop("kind", None)
        if not isinstance(kind, str) or kind not in SCHEMA:
            raise BadState(f"{filename}: {card}: kind must be one of {', '.join(SCHEMA)}")
        kinds[card] = kind
        for name, value in _flat(table, "", "house", filename, card):
            _check(kind, card, name, value.value, filename)
            values[card, name] = value
    return _built(kinds, values, filename, {})


def own(text: str, filename: str, cards: Cards) -> tuple[Correction, ...]:
    """The owner's file: some values of some cards, checked against the set they correct."""
    found: list[Correction] = []
    known = kinds_of(cards)
    for card, table in tables(text, filename).items():
        if card in known:
            table.pop("kind", None)
        for name, value in _flat(table, "", "owner", filename, card):
            found.append((card, name, value.value))
    rows = kinds_first(found)
    merge(cards, rows, filename)
    return rows


def merge(cards: Cards, corrections: Iterable[Correction], filename: str = "corrections") -> Cards:
    """The cards with these values laid over them, each now the owner's; BadState if it can't be."""
    kinds = kinds_of(cards)
    values = dict(cards.values)
    changed = set()
    for card, name, value in corrections:
        if name == "kind":
            _make(kinds, values, card, value, filename)
        elif card not in kinds:
            raise BadState(f"{filename}: {card}: there is no such card; a new one needs its kind")
        else:
            _check(kinds[card], card, name, value, filename)
            values[card, name] = Value(value, "owner")
        changed.add(card)
    if not changed:
        return cards
    for card in changed:
        _step_by_step(values, card)
    same = {**cards.characters, **cards.scenarios, **cards.items}
    for card in changed:
        same.pop(card, None)
    return _built(kinds, values, filename, same)


def _make(
    kinds: dict[str, str], values: dict[Key, Value], card: str, kind: int | str, filename: str
) -> None:
    """A card that we do not know: house values, until its owner has told them."""
    if kinds.get(card) == kind:
        return
    if card in kinds or kind not in ADDS:
        raise BadState(f"{filename}: {card}: kind must be {kinds.get(card) or ' or '.join(ADDS)}")
    if not CARD_KEY.fullmatch(card):
        raise BadState(f"{filename}: {card}: {KEY_RULE}")
    kinds[card] = str(kind)
    values |= {(card, name): Value(value, "house") for name, value in blanks(str(kind)).items()}
    values[card, "name"] = Value(card, "house")


def _step_by_step(values: dict[Key, Value], card: str) -> None:
    """As many steps as the card has: new ones are ours until told, those behind are gone."""
    if (card, "steps") not in values:
        return
    count = int(values[card, "steps"].value)
    for at in (f"step{n}" for n in range(1, count + 1)):
        for name, value in step_blanks(at).items():
            values.setdefault((card, name), Value(value, "house"))
    for n in range(count + 1, 7):
        for key in [key for key in values if key[0] == card and key[1].startswith(f"step{n}.")]:
            del values[key]


def describe(cards: Cards) -> tuple[Row, ...]:
    """Every value with its source, as rows of card, field, value, source."""
    return tuple(
        (card, name, str(value.value), value.source) for (card, name), value in cards.values.items()
    )


def offered(cards: Cards, card: str, name: str) -> tuple[int | str, ...]:
    """The values that a panel offers for a field, the present one first and the rest in order."""
    known = field(kinds_of(cards).get(card, "uses"), name)
    if known is None:
        return ()
    dice = cards.values.get((card, f"{name.partition('.')[0]}.dice"), Value(1, ""))
    every = tuple(vocabulary(int(dice.value))) if known is PATTERN else known.offered()
    if name.endswith(".dice"):  # as many as can show the skill's pattern
        pattern = str(cards.values[card, f"{name.partition('.')[0]}.pattern"].value)
        every = tuple(n for n in every if can_show(pattern, int(n)))
    now = cards.values.get((card, name))
    at = every.index(now.value) if now is not None and now.value in every else 0
    return every[at:] + every[:at]


def _flat(
    table: Mapping[str, Any], path: str, source: str, filename: str, card: str
) -> Iterator[tuple[str, Value]]:
    """The values of a card by dotted name, each with its source."""
    source = table.get("source", source)
    lists = {key: table[key] for key in SOURCES if isinstance(table.get(key), list)}
    if source not in SOURCES:
        raise BadState(f"{filename}: {card}: source is {source!r}, must be one of {SOURCES}")
    named = {str(name): key for key, names in lists.items() for name in names}
    for key, value in table.items():
        if key == "source" or key in lists:
            continue
        name = f"{path}{key}"
        if isinstance(value, dict):
            for inner, deep in _flat(value, f"{name}.", source, filename, card):
                yield inner, Value(deep.value, named.get(inner, deep.source))
        else:
            yield name, Value(value, named.get(key, source))


def _check(kind: str, card: str, name: str, value: int | str, filename: str) -> None:
    known = field(kind, name)
    if known is None:
        raise BadState(f"{filename}: {card}: a {kind} has no {name}")
    if wrong := known.wrong(value):
        raise BadState(f"{filename}: {card}: {name} {wrong}")


def kinds_of(cards: Cards) -> dict[str, str]:
    """The kind of each card."""
    kinds = dict.fromkeys(cards.characters, "character")
    kinds |= dict.fromkeys(cards.scenarios, "scenario") | dict.fromkeys(cards.items, "item")
    return kinds | {"uses": "uses", "shield": "shield", "yui": "support"}


def _built(
    kinds: Mapping[str, str], values: dict[Key, Value], filename: str, same: Mapping[str, Any]
) -> Cards:
    """The typed cards over flat values, `same` being done already; a missing value is named."""

    def get(card: str, name: str, default: Any = None) -> Any:
        value = values.get((card, name))
        if value is not None:
            return value.value
        if default is None:
            raise BadState(f"{filename}: {card}: {name} is missing")
        return default

    def parts(card: str, prefix: str) -> list[str]:
        """`step1`, `step2` …: the numbered parts of a card, without a gap."""
        found = {name.partition(".")[0] for key, name in values if key == card}
        numbered = sorted(
            part for part in found if part.startswith(prefix) and part[-1].isdecimal()
        )
        if not numbered or numbered[-1] != f"{prefix}{len(numbered)}":
            raise BadState(f"{filename}: {card}: needs {prefix}1 and no gap after it")
        return numbered

    def skill(card: str, at: str) -> Skill:
        dice, pattern = get(card, f"{at}.dice"), get(card, f"{at}.pattern")
        try:
            blocks(pattern, dice)
        except ValueError as why:
            raise BadState(f"{filename}: {card}: {at}.pattern: {why}") from why
        return Skill(
            get(card, f"{at}.name"), LEVELS.index(get(card, f"{at}.level")), dice, pattern,
            get(card, f"{at}.damage"), get(card, f"{at}.piercing", 0),
            get(card, f"{at}.healing", 0), get(card, f"{at}.addition", ""),
        )  # fmt: skip

    def character(card: str) -> Character:
        return Character(
            card,
            get(card, "name"),
            tuple(get(card, f"hp.{level}") for level in LEVELS),
            power(get(card, "ability")),
            tuple(skill(card, at) for at in parts(card, "skill")),
            tuple(faces(get(card, f"face.{n}")) for n in range(1, 7)),
        )

    def step(card: str, at: str) -> Step:
        return Step(
            get(card, f"{at}.name", ""), get(card, f"{at}.hp"), get(card, f"{at}.damage"),
            get(card, f"{at}.defense", 0), bool(get(card, f"{at}.aoe", 0)),
            get(card, f"{at}.rerolls", 2), bool(get(card, f"{at}.abilities", 1)),
            bool(get(card, f"{at}.consumables", 1)),
        )  # fmt: skip

    def scenario(card: str) -> Scenario:
        return Scenario(
            card, get(card, "name"), SECTIONS.index(get(card, "section")), get(card, "main"),
            get(card, "support"), tuple(step(card, at) for at in parts(card, "step")),
            get(card, "hurts", 0), get(card, "bleeds", 0),
        )  # fmt: skip

    def item(card: str) -> Item:
        names = ("name", "copies", "effect", "amount")
        return Item(card, *(get(card, name) for name in names))

    def of(kind: str, make: Any) -> Mapping[str, Any]:
        return MappingProxyType(
            {card: same.get(card) or make(card) for card, k in kinds.items() if k == kind}
        )

    cards = Cards(
        of("character", character), of("scenario", scenario), of("item", item),
        tuple(tuple(get("uses", f"{level}.{n}") for n in (2, 3, 4)) for level in LEVELS),
        get("yui", "uses"), get("shield", "absorbs"), MappingProxyType(values),
    )  # fmt: skip
    if "kirito" not in cards.characters:
        raise BadState(f"{filename}: kirito: must be among the characters")
    for number, section in enumerate(SECTIONS):
        if not cards.section(number):
            raise BadState(f"{filename}: no card of the {section} section")
    for key in cards.section(3):
        if len(cards.scenarios[key].steps) != 2:
            raise BadState(f"{filename}: {key}: the final battle has 2 steps")
    return cards
