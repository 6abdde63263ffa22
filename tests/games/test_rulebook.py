"""Every rule of every game is proven by a test, or left to the players for a reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games.api import Game
from companion.rulebook import coverage, unproven
from tests.games.pig import PIG
from tests.games.shelf import GAMES

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_rule_is_proven_or_left_with_a_reason(game: Game[Any]) -> None:
    missing = [rule.id for rule in unproven(game, TESTS)]
    mend = f'mark a test with @pytest.mark.rule("{game.key}", …), or give the rule `left`'
    assert not missing, f"no test proves {', '.join(missing)}: {mend}"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_no_mark_names_a_rule_that_the_game_lacks(game: Game[Any]) -> None:
    assert set(coverage(game.key, TESTS)) <= {rule.id for rule in game.rules}


def test_marks_are_found_on_functions_classes_and_parameters(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "test_some.py").write_text(
        "import pytest\n"
        "@pytest.mark.rule('pig', 'P1', 'P2')\n"
        "def test_a(): ...\n"
        "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.rule('pig', 'P3'))])\n"
        "async def test_b(x): ...\n"
        "@pytest.mark.rule('pig', 'P2')\n"
        "class TestC:\n"
        "    def test_d(self): ...\n"
        "@pytest.mark.rule('pig', 'P5')\n"
        "def not_a_test(): ...\n"
        "@pytest.mark.rule('other', 'P4')\n"
        "def test_e(): ...\n",
        "utf-8",
    )
    assert coverage("pig", tmp_path) == {
        "P1": ["games/test_some.py::test_a"],
        "P2": ["games/test_some.py::test_a", "games/test_some.py::TestC::test_d"],
        "P3": ["games/test_some.py::test_b"],
    }


def test_a_rule_that_no_test_names_is_reported_and_one_left_to_the_players_is_not(
    tmp_path: Path,
) -> None:
    (tmp_path / "test_pig.py").write_text(
        "import pytest\n@pytest.mark.rule('pig', 'P1', 'P2', 'P3', 'P5')\ndef test_a(): ...\n",
        "utf-8",
    )
    assert [rule.id for rule in unproven(PIG, tmp_path)] == ["P4"]
