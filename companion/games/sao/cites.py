"""The rule that each move of Sword of Fellows follows."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.api import Citation, Rolled, by_phase
from companion.games.sao import actions as do
from companion.games.sao.state import State

_EFFECTS = {"heal": "R70", "+2": "R65", "x2": "R65", "shield": "R66", "control": "R67"}
_FORGONE = {"counter": "H2", "fallen": "H3"}


def thrown(before: State, _action: Rolled) -> str:
    """The first throw of a turn, or dice that the pair throws again."""
    if before.rerolls or before.ring:
        return "R21"
    return "R54" if before.last else "R19"


def _exchange(before: State, action: do.Exchange) -> str:
    return "R61" if before.heroes[action.who].dead else "R47"


def _given(before: State, _action: do.Give) -> str:
    """What was found, or what changes hands."""
    return "R40" if before.phase == "give" else "H6"


def _ability(before: State, action: do.Ability) -> str:
    """In an easy game the first use of a turn costs nothing."""
    return "R63" if before.gratis(action.who) else "R23"


def _consume(before: State, action: do.Consume) -> str:
    return "H3" if before.cards.items[action.item].effect == "revive" else "R41"


def _effect(before: State, _action: do.Target | do.Forgo) -> str:
    return _EFFECTS[before.asks[0][0]]


def forgone(before: State, action: do.Forgo) -> str:
    """The rule of what is done without."""
    if before.phase == "effect":
        return _effect(before, action)
    return _FORGONE.get(before.phase, "R41")


_TURNED_UP = by_phase(reveal="R12", loot="R39")

CITES: Mapping[type, Citation] = {
    do.Play: lambda before, _action: "R3" if before.seats == 1 else "R4",
    do.Drawn: _TURNED_UP,
    do.Told: _TURNED_UP,
    do.Correct: "H1",
    do.Corrected: "H1",
    do.Agreed: "H1",
    do.Chain: lambda before, _action: "H11" if before.last else "R15",
    do.Lay: "R62",
    do.Exchange: _exchange,
    Rolled: thrown,
    do.Mark: by_phase(dice="R21", skills="R25"),
    do.Again: lambda before, _action: "R20" if before.throws()[1] < 0 else "H4",
    do.Ability: _ability,
    do.Control: "R67",
    do.Consume: _consume,
    do.Stand: "R25",
    do.Strike: "R25",
    do.Trigger: "R25",
    do.Finish: "R28",
    do.Target: _effect,
    do.Forgo: forgone,
    do.Yui: "H2",
    do.Give: _given,
    do.Onward: "R11",
}
