"""The coach of Kiri-ai: its odds are those of playing every possible round."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from companion.games.kiriai import KIRIAI
from companion.games.kiriai.advice import odds
from companion.games.kiriai.cards import SPECIALS
from companion.games.kiriai.duel import resolve
from companion.games.kiriai.state import GoOn, Options, Pick, Seal, State, Told
from tests.games.kiriai_table import begin, do, plan, put, where, whole, wounds


def every_round(state: State, seat: int, mine: tuple[str, ...]) -> Iterator[State]:
    """Play the plan through the rules against everything that the other may hold and lay."""
    other = 1 - seat
    known = {state.fighters[seat].special, state.fighters[seat].spent}
    hidden = not state.fighters[other].spent
    for special in [s for s in SPECIALS if s not in known] if hidden else [""]:
        fighters = list(state.fighters)
        fighters[other] = replace(fighters[other], special=special, plan=())
        open_state = replace(state, fighters=(fighters[0], fighters[1]))
        laid = do(open_state, *plan(seat, mine)[len(state.fighters[seat].plan) :])
        for one in KIRIAI.legal(laid, other):
            for two in KIRIAI.legal(do(laid, one), other):
                after = do(laid, one, two, Seal(other))
                yield do(after, GoOn(0)) if after.phase == "between" else after


def by_hand(state: State, seat: int, mine: tuple[str, ...]) -> tuple[Fraction, Fraction]:
    before = wounds(state)
    rounds = [wounds(after) for after in every_round(state, seat, mine)]
    dealt = sum(after[1 - seat] > before[1 - seat] for after in rounds)
    taken = sum(after[seat] > before[seat] for after in rounds)
    return Fraction(dealt, len(rounds)), Fraction(taken, len(rounds))


OPENING = begin("kesa", "counter")
SPENT = whole(begin("kesa", "counter"), "kesa low", "counter high")
SITUATIONS = [
    pytest.param(OPENING, 0, id="opening"),
    pytest.param(put(OPENING, "B2H R3E"), 1, id="close"),
    pytest.param(put(OPENING, "B2H R3E", wounds=(1, 1)), 0, id="one blow decides"),
    pytest.param(put(SPENT, "B3E R3H", wounds=(0, 1)), 0, id="specials spent"),
    pytest.param(do(put(OPENING, "B2H R3E"), Pick(0, "kesa")), 0, id="first card laid"),
]


@pytest.mark.parametrize(("state", "seat"), SITUATIONS)
def test_the_odds_are_those_of_playing_every_possible_round(state: State, seat: int) -> None:
    found = odds(state, seat)
    for odd in found[:: max(1, len(found) // 5)]:
        assert (odd.wound, odd.hurt) == by_hand(state, seat, odd.plan), odd.plan


def test_every_plan_that_is_open_has_its_odds() -> None:
    assert len(odds(OPENING, 0)) == 52
    assert len({odd.plan for odd in odds(OPENING, 0)}) == 52
    assert len(odds(do(OPENING, Pick(0, "approach")), 0)) == 6
    assert len(odds(SPENT, 0)) == 26


def test_a_certain_win_comes_first() -> None:
    """Both on Red's end, Red hurt, Red's Balanced Strike at rest and special spent."""
    state = whole(begin("kesa", "counter"), "low approach", "counter balanced")
    state = put(state, "B5H R5H", wounds=(0, 1))
    assert where(state) == "B5H R5H"
    assert KIRIAI.advice is not None
    best = KIRIAI.advice(state, 0)[0].show()
    assert best.endswith("you hit 100 %, are hit 0 %")
    sure = {odd.plan for odd in odds(state, 0) if odd.wound == 1}
    assert ("balanced", "high") in sure


def test_the_coach_says_what_each_attack_needs() -> None:
    assert KIRIAI.advice is not None
    lines = [line.show() for line in KIRIAI.advice(put(OPENING, "B2H R3E"), 0)][5:]
    assert lines == [
        "High Strike hits at 2, now 1",
        "Low Strike needs Earth",
        "Balanced Strike hits at 0, now 1",
        "Kesa Strike would hit now",
    ]


def test_the_coach_is_silent_when_there_is_nothing_to_choose() -> None:
    assert KIRIAI.advice is not None
    assert KIRIAI.advice(do(OPENING, *plan(0, ("high", "low"))), 0) == ()
    assert KIRIAI.advice(KIRIAI.new(2, Options()), 0) == ()


def test_with_cardboard_the_coach_reckons_with_what_was_told() -> None:
    start = KIRIAI.new(2, Options(cards="table"))
    told = do(start, Told(0, "kesa"), Told(1, ""))
    untold = do(start, Told(0, ""), Told(1, ""))
    assert [(o.plan, o.wound, o.hurt) for o in odds(told, 0)] == [
        (o.plan, o.wound, o.hurt) for o in odds(begin("kesa", "counter"), 0)
    ]
    assert len(odds(untold, 0)) == 38  # without the special that it does not know


def test_the_coach_answers_at_once() -> None:
    assert KIRIAI.advice is not None
    KIRIAI.advice(OPENING, 0)
    best = min(_timed() for _ in range(5))
    assert best < 0.05


def _timed() -> float:
    start = time.process_time()
    assert KIRIAI.advice is not None
    KIRIAI.advice(OPENING, 0)
    return time.process_time() - start


def test_what_an_advice_asks_for_again_and_again_is_remembered_and_no_more() -> None:
    resolve.cache_clear()
    odds(begin(), 0)
    asked = resolve.cache_info()
    assert asked.maxsize is not None
    assert asked.misses == asked.currsize < asked.maxsize
    assert asked.hits > asked.misses
