"""One press of a finger is one press of the game, however the contact bounces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.panel.debounce import Debounce

MS = 0.001
Edge = tuple[float, bool]


def verdicts(
    debounce: Debounce, edges: list[Edge], until: float, *, eager: bool = True
) -> list[tuple[str, float]]:
    """Feed the edges, looking at each deadline (or only at the end), and note what came out."""
    told: list[tuple[str, float]] = []

    def look(before: float) -> None:
        while (due := debounce.due) is not None and due <= before:
            told.extend((verdict, due) for verdict in debounce.poll(due))

    for when, down in edges:
        if eager:
            look(when)
        told.extend((verdict, when) for verdict in debounce.feed(down, when))
    look(until)
    return told


def test_a_press_is_told_once_the_contact_has_rested_for_five_milliseconds() -> None:
    debounce = Debounce()
    assert debounce.feed(True, 1.0) == []
    assert debounce.due == 1.005
    assert debounce.poll(1.0049) == []
    assert debounce.poll(1.005) == ["press"]
    assert debounce.due == 11.0  # should it never be let go


def test_a_held_button_is_one_press_and_its_release_none() -> None:
    edges = [(1.0, True), (3.0, False)]
    assert [v for v, _ in verdicts(Debounce(), edges, 4.0)] == ["press"]


def test_bounces_restart_the_wait_and_are_no_presses() -> None:
    # closes at 0, opens at 1, closes at 2, opens at 4, closes at 4.5 ms: rests from there on
    edges = [(0.0, True), (1 * MS, False), (2 * MS, True), (4 * MS, False), (4.5 * MS, True)]
    assert verdicts(Debounce(), edges, 1.0) == [("press", pytest.approx(9.5 * MS))]


def test_a_bouncing_release_is_not_a_second_press() -> None:
    edges = [(0.0, True), (0.1, False), (0.102, True), (0.104, False)]
    assert [v for v, _ in verdicts(Debounce(), edges, 1.0)] == ["press"]


def test_a_spike_shorter_than_the_wait_is_nothing() -> None:
    assert verdicts(Debounce(), [(0.0, True), (4.9 * MS, False)], 1.0) == []


def test_a_button_held_down_at_the_start_is_no_press_until_it_was_let_go() -> None:
    debounce = Debounce()
    debounce.start(True, 0.5)
    told = verdicts(debounce, [(1.0, False), (2.0, True)], 3.0)
    assert told == [("press", 2.005)]


def test_a_button_that_stays_down_is_told_once_and_so_is_its_end() -> None:
    edges = [(1.0, True), (20.0, False)]
    assert verdicts(Debounce(), edges, 40.0) == [
        ("press", 1.005), ("stuck", 11.0), ("freed", 20.005),
    ]  # fmt: skip


def test_wires_that_were_joined_before_the_start_are_told_without_a_press() -> None:
    debounce = Debounce()
    debounce.start(True, 5.0)
    assert verdicts(debounce, [(30.0, False)], 40.0) == [("stuck", 15.0), ("freed", 30.005)]


def test_a_stuck_button_that_begins_to_chatter_is_a_storm_and_no_longer_stuck() -> None:
    debounce = Debounce()
    debounce.start(True, 0.0)
    storm = [(20 + when, not down) for when, down in chatter(220, 0.001)]  # ends closed
    assert [v for v, _ in verdicts(debounce, storm, 40.0)] == ["stuck", "storm", "over", "stuck"]


def test_an_edge_that_was_swallowed_is_found_when_the_pin_is_asked() -> None:
    debounce = Debounce()
    debounce.feed(True, 1.0)
    assert debounce.poll(1.005, down=False) == []  # the pin is open again: no press
    assert debounce.poll(1.010, down=False) == []
    assert debounce.poll(1.015, down=False) == []
    assert debounce.due is None


def test_a_look_that_comes_late_waits_for_the_edge_of_a_finger_that_was_lifted_meanwhile() -> None:
    debounce = Debounce()
    debounce.feed(True, 1.0)
    assert debounce.poll(1.1, down=False) == []  # the thread that hears edges is behind, too
    assert debounce.feed(False, 1.08) == ["press"]
    assert debounce.poll(1.2, down=False) == []
    assert debounce.due is None


def test_a_busy_loop_that_hears_both_edges_late_still_sees_the_press() -> None:
    debounce = Debounce()
    assert debounce.feed(True, 1.0) == []
    assert debounce.feed(False, 1.1) == ["press"]


@given(st.lists(st.integers(1, 200), min_size=1, max_size=40), st.booleans())
def test_presses_are_exactly_the_rests_that_follow_a_let_go(gaps: list[int], eager: bool) -> None:
    times = [sum(gaps[:i]) for i in range(len(gaps))]  # in tenths of a millisecond
    edges: list[Edge] = [(when, i % 2 == 0) for i, when in enumerate(times)]
    # worked out apart: the levels that lasted at least 5 ms, and how often they turn to down
    ends = [*times[1:], 100_000]
    rests = [d for (t, d), end in zip(edges, ends, strict=True) if end - t >= 50]
    presses = sum(d and not before for before, d in zip([False, *rests], rests, strict=False))
    told = verdicts(Debounce(stable=50, quiet=10_000, stuck=200_000), edges, 100_000, eager=eager)
    assert [v for v, _ in told] == ["press"] * presses


bounces = st.lists(st.floats(0.00001, 0.00499), max_size=10)


@given(st.lists(st.tuples(bounces, bounces), max_size=8))
@pytest.mark.slow
def test_any_bounce_shorter_than_the_wait_gives_one_press_per_real_press(
    presses: list[tuple[list[float], list[float]]],
) -> None:
    edges: list[Edge] = []
    now = 0.0
    for closing, opening in presses:
        for level, pattern in ((True, closing), (False, opening)):
            edges.append((now, level))
            for number, gap in enumerate(pattern[: len(pattern) // 2 * 2]):
                now += gap
                edges.append((now, level if number % 2 else not level))
            now += 0.2  # the finger stays, then stays away
    told = verdicts(Debounce(), edges, now + 1)
    assert [v for v, _ in told] == ["press"] * len(presses)


def chatter(count: int, every: float, start: float = 0.0) -> list[Edge]:
    return [(start + i * every, i % 2 == 0) for i in range(count)]


def test_more_than_two_hundred_edges_in_a_second_are_a_storm_told_once() -> None:
    told = verdicts(Debounce(), chatter(400, 0.001), 0.4)
    assert told == [("storm", 200 * MS)]


def test_two_hundred_edges_in_a_second_are_no_storm_yet() -> None:
    assert verdicts(Debounce(), chatter(200, 0.001), 0.2) == []


def test_a_storm_is_over_after_a_second_of_quiet_and_presses_count_again() -> None:
    edges = [*chatter(220, 0.001), (5.0, True)]  # the last edge, at 219 ms, opens the contact
    told = verdicts(Debounce(), edges, 6.0)
    assert told == [("storm", 200 * MS), ("over", 0.219 + 1), ("press", 5.005)]


def test_a_contact_that_ends_a_storm_closed_is_no_press() -> None:
    told = verdicts(Debounce(), chatter(221, 0.001), 5.0)  # the last edge closes
    assert [v for v, _ in told] == ["storm", "over"]


def test_what_rattles_on_keeps_the_storm_up() -> None:
    debounce = Debounce()
    verdicts(debounce, chatter(220, 0.001), 0.22)
    debounce.rattle(False, 0.9)
    assert debounce.due == 1.9
    assert debounce.poll(1.5) == []
    assert debounce.poll(1.9) == ["over"]


def test_a_fast_finger_on_a_bad_button_is_no_storm() -> None:
    # eight presses a second, each with two real edges and three bounces of two edges
    edges: list[Edge] = []
    for press in range(8):
        start = press / 8
        for offset in (0.0, 0.06):
            level = offset == 0.0
            edges += [(start + offset + i * 0.0005, level == (i % 2 == 0)) for i in range(5)]
    assert [v for v, _ in verdicts(Debounce(), edges, 2.0)] == ["press"] * 8
