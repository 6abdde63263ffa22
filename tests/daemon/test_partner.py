"""The companion thinks beside the loop: at a human pace, in its time, never on an old state."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from companion.bots.api import Answer, Bot, Sight
from companion.bots.chance import at_random
from companion.bots.shelf import players
from companion.events import Decided, Pulse
from companion.table.table import Table
from companion.words import Panel
from tests.daemon.house import House, open_house
from tests.games.liar import LIAR
from tests.patience import within
from tests.table.evening import TWO_SEATS

pytestmark = pytest.mark.slow

AT_ONCE = TWO_SEATS.replace("[table]", "[table]\npace = 0\nthinks = 0")


def in_a_loop(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """A test that is played in a loop of its own."""

    async def played(fixtures: dict[str, Any]) -> None:
        async with asyncio.timeout(within(30)):
            await test(**fixtures)

    @wraps(test)
    def run(**fixtures: Any) -> None:
        asyncio.run(played(fixtures))

    return run


def one(bot: Bot) -> tuple[Bot, ...]:
    return (bot,)


async def duel(house: House) -> None:
    """Blue against the companion."""
    for label in ("Join", "Invite the companion", "Start"):
        await house.choose(0, label)


async def decided(house: House, moves: int) -> None:
    """Until the companion has made so many moves since the last press."""
    while sum(isinstance(event, Decided) for event in house.daemon.events) < moves:
        house.daemon.heard.clear()
        await house.daemon.heard.wait()
    await house.daemon.settled()


@in_a_loop
async def test_it_lays_and_seals_before_the_person_has_chosen(tmp_path: Path) -> None:
    async with open_house(
        tmp_path, settings=AT_ONCE, players=lambda key: players(key)[:1]
    ) as house:
        await duel(house)
        await decided(house, 3)
        assert house.table.play.line.state.fighters[1].done
        record = house.journal.last()
        assert record is not None
        notes = [entry.body["bot"] for entry in house.journal.entries(record.id) if entry.who == 1]
        assert [(note["level"], note["rounds"]) for note in notes] == [("easy", 1)] * 3


@in_a_loop
async def test_the_loop_goes_on_while_it_thinks_and_an_old_thought_is_dropped(
    tmp_path: Path,
) -> None:
    go_on, thinking = threading.Event(), threading.Event()

    def think(sight: Sight, seed: str) -> Iterator[Answer]:
        thinking.set()
        go_on.wait(20)
        yield from easy.think(sight, seed)

    easy = players("kiriai")[0]
    slow = replace(easy, think=think)
    async with open_house(tmp_path, settings=AT_ONCE, players=lambda _: one(slow)) as house:
        await duel(house)
        await asyncio.to_thread(thinking.wait, 20)
        await house.choose(0, "Approach")  # taken while it thinks
        assert len(house.table.play.line.state.fighters[0].plan) == 1
        assert not house.table.play.line.state.fighters[1].plan
        go_on.set()
        await decided(house, 3)
        assert house.table.play.line.state.fighters[1].done


@in_a_loop
async def test_it_takes_the_best_answer_of_its_rounds_and_none_after(tmp_path: Path) -> None:
    asked = list[int]()

    def think(sight: Sight, _seed: str) -> Iterator[Answer]:
        legal = [*sight.game.legal(sight.imagine(lambda _n: 0), sight.seat)]
        for number in range(9):
            asked.append(number)
            yield Answer(legal[min(number, len(legal) - 1)])

    steady = replace(players("kiriai")[0], think=think, rounds=4)
    slow = TWO_SEATS.replace("[table]", "[table]\npace = 0\nthinks = 60")
    async with open_house(tmp_path, settings=slow, players=lambda _: one(steady)) as house:
        await duel(house)
        await decided(house, 1)
        record = house.journal.last()
        assert record is not None
        noted = [entry.body["bot"] for entry in house.journal.entries(record.id) if entry.who == 1]
        assert noted[0]["rounds"] == 4
        assert asked[:4] == [0, 1, 2, 3]
        assert 4 not in asked


@in_a_loop
async def test_it_lets_people_read_what_happened_before_it_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thought = threading.Event()

    def think(sight: Sight, seed: str) -> Iterator[Answer]:
        yield from easy.think(sight, seed)
        thought.set()

    monkeypatch.setattr("companion.table.telling.LEAF", 600.0)  # it stands until it is read
    easy = at_random(LIAR)
    bot = replace(easy, think=think)
    settings = TWO_SEATS.replace("goes_on=false", "pace = 0.001\nthinks = 60")
    async with open_house(
        tmp_path, settings=settings, game=LIAR, players=lambda _: one(bot)
    ) as house:
        await duel(house)
        while house.table.play.line.waiting.seats != (0,):
            await decided(house, 1)
            house.daemon.events.clear()
        thought.clear()
        while house.table.panel(Panel(0)).leaf is not None:
            await house.press(0, "select")
        await house.press(0, "select")  # bids
        assert house.table.panel(Panel(0)).leaf is not None
        await asyncio.to_thread(thought.wait, 20)
        for _ in range(5):
            house.daemon.emit(Pulse())
            await house.daemon.settled()
        assert not any(isinstance(event, Decided) for event in house.daemon.events)
        await house.press(0, "select")  # has read
        await decided(house, 1)


@in_a_loop
async def test_one_that_breaks_down_does_not_end_the_evening(tmp_path: Path) -> None:
    def think(_sight: Sight, _seed: str) -> Iterator[Answer]:
        raise ZeroDivisionError
        yield

    broken = replace(players("kiriai")[0], think=think)
    async with open_house(tmp_path, settings=AT_ONCE, players=lambda _: one(broken)) as house:
        await duel(house)
        await decided(house, 3)
        assert house.table.play.line.state.fighters[1].done


@in_a_loop
async def test_after_a_cut_it_thinks_again(tmp_path: Path) -> None:
    never = threading.Event()

    def think(_sight: Sight, _seed: str) -> Iterator[Answer]:
        never.wait(20)
        yield Answer(None)

    stuck = replace(players("kiriai")[0], think=think)
    async with open_house(tmp_path, settings=AT_ONCE, players=lambda _: one(stuck)) as house:
        await duel(house)
        never.set()
    async with open_house(tmp_path, settings=AT_ONCE, players=players) as house:
        await decided(house, 3)
        assert _laid(house.table) == 2


def _laid(table: Table) -> int:
    return len(table.play.line.state.fighters[1].plan)
