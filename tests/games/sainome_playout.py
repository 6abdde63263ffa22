"""Whole games of Sainome Colosseum for the tests: at random, or by a player who wants to win."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import permutations
from typing import Any, NamedTuple

from companion.bots.sainome import weigh
from companion.games.api import roll
from companion.games.sainome import SAINOME
from companion.games.sainome import actions as do
from companion.games.sainome.cards import shipped
from companion.games.sainome.possible import conserved
from companion.games.sainome.state import Options, State
from tests.games.sainome_table import TOLD

Player = Callable[[State, int, random.Random], Any]
PAIRS = tuple(permutations(shipped().characters, 2))


class Played(NamedTuple):
    """A finished game: where it ended, and after how many actions."""

    state: State
    actions: int


def at_random(state: State, seat: int, rng: random.Random) -> Any:
    """Any legal action, each alike."""
    return rng.choice(list(SAINOME.legal(state, seat)))


def eager(state: State, seat: int, rng: random.Random) -> Any:
    """Attaches what fits, attacks when armed, and does not give cards away."""
    return at_random(state, seat, rng) if rng.random() < 0.2 else wanting(state, seat, rng)


def wanting(state: State, seat: int, rng: random.Random) -> Any:
    """The action that looks best just now, by what the seat can see."""
    return max(SAINOME.legal(state, seat), key=lambda a: (_worth(state, seat, a), rng.random()))


def _worth(state: State, seat: int, action: Any) -> float:
    """As the players of an empty seat weigh it; what is said of real cards they never do."""
    match action:
        case do.Agreed():
            return 4.0
        case do.Show():
            return 3.0
        case do.Open():
            return 1.5
        case do.Correct():
            return -1.0
    return weigh(state, seat, action)


def world(number: int) -> tuple[Options, tuple[str, str]]:
    """The options and characters of the nth game: every combination comes round."""
    pair = PAIRS[number % 12]
    number //= 12
    hp = (5, 7, 10)[number % 3]
    number //= 3
    draft, cards = ("no", "yes")[number % 2], ("companion", "table")[number // 2 % 2]
    chain = ("flow", "press")[number // 4 % 2]
    return Options(hp, draft, cards, chain, TOLD if cards == "table" else ()), pair


WORLDS = 12 * 3 * 2 * 2 * 2


def play(options: Options, pair: tuple[str, str], player: Player, seed: object) -> Played:
    """A whole game of these characters; after every action each card is in exactly one place."""
    rng = random.Random(f"{options} {pair} {seed}")
    state = SAINOME.new(2, options)
    for number in range(SAINOME.cap + 1):
        waiting = SAINOME.waiting(state)
        if not waiting:
            return Played(state, number)
        if waiting.dice is not None:
            action: Any = roll(waiting.dice, rng.randrange)
        elif waiting.chance:
            assert SAINOME.chance is not None
            action = SAINOME.chance(state, rng.randrange)
        elif state.phase == "choose":
            action = do.Choose(state.chooser, pair[state.chooser])
        else:
            seat = rng.choice(waiting.seats)
            action = player(state, seat, rng)
        state = SAINOME.apply(state, action)
        conserved(state)
    raise AssertionError("longer than the cap")
