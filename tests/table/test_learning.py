"""How to play, words and rules on a panel: from the lobby, and in the middle of a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games import GAMES
from companion.plain import plain
from companion.views import Line, View
from companion.words import Text
from hardware.glass.draw import pages
from tests.table.desk import Desk


def shown(view: View) -> str:
    return "\n".join(plain(view))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_whoever_does_not_know_the_game_learns_it_before_he_joins(desk: Desk) -> None:
    view = desk.choose(0, "How to play")
    assert desk.labels(0)[0] == "The goal"
    view = desk.choose(0, "The goal")
    assert view.page == 0, "it is read first"
    assert "wounds the other twice" in shown(view)


def test_every_page_leads_to_the_next_and_the_last_one_back(desk: Desk) -> None:
    lesson = GAMES["kiriai"].lesson
    assert lesson is not None
    desk.choose(0, "How to play")
    desk.choose(0, "The goal")
    for page in lesson.pages[1:]:
        view = desk.choose(0, "Next page")
        assert view.waiting == page.title
    desk.choose(0, "Back")
    assert desk.table.panel(0).waiting.show() == "How to play"


def test_in_mid_game_the_menu_has_pages_words_and_every_rule(desk: Desk) -> None:
    desk.start()
    assert "How to play" in desk.menu(0)
    desk.choose(0, "How to play")
    assert "The sword is held high" in shown(desk.choose(0, "Words"))
    desk.press(0, "back")
    desk.choose(0, "Rules")
    view = desk.choose(0, "Actions")
    assert "K-R29: If both hit, the swords clash" in shown(view)
    for where in ("Rules", "How to play", "The table's menu"):
        desk.press(0, "back")
        assert desk.table.panel(0).waiting.show() == where


@pytest.mark.parametrize("key", GAMES)
def test_no_page_is_cut_off_on_a_glass(tmp_path: Path, key: str) -> None:
    desk = Desk(tmp_path, shelf={key: GAMES[key]})
    lesson = GAMES[key].lesson
    assert lesson is not None
    for at, page in enumerate(lesson.pages):
        if not at:
            desk.choose(0, "How to play")
        view = desk.choose(0, page.title.show() if not at else "Next page")
        drawn = "".join(
            part.text.show()
            for one in pages(view, Text.show)
            for part in one.parts
            if isinstance(part, Line)
        ).replace(" ", "")
        for said in page.says:
            assert said.show().replace(" ", "") in drawn
