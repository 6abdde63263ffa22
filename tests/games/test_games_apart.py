"""No game knows another: what two of them share stands beside them, in companion/games."""

from __future__ import annotations

import ast
from pathlib import Path

from companion.games import SHELF

GAMES = Path(__file__).parents[2] / "companion/games"


def others(game: str, source: str) -> set[str]:
    """The other games that a module of this game imports."""
    named: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            named += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            named += [alias.name for alias in node.names]
    parts = [name.split(".") for name in named if name.startswith("companion.games.")]
    return {part[2] for part in parts} & {one.key for one in SHELF} - {game}


def test_no_game_imports_another() -> None:
    for game in SHELF:
        for file in (GAMES / game.key).glob("*.py"):
            assert others(game.key, file.read_text("utf-8")) == set(), file
    for file in GAMES.glob("*.py"):
        assert file.stem == "__init__" or others("", file.read_text("utf-8")) == set(), file


def test_an_import_of_another_game_is_seen() -> None:
    assert others("sao", "from companion.games.hack.cards import deck") == {"hack"}
    assert others("sao", "from companion.games import hack, sao") == {"hack"}
    assert others("sao", "import companion.games.hack.cards") == {"hack"}
    assert others("sao", "from companion.games import cardfile, sao") == set()
