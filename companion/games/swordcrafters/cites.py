"""The rule that each move of Swordcrafters follows."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.api import Citation, by_phase
from companion.games.swordcrafters import actions as do
from companion.games.swordcrafters.crafting import active
from companion.games.swordcrafters.state import State


def _draw(before: State, _action: do.Draw) -> str:
    return "S-R39" if before.solo else "S-R13"


def _cut(before: State, _action: do.Cut) -> str:
    """A slice each; in solo as the card says, two each where two play."""
    if before.solo:
        return "S-R39"
    return "S-R34" if before.seats == 2 else "S-R12"


def _take(before: State, action: do.Take) -> str:
    if len(before.smiths[action.seat].swords) > 1:
        return "S-R36"
    return "S-R34" if before.seats == 2 else "S-R16"


def _pick(before: State, action: do.Pick) -> str:
    """A tile that nobody told is named now."""
    smith = before.smiths[action.seat]
    at = active(smith)
    told = at is not None and action.tile in smith.hands[at]
    return "S-R22" if told else "S-H2"


CITES: Mapping[type, Citation] = {
    do.Dealt: "S-R4",
    do.Laid: "S-R10",
    do.Drawn: "S-R39",
    do.Card: by_phase(magic="S-R4", rivals="S-R38"),
    do.Printed: "S-H3",
    do.Guard: "S-R6",
    do.First: "S-R7",
    do.Tile: "S-H2",
    do.Untold: "S-H2",
    do.Icon: "S-R39",
    do.Aim: "S-R13",
    do.Draw: _draw,
    do.Cut: _cut,
    do.Undo: by_phase(slice="S-R13", enter="S-H2"),
    do.Discard: "S-R40",
    do.Take: _take,
    do.Pick: _pick,
    do.Craft: "S-R23",
    do.Add: "S-H2",
    do.Next: "S-H2",
}
