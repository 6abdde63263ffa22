"""Measures of .hack//ENEMY for `make bench`: how fair the house set is, and whole games."""

from __future__ import annotations

import sys
from time import process_time

from companion.games.hack.state import Options
from tests.games.hack_playout import Player, at_random, greedy, play, rates

Row = tuple[str, str, str, str]
"""What is measured, ours, what stands beside it, the ratio of both."""
GAMES_PER_SECOND = 5
PLAYERS: dict[str, Player] = {"random": at_random, "greedy": greedy}


def rows(games: int = 100) -> list[Row]:
    """Every measure once."""
    return [playouts(), *(fairness(name, games) for name in PLAYERS)]


def fairness(name: str, games: int) -> Row:
    """How often deck A wins against deck B if both are played alike."""
    a, b, nobody = rates(games, PLAYERS[name])
    return (
        f"hack: deck A wins, {name} play, {games} games",
        f"{a:.0%}",
        f"deck B {b:.0%}, drawn {nobody:.0%}",
        f"{a / b:.2f}" if b else "-",
    )


def playouts(games: int = 20) -> Row:
    """Random games; after every action each card is in exactly one place."""
    start = process_time()
    for seed in range(games):
        play(Options(), (at_random, at_random), seed)
    speed = games / (process_time() - start)
    limit = GAMES_PER_SECOND
    return (
        "hack: checked playouts per second",
        f"{speed:.1f}",
        f"limit {limit}",
        f"{speed / limit:.2f}",
    )


if __name__ == "__main__":
    for row in rows(*map(int, sys.argv[1:2])):
        print(*row, sep="  ", flush=True)
