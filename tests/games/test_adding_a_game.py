"""docs/adding-a-game.md shows the Pig that runs: its code is the code of tests/games/pig.py."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

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


SHOWN = {
    name: body
    for block in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    for name, body in definitions(block).items()
    if not name.startswith("test_")
}
RUNS = definitions((ROOT / "tests/games/pig.py").read_text("utf-8"))


def test_the_guide_shows_every_step() -> None:
    steps = {
        "RULES", "Options", "Hold", "State", "new", "waiting", "legal", "apply", "view", "thrown",
        "CITES", "PIG",
    }  # fmt: skip
    assert steps == set(SHOWN)


@pytest.mark.parametrize("name", SHOWN)
def test_the_guide_shows_the_code_that_runs(name: str) -> None:
    assert SHOWN[name] == RUNS[name]
