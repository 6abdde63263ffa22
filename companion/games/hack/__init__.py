""".hack//ENEMY, sample game: two decks, monsters against PCs, seven victory points."""

from companion.games.hack.game import HACK

__all__ = ["HACK"]
