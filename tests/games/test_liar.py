"""Liar's dice: the proofs of its rules; what it hides is the contract's."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pytest

from companion.errors import Illegal
from companion.memory.codec import redacted
from companion.plain import plain
from tests.games.liar import LIAR, Bid, Dealt, Doubt, Options, State

THROWN = Dealt(((2, 5), (5, 6)))


def after(*actions: Any) -> State:
    return reduce(LIAR.apply, actions, LIAR.new(2, Options(2)))


@pytest.mark.rule("liar", "L1")
def test_each_sees_the_own_dice_and_no_export_any() -> None:
    shown = ["\n".join(plain(LIAR.view(after(THROWN), seat))) for seat in (0, 1, None)]
    assert ["You have 2 5" in page for page in shown] == [True, False, False]
    assert ["You have 5 6" in page for page in shown] == [False, True, False]
    told = [LIAR.tell(after(), THROWN, viewer).show() for viewer in (0, 1, None)]
    assert told == ["You throw 2 5", "You throw 5 6", "All dice are thrown"]
    assert redacted(THROWN) == {"do": "Dealt", "dice": None}
    for wrong in (((2, 5), (5,)), ((2, 5), (5, 7))):
        with pytest.raises(Illegal, match="L1: Throw as many dice as each has left"):
            after(Dealt(wrong))
    with pytest.raises(Illegal, match="L1: The dice are thrown"):
        after(THROWN, THROWN)


@pytest.mark.rule("liar", "L2")
def test_a_bid_is_one_more_or_a_higher_face() -> None:
    first = after(THROWN, Bid(0, 1, 5))
    assert list(LIAR.legal(after(THROWN), 0)) == [Bid(0, 1, face) for face in range(1, 7)]
    higher = [Bid(1, 1, 6), *(Bid(1, 2, face) for face in range(1, 7))]
    assert list(LIAR.legal(first, 1)) == [Doubt(1), *higher]
    with pytest.raises(Illegal, match="L2: 1 of 4 do not raise the bid"):
        LIAR.apply(first, Bid(1, 1, 4))
    with pytest.raises(Illegal, match="L2: Another seat's turn"):
        LIAR.apply(first, Bid(0, 1, 6))


@pytest.mark.rule("liar", "L3")
def test_a_doubt_needs_a_bid_and_shows_all_dice() -> None:
    with pytest.raises(Illegal, match="L3: There is no bid"):
        after(THROWN, Doubt(0))
    told = LIAR.tell(after(THROWN, Bid(0, 1, 5)), Doubt(1), None).show()
    assert told == "Seat 2 doubts: 2 5 5 6 were thrown"


@pytest.mark.rule("liar", "L4")
@pytest.mark.parametrize(("face", "left", "turn"), [(5, (2, 1), 1), (6, (1, 2), 0)])
def test_who_was_wrong_loses_a_die_and_begins(face: int, left: tuple[int, ...], turn: int) -> None:
    """Of two fives there are two; of two sixes there is one."""
    bids = (Bid(0, 1, 1), Bid(1, 1, 2), Bid(0, 2, face))
    assert after(THROWN, *bids, Doubt(1)) == State(left, turn)


@pytest.mark.rule("liar", "L5")
def test_who_has_no_dice_is_passed_over_and_the_last_one_wins() -> None:
    three = State((1, 1, 1), dice=((1,), (2,), (3,)))
    out = reduce(LIAR.apply, (Bid(0, 1, 4), Doubt(1)), three)
    assert out == State((0, 1, 1), 1)
    end = reduce(LIAR.apply, (Dealt(((), (2,), (3,))), Bid(1, 1, 2), Doubt(2)), out)
    result = LIAR.result(end)
    assert result is not None
    assert result.winners == (1,)
    assert not LIAR.waiting(end)
