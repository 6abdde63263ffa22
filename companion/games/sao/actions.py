"""The moves of Sword of Fellows. `who` is always a character, by its place at the table."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.api import Rolled
from companion.games.sao.assign import Uses


@dataclass(frozen=True, slots=True)
class Play:
    """Choose a character at the set-up."""

    seat: int
    character: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """The companion turns up a scenario or an item."""

    card: str


@dataclass(frozen=True, slots=True)
class Told:
    """A player tells which cardboard scenario or item was turned up."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Correct:
    """Open one value of a card, because the printed card says something else."""

    seat: int
    card: str
    field: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """The printed value; it stays the owner's from now on."""

    seat: int
    card: str
    field: str
    value: int | str


@dataclass(frozen=True, slots=True)
class Agreed:
    """The cards on the table are as shown."""

    seat: int


@dataclass(frozen=True, slots=True)
class Chain:
    """The turn player names the chaining partner."""

    seat: int
    who: int


@dataclass(frozen=True, slots=True)
class Lay:
    """Kirito, alone, lays down the next support die with a value of his choice."""

    seat: int
    value: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """Throw the character die of `who` in place of a regular die."""

    seat: int
    who: int


@dataclass(frozen=True, slots=True)
class Mark:
    """Lay a finger on a die: for throwing again, for an ability, for a skill."""

    seat: int
    die: int


@dataclass(frozen=True, slots=True)
class Again:
    """The pair agreed to throw these dice again, named in whatever order."""

    seat: int
    dice: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", tuple(sorted(self.dice)))


@dataclass(frozen=True, slots=True)
class Ability:
    """Use a character's ability. `to` is the new value, the step up or down, or the one helped."""

    seat: int
    who: int
    dice: tuple[int, ...]
    to: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", tuple(sorted(self.dice)))


@dataclass(frozen=True, slots=True)
class Control:
    """Spend the die-control token: one of the holder's dice shows what he wants."""

    seat: int
    die: int
    to: int


@dataclass(frozen=True, slots=True)
class Consume:
    """Use up an item for a character."""

    seat: int
    item: str
    who: int


@dataclass(frozen=True, slots=True)
class Stand:
    """The dice stay as they are; now for the sword skills, one by one."""

    seat: int


@dataclass(frozen=True, slots=True)
class Strike:
    """A whole answer: the dice stay and trigger these sword skills, named in whatever order."""

    seat: int
    uses: Uses

    def __post_init__(self) -> None:
        if all(isinstance(use, tuple) and len(use) == 2 for use in self.uses):
            uses = sorted((skill, tuple(sorted(dice))) for skill, dice in self.uses)
            object.__setattr__(self, "uses", tuple(uses))


@dataclass(frozen=True, slots=True)
class Trigger:
    """One sword skill, paid with these dice."""

    seat: int
    skill: int
    dice: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", tuple(sorted(self.dice)))


@dataclass(frozen=True, slots=True)
class Finish:
    """No more sword skills this turn."""

    seat: int


@dataclass(frozen=True, slots=True)
class Target:
    """Who is healed, or who gets the addition token."""

    seat: int
    who: int


@dataclass(frozen=True, slots=True)
class Forgo:
    """Do without: nobody healed, no token given, no Yui, no revival."""

    seat: int


@dataclass(frozen=True, slots=True)
class Yui:
    """Yui turns the counterattack back on the enemy."""

    seat: int


@dataclass(frozen=True, slots=True)
class Give:
    """A piece of equipment goes to a character."""

    seat: int
    item: str
    who: int


@dataclass(frozen=True, slots=True)
class Onward:
    """Done with the loot: level up, heal, next scenario."""

    seat: int


ACTIONS: tuple[type, ...] = (
    Play, Drawn, Told, Correct, Corrected, Agreed, Chain, Lay, Exchange, Rolled, Mark, Again,
    Ability, Control, Consume, Stand, Strike, Trigger, Finish, Target, Forgo, Yui, Give, Onward,
)  # fmt: skip
