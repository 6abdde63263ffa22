"""The shelf: one line per game."""

from typing import Any

from companion.games.api import Game

SHELF: tuple[Game[Any], ...] = ()
GAMES = {game.key: game for game in SHELF}
