"""Where the finger begins: what most people want now. A rule of thumb, no advice."""

from __future__ import annotations

from typing import Any

from companion.games.swordcrafters import actions as do
from companion.games.swordcrafters.crafting import active
from companion.games.swordcrafters.play import legal
from companion.games.swordcrafters.slices import split
from companion.games.swordcrafters.state import Smith, State, tiles_of
from companion.games.swordcrafters.sword import free_sides


def wanted(state: State, seat: int) -> Any:
    """The biggest group, the most even line; like on like at the sword."""
    if state.phase not in ("slice", "select", "discard", "craft"):
        return None
    return max(legal(state, seat), key=lambda action: _worth(state, seat, action), default=None)


def _worth(state: State, seat: int, action: Any) -> int:
    smith = state.smiths[seat]
    match action:
        case do.Aim(_, group) | do.Take(_, group):
            return len(tiles_of(state, state.groups[group]))
        case do.Discard(_, group):
            return -len(tiles_of(state, state.groups[group]))
        case do.Draw(_, start, end):
            halves = split(state.groups[state.aim], (start, end))
            return min(len(tiles_of(state, half)) for half in halves)
        case do.Craft(_, side):
            return _run(smith, side, smith.picked)
        case do.Pick(_, tile):
            sides = free_sides(smith.swords[active(smith) or 0])
            return max(_run(smith, side, tile) for side in sides)
    return -1


def _run(smith: Smith, side: int, tile: str) -> int:
    """How many of this gem lie at the tip of that side."""
    tip = (*reversed(smith.swords[active(smith) or 0].gems(side)),)
    return next((n for n, other in enumerate(tip) if other != tile), len(tip))
