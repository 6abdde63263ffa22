"""From round to round: a grid is due, what was taken is forged, after the sixth all is scored."""

from __future__ import annotations

from companion.games.records import replace
from companion.games.swordcrafters.gems import FORGE, UNKNOWN
from companion.games.swordcrafters.state import FORGE_CELL, ROUNDS, Smith, State


def lay(state: State) -> State:
    """A new grid is due; of real tiles none is known yet."""
    rows, columns = state.size
    unknown = tuple(
        tuple(FORGE if (row, column) == FORGE_CELL else UNKNOWN for column in range(columns))
        for row in range(rows)
    )
    return replace(
        state, phase="lay", turn=0, rows=unknown if state.real else (), groups=(), icons=""
    )


def begin_craft(state: State) -> State:
    """Everybody forges at once what was taken; who has one kind of tile need not pick it."""
    smiths = tuple(replace(smith, picked=only_tile(smith)) for smith in state.smiths)
    state = replace(state, smiths=smiths, phase="craft", turn=0)
    return state if any(any(smith.hands) for smith in smiths) else _round_done(state)


def go_on_crafting(state: State) -> State:
    """The next round begins when no tile is left in any hand (S-R21)."""
    return state if any(any(smith.hands) for smith in state.smiths) else _round_done(state)


def only_tile(smith: Smith) -> str:
    """The tile that is forged next where there is no choice; "" where there is one."""
    hand = next((hand for hand in smith.hands if hand), ())
    return hand[0] if len(set(hand)) == 1 and hand[0] != UNKNOWN else ""


def _round_done(state: State) -> State:
    if state.round == ROUNDS:  # S-R11
        return replace(state, phase="over", rows=(), groups=(), icons="")
    return lay(replace(state, round=state.round + 1))


def with_smith(state: State, seat: int, smith: Smith) -> State:
    """The state with one player changed."""
    smiths = list(state.smiths)
    smiths[seat] = smith
    return replace(state, smiths=tuple(smiths))
