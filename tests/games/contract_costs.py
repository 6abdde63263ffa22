"""What every game promises of its choices: one that ends the game for certain says so."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from companion.errors import CompanionError
from companion.games.api import Game, Result
from companion.memory.timeline import Timeline
from companion.table.asked import asked
from companion.words import SeatNo
from tests.games.shelf import Moment

LAST = 12  # moments before the end of a walk, where something can end
TRIES = 60  # more looks than the table takes: what differs at all is seen to differ


def a_choice_says_what_it_ends(
    game: Game[Any], moments: Sequence[Moment], seats: int, rng: random.Random
) -> None:
    """Whatever the seat does not know: if the game is over after a choice, its detail says why."""
    for state, _ in moments[-LAST:]:
        line = Timeline(game, (), (state,))
        for seat in map(SeatNo, range(seats)):
            offered = game.view(state, seat).choices
            for choice, shown in zip(offered, asked(line, seat), strict=False):
                end = None if choice.barred else _end(game, state, seat, choice.action, rng)
                if end is not None:
                    assert end.why.show() in shown.detail.show(), (
                        f"{choice.label.show()} ends the game and does not say it"
                    )


def what_goes_by_itself_tells_nothing(
    game: Game[Any], moments: Sequence[Moment], seats: int, rng: random.Random
) -> None:
    """Where a game says that there is one answer, there is one for all that anybody knows."""
    unseen = game.secrets.unseen
    for state, _ in moments:
        if unseen is not None and (waiting := game.waiting(state)).forced:
            for viewer in (None, *map(SeatNo, range(seats))):
                look = unseen(state, viewer, rng.randrange)
                for seat in map(SeatNo, waiting.seats):
                    assert len(game.view(look, seat).choices) == 1


def _end(
    game: Game[Any], state: Any, seat: SeatNo, action: Any, rng: random.Random
) -> Result | None:
    """How the game ends by the action, if it does in every state that seems the same."""
    ends = game.result(game.apply(state, action))
    if ends is None or (unseen := game.secrets.unseen) is None:
        return ends
    for _ in range(TRIES):
        try:
            other = game.result(game.apply(unseen(state, seat, rng.randrange), action))
        except CompanionError:
            return None
        if other != ends:
            return None
    return ends
