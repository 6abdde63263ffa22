"""How each game opens at a table: what a virtual one can do, then as it was played last."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from companion.games import SHELF
from companion.games.api import Game
from companion.games.swordcrafters import SWORDCRAFTERS
from companion.table.lobby import presets


def opened(
    game: Game[Any], played: dict[str, Any] | None = None, *, cardboard: bool
) -> dict[str, Any]:
    last = {} if played is None else {game.key: played}
    ((key, chosen),) = presets({game.key: game}, last, cardboard)
    assert key == game.key
    return dict(chosen)


@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_without_cardboard_a_game_opens_with_what_the_companion_brings(game: Game[Any]) -> None:
    own = {f.name: f.metadata["virtual"] for f in fields(game.options) if "virtual" in f.metadata}
    virtual, real = opened(game, cardboard=False), opened(game, cardboard=True)
    assert virtual == real | own
    start = game.options()
    assert real == {name: getattr(start, name) for name in real}


def test_a_game_opens_as_it_was_played_last_and_another_one_does_not() -> None:
    assert opened(SWORDCRAFTERS, cardboard=False)["way"] == "virtual"
    assert opened(SWORDCRAFTERS, {"way": "score"}, cardboard=False)["way"] == "score"
    assert opened(SWORDCRAFTERS, {"way": "of old"}, cardboard=False)["way"] == "virtual"
    shelf = {game.key: game for game in SHELF}
    other = dict(presets(shelf, {"kiriai": {"way": "score"}}, cardboard=False))
    assert dict(other["swordcrafters"])["way"] == "virtual"
