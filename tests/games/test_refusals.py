"""Every refusal stands in refusals.txt, read by a person: whose move it is, what is missing."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.errors import CompanionError, Illegal
from companion.games import SHELF
from companion.games.api import Game
from tests.games.contract import mutants
from tests.games.shelf import tables, walk

LIST = Path(__file__).with_name("refusals.txt")
SOURCES = Path(__file__).parents[2] / "companion/games"
ADD = "read them: do they say whose move it is, what is missing, what to do? Then add them to it"

Refusal = tuple[str, str, str]  # game, rule, template


def listed() -> set[Refusal]:
    """The lines of the list: game, rule, sentence."""
    rows = (line.split(" | ") for line in LIST.read_text("utf-8").splitlines())
    return {(game, rule, said) for game, rule, said in rows}


def walked(game: Game[Any], seeds: int = 1, most: int = 10) -> Iterator[Refusal]:
    """What is refused of random moves, each kind at moments of all others, whole and bent."""
    for name, seats, options in tables(game):
        for seed in range(seeds):
            rng = random.Random(f"{name} {seed}")
            moments = list(walk(game, seats, options, seed))
            kinds: dict[type, list[Any]] = {}
            for moment in moments[:-1]:
                kinds.setdefault(type(moment.action), []).append(moment.action)
            for moment in (*rng.sample(moments, min(most, len(moments))), moments[-1]):
                for some in kinds.values():
                    action = rng.choice(some)
                    for tried in (action, *mutants(action, seats, rng)):
                        try:
                            game.apply(moment.state, tried)
                        except Illegal as refusal:
                            yield game.key, refusal.rule, refusal.why.template
                        except CompanionError:
                            continue


def written(source: str) -> Iterator[str]:
    """The sentences of `require(…)`, `should(…)`, and of a rule with its `text(…)`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("require", "should"):
            pair = node.args[1:3]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Illegal":
            pair = node.args[:2]
        elif isinstance(node, ast.Tuple) and len(node.elts) == 2 and _is_rule(node.elts[0]):
            pair = node.elts
        else:
            continue
        said = pair[1] if len(pair) == 2 else None
        if isinstance(said, ast.Call) and getattr(said.func, "id", "") == "text":
            said = said.args[0]
        if isinstance(said, ast.Constant) and isinstance(said.value, str):
            yield said.value


def _is_rule(node: ast.expr) -> bool:
    rule = node.value if isinstance(node, ast.Constant) else ""
    return isinstance(rule, str) and any(rule == one.id for game in SHELF for one in game.rules)


def test_every_refusal_in_the_sources_stands_in_the_list_and_nothing_else_does() -> None:
    read = {said for _, _, said in listed()}
    sources = [path.read_text("utf-8") for path in sorted(SOURCES.rglob("*.py"))]
    new = {said for source in sources for said in written(source)} - read
    assert not new, f"not in {LIST.name}: {sorted(new)}; {ADD}"
    joined = "".join("".join(source.split()) for source in sources).replace('""', "")
    gone = {said for said in read if "".join(said.split()) not in joined}
    assert not gone, f"nothing says {sorted(gone)} any more: take it out of {LIST.name}"


def test_the_list_is_sorted_and_each_line_names_a_rule_of_its_game() -> None:
    lines = LIST.read_text("utf-8").splitlines()
    assert lines == sorted(set(lines))
    known = {(game.key, rule.id) for game in SHELF for rule in game.rules}
    assert {(game, rule) for game, rule, _ in listed()} <= known


@pytest.mark.slow
@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_no_random_move_is_refused_in_words_that_nobody_read(game: Game[Any]) -> None:
    new = set(walked(game)) - listed()
    lines = "\n".join(" | ".join(one) for one in sorted(new))
    assert not new, f"not in {LIST.name}:\n{lines}\n{ADD}"
