"""Which grids, slices and selections a game can be in the middle of."""

from __future__ import annotations

from collections import Counter

from companion.errors import BadState
from companion.games.swordcrafters.gems import FORGE, TILES, UNKNOWN, asked, guessed
from companion.games.swordcrafters.slices import GONE, NOBODY
from companion.games.swordcrafters.slicing import ICONS, NAMES, least, sliceable, slices_of
from companion.games.swordcrafters.state import FORGE_CELL, State, open_groups

SET_UP = ("deal", "magic", "rivals", "guards", "first")


def need(holds: bool, why: str) -> None:
    """Raise BadState with the reason unless it holds."""
    if not holds:
        raise BadState(f"not a game: {why}")


def possible_grid(state: State) -> None:
    rows, (height, width) = state.rows, state.size
    none_due = state.phase in (*SET_UP, "enter", "over") or (
        state.phase == "lay" and not state.real
    )
    if none_due:
        need(not rows and not state.groups and not state.icons, "no grid lies there yet")
        return
    shape = len(rows) == height and all(len(row) == width for row in rows)
    need(shape, f"the grid is {height} by {width}")
    for row, tiles in enumerate(rows):
        for column, tile in enumerate(tiles):
            if (row, column) == FORGE_CELL:
                need(tile == FORGE, "the forge lies in row 2, column 3")
            elif state.phase == "lay":
                need(tile in TILES or _asked(tile), f"{tile!r} is no tile")
            else:
                need(tile in TILES or (state.real and tile == UNKNOWN), f"{tile!r} is no tile")
    if state.phase == "lay":
        asking = any(asked(tile) for row in rows for tile in row)
        need(asking and not state.groups and not state.icons, "the grid is laid")
        return
    covered = Counter(cell for group in state.groups for cell in group.cells())
    cells = {(row, column) for row in range(height) for column in range(width)}
    fits = set(covered) == cells and set(covered.values()) == {1}
    need(fits, "groups share the grid without a gap")


def _asked(tile: str) -> bool:
    return asked(tile) and (not guessed(tile) or guessed(tile) in TILES)


def possible_turn(state: State) -> None:
    phase, groups = state.phase, state.groups
    slicing = phase == "slice"
    need(slicing or (state.aim == NOBODY and state.line is None), "nobody slices now")
    for seat, smith in enumerate(state.smiths):
        own = phase in ("enter", "over") or (slicing and seat == state.mover)
        need(own or not smith.undone, "nothing can be undone now")
    most = {"slice": ICONS if state.solo else state.turns, "discard": ICONS, "select": state.turns}
    need(0 <= state.turn < most.get(phase, 1), f"turn {state.turn} in phase {phase}")
    left = any(any(smith.hands) for smith in state.smiths)
    need(phase != "craft" or left, "nothing is left to forge")
    if state.solo:
        _possible_solo(state)
    elif phase == "slice":
        need(len(groups) == state.turn + 1, "each slice makes one group more")
        free = all((group.owner, group.sword) == (NOBODY, 0) for group in groups)
        need(free, "nobody selects yet")
    elif phase in ("select", "craft"):
        need(len(groups) == state.turns + 1, "each slice makes one group more")
        _possible_taken(state)
    if slicing:
        _possible_line(state)


def _possible_solo(state: State) -> None:
    need(set(state.icons) <= NAMES.keys(), "a slice is H or V")
    if not state.groups:
        return
    whole = len(state.icons) == ICONS
    need(whole if state.phase != "draw" else not whole, "the card has four slices")
    need(state.phase != "draw" or state.real or not state.icons, "the card is not drawn yet")
    owners = [group.owner for group in state.groups]
    if state.phase == "draw":
        need(owners == [NOBODY], "nothing is sliced yet")
    elif state.phase == "craft":
        need(owners.count(0) == 1 and set(owners) <= {0, GONE}, "one group is kept")
    else:
        kept = 2 if state.phase == "discard" else 1
        need(owners.count(NOBODY) == kept and set(owners) <= {NOBODY, GONE}, "who kept what?")
    if state.phase in ("slice", "discard"):
        need(len(owners) <= state.turn + 1 + (state.phase == "discard"), "too many groups")
    need(all(group.sword == 0 for group in state.groups), "there is one sword")


def _possible_taken(state: State) -> None:
    """Who selects has taken in turn, one group for each sword."""
    takes = state.turn if state.phase == "select" else state.turns
    owned = [group for group in state.groups if group.owner != NOBODY]
    need(len(owned) == takes, "each player takes one group a turn")
    if state.phase == "craft":
        due = Counter({seat: state.turns // state.seats for seat in range(state.seats)})
    else:
        due = Counter((state.first + turn) % state.seats for turn in range(takes))
    need(Counter(group.owner for group in owned) == due, "somebody took out of turn")
    for seat, smith in enumerate(state.smiths):
        swords = [group.sword for group in owned if group.owner == seat]
        if len(smith.swords) > 1:
            need(set(swords) <= {0, 1} and len(set(swords)) == len(swords), "one group a sword")
        else:
            need(not any(swords), "there is one sword")
    need(all(g.sword == 0 for g in state.groups if g.owner == NOBODY), "a group for no sword")


def _possible_line(state: State) -> None:
    can = sliceable(state)
    need(bool(can), "nothing can be sliced")
    need(state.aim in (NOBODY, *can), "that group cannot be sliced")
    need(state.aim != NOBODY or len(can) > 1, "the only group is chosen")
    need(len(open_groups(state)) == len(state.groups) or state.solo, "nobody selects yet")
    if state.line is not None:
        need(state.aim != NOBODY, "a line through no group")
        slices = slices_of(state, state.aim, least(state))
        need(state.line in set(slices), "that is no slice")
