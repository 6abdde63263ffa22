"""Sainome Colosseum, first edition: one die, four slots, and hands full of what hurt you."""

from companion.games.sainome.game import SAINOME

__all__ = ["SAINOME"]
