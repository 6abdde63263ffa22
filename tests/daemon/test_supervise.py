"""A lost device is told once, tried again, told when it is back; the others go on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from companion.daemon.supervise import Latest, keep_alive
from companion.errors import DeviceLost
from companion.events import ButtonPressed, DeviceDown, DeviceUp, Emit, Event
from companion.views import View
from companion.words import text
from tests.hardware.clock import Clock, settle

Run = Callable[[Emit], Awaitable[None]]
STEADY = 3.0


class Script:
    """A source that does one thing at each start."""

    name = "panel 1"

    def __init__(self, *runs: Run) -> None:
        self.runs = list(runs)

    async def run(self, emit: Emit) -> None:
        await self.runs.pop(0)(emit)


async def lost(_emit: Emit) -> None:
    raise DeviceLost("no answer")


async def silent(_emit: Emit) -> None:
    await asyncio.get_running_loop().create_future()


async def presses(emit: Emit) -> None:
    emit(ButtonPressed(0, "next"))
    await silent(emit)


async def opened(emit: Emit) -> None:
    emit(DeviceUp("panel 1"))
    await silent(emit)


async def broken(_emit: Emit) -> None:
    raise ZeroDivisionError


def watch(*runs: Run, seconds: float) -> tuple[list[Event], list[float]]:
    """What is emitted within so many seconds, and the pauses that were made."""

    async def main() -> tuple[list[Event], list[float]]:
        clock, heard = Clock(), list[Event]()
        keeper = asyncio.create_task(
            keep_alive(Script(*runs), heard.append, sleep=clock.sleep, steady=STEADY)
        )
        await clock.advance(seconds)
        keeper.cancel()
        await asyncio.gather(keeper, return_exceptions=True)
        return heard, [asked for asked in clock.asked if asked != STEADY]

    return asyncio.run(main())


def test_a_source_that_works_is_left_alone() -> None:
    heard, pauses = watch(presses, seconds=100)
    assert heard == [ButtonPressed(0, "next")]
    assert pauses == []


def test_a_loss_is_told_once_however_many_tries_fail() -> None:
    heard, _ = watch(*[lost] * 5, silent, seconds=5)
    assert heard == [DeviceDown("panel 1", "no answer")]


def test_the_pause_doubles_up_to_fifteen_seconds() -> None:
    _, pauses = watch(*[lost] * 8, silent, seconds=58)
    assert pauses == [0.5, 1, 2, 4, 8, 15, 15, 15]


def test_it_is_back_with_its_first_event_and_that_event_is_not_lost() -> None:
    heard, _ = watch(lost, presses, seconds=1)
    assert heard == [
        DeviceDown("panel 1", "no answer"),
        DeviceUp("panel 1"),
        ButtonPressed(0, "next"),
    ]


def test_a_source_that_says_it_is_open_is_back_at_once_and_told_once() -> None:
    heard, _ = watch(lost, opened, seconds=0.6)
    assert heard == [DeviceDown("panel 1", "no answer"), DeviceUp("panel 1")]


def test_a_silent_source_is_back_after_some_seconds_without_a_loss() -> None:
    heard, _ = watch(lost, silent, seconds=3.4)  # half a second of pause, then not yet three
    assert heard == [DeviceDown("panel 1", "no answer")]
    heard, _ = watch(lost, silent, seconds=3.5)
    assert heard == [DeviceDown("panel 1", "no answer"), DeviceUp("panel 1")]


def test_a_source_that_opens_without_having_been_lost_is_no_news() -> None:
    assert watch(opened, seconds=5)[0] == []


def test_after_a_return_the_pauses_begin_small_again() -> None:
    async def works_then_lost(emit: Emit) -> None:
        emit(ButtonPressed(0, "next"))
        raise DeviceLost("again")

    heard, pauses = watch(lost, lost, works_then_lost, silent, seconds=2)
    assert pauses == [0.5, 1.0, 0.5]
    assert heard[-1] == DeviceDown("panel 1", "again")


def test_any_other_error_is_a_bug_and_rises() -> None:
    async def main() -> None:
        await keep_alive(Script(broken), lambda _event: None)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(main())


def test_when_one_source_is_lost_the_others_go_on() -> None:
    async def main() -> list[Event]:
        clock, heard = Clock(), list[Event]()

        async def every_second(emit: Emit) -> None:
            while True:
                await clock.sleep(1)
                emit(ButtonPressed(1, "select"))

        async with asyncio.TaskGroup() as tasks:
            keepers = [
                tasks.create_task(keep_alive(source, heard.append, sleep=clock.sleep))
                for source in (Script(*[lost] * 9), Script(every_second))
            ]
            await clock.advance(3)
            for keeper in keepers:
                keeper.cancel()
        return heard

    heard = asyncio.run(main())
    assert heard.count(ButtonPressed(1, "select")) == 3
    assert heard.count(DeviceDown("panel 1", "no answer")) == 1


def test_a_cancelled_keeper_stops_its_source() -> None:
    ended: list[str] = []

    async def until_cancelled(emit: Emit) -> None:
        try:
            await silent(emit)
        finally:
            ended.append("source")

    watch(until_cancelled, seconds=1)
    assert ended == ["source"]


def view(seq: int) -> View:
    return View(text("scene"), text("waiting"), seq=seq)


class Screen:
    """A display that takes a second to show a view, and can be unplugged."""

    name = "display 1"

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.shown: list[int] = []
        self.plugged = True

    async def show(self, view: View) -> None:
        await self.clock.sleep(1)
        if not self.plugged:
            raise DeviceLost("unplugged")
        self.shown.append(view.seq)


class Stage:
    """A display with its keeper and the events it told."""

    def __init__(self, refresh: float | None = None) -> None:
        self.clock = Clock()
        self.screen = Screen(self.clock)
        self.heard: list[Event] = []
        self.latest = Latest(
            self.screen, self.heard.append, sleep=self.clock.sleep, refresh=refresh
        )

    async def play(self, scene: Callable[[Stage], Awaitable[None]]) -> None:
        runner = asyncio.create_task(self.latest.run())
        await settle()
        await scene(self)
        runner.cancel()
        await asyncio.gather(runner, return_exceptions=True)


def test_the_newest_view_wins_and_older_ones_are_dropped() -> None:
    async def scene(stage: Stage) -> None:
        stage.latest.put(view(1))
        await settle()  # the first is being written when three more come
        for seq in (2, 3, 4):
            stage.latest.put(view(seq))
        await stage.clock.advance(1)
        assert stage.latest.shown == 1  # the fourth is still on its way
        await stage.clock.advance(10)
        assert stage.screen.shown == [1, 4]

    asyncio.run(Stage().play(scene))


def test_shown_changes_only_when_the_last_byte_is_out() -> None:
    async def scene(stage: Stage) -> None:
        assert stage.latest.shown is None
        stage.latest.put(view(7))
        await stage.clock.advance(0.9)
        assert stage.latest.shown is None
        await stage.clock.advance(0.1)
        assert stage.latest.shown == 7
        stage.latest.put(view(8))
        await stage.clock.advance(0.9)
        assert stage.latest.shown == 7
        await stage.clock.advance(0.1)
        assert stage.latest.shown == 8

    asyncio.run(Stage().play(scene))


def test_a_lost_display_shows_nothing_is_told_once_and_comes_back_with_the_newest_view() -> None:
    async def scene(stage: Stage) -> None:
        stage.latest.put(view(1))
        await stage.clock.advance(1)
        stage.screen.plugged = False
        stage.latest.put(view(2))
        await stage.clock.advance(8)
        assert stage.latest.shown is None
        assert stage.heard == [DeviceDown("display 1", "unplugged")]
        stage.latest.put(view(3))
        stage.screen.plugged = True
        await stage.clock.advance(20)
        assert stage.screen.shown == [1, 3]
        assert stage.latest.shown == 3
        assert stage.heard == [DeviceDown("display 1", "unplugged"), DeviceUp("display 1")]

    asyncio.run(Stage().play(scene))


def test_an_unchanged_view_is_shown_again_so_that_a_loss_is_noticed() -> None:
    async def scene(stage: Stage) -> None:
        stage.latest.put(view(1))
        await stage.clock.advance(1)
        stage.screen.plugged = False
        await stage.clock.advance(11)
        assert stage.heard == [DeviceDown("display 1", "unplugged")]

    asyncio.run(Stage(refresh=10.0).play(scene))


def test_a_bug_in_a_display_rises() -> None:
    class Bug:
        name = "display 2"

        async def show(self, _view: View) -> None:
            raise ZeroDivisionError

    async def main() -> None:
        latest = Latest(Bug(), lambda _event: None)
        latest.put(view(1))
        await latest.run()

    with pytest.raises(ZeroDivisionError):
        asyncio.run(main())
