"""The grid of a round: drawn by the companion, read by the eye, or told tile by tile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.api import Pick as Chance
from companion.games.api import require
from companion.games.records import replace
from companion.games.swordcrafters.actions import Laid, Tile, Untold
from companion.games.swordcrafters.gems import FORGE, TILES, UNKNOWN, asked, guessed
from companion.games.swordcrafters.slices import Point
from companion.games.swordcrafters.slicing import begin
from companion.games.swordcrafters.state import FORGE_CELL, State

Rows = tuple[tuple[str, ...], ...]
GAP = ""  # where the eye sees no tile


def draw(state: State, pick: Chance) -> Laid:
    """Random tiles, left to right, top to bottom (S-R8 to S-R10)."""
    left = list(state.supply)
    rows, columns = state.size

    def tile() -> str:
        at = pick(sum(left))
        for kind, count in enumerate(left):
            if at < count:
                left[kind] -= 1
                return TILES[kind]
            at -= count
        raise AssertionError("pick gave a number out of range")

    return Laid(
        tuple(
            tuple(FORGE if (row, column) == FORGE_CELL else tile() for column in range(columns))
            for row in range(rows)
        )
    )


def grid_action(state: State, rows: Rows) -> Laid | None:
    """What a grid that was read means now: the forge says which side is up (it lies off centre)."""
    if state.phase != "lay" or state.options.way != "tracked":
        return None
    turned = rows
    for _ in range(4):
        if _fits(turned, state.size):
            kept = _kept(state.rows, turned)
            return None if kept == state.rows else Laid(kept)
        if len({len(row) for row in turned}) == 1:
            turned = tuple(zip(*turned[::-1], strict=True))
    return Laid(rows)


def _fits(rows: Rows, size: Point) -> bool:
    shape = len(rows) == size[0] and all(len(row) == size[1] for row in rows)
    return shape and guessed(rows[FORGE_CELL[0]][FORGE_CELL[1]]) == FORGE


def _kept(known: Rows, seen: Rows) -> Rows:
    """A second look at the same grid: what a player has named stays named."""
    pairs = [list(zip(old, new, strict=True)) for old, new in zip(known, seen, strict=True)]
    same = all(asked(old) or asked(new) or old == new for row in pairs for old, new in row)
    return tuple(tuple(_cell(old, new, same) for old, new in row) for row in pairs)


def _cell(old: str, new: str, same: bool) -> str:
    if old == FORGE:
        return guessed(new)  # it lies where it belongs: no need to ask
    if asked(new) and same and not asked(old):
        return old
    return UNKNOWN if asked(new) and guessed(new) not in TILES else new


def legal_lay(state: State, seat: int) -> Iterator[Any]:
    """The next unknown tile by name, what it looks like first; or leave the rest untold."""
    looks = guessed(next_asked(state)[1])
    if looks:
        yield Tile(seat, looks)
    yield from (Tile(seat, tile) for tile in TILES if tile != looks)
    yield Untold(seat)


def next_asked(state: State) -> tuple[Point, str]:
    """The next cell of the grid whose tile is not known, and what was seen of it."""
    return next(
        ((row, column), tile)
        for row, tiles in enumerate(state.rows)
        for column, tile in enumerate(tiles)
        if asked(tile)
    )


def laid(state: State, action: Laid) -> State:
    """Take a grid, if it is one."""
    _judge(state, action.rows)
    if state.real:
        return _known(replace(state, rows=action.rows))
    drawn = [tile for row in action.rows for tile in row]
    supply = tuple(n - drawn.count(tile) for n, tile in zip(state.supply, TILES, strict=True))
    require(min(supply) >= 0, "S-R2", "The game has fewer tiles of that kind")
    return begin(replace(state, rows=action.rows, supply=supply))


def _judge(state: State, rows: Rows) -> None:
    height, width = state.size
    wanted, rule = height * width - 1, "S-R9" if state.few else "S-R8"
    flat = [tile for row in rows if isinstance(row, tuple) for tile in row]
    seen = [tile for tile in flat if tile not in (FORGE, GAP)]
    require(
        len(seen) == wanted,
        rule,
        "{n} tiles lie there, {all} belong there",
        n=len(seen),
        all=wanted,
    )
    shape = len(rows) == height and all(
        isinstance(row, tuple) and len(row) == width for row in rows
    )
    require(shape, rule, "Lay {r} rows of {c}", r=height, c=width)
    row, column = FORGE_CELL
    require(
        rows[row][column] == FORGE, rule, "The forge must lie in row {r}, column {c}",
        r=row + 1, c=column + 1,
    )  # fmt: skip
    kinds = {*TILES, UNKNOWN, *(tile + UNKNOWN for tile in TILES)} if state.real else {*TILES}
    require(all(tile in kinds for tile in seen), rule, "That is no sword tile")


def tile(state: State, action: Tile) -> State:
    """The next unknown tile has a name."""
    require(action.tile in TILES, "S-R10", "Name one of the six gems, or the blank")
    (row, column), _ = next_asked(state)
    tiles = list(state.rows[row])
    tiles[column] = action.tile
    rows = (*state.rows[:row], tuple(tiles), *state.rows[row + 1 :])
    return _known(replace(state, rows=rows))


def untold(state: State, _action: Untold) -> State:
    """What is not known yet is named when it is forged."""
    rows = tuple(tuple(UNKNOWN if asked(tile) else tile for tile in row) for row in state.rows)
    return begin(replace(state, rows=rows))


def _known(state: State) -> State:
    """Slice as soon as nothing is left to ask."""
    return state if any(asked(tile) for row in state.rows for tile in row) else begin(state)
