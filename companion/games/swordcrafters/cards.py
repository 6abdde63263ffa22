"""Magic and solo cards as data: what they compare, what they pay, where the figures come from."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from companion.errors import BadState
from companion.games.cardfile import SOURCES
from companion.games.swordcrafters.gems import GEMS, NAMES
from companion.words import Text, text

FACES = ("a", "b")  # beginner and intermediate side
METHODS: dict[str, tuple[int, ...]] = {  # how many gems such a card may show
    "most": (1, 2, 3),  # of all shown, together
    "least": (1, 2, 3),
    "pairs": (1, 2),  # two gems: a pair is one of each; one gem: two of it (S-H7)
    "triads": (1, 3),  # three gems: one of each; one gem: three of it
    "difference": (2,),  # between the two counts, whichever is larger
    "lead": (2,),  # the first gem's count less the second's: signed, unlike S-H7
    "two": (0,),  # the two gems that the sword has most of, together
}
FEWEST = ("least",)
COMPARED = ("pairs", "triads", "difference")
"""Methods that the rulebook names and does not explain: S-H7 does."""
MOST_PLACES, MOST_POINTS = 3, 12


@dataclass(frozen=True, slots=True)
class Magic:
    """One face of a magic card; `pays` are the points of the first, second, third place."""

    key: str
    method: str
    gems: tuple[str, ...]
    pays: tuple[int, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Solo:
    """A solo card: four slices, and the sword it brings as an opponent."""

    key: str
    slices: str
    length: int
    runs: tuple[int, ...]
    gems: tuple[int, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Book:
    """Every card that can come to the table."""

    magic: tuple[Magic, ...]
    solo: tuple[Solo, ...]


def relevant(card: Magic, counts: tuple[int, ...]) -> int:
    """The figure that a card compares, out of a sword's gems (S-R30, S-H7)."""
    shown = [counts[GEMS.index(gem)] for gem in card.gems]
    match card.method:
        case "most" | "least":
            return sum(shown)
        case "pairs":
            return min(shown) if len(shown) > 1 else shown[0] // 2
        case "triads":
            return min(shown) if len(shown) > 1 else shown[0] // 3
        case "difference":
            return abs(shown[0] - shown[1])
        case "lead":
            return shown[0] - shown[1]
    return sum(sorted(counts)[-2:])


def title(card: Magic) -> Text:
    """What the card says, short enough for a row of the glass."""
    if not card.gems:
        return text("Most of any 2")
    names = NAMES[card.gems[0]]
    for gem in card.gems[1:]:
        names = text("{some}+{more}", some=names, more=NAMES[gem])
    match card.method:
        case "most":
            return text("Most {gems}", gems=names)
        case "least":
            return text("Least {gems}", gems=names)
        case "pairs":
            return text("Pairs {gems}", gems=names)
        case "triads":
            return text("Triads {gems}", gems=names)
        case "difference":
            return text("Difference {gems}", gems=names)
    first, second = (NAMES[gem] for gem in card.gems)
    return text("{a} less {b}", a=first, b=second)


def pays(card: Magic) -> Text:
    """The points by place, and whose figures they are."""
    points = "/".join(str(points) for points in card.pays)
    if card.source == "house":
        return text("{points} VP, house card", points=points)
    return text("{points} VP", points=points)


def flaw(card: Magic) -> str:
    """Why this cannot be a magic card; "" if it can."""
    if card.method not in METHODS:
        return f"method must be one of {', '.join(METHODS)}"
    if any(gem not in GEMS for gem in card.gems) or len(set(card.gems)) < len(card.gems):
        return f"gems must be different ones of {', '.join(GEMS)}"
    if len(card.gems) not in METHODS[card.method]:
        wanted = " or ".join(map(str, METHODS[card.method]))
        return f"{card.method} shows {wanted} gems, not {len(card.gems)}"
    if not card.pays or card.pays[0] < 1:
        return "a card pays at least the first place"
    if len(card.pays) > MOST_PLACES:
        return f"a card pays at most {MOST_PLACES} places, not {len(card.pays)}"
    if min(card.pays) < 1 or max(card.pays) > MOST_POINTS:
        return f"a paying place pays 1 to {MOST_POINTS} points"
    if list(card.pays) != sorted(card.pays, reverse=True):
        return "a later place pays no more than an earlier one"
    return "" if card.source in SOURCES else f"source must be one of {', '.join(SOURCES)}"


def solo_flaw(card: Solo) -> str:
    """Why this cannot be a solo card; "" if it can."""
    if len(card.slices) != 4 or set(card.slices) != {"H", "V"}:
        return "slices are four letters H and V, both among them"
    if not 1 <= card.length <= 90:
        return "length is 1 to 90 tiles"
    if len(card.runs) != 4 or not all(0 <= run <= card.length + 1 for run in card.runs):
        return "runs are the best runs of four sides"
    if len(card.gems) != len(GEMS) or not all(0 <= n <= card.length + 2 for n in card.gems):
        return f"gems are six counts: {', '.join(GEMS)}"
    return "" if card.source in SOURCES else f"source must be one of {', '.join(SOURCES)}"


def parse(source: str, filename: str, default: str = "house") -> Book:
    """A card file; BadState names file, card and reason."""
    try:
        tables = tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        raise BadState(f"{filename}: {error}") from error
    for name in tables:
        if name not in ("magic", "solo"):
            raise BadState(f"{filename}: {name}: a card is [magic.KEY] or [solo.KEY]")
    magic = tuple(_magic(*item, filename, default) for item in _items(tables, "magic", filename))
    solo = tuple(_solo(*item, filename, default) for item in _items(tables, "solo", filename))
    return Book(magic, solo)


@cache
def shipped() -> Book:
    """The cards that come with the companion."""
    return parse(files(__package__).joinpath("cards.toml").read_text("utf-8"), "cards.toml")


def _items(
    tables: Mapping[str, Any], kind: str, filename: str
) -> Iterable[tuple[str, dict[str, Any]]]:
    cards = tables.get(kind, {})
    if not isinstance(cards, dict) or not all(isinstance(one, dict) for one in cards.values()):
        raise BadState(f"{filename}: {kind}: a card is [{kind}.KEY]")
    return cards.items()


def _magic(key: str, table: dict[str, Any], filename: str, default: str) -> Magic:
    _known(f"magic.{key}", table, {"method", "gems", "pays"}, filename)
    if not key[:-1].isdecimal() or key[-1] not in FACES:
        raise BadState(f"{filename}: magic.{key}: the key is a number and a or b")
    card = Magic(
        key,
        str(table["method"]),
        tuple(map(str, _list(table["gems"]))),
        _ints(table["pays"], f"{filename}: magic.{key}: pays"),
        str(table.get("source", default)),
    )
    if why := flaw(card):
        raise BadState(f"{filename}: magic.{key}: {why}")
    return card


def _solo(key: str, table: dict[str, Any], filename: str, default: str) -> Solo:
    where = f"{filename}: solo.{key}"
    _known(f"solo.{key}", table, {"slices", "length", "runs", "gems"}, filename)
    card = Solo(
        key,
        str(table["slices"]),
        _ints([table["length"]], f"{where}: length")[0],
        _ints(table["runs"], f"{where}: runs"),
        _ints(table["gems"], f"{where}: gems"),
        str(table.get("source", default)),
    )
    if why := solo_flaw(card):
        raise BadState(f"{where}: {why}")
    return card


def _known(card: str, table: dict[str, Any], wanted: set[str], filename: str) -> None:
    for missing in sorted(wanted - table.keys()):
        raise BadState(f"{filename}: {card}: {missing} is missing")
    for odd in sorted(table.keys() - wanted - {"source"}):
        raise BadState(f"{filename}: {card}: there is no {odd}")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _ints(value: Any, where: str) -> tuple[int, ...]:
    numbers = _list(value)
    if any(type(number) is not int for number in numbers):
        raise BadState(f"{where}: whole numbers, not {value!r}")
    return tuple(numbers)
