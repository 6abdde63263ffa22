"""docs/adding-a-game.md shows games that run: its code is that of pig, guess and liar here."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from companion.games import GAMES, SHELF
from companion.games.api import Game
from tests.games.pig import PIG

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/adding-a-game.md").read_text("utf-8")


def definitions(source: str) -> dict[str, list[str]]:
    """Each name that the code defines, with what it says; docstrings and comments left out."""
    found: dict[str, list[str]] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found[node.name] = [ast.unparse(line) for line in node.body if not _docstring(line)]
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = [ast.unparse(node.value)]
    return found


def _docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def shown(guide: str) -> dict[str, list[str]]:
    """What the code in a part of the guide defines, but for tests."""
    return {
        name: body
        for block in re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
        for name, body in definitions(block).items()
        if not name.startswith("test_")
    }


def runs(game: str) -> dict[str, list[str]]:
    """What the file of a game defines."""
    return definitions((ROOT / f"tests/games/{game}.py").read_text("utf-8"))


BEFORE, SECRETS = GUIDE.split("## 11. Secrets")
CHOSEN, DEALT = SECRETS.split("### Dealt secrets")
PARTS = {
    game: (shown(part), runs(game))
    for game, part in (("pig", BEFORE), ("guess", CHOSEN), ("liar", DEALT))
}


def test_the_guide_shows_every_step() -> None:
    steps = {
        "RULES", "Options", "Hold", "State", "new", "waiting", "legal", "apply", "view", "thrown",
        "CITES", "facts", "beats", "PIG",
    }  # fmt: skip
    assert steps == set(PARTS["pig"][0])
    assert set(PARTS["guess"][0]) == {"Guess", "guessed", "reveals", "unseen"}
    assert set(PARTS["liar"][0]) == {"Dealt", "chance", "tell", "unseen"}


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game in PARTS for name in PARTS[game][0]]
)
def test_the_guide_shows_the_code_that_runs(game: str, name: str) -> None:
    guide, file = PARTS[game]
    assert guide[name] == file[name]


FOUND_IN = {  # the table at the end of the guide
    "new": {"play", "turn", "setup"},
    "waiting": {"play", "turn"},
    "chance": {"play", "turn"},
    "legal": {"legal", "play"},
    "apply": {"play", "judge"},
    "result": {"ledger"},
    "rulings.counters": {"ledger"},
    "rulings.overrule": {"ledger"},
    "view": {"view"},
    "tell": {"tell"},
    "secrets.unseen": {"unseen"},
    "advice": {"advice"},
    "possible": {"possible"},
}
FILES = {"rules", "state", "cites", "cards", "game"}


def misplaced(game: Game[Any]) -> list[str]:
    """What does not stand where a newcomer looks for it; a game of one file has but one place."""
    hooks = {part: attrgetter(part)(game) for part in FOUND_IN}
    homes = {part: hook.__module__.split(".") for part, hook in hooks.items() if hook is not None}
    return [
        f"{part} of {game.key} stands in {'.'.join(home)}, not in {' or '.join(FOUND_IN[part])}"
        for part, home in homes.items()
        if len(home) > 3 and home[-1] not in FOUND_IN[part]
    ]


@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_every_game_is_laid_out_alike(game: Game[Any]) -> None:
    assert misplaced(game) == []
    folder = ROOT / "companion/games" / game.key
    if folder.is_dir():
        assert {path.stem for path in folder.glob("*.py")} >= FILES


def test_a_part_in_another_place_is_seen() -> None:
    moved = replace(GAMES["kiriai"], result=GAMES["hack"].view)
    assert misplaced(moved) == [
        "result of kiriai stands in companion.games.hack.view, not in ledger"
    ]
    assert misplaced(PIG) == []
