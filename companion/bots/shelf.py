"""The shelf with its coaches and its players: a game does not know who advises on it or plays it.

What needs numpy is imported when it is first asked: most evenings are without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from companion import games
from companion.bots import hack, sainome
from companion.bots import swordcrafters as smiths
from companion.bots.api import LEVELS, Bot, Moment, Played
from companion.bots.chance import at_random
from companion.bots.flat import review
from companion.games.api import Game
from companion.games.hack import HACK
from companion.games.sainome import SAINOME
from companion.games.sao import SAO
from companion.games.sao.state import State
from companion.games.swordcrafters import SWORDCRAFTERS
from companion.views import Choice
from companion.words import SeatNo, Text


def fellows(state: State, seat: SeatNo) -> tuple[Text, ...]:
    """The coach of Sword of Fellows."""
    from companion.bots.fellows_advice import advice

    return advice(state, seat)


def fellows_hints(state: State, seat: SeatNo) -> Iterable[Choice]:
    """Its first line as a choice."""
    from companion.bots.fellows_advice import hints

    return hints(state, seat)


COACHED = {SAO.key: replace(SAO, advice=fellows, hints=fellows_hints)}
SHELF: tuple[Game[Any], ...] = tuple(COACHED.get(game.key, game) for game in games.SHELF)
GAMES = {game.key: game for game in SHELF}
WEIGHING = {HACK.key: hack.PLAYERS, SAINOME.key: sainome.PLAYERS, SWORDCRAFTERS.key: smiths.PLAYERS}
SKILLS = {HACK.key: hack.SKILL, SAINOME.key: sainome.SKILL, SWORDCRAFTERS.key: smiths.SKILL}


@cache
def players(key: str) -> tuple[Bot, ...]:
    """Who can take a seat of this game, the weakest first: at most one of each level."""
    match key:
        case "kiriai":
            from companion.bots.kiriai import bot
        case "sao":
            from companion.bots.fellows_player import bot
        case _:
            return WEIGHING.get(key, (at_random(GAMES[key]),))
    return tuple(bot(level) for level in LEVELS)


def analyst(game: Game[Any], played: Iterable[Played]) -> Iterator[Moment]:
    """What the decisions of an ended game were worth; nothing where nobody can say."""
    match game.key:
        case "kiriai":
            from companion.bots.kiriai_review import moments
        case "sao":
            from companion.bots.fellows_review import moments
        case key:
            return review(game, SKILLS[key], played) if key in SKILLS else iter(())
    return moments(played)
