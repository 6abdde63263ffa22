"""What the table asks, what it does not, and what it asks twice."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from companion.bots.shelf import GAMES
from companion.events import Chosen
from companion.games.api import Die, Result, Rolled
from companion.games.kiriai import KIRIAI
from companion.games.sainome import SAINOME
from companion.games.sao import SAO
from companion.games.sao.actions import Chain
from companion.games.swordcrafters import SWORDCRAFTERS
from companion.games.swordcrafters.play import SHOWN
from companion.memory.timeline import Timeline
from companion.table.asked import asked, coached, forced
from companion.table.menu import Open
from companion.words import SeatNo, text
from tests.games.pig import PIG
from tests.games.sao_table import done, fight, throw
from tests.games.shelf import walk
from tests.table.desk import Desk

GIVES_UP = Result((1,), text("Too little: Blue is out."))
DARING = replace(
    PIG,
    result=lambda state: (
        GIVES_UP if state.turn == 1 and state.scores[0] < 10 else PIG.result(state)
    ),
)


@pytest.fixture
def shown(tmp_path: Path) -> Desk:
    """There is nothing to choose but to go on."""
    return Desk(tmp_path).revealed()


def test_a_prompt_with_one_answer_is_taken_when_all_leaves_are_over(shown: Desk) -> None:
    assert not isinstance((shown.table.moment() or (0, 0))[1], Chosen)
    shown.wait()
    coming = shown.table.moment()
    assert coming is not None
    assert (coming[0], type(coming[1])) == (0, Chosen)
    shown.table.handle(coming[1])
    assert shown.table.play.line.state.phase == "choose"
    entry = shown.journal.entries(shown.table.play.number)[-1]
    assert (entry.who, entry.body["do"]) == (0, "GoOn")


def test_whoever_has_opened_the_menu_is_not_hurried(shown: Desk) -> None:
    shown.wait()
    shown.menu(1)
    assert shown.table.moment() is None
    shown.press(1, "back")
    assert shown.table.moment() is not None


def test_the_setting_leaves_every_press_to_the_players(tmp_path: Path) -> None:
    desk = Desk(tmp_path, goes_on=False).revealed()
    desk.wait()  # the shared display has no button: its leaves turn
    assert [desk.table.panel(panel).leaf for panel in (0, 1)] == [0, 0]
    assert desk.table.view("table").leaf is None
    assert desk.table.moment() is None


def test_what_is_final_after_one_press_can_be_taken_back_there_and_then(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    desk.choose(0, "Approach")
    desk.choose(0, "High")
    assert desk.labels(0) == ["Seal the plan", "Take back"]
    assert desk.table.moment() is None
    desk.choose(0, "Take back")
    assert [card.face for card in desk.table.play.line.state.fighters[0].plan] == ["approach"]


def test_the_finger_begins_on_what_most_people_want(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    view = desk.table.panel(0)  # 4 apart: after a Charge the High Strike would hit
    assert desk.labels(0)[view.cursor] == "Charge"
    desk.press(0, "select")
    assert desk.labels(0)[desk.table.panel(0).cursor] == "High Strike"


def test_a_line_is_shown_for_a_moment_and_then_cut_unless_another_is_wanted(tmp_path: Path) -> None:
    desk = Desk(tmp_path, shelf={"swordcrafters": SWORDCRAFTERS})
    desk.start("Tiles", "Tiles")
    mover = desk.table.play.line.state.mover
    desk.wait()
    desk.press(mover, "select")
    desk.wait()
    assert desk.labels(mover) == ["Cut here", "Undo"]
    desk.press(mover, "next")
    assert desk.table.moment() is None
    desk.press(mover, "previous")
    seconds, coming = desk.table.moment() or (0, None)
    assert seconds == SHOWN
    desk.table.handle(coming)
    assert len(desk.table.play.line.state.groups) == 2


def test_the_coach_speaks_with_the_choice_and_the_finger_begins_on_the_best(tmp_path: Path) -> None:
    desk = Desk(tmp_path, mode="coach")
    desk.start()
    view = desk.table.panel(0)
    first = desk.labels(0)[view.cursor]
    assert KIRIAI.advice is not None
    best = KIRIAI.advice(desk.table.play.line.state, 0)[0].show()
    assert best.startswith(first)
    assert view.choices[view.cursor].detail.show() == best
    assert all("you hit" in one.detail.show() for one in view.choices if not one.barred)


def test_the_coach_offers_the_throw_that_he_speaks_of() -> None:
    state = throw(done(fight("kirito", "asuna", "agil"), Chain(0, 1)), "256", "123")
    line = Timeline(GAMES["sao"], (), (state,))
    choices, at = coached(line, SeatNo(0))
    assert at == 0
    assert choices[0].label.show().startswith("Rethrow ")
    assert "damage" in choices[0].detail.show()
    SAO.apply(state, choices[0].action)


@pytest.mark.slow
def test_a_hit_is_never_answered_by_the_table_for_that_would_tell_the_hand() -> None:
    """The victim is asked even if nothing in the hand can answer: silence says nothing."""
    hits = 0
    for state, _ in walk(SAINOME, 2, SAINOME.options(), 1):
        line = Timeline(SAINOME, (), (state,))
        if state.hit is not None and any(state.sides[seat].hand for seat in line.waiting.seats):
            hits += len(line.view(line.waiting.seats[0]).choices) == 1
            assert forced(line) is None
    assert hits


def test_a_choice_that_loses_the_game_says_so_and_is_asked_once_more(tmp_path: Path) -> None:
    desk = Desk(tmp_path, shelf={"pig": DARING})
    desk.start()
    desk.choose(0, "Enter by hand")
    desk.choose(0, "3")
    desk.choose(0, "Yes")
    desk.choose(0, "Hold")
    view = desk.table.panel(0)
    assert view.waiting.show() == "Really?"
    assert not desk.table.play.over
    assert desk.labels(0)[view.cursor] == "Rather not"
    assert "Blue is out" in desk.text("one")
    desk.choose(0, "Rather not")
    assert any("Blue is out" in one.detail.show() for one in desk.table.panel(0).choices)
    desk.choose(0, "Hold")
    desk.choose(0, "Hold")
    assert desk.table.play.over


def test_what_was_asked_is_asked_anew_once_the_game_went_on_while_it_costs(tmp_path: Path) -> None:
    desk = Desk(tmp_path, shelf={"pig": DARING})
    desk.start()
    for label in ("Enter by hand", "3", "Yes", "Hold"):
        desk.choose(0, label)
    desk.table.play.act(Rolled((Die("black", 2),)), None)
    desk.press(1, "next")
    assert desk.labels(0) == ["Hold", "Rather not"]
    assert not desk.table.play.over
    desk.table.play.act(Rolled((Die("black", 6),)), None)  # enough to hold: nothing to ask
    desk.press(1, "next")
    assert desk.labels(0) == ["Back to the game"]


@pytest.mark.slow
def test_a_characters_fall_is_said_with_the_choice_that_leads_to_it() -> None:
    """Sword of Fellows at random, until somebody may let a character fall."""
    rng, found = random.Random(3), []
    for seed in range(40):
        for state, action in walk(SAO, 2, SAO.options(), seed):
            if action is None or rng.random() > 0.2 or not hasattr(action, "seat"):
                continue
            line = Timeline(SAO, (), (state,))
            found += [one for one in asked(line, action.seat) if isinstance(one.action, Open)]
        if found:
            break
    assert found
    assert all(one.detail.show() for one in found)
