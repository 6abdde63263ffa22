"""A game that was set aside goes on another day; one that is given up does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import BadState
from companion.memory import journal
from companion.memory.records import exported, find, seeds_in_play, steps
from companion.table.play import Play
from companion.words import SeatNo
from tests.table.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A duel, one card laid and one round told, set aside by both."""
    desk = Desk(tmp_path)
    desk.start()
    desk.plan(0, "Approach", "High")
    desk.plan(1, "Retreat", "High")
    desk.choose(0, "Go on")
    desk.choose(0, "Charge")
    leave(desk, "Set this game aside")
    return desk


def leave(desk: Desk, word: str) -> None:
    desk.menu(0)
    desk.choose(0, word)
    desk.choose(1, "Agree")
    assert desk.table.play.in_lobby


def test_a_game_set_aside_has_no_end_and_the_lobby_offers_to_go_on_with_it(desk: Desk) -> None:
    assert find(desk.journal, 2).ended is None
    offered = [one for one in desk.table.panel(0).choices if "Go on with" in one.label.show()]
    assert len(offered) == 1
    assert offered[0].detail.show() == "Blue, Red; move 9, 1970-01-01"


def test_it_goes_on_where_it_stood_even_after_cuts(desk: Desk) -> None:
    desk.cut()
    desk.choose(1, "Go on with")
    line = desk.table.play.line
    assert (line.state.round, [one.face for one in line.state.fighters[0].plan]) == (2, ["charge"])
    desk.cut()
    assert desk.table.play.line.state == line.state
    desk.choose(0, "Low")
    assert len(desk.table.play.line.state.fighters[0].plan) == 2
    assert find(desk.journal, 2).ended is not None  # it lies on the table under its new number
    assert desk.journal.entries(2) == desk.journal.entries(desk.table.play.number)[:9]


def test_what_it_was_under_its_old_number_keeps_its_secrets_until_it_has_ended(desk: Desk) -> None:
    desk.choose(1, "Go on with")
    old, shelf = find(desk.journal, 2), desk.table.play.shelf
    assert old.ended is not None
    assert old.seed in seeds_in_play(desk.journal)
    told = "\n".join(exported(desk.journal, old, shelf))
    assert old.seed not in told
    assert '"salt":"' not in told
    with pytest.raises(BadState, match="still runs"):
        next(steps(desk.journal, old, shelf, SeatNo(0)))
    leave(desk, "Give up")
    assert old.seed in "\n".join(exported(desk.journal, old, shelf))


def test_a_cut_before_it_is_taken_up_only_delays_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Play, "go_on", lambda _play: None)
        desk.choose(0, "Go on with")
    desk.cut()
    assert not desk.table.play.in_lobby
    assert desk.table.play.line.state.fighters[0].plan


def test_several_games_rest_and_another_is_played_meanwhile(desk: Desk) -> None:
    desk.start()
    desk.choose(1, "Retreat")
    leave(desk, "Set this game aside")
    assert sum("Go on with" in label for label in desk.labels(0)) == 2
    desk.start()
    leave(desk, "Give up")
    assert sum("Go on with" in label for label in desk.labels(0)) == 2
    desk.choose(0, "Go on with")  # the newest first
    assert [len(one.plan) for one in desk.table.play.line.state.fighters] == [0, 1]


def test_what_is_given_up_is_over(desk: Desk) -> None:
    desk.choose(0, "Go on with")
    leave(desk, "Give up")
    assert not any("Go on with" in label for label in desk.labels(0))
    assert all(game.ended is not None for game in desk.journal.games()[1:])


def test_a_lobby_reads_as_much_of_an_old_journal_as_of_a_new_one(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    record = journal._record
    monkeypatch.setattr(journal, "_record", lambda row: read.append(row[0]) or record(row))

    def opened() -> int:
        read.clear()
        desk.table.play.stop()
        return len(read)

    few = [opened() for _ in range(3)][-1]
    assert [opened() for _ in range(50)][-1] == few
