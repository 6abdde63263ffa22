"""The same die keeps its number, and what moved is told from what stayed."""

from __future__ import annotations

from cmath import rect
from dataclasses import replace
from math import radians, sqrt

import pytest

from companion.events import Body, SeenDie
from vision.read.reader import Reading
from vision.watch.agree import agree, alike
from vision.watch.follow import follow


def die(value: int, x: float, y: float, body: Body = "white", turned: float = 0.0) -> SeenDie:
    """A die with edge 40, `turned` by so many degrees."""
    corners = [rect(20 * sqrt(2), radians(turned + 45 + 90 * k)) for k in range(4)]
    outline = tuple((x + corner.real, y + corner.imag) for corner in corners)
    return SeenDie(value, body, 0.99, (x, y), 40.0, outline)


BEFORE = (
    replace(die(3, 100, 100), track=1),
    replace(die(5, 300, 100, "black"), track=2),
    replace(die(6, 200, 300), track=3),
)


def test_three_stayed_and_two_were_thrown() -> None:
    now = (die(3, 101, 101), die(2, 380, 250, "black"), die(6, 199, 299), die(1, 50, 50))
    joined = follow(BEFORE, now, 4)
    assert [(each.track, each.moved) for each in joined.dice] == [
        (1, False),
        (2, True),
        (3, False),
        (4, True),
    ]
    assert joined.changed == (2, 4)
    assert joined.gone == ()
    assert joined.next == 5


def test_a_black_die_never_takes_the_track_of_a_white_one() -> None:
    joined = follow(BEFORE[:1], (die(3, 100, 100, "black"),), 9)
    assert joined.dice[0].track == 9
    assert joined.gone == (1,)


def test_a_die_turned_on_its_place_has_moved() -> None:
    joined = follow(BEFORE[:1], (die(3, 100, 100, turned=45),), 9)
    assert joined.dice[0].moved
    assert joined.small


@pytest.mark.parametrize("degrees", [-12, 12])
def test_a_die_that_seems_a_little_turned_where_it_lay_has_stayed(degrees: float) -> None:
    joined = follow(BEFORE[:1], (die(3, 101, 100, turned=degrees),), 9)
    assert not joined.dice[0].moved


def test_another_value_on_the_same_place_is_no_mere_push() -> None:
    joined = follow(BEFORE[:1], (die(4, 100, 100),), 9)
    assert joined.dice[0].moved
    assert not joined.small


@pytest.mark.parametrize(
    ("way", "moved", "small"), [(3, False, True), (12, True, True), (60, True, False)]
)
def test_how_far_is_a_jitter_a_push_and_a_throw(way: float, moved: bool, small: bool) -> None:
    joined = follow(BEFORE[:1], (die(3, 100 + way, 100),), 9)
    assert joined.dice[0].moved is moved
    assert joined.small is small


def test_nothing_before_and_nothing_now_is_nothing() -> None:
    joined = follow((), (), 1)
    assert (joined.dice, joined.gone, joined.changed, joined.next) == ((), (), (), 1)


def test_readings_vote_and_the_heavier_value_wins() -> None:
    votes = [replace(die(6, 100, 100), sure=0.9), replace(die(5, 101, 100), sure=0.4)]
    frames = [Reading((votes[0],), True), Reading((votes[1],), False), Reading((votes[0],), True)]
    joined = agree(frames)
    assert [each.value for each in joined.dice] == [6]
    assert joined.dice[0].second == 5
    assert joined.dice[0].sure == pytest.approx((0.9 + 0.9) / 3)
    assert not joined.accepted
    assert "frames differ in value" in joined.doubts


def test_a_value_that_was_only_ever_the_second_stays_the_second() -> None:
    doubtful = Reading((replace(die(6, 100, 100), sure=0.2, second=5),), False)
    (joined,) = agree([doubtful, doubtful]).dice
    assert (joined.value, joined.second) == (6, 5)
    assert joined.sure == pytest.approx(0.2)


def test_frames_that_agree_are_accepted_together() -> None:
    reading = Reading(BEFORE, True)
    assert agree([reading, reading]).accepted
    assert alike(reading, reading)


def test_a_die_that_only_one_frame_of_three_shows_is_dropped_and_doubted() -> None:
    joined = agree([Reading(BEFORE, True), Reading(BEFORE[:2], True), Reading(BEFORE[:2], True)])
    assert len(joined.dice) == 2
    assert not joined.accepted


def test_dice_that_creep_are_not_alike() -> None:
    crept = (die(3, 108, 100), *BEFORE[1:])
    assert not alike(Reading(BEFORE, True), Reading(crept, True))
