"""The shelf: one line per game."""

from typing import Any

from companion.games.api import Game
from companion.games.kiriai import KIRIAI
from companion.games.sao import SAO

SHELF: tuple[Game[Any], ...] = (
    KIRIAI,
    SAO,
)
GAMES = {game.key: game for game in SHELF}
