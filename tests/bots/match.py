"""Matches of two players: how often one beats the other, seats alternating, with an interval.

`python -m tests.bots.match FILE 400` plays up to 400 games of every promise in turn and adds each
to the file, so that it may be stopped and gone on with; `... FILE 0` tells what is in it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from companion.bots.api import Bot, decide, sight
from companion.bots.shelf import GAMES, players
from companion.games.api import Game, moves, roll
from companion.words import SeatNo
from tests.bots.playing import cardless, interval

WEIGHED = ("swordcrafters", "hack", "sainome")
PROMISES = (("good", "easy", 0.75), ("best", "good", 0.60), ("best", "random", 0.97))
"""Who beats whom in which share of 400 games; a draw is half a win."""
FIRST = 1_000  # the number of the first of these games


@dataclass
class Score:
    """What has come out so far, from the side of the first player."""

    won: int = 0
    drawn: int = 0
    games: int = 0
    longest: float = 0.0  # seconds of processor time for its longest move
    seconds: float = 0.0  # for whole games

    @property
    def share(self) -> float:
        """Of the games won; a draw is half a win."""
        return (self.won + self.drawn / 2) / self.games

    def __str__(self) -> str:
        low, high = interval(self.won + self.drawn / 2, self.games)
        return (
            f"{self.share:.1%} ({low:.1%} to {high:.1%}) of {self.games} games, {self.drawn} drawn;"
            f" longest move {self.longest:.2f} s, {self.seconds / self.games:.1f} s a game"
        )


def match(game: Game[Any], one: Bot, other: Bot | None, games: range) -> Iterator[Score]:
    """How it stands after each game of two, both with half of their rounds, as a slow machine has
    time for. None plays at random whatever decides something."""
    score = Score()
    for number in games:
        seat, start = SeatNo(number % 2), process_time()
        winners = _played(game, (one, other) if seat == 0 else (other, one), one, number, score)
        score.won += winners == (seat,)
        score.drawn += winners != (seat,) and (not winners or seat in winners)
        score.games += 1
        score.seconds += process_time() - start
        yield score


def _played(
    game: Game[Any], bots: tuple[Bot | None, Bot | None], timed: Bot, number: int, score: Score
) -> tuple[int, ...]:
    state, rng, made = game.new(2, cardless(game)), Random(f"{game.key} {number}"), 0
    while waiting := game.waiting(state):
        if waiting.dice is not None:
            action: Any = roll(waiting.dice, rng.randrange)
        elif waiting.chance and game.chance is not None:
            action = game.chance(state, rng.randrange)
        else:
            seat = SeatNo(rng.choice(waiting.seats))
            bot, start = bots[seat], process_time()
            if bot is None:
                action = rng.choice([*moves(game, state, seat)])
            else:
                seen = sight(game, state, seat)
                action = decide(bot, seen, f"{number} {made}", (bot.rounds + 1) // 2).action
            if bot is timed:
                score.longest = max(score.longest, process_time() - start)
        state, made = game.apply(state, action), made + 1
    result = game.result(state)
    assert result is not None
    return result.winners


def go_on(path: Path, games: int) -> None:
    """All promises in turn: a line for each game with what was won, drawn, played, and times."""
    path.touch()
    known = {tuple(line.split(";")[:4]) for line in path.open()}
    with path.open("a") as file:
        for number in range(FIRST, FIRST + games):
            for key, (one, other, _) in ((key, each) for each in PROMISES for key in WEIGHED):
                if (key, one, other, str(number)) not in known:
                    bots = {bot.level: bot for bot in players(key)}
                    (score,) = match(
                        GAMES[key], bots[one], bots.get(other), range(number, number + 1)
                    )
                    facts = (score.won, score.drawn, score.games, score.longest, score.seconds)
                    print(key, one, other, number, *facts, sep=";", file=file, flush=True)
    scores: dict[tuple[str, ...], Score] = {}
    for *kind, _, won, drawn, played, longest, seconds in (line.split(";") for line in path.open()):
        score = scores.setdefault(tuple(kind), Score())
        score.won += int(won)
        score.drawn += int(drawn)
        score.games += int(played)
        score.longest = max(score.longest, float(longest))
        score.seconds += float(seconds)
    for (key, one, other), score in sorted(scores.items()):
        print(f"{key}: {one} beats {other} in {score}")


if __name__ == "__main__":
    go_on(Path(sys.argv[1]), int(sys.argv[2]))
