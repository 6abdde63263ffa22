"""Guess: the proofs of its rules; its secrets are the contract's."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pytest

from companion.errors import Illegal
from companion.games.api import DiceWanted, Die, Rolled, fits, resalted, seal, sealed_line
from companion.views import Line
from tests.games.guess import GUESS, Guess, Options, Toss

BOTH = (Guess(0, 2, "ab"), Guess(1, 5, "cd"))


def thrown(*values: int, body: str = "black") -> Rolled:
    return Rolled(tuple(Die(body, value) for value in values))


def after(*actions: Any, goal: int = 2) -> Any:
    return reduce(GUESS.apply, actions, GUESS.new(2, Options(goal)))


def said(state: Any, seat: int | None) -> str:
    lines = (part for part in GUESS.view(state, seat).parts if isinstance(part, Line))
    return " | ".join(line.text.show() for line in lines)


@pytest.mark.rule("guess", "G1")
def test_the_toss_comes_first_and_once() -> None:
    assert GUESS.waiting(after()).chance
    with pytest.raises(Illegal, match="G1: No toss is due"):
        after(Toss(1), Toss(0))


@pytest.mark.rule("guess", "G2")
def test_a_guess_is_secret_until_both_are_sealed() -> None:
    one = after(Toss(1), BOTH[0])
    assert said(one, 0) == f"0 to 0 | Your guess 2, code {seal(2, 'ab')}"
    assert said(one, 1) == said(one, None) == "0 to 0 | Seat 1 has guessed"
    assert f"Seat 1 2:ab gives {seal(2, 'ab')}" in said(after(Toss(1), *BOTH), None)
    with pytest.raises(Illegal, match="G2: Seat 1 does not guess now"):
        GUESS.apply(one, Guess(0, 3))


@pytest.mark.rule("guess", "G3")
@pytest.mark.parametrize(("value", "points"), [(3, (1, 0)), (4, (0, 1))])
def test_the_nearer_guess_scores(value: int, points: tuple[int, int]) -> None:
    assert after(Toss(0), *BOTH, thrown(value)).points == points


@pytest.mark.rule("guess", "G3")
def test_at_a_tie_the_toss_decides() -> None:
    same = (Guess(0, 4), Guess(1, 4), thrown(1))
    assert after(Toss(1), *same).points == (0, 1)


@pytest.mark.rule("guess", "G4")
def test_who_first_has_the_goal_wins() -> None:
    state = after(Toss(0), *BOTH, thrown(2), goal=1)
    result = GUESS.result(state)
    assert result is not None
    assert result.winners == (0,)
    assert not GUESS.waiting(state)


@pytest.mark.parametrize(
    ("wanted", "roll", "fine"),
    [
        (DiceWanted(("black", "white")), Rolled((Die("white", 1), Die("black", 6))), True),
        (DiceWanted(("black",)), thrown(0), False),
        (DiceWanted(("black",)), thrown(7), False),
        (DiceWanted(("black",)), thrown(3, 3), False),
        (DiceWanted(("black",)), thrown(3, body="white"), False),
        (None, Rolled(()), False),
    ],
)
def test_only_the_roll_that_was_asked_for_fits(
    wanted: DiceWanted | None, roll: Rolled, fine: bool
) -> None:
    assert fits(wanted, roll) is fine


def test_a_seal_is_checked_by_the_line_that_is_shown() -> None:
    assert sealed_line(["a", 1], "5e") == '["a",1]:5e'
    assert sealed_line("切", "5e") == '"切":5e'
    picks = iter((15, 0))
    assert resalted("ab", lambda _n: next(picks)) == "f0"
