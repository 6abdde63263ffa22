"""Moves of any game, as its tests make them."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pytest

from companion.errors import Illegal
from companion.games.api import Game


def after(game: Game[Any], state: Any, *actions: Any) -> Any:
    """The state after these actions, each of them possible."""

    def one(now: Any, action: Any) -> Any:
        following = game.apply(now, action)
        game.possible(following)
        return following

    return reduce(one, actions, state)


def refused(game: Game[Any], state: Any, action: Any, rule: str) -> str:
    """The reason for which an action is refused under this rule."""
    with pytest.raises(Illegal) as refusal:
        game.apply(state, action)
    assert refusal.value.rule == rule, str(refusal.value)
    return refusal.value.why.show()


def legal(game: Game[Any], state: Any, seat: int, kind: type | None = None) -> list[Any]:
    """What a seat may do, all or of one kind."""
    return [a for a in game.legal(state, seat) if kind is None or isinstance(a, kind)]
