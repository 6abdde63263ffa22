"""Which test proves which rule, which line carries it out: read from marks and sources."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from companion.games.api import Rule
from companion.words import Translate

Mark = tuple[str, tuple[str, ...]]  # game, rule ids


def coverage(game_key: str, tests_dir: Path) -> dict[str, list[str]]:
    """Rule id to the tests marked `@pytest.mark.rule("game", "id", …)` that prove it."""
    proven: dict[str, list[str]] = {}
    for path in sorted(tests_dir.rglob("test_*.py")):
        where = path.relative_to(tests_dir).as_posix()
        for name, (game, ids) in _read(path.read_text("utf-8")):
            for rule in ids if game == game_key else ():
                tests = proven.setdefault(rule, [])
                if f"{where}::{name}" not in tests:
                    tests.append(f"{where}::{name}")
    return proven


def translated(rules: Iterable[Rule], say: Translate) -> list[Rule]:
    """The rules in the reader's language."""
    return [
        replace(rule, section=say(rule.section), text=say(rule.text), left=say(rule.left))
        for rule in rules
    ]


def named(rules: Iterable[Rule], word: str) -> list[Rule]:
    """The rules with this id, or with this word in them or over them."""
    exactly = [rule for rule in rules if rule.id.lower() == word.lower()]
    edge = r"\b" if word.isascii() else ""  # Japanese has no spaces between words
    said = re.compile(edge + re.escape(word), re.IGNORECASE)
    return exactly or [
        rule for rule in rules if said.search(f"{rule.section} {rule.text} {rule.left}")
    ]


def lines_of(rule: Rule, sources: Path) -> list[str]:
    """The lines of a game (its file or folder) that name a rule, but for the list itself."""
    files = sorted(sources.glob("*.py")) if sources.is_dir() else [sources.with_suffix(".py")]
    return [
        f"{path.relative_to(sources.parent).as_posix()}:{number}"
        for path in files
        if path.name != "rules.py"
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if _names(line, rule.id) and not line.lstrip().startswith("Rule(")
    ]


def _names(line: str, rule: str) -> bool:
    """Does the line name the rule, by its id or within `R42 to R46`?"""
    if re.search(rf"(?<![\w-]){re.escape(rule)}(?![\w-])", line):
        return True
    letters = rule.rstrip("0123456789")
    number = rule.removeprefix(letters)
    ranges = re.findall(rf"(?<![\w-]){re.escape(letters)}(\d+) to {re.escape(letters)}(\d+)", line)
    return any(int(first) <= int(number or 0) <= int(last) for first, last in ranges)


@cache
def _read(source: str) -> tuple[tuple[str, Mark], ...]:
    """The marks of a file, parsed once, however many games are asked for."""
    return tuple(_marked(ast.parse(source))) if "mark.rule" in source else ()


def _marked(module: ast.Module) -> Iterator[tuple[str, Mark]]:
    """Every test of a module with each mark that it or its class carries."""
    for node in module.body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            of_class = list(_marks(node.decorator_list))
            for inner in node.body:
                for name, mark in _of_test(inner, of_class):
                    yield f"{node.name}::{name}", mark
        else:
            yield from _of_test(node, [])


def _of_test(node: ast.stmt, inherited: list[Mark]) -> Iterator[tuple[str, Mark]]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
        for mark in [*inherited, *_marks(node.decorator_list)]:
            yield node.name, mark


def _marks(decorators: list[ast.expr]) -> Iterator[Mark]:
    """The rule marks in decorators, also those inside `pytest.param(…, marks=…)`."""
    for decorator in decorators:
        for call in ast.walk(decorator):
            if not (isinstance(call, ast.Call) and _names_rule(call.func)):
                continue
            words = [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
            names = tuple(word for word in words if isinstance(word, str))
            if names:
                yield names[0], names[1:]


def _names_rule(func: ast.expr) -> bool:
    """`pytest.mark.rule`, or `mark.rule`."""
    return (
        isinstance(func, ast.Attribute)
        and func.attr == "rule"
        and ast.unparse(func.value).endswith("mark")
    )
