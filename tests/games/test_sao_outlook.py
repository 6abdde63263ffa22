"""What the lobby says of a table's chances: measured figures, or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.bots.shelf import GAMES
from companion.games.sao import outlook as module
from companion.games.sao.outlook import Shares, measured, outlook
from companion.games.sao.state import DIFFICULTIES, Options
from companion.table.seating import Seating
from companion.words import Panel
from tests.table.desk import Desk


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {
        (2, "easy"): Shares(1.0, 0.8),
        (2, "normal"): Shares(0.9, 0.4),
        (3, "normal"): Shares(0.99, 0.7),
    }
    monkeypatch.setattr(module, "measured", lambda: known)


@pytest.mark.usefixtures("figures")
def test_the_lobby_tells_how_often_such_tables_win_and_names_a_fairer_difficulty() -> None:
    said = outlook(Options("normal"), 2)
    assert said is not None
    assert said.show() == "Careful tables win 90 %, casual ones 40 %: try easy"
    fair = outlook(Options("normal"), 3)
    assert fair is not None
    assert fair.show() == "Careful tables win 99 %, casual ones 70 %"


@pytest.mark.usefixtures("figures")
def test_one_alone_plays_two_and_what_was_not_measured_is_not_said() -> None:
    assert outlook(Options("normal"), 1) == outlook(Options("normal"), 2)
    assert outlook(Options("both"), 2) is None
    assert outlook(Options("normal"), 4) is None


def test_the_shipped_figures_are_shares_of_enough_games() -> None:
    assert measured()
    for (party, difficulty), shares in measured().items():
        assert party in (2, 3, 4)
        assert difficulty in DIFFICULTIES
        assert 0 <= shares.casual <= shares.careful <= 1


@pytest.mark.usefixtures("figures")
def test_the_line_stands_in_the_lobby_as_soon_as_enough_have_joined(tmp_path: Path) -> None:
    seating = Seating(3, ("Red", "Green", "White"), {"one": (Panel(0),)})
    desk = Desk(tmp_path, seating, shelf=dict(GAMES))
    desk.choose(0, "Sword of Fellows")
    assert "Careful tables" not in desk.text("one")
    desk.choose(0, "Join")
    desk.choose(1, "Join")
    assert "Careful tables win 90 %, casual ones 40 %: try easy" in desk.text("one")
    desk.choose(2, "Join")
    assert "Careful tables win 99 %, casual ones 70 %" in desk.text("one")
