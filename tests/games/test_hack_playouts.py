"""Whole games of .hack//ENEMY at random and by greedy players: they end, no card is lost."""

from __future__ import annotations

import pytest

from companion.games.hack import HACK
from companion.games.hack.state import WIN, Options
from tests.games.hack_playout import Player, at_random, greedy, play, rates

PLAYERS = {"random": at_random, "greedy": greedy}


@pytest.mark.slow
@pytest.mark.rule("hack", "R5", "R6", "R10")
@pytest.mark.parametrize("cards", ["companion", "table"])
@pytest.mark.parametrize("player", PLAYERS)
def test_whole_games_end_by_seven_points_or_a_last_card(player: str, cards: str) -> None:
    options = Options(cards=cards)
    for seed in range(60 if cards == "companion" else 25):
        state = play(options, (PLAYERS[player], PLAYERS[player]), seed).state
        result = HACK.result(state)
        assert result is not None
        points = [state.points(0), state.points(1)]
        assert max(points) >= WIN or state.last
        assert result.winners == tuple(s for s in (0, 1) if points[s] > points[1 - s])


@pytest.mark.slow
@pytest.mark.parametrize("player", PLAYERS)
def test_the_house_set_gives_both_decks_a_fair_chance(player: str) -> None:
    a, b, nobody = rates(150, PLAYERS[player])
    assert 0.25 < a < 0.68, f"deck A wins {a:.0%}, deck B {b:.0%}"
    assert 0.25 < b < 0.68, f"deck A wins {a:.0%}, deck B {b:.0%}"
    assert nobody < 0.25


@pytest.mark.soak
@pytest.mark.parametrize("decks", ["ab", "aa", "bb"])
@pytest.mark.parametrize(
    ("cards", "player", "games"),
    [
        ("companion", at_random, 3_500),
        ("companion", greedy, 1_700),
        ("table", at_random, 700),
        ("table", greedy, 800),
    ],
)
def test_twenty_thousand_games_end_and_lose_no_card(
    decks: str, cards: str, player: Player, games: int
) -> None:
    """Three pairs of decks, 6,700 games each."""
    longest, ends = 0, {0: 0, 1: 0, 2: 0}
    for seed in range(games):
        played = play(Options(decks, cards), (player, player), f"soak {seed}")
        result = HACK.result(played.state)
        assert result is not None
        ends[result.winners[0] if result.winners else 2] += 1
        longest = max(longest, played.actions)
        if seed % 100 == 99:
            print(f"{decks} {cards} {player.__name__}: {seed + 1} of {games} games", flush=True)
    print(f"{decks} {cards} {player.__name__}: {games} games, {ends}, at most {longest} actions")
