"""Kiri-ai, the course of a duel: set-up, laying, opening, end of round, end of duel."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import pytest

from companion.errors import Illegal
from companion.games.kiriai import KIRIAI
from companion.games.kiriai.cards import BASICS, SPECIALS
from companion.games.kiriai.state import (
    Dealt,
    GoOn,
    Options,
    Pick,
    Place,
    Seal,
    Shown,
    State,
    Told,
)
from companion.views import Cards
from tests.games.kiriai_table import begin, cardboard, do, first, put, where, whole, wounds

IDLE = "retreat low", "retreat low"  # at the ends of the row, in Heaven: nothing happens


def refused(state: State, action: Any) -> str:
    with pytest.raises(Illegal) as refusal:
        KIRIAI.apply(state, action)
    return refusal.value.rule


def plans(state: State, seat: int) -> int:
    """How many ordered plans `legal` leads to."""
    count = 0
    for one in KIRIAI.legal(state, seat):
        count += sum(isinstance(two, Pick) for two in KIRIAI.legal(do(state, one), seat))
    return count


# --- set-up ---------------------------------------------------------------------------------------


@pytest.mark.rule("kiriai", "K-R1")
def test_two_play_no_more_no_less() -> None:
    for seats in (0, 1, 3):
        with pytest.raises(Illegal, match="K-R1"):
            KIRIAI.new(seats, Options())
    assert refused(begin(), Pick(2, "high")) == "K-R1"
    assert list(KIRIAI.seats) == [2]


@pytest.mark.rule("kiriai", "K-R2")
def test_the_standard_row_has_five_spaces_and_the_advanced_one_seven() -> None:
    assert KIRIAI.new(2, Options()).size == 5
    assert KIRIAI.new(2, Options("advanced")).size == 7
    with pytest.raises(Illegal, match="K-R2"):
        KIRIAI.new(2, Options("round"))


@pytest.mark.rule("kiriai", "K-R3")
def test_each_hand_has_the_seven_faces_of_the_five_basic_cards_and_one_special() -> None:
    state = begin("kesa", "counter")
    for seat, special in ((0, "kesa"), (1, "counter")):
        faces = [action.face for action in KIRIAI.legal(state, seat)]
        assert faces == [*BASICS, special]
    assert refused(state, Pick(0, "dagger")) == "K-R3"


@pytest.mark.rule("kiriai", "K-R4")
def test_chance_deals_every_pair_of_different_specials_alike() -> None:
    start = KIRIAI.new(2, Options())
    assert KIRIAI.chance is not None
    rolls = [iter((a, b, 0)) for a in range(3) for b in range(2)]
    deals = {KIRIAI.chance(start, lambda _n, r=r: next(r)).specials for r in rolls}
    assert deals == {(a, b) for a in SPECIALS for b in SPECIALS if a != b}
    assert refused(start, Dealt(("kesa", "kesa"))) == "K-R4"
    assert refused(start, Dealt(("kesa",))) == "K-R4"
    assert refused(start, Pick(0, "high")) == "K-R4"
    assert refused(begin(), Dealt(("kesa", "counter"))) == "K-R9"


@pytest.mark.rule("kiriai", "K-R4", "K-R5")
def test_nobody_can_lay_a_special_that_is_not_in_the_own_hand() -> None:
    state = begin("kesa", "counter")
    for special in ("counter", "zantetsu"):
        assert refused(state, Pick(0, special)) == "K-R4"


@pytest.mark.rule("kiriai", "K-R5")
def test_the_third_special_is_nowhere_in_the_state() -> None:
    assert "zantetsu" not in repr(begin("kesa", "counter"))


@pytest.mark.rule("kiriai", "K-R6")
def test_the_standard_duel_begins_on_the_ends_unhurt_in_heaven() -> None:
    state = begin()
    assert (where(state), wounds(state)) == ("B1H R5H", (0, 0))
    assert refused(state, Place(0, 2, "heaven")) == "K-R9"


@pytest.mark.rule("kiriai", "K-R7")
def test_the_advanced_start_is_chosen_after_the_deal_on_own_spaces_two_to_four() -> None:
    assert refused(KIRIAI.new(2, Options("advanced")), Place(0, 2, "heaven")) == "K-R4"
    state = begin(battlefield="advanced")
    assert {(a.space, a.stance) for a in KIRIAI.legal(state, 0)} == {
        (space, stance) for space in (2, 3, 4) for stance in ("heaven", "earth")
    }
    assert {a.space for a in KIRIAI.legal(state, 1)} == {4, 5, 6}
    for space in (0, 1, 5, 7):
        assert refused(state, Place(0, space, "earth")) == "K-R7"
    assert refused(state, Place(1, 3, "earth")) == "K-R7"
    assert refused(state, Place(0, 3, "water")) == "K-R7"
    assert refused(state, Pick(0, "high")) == "K-R7"


@pytest.mark.rule("kiriai", "K-R7")
def test_both_advanced_starts_are_opened_together_with_their_seals() -> None:
    one = do(begin(battlefield="advanced"), Place(1, 5, "earth", "pepper"))
    assert "5" not in str(KIRIAI.view(one, 0).parts)
    assert "pepper" not in str((KIRIAI.view(one, 0), KIRIAI.view(one, None)))
    assert refused(one, Place(1, 5, "earth")) == "K-R7"
    both = do(one, Place(0, 2, "heaven", "salt"))
    assert where(both) == "B2H R5E"
    shown = str(KIRIAI.view(both, None))
    assert "pepper" in shown
    assert "salt" in shown


@pytest.mark.rule("kiriai", "K-R8")
def test_both_may_start_on_the_middle_space_of_the_advanced_row() -> None:
    state = do(begin(battlefield="advanced"), Place(0, 4, "earth"), Place(1, 4, "heaven"))
    assert where(state) == "B4E R4H"


# --- laying and opening ---------------------------------------------------------------------------


@pytest.mark.rule("kiriai", "K-R9")
def test_each_lays_exactly_two_cards_and_both_are_waited_for_at_once() -> None:
    state = begin()
    assert KIRIAI.waiting(state).seats == (0, 1)
    assert refused(state, Seal(0)) == "K-R9"
    assert refused(do(state, Pick(0, "high")), Seal(0)) == "K-R9"
    two = do(state, Pick(0, "high"), Pick(0, "low"))
    assert list(KIRIAI.legal(two, 0)) == [Seal(0)]
    assert refused(two, Pick(0, "balanced")) == "K-R9"
    sealed = do(two, Seal(0))
    assert KIRIAI.waiting(sealed).seats == (1,)
    assert refused(sealed, Pick(0, "high")) == "K-R9"
    assert refused(sealed, Seal(0)) == "K-R9"


@pytest.mark.rule("kiriai", "K-R10")
def test_the_end_of_a_movement_card_is_fixed_when_it_is_laid() -> None:
    assert where(first(begin(), "approach low", "high low")) == "B2H R5H"
    assert where(first(put(begin(), "B2H R5H"), "retreat low", "high low")) == "B1H R5H"


@pytest.mark.rule("kiriai", "K-R11")
def test_both_ends_of_one_card_cannot_be_laid_in_one_round() -> None:
    for one, two in (("approach", "retreat"), ("charge", "stance"), ("high", "high")):
        assert refused(do(begin(), Pick(0, one)), Pick(0, two)) == "K-R11"


@pytest.mark.rule("kiriai", "K-R11")
def test_neither_the_card_aside_nor_a_spent_special_can_be_laid_and_both_are_shown_barred() -> None:
    state = whole(begin(), "kesa retreat", "retreat low")
    for face in ("approach", "retreat", "kesa"):
        assert refused(state, Pick(0, face)) == "K-R11"
    barred = [(c.action.face, c.barred) for c in KIRIAI.view(state, 0).choices if c.barred]
    assert barred == [("approach", "K-R11"), ("retreat", "K-R11"), ("kesa", "K-R11")]


@pytest.mark.rule("kiriai", "K-R11", "K-R37")
@pytest.mark.parametrize(
    ("before", "count"),
    [
        pytest.param("", 52, id="nothing aside"),
        pytest.param("low approach", 28, id="movement aside"),
        pytest.param("low charge", 28, id="charge aside"),
        pytest.param("approach high", 38, id="attack aside"),
        pytest.param("kesa approach", 18, id="special spent, movement aside"),
        pytest.param("kesa high", 26, id="special spent, attack aside"),
        pytest.param("high kesa", 38, id="special spent, nothing aside"),
    ],
)
def test_the_number_of_plans_is_as_counted_by_hand(before: str, count: int) -> None:
    state = begin()
    if before:
        state = whole(state, before, IDLE[1])
    assert plans(state, 0) == count


@pytest.mark.rule("kiriai", "K-R12")
def test_any_card_may_be_laid_even_if_it_must_fail() -> None:
    state = put(begin(), "B1E R5E")  # nothing hits 4 apart, High and Kesa are in the wrong stance
    assert {a.face for a in KIRIAI.legal(state, 0)} == {*BASICS, "kesa"}


@pytest.mark.rule("kiriai", "K-R13")
def test_first_cards_are_done_before_the_second_are_opened() -> None:
    state = first(begin(), "charge high", "approach low")
    assert (where(state), state.phase, len(state.steps)) == ("B3H R4H", "between", 1)
    assert KIRIAI.waiting(state).seats == (0, 1)
    assert refused(state, Pick(0, "low")) == "K-R13"
    assert refused(begin(), GoOn(0)) == "K-R9"
    state = do(state, GoOn(1))
    assert [step.faces for step in state.steps] == [("charge", "approach"), ("high", "low")]
    assert (state.round, state.phase) == (2, "choose")


@pytest.mark.rule("kiriai", "K-R13")
def test_the_last_round_can_be_leafed_through_step_by_step() -> None:
    state = whole(begin(), "charge high", "approach low")
    assert [part.text.show() for part in _lines(state)] == [
        "1st: Seat 1 Charge, Seat 2 Approach. No blows",
        "Seat 1: 1 to 3",
        "Seat 2: 5 to 4",
        "2nd: Seat 1 High Strike, Seat 2 Low Strike. A feint, no hit",
    ]
    cards = [part for part in KIRIAI.view(state, None).parts if isinstance(part, Cards)]
    (seals,) = (part.cards for part in cards if part.label.show() == "Seals of Seat 1")
    line, code = (one.show() for one in seals[0])
    assert (line, code) == ('"charge":salt0charge', f"gives {_code(line)}")


def _lines(state: State) -> Iterator[Any]:
    return (part for part in KIRIAI.view(state, None).parts if type(part).__name__ == "Line")


def _code(line: str) -> str:
    return hashlib.sha256(line.encode()).hexdigest()[:6].upper()


# --- wounds ---------------------------------------------------------------------------------------


@pytest.mark.rule("kiriai", "K-R31")
def test_the_wounded_keeps_space_and_stance_and_shows_the_dark_side() -> None:
    state = first(put(begin(), "B1H R3E"), "high low", "balanced low")
    assert (where(state), wounds(state)) == ("B1H R3E", (0, 1))
    track = KIRIAI.view(state, None).parts[0]
    assert [piece.hurt for piece in track.pieces] == [False, True]


@pytest.mark.rule("kiriai", "K-R31", "K-R25")
def test_kesa_turns_to_earth_even_when_it_is_countered() -> None:
    state = first(put(begin(), "B2H R3E"), "kesa low", "counter low")
    assert (where(state), wounds(state)) == ("B2E R3E", (1, 0))


@pytest.mark.rule("kiriai", "K-R32")
def test_the_second_wound_ends_the_duel_at_once_and_second_cards_are_never_opened() -> None:
    state = first(put(begin(), "B1H R3E", wounds=(0, 1)), "high charge", "balanced low")
    assert (state.phase, len(state.steps)) == ("over", 1)
    assert where(state) == "B1H R3E"
    assert not KIRIAI.waiting(state)
    assert refused(state, GoOn(0)) == "K-R40"
    assert "Charge" not in str(KIRIAI.view(state, None))


@pytest.mark.rule("kiriai", "K-R33")
def test_whoever_deals_two_wounds_wins_and_the_score_says_with_what() -> None:
    state = whole(put(begin(), "B1H R3E"), "high retreat", "balanced low")
    state = put(state, "B2E R3H", wounds(state))
    state = first(state, "low balanced", "high balanced")
    result = KIRIAI.result(state)
    assert result is not None
    assert result.winners == (0,)
    blue, red = result.scores
    assert [(row.show(), n) for row, n in blue.breakdown] == [
        ("High Strike, round 1", 1),
        ("Low Strike, round 2", 1),
    ]
    assert (blue.total, red.total, red.breakdown) == (2, 0, ())


@pytest.mark.rule("kiriai", "K-R33", "K-R30")
def test_a_counterattack_counts_as_a_wound_dealt() -> None:
    state = first(put(begin(), "B1H R3H", wounds=(1, 0)), "high low", "counter low")
    result = KIRIAI.result(state)
    assert result is not None
    assert result.winners == (1,)


# --- end of round ---------------------------------------------------------------------------------


@pytest.mark.rule("kiriai", "K-R34", "K-R35", "K-R37")
def test_the_first_card_returns_and_the_second_rests_openly() -> None:
    assert [f.aside for f in begin().fighters] == ["", ""]
    state = whole(begin(), "high retreat", "low stance")
    assert [f.aside for f in state.fighters] == ["approach/retreat", "charge/stance"]
    faces = {a.face for a in KIRIAI.legal(state, 0)}
    assert "high" in faces
    assert not faces & {"approach", "retreat"}
    for viewer in (None, 0, 1):
        assert "Charge/Stance" in str(KIRIAI.view(state, viewer))


@pytest.mark.rule("kiriai", "K-R35", "K-R36")
def test_a_card_rests_for_exactly_one_round() -> None:
    state = whole(begin(), "high retreat", "low balanced")
    state = whole(state, "low high", "low high")
    assert [f.aside for f in state.fighters] == ["high", "high"]
    assert {"approach", "retreat"} <= {a.face for a in KIRIAI.legal(state, 0)}


@pytest.mark.rule("kiriai", "K-R38")
@pytest.mark.parametrize("blues", ["kesa low", "low kesa"])
def test_a_special_is_gone_once_played_though_it_missed(blues: str) -> None:
    state = whole(begin(), blues, IDLE[1])
    assert (state.fighters[0].special, state.fighters[0].spent) == ("", "kesa")
    state = whole(state, "balanced high", "balanced high")
    assert refused(state, Pick(0, "kesa")) == "K-R11"
    assert "Kesa" in str(KIRIAI.view(state, None))


@pytest.mark.rule("kiriai", "K-R39", "K-R36")
def test_a_special_played_second_leaves_nothing_aside_for_one_round() -> None:
    state = whole(begin(), "high low", IDLE[1])
    state = whole(state, "high kesa", "balanced high")
    assert state.fighters[0].aside == ""
    assert "low" in {a.face for a in KIRIAI.legal(state, 0)}
    state = whole(state, "high low", IDLE[1])
    assert state.fighters[0].aside == "low"


@pytest.mark.rule("kiriai", "K-R40")
def test_rounds_go_on_until_somebody_is_defeated() -> None:
    state = begin()
    for number in range(1, 9):
        assert state.round == number
        assert KIRIAI.result(state) is None
        state = whole(state, *(("retreat low",) * 2 if number % 2 else ("retreat balanced",) * 2))
    assert where(state) == "B1H R5H"


# --- house rules ----------------------------------------------------------------------------------


@pytest.mark.rule("kiriai", "K-H1")
def test_after_the_last_round_of_the_cap_the_duel_is_drawn() -> None:
    state = whole(begin(round_cap=2), *IDLE)
    assert KIRIAI.result(state) is None
    state = whole(state, "retreat balanced", "retreat balanced")
    result = KIRIAI.result(state)
    assert result is not None
    assert result.winners == ()
    assert result.why.show() == "A draw after 2 rounds"
    assert not KIRIAI.waiting(state)
    assert refused(state, GoOn(0)) == "K-H1"


@pytest.mark.rule("kiriai", "K-H1", "K-R32")
def test_a_second_wound_in_the_last_round_is_a_win_and_no_draw() -> None:
    state = put(begin(round_cap=1), "B1H R3E", wounds=(0, 1))
    state = whole(state, "retreat high", "balanced low")
    result = KIRIAI.result(state)
    assert result is not None
    assert result.winners == (0,)


@pytest.mark.rule("kiriai", "K-H2")
def test_a_special_of_cardboard_is_laid_unnamed_and_named_when_it_is_opened() -> None:
    state = put(cardboard(), "B2H R3E")
    assert refused(state, Pick(0, "kesa")) == "K-H2"
    state = first(state, "special low", "low high")
    assert (state.phase, KIRIAI.waiting(state).seats) == ("show", (0,))
    assert refused(state, GoOn(1)) == "K-H2"
    assert refused(state, Shown(1, "counter")) == "K-H2"
    assert refused(state, Shown(0, "axe")) == "K-R4"
    state = do(state, Shown(0, "kesa"))
    assert (where(state), wounds(state), state.phase) == ("B2E R3E", (0, 0), "between")
    assert state.fighters[0].spent == "kesa"


@pytest.mark.rule("kiriai", "K-H2")
def test_what_was_told_wrong_is_put_right_by_the_cardboard() -> None:
    state = first(put(cardboard("counter", "kesa"), "B2H R3E"), "special high", "balanced high")
    state = do(state, Shown(0, "kesa"))  # Red had told Kesa: now nobody knows what Red holds
    assert (wounds(state), state.fighters[1].special) == ((0, 1), "")
    assert KIRIAI.view(do(state, GoOn(0)), 1).choices[-2].action == Told(1, "counter")
    later = do(state, GoOn(0), Told(1, "zantetsu"))
    assert later.fighters[1].special == "zantetsu"
    assert refused(do(state, GoOn(0)), Told(1, "kesa")) == "K-R4"
    assert refused(later, Told(1, "counter")) == "K-R4"


@pytest.mark.rule("kiriai", "K-H2", "K-R4")
def test_two_who_told_the_same_special_learn_it_only_when_one_is_opened() -> None:
    both = cardboard("kesa", "kesa")
    honest = cardboard("kesa", "counter")
    assert KIRIAI.view(both, 0) == KIRIAI.view(honest, 0)
    assert KIRIAI.view(both, None) == KIRIAI.view(honest, None)
    state = first(both, "special low", "special low")
    assert KIRIAI.waiting(state).seats == (0, 1)
    state = do(state, Shown(1, "kesa"))
    assert [a.special for a in KIRIAI.legal(state, 0)] == ["zantetsu", "counter"]
    assert refused(state, Shown(0, "kesa")) == "K-R4"
    state = do(state, Shown(0, "zantetsu"))
    assert [f.spent for f in state.fighters] == ["zantetsu", "kesa"]


@pytest.mark.rule("kiriai", "K-H2")
def test_a_player_may_keep_the_special_untold_and_still_play_it() -> None:
    state = first(cardboard("", ""), "low special", "retreat high")
    state = do(state, GoOn(0), Shown(0, "zantetsu"))
    assert (state.round, state.fighters[0].spent, state.fighters[0].aside) == (2, "zantetsu", "")
    assert refused(KIRIAI.new(2, Options(cards="table")), Told(0, "axe")) == "K-R4"
    asked = KIRIAI.new(2, Options(cards="table"))
    assert refused(asked, Pick(0, "low")) == "K-H2"
    assert refused(do(asked, Told(0, "")), Told(0, "kesa")) == "K-H2"


@pytest.mark.rule("kiriai", "K-H2")
def test_cardboard_gives_as_many_plans_as_dealt_cards() -> None:
    assert plans(cardboard(), 0) == 52
    assert plans(do(whole(cardboard(), "low approach", "retreat low")), 0) == 28


@pytest.mark.rule("kiriai", "K-R11")
@pytest.mark.parametrize(
    ("laid", "face", "why"),
    [
        ([], "retreat", "K-R11: Retreat rests this round: choose another card"),
        ([], "kesa", "K-R11: Kesa Strike is spent: choose another card"),
        ([Pick(0, "charge")], "stance", "K-R11: Change Stance lies already: choose another card"),
    ],
)
def test_a_refusal_says_why_the_card_is_not_at_hand(laid: list[Any], face: str, why: str) -> None:
    state = do(whole(begin(), "kesa approach", "retreat low"), *laid)
    with pytest.raises(Illegal) as refusal:
        KIRIAI.apply(state, Pick(0, face))
    assert str(refusal.value) == why
