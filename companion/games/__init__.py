"""The shelf: one line per game."""

from typing import Any

from companion.games.api import Game
from companion.games.hack import HACK
from companion.games.kiriai import KIRIAI
from companion.games.sao import SAO
from companion.games.swordcrafters import SWORDCRAFTERS

SHELF: tuple[Game[Any], ...] = (
    KIRIAI,
    SAO,
    SWORDCRAFTERS,
    HACK,
)
GAMES = {game.key: game for game in SHELF}
