"""The shelf: one line per game."""

from typing import Any

from companion.games.api import Game
from companion.games.kiriai import KIRIAI
from companion.games.sao import SAO
from companion.games.swordcrafters import SWORDCRAFTERS

SHELF: tuple[Game[Any], ...] = (
    KIRIAI,
    SAO,
    SWORDCRAFTERS,
)
GAMES = {game.key: game for game in SHELF}
