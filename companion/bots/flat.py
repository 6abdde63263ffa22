"""Players that weigh each move at once, and the best of them: it tries a few out in its head.

Flat Monte Carlo: in every round one state is imagined that the seat cannot tell from the true one,
and each of the best-looking moves is played on from it, everybody by the same weights and with the
same chance, until the game's clock has gone on a little. The move that did best on average is made.
Afterwards the same trials weigh the moves of a game, a few of each: of what another did better only
so much counts as is left after the doubt of so few trials.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from operator import itemgetter
from statistics import fmean, pstdev, stdev
from typing import Any

from companion.bots.api import Answer, Bot, Level, Moment, Played, Sight, picks, sight
from companion.errors import Illegal
from companion.games.api import Die, Game, Pick, Rolled, moves, roll
from companion.words import SeatNo, Text, text

FINE = 1 << 16  # steps between 0 and 1 of a chance
ROUNDS, TRIED = 5, 4  # trials of each move, and moves that are tried, the one made among them
DOUBT = 2.5  # standard errors that are taken off a difference
MOST_FALLS = 36  # ways in which dice may fall that are all tried out


@dataclass(frozen=True)
class Skill:
    """What a player knows of a game."""

    weigh: Callable[[Any, SeatNo, Any], float]
    """(state, seat, move): how good it looks by what the seat sees."""
    worth: Callable[[Any, SeatNo], float]
    """How well a seat stands: 1 is won, 0 is lost."""
    clock: Callable[[Any], int]
    """Turns or rounds begun: trials are judged when it has gone on by `ahead`."""
    ahead: int = 2
    width: int = 4  # moves that are tried out
    margin: float = 3.0  # that weigh at most so much less than the best


def weighing(game: str, level: Level, skill: Skill, says: Text, blur: float = 0.0) -> Bot:
    """Who takes what looks best at once; `blur` is how much it misjudges a move at most."""

    def think(seen: Sight, seed: str) -> Iterator[Answer]:
        pick = picks(seed, len(seen.past))
        state = seen.imagine(pick)
        yield Answer(_ranked(seen.game, state, seen.seat, skill, pick, blur)[0][1])

    return Bot(game, level, 1, says, think)


def trying(game: str, skill: Skill, says: Text, rounds: int) -> Bot:
    """Who tries the best-looking moves out."""

    def think(seen: Sight, seed: str) -> Iterator[Answer]:
        pick = picks(seed, len(seen.past))
        state = seen.imagine(pick)
        able = _ranked(seen.game, state, seen.seat, skill, pick)
        yield Answer(able[0][1], text("It looks best at once."))
        least = able[0][0] - skill.margin
        tried = [action for weight, action in able[: skill.width] if weight >= least]
        sums = [0.0] * len(tried)
        for number in range(1, rounds if len(tried) > 1 else 1):
            world = seen.imagine(pick)
            for at, action in enumerate(tried):
                after = seen.game.apply(world, action)
                chance = picks(seed, len(seen.past), number)
                sums[at] += _outcome(seen.game, after, seen.seat, skill, chance)
            best = max(range(len(tried)), key=lambda at: sums[at])
            why = text("Best of {n} moves, each tried {m} times.", n=len(tried), m=number)
            yield Answer(tried[best], why)

    return Bot(game, "best", 1, says, think, rounds=rounds)


def _ranked(
    game: Game[Any], state: Any, seat: SeatNo, skill: Skill, pick: Pick, blur: float = 0.0
) -> list[tuple[float, Any]]:
    """What a seat can decide, the best-looking first; equals in an order that chance gives."""
    able = [*moves(game, state, seat)]
    if len(able) == 1:
        return [(0.0, able[0])]
    span = max(blur, 1e-6) / FINE
    weighed = [(skill.weigh(state, seat, action) + span * pick(FINE), action) for action in able]
    return sorted(weighed, key=itemgetter(0), reverse=True)


def _outcome(game: Game[Any], state: Any, seat: SeatNo, skill: Skill, pick: Pick) -> float:
    """How the seat stands a little later, if all go on by the same weights."""
    end = skill.clock(state) + skill.ahead
    while skill.clock(state) < end and (waiting := game.waiting(state)):
        if waiting.dice is not None:
            action: Any = roll(waiting.dice, pick)
        elif waiting.chance and game.chance is not None:
            action = game.chance(state, pick)
        else:
            action = _ranked(game, state, SeatNo(waiting.seats[0]), skill, pick)[0][1]
        state = game.apply(state, action)
    return skill.worth(state, seat)


def review(game: Game[Any], skill: Skill, played: Iterable[Played]) -> Iterator[Moment]:
    """Every decision between two moves at least, and every throw of few dice."""
    for one in played:
        action = one.action
        throws = isinstance(action, Rolled)
        wanted = game.waiting(one.before).dice
        by = (wanted.by or (0,))[0] if throws and wanted else getattr(action, "seat", None)
        if by is None or isinstance(action, game.skips):
            continue
        seat = SeatNo(by)
        try:
            tried = _falls(action) if throws else _choices(game, skill, one.before, seat, action)
            worth = _tried(game, skill, one, seat, tried) if len(tried) > 1 else []
        except Illegal:
            continue  # a ruling or soft mode has led where trials cannot follow
        if not worth:
            continue
        mean, did = [fmean(some) for some in worth], game.tell(one.before, action, seat)
        got = mean[0]
        if throws:
            yield Moment(
                one.seq, seat, did, fmean(mean[1:]), got, spread=pstdev(mean[1:]), rough=True
            )
            continue
        sure = [_surely_better(some, worth[0]) for some in worth]
        at = max(range(len(tried)), key=lambda n: sure[n])
        better = game.tell(one.before, tried[at], seat)
        yield Moment(one.seq, seat, did, got + sure[at], got, fmean(mean), better, rough=True)


def _falls(thrown: Rolled) -> list[Any]:
    """What fell, then all that might have fallen."""
    bodies = [die.body for die in thrown.dice]
    if 6 ** len(bodies) > MOST_FALLS:
        return []
    faces = product(range(1, 7), repeat=len(bodies))
    return [thrown, *(Rolled(tuple(map(Die, bodies, some))) for some in faces)]


def _choices(game: Game[Any], skill: Skill, state: Any, seat: SeatNo, action: Any) -> list[Any]:
    """What was done, then what looks best of the rest."""
    pick = picks("review")
    able = _ranked(game, sight(game, state, seat).imagine(pick), seat, skill, pick)
    others = [other for _, other in able if other != action]
    return [action, *others[: TRIED - 1]]


def _tried(
    game: Game[Any], skill: Skill, one: Played, seat: SeatNo, tried: list[Any]
) -> list[list[float]]:
    """By move, how the seat stood a little later in each trial."""
    seen, found = sight(game, one.before, seat), [list[float]() for _ in tried]
    for number in range(ROUNDS):
        world = seen.imagine(picks("review", one.seq, number))
        for at, action in enumerate(tried):
            chance = picks("review", one.seq, number, "goes on")
            after = game.apply(world, action)
            found[at].append(_outcome(game, after, seat, skill, chance))
    return found


def _surely_better(one: list[float], other: list[float]) -> float:
    gains = [mine - its for mine, its in zip(one, other, strict=True)]
    return max(0.0, fmean(gains) - DOUBT * stdev(gains) / math.sqrt(ROUNDS))
