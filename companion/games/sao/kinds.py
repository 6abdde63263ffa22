"""What is printed on the cards: characters, scenarios, items, and the few numbers beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.cardfile import Value

LEVELS = ("start", "level50", "level80")
SECTIONS = ("lower", "middle", "upper", "final")
ADDITIONS = ("", "+2", "x2", "shield", "control")
EQUIPMENT = ("armour", "reroll", "edge")
CONSUMABLES = ("ability", "heal", "revive")

Key = tuple[str, str]
"""A value's address: card and field, as in `("kirito", "skill2.damage")`."""


@dataclass(frozen=True, slots=True)
class Skill:
    """A sword skill: the dice it asks for and what it does."""

    name: str
    level: int  # 0 start, 1 level 50, 2 level 80
    dice: int
    pattern: str
    damage: int
    piercing: int = 0
    healing: int = 0
    addition: str = ""


@dataclass(frozen=True, slots=True)
class Power:
    """A character's ability: `set` up to `dice` dice to a value of `to`, flip, shift, restore."""

    kind: str
    dice: int = 0
    to: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Character:
    """A character card and its die."""

    key: str
    name: str
    hp: tuple[int, ...]  # by level
    power: Power
    skills: tuple[Skill, ...]
    faces: tuple[tuple[int, ...], ...]  # what each face of the die may count as (R48, R49)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a scenario."""

    name: str
    hp: int
    damage: int
    defense: int = 0
    aoe: bool = False
    rerolls: int = 2
    abilities: bool = True
    consumables: bool = True


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario card. `hurts` Kirito and `bleeds` the enemy at the start of every turn."""

    key: str
    name: str
    section: int
    main: int
    support: int
    steps: tuple[Step, ...]
    hurts: int = 0
    bleeds: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """An item card."""

    key: str
    name: str
    copies: int
    effect: str
    amount: int

    @property
    def equipment(self) -> bool:
        """Worn by one character for good, not used up."""
        return self.effect in EQUIPMENT


@dataclass(frozen=True, slots=True)
class Cards:
    """All cards of the box; `values` holds each printed value with its source."""

    characters: Mapping[str, Character]
    scenarios: Mapping[str, Scenario]
    items: Mapping[str, Item]
    uses: tuple[tuple[int, ...], ...]  # by level, then by 2, 3 or 4 characters
    yui: int  # how often she helps
    shield: int  # how much damage the shield token stops
    values: Mapping[Key, Value]

    def section(self, number: int) -> tuple[str, ...]:
        """The scenario cards of one section."""
        return tuple(key for key, card in self.scenarios.items() if card.section == number)

    def house(self, card: str, field: str = "") -> bool:
        """Is this value (or any number of this card) our own rather than the printed one?"""
        if field:
            value = self.values.get((card, field))
            return value is not None and value.source == "house"
        return any(
            value.source == "house" and not name.endswith("name")
            for (key, name), value in self.values.items()
            if key == card
        )
