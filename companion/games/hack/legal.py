"""Every action that a seat may take now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.errors import Illegal
from companion.games.hack import actions as do
from companion.games.hack.hand import MAY_PLAY, openable, showable
from companion.games.hack.state import State, held
from companion.games.hack.turn import asked, candidates, deciders, flips, joins, targets


def legal(state: State, seat: int) -> Iterator[Any]:
    """What `apply` will take from this seat."""
    if seat == state.mover and state.phase == "stand" and not state.due:
        yield from joins(state)
    if seat not in deciders(state):
        return
    if state.due:
        yield from (do.Target(seat, what) for what in targets(state))
    elif state.phase == "play":
        yield from _plays(state, seat)
    else:
        yield from asked(state, seat)


def barred(state: State, seat: int) -> Iterator[tuple[Any, Illegal]]:
    """Ways to play a card that a rule forbids just now, with the refusal."""
    if state.phase != "play" or seat != state.mover or state.due:
        return
    for card in held(state, seat):
        for action in candidates(state, seat, card):
            if (why := refusal(state, action)) is not None:
                yield action, why


def refusal(state: State, action: Any) -> Illegal | None:
    """Why a way to play a card is refused, or None."""
    try:
        MAY_PLAY[type(action)](state, action)
    except Illegal as why:
        return why
    return None


def _plays(state: State, seat: int) -> Iterator[Any]:
    side = state.sides[seat]
    for card in held(state, seat):
        for action in candidates(state, seat, card):
            if refusal(state, action) is None:
                yield action
    if state.shown:
        yield do.Withdraw(seat)
        return
    yield from (do.Show(seat, card) for card in showable(state))
    yield from (do.Open(seat, kind) for kind in openable(state))
    yield from (do.Hide(seat, card) for card in dict.fromkeys(side.hand))
    yield from flips(state, seat)
    if state.first_turn() and side.hand:
        yield do.DiscardHand(seat)
    if not side.hand:
        yield do.Pass(seat)
