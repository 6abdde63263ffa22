"""Select a group, forge its tiles: tier by tier, no open space, none left over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.errors import Illegal
from companion.games.api import require
from companion.games.records import replace
from companion.games.swordcrafters.actions import Craft, Pick, Take
from companion.games.swordcrafters.gems import FORGE, TILES, UNKNOWN
from companion.games.swordcrafters.round import (
    begin_craft,
    go_on_crafting,
    only_tile,
    with_smith,
)
from companion.games.swordcrafters.slices import LETTERS
from companion.games.swordcrafters.state import Smith, State, open_groups, tiles_of
from companion.games.swordcrafters.sword import SIDES, Sword, forged, free_sides
from companion.words import Seat, Text, text


def legal_select(state: State, seat: int) -> Iterator[Any]:
    """Every group that is left, for every sword that still waits for one."""
    for group in open_groups(state):
        yield from (Take(seat, group, sword) for sword in waiting_swords(state, seat))


def waiting_swords(state: State, seat: int) -> tuple[int, ...]:
    """With two swords each gets one group a round, in either order (S-R36, S-H13)."""
    swords = range(len(state.smiths[seat].swords))
    if len(swords) == 1:
        return (0,)
    served = {group.sword for group in state.groups if group.owner == seat}
    return tuple(sword for sword in swords if sword not in served)


def take(state: State, action: Take) -> State:
    """The group is the player's; after the last one all forge, what is left is boxed (S-R17)."""
    seat = action.seat
    require(0 <= action.group < len(state.groups), "S-R16", "There is no such group")
    group = state.groups[action.group]
    require(
        action.group in open_groups(state), "S-R16", "{who} has taken group {g}: take another",
        who=Seat(group.owner), g=LETTERS[action.group],
    )  # fmt: skip
    swords = len(state.smiths[seat].swords)
    require(0 <= action.sword < swords, "S-R36", "Choose a sword, 1 to {n}", n=swords)
    waits, number = action.sword in waiting_swords(state, seat), action.sword + 1
    require(waits, "S-R36", "Sword {n} has its group: choose the other", n=number)
    groups = list(state.groups)
    groups[action.group] = replace(group, owner=seat, sword=action.sword)
    smith = state.smiths[seat]
    hands = list(smith.hands)
    hands[action.sword] += tuple(sorted(tiles_of(state, group), key=(*TILES, UNKNOWN).index))
    state = with_smith(state, seat, replace(smith, hands=tuple(hands)))
    state = replace(state, groups=tuple(groups), turn=state.turn + 1)
    if state.turn < state.turns:
        return state
    return begin_craft(replace(state, first=_next_first(state)))


def _next_first(state: State) -> int:
    """Whoever has the forge begins (S-R19); if nobody has it, the token goes on (S-R20)."""
    for group in state.groups:
        if group.owner >= 0 and any(state.rows[r][c] == FORGE for r, c in group.cells()):
            return group.owner
    return (state.first + 1) % state.seats


def legal_craft(state: State, seat: int) -> Iterator[Any]:
    """Pick a tile of the hand, then a side of lowest height."""
    smith = state.smiths[seat]
    at = active(smith)
    if at is None:
        return
    if smith.picked:
        yield from (Craft(seat, side) for side in free_sides(smith.swords[at]))
    else:
        yield from (Pick(seat, tile) for tile in namable(smith.hands[at]))


def active(smith: Smith) -> int | None:
    """The sword that is worked on: the first whose tiles are not all forged."""
    return next((n for n, hand in enumerate(smith.hands) if hand), None)


def namable(hand: tuple[str, ...]) -> tuple[str, ...]:
    """The tiles that can be picked: an untold one can be any."""
    return TILES if UNKNOWN in hand else tuple(tile for tile in TILES if tile in hand)


def pick(state: State, action: Pick) -> State:
    """This tile is next."""
    smith = state.smiths[action.seat]
    at = active(smith)
    hand = smith.hands[at] if at is not None else ()
    require(not smith.picked, "S-R22", "Forge the picked tile first")
    require(action.tile in namable(hand), "S-R21", "You took no such tile this round")
    return with_smith(state, action.seat, replace(smith, picked=action.tile))


def craft(state: State, action: Craft) -> State:
    """The picked tile is on the sword, for good (S-R24)."""
    smith = state.smiths[action.seat]
    at = active(smith)
    require(bool(smith.picked) and at is not None, "S-R22", "Pick a tile first")
    at = at or 0
    sword = smith.swords[at]
    require(0 <= action.side < SIDES, "S-R23", "Choose a side, 1 to {n}", n=SIDES)
    if action.side not in free_sides(sword):
        raise Illegal("S-R23", hole(sword, action.side))
    rest = list(smith.hands[at])
    rest.remove(smith.picked if smith.picked in rest else UNKNOWN)
    hands, swords = list(smith.hands), list(smith.swords)
    hands[at], swords[at] = tuple(rest), forged(sword, action.side, smith.picked)
    smith = replace(smith, swords=tuple(swords), hands=tuple(hands), picked="")
    smith = replace(smith, picked=only_tile(smith))
    return go_on_crafting(with_smith(state, action.seat, smith))


def hole(sword: Sword, side: int) -> Text:
    """Why a tile on this side would leave an open space."""
    low = free_sides(sword)[0]
    return text(
        "Side {a} has {n} tiles, side {b} only {m}: leave no gap",
        a=side + 1, n=len(sword.sides[side]), b=low + 1, m=len(sword.sides[low]),
    )  # fmt: skip


def uncrafted(state: State) -> tuple[int, int]:
    """Who still holds tiles, and how many."""
    held = [sum(map(len, smith.hands)) for smith in state.smiths]
    seat = next(seat for seat, count in enumerate(held) if count)
    return seat, held[seat]
