"""Measures of Sainome Colosseum for `make bench`: whole games, both card modes."""

from __future__ import annotations

import random
import time

from companion.games.api import roll
from companion.games.sainome import SAINOME
from companion.games.sainome.state import Options

GAMES_PER_SECOND = 1  # a random game takes hundreds of moves; people take an evening


def rows() -> list[tuple[str, str, str, str]]:
    """Name, ours, the limit, ours over the limit."""
    return [playouts("companion"), playouts("table")]


def playouts(cards: str, seconds: float = 3.0) -> tuple[str, str, str, str]:
    """Whole random games through legal and apply, on one core."""
    chance, games, moves, start = random.Random(1), 0, 0, time.process_time()
    while time.process_time() - start < seconds:
        state = SAINOME.new(2, Options(cards=cards))
        while waiting := SAINOME.waiting(state):
            if waiting.dice is not None:
                action = roll(waiting.dice, chance.randrange)
            elif waiting.chance and SAINOME.chance is not None:
                action = SAINOME.chance(state, chance.randrange)
            else:
                action = chance.choice(list(SAINOME.legal(state, chance.choice(waiting.seats))))
            state = SAINOME.apply(state, action)
            moves += 1
        games += 1
    speed = games / (time.process_time() - start)
    name = f"sainome: games a second, cards by {cards}, {moves // games} moves each"
    return name, f"{speed:.1f}", f"{GAMES_PER_SECOND}", f"{speed / GAMES_PER_SECOND:.1f}"
