"""Players of Swordcrafters: nothing is hidden, so the best one looks at how the round comes out."""

from __future__ import annotations

from math import exp
from typing import Any

from companion.bots.api import Bot
from companion.bots.flat import Skill, trying, weighing
from companion.games.swordcrafters import actions as do
from companion.games.swordcrafters.crafting import active
from companion.games.swordcrafters.gems import BLANK
from companion.games.swordcrafters.ledger import entrants, sheets
from companion.games.swordcrafters.slices import split
from companion.games.swordcrafters.state import Smith, State, tiles_of
from companion.games.swordcrafters.sword import SIDES, Sword, free_sides
from companion.words import text


def weigh(state: State, seat: int, action: Any) -> float:
    """How good a move looks just now."""
    smith = state.smiths[seat]
    match action:
        case do.Aim(_, group):
            return len(tiles_of(state, state.groups[group]))
        case do.Take(_, group, sword):
            return _taken(smith.swords[sword], tiles_of(state, state.groups[group]))
        case do.Discard(_, group):
            return -_taken(smith.swords[0], tiles_of(state, state.groups[group]))
        case do.Draw(_, start, end):
            halves = split(state.groups[state.aim], (start, end))
            return min(len(tiles_of(state, half)) for half in halves)
        case do.Craft(_, side):
            return _laid(smith.swords[active(smith) or 0], side, smith.picked)
        case do.Pick(_, tile):
            return _best_place(smith, tile)
    return 0.0


def worth(state: State, seat: int) -> float:
    """The points of this moment, and the runs that can still grow."""
    points: dict[int, float] = {}
    for (owner, _, _), sheet in zip(entrants(state), sheets(state), strict=True):
        points[owner] = points.get(owner, 0.0) + sheet.total
    for owner, smith in enumerate(state.smiths):
        points[owner] += smith.word
        if state.phase != "over":
            points[owner] += sum(
                0.5 * _tip(sword, at) for sword in smith.swords for at in range(SIDES)
            )
    own = points.pop(seat)
    return 1 / (1 + exp((max(points.values()) - own) / 6))


def _taken(sword: Sword, tiles: tuple[str, ...]) -> float:
    """Each tile makes the sword longer; one that goes on with a run is worth more."""
    tips = [gems[-1] for side in range(SIDES) if (gems := sword.gems(side))]
    return sum(0.2 if tile == BLANK else 0.7 + 0.6 * (tile in tips) for tile in tiles)


def _best_place(smith: Smith, tile: str) -> float:
    sword = smith.swords[active(smith) or 0]
    return max(_laid(sword, side, tile) for side in free_sides(sword))


def _laid(sword: Sword, side: int, tile: str) -> float:
    """A tile goes on with the run at the tip, or ends it."""
    gems = sword.gems(side)
    run = _tip(sword, side)
    return 1.0 + run if gems and gems[-1] == tile else -float(run)


def _tip(sword: Sword, side: int) -> int:
    """How many of one gem lie at the tip of a side."""
    gems = sword.gems(side)
    if not gems or gems[-1] == BLANK:
        return 0
    return next((n for n, gem in enumerate(reversed(gems)) if gem != gems[-1]), len(gems))


SKILL = Skill(weigh, worth, clock=lambda state: state.round, ahead=1, width=8, margin=9.0)
PLAYERS: tuple[Bot, ...] = (
    weighing("swordcrafters", "easy", SKILL, text("Misjudges its tiles now and then"), 4.0),
    weighing("swordcrafters", "good", SKILL, text("Plays what looks best at once")),
    trying("swordcrafters", SKILL, text("Tries its best moves out in its head"), 7),
)
