"""Where the finger begins: what most people want now. A rule of thumb, no advice."""

from __future__ import annotations

from typing import Any

from companion.games.sainome import actions as do
from companion.games.sainome.legal import legal
from companion.games.sainome.state import State
from companion.games.sainome.turn import answering


def wanted(state: State, seat: int) -> Any:
    """Arm, then attack, draw with few cards; keep what one has."""
    if answering(state):
        return do.GoOn(seat)  # for every hand: the clock runs while the finger is there
    return max(legal(state, seat), key=lambda action: _worth(state, seat, action), default=None)


def _worth(state: State, seat: int, action: Any) -> float:
    side = state.sides[seat]
    armed = 4 - side.worn.count("")
    match action:
        case do.Attach(_, card, _):
            return 5 + state.cards[card].damage / 100  # the heaviest first
        case do.Use() | do.Counter() | do.Agreed():
            return 5
        case do.Strike():
            return armed + 1
        case do.Draw():
            return 4 - len(side.hand) / 2
        case do.Reequip():
            return 3.5 - armed if len(side.hand) > 1 else 0
        case do.Play() | do.Show():
            return 2.5
        case do.Detach() | do.Discard() | do.Again() | do.Guard() | do.Correct() | do.Withdraw():
            return -1
        case do.Open():
            return 1.5
    return 0.5 if isinstance(action, do.End) else 0
