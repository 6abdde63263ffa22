"""Whole games at random: no crash, and every state on the way is one that a game can be in."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from random import Random

import pytest

from companion.games.sao.state import Options
from tests.games.sao_playout import HARDNESS, SECTIONS, moves, parties, sturdy, world

EVERY_PHASE = {
    "reveal", "check", "correct", "chain", "lay", "roll", "dice", "skills", "effect", "counter",
    "fallen", "loot", "give", "pack",
}  # fmt: skip


def played(games: int, seed: int) -> tuple[Counter[str], set[str]]:
    """So many games over all parties, options and players: how they ended, what they saw."""
    rng = Random(seed)
    ends, seen = Counter[str](), set[str]()
    for number in range(games):
        at = rng.getrandbits(64)
        one = Random(at)
        seats, party, options = world(one)
        try:
            state, _, phases = moves(seats, party, options, one)
        except Exception as error:
            raise AssertionError(f"game {number}: Random({at})") from error
        ends[state.outcome] += 1
        seen |= phases
    return ends, seen


@pytest.mark.slow
def test_five_hundred_random_games_end_and_keep_every_invariant() -> None:
    ends, seen = played(500, seed=1)
    assert set(ends) == {"won", "lost"}
    assert seen >= EVERY_PHASE
    assert seen >= {card for section in SECTIONS for card in section} | {"final"}


@pytest.mark.soak
def test_a_hundred_thousand_random_games_end_and_keep_every_invariant() -> None:
    ends, seen = Counter[str](), set[str]()
    with ProcessPoolExecutor() as cores:
        for some, phases in cores.map(played, [200] * 500, range(1000, 1500)):
            ends += some
            seen |= phases
            print(f"{sum(ends.values())} games of Sword of Fellows: {dict(ends)}", flush=True)
    assert sum(ends.values()) == 100_000
    assert set(ends) == {"won", "lost"}
    assert seen >= EVERY_PHASE


@pytest.mark.slow
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_every_party_at_every_difficulty_can_be_played_to_the_end(seats: int) -> None:
    rng = Random(seats)
    for party in parties(seats):
        for difficulty in HARDNESS:
            options = Options(difficulty, "companion", sturdy(party, 40))
            assert moves(seats, party, options, rng)[0].outcome in ("won", "lost")
