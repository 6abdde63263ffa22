"""How fast the rules are, in random games a second on one core; and are they the same games?

python -m tests.bench.engines [SECONDS]       games a second, with book-keeping moves and without
python -m tests.bench.engines digests SEEDS   one digest a game, over this many seeds
"""

from __future__ import annotations

import hashlib
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import cycle
from typing import Any, TypeAlias

from companion.games import SHELF
from companion.games.api import Game, moves, roll
from companion.words import SeatNo
from tests.bots.playing import cardless
from tests.games.shelf import tables, walk

Row = tuple[str, str, str, str]
Actions: TypeAlias = Callable[[Game[Any], Any, SeatNo], Iterable[Any]]
BEFORE = {"kiriai": 756, "sao": 139, "swordcrafters": 51, "hack": 39, "sainome": 14}
"""Games a second on the reference machine with the rules of 17 November 2026."""


def digest(game: Game[Any], seeds: range) -> str:
    """What random games at every kind of table come to: each action, and the last state."""
    found = hashlib.sha256()
    for seed, (_, seats, options) in zip(seeds, cycle(tables(game)), strict=False):
        for state, action in walk(game, seats, options, seed):
            found.update(repr(state if action is None else action).encode())
    return found.hexdigest()[:16]


def rate(game: Game[Any], seconds: float, actions: Actions) -> float:
    """Random games of two a second, at a table without cardboard."""
    rng, games, start = random.Random(1), 0, time.process_time()
    options = cardless(game)
    while not games or time.process_time() - start < seconds:
        state = game.new(2, options)
        while waiting := game.waiting(state):
            if waiting.seats:
                action = rng.choice([*actions(game, state, rng.choice(waiting.seats))])
            elif waiting.dice is not None:
                action = roll(waiting.dice, rng.randrange)
            elif game.chance is not None:
                action = game.chance(state, rng.randrange)
            state = game.apply(state, action)
        games += 1
    return games / (time.process_time() - start)


def legal(game: Game[Any], state: Any, seat: SeatNo) -> Iterable[Any]:
    """Whatever a seat may do, book-keeping too."""
    return game.legal(state, seat)


def rows(seconds: float = 3.0) -> Iterator[Row]:
    """Name, ours, before, ours over before."""
    for game in SHELF:
        before = BEFORE[game.key]
        for name, actions in (("random games", legal), ("without book-keeping", moves)):
            now = rate(game, seconds, actions)
            ours, ratio = f"{now:.0f}", f"{now / before:.1f} (goal 3)"
            yield f"{game.key}: {name} a second", ours, f"before {before}", ratio


def main(*words: str) -> None:
    """Digests or rates, as they come."""
    for game in SHELF:
        if words[:1] == ("digests",):
            print(game.key, digest(game, range(int(words[1]))), flush=True)
        else:
            seconds = float(words[0]) if words else 3.0
            both = (rate(game, seconds, actions) for actions in (legal, moves))
            print(game.key, *(f"{one:.1f}" for one in both), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
