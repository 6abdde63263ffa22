"""What a bot is, and all that it gets: what its seat knows, never the state of the game.

docs/adding-a-game.md shows one. tests/bots/test_contract.py holds every bot to what is said here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from hashlib import sha256
from itertools import islice
from typing import Any, Literal, TypeAlias

from companion.games.api import Game, Pick
from companion.words import SeatNo, Text, text

Level: TypeAlias = Literal["easy", "good", "best"]
LEVELS: tuple[Level, ...] = ("easy", "good", "best")
LEVEL_NAMES: Mapping[str, Text] = {
    "easy": text("easy"),
    "good": text("good"),
    "best": text("best"),
}


@dataclass(frozen=True, slots=True)
class Sight:
    """A seat's knowledge before its move. The true state is in no field of it.

    `imagine(pick)` gives a state that this seat cannot tell from the true one; the picks alone
    decide which. Where a game hides nothing, it is the state itself.
    """

    game: Game[Any]
    seat: SeatNo
    imagine: Callable[[Pick], Any]
    past: tuple[Moved, ...] = ()  # this seat's own moves that still count, the oldest first


@dataclass(frozen=True, slots=True)
class Moved:
    """An earlier move of the same seat: what it knew then, and what it did."""

    sight: Sight  # without a past of its own
    action: Any


@dataclass(frozen=True, slots=True)
class Answer:
    """A legal move, and the reason in one line, told on wish to whoever may know it."""

    action: Any  # None: rather throw the dice, where the table waits for these, too
    why: Text | None = None
    helps: bool = False  # worth doing at once, even while somebody else leads


def no_cardboard(options: Any) -> Text | None:
    """A bot has no hands and no eyes: cards and tiles must be the companion's own."""
    for option in fields(options):
        virtual = option.metadata.get("virtual")
        if virtual is not None and getattr(options, option.name) != virtual:
            return text("The companion cannot hold cardboard.")
    return None


@dataclass(frozen=True)
class Bot:
    """A player for an empty seat: a frozen value, as a game is.

    `think` gives a first answer at once and better ones after it; each `next` is a round. The same
    seed, sight and number of rounds give the same answer, so a journal can be checked with it.
    """

    game: str  # its key
    level: Level
    version: int  # raise it when the same sight and seed would give another move
    says: Text  # what its strength means, in one line
    think: Callable[[Sight, str], Iterator[Answer]]
    able: Callable[[Any], Text | None] = no_cardboard
    """Why it cannot play with these options (the object of the game's options class)."""
    rounds: int = 1  # after which more time makes it no better


Players: TypeAlias = Callable[[str], tuple[Bot, ...]]
"""By the key of a game: who can take a seat there, the weakest first."""


@dataclass(frozen=True, slots=True)
class Played:
    """A move of an ended game that counts, its entry in the journal, the states around it."""

    seq: int
    before: Any
    action: Any
    after: Any


DOUBTFUL, MISTAKE, BLUNDER = 0.02, 0.05, 0.10
"""Chances to win that a decision gave away; why these, says docs/pages.md."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision of an ended game, or a throw, in chances to win by what its seat knew then."""

    seq: int
    seat: SeatNo
    did: Text
    best: float  # of the best line; before a throw, of what fair dice bring on average
    got: float  # of what was done; after a throw, of the best line from there
    usual: float = 0.0  # of a choice at random
    better: Text | None = None  # the best line in words
    spread: float | None = None  # of a throw: the standard deviation of what fair dice bring
    rough: bool = False  # by a few trials, not exactly

    @property
    def mark(self) -> str:
        """`doubtful`, `mistake`, `blunder`; "" for a sound decision, and for every throw."""
        lost = 0.0 if self.spread is not None else round(self.best - self.got, 9)
        bounds = {"blunder": BLUNDER, "mistake": MISTAKE, "doubtful": DOUBTFUL}
        return next((mark for mark, bound in bounds.items() if lost >= bound), "")


Analyst: TypeAlias = Callable[[Game[Any], Iterable[Played]], Iterator[Moment]]
"""What the decisions of an ended game were worth; nothing where nobody can say."""


def sight(
    game: Game[Any], state: Any, seat: SeatNo, past: tuple[tuple[Any, Any], ...] = ()
) -> Sight:
    """What a seat knows of this state; `past` are the states of its own moves, and the moves."""
    moved = (Moved(_seen(game, before, seat), action) for before, action in past)
    return _seen(game, state, seat, tuple(moved))


def decide(bot: Bot, seen: Sight, seed: str, rounds: int) -> Answer:
    """The answer after so many rounds, or the last one if it has no better."""
    *_, last = islice(bot.think(seen, seed), rounds)
    return last


def picks(seed: str, *more: object) -> Pick:
    """Chance for a bot: the same words give the same picks, on every machine."""
    said = " ".join((seed, *map(str, more)))
    block, left, number = 0, 0, 0

    def pick(n: int) -> int:
        nonlocal block, left, number
        if not left:
            digest = sha256(f"{said} {number}".encode()).digest()
            block, left, number = int.from_bytes(digest, "big"), 8, number + 1
        block, value, left = block >> 32, block & 0xFFFFFFFF, left - 1
        return value * n >> 32

    return pick


def _seen(game: Game[Any], state: Any, seat: SeatNo, past: tuple[Moved, ...] = ()) -> Sight:
    unseen = game.secrets.unseen
    if unseen is None:
        return Sight(game, seat, lambda _pick: state, past)
    return Sight(game, seat, lambda pick: unseen(state, seat, pick), past)
