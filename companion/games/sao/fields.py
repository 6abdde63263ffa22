"""Which values a card of Sword of Fellows may carry."""

from __future__ import annotations

import re
from itertools import combinations

from companion.games.cardfile import Choice, Field, Line, Number, Printed, name_of_a_card
from companion.games.sao.kinds import ADDITIONS, CONSUMABLES, EQUIPMENT, LEVELS, SECTIONS, Power
from companion.games.sao.patterns import VALUES, can_show


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


def _pattern(text: str) -> None:
    if not any(can_show(text, dice) for dice in range(1, 9)):
        raise ValueError(f"is {text!r}, which is an unknown pattern")


_FACES = ("portrait", *(" ".join(map(str, c)) for n in (1, 2, 3) for c in combinations(VALUES, n)))
_ABILITIES = ("set 1 to 1 6", "set 1 to 6", "set 2 to 5", "set 2 to 2", "flip 1", "flip 2", "shift",
              "restore")  # fmt: skip
_FLAG = Number(0, 1)
_LEVEL = Choice(LEVELS)
NAME = Line(name_of_a_card)
PATTERN = Line(_pattern)
"""What a panel offers for it depends on how many dice it is for."""

SCHEMA: dict[str, dict[str, Field]] = {
    "uses": {f"{level}.{n}": Number(0, 9) for level in LEVELS for n in (2, 3, 4)},
    "shield": {"absorbs": Number(1, 99)},
    "support": {"name": NAME, "uses": Number(1, 9)},
    "character": {
        "name": NAME,
        **{f"hp.{level}": Number(1, 99) for level in LEVELS},
        "ability": Line(power, _ABILITIES),
        "face.#": Line(faces, _FACES),
        "skill#.name": NAME,
        "skill#.level": _LEVEL,
        "skill#.dice": Number(1, 8),
        "skill#.pattern": PATTERN,
        "skill#.damage": Number(0, 99),
        "skill#.piercing": Number(0, 99),
        "skill#.healing": Number(0, 99),
        "skill#.addition": Choice(ADDITIONS),
    },
    "scenario": {
        "name": NAME,
        "section": Choice(SECTIONS),
        "step#.name": NAME,
        "step#.hp": Number(1, 199, 20),
        "step#.damage": Number(0, 99, 2),
        "step#.defense": Number(0, 99),
        "step#.aoe": _FLAG,
        "step#.rerolls": Number(0, 2),
        "step#.abilities": _FLAG,
        "step#.consumables": _FLAG,
        "steps": Number(1, 6),
        "main": Number(1, 4, 3),
        "support": Number(1, 4, 3),
        "hurts": Number(0, 99),
        "bleeds": Number(0, 99),
    },
    "item": {
        "name": NAME,
        "copies": Number(1, 8),
        "effect": Choice((*EQUIPMENT, *CONSUMABLES)),
        "amount": Number(0, 99, 1),
    },
}
ADDS = ("scenario", "item")
"""Cards of which an owner may have more: a character would need a die that the hub knows."""


def blanks(kind: str) -> dict[str, Printed]:
    """A card of this kind that nobody has told us of, but for its name."""
    needed = {
        "scenario": ("section", "main", "support", "steps"),
        "item": ("copies", "effect", "amount"),
    }
    return {name: SCHEMA[kind][name].blank for name in needed[kind]}


def step_blanks(at: str) -> dict[str, Printed]:
    """A step of a scenario that nobody has told us of."""
    return {f"{at}.{name}": SCHEMA["scenario"][f"step#.{name}"].blank for name in ("hp", "damage")}


_NUMBERED = re.compile(r"(?<=^skill)[1-8](?=\.)|(?<=^step)[1-6](?=\.)|(?<=^face\.)[1-6]$")


def field(kind: str, name: str) -> Field | None:
    """The field of this name on a card of this kind, or None if such a card has none."""
    return SCHEMA[kind].get(_NUMBERED.sub("#", name))
