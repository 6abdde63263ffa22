"""Rounds of a tournament: everybody is paired once, nobody meets twice, a knock-out halves."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.venue.rounds import (
    DRAWN,
    LOST,
    WON,
    Kind,
    Pairing,
    draw,
    most_rounds,
    standings,
)

PLAYERS = st.integers(2, 40).map(lambda n: [f"p{k}" for k in range(n)])
SEEDS = st.integers(0, 10**6)


def tournament(kind: Kind, players: list[str], seed: int) -> list[list[Pairing]]:
    """All rounds that there can be, with results by chance."""
    chance, rounds = random.Random(seed), []
    results = [WON, LOST] if kind == "knockout" else [WON, DRAWN, LOST]
    while drawn := draw(kind, players, rounds):
        rounds.append(
            [one if one.other is None else Pairing(one.one, one.other, chance.choice(results))
             for one in drawn]
        )  # fmt: skip
    return rounds


def names(pairings: list[Pairing]) -> list[str]:
    return [name for one in pairings for name in (one.one, one.other) if name is not None]


@given(PLAYERS, SEEDS)
def test_a_swiss_round_pairs_everybody_once(players: list[str], seed: int) -> None:
    for each in tournament("swiss", players, seed):
        assert sorted(names(each)) == sorted(players)
        assert sum(one.other is None for one in each) == len(players) % 2


@given(PLAYERS, SEEDS)
def test_in_swiss_rounds_nobody_meets_anybody_twice_nor_has_two_byes(
    players: list[str], seed: int
) -> None:
    rounds = tournament("swiss", players, seed)
    met = [frozenset((one.one, one.other)) for each in rounds for one in each]
    assert len(met) == len(set(met))
    assert len(rounds) == most_rounds("swiss", len(players)) == (len(players) + 1) // 2


@given(PLAYERS, SEEDS)
def test_a_knock_out_halves_until_one_is_left(players: list[str], seed: int) -> None:
    rounds = tournament("knockout", players, seed)
    assert sorted(names(rounds[0])) == sorted(players)
    for before, after in pairwise(rounds):
        assert len(after) * 2 == len(before)
        won = {one.one if one.points == WON else one.other for one in before}
        assert set(names(after)) == won
        assert all(one.other is not None for one in after)
    assert len(rounds[-1]) == 1


@given(PLAYERS, SEEDS)
def test_points_are_neither_lost_nor_made_and_the_best_stands_first(
    players: list[str], seed: int
) -> None:
    rounds = tournament("swiss", players, seed)
    table = standings(players, rounds)
    assert sum(one.points for one in table) == sum(map(len, rounds))
    assert [one.points for one in table] == sorted((one.points for one in table), reverse=True)


def test_equal_points_are_told_apart_by_what_those_met_have_scored() -> None:
    rounds = [
        [Pairing("Asuna", "Kirito", WON), Pairing("Klein", "Agil", WON)],
        [Pairing("Asuna", "Klein", WON), Pairing("Kirito", "Agil", WON)],
    ]
    table = standings(["Agil", "Klein", "Kirito", "Asuna"], rounds)
    assert [(one.name, one.points, one.buchholz) for one in table] == [
        ("Asuna", 2, 2), ("Klein", 1, 2), ("Kirito", 1, 2), ("Agil", 0, 2),
    ]  # fmt: skip


def test_a_running_pairing_counts_for_nobody() -> None:
    table = standings(["Asuna", "Kirito"], [[Pairing("Asuna", "Kirito")]])
    assert [(one.points, one.played) for one in table] == [(0, 0), (0, 0)]


def test_the_winner_of_one_round_plays_the_winner_beside_him() -> None:
    first = [Pairing("Asuna", "Kirito", LOST), Pairing("Klein", "Agil", WON)]
    assert draw("knockout", ["Asuna", "Kirito", "Klein", "Agil"], [first]) == [
        Pairing("Kirito", "Klein")
    ]


@pytest.mark.parametrize(("players", "byes"), [(2, 0), (3, 1), (5, 3), (6, 2), (8, 0), (9, 7)])
def test_byes_of_a_knock_out_fill_the_first_round_to_a_power_of_two(
    players: int, byes: int
) -> None:
    first = draw("knockout", [f"p{n}" for n in range(players)], [])
    assert [one.other is None for one in first].count(True) == byes
    assert all(one.points == WON for one in first if one.other is None)
