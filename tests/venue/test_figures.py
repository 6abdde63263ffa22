"""Leagues and statistics out of records: rated, by wins and difficulty, by seat and by level."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import GAMES
from companion.memory.evenings import FIRST, STEP
from companion.memory.journal import Record
from companion.venue.league import difficulties, standings
from companion.venue.past import recorded
from companion.venue.statistics import figures


def game(
    winners: list[int], *names: str, key: str = "kiriai", level: str | None = None,
    minutes: float = 10, **options: Any,
) -> Record:  # fmt: skip
    seats = [{"panel": None if level else n, "name": name, "level": level}
             for n, name in enumerate(names)]  # fmt: skip
    return Record(1, key, 1, seats, options, 0.0, 60 * minutes, {"winners": winners, "why": ""})


def test_people_who_play_each_other_are_rated_and_the_best_stands_first() -> None:
    table = standings([game([0], "Asuna", "Kirito"), game([0], "Asuna", "Klein")])
    assert table[0]["name"] == "Asuna"
    assert table[0]["rating"] > FIRST + STEP / 2
    assert sum(one["rating"] for one in table) == pytest.approx(3 * FIRST, abs=2)


def test_who_wins_together_goes_by_wins_and_by_how_hard_it_was() -> None:
    table = standings([
        game([], "Asuna", "Kirito", key="sao", difficulty="hard"),
        game([0, 1], "Asuna", "Klein", key="sao", difficulty="hard"),
        game([0, 1], "Asuna", "Klein", key="sao", difficulty="normal"),
    ])  # fmt: skip
    assert [(one["name"], one["wins"], one["rating"]) for one in table] == [
        ("Klein", 2, None), ("Asuna", 2, None), ("Kirito", 0, None),
    ]  # fmt: skip
    assert table[0]["levels"] == {"hard": 1, "normal": 1}
    assert table[2]["levels"] == {}
    assert difficulties(GAMES["sao"]) != []
    assert difficulties(GAMES["kiriai"]) == []


def test_companions_and_lessons_are_in_no_table() -> None:
    assert standings([game([0], "Yui", "Agil", level="best"),
                      game([0], "Asuna", "Kirito", taught=True)]) == []  # fmt: skip


def test_wins_are_told_by_seat_and_by_who_plays_and_lessons_not_at_all() -> None:
    found = figures([
        game([1], "Asuna", "Kirito", minutes=10),
        game([1], "Yui", "Agil", level="easy", minutes=30),
        game([0], "Asuna", "Kirito", taught=True),
    ])["kiriai"]  # fmt: skip
    assert (found["games"], found["minutes"], found["longest"]) == (2, 20, 30)
    assert found["seats"] == [[2, 0], [2, 2]]
    assert found["levels"] == {"": [2, 1], "easy": [2, 1]}


HEAD = {"game": "kiriai", "rules": 2, "seats": [{"panel": 0, "name": "Asuna"}] * 2,
        "options": {}, "began": 1.0}  # fmt: skip
END = {"ended": 2.0, "result": {"winners": [1], "why": ""}}


@pytest.mark.parametrize(
    ("head", "end"),
    [
        ({"began": float("nan")}, {}), ({"began": -1}, {}), ({"began": "x"}, {}),
        ({"seats": [1]}, {}), ({"seats": None}, {}), ({"options": 3}, {}),
        ({}, {"ended": 1e300}), ({}, {"ended": None}), ({}, {"result": {"winners": [7]}}),
        ({}, {"result": {"winners": ["0"]}}), ({}, {"result": 5}),
    ],
)  # fmt: skip
def test_what_no_page_can_list_is_no_record(head: dict[str, Any], end: dict[str, Any]) -> None:
    assert recorded("t1", 1, HEAD, END).ended == 2.0
    with pytest.raises((ValueError, TypeError, KeyError, AttributeError)):
        recorded("t1", 1, HEAD | head, END | end)
