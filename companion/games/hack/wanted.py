"""Where the finger begins: what most people want now. A rule of thumb, no advice."""

from __future__ import annotations

from typing import Any

from companion.games.hack import actions as do
from companion.games.hack.legal import legal
from companion.games.hack.state import State


def wanted(state: State, seat: int) -> Any:
    """PCs first, then a monster that is stronger than any PC it can meet, items, the portal."""
    if state.phase in ("assign", "extra") and not state.attackers:
        return do.Ready(seat)  # all are placed; what is left is to move them
    if state.phase != "play":
        return None
    return max(legal(state, seat), key=lambda action: _worth(state, seat, action), default=None)


def _worth(state: State, seat: int, action: Any) -> int:
    cards, side = state.cards, state.sides[seat]
    match action:
        case do.PlayPC(_, _, ""):
            return 8 - 2 * len(side.heroes)
        case do.PlayItem(_, card, pc):
            hero = state.hero(seat, pc)
            worn = hero.items if hero else ()
            twice = any(cards[item].subtype == cards[card].subtype for item in worn)
            return 0 if twice else 4 + cards[card].strength
        case do.Attack(_, card):
            foes = state.sides[1 - seat].heroes
            met = max((_strength(state, (foe.card, *foe.items)) for foe in foes), default=-4)
            return 5 + cards[card].strength - met
        case do.Store():
            return 4 - len(side.portal)
        case do.Hide(_, card):
            return 5 if card in cards and cards[card].kind == "action" else 0
        case do.Show():
            return 7
        case do.Open(_, kind):
            return {"pc": 6 - 2 * len(side.heroes), "monster": 2}.get(kind, 1)
    return -1


def _strength(state: State, cards: tuple[str, ...]) -> int:
    return sum(state.cards[card].strength for card in cards)
