"""What can be done at the table of Sainome Colosseum, one small step each."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.api import Rolled, secret
from companion.games.cardgame import Agreed as Agreed
from companion.games.cardgame import Correct as Correct
from companion.games.cardgame import Corrected as Corrected
from companion.games.cardgame import Open as Open
from companion.games.cardgame import Show as Show
from companion.games.cardgame import Withdraw as Withdraw


@dataclass(frozen=True, slots=True)
class Take:
    """The winner of the roll-off takes one right: to choose first, or to begin."""

    seat: int
    what: str


@dataclass(frozen=True, slots=True)
class Choose:
    """A character, normal side up."""

    seat: int
    character: str


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The discards become the deck, first card on top; () for cardboard. Chance."""

    order: tuple[str, ...] = secret()


@dataclass(frozen=True, slots=True)
class Fated:
    """Chance names what an effect meets."""

    what: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A card of the pack goes under the own HP stack."""

    seat: int
    card: str = secret()


@dataclass(frozen=True, slots=True)
class Attach:
    """A card of the hand goes to a side of the character."""

    seat: int
    card: str
    place: int


@dataclass(frozen=True, slots=True)
class Detach:
    """While equipping: a card comes off again."""

    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class Draw:
    """Action: draw up to the hand limit."""

    seat: int


@dataclass(frozen=True, slots=True)
class Reequip:
    """Action: everything attached back to the hand, then attach anew."""

    seat: int


@dataclass(frozen=True, slots=True)
class Play:
    """Action: an instant card out of the hand."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Strike:
    """Action: attack with the die."""

    seat: int


@dataclass(frozen=True, slots=True)
class End:
    """No more actions: the trash phase."""

    seat: int


@dataclass(frozen=True, slots=True)
class Name:
    """A number named before a roll."""

    seat: int
    number: int


@dataclass(frozen=True, slots=True)
class Pick:
    """Which of two dice counts."""

    seat: int
    number: int


@dataclass(frozen=True, slots=True)
class Again:
    """A card is discarded to roll again."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Counter:
    """A counter card, before it is too late."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Guard:
    """The Sister's attached card is discarded for one damage less."""

    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class Use:
    """After a 6: a card with the 6, attached (0 to 3) or out of the hand (4)."""

    seat: int
    card: str
    place: int


@dataclass(frozen=True, slots=True)
class Next:
    """Which attached card acts now."""

    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class Discard:
    """A card of the hand: a catalyst, or in the trash phase."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Target:
    """What the effect of a card meets."""

    seat: int
    what: str = secret()  # a card out of the other's hand is nobody else's to know


@dataclass(frozen=True, slots=True)
class GoOn:
    """Nothing more: go on, pass, take the damage, done."""

    seat: int


ACTIONS = (
    Rolled, Take, Choose, Shuffled, Fated, Draft, Open, Show, Withdraw, Correct, Corrected,
    Agreed, Attach, Detach, Draw, Reequip, Play, Strike, End, Name, Pick, Again, Counter, Guard,
    Use, Next, Discard, Target, GoOn,
)  # fmt: skip
