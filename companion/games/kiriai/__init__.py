"""Kiri-ai: The Duel: two samurai, sixteen cards, two wounds."""

from companion.games.kiriai.game import KIRIAI

__all__ = ["KIRIAI"]
