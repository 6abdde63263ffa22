"""The shelf: one line per game."""

from typing import Any

from companion.games.api import Game
from companion.games.hack import HACK
from companion.games.kiriai import KIRIAI
from companion.games.sainome import SAINOME
from companion.games.sao import SAO
from companion.games.swordcrafters import SWORDCRAFTERS

SHELF: tuple[Game[Any], ...] = (
    KIRIAI,
    SAO,
    SWORDCRAFTERS,
    HACK,
    SAINOME,
)
GAMES = {game.key: game for game in SHELF}
