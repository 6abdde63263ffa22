"""Bots at a table without a table: whole games, one seed for all chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from math import sqrt
from random import Random
from typing import Any

from companion.bots.api import Bot, Sight, decide, sight
from companion.games.api import Game, roll
from companion.words import SeatNo


def knows(
    game: Game[Any],
    states: Sequence[Any],
    acts: Sequence[Any],
    seat: SeatNo,
    twin: Callable[[Any], Any] = lambda state: state,
) -> Sight:
    """What a seat knows in the last of these states, its own moves among what was played.

    `twin` puts another state in the place of each that the seat has met.
    """
    own = [
        (twin(before), action)
        for before, action in zip(states, acts, strict=False)
        if getattr(action, "seat", None) == seat
    ]
    return sight(game, twin(states[-1]), seat, tuple(own))


def evening(
    game: Game[Any], start: Any, bots: Sequence[Bot], seed: str, rounds: int = 1
) -> Iterator[tuple[list[Any], list[Any], SeatNo, Any]]:
    """Every decision of a game: the states and moves up to it, whose it is, what was decided."""
    rng = Random(seed)
    states, acts = [start], list[Any]()
    while waiting := game.waiting(states[-1]):
        assert len(acts) < game.cap, f"{game.key} does not end"
        action: Any = None
        if waiting.chance:
            assert game.chance is not None
            action = game.chance(states[-1], rng.randrange)
        elif waiting.seats:
            seat = SeatNo(rng.choice(waiting.seats))
            answer = decide(bots[seat], knows(game, states, acts, seat), f"{seed} {seat}", rounds)
            action = answer.action
            yield states, acts, seat, action
        if action is None:
            assert waiting.dice is not None
            action = roll(waiting.dice, rng.randrange)
        states.append(game.apply(states[-1], action))
        acts.append(action)
    assert game.result(states[-1]) is not None


def interval(won: float, games: int) -> tuple[float, float]:
    """Wilson's interval of a share, at 95 %."""
    z, p = 1.96, won / games
    middle, wide = p + z * z / 2 / games, z * sqrt(p * (1 - p) / games + (z / 2 / games) ** 2)
    return (middle - wide) / (1 + z * z / games), (middle + wide) / (1 + z * z / games)


def cardless(game: Game[Any]) -> Any:
    """The default options, as a table plays that has no cardboard."""
    virtual = {f.name: f.metadata.get("virtual") for f in fields(game.options)}
    return game.options(**{name: value for name, value in virtual.items() if value is not None})
