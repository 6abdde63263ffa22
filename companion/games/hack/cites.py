"""The rule that each move of .hack//ENEMY follows; of a hidden card, the rule of hiding it."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games import cardgame
from companion.games.api import Citation, by_phase
from companion.games.hack import actions as do
from companion.games.hack.state import State


def _shuffled(before: State, _action: do.Shuffled) -> str:
    """Before the first hands, for destiny, or because a deck is empty."""
    return {"deal": "R7", "destiny": "R44"}.get(before.phase, "R13")


def _avoid(before: State, action: do.Avoid) -> str:
    return "R35" if before.sides[action.seat].heroes else "R36"


def _reward(before: State, _action: do.Reward | do.Ready) -> str:
    """Of a fight that was won, or of an attack that was avoided."""
    return "R50" if before.battles else "R37"


def _target(before: State, action: do.Target) -> str:
    """A reward may strike the loser of its fight once more."""
    loser = before.battle.pc if before.battles and before.phase == "reward" else ""
    return "H8" if loser and loser == action.what else "H4"


def _ready(before: State, action: do.Ready) -> str:
    return _reward(before, action) if before.phase == "reward" else _READY(before, action)


_READY = by_phase(join="R34", assign="R38", extra="R41", flip="H3")

CITES: Mapping[type, Citation] = {
    **cardgame.CITES,
    do.Cut: "R8",
    do.Shuffled: _shuffled,
    do.Destiny: by_phase(cut="R8", destiny="R43"),
    do.Discard: "R12",
    do.DiscardHand: "R14",
    do.PlayPC: lambda _before, action: "R20" if action.replaces else "R19",
    do.PlayItem: "R26",
    do.Attack: "R31",
    do.Store: "R31",
    do.Hide: "R28",
    do.Sacrifice: "R29",
    do.Join: "R34",
    do.Ready: _ready,
    do.Avoid: _avoid,
    do.Fight: "R35",
    do.Assign: by_phase(assign="R38", extra="R41"),
    do.Next: "R42",
    do.Flip: "R30",
    do.Reward: _reward,
    do.Score: lambda _before, action: "R51" if action.monster else "H7",
    do.Target: _target,
    do.Pass: "H5",
}
