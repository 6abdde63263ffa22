"""docs/referee.md does not lie: its conversation is held, its bot plays."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli.referee import ASKS, Referee
from companion.games import GAMES
from tests.patience import within

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/referee.md").read_text(encoding="utf-8")


def conversation() -> list[tuple[str, str]]:
    """Every line written and the answer that the page promises."""
    return re.findall(r"(?m)^> (.*)\n< (.*)$", PAGE)


def matches(said: str, promised: str) -> bool:
    """Like a doctest's ellipsis: … stands for anything."""
    return re.fullmatch(".*".join(map(re.escape, promised.split("…"))), said) is not None


def test_the_conversation_on_the_page_is_what_the_referee_says() -> None:
    referee = Referee(GAMES["kiriai"])
    for line, promised in conversation():
        said = referee.answer(line)
        assert matches(said, promised), f"{line}\nsaid     {said}\npromised {promised}"


def test_the_page_shows_every_request_and_explains_every_kind_of_error() -> None:
    lines = [line for line, _ in conversation()]
    assert PAGE.count("\n> ") == PAGE.count("\n< ") == len(lines)
    shown = {json.loads(line)["ask"] for line in lines if line.startswith("{")}
    assert shown == set(ASKS)
    source = (ROOT / "companion/cli/referee.py").read_text(encoding="utf-8")
    kinds = set(re.findall(r'(?:Cannot|_error)\("([a-z ]+)"', source))
    assert kinds == set(re.findall(r"(?m)^\| `([a-z ]+)` \|", PAGE))


def test_a_promise_that_is_not_kept_is_noticed() -> None:
    assert matches('{"ok":true,"a":[1,2]}', '{"ok":true,"a":[1,…]}')
    assert not matches('{"ok":true,"a":[2,2]}', '{"ok":true,"a":[1,…]}')
    assert not matches('{"ok":true,"a":1,"b":2}', '{"ok":true,"a":1}')


@pytest.mark.slow
def test_the_bot_on_the_page_plays_a_game_to_its_end() -> None:
    (bot,) = re.findall(r"(?s)```python\n(.*?)```", PAGE)
    played = subprocess.run(
        [sys.executable, "-c", bot],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=within(60),
    )
    assert played.stderr == ""
    assert played.stdout.startswith("won by [")
