"""A player that any game has: it wins where one move wins, and else does what chance says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from companion.bots.api import Answer, Bot, Sight, picks
from companion.errors import Illegal
from companion.games.api import Game, moves
from companion.words import SeatNo, text

MOST = 200  # moves that are looked at: a space too big for that is not searched for a win
LOOKS = 3  # imagined states in each of which a move must win


def at_random(game: Game[Any]) -> Bot:
    """The player that needs no knowledge of the game."""
    says = text("Plays what comes to its mind, and sees a win when it is one move away")
    return Bot(game.key, "easy", 1, says, _think, rounds=2)


def _think(sight: Sight, seed: str) -> Iterator[Answer]:
    game, seat = sight.game, sight.seat
    pick = picks(seed, sight.imagine(picks(seed)))  # another throw is another chance
    looks = [sight.imagine(pick) for _ in range(LOOKS)]
    able = list(islice(moves(game, looks[0], seat), MOST))
    if game.waiting(looks[0]).dice is not None:
        able.append(None)
    best = able[pick(len(able))]
    yield Answer(best)
    for action in filter(None, able):
        if all(_wins(game, look, seat, action) for look in looks):
            yield Answer(action, text("It wins."))
            return


def _wins(game: Game[Any], state: Any, seat: SeatNo, action: Any) -> bool:
    try:
        result = game.result(game.apply(state, action))
    except Illegal:
        return False  # not in a state that only might be
    return result is not None and seat in result.winners
