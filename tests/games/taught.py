"""A lesson played without a table: everybody does what the coach or a rule of thumb says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.bots.shelf import GAMES
from companion.games.api import Game, Rolled, moves, roll
from companion.games.lesson import Arranged
from companion.table.lobby import LobbyOptions, once_more, without_cardboard
from companion.words import SeatNo


@dataclass(frozen=True)
class Moment:
    """A state, who moves (None: chance), and what is done."""

    state: Any
    seat: SeatNo | None
    action: Any
    after: Any


def opened(game: Game[Any], first: Arranged, seats: int = 2) -> Any:
    """The start of a lesson."""
    usual: LobbyOptions = once_more(game, [], {})
    chosen = dict(without_cardboard(game, usual.options)) | dict(first.options)
    return game.new(seats, game.options(**chosen))


def lesson(key: str, first: Arranged, most: int = 4_000, seats: int = 2) -> Iterator[Moment]:
    """A whole lesson; chance beyond what is arranged comes from the same seed."""
    game = GAMES[key]
    state, dealt, thrown = opened(game, first, seats), 0, 0
    for _ in range(most):
        waiting, seat = game.waiting(state), None
        if waiting.chance and game.chance is not None:
            action, dealt = game.chance(state, first.pick("deal", dealt)), dealt + 1
        elif waiting.dice is not None:
            action, thrown = roll(waiting.dice, first.pick("roll", thrown)), thrown + 1
        elif waiting.seats:
            seat = SeatNo(waiting.seats[0])
            action = best(game, state, seat)
        else:
            return
        after = game.apply(state, action)
        yield Moment(state, seat, action, after)
        state = after
    raise AssertionError(f"{key} does not end")


def best(game: Game[Any], state: Any, seat: SeatNo) -> Any:
    """What the coach marks; else what most people want; else the first move there is."""
    hints = [*game.hints(state, seat)] if game.hints else []
    if hints:
        return hints[0].action
    wanted = game.wanted(state, seat) if game.wanted else None
    able = [one.action for one in game.view(state, seat).choices if not one.barred]
    return wanted if wanted in able else next(iter(moves(game, state, seat)))


__all__ = ["Moment", "Rolled", "best", "lesson", "opened"]
