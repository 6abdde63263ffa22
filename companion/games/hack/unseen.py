"""Games that a viewer cannot tell from this one: what is hidden is drawn anew."""

from __future__ import annotations

from companion.games.api import Pick, shuffled
from companion.games.hack.state import SEATS, State, with_side


def unseen(state: State, viewer: int | None, pick: Pick) -> State:
    """Decks in another order; the others' hands and hidden cards among all that can be."""
    for seat in SEATS:
        side = state.sides[seat]
        mine = seat == viewer
        cards = side.deck if mine else side.deck + side.hand + side.hidden
        drawn = shuffled(cards, pick)
        deck, rest = drawn[: len(side.deck)], drawn[len(side.deck) :]
        if mine:
            state = with_side(state, seat, deck=deck)
        else:
            hand, hidden = rest[: len(side.hand)], rest[len(side.hand) :]
            state = with_side(state, seat, deck=deck, hand=hand, hidden=hidden)
    return state
