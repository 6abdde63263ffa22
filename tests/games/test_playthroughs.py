"""Whole games read as they did: `python -m tests.games.playthrough` writes them anew."""

from __future__ import annotations

import pytest

from tests.games.playthrough import BOOKS, HERE, playthrough

WRITE = "run `python -m tests.games.playthrough` and read the diff"


@pytest.mark.parametrize("name", BOOKS)
def test_a_whole_game_reads_as_it_did(name: str) -> None:
    file = HERE / f"{name}.txt"
    assert file.exists(), f"{file.name} is missing: {WRITE}"
    assert playthrough(*BOOKS[name]) == file.read_text("utf-8"), f"if that is right, {WRITE}"


def test_no_playthrough_lies_about_that_nobody_compares() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == set(BOOKS)
