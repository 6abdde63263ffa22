"""Swordcrafters: slice the grid, take a group, forge the longest, finest, most magic sword."""

from companion.games.swordcrafters.game import SWORDCRAFTERS

__all__ = ["SWORDCRAFTERS"]
