"""What every bot promises: a move by what its seat knows, legal, the same again, in its rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from companion.bots.api import LEVELS, Answer, Bot, Sight, decide, no_cardboard, picks
from companion.bots.chance import at_random
from companion.bots.shelf import GAMES, players
from companion.games.api import Game
from companion.words import SeatNo
from tests.bots.playing import cardless, evening, knows
from tests.games.guess import GUESS
from tests.games.liar import LIAR
from tests.games.pig import PIG

EVERY = [bot for key in GAMES for bot in players(key)]
TWINS = 2  # states that the seat cannot tell from the true one, tried at a decision
LOOKED_AT = {n * n // 2 for n in range(30)}  # decisions: the first ones all, later ones fewer


def name(bot: Bot) -> str:
    return f"{bot.game}-{bot.level}"


def unlike(game: Game[Any], bot: Bot, start: Any, seats: int, seed: str) -> Iterator[str]:
    """Every look at a whole game at which the bot breaks a promise."""
    for at, (states, acts, seat, action) in enumerate(evening(game, start, [bot] * seats, seed)):
        if at in LOOKED_AT:
            for wrong in _looked_at(game, bot, states, acts, seat, action, seed):
                yield f"{name(bot)}, {seed}, decision {at}: {wrong}"


def _looked_at(
    game: Game[Any],
    bot: Bot,
    states: list[Any],
    acts: list[Any],
    seat: SeatNo,
    action: Any,
    seed: str,
) -> Iterator[str]:
    def decides(twin: Callable[[Any], Any] = lambda state: state) -> Any:
        sight = knows(game, states, acts, seat, twin)
        return decide(bot, sight, f"{seed} {seat}", 1).action

    if decides() != action:
        yield "it does not do the same again"
    unseen = game.secrets.unseen
    for twin in range(TWINS if unseen is not None else 0):
        assert unseen is not None
        if decides(lambda state, n=twin: unseen(state, seat, picks(f"twin {n}"))) != action:
            yield "it does something else where the seat sees the same"
    legal = {*game.legal(states[-1], seat), *([None] if game.waiting(states[-1]).dice else [])}
    seen = knows(game, states, acts, seat)
    thoughts = list(islice(bot.think(seen, f"{seed} {seat}"), bot.rounds + 1))
    if len(thoughts) > bot.rounds:
        yield f"it thinks on after {bot.rounds} rounds"
    if not all(answer.action in legal for answer in thoughts):
        yield "it thinks of what is not legal"


@pytest.mark.slow
@pytest.mark.parametrize("bot", EVERY, ids=name)
def test_a_bot_keeps_its_promises_and_every_game_ends(bot: Bot) -> None:
    game = GAMES[bot.game]
    seats = min(2, game.seats[-1])
    start = game.new(seats, cardless(game))
    assert bot.able(cardless(game)) is None
    assert list(unlike(game, bot, start, seats, "a")) == []


@pytest.mark.soak
@pytest.mark.parametrize("bot", EVERY, ids=name)
def test_a_bot_keeps_its_promises_with_every_number_of_players(bot: Bot) -> None:
    game = GAMES[bot.game]
    for seats in game.seats:
        for seed in "bcdef":
            start = game.new(seats, cardless(game))
            assert list(unlike(game, bot, start, seats, f"{seed} {seats}")) == []


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_every_game_has_an_easy_player_and_one_of_a_level(game: Game[Any]) -> None:
    levels = [bot.level for bot in players(game.key)]
    assert levels[0] == "easy"
    assert levels == [level for level in LEVELS if level in levels]
    assert all(bot.game == game.key and bot.says.show() for bot in players(game.key))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_a_bot_says_that_it_has_no_hands_for_cardboard(game: Game[Any]) -> None:
    """Every game on the shelf can be played with cardboard, and each says so in its options."""
    real = (
        game.options(way="tracked") if game.key == "swordcrafters" else game.options(cards="table")
    )
    assert no_cardboard(real) is not None
    assert no_cardboard(cardless(game)) is None


def true_state(sight: Sight) -> Any:
    """What no bot may do: the closure of `imagine` holds the state that it draws anew."""
    function: Any = sight.imagine
    return next(
        cell.cell_contents
        for cell in function.__closure__
        if isinstance(cell.cell_contents, sight.game.state)
    )


def cheating(bot: Bot, peeks: Callable[[Any], bool]) -> Bot:
    """The bot, who does something else where it peeks at the true state."""

    def think(sight: Sight, seed: str) -> Iterator[Answer]:
        answer = next(iter(bot.think(sight, seed)))
        legal = [*sight.game.legal(sight.imagine(picks("")), sight.seat)]
        yield Answer(legal[-1]) if peeks(true_state(sight)) else answer

    return replace(bot, think=think, rounds=1)


def test_a_bot_that_uses_the_true_state_is_caught() -> None:
    game = GAMES["kiriai"]
    start = game.new(2, game.options())
    cheat = cheating(players("kiriai")[0], lambda s: s.fighters[0].special < s.fighters[1].special)
    found = list(unlike(game, cheat, start, 2, "a"))
    assert any("where the seat sees the same" in wrong for wrong in found)
    assert list(unlike(game, cheating(players("kiriai")[0], lambda _: False), start, 2, "a")) == []


def test_a_bot_with_chance_of_its_own_is_caught() -> None:
    game, rng = GAMES["kiriai"], Random(5)

    def think(sight: Sight, _seed: str) -> Iterator[Answer]:
        yield Answer(rng.choice([*sight.game.legal(sight.imagine(picks("")), sight.seat)]))

    moody = replace(players("kiriai")[0], think=think, rounds=1)
    found = list(unlike(game, moody, game.new(2, game.options()), 2, "a"))
    assert any("the same again" in wrong for wrong in found)


def test_a_bot_that_thinks_on_or_breaks_a_rule_is_caught() -> None:
    game, easy = GAMES["kiriai"], players("kiriai")[0]

    def think(sight: Sight, seed: str) -> Iterator[Answer]:
        yield next(iter(easy.think(sight, seed)))
        yield Answer(replace(next(iter(easy.think(sight, seed))).action, seat=1 - sight.seat))

    found = list(
        unlike(game, replace(easy, think=think, rounds=1), game.new(2, game.options()), 2, "a")
    )
    assert any("thinks on" in wrong for wrong in found)
    assert any("not legal" in wrong for wrong in found)


@pytest.mark.parametrize("game", [PIG, GUESS, LIAR], ids=lambda game: game.key)
def test_a_new_game_has_a_player_for_nothing(game: Game[Any]) -> None:
    """The guide's games: what the shelf gives every game plays them to their ends."""
    bot = at_random(game)
    assert list(unlike(game, bot, game.new(2, game.options()), 2, "a")) == []
