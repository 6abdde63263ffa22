"""Every rule of every game is proven by a test, or left to the players for a reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.cli.rulebook import coverage, lines_of
from companion.games import SHELF
from companion.games.api import Game, Rule
from tests.games.pig import PIG
from tests.games.shelf import GAMES

TESTS = Path(__file__).parents[1]


def unproven(game: Game[Any], tests_dir: Path) -> list[Rule]:
    """Rules that no test names and that are not left to the players."""
    proven = coverage(game.key, tests_dir)
    return [rule for rule in game.rules if rule.id not in proven and not rule.left]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_rule_is_proven_or_left_with_a_reason(game: Game[Any]) -> None:
    missing = [rule.id for rule in unproven(game, TESTS)]
    mend = f'mark a test with @pytest.mark.rule("{game.key}", …), or give the rule `left`'
    assert not missing, f"no test proves {', '.join(missing)}: {mend}"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_no_mark_names_a_rule_that_the_game_lacks(game: Game[Any]) -> None:
    assert set(coverage(game.key, TESTS)) <= {rule.id for rule in game.rules}


@pytest.mark.slow
@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_every_rule_is_named_where_it_is_carried_out(game: Game[Any]) -> None:
    sources = TESTS.parent / "companion/games" / game.key
    lost = [rule.id for rule in game.rules if not rule.left and not lines_of(rule, sources)]
    mend = "name them in the docstring or comment of what carries them out"
    assert not lost, f"no line of {game.key} names {', '.join(lost)}: {mend}"


def test_a_line_names_a_rule_by_its_id_or_within_a_range(tmp_path: Path) -> None:
    (tmp_path / "some.py").write_text(
        'Rule("K-R4", "Setup", "…"),\n'
        "x = 1  # K-R4\n"
        "y = 2  # K-R40, R4, K-R4a\n"
        'require(x, "K-R4", "…")\n'
        '"""The end (K-R3 to K-R12)."""\n',
        "utf-8",
    )
    assert lines_of(Rule("K-R4", "", ""), tmp_path / "some") == [
        "some.py:2", "some.py:4", "some.py:5",
    ]  # fmt: skip
    assert lines_of(Rule("K-R13", "", ""), tmp_path / "some") == []
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "rules.py").write_text("# K-R4\n", "utf-8")
    (tmp_path / "game" / "play.py").write_text("# K-R4\n", "utf-8")
    assert lines_of(Rule("K-R4", "", ""), tmp_path / "game") == ["game/play.py:1"]


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
