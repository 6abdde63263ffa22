"""Kiri-ai and the table's word: soft mode, overruled counters, states that cannot be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.errors import BadState, Illegal
from companion.games.kiriai import KIRIAI
from companion.games.kiriai.state import Fighter, GoOn, Laid, Pick, Placed, Seal, Shown, State
from tests.games.kiriai_table import (
    begin,
    cardboard,
    do,
    first,
    plan,
    put,
    stands,
    where,
    whole,
    wounds,
)

IDLE = "retreat low", "retreat low"  # at the ends of the row, in Heaven: nothing happens


def test_soft_mode_lays_what_only_availability_forbids() -> None:
    assert KIRIAI.rulings.force is not None
    state = whole(begin(), "retreat high", "retreat low")
    forced = KIRIAI.rulings.force(state, Pick(0, "high", "s"))
    assert forced.fighters[0].plan == (Laid("high", "s", forced=True),)
    KIRIAI.possible(forced)
    state = do(forced, Pick(0, "low"), Seal(0), *plan(1, ("retreat", "high")))
    assert state.steps[0].faces == ("high", "retreat")
    with pytest.raises(Illegal, match="K-R4"):
        KIRIAI.rulings.force(begin(), Pick(0, "zantetsu"))
    with pytest.raises(Illegal, match="K-R9"):
        KIRIAI.rulings.force(begin(), Seal(0))


def test_a_forced_special_of_cardboard_is_the_one_that_was_shown_before() -> None:
    assert KIRIAI.rulings.force is not None
    state = do(first(cardboard(), "special low", "retreat low"), Shown(0, "kesa"), GoOn(0))
    state = KIRIAI.rulings.force(state, Pick(0, "special"))
    state = do(state, Pick(0, "high"), Seal(0), *plan(1, ("retreat", "high")))
    assert state.steps[0].faces == ("kesa", "retreat")
    KIRIAI.possible(state)


def test_the_table_can_end_a_duel_and_bring_it_back() -> None:
    assert KIRIAI.rulings.overrule is not None
    state = first(begin(), "charge low", "retreat low")
    over = KIRIAI.rulings.overrule(state, "wounds1", 2)
    result = KIRIAI.result(over)
    assert result is not None
    assert (result.winners, result.scores[0].breakdown[0][0].show()) == ((0,), "The table's word")
    back = KIRIAI.rulings.overrule(over, "wounds1", 1)
    assert (back.phase, wounds(back)) == ("between", (0, 1))
    assert do(back, GoOn(0)).round == 2


def test_a_deadly_second_card_that_the_table_overrules_still_ends_its_round() -> None:
    assert KIRIAI.rulings.overrule is not None
    state = put(begin(), "B1H R3E", wounds=(0, 1))
    state = whole(state, "retreat high", "balanced low")
    assert state.phase == "over"
    back = KIRIAI.rulings.overrule(state, "wounds1", 1)
    assert (back.phase, back.round, back.fighters[0].aside) == ("choose", 2, "high")


def test_the_table_can_move_the_samurai_and_play_goes_on_from_there() -> None:
    assert KIRIAI.rulings.overrule is not None
    state = KIRIAI.rulings.overrule(begin(), "space0", 3)
    state = KIRIAI.rulings.overrule(state, "heaven1", 0)
    assert where(state) == "B3H R5E"
    with pytest.raises(BadState, match="space0 can be 1 to 5, not 6"):
        KIRIAI.rulings.overrule(state, "space0", 6)
    with pytest.raises(BadState, match="no counter"):
        KIRIAI.rulings.overrule(state, "luck", 6)


def test_a_drawn_duel_can_be_given_another_round() -> None:
    assert KIRIAI.rulings.overrule is not None
    drawn = whole(begin(round_cap=1), *IDLE)
    again = KIRIAI.rulings.overrule(drawn, "round", 1)
    assert (again.phase, KIRIAI.result(again)) == ("choose", None)


# --- states that cannot be ------------------------------------------------------------------------


def _with(state: State, seat: int, **fresh: Any) -> State:
    fighters: list[Fighter] = list(state.fighters)
    fighters[seat] = replace(fighters[seat], **fresh)
    return replace(state, fighters=(fighters[0], fighters[1]))


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (_with(begin(), 0, stand=stands("B6H R1H")[0]), "space 6"),
        (_with(begin(), 1, stand=stands("B0H R1H")[0]), "space 0"),
        (
            _with(_with(begin(), 0, stand=stands("B4H R1H")[0]), 1, stand=stands("B3H R3H")[0]),
            "past",
        ),
        (_with(begin(), 0, special="counter"), "same special"),
        (_with(begin(), 0, special=""), "no special"),
        (_with(begin(), 0, spent="zantetsu"), "one special"),
        (_with(begin(), 0, special="axe"), "no special 'axe'"),
        (_with(begin(), 0, wounds=3), "3 wounds"),
        (_with(begin(), 0, wounds=2), "decided"),
        (_with(begin(), 0, aside="kesa"), "cannot be set aside"),
        (_with(begin(), 0, plan=(Laid("zantetsu"),)), "not held"),
        (_with(begin(), 0, plan=(Laid("high"), Laid("high"))), "laid twice"),
        (_with(begin(), 0, aside="high", plan=(Laid("high"),)), "rests"),
        (_with(begin(), 0, special="", spent="kesa", plan=(Laid("kesa"),)), "is spent"),
        (_with(begin(), 0, done=True), "0 cards laid"),
        (_with(begin(), 0, placed=Placed(3, "heaven")), "start"),
        (replace(begin(), round=0), "round 0"),
        (replace(begin(), phase="show"), "cardboard"),
        (replace(begin(), phase="between"), "steps"),
        (replace(begin(), phase="place"), "advanced"),
        (replace(whole(begin(), *IDLE), steps=whole(begin(), *IDLE).steps[:1]), "steps"),
    ],
)
def test_a_duel_that_cannot_be_is_refused_with_the_reason(bad: State, why: str) -> None:
    with pytest.raises(BadState, match=why):
        KIRIAI.possible(bad)


def test_a_step_that_the_rules_do_not_give_is_refused() -> None:
    state = whole(begin(), "charge high", "retreat low")
    wrong = replace(state.steps[0].outcome, hurt=1)
    bad = replace(state, steps=(replace(state.steps[0], outcome=wrong), state.steps[1]))
    with pytest.raises(BadState, match="a step went wrong"):
        KIRIAI.possible(bad)


def test_an_action_of_another_game_is_no_action_here() -> None:
    with pytest.raises(BadState, match="no action of Kiri-ai"):
        KIRIAI.apply(begin(), "high")
