"""Games become evenings, and people with names have wins and a rating; colours have none."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from companion.memory.evenings import PAUSE, evenings, players
from companion.memory.journal import Record

NUMBERS = count(1)


def game(began: float, *names: str, won: tuple[int, ...] = (), **more: Any) -> Record:
    seats = [{"panel": n, "name": name} for n, name in enumerate(names)]
    result = {"winners": list(won), "why": "", "scores": []}
    ended = {"ended": began + 600, "result": result} | more
    return Record(next(NUMBERS), "kiriai", 1, seats, {}, began, **ended)


def test_a_long_pause_ends_an_evening_and_the_newest_comes_first() -> None:
    first, second = game(0, "Aki", "Bo"), game(900, "Aki", "Bo")
    third = game(1500 + PAUSE + 1, "Aki", "Bo")
    found = evenings([third, first, second])
    assert [evening.games for evening in found] == [(third,), (first, second)]
    assert [evening.seconds for evening in found] == [600, 1500]


def test_a_game_that_lasted_past_the_pause_keeps_its_evening_together() -> None:
    long = game(0, "Aki", "Bo", ended=PAUSE + 1000)
    assert len(evenings([long, game(PAUSE + 1200, "Aki", "Bo")])) == 1


def test_no_games_are_no_evening() -> None:
    assert evenings([]) == []
    assert players([]) == []


def test_who_wins_rises_and_who_loses_falls_by_as_much() -> None:
    aki, bo = players([game(0, "Aki", "Bo", won=(0,))])
    assert (aki.name, bo.name) == ("Aki", "Bo")
    assert aki.rating - 1000 == pytest.approx(1000 - bo.rating) == pytest.approx(12)
    assert (aki.games, aki.wins["kiriai"], bo.wins["kiriai"]) == (1, 1, 0)


def test_a_draw_a_shared_defeat_and_an_open_game_move_no_rating() -> None:
    drawn, shared = game(0, "Aki", "Bo"), game(1, "Aki", "Bo", won=(0, 1))
    given_up = game(2, "Aki", "Bo", result=None)
    assert {(one.rating, one.games) for one in players([drawn, shared, given_up])} == {(1000, 2)}


def test_colours_and_the_companion_are_nobody() -> None:
    alone = game(0, "Aki", "Companion", won=(0,))
    alone.seats[1]["level"] = "best"
    assert [(one.name, one.rating, one.games) for one in players([alone])] == [("Aki", 1000, 1)]
    assert players([game(0, "Blue", "Red", won=(1,))]) == []


def test_of_three_the_winner_gains_what_both_losers_lose() -> None:
    found = {one.name: one.rating for one in players([game(0, "Aki", "Bo", "Cy", won=(2,))])}
    assert found == pytest.approx({"Aki": 994, "Bo": 994, "Cy": 1012})
