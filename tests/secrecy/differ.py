"""Looks through every door of two worlds, and says where the one can be told from the other."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from tests.secrecy.doors import ALWAYS, ONCE, Door
from tests.secrecy.pairs import Pair, Viewer, cannot_tell, open_chance
from tests.secrecy.worlds import World, common_chance, open_world

AROUND = 60  # bytes that a message shows before and after the first that differs
DECISIONS = 4  # of a companion, at most
LENGTH = re.compile(rb"content-length: \d+")  # says less than what it is the length of


@dataclass(frozen=True)
class Leak:
    """Somebody can tell what he may not know."""

    door: str
    says: str


class ToldEarly(Exception):
    """By what the companion dealt the public came to know, before every door was looked through."""


def leaks(
    pair: Pair, folder: Path, always: Mapping[str, Door] = ALWAYS, once: Mapping[str, Door] = ONCE
) -> list[Leak]:
    """Play a pair and compare what leaves; the first leak of each door at each look."""
    with common_chance(folder / "machine"):
        return asyncio.run(_played(pair, folder, always, once))


async def _played(
    pair: Pair, folder: Path, always: Mapping[str, Door], once: Mapping[str, Door]
) -> list[Leak]:
    async with AsyncExitStack() as stack:
        worlds = [
            await stack.enter_async_context(open_world(folder / name, pair, which))
            for which, name in enumerate(("a", "b"))
        ]
        blind = _still_blind(pair.blind, worlds, pair)
        found = await _look(pair, worlds, blind, always)
        for both in pair.live:
            for world, move in zip(worlds, both, strict=True):
                await world.make(move)
            blind = _still_blind(blind, worlds, pair)
            found += await _look(pair, worlds, blind, always)
            for world in worlds:
                await world.read()
            found += await _look(pair, worlds, blind, always)
        for _ in range(DECISIONS):
            if not pair.company <= blind or not all([await one.company() for one in worlds]):
                break
            blind = _still_blind(blind, worlds, pair)
            found += await _look(pair, worlds, blind, always)
        return found + await _look(pair, worlds, blind, once)


def _still_blind(blind: frozenset[Viewer], worlds: list[World], pair: Pair) -> frozenset[Viewer]:
    one, other = (world.state for world in worlds)
    blind &= cannot_tell(pair.game, one, other, pair.seats)
    dealt, instead = (
        [move.what for move in world.house.table.play.line.moves if open_chance(move.what)]
        for world in worlds
    )  # no state keeps the cards that were cut for the first turn, and everybody saw them
    if None not in blind or dealt != instead:
        raise ToldEarly
    return blind


async def _look(
    pair: Pair, worlds: list[World], blind: frozenset[Viewer], doors: Mapping[str, Door]
) -> list[Leak]:
    found = []
    for name, door in doors.items():
        for viewer in sorted(blind, key=lambda who: -1 if who is None else who):
            seen = [
                [(label, world.common(said)) async for label, said in door(world, viewer)]
                for world in worlds
            ]
            for one, other in zip_longest(*seen, fillvalue=("nothing more", b"")):
                if one != other:
                    where = f"the door {name!r}, at entry {worlds[0].house.table.play.entry}"
                    found.append(Leak(name, _message(pair, where, viewer, one, other)))
                    break
    return found


def _message(
    pair: Pair, where: str, viewer: Viewer, one: tuple[str, bytes], other: tuple[str, bytes]
) -> str:
    who = "the public" if viewer is None else f"seat {viewer}"
    label = one[0] if one[0] == other[0] else f"{one[0]} / {other[0]}"
    said = [one[1], other[1]]
    plain = [LENGTH.sub(b"content-length: *", each) for each in said]
    if plain[0] != plain[1]:
        said = plain
    same = (a == b for a, b in zip_longest(*said))
    at = next((n for n, alike in enumerate(same) if not alike), 0)
    first, second = (each[max(0, at - AROUND) : at + AROUND] for each in said)
    return "\n".join(
        (
            f"{pair}: {who} can tell through {where}, by {label!r}",
            f"byte {at} of {len(said[0])} and {len(said[1])}:",
            f"  {first!r}",
            f"  {second!r}",
            f"the secret: {pair.secret[0]!r}",
            f"        or: {pair.secret[1]!r}",
            f"again: leaks(pair(GAMES[{pair.game.key!r}], {pair.kind!r}, {pair.number}), folder)",
        )
    )
