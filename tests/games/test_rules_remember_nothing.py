"""The rules remember nothing between two calls, but for tables that anybody would reckon alike."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

GAMES = Path(__file__).parents[2] / "companion/games"
TABLES = {
    "cardgame.py: _read",  # the shipped card file
    "sao/cards.py: shipped",
    "sao/outlook.py: measured",  # the figures that ship
    "swordcrafters/cards.py: shipped",
    "records.py: _copier",  # how each class is copied
    "kiriai/duel.py: resolve",  # two stands and two faces: some ten thousand in all
    "sao/patterns.py: blocks",  # patterns on cards, 1 to 8 dice
    "sao/assign.py: of", "sao/assign.py: plans", "sao/assign.py: payments",
    "sao/assign.py: fits",  # of dice
    "sao/state.py: _arms",
}  # fmt: skip
"""None of them is given a state, or the corrections of an owner."""


def remembering(source: str) -> Iterator[str]:
    """Functions that keep their results, and lists, dicts and sets that wait to be filled."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            if "cache" in ast.unparse(decorator):
                yield node.name
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            value = node.value
            empty = isinstance(value, ast.List | ast.Set) and not value.elts
            empty |= isinstance(value, ast.Dict) and not value.keys
            if empty or ast.unparse(value) in ("list()", "dict()", "set()"):
                yield ast.unparse(node).split(":")[0].split(" =")[0]


def test_the_rules_remember_nothing_but_tables() -> None:
    found = {
        f"{file.relative_to(GAMES).as_posix()}: {name}"
        for file in GAMES.rglob("*.py")
        for name in remembering(file.read_text("utf-8"))
    }
    assert found == TABLES


@pytest.mark.parametrize(
    "source",
    [
        "X: list[int] = []",
        "X = {}",
        "X = set()",
        "@cache\ndef X(state): ...",
        "@functools.lru_cache(maxsize=8)\ndef X(state): ...",
        "class A:\n    @cached_property\n    def X(self): ...",
    ],
)
def test_what_remembers_is_found(source: str) -> None:
    assert list(remembering(source)) == ["X"]
    assert list(remembering("Y = [1]\ndef f():\n    X = []")) == []
