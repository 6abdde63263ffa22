"""Real cardboard in card games: a card comes out of an unseen hand, and its print is compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.games.cardfile import Correction, Value


@dataclass(frozen=True, slots=True)
class Open:
    """What kind of card comes out of the hand; narrows the list of names."""

    seat: int
    kind: str


@dataclass(frozen=True, slots=True)
class Show:
    """This card comes out of the hand, for all to see."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """The shown card goes back to the hand, it cannot or shall not be played."""

    seat: int


@dataclass(frozen=True, slots=True)
class Correct:
    """Open a value of the shown card, because the print says something else."""

    seat: int
    field: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """The printed value; it stays the owner's from now on."""

    seat: int
    value: int | str


@dataclass(frozen=True, slots=True)
class Agreed:
    """The shown card may be played: `sure` if it was compared and all the rest is as printed."""

    seat: int
    sure: bool = False


CITES: Mapping[type, str] = {
    Open: "H1", Show: "H1", Withdraw: "H1", Correct: "H2", Corrected: "H2", Agreed: "H2",
}  # fmt: skip
"""The house rules that these follow, the same in every game of cardboard."""


def as_printed(
    card: str, values: Mapping[str, Value], doubtful: Iterable[str]
) -> tuple[Correction, ...]:
    """The owner has compared: what we had of the doubtful values is now his, and never asked."""
    return tuple((card, field, values[field].value) for field in doubtful)
