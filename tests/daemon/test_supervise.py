"""A lost device is told once, tried again, told when it is back; the others go on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from companion.daemon.supervise import REFRESH, Latest, keep_alive
from companion.errors import DeviceLost
from companion.events import ButtonPressed, DeviceDown, DeviceUp, Emit, Event
from companion.eye.child import EyeChild
from companion.views import View
from companion.words import text
from firmware import wire
from hardware.dice.hub import TICK
from hardware.dice.link import HubLink, Known
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


def test_the_pause_doubles_up_to_a_second() -> None:
    _, pauses = watch(*[lost] * 5, silent, seconds=5)
    assert pauses == [0.5, 1, 1, 1, 1]


def test_a_source_whose_tries_are_costly_is_tried_less_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Script, "longest_pause", EyeChild.longest_pause, raising=False)
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
    takes = 1.0

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.shown: list[int] = []
        self.plugged = True

    async def show(self, view: View) -> None:
        await self.clock.sleep(self.takes)
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
        await stage.clock.advance(7)
        assert stage.latest.shown is None
        assert stage.heard == [DeviceDown("display 1", "unplugged")]
        stage.latest.put(view(3))
        stage.screen.plugged = True
        await stage.clock.advance(20)
        assert stage.screen.shown == [1, 3]
        assert stage.latest.shown == 3
        assert stage.heard == [DeviceDown("display 1", "unplugged"), DeviceUp("display 1")]

    asyncio.run(Stage().play(scene))


@pytest.mark.parametrize("pulled", [tenth / 10 for tenth in range(0, 17, 2)])
def test_a_display_that_is_pulled_while_nothing_changes_is_told_within_two_seconds(
    pulled: float,
) -> None:
    async def scene(stage: Stage) -> None:
        stage.screen.takes = 0.05
        stage.latest.put(view(1))
        await stage.clock.advance(6 + pulled)
        assert stage.heard == []
        stage.screen.plugged = False
        await stage.clock.advance(2)
        assert stage.heard == [DeviceDown("display 1", "unplugged")]

    asyncio.run(Stage(refresh=REFRESH).play(scene))


class Hub:
    """The hub of the dice on a cable, as `Dice` talks with it: it needs some time to boot."""

    name = "dice"

    def __init__(self, clock: Clock, boots: float) -> None:
        self.clock, self.boots = clock, boots
        self.plugged: float | None = None  # since when

    async def run(self, emit: Emit) -> None:
        if self.plugged is None:
            raise DeviceLost("no dice hub is plugged in")
        link = HubLink(Known(), self.clock.now)
        while not link.ready:
            asked = link.tick(self.clock.now)
            if asked and self.clock.now >= self.plugged + self.boots:
                link.feed(wire.encode("hello", wire.PROTOCOL, "1.0.0", "h", "b", 0), self.clock.now)
            await self.clock.sleep(TICK)
        emit(DeviceUp(self.name))
        await silent(emit)


@pytest.mark.parametrize("boots", [0.0, 1.0, 2.0])
@pytest.mark.parametrize("after", [30 + tenth / 10 for tenth in range(0, 13, 3)])
def test_a_hub_that_is_plugged_in_again_is_back_within_five_seconds(
    after: float, boots: float
) -> None:
    async def main() -> None:
        clock, heard = Clock(), list[Event]()
        hub = Hub(clock, boots)
        keeper = asyncio.create_task(keep_alive(hub, heard.append, sleep=clock.sleep))
        await clock.advance(after)
        hub.plugged = clock.now
        await clock.advance(5)
        keeper.cancel()
        await asyncio.gather(keeper, return_exceptions=True)
        assert heard[-1] == DeviceUp("dice")

    asyncio.run(main())


def test_a_camera_that_is_plugged_in_again_does_not_wait_for_the_end_of_a_long_pause(
    tmp_path: Path,
) -> None:
    async def main() -> None:
        clock, camera = Clock(), tmp_path / "video0"
        eye = EyeChild([f"/dev/..{camera}"], sleep=clock.sleep)
        pause = asyncio.create_task(eye.pause(15.0))
        await clock.advance(3.0)
        assert not pause.done()
        camera.touch()
        await clock.advance(0.5)
        assert pause.done()
        again = asyncio.create_task(eye.pause(15.0))  # it is there, but does not work
        await clock.advance(14.9)
        assert not again.done()
        await clock.advance(0.1)
        assert again.done()

    asyncio.run(main())


def test_a_source_makes_its_own_pauses_if_it_can() -> None:
    async def main() -> list[float]:
        made, source = list[float](), Script(lost, lost, silent)

        async def pause(seconds: float) -> None:
            made.append(seconds)

        source.pause = pause  # type: ignore[attr-defined]
        keeper = asyncio.create_task(keep_alive(source, lambda _: None, sleep=Clock().sleep))
        await settle()
        keeper.cancel()
        await asyncio.gather(keeper, return_exceptions=True)
        return made

    assert asyncio.run(main()) == [0.5, 1.0]


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
