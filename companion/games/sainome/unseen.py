"""Games that a viewer cannot tell from this one: what is hidden is drawn anew."""

from __future__ import annotations

from companion.games.api import Pick, redrawn
from companion.games.records import replace
from companion.games.sainome.state import SEATS, State, with_side

ZONES = ("stack", "hand", "pack")


def unseen(state: State, viewer: int | None, pick: Pick) -> State:
    """The deck, HP stacks and the other's hand among all that they can be."""
    if state.cardboard:
        return state  # what the companion knows of cardboard, everybody has seen
    hidden = [
        (seat, zone) for seat in SEATS for zone in ZONES if not _knows(state, viewer, seat, zone)
    ]
    zones = (getattr(state.sides[seat], zone) for seat, zone in hidden)
    deck, *drawn = redrawn((state.deck, *zones), pick)
    for (seat, zone), cards in zip(hidden, drawn, strict=True):
        state = with_side(state, seat, **{zone: cards})
    return replace(state, deck=deck)


def _knows(state: State, viewer: int | None, seat: int, zone: str) -> bool:
    """The own hand and pack; a drafted HP stack; a hand that lies open to be stolen from."""
    if viewer is None:
        return False
    if zone == "hand" and state.due:
        due = state.due[0]
        if (due.verb, due.seat, 1 - seat) == ("steal", viewer, viewer):
            return True
    if seat != viewer:
        return False
    return zone != "stack" or state.options.draft == "yes"
