"""My box: the cards that an owner has, each value with its source, changed again and again.

A box is a tuple of corrections for each game; what no correction says is as we ship it. One file
holds the boxes of all games: `[hack."elk"]`, then `strength = 5`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from companion.errors import BadState
from companion.games.api import Correction
from companion.games.cardfile import Field, Printed, Value, Values, by_key, kinds_first
from companion.words import Name, Text, text, unwritable

Box: TypeAlias = tuple[Correction, ...]
Told: TypeAlias = Mapping[str, Printed | None]
"""Field by field what is printed; None: as we ship it, after all."""

FORMAT = 1
MOST_BYTES = 1 << 20  # of a box; all cards of all games, told whole, are a tenth of it
MOST_NEW = 200  # cards that an owner adds to a game
HEAD = "# A box of table-companion: what is printed on its owner's cards.\n"


def printed_name(card: str, values: Mapping[str, Value]) -> Text:
    """The name on a card, in the reader's printing if it has two."""
    name = str(values["name"].value) if "name" in values else card
    other = str(values["japanese"].value) if "japanese" in values else name
    return text("{card}", card=Name(name, other))


def plain_key(cards: Values, name: str, _kind: str) -> str:
    """The key of a new card: out of its name, and of no card before it."""
    stem = re.sub("[^a-z0-9]+", "_", name.lower()).strip("_")[:36] or "card"
    numbers = (stem, *(f"{stem}_{n}" for n in range(2, len(cards) + 3)))
    return next(key for key in numbers if key not in cards)


@dataclass(frozen=True)
class Printing:
    """How a game's cards are printed: what a box draws, asks for and checks."""

    values: Callable[[Box, str], Values]  # (corrections, file name); raises BadState
    fields: Callable[[Mapping[str, Value]], Mapping[str, Field]]  # that such a card has
    label: Callable[[str], Text]
    says: Callable[[Mapping[str, Value], str, Printed], Text]  # a value of a field, in words
    kinds: Mapping[str, Text]  # of cards
    adds: tuple[str, ...] = ()  # kinds of which an owner may have cards that we do not know
    name: Callable[[str, Mapping[str, Value]], Text] = printed_name
    key: Callable[[Values, str, str], str] = plain_key  # (cards, name, kind) of a new card
    locked: tuple[str, ...] = ()  # sources that no owner overrules
    later: tuple[str, ...] = ("kind", "copies")  # fields that count from the next game on
    aside: tuple[str, ...] = ("name",)  # fields that are not asked for in a row
    whole: bool = False  # a card is told with all its fields
    decides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By rule the fields that it judges by: what it refuses may be otherwise in an owner's box."""
    hints: Mapping[str, Text] = field(default_factory=dict)  # what a field means, where it needs it
    place: Callable[[str], str] = lambda _name: "foot"
    """Where a field stands on the drawn card: name, icon, figure, text, edge (links), foot; `edge
    up` (a number there), or `line x` (beside the others of that line)."""


@dataclass(frozen=True, slots=True)
class Row:
    """One value of a card as a box shows it."""

    field: str
    label: Text
    value: Printed
    says: Text
    source: str
    asks: Field
    open: bool  # may an owner change it?


def rows(printing: Printing, cards: Values, card: str) -> tuple[Row, ...]:
    """All values of a card, in the order in which its kind has them."""
    values = cards[card]
    found = []
    for name, asks in printing.fields(values).items():
        now = values.get(name) or Value(asks.blank, "house")
        can = now.source not in printing.locked and len(asks.offered()) != 1
        says = printing.says(values, name, now.value)
        found.append(Row(name, printing.label(name), now.value, says, now.source, asks, can))
    return tuple(found)


def changed(printing: Printing, box: Box, card: str, told: Told | None) -> Box:
    """The box after its owner told this of a card; None: the card is as we ship it, or gone."""
    mine = {(key, name): value for key, name, value in box}
    before = printing.values(box, "box").get(card, {})
    if told is None or (told.get("kind", "") is None):
        return tuple(row for row in _rows(mine) if row[0] != card)
    if kind := told.get("kind"):
        fits = printing.fields({**before, "kind": Value(kind, "owner")})
        mine = {key: value for key, value in mine.items() if key[0] != card or key[1] in fits}
    if printing.whole:
        kept = before or {n: Value(f.blank, "") for n, f in printing.fields(_kind(told)).items()}
        mine |= {(card, name): value.value for name, value in kept.items() if name != "kind"}
        told = {name: value for name, value in told.items() if name != "kind"}
    for name, value in told.items():
        if value is None:
            mine.pop((card, name), None)
        else:
            mine[card, name] = value
    return checked(printing, _rows(mine), "box")


def new_card(
    printing: Printing, cards: Values, name: str, kind: str
) -> tuple[str, dict[str, Printed]]:
    """The key of a card that we do not know, and what is known of it so far."""
    fields = printing.fields(_kind({"kind": kind}))
    names = {one: name for one in ("name", "japanese") if one in fields}
    return printing.key(cards, name, kind), {"kind": kind, **names}


def _kind(told: Told) -> dict[str, Value]:
    return {"kind": Value(told.get("kind") or "", "owner")}


def checked(printing: Printing, box: Iterable[Correction], filename: str) -> Box:
    """The box in its order; BadState names file, card and reason where it cannot be."""
    shipped = printing.values((), filename)
    whole = kinds_first(by_key(shipped, box))
    for card, name, value in whole:
        known = shipped.get(card, {}).get(name)
        if known and known.source in printing.locked and known.value != value:
            raise BadState(
                f"{filename}: {card}: {name} is {known.value} by the {known.source}, not {value}"
            )
    if len(printing.values(whole, filename)) > len(shipped) + MOST_NEW:
        raise BadState(f"{filename}: more than {MOST_NEW} cards that we do not know")
    return whole


def together(mine: Box, theirs: Box, theirs_win: bool) -> Box:
    """Two boxes as one: where both tell a value, one of them counts."""
    first, second = (mine, theirs) if theirs_win else (theirs, mine)
    return kinds_first(_rows({row[:2]: row[2] for row in (*first, *second)}))


def _rows(values: Mapping[tuple[str, str], Printed]) -> Box:
    return tuple((card, name, value) for (card, name), value in values.items())


# --- the file ------------------------------------------------------------------------------------


def to_file(boxes: Mapping[str, Box]) -> str:
    """All boxes as one file, which `from_file` reads back."""
    lines = [HEAD, f"format = {FORMAT}", ""]
    for game, box in boxes.items():
        cards: dict[str, list[str]] = {}
        for card, name, value in box:
            said = value if isinstance(value, int) else json.dumps(value, ensure_ascii=False)
            cards.setdefault(card, []).append(f"{name} = {said}")
        for card, values in cards.items():
            lines += [f"[{game}.{json.dumps(card, ensure_ascii=False)}]", *values, ""]
    return "\n".join(lines)


def from_file(source: bytes, filename: str, printings: Mapping[str, Printing]) -> dict[str, Box]:
    """The boxes of a file, each checked; BadState names file, game, card and reason."""
    if len(source) > MOST_BYTES:
        raise BadState(f"{filename}: has {len(source)} bytes; a box has at most {MOST_BYTES}")
    found = _parsed(source, filename)
    if found.pop("format", None) != FORMAT:
        raise BadState(f"{filename}: format must be {FORMAT}: is it a box?")
    boxes = {}
    for game, cards in found.items():
        if game not in printings:
            raise BadState(f"{filename}: {game}: must be one of {', '.join(printings)}")
        box = tuple(_told(cards, f"{filename}: {game}"))
        boxes[game] = checked(printings[game], box, f"{filename}: {game}")
    return boxes


def _parsed(source: bytes, filename: str) -> dict[str, Any]:
    try:
        found = tomllib.loads(source.decode())
    except (ValueError, RecursionError) as error:  # half a letter, a long number, a deep nest
        raise BadState(f"{filename}: {str(error) or 'is nested too deep'}") from error
    if why := unwritable(found):
        raise BadState(f"{filename}: {why}")
    return found


def _told(cards: Any, where: str) -> Iterator[Correction]:
    if not isinstance(cards, dict):
        raise BadState(f"{where}: must be cards, such as [{where.split()[-1]}.elk]")
    for card, values in cards.items():
        if not isinstance(values, dict):
            raise BadState(f"{where}: {card}: must be a card, with its values under it")
        yield from ((card, name, value) for name, value in _flat(values, f"{where}: {card}"))


def _flat(values: Mapping[str, Any], where: str, path: str = "") -> Iterator[tuple[str, Printed]]:
    """`hp.start = 12` is the value `hp.start`."""
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, where, f"{path}{name}.")
        elif isinstance(value, int | str) and not isinstance(value, bool):
            yield f"{path}{name}", value
        else:
            raise BadState(f"{where}: {path}{name} must be a number or a text")
