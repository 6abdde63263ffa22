"""`replace` of the games does what that of dataclasses does."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from companion.games import SHELF
from companion.games.api import Game
from companion.games.records import replace
from tests.games.shelf import walk


@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_a_copy_is_equal_to_that_of_dataclasses(game: Game[Any]) -> None:
    for seats in game.seats[:1]:
        for state, _ in walk(game, seats, game.options(), 1):
            names = [field.name for field in dataclasses.fields(state)]
            for name in names[::5]:
                changed: dict[str, Any] = {name: getattr(state, name)}
                assert replace(state, **changed) == dataclasses.replace(state, **changed) == state


def test_only_the_named_fields_change_and_what_follows_from_them_is_worked_out_again() -> None:
    @dataclasses.dataclass(frozen=True, slots=True)
    class Purse:
        owner: str
        coins: tuple[int, ...]

        def __post_init__(self) -> None:
            object.__setattr__(self, "coins", tuple(sorted(self.coins)))

    purse = Purse("Blue", (3, 1))
    assert replace(purse, coins=(5, 2)) == Purse("Blue", (2, 5))
    assert purse == Purse("Blue", (1, 3))
    with pytest.raises(TypeError, match="gold"):
        replace(purse, gold=1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        replace(purse, owner="Red").owner = "Green"  # type: ignore[misc]
