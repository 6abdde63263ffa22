"""Seats change hands in the middle of a game: to another panel, or to somebody who comes late."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.table.table import Seating
from tests.table.desk import Desk

THREE = Seating(3, ("Blue", "Red", "Green"), {"one": (0,), "two": (1,), "three": (2,)})


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A duel of two at a table of three; Blue has laid a card."""
    desk = Desk(tmp_path, THREE)
    for panel in (0, 1):
        desk.choose(panel, "Join")
    desk.choose(0, "Start")
    desk.choose(0, "Approach")
    return desk


def leave(desk: Desk, panel: int, to: str) -> None:
    desk.menu(panel)
    desk.choose(panel, "Leave my seat")
    desk.choose(panel, to)


def test_a_seat_is_handed_to_another_panel_with_all_that_is_secret(desk: Desk) -> None:
    leave(desk, 0, "Panel 3")
    assert desk.notice(1) == "Blue sits at panel 3 now."
    assert desk.table.panel(0).seat is None
    assert not desk.labels(0)
    desk.choose(2, "High")
    assert len(desk.table.play.line.state.fighters[0].plan) == 2


def test_somebody_who_comes_late_takes_the_seat_of_one_who_has_gone(desk: Desk) -> None:
    assert not desk.labels(2)
    leave(desk, 1, "Whoever comes")
    desk.choose(1, "Retreat")  # until somebody comes, its buttons work: nobody is stuck
    assert desk.labels(2) == ["Take Red's seat"]
    desk.choose(2, "Take Red's seat")
    assert desk.table.play.players == (0, 2)
    assert not desk.labels(1)


def test_who_sits_where_outlasts_a_cut_and_the_next_game(desk: Desk) -> None:
    leave(desk, 0, "Panel 3")
    leave(desk, 1, "Whoever comes")
    desk.cut()
    assert (desk.table.play.players, desk.table.play.left) == ((2, 1), {1})
    desk.choose(0, "Take Red's seat")
    desk.menu(2)
    desk.choose(2, "Set this game aside")
    desk.choose(0, "Agree")
    desk.choose(1, "Go on with")
    assert (desk.table.play.players, desk.table.play.left) == ((2, 0), set())
    desk.table.play.again()
    assert [one.panel for one in desk.table.play.line.state.players] == [2, 0]


def test_a_seat_cannot_be_given_to_a_panel_that_was_taken_meanwhile(desk: Desk) -> None:
    leave(desk, 1, "Whoever comes")
    desk.menu(0)
    desk.choose(0, "Leave my seat")
    stale = desk.table.panel(0)
    desk.choose(2, "Take Red's seat")
    assert desk.table.panel(0).seq != stale.seq
    assert "Panel 3" not in desk.labels(0)


def test_where_every_panel_plays_nobody_is_offered_to_leave(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    assert "Leave my seat" not in desk.menu(0)
