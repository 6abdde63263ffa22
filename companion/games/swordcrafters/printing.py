"""Magic and solo cards as *My box* draws them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import combinations, product

from companion.errors import BadState
from companion.games.api import CardSet, Correction
from companion.games.box import Printing
from companion.games.cardfile import SURE, Choice, Field, Line, Number, Value, Values
from companion.games.swordcrafters.cards import METHODS, Magic, title
from companion.games.swordcrafters.cardset import (
    OWNER,
    book,
    cards_in,
    describe,
    learnt,
    own,
    to_toml,
    values_of,
)
from companion.games.swordcrafters.gems import GEMS, NAMES
from companion.games.swordcrafters.state import State
from companion.words import Text, text

METHOD_NAMES = {
    "most": text("most of them together"),
    "least": text("fewest of them together"),
    "pairs": text("pairs"),
    "triads": text("triads"),
    "difference": text("difference of the two"),
    "lead": text("first less second"),
    "two": text("most of any two"),
}
_FIELDS = {
    "kind": text("Kind"),
    "method": text("Compares"),
    "gems": text("Gems"),
    "pays": text("Points by place"),
    "slices": text("Slices"),
    "length": text("Length"),
    "runs": text("Best runs"),
}


def _gems(words: str) -> None:
    if any(word not in GEMS for word in words.split()):
        raise ValueError(f"is {words!r}, must be gems of {', '.join(GEMS)}")


def _numbers(words: str) -> None:
    if not words or not all(word.isdecimal() for word in words.split()):
        raise ValueError(f"is {words!r}, must be whole numbers with blanks between")


_SHOWN = tuple(" ".join(some) for n in range(4) for some in combinations(GEMS, n))
_PAYS = tuple(" ".join(map(str, (n, *rest))) for n in range(1, 10)
              for rest in ((), *((m,) for m in range(1, n + 1))))  # fmt: skip
_SCHEMA: dict[str, dict[str, Field]] = {
    "magic": {"method": Choice(tuple(METHODS)), "gems": Line(_gems, _SHOWN),
              "pays": Line(_numbers, _PAYS)},
    "solo": {"slices": Choice(tuple(map("".join, product("HV", repeat=4)))),
             "length": Number(1, 90), "runs": Line(_numbers), "gems": Line(_numbers)},
}  # fmt: skip


def _printed(corrections: tuple[Correction, ...], filename: str) -> Values:
    try:
        found = book(corrections)
    except BadState as wrong:
        raise BadState(str(wrong).replace("corrections", filename, 1)) from wrong
    values: Values = {}
    for card in cards_in(found):
        for where, name, value in values_of(card):
            kind = {"kind": Value(where.partition(".")[0], "rulebook")}
            values.setdefault(where, kind)[name] = Value(value, card.source)
    return values


def _title(card: str, values: Mapping[str, Value]) -> Text:
    """`1a: Most red`: the number that is ours, and what it compares."""
    if card.startswith("solo"):
        return text("Solo {card}", card=card.partition(".")[2])
    gems = tuple(str(values["gems"].value).split())
    magic = Magic("", str(values["method"].value), gems, (1,), OWNER)
    return text("{card}: {title}", card=card.partition(".")[2], title=title(magic))


def _said(_card: Mapping[str, Value], name: str, value: int | str) -> Text:
    if name == "gems" and not str(value)[:1].isdecimal():
        names = [NAMES[gem] for gem in str(value).split() if gem in NAMES]
        return reduce(lambda a, b: text("{a}, {b}", a=a, b=b), names) if names else text("none")
    return METHOD_NAMES.get(str(value)) or text("{v}", v=str(value).replace(" ", " / "))


def _new_key(cards: Values, _name: str, _kind: str) -> str:
    """A number that no card has; what is on its other face is another card."""
    numbers = (int(card[6:-1]) for card in cards if card.startswith("magic."))
    return f"magic.{max(100, *numbers) + 1}a"


PRINTING = Printing(
    values=_printed,
    fields=lambda values: _SCHEMA[str(values["kind"].value)],
    label=lambda name: _FIELDS[name],
    says=_said,
    kinds={"magic": text("Magic card"), "solo": text("Solo card")},
    adds=("magic",),
    name=_title,
    key=_new_key,
    whole=True,
    place=lambda name: {"kind": "foot", "pays": "figure", "length": "figure"}.get(name, "text"),
)


def _rests_on(state: State) -> Iterator[tuple[str, str]]:
    """Points of the magic cards, once they are counted."""
    for card in state.magic if state.phase == "over" else ():
        if card.source not in SURE:
            yield from ((f"magic.{card.key}", name) for name in ("method", "gems", "pays"))


def _in_sight(state: State, _seat: int) -> tuple[str, ...]:
    return tuple(f"magic.{card.key}" for card in state.magic)


CARDS = CardSet(describe, own, to_toml, learnt, PRINTING, in_sight=_in_sight, rests_on=_rests_on)
