"""What can be done at the table of .hack//ENEMY, one small step each."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.api import secret
from companion.games.cardgame import Agreed as Agreed
from companion.games.cardgame import Correct as Correct
from companion.games.cardgame import Corrected as Corrected
from companion.games.cardgame import Open as Open
from companion.games.cardgame import Show as Show
from companion.games.cardgame import Withdraw as Withdraw


@dataclass(frozen=True, slots=True)
class Cut:
    """The companion cuts both decks to a card: the higher destiny goes first."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A side's discard pile becomes its deck, first card on top; () for cardboard."""

    side: int
    order: tuple[str, ...] = secret()


@dataclass(frozen=True, slots=True)
class Destiny:
    """A seat tells the destiny number of the cardboard that it turned up."""

    seat: int
    number: int


@dataclass(frozen=True, slots=True)
class Discard:
    """Reconcile: one card too many goes from the hand to the discard pile."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class DiscardHand:
    """The first turn's play, instead of a card."""

    seat: int


@dataclass(frozen=True, slots=True)
class PlayPC:
    """A PC comes to the table; `replaces` is the PC that makes room, "" for a free place."""

    seat: int
    card: str
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class PlayItem:
    """A PC bears an item; one of the same subtype makes room."""

    seat: int
    card: str
    pc: str


@dataclass(frozen=True, slots=True)
class Attack:
    """A monster is played and attacks."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Store:
    """A storable monster is played to the portal."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Hide:
    """Any card is played face down; a real one is "?"."""

    seat: int
    card: str = secret()


@dataclass(frozen=True, slots=True)
class Sacrifice:
    """The sixth hidden card is laid: one of the five before it (from 0) goes."""

    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class Join:
    """A monster of the portal joins the attack by its text."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Ready:
    """Done with this step: joining, placing monsters, flipping, rewards."""

    seat: int


@dataclass(frozen=True, slots=True)
class Avoid:
    """The defender avoids the whole attack."""

    seat: int


@dataclass(frozen=True, slots=True)
class Fight:
    """The defender fights every monster."""

    seat: int


@dataclass(frozen=True, slots=True)
class Assign:
    """A monster is put before a PC: pairs by the defender, extra attackers by the attacker."""

    seat: int
    monster: str
    pc: str


@dataclass(frozen=True, slots=True)
class Next:
    """The defender says which fight is resolved now."""

    seat: int
    pc: str


@dataclass(frozen=True, slots=True)
class Flip:
    """A hidden action is turned face up: which one, from 0, and what it is."""

    seat: int
    place: int
    card: str


@dataclass(frozen=True, slots=True)
class Reward:
    """The attacker uses the reward of a winning monster."""

    seat: int
    monster: str


@dataclass(frozen=True, slots=True)
class Score:
    """The attacker scores one monster of the fight that was won; "" none."""

    seat: int
    monster: str


@dataclass(frozen=True, slots=True)
class Target:
    """Whom or what the effect of a card meets."""

    seat: int
    what: str


@dataclass(frozen=True, slots=True)
class Pass:
    """No card to play, and so the turn is over."""

    seat: int


ACTIONS: tuple[type, ...] = (
    Cut, Shuffled, Destiny, Discard, DiscardHand, Open, Show, Withdraw, Correct, Corrected, Agreed,
    PlayPC, PlayItem, Attack, Store, Hide, Sacrifice, Join, Ready, Avoid, Fight, Assign, Next, Flip,
    Reward, Score, Target, Pass,
)  # fmt: skip
