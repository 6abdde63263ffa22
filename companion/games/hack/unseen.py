"""Games that a viewer cannot tell from this one: what is hidden is drawn anew."""

from __future__ import annotations

from companion.games.api import Pick, redrawn
from companion.games.hack.state import SEATS, State, with_side


def unseen(state: State, viewer: int | None, pick: Pick) -> State:
    """Decks in another order; the others' hands and hidden cards among all that can be."""
    for seat in SEATS:
        zones = ("deck",) if seat == viewer else ("deck", "hand", "hidden")
        drawn = redrawn((getattr(state.sides[seat], zone) for zone in zones), pick)
        state = with_side(state, seat, **dict(zip(zones, drawn, strict=True)))
    return state
