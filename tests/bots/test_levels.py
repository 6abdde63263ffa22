"""Each level beats the one below: the players of Swordcrafters, .hack//ENEMY, Sainome Colosseum."""

from __future__ import annotations

import pytest

from companion.bots.api import decide, picks, sight
from companion.bots.shelf import GAMES, players
from tests.bots.match import FIRST, PROMISES, WEIGHED, Score, match
from tests.bots.playing import cardless, evening
from tests.patience import within

LONGEST = 3.0  # seconds for a move


def played(key: str, one: str, other: str, games: range) -> Score:
    """A match of two levels, told every twenty games."""
    bots = {bot.level: bot for bot in players(key)}
    score = Score()
    for score in match(GAMES[key], bots[one], bots.get(other), games):
        if score.games % 20 == 0:
            print(f"{key}: {one} beats {other} in {score}", flush=True)
    return score


@pytest.mark.slow
@pytest.mark.parametrize("key", WEIGHED)
@pytest.mark.parametrize(("one", "other", "games"), [("good", "easy", 30), ("best", "good", 8)])
def test_a_higher_level_wins_more_often(key: str, one: str, other: str, games: int) -> None:
    score = played(key, one, other, range(games))
    assert score.share > 0.5, str(score)
    assert score.longest < within(LONGEST), str(score)


@pytest.mark.slow
@pytest.mark.parametrize("key", WEIGHED)
def test_even_the_easy_one_wins_against_chance(key: str) -> None:
    score = played(key, "easy", "random", range(20))
    assert score.share >= 0.8, str(score)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["hack", "sainome"])
def test_what_is_tried_out_depends_on_nothing_that_the_seat_cannot_see(key: str) -> None:
    game, best, looks = GAMES[key], players(key)[-1], 0
    assert game.secrets.unseen is not None
    for states, _, seat, _ in evening(game, game.new(2, cardless(game)), (best, best), "twin"):
        if len(states) % 11 == 5:
            twin = game.secrets.unseen(states[-1], seat, picks("another"))
            seen = (sight(game, state, seat) for state in (states[-1], twin))
            assert len({repr(decide(best, one, "seed", 4)) for one in seen}) == 1
            looks += 1
    assert looks > 3


@pytest.mark.soak
@pytest.mark.parametrize("key", WEIGHED)
@pytest.mark.parametrize(("one", "other", "promise"), PROMISES)
def test_the_levels_keep_their_promise_over_four_hundred_games(
    key: str, one: str, other: str, promise: float
) -> None:
    score = played(key, one, other, range(FIRST, FIRST + 400))
    assert score.share >= promise, str(score)
    assert score.longest < within(LONGEST), str(score)
