"""Who plays in the counts of presses: anybody at random, and somebody sensible for each game.

The sensible ones do not look at the order of the choices. Those of .hack//ENEMY, Sainome Colosseum
and Swordcrafters weigh them much as the games' wanted.py does, so their counts flatter it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.bots.fellows import ranked
from companion.bots.kiriai import drawn, solved
from companion.bots.kiriai_table import MASKED
from companion.games.kiriai.advice import odds as plans
from companion.games.kiriai.state import Pick
from companion.games.sainome import actions as sainome
from companion.games.sao import actions as sao
from companion.games.swordcrafters import actions as swords
from companion.games.swordcrafters.crafting import active
from companion.games.swordcrafters.printed import goes_on
from companion.games.swordcrafters.setup import fitting
from companion.games.swordcrafters.slices import split
from companion.games.swordcrafters.state import tiles_of
from companion.games.swordcrafters.sword import free_sides
from tests.games.hack_playout import greedy
from tests.games.sainome_playout import wanting

Player = Callable[[Any, int, list[Any], random.Random], Any]
"""(state, seat, the actions that are offered, chance): the one that is wanted, if any."""


def anybody(_state: Any, _seat: int, offered: list[Any], rng: random.Random) -> Any:
    """Each choice alike."""
    return rng.choice(offered)


def duellist(state: Any, seat: int, offered: list[Any], rng: random.Random) -> Any:
    """Kiri-ai: one of the three plans with the best odds; always the best would be foreseen."""
    return _keeps_to(3, state, seat, offered, rng)


def by_feel(state: Any, seat: int, offered: list[Any], rng: random.Random) -> Any:
    """Kiri-ai: one of the five plans with the best odds."""
    return _keeps_to(5, state, seat, offered, rng)


def _keeps_to(best: int, state: Any, seat: int, offered: list[Any], rng: random.Random) -> Any:
    """Both cards of one plan: whoever has laid the first goes on with it."""
    picks = [action for action in offered if isinstance(action, Pick)]
    if not picks:
        return rng.choice(offered)
    fighter = state.fighters[seat]
    laid = tuple(card.face for card in fighter.plan)
    fighters = [*state.fighters]
    fighters[seat] = replace(fighter, plan=())
    whole = plans(replace(state, fighters=tuple(fighters)), seat)
    good = sorted(whole, key=lambda one: (one.edge, one.wound))[-best:]
    meant = [one.plan for one in good if one.plan[: len(laid)] == laid]
    wanted = rng.choice(meant)[len(laid)] if meant else picks[0].face
    return next((one for one in picks if one.face == wanted), picks[0])


def by_table(state: Any, seat: int, offered: list[Any], rng: random.Random) -> Any:
    """Kiri-ai: by the solved table, so as nobody can foresee."""
    picks = [action for action in offered if isinstance(action, Pick)]
    if not picks:
        return rng.choice(offered)
    plan = drawn(solved(state.size), state, seat, str(rng.random()), MASKED).plan
    return next(one for one in picks if one.face == plan[len(state.fighters[seat].plan)])


def fellow(state: Any, _seat: int, offered: list[Any], rng: random.Random) -> Any:
    """Sword of Fellows: throws again by hand what promises most, then strikes as hard as it goes"""
    if state.phase == "dice":
        lines = (line.action for line in ranked(state))
        best = next((one for one in lines if isinstance(one, sao.Again | sao.Strike)), None)
        if isinstance(best, sao.Again):
            return best
    strikes = [action for action in offered if isinstance(action, sao.Strike)]
    if strikes:
        return max(strikes, key=lambda one: state.blow(one.uses))
    if state.phase == "dice":
        return None  # the partner waits for the one on turn
    quiet = (sao.Correct, sao.Mark, sao.Stand, sao.Give, sao.Forgo)
    return rng.choice([one for one in offered if not isinstance(one, quiet)] or offered)


def by_hand(player: Player, action: Any) -> bool:
    """Done with hands and not by a button: dice that are taken up and thrown again."""
    return player is fellow and isinstance(action, sao.Again)


def smith(state: Any, seat: int, offered: list[Any], rng: random.Random) -> Any:
    """Swordcrafters: cuts in the middle, takes the most, lays like on like; tells what lies there.

    What is told is as random as the cardboard.
    """
    return max(offered, key=lambda action: (_forging(state, seat, action), rng.random()))


def _forging(state: Any, seat: int, action: Any) -> float:
    one = state.smiths[seat]
    match action:
        case swords.Printed(_, word):  # towards a card that is in the book, named once it is there
            told = (*state.draft, word)
            return 0 if any(goes_on(told, card) for card in fitting(state)) else -1
        case swords.Card():
            return 1
        case swords.Undo() | swords.Untold():
            return -1
        case swords.Aim(_, group) | swords.Take(_, group):
            return len(tiles_of(state, state.groups[group]))
        case swords.Discard(_, group):
            return -len(tiles_of(state, state.groups[group]))
        case swords.Draw(_, start, end):
            halves = split(state.groups[state.aim], (start, end))
            return min(len(tiles_of(state, half)) for half in halves)
        case swords.Craft(_, side):
            return _run(one, side, one.picked)
        case swords.Pick(_, tile):
            sides = free_sides(one.swords[active(one)])
            return max(_run(one, side, tile) for side in sides)
    return 0


def _run(one: Any, side: int, picked: str) -> int:
    """How many of this gem lie at the tip of a side."""
    tip = [*reversed(one.swords[active(one)].gems(side))]
    return next((n for n, tile in enumerate(tip) if tile != picked), len(tip))


def _greedy(state: Any, seat: int, offered: list[Any], rng: random.Random) -> Any:
    wanted = greedy(state, seat, rng)
    return wanted if wanted in offered else rng.choice(offered)


def _wanting(state: Any, seat: int, offered: list[Any], rng: random.Random) -> Any:
    wanted = wanting(state, seat, rng)
    if isinstance(wanted, sainome.Attach):  # the heaviest, anywhere: what came first was at random
        cards = [one for one in offered if isinstance(one, sainome.Attach)]
        wanted = max(cards, key=lambda one: (state.cards[one.card].damage, rng.random()))
    return wanted if wanted in offered else rng.choice(offered)


SENSIBLE: Mapping[str, Player] = {
    "kiriai": duellist, "sao": fellow, "swordcrafters": smith, "hack": _greedy,
    "sainome": _wanting,
}  # fmt: skip
OTHERS: Mapping[str, tuple[Player, ...]] = {"kiriai": (by_feel, by_table)}
"""More of them, where one would say too little."""
