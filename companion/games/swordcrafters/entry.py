"""Score only: every player enters the four sides of the own sword, a colour per press."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.api import require
from companion.games.records import replace
from companion.games.swordcrafters.actions import Add, Next, Undo
from companion.games.swordcrafters.gems import TILES
from companion.games.swordcrafters.round import with_smith
from companion.games.swordcrafters.state import MOST_UNDOS, ROUNDS, Smith, State
from companion.games.swordcrafters.sword import SIDES, Sword, forged


def laid_in_all(state: State) -> int:
    """The tiles that six grids hold: 66 or 90."""
    rows, columns = state.size
    return ROUNDS * (rows * columns - 1)


def place(smith: Smith) -> tuple[int, int]:
    """The sword and the side that are entered now."""
    return divmod(smith.entered, SIDES)


def complete(smith: Smith) -> bool:
    """Are all sides entered?"""
    return smith.entered == SIDES * len(smith.swords)


def bounds(state: State, smith: Smith) -> tuple[int, int]:
    """How few and how many tiles this side can have beside those entered before it."""
    at, side = place(smith)
    done = [len(tiles) for tiles in smith.swords[at].sides[:side]]
    if not done:
        return 0, -(-laid_in_all(state) // SIDES)
    return max(0, max(done) - 1), min(done) + 1


def legal_entry(state: State, seat: int) -> Iterator[Any]:
    """A tile, the next side, or a step back."""
    smith = state.smiths[seat]
    if complete(smith):
        return
    at, side = place(smith)
    low, high = bounds(state, smith)
    count = len(smith.swords[at].sides[side])
    if count < high:
        yield from (Add(seat, tile) for tile in TILES)
    if count >= low:
        yield Next(seat)
    if (count or smith.entered) and smith.undone < MOST_UNDOS:
        yield Undo(seat)


def add(state: State, action: Add) -> State:
    """One more tile, from the guard to the tip."""
    smith = state.smiths[action.seat]
    at, side = place(smith)
    require(action.tile in TILES, "S-R23", "Name one of the six gems, or the blank")
    _, high = bounds(state, smith)
    count = len(smith.swords[at].sides[side])
    require(
        count < high, "S-R23", "At most {n} tiles on side {side}: leave no gap",
        n=high, side=side + 1,
    )  # fmt: skip
    return _with_sword(state, action.seat, at, forged(smith.swords[at], side, action.tile))


def following(state: State, action: Next) -> State:
    """This side is complete; after the last one of the last player the scores are known."""
    smith = state.smiths[action.seat]
    at, side = place(smith)
    low, _ = bounds(state, smith)
    count = len(smith.swords[at].sides[side])
    require(
        count >= low, "S-R23", "Side {a} needs {low} tiles, not {n}: leave no hole",
        a=side + 1, n=count, low=low,
    )  # fmt: skip
    state = with_smith(state, action.seat, replace(smith, entered=smith.entered + 1))
    done = all(complete(smith) for smith in state.smiths)
    return replace(state, phase="over") if done else state


def undo_entry(state: State, action: Undo) -> State:
    """The last tile off again, or back to the side before."""
    smith = state.smiths[action.seat]
    at, side = place(smith)
    patient = smith.undone < MOST_UNDOS
    require(patient, "S-R23", "Undo it with the table's menu")
    state = with_smith(state, action.seat, replace(smith, undone=smith.undone + 1))
    smith = state.smiths[action.seat]
    tiles = smith.swords[at].sides[side]
    if not tiles:
        require(smith.entered > 0, "S-R23", "Nothing is entered yet that could be undone")
        return with_smith(state, action.seat, replace(smith, entered=smith.entered - 1))
    sides = list(smith.swords[at].sides)
    sides[side] = tiles[:-1]
    return _with_sword(state, action.seat, at, replace(smith.swords[at], sides=tuple(sides)))


def _with_sword(state: State, seat: int, at: int, sword: Sword) -> State:
    smith = state.smiths[seat]
    swords = list(smith.swords)
    swords[at] = sword
    return with_smith(state, seat, replace(smith, swords=tuple(swords)))
