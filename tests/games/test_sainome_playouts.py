"""Whole games of Sainome Colosseum over every combination: they end, and no card is lost."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.sainome import SAINOME
from tests.games.sainome_playout import PAIRS, WORLDS, Player, at_random, eager, play, world


def test_the_worlds_are_every_pair_of_characters_mode_hp_and_draft() -> None:
    worlds = {world(number) for number in range(WORLDS)}
    assert (len(worlds), len(PAIRS)) == (WORLDS, 12)
    assert {options.hp for options, _ in worlds} == {5, 7, 10}


@pytest.mark.slow
@pytest.mark.rule("sainome", "R6", "R11", "R32")
@pytest.mark.parametrize(("player", "step"), [(at_random, 7), (eager, 3)])
def test_games_of_every_combination_end_with_one_at_no_hp(player: Player, step: int) -> None:
    for number in range(0, WORLDS, step):
        options, pair = world(number)
        state = play(options, pair, player, number).state
        result = SAINOME.result(state)
        assert result is not None
        (winner,) = result.winners
        assert state.sides[winner].stack
        assert not state.sides[1 - winner].stack
        assert tuple(side.character for side in state.sides) == pair


@pytest.mark.soak
@pytest.mark.parametrize("player", [at_random, eager])
def test_twenty_thousand_games_end_and_lose_no_card(player: Player) -> None:
    """Ten thousand by each player, each combination about 35 times."""
    longest, wins = 0, Counter[str]()
    for seed in range(10_000):
        options, pair = world(seed % WORLDS)
        played = play(options, pair, player, f"soak {seed}")
        result = SAINOME.result(played.state)
        assert result is not None
        wins[pair[result.winners[0]]] += 1
        longest = max(longest, played.actions)
    print(f"{player.__name__}: 10000 games, {dict(wins)}, at most {longest} actions")
