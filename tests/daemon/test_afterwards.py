"""A game that ends on a running table is weighed beside the loop, and the panel tells of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.bots.api import Moment, Played
from companion.bots.shelf import analyst
from companion.daemon.afterwards import Afterwards
from companion.events import Reviewed
from companion.games.api import Game
from tests.daemon.house import House, open_house
from tests.patience import within
from tests.web.test_api import PLANS

pytestmark = pytest.mark.slow


async def fought(house: House) -> None:
    for panel in (0, 1):
        await house.choose(panel, "Join")
    await house.choose(0, "Start")
    for plans in PLANS:
        for panel, plan in enumerate(plans):
            for label in (*plan, "Seal"):
                await house.choose(panel, label)
        if not house.table.play.over:
            await house.choose(1, "Go on")


async def reviewed(house: House) -> Reviewed:
    while True:
        for event in house.daemon.events:
            if isinstance(event, Reviewed):
                await house.daemon.settled()
                return event
        house.daemon.heard.clear()
        await house.daemon.heard.wait()


def test_every_seat_may_look_back_when_the_game_has_ended(tmp_path: Path) -> None:
    async def play() -> None:
        async with asyncio.timeout(within(60)), open_house(tmp_path) as house:
            house.daemon.look_on(Afterwards(house.table, house.daemon.emit, analyst))
            await fought(house)
            assert not any(isinstance(event, Reviewed) for event in house.daemon.events)
            await house.choose(0, "Turning points")
            event = await reviewed(house)
            assert {one.seat for one in event.moments} == {0, 1}
            assert "Decisions" in str(house.table.panel(0).parts)

    asyncio.run(play())


def test_an_analyst_with_a_fault_does_not_end_the_evening(tmp_path: Path) -> None:
    def faulty(_game: Game[Any], _played: Iterable[Played]) -> Iterator[Moment]:
        raise ZeroDivisionError
        yield

    async def play() -> None:
        async with asyncio.timeout(within(60)), open_house(tmp_path) as house:
            house.daemon.look_on(Afterwards(house.table, house.daemon.emit, faulty))
            await fought(house)
            await house.choose(0, "Turning points")
            assert (await reviewed(house)).moments == ()
            assert "can be weighed" in str(house.table.panel(0).parts)

    asyncio.run(play())
