"""Players of .hack//ENEMY for the tests: one at random, one greedy; and whole games by them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from companion.bots.hack import weigh
from companion.games.hack import HACK
from companion.games.hack import actions as do
from companion.games.hack.possible import conserved
from companion.games.hack.state import SEATS, Options, State

Player = Callable[[State, int, random.Random], Any]


class Played(NamedTuple):
    """A finished game: where it ended, and after how many actions."""

    state: State
    actions: int


def at_random(state: State, seat: int, rng: random.Random) -> Any:
    """Any legal action, each alike."""
    return rng.choice(list(HACK.legal(state, seat)))


def greedy(state: State, seat: int, rng: random.Random) -> Any:
    """The action that looks best just now, by what the seat can see."""
    return max(HACK.legal(state, seat), key=lambda a: (_worth(state, seat, a), rng.random()))


def play(options: Options, players: tuple[Player, Player], seed: object) -> Played:
    """A whole game; after every action each card is in exactly one place."""
    rng = random.Random(f"{options} {seed}")
    state = HACK.new(2, options)
    for number in range(HACK.cap + 1):
        waiting = HACK.waiting(state)
        if not waiting:
            return Played(state, number)
        if waiting.chance:
            assert HACK.chance is not None
            action = HACK.chance(state, rng.randrange)
        else:
            seat = rng.choice(waiting.seats)
            action = players[seat](state, seat, rng)
        state = HACK.apply(state, action)
        for seat in SEATS:
            conserved(state, seat)
    raise AssertionError("longer than the cap")


def _worth(state: State, seat: int, action: Any) -> float:
    """As the players of an empty seat weigh it; what is said of real cards they never do."""
    match action:
        case do.Agreed():
            return 1.0
        case do.Correct() | do.Withdraw():
            return -5.0
        case do.Open(_, kind):
            return {"monster": 2.0, "pc": 6.0 - 2 * len(state.sides[seat].heroes)}.get(kind, 1.0)
        case do.Show():
            return 7.0
    return weigh(state, seat, action)


def rates(games: int, player: Player, **options: Any) -> tuple[float, float, float]:
    """Of this many games the shares that deck A won, deck B won, and nobody won."""
    won = [0, 0, 0]
    for seed in range(games):
        result = HACK.result(play(Options(**options), (player, player), seed).state)
        assert result is not None
        won[result.winners[0] if result.winners else 2] += 1
    return won[0] / games, won[1] / games, won[2] / games
