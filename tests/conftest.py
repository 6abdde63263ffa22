"""What every test shares: properties without a clock, and marks that name rules that exist."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from tests.games.shelf import GAMES
from tests.patience import FACTOR, within

# a busy machine fails no property
settings.register_profile("table", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("table")

SHELF = "companion/games/__init__.py"
_RULES = {game.key: {rule.id for rule in game.rules} for game in GAMES}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that proves a rule nobody has proves nothing: stop before anything runs."""
    for item in items:
        _stretch(item)
        for mark in item.iter_markers("rule"):
            game, *ids = mark.args
            if game not in _RULES:
                raise pytest.UsageError(f"{item.nodeid}: {game} is not on the shelf: {SHELF}")
            unknown = [rule for rule in ids if rule not in _RULES[game]]
            if unknown or not ids:
                raise pytest.UsageError(f"{item.nodeid}: {game} has no rule {unknown or '?'}")


def _stretch(item: pytest.Item) -> None:
    """A slow machine has longer for each test, too."""
    if FACTOR != 1:
        mark, asked = item.get_closest_marker("timeout"), item.config.getoption("timeout")
        if asked == 0 and not mark:
            return  # --timeout 0: none at all
        limit = mark.args[0] if mark else asked or float(item.config.getini("timeout"))
        item.add_marker(pytest.mark.timeout(within(limit)), append=False)
