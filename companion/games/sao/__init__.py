"""Sword Art Online: Sword of Fellows."""

from companion.games.sao.game import SAO

__all__ = ["SAO"]
