"""Which values a card may carry: the bounds of each field, and what a panel offers for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations

from companion.games.sao.kinds import ADDITIONS, CONSUMABLES, EQUIPMENT, LEVELS, SECTIONS, Power
from companion.games.sao.patterns import VALUES, can_show, vocabulary

Printed = int | str


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number between bounds."""

    low: int
    high: int

    def check(self, value: Printed) -> str:
        """What is wrong with the value, or nothing."""
        if type(value) is not int:
            return f"is {value!r}, must be a number"
        if not self.low <= value <= self.high:
            return f"is {value}, must be {self.low} to {self.high}"
        return ""

    def offered(self, _dice: int) -> Iterable[Printed]:
        """The values that a panel offers."""
        return range(self.low, self.high + 1)


@dataclass(frozen=True, slots=True)
class Word:
    """A text that must mean something: `read` raises ValueError if it does not."""

    read: Callable[[str], object]
    words: tuple[str, ...] = ()

    def check(self, value: Printed) -> str:
        """What is wrong with the value, or nothing."""
        if not isinstance(value, str):
            return f"is {value!r}, must be a text"
        try:
            self.read(value)
        except ValueError as why:
            return str(why)
        return ""

    def offered(self, dice: int) -> Iterable[Printed]:
        """The values that a panel offers; a pattern depends on how many dice it is for."""
        return vocabulary(dice) if self.read is _pattern else self.words


Field = Number | Word


def faces(text: str) -> tuple[int, ...]:
    """The values that a face of a character die may count as."""
    if text == "portrait":
        return VALUES
    parts = text.split()
    if not parts or any(part not in "123456" or len(part) != 1 for part in parts):
        raise ValueError(f"is {text!r}, must be values from 1 to 6 or portrait")
    return tuple(sorted({int(part) for part in parts}))


def power(text: str) -> Power:
    """An ability from its text: `set 1 to 1 6`, `flip 2`, `shift`, `restore`."""
    if text in ("shift", "restore"):
        return Power(text)
    if match := re.fullmatch(r"flip ([1-8])", text):
        return Power("flip", int(match[1]))
    if match := re.fullmatch(r"set ([1-8]) to ([1-6](?: [1-6])*)", text):
        return Power("set", int(match[1]), tuple(map(int, match[2].split())))
    raise ValueError(f"is {text!r}, which is no ability")


def _one_of(*words: str) -> Word:
    def read(text: str) -> None:
        if text not in words:
            raise ValueError(f"is {text!r}, must be one of {', '.join(filter(None, words))}")

    return Word(read, words)


def _name(text: str) -> None:
    if not 1 <= len(text) <= 40 or not text.isprintable() or set(text) & set("{}"):
        raise ValueError(f"is {text!r}, must be a name of 1 to 40 letters without braces")


def _pattern(text: str) -> None:
    if not any(can_show(text, dice) for dice in range(1, 9)):
        raise ValueError(f"is {text!r}, which is an unknown pattern")


_FACES = ("portrait", *(" ".join(map(str, c)) for n in (1, 2, 3) for c in combinations(VALUES, n)))
_ABILITIES = ("set 1 to 1 6", "set 1 to 6", "set 2 to 5", "set 2 to 2", "flip 1", "flip 2", "shift",
              "restore")  # fmt: skip
_FLAG = Number(0, 1)
_LEVEL = _one_of(*LEVELS)
NAME = Word(_name)

SCHEMA: dict[str, dict[str, Field]] = {
    "uses": {f"{level}.{n}": Number(0, 9) for level in LEVELS for n in (2, 3, 4)},
    "shield": {"absorbs": Number(1, 99)},
    "support": {"name": NAME, "uses": Number(1, 9)},
    "character": {
        "name": NAME,
        **{f"hp.{level}": Number(1, 99) for level in LEVELS},
        "ability": Word(power, _ABILITIES),
        "face.#": Word(faces, _FACES),
        "skill#.name": NAME,
        "skill#.level": _LEVEL,
        "skill#.dice": Number(1, 8),
        "skill#.pattern": Word(_pattern),
        "skill#.damage": Number(0, 99),
        "skill#.piercing": Number(0, 99),
        "skill#.healing": Number(0, 99),
        "skill#.addition": _one_of(*ADDITIONS),
    },
    "scenario": {
        "name": NAME,
        "section": _one_of(*SECTIONS),
        "main": Number(1, 4),
        "support": Number(1, 4),
        "hurts": Number(0, 99),
        "bleeds": Number(0, 99),
        "step#.name": NAME,
        "step#.hp": Number(1, 199),
        "step#.damage": Number(0, 99),
        "step#.defense": Number(0, 99),
        "step#.aoe": _FLAG,
        "step#.rerolls": Number(0, 2),
        "step#.abilities": _FLAG,
        "step#.consumables": _FLAG,
    },
    "item": {
        "name": NAME,
        "copies": Number(1, 8),
        "effect": _one_of(*EQUIPMENT, *CONSUMABLES),
        "amount": Number(0, 99),
    },
}


_NUMBERED = re.compile(r"(?<=^skill)[1-8](?=\.)|(?<=^step)[1-6](?=\.)|(?<=^face\.)[1-6]$")


def field(kind: str, name: str) -> Field | None:
    """The field of this name on a card of this kind, or None if such a card has none."""
    return SCHEMA[kind].get(_NUMBERED.sub("#", name))
