"""The cards of Sword of Fellows as *My box* draws them: every value of every numbered part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from companion.games.box import Box, Printing
from companion.games.cardfile import SURE, Field, Line, Printed, Value, Values
from companion.games.sao.cards import kinds_of, merge, owners, shipped
from companion.games.sao.fields import ADDS, PATTERN, SCHEMA, field
from companion.games.sao.kinds import Cards
from companion.games.sao.patterns import vocabulary
from companion.games.sao.phrases import card_name, field_name, printed, value_name
from companion.games.sao.state import State
from companion.words import Text, text


def _values(box: Box, filename: str) -> Values:
    cards = merge(shipped(), box, filename)
    owners(box)
    known = kinds_of(shipped())
    found: Values = {}
    for card, kind in kinds_of(cards).items():
        found[card] = {"kind": Value(kind, "rulebook" if card in known else "owner")}
        found[card] |= {name: printed(cards, card, name) for name in _names(cards, card, kind)}
        if kind == "scenario" and (card, "steps") not in cards.values:
            found[card]["steps"] = Value(len(cards.scenarios[card].steps), "fan")
    return found


def _names(cards: Cards, card: str, kind: str) -> Iterator[str]:
    """Each field that such a card can have, of each numbered part that this one has."""
    have = [name for key, name in cards.values if key == card]
    for name in SCHEMA[kind]:
        if "#" not in name:
            yield name
            continue
        before, after = name.split("#")
        numbers = {m[1] for one in have if (m := re.match(rf"{before}(\d)", one))}
        every = (f"{before}{n}{after}" for n in sorted(numbers))
        yield from (one for one in every if after != ".name" or one in have)  # some have none


def _fields(values: Mapping[str, Value]) -> dict[str, Field]:
    found = {}
    kind = str(values["kind"].value)
    for name in values if len(values) > 1 else (one.replace("#", "1") for one in SCHEMA[kind]):
        asks = field(kind, name)
        if asks is PATTERN:  # what it can be depends on the dice that it is for
            dice = int(values[f"{name.partition('.')[0]}.dice"].value)
            asks = Line(PATTERN.read, tuple(vocabulary(dice)))
        if asks is not None:
            found[name] = asks
    return found


def _says(values: Mapping[str, Value], name: str, value: Printed) -> Text:
    return value_name(_Card(values), "", name, value)


def _name(card: str, values: Mapping[str, Value]) -> Text:
    return Text(str(values["name"].value)) if "name" in values else card_name(shipped(), card)


def _place(name: str) -> str:
    first, _, second = name.partition(".")
    if second and first[-1].isdecimal():  # what belongs to a step or a skill stands in its line
        return f"line {first}"
    if first == "face":
        return "line face"
    places = {"name": "name", "ability": "text", "effect": "text", "section": "foot"}
    return places.get(first, "foot" if first in ("copies", "kind", "steps") else "figure")


class _Card:
    """One card, as `value_name` looks things up."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self.values = {("", name): value for name, value in values.items()}


def in_sight(state: State, _seat: int) -> tuple[str, ...]:
    """The scenario, those who fight it, what they have."""
    heroes, kit = (hero.key for hero in state.heroes), (owned.item for owned in state.kit)
    return (state.scenario, *heroes, *kit)


def rests_on(state: State) -> tuple[tuple[str, str], ...]:
    """The values, not sure yet, by which the blow and the counterattack are judged."""
    if not state.scenario or state.phase not in ("skills", "effect", "counter", "fallen", "over"):
        return ()
    names = ("hp", "damage", "defense", "aoe")
    found = [(state.scenario, f"step{state.step + 1}.{name}") for name in names]
    known = state.cards.values
    return tuple(one for one in found if one in known and known[one].source not in SURE)


PRINTING = Printing(
    values=_values,
    fields=_fields,
    label=field_name,
    says=_says,
    kinds={
        "character": text("Characters"),
        "scenario": text("Scenarios"),
        "item": text("Items"),
        "support": text("Yui"),
        "shield": text("Shield"),
        "uses": text("Ability uses"),
    },
    adds=ADDS,
    place=_place,
    name=_name,
    locked=("rulebook", "faq"),
    later=("kind", "copies", "section", "steps"),
)
