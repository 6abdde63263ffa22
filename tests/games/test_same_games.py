"""Rules that are made faster play the same games: digests of random ones, recorded before.

Where a rule is changed on purpose, record them anew: python -m tests.bench.engines digests 24
(for the soak 1000), and say in the commit which rule it was.
"""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import SHELF
from companion.games.api import Game
from tests.bench.engines import digest

RECORDED = {  # with the rules of 17 November 2026: over 24 seeds, over 1,000
    "kiriai": ("5bb4210bca5dc773", "3701531b0f9722b6"),
    "sao": ("8356440d3cbd056f", "05d03e1ff0e9fe5e"),
    "swordcrafters": ("57da1155d8a4997c", "f6d676cd19740364"),
    "hack": ("82be2aac680e7d2d", "02547f7397275677"),
    "sainome": ("ccd58829c7f3a33c", "a9c84c0e9cb65f74"),
}


@pytest.mark.slow
@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_random_games_are_the_same_as_ever(game: Game[Any]) -> None:
    assert digest(game, range(24)) == RECORDED[game.key][0]


@pytest.mark.soak
@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_a_thousand_random_games_are_the_same_as_ever(game: Game[Any]) -> None:
    assert digest(game, range(1000)) == RECORDED[game.key][1]
