"""What the last moves led to: told to each panel, leaf by leaf, until it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.events import ButtonPressed, Chosen, LeafRead
from companion.table.telling import MOST, Telling, Told
from companion.views import READ, Beat, leaves
from companion.words import text
from tests.table.desk import Desk

ONE, TWO, THREE = (Beat(text(word)) for word in ("one", "two", "three"))
GREAT, QUIET = Beat(text("a hit"), weight=2), Beat(text("a note"), weight=0)


@pytest.fixture
def shown(tmp_path: Path) -> Desk:
    return Desk(tmp_path).revealed()


def said(desk: Desk, panel: int) -> str:
    view = desk.table.panel(panel)
    return " | ".join(beat.says.show(view.names) for beat in view.beats)


def test_a_great_beat_has_a_leaf_alone_others_go_in_pairs_and_a_quiet_one_has_none() -> None:
    assert leaves((ONE, TWO, THREE, GREAT, QUIET)) == ((ONE, TWO), (THREE,), (GREAT,))


def test_leaves_are_turned_to_the_last_and_then_all_is_read() -> None:
    told = Told()
    told.add((GREAT, ONE))
    assert told.leaf == 0
    told.turn()
    assert told.leaf == 1
    told.turn()
    assert told.leaf is None


def test_news_come_after_what_is_not_read_yet_and_in_place_of_what_is() -> None:
    told = Told()
    told.add((GREAT,))
    told.add((ONE,))
    assert (told.beats, told.leaf) == ((GREAT, ONE), 0)
    told.turn()
    told.turn()
    told.add((TWO,))
    assert (told.beats, told.leaf) == ((TWO,), 0)


def test_what_nobody_need_wait_for_is_no_leaf() -> None:
    told = Told()
    told.add((QUIET,))
    assert (told.beats, told.leaf) == ((QUIET,), None)


def test_a_long_story_ends_on_the_glass_and_not_never() -> None:
    told = Told()
    told.add((GREAT,) * (MOST + 5))
    for _ in range(MOST):
        assert told.leaf is not None
        told.turn()
    assert told.leaf is None


def test_a_moment_that_is_over_turns_only_the_leaf_that_it_was_of() -> None:
    telling = Telling([0, 1])
    telling[0].add((GREAT, ONE))
    telling.turn(telling.number + 1)
    assert telling[0].leaf == 0
    telling.turn(telling.number)
    assert telling[0].leaf == 1


def test_a_press_reads_the_story_and_chooses_nothing(shown: Desk) -> None:
    before = shown.kinds()
    view = shown.press(0, "select")
    assert (view.leaf, shown.kinds()) == (None, before)
    assert shown.labels(0)[0] == "Go on"


def test_a_press_on_choices_that_a_leaf_has_covered_neither_chooses_nor_reads(shown: Desk) -> None:
    before, offered = shown.kinds(), shown.table.panel(0).seq
    shown.table.handle(ButtonPressed(0, "select", offered))
    assert (shown.table.panel(0).leaf, shown.kinds()) == (0, before)


def test_a_press_on_a_leaf_that_is_gone_meanwhile_chooses_nothing(shown: Desk) -> None:
    before = shown.kinds()
    shown.read(0)
    shown.table.handle(ButtonPressed(0, "select", READ))
    assert shown.kinds() == before


def test_both_see_the_reveal_although_one_has_pressed_on(shown: Desk) -> None:
    told = said(shown, 1)
    shown.choose(0, "Go on")
    view = shown.table.panel(1)
    assert view.leaf == 0
    assert said(shown, 1).startswith(told)
    shown.choose(0, "Retreat")  # Blue plays on; Red still reads
    assert shown.table.panel(1).leaf == 0


def test_a_phone_reads_by_choosing(shown: Desk) -> None:
    shown.table.handle(Chosen(0, 0, shown.table.panel(0).seq))
    assert shown.table.play.line.state.phase == "choose"


def test_leaves_turn_by_themselves_until_the_choices_stand_there(shown: Desk) -> None:
    for _ in range(2 * MOST):
        coming = shown.table.moment()
        if coming is None or not isinstance(coming[1], LeafRead):
            break
        shown.table.handle(coming[1])
    assert [shown.table.panel(panel).leaf for panel in (0, 1)] == [None, None]


def test_going_back_tells_what_it_changed(shown: Desk) -> None:
    shown.menu(0)
    shown.choose(0, "Go back")
    shown.choose(1, "Agree")
    assert "Space of Blue 2 → 1" in said(shown, 1)


def test_a_new_game_has_no_story_yet(shown: Desk) -> None:
    shown.table.play.stop()
    shown.table.handle(LeafRead(0))
    shown.choose(0, "Join")
    assert (said(shown, 0), shown.table.panel(0).leaf) == ("", None)


def test_what_was_not_read_before_a_cut_is_told_again_after_it(shown: Desk) -> None:
    told = said(shown, 1)
    shown.cut()
    assert shown.table.panel(1).leaf == 0
    assert said(shown, 1) == told
    shown.read(1)
    assert shown.notice(1).startswith("Restored")
