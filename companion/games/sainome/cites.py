"""The rule that each move of Sainome Colosseum follows."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games import cardgame
from companion.games.api import Citation, Rolled, by_phase
from companion.games.sainome import actions as do
from companion.games.sainome.hand import equipping
from companion.games.sainome.state import State

_THROWS = {
    "off": "R3", "attack": "R22", "luck": "R22", "weigh": "R39", "guts": "R39", "reckless": "R21",
}  # fmt: skip


def _equip(before: State, _action: do.Attach | do.Detach | do.GoOn) -> str:
    return equipping(before)


def _countered(before: State, _action: do.Counter) -> str:
    """The roll is answered, the damage of a Time Bomb, or that of an attack."""
    if before.hit is None:
        return "H6"
    return "H7" if before.phase == "bomb" else "R39"


def _named(before: State, _action: do.Name) -> str:
    """For Guts, a counter card; else for the star of an awakened side."""
    return "R39" if before.hit is not None else "R34"


def _picked(before: State, _action: do.Pick) -> str:
    """Of two dice: by a counter card, by an instant, or by the skill of an awakened side."""
    if before.phase == "weigh":
        return "R39"
    return "R21" if before.strike.two else "R34"


def _discarded(before: State, action: do.Discard) -> str:
    if before.phase != "trash":
        return "H3"
    over = len(before.sides[action.seat].hand) > before.limit(action.seat)
    return "R28" if over else "R29"


def _went_on(before: State, action: do.GoOn) -> str:
    """The damage is taken; attaching is done; nothing, or nothing more, is played."""
    if before.hit is not None:
        return "R31"
    return _equip(before, action) if before.phase == "equip" else _ON(before, action)


_ON = by_phase(again="R34", dodge="H4", six="R26", burn="H3", pause="H4", trash="R29")

CITES: Mapping[type, Citation] = {
    **cardgame.CITES,
    Rolled: lambda before, _action: _THROWS[before.throw],
    do.Take: "R3",
    do.Choose: "R4",
    do.Shuffled: lambda before, _action: "R5" if before.phase == "deal" else "R17",
    do.Fated: "H3",
    do.Draft: "R10",
    do.Attach: _equip,
    do.Detach: _equip,
    do.Draw: "R16",
    do.Reequip: "R18",
    do.Play: "R21",
    do.Strike: "R22",
    do.End: "R12",
    do.Name: _named,
    do.Pick: _picked,
    do.Again: "R34",
    do.Counter: _countered,
    do.Guard: "R30",
    do.Use: "R25",
    do.Next: by_phase(order="R27", charge="R41"),
    do.Discard: _discarded,
    do.Target: lambda before, _action: "H5" if before.due[0].verb == "plant" else "H3",
    do.GoOn: _went_on,
}
