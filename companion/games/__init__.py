"""The shelf: one line per game."""

from typing import Any

from companion.games.api import Game
from companion.games.hack import HACK
from companion.games.kiriai import KIRIAI

SHELF: tuple[Game[Any], ...] = (
    KIRIAI,
    HACK,
)
GAMES = {game.key: game for game in SHELF}
