"""Whole games read as they did: `python -m tests.games.playthrough` writes them anew."""

from __future__ import annotations

import pytest

from tests.games.playthrough import BOOKS, HERE, playthrough


@pytest.mark.parametrize("name", BOOKS)
def test_a_whole_game_reads_as_it_did(name: str) -> None:
    assert playthrough(*BOOKS[name]) == (HERE / f"{name}.txt").read_text("utf-8")


def test_no_playthrough_lies_about_that_nobody_compares() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == set(BOOKS)
