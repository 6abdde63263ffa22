"""The games under test, and walks through them by legal moves at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import islice
from typing import Any, NamedTuple

from companion.bots.shelf import SHELF
from companion.errors import Illegal
from companion.games.api import Game, roll
from tests.games.guess import GUESS
from tests.games.liar import LIAR
from tests.games.pig import PIG

GAMES: tuple[Game[Any], ...] = (*SHELF, PIG, GUESS, LIAR)
MANY = 3_000  # a seat with more legal actions than this is only sampled


class Moment(NamedTuple):
    """A state of a walk and the action that was taken in it (None at the end)."""

    state: Any
    action: Any


def tables(game: Game[Any]) -> Iterator[tuple[str, int, Any]]:
    """Every number of seats with the default options; every option changed once, for the fewest."""
    default = game.options()
    for seats in game.seats:
        yield f"{game.key}-{seats}", seats, default
    for field in fields(game.options):
        values = field.metadata.get("values", ())
        for value in values if len(values) < 6 else (*values[:3], values[-1]):
            if value != getattr(default, field.name):
                options = game.options(**{field.name: value})
                seats = next(seats for seats in game.seats if _can_sit(game, seats, options))
                yield f"{game.key}-{field.name}={value}", seats, options


def _can_sit(game: Game[Any], seats: int, options: Any) -> bool:
    """Some variants are for some numbers of players only."""
    try:
        game.new(seats, options)
    except Illegal:
        return False
    return True


def some_action(game: Game[Any], state: Any, rng: random.Random) -> Any:
    """Something that may happen now: chance, a roll, or a legal action of a seat waited for."""
    waiting = game.waiting(state)
    sources: list[Any] = [("seat", seat) for seat in waiting.seats]
    if waiting.dice is not None:
        sources.append(("dice", waiting.dice))
    if waiting.chance:
        sources.append(("chance", None))
    kind, what = rng.choice(sources)
    if kind == "dice":
        return roll(what, rng.randrange)
    if kind == "chance":
        assert game.chance is not None
        return game.chance(state, rng.randrange)
    return rng.choice(legal(game, state, what))


def legal(game: Game[Any], state: Any, seat: int) -> list[Any]:
    """The seat's legal actions, up to MANY."""
    return list(islice(game.legal(state, seat), MANY))


def walk(game: Game[Any], seats: int, options: Any, seed: int) -> Iterator[Moment]:
    """A whole game at random, salts filled in as the table does; ends at the result or the cap."""
    rng = random.Random(f"{game.key} {seats} {options} {seed}")
    state = game.new(seats, options)
    for _ in range(game.cap + 1):
        if not game.waiting(state):
            break
        action = salted(some_action(game, state, rng), rng)
        yield Moment(state, action)
        state = game.apply(state, action)
    yield Moment(state, None)


def salted(action: Any, rng: random.Random) -> Any:
    """The action as the table takes it: a sealed choice gets its salt."""
    if any(field.name == "salt" for field in fields(action)):
        return replace(action, salt=f"{rng.getrandbits(32):08x}")
    return action
