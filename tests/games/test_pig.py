"""Pig: the proofs of its five rules."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pytest

from companion.errors import Illegal
from companion.games.api import DiceWanted, Die, Rolled
from companion.words import Text
from tests.games.pig import PIG, Hold, Options


def thrown(value: int) -> Rolled:
    return Rolled((Die("black", value),))


def after(*actions: Any, goal: int = 50) -> Any:
    return reduce(PIG.apply, actions, PIG.new(2, Options(goal)))


@pytest.mark.rule("pig", "P1")
def test_the_table_waits_for_one_die_and_takes_no_two() -> None:
    assert PIG.waiting(after()).dice == DiceWanted(("black",), by=(0,))
    with pytest.raises(Illegal, match="P1: Throw one black die"):
        after(Rolled((Die("black", 3), Die("black", 4))))


@pytest.mark.rule("pig", "P2")
def test_throws_gather_in_the_pot() -> None:
    assert after(thrown(3), thrown(6)).pot == 9


@pytest.mark.rule("pig", "P3")
def test_a_one_empties_the_pot_and_passes_the_die() -> None:
    state = after(thrown(6), thrown(1))
    assert (state.pot, state.turn, state.scores) == (0, 1, (0, 0))


@pytest.mark.rule("pig", "P4")
def test_holding_banks_the_pot_but_not_before_the_first_throw() -> None:
    state = after(thrown(4), thrown(5), Hold(0))
    assert (state.scores, state.turn) == ((9, 0), 1)
    with pytest.raises(Illegal, match="P4"):
        PIG.apply(state, Hold(1))


@pytest.mark.rule("pig", "P5")
def test_who_holds_the_goal_wins_at_once() -> None:
    state = after(*[thrown(5)] * 10, Hold(0))
    result = PIG.result(state)
    assert result is not None
    assert result.winners == (0,)
    assert not PIG.waiting(state)
    with pytest.raises(Illegal, match="P5"):
        PIG.apply(state, thrown(2))


def test_everybody_is_told_the_throw() -> None:
    told: Text = PIG.tell(after(), thrown(4), None)
    assert told.show() == "Seat 1 throws 4"
