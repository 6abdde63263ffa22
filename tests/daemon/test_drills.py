"""Fault drills: the game goes on, the glass says what is wrong, it heals when the cause goes."""

from __future__ import annotations

import asyncio
import sys
from functools import partial
from pathlib import Path

import pytest

import companion.daemon.devices as devices
import companion.daemon.supervise as supervise
from companion.cli.window import drill
from companion.daemon.clock import Clock
from companion.daemon.drills import DRILLS
from companion.errors import CompanionError, DeviceLost
from companion.events import ButtonStorm, DeviceDown, DeviceUp
from companion.eye.child import EyeChild
from companion.words import text
from tests.daemon.house import House, open_house
from tests.patience import within
from tests.table.evening import TWO_SEATS

STUB = (sys.executable, "-m", "tests.eye.stub_eye")
WITH_EYE = TWO_SEATS.replace("[hardware]", '[eye]\ncamera = "twin"\n[hardware]')
WITH_HUB = TWO_SEATS.replace("[hardware]", '[hub]\nport = "twin"\n[hardware]')


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short deadlines, and a stand-in for the eye's program: the real one has tests of its own."""
    monkeypatch.setattr(supervise, "FIRST_PAUSE", 0.02)
    monkeypatch.setattr(supervise, "LONGEST_PAUSE", 0.1)
    stub = partial(EyeChild, command=STUB, deadline=within(1.5), proven=0.1)
    monkeypatch.setattr(devices, "EyeChild", stub)


def words(house: House, display: str = "table") -> str:
    return " ".join(house.glass(display))


async def play_on(house: House) -> None:
    """A press is taken, stored and shown: the game goes on."""
    before = house.table.play.line.seq
    joined = any(house.table.play.line.state.players)
    await house.choose(0, "Leave" if joined else "Join")
    assert house.table.play.line.seq == before + 1


async def until(house: House, kind: type[DeviceDown] | type[DeviceUp], name: str) -> None:
    while not any(isinstance(e, kind) and e.name == name for e in house.daemon.events):
        house.daemon.heard.clear()
        await house.daemon.heard.wait()
    await house.daemon.settled()


CAMERA = {
    "camera-stalls": "no sign of life",
    "camera-freezes": "same picture",
    "camera-black": "only black",
    "camera-unplugged": "check its cable",
}


@pytest.mark.slow
def test_whatever_the_camera_does_the_game_goes_on_and_it_heals(tmp_path: Path) -> None:
    """One daemon, one fault after the other; the cause outlives every restart of the eye."""

    async def evening() -> None:
        async with open_house(tmp_path, settings=WITH_EYE) as house:
            assert house.devices.eye is not None
            await house.devices.eye.alive.wait()
            for name, sentence in CAMERA.items():
                house.daemon.events.clear()
                house.daemon.drills.order(name, False)
                await until(house, DeviceDown, "eye")
                assert sentence in house.table.lost["eye"].show()
                assert "The eye is lost" in words(house)
                await play_on(house)
                assert "The eye is lost" in words(house)
                house.daemon.drills.order(name, True)
                house.daemon.events.clear()
                await until(house, DeviceUp, "eye")
                assert "is lost" not in words(house)

    asyncio.run(evening())


def test_a_killed_eye_comes_back_by_itself(tmp_path: Path) -> None:
    async def evening() -> None:
        async with open_house(tmp_path, settings=WITH_EYE) as house:
            assert house.devices.eye is not None
            await house.devices.eye.alive.wait()
            house.daemon.drills.order("eye-killed", False)
            await until(house, DeviceDown, "eye")
            (told,) = (e for e in house.daemon.events if isinstance(e, DeviceDown))
            assert told.why == text("it ended without a word; it is started again")
            await play_on(house)
            await house.daemon.drained()  # it may have come back while they played
            while "eye" in house.table.lost:
                house.daemon.heard.clear()
                await house.daemon.heard.wait()
                await house.daemon.drained()

    asyncio.run(evening())


@pytest.mark.slow
def test_an_unplugged_hub_is_told_and_comes_back_when_it_is_plugged_in(tmp_path: Path) -> None:
    async def evening() -> None:
        async with open_house(tmp_path, settings=WITH_HUB) as house:
            house.daemon.drills.order("hub-unplugged", False)
            await until(house, DeviceDown, "dice")
            assert "The dice hub is lost" in words(house)
            await play_on(house)
            house.daemon.drills.order("hub-unplugged", True)
            await until(house, DeviceUp, "dice")
            assert "is lost" not in words(house)

    asyncio.run(evening())


def test_one_pulled_wire_darkens_one_display_and_the_drill_tells_the_whole_story(
    tmp_path: Path,
) -> None:
    """The same as `companion drill display-wire`, through the window."""

    async def evening() -> None:
        async with open_house(tmp_path) as house:
            story: list[str] = []
            begun = asyncio.Event()

            def say(sentence: str) -> None:
                story.append(sentence)
                begun.set()

            running = asyncio.create_task(drill(tmp_path / "window.sock", "display-wire", say))
            await begun.wait()
            await play_on(house)  # an unchanged glass is only looked after now and then
            await running
            assert "The display two is lost" in story[1]
            assert story[2].startswith("Healed")
            await until(house, DeviceUp, "two")
            await house.press(1, "next")  # the notice goes with the next press
            assert "Join" in words(house, "two")

    asyncio.run(evening())


def test_a_full_disk_takes_no_move_and_says_so_and_nothing_is_lost(tmp_path: Path) -> None:
    async def evening() -> None:
        async with open_house(tmp_path) as house:
            house.daemon.drills.order("disk-full", False)
            try:
                before = house.table.play.entry
                await house.choose(0, "Join")
                assert house.table.play.entry == before
                said = words(house, "one")
            finally:
                house.daemon.drills.order("disk-full", True)
            assert "disk is full" in said
            await play_on(house)
            assert "disk" not in words(house, "one")

    asyncio.run(evening())


@pytest.mark.slow
def test_a_clock_that_goes_back_an_hour_is_told_and_the_order_of_moves_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.daemon.clock.EVERY", 0.01)

    async def evening() -> None:
        async with open_house(tmp_path) as house:
            house.journal._clock = house.clock
            await play_on(house)
            house.daemon.drills.order("clock-back", False)
            await until(house, DeviceDown, "clock")
            assert "The clock went back by 60 minutes" in words(house)
            await play_on(house)
            first, second = house.journal.entries(1)[-2:]
            assert first.at - second.at > 3500
            assert first.seq < second.seq
            house.daemon.drills.order("clock-back", True)
            await until(house, DeviceUp, "clock")
            assert "clock" not in words(house)

    asyncio.run(evening())


def test_a_clock_that_jumps_forward_or_was_put_right_long_ago_is_not_spoken_of() -> None:
    wall, steady = 5000.0, 0.0
    clock = Clock(lambda: wall, lambda: steady)
    clock.check()
    wall, steady = 90_000.0, 5.0  # the network has told a Pi the time
    clock.check()
    wall, steady = 80_000.0, 10.0
    with pytest.raises(DeviceLost, match="back by 167 minutes"):
        clock.check()
    steady = 700.0
    clock.check()


@pytest.mark.slow
def test_a_thousand_presses_in_a_second_are_a_loose_wire_and_no_move(tmp_path: Path) -> None:
    async def evening() -> None:
        async with open_house(tmp_path) as house:
            before = house.table.play.entry
            house.daemon.drills.order("presses", False)
            await house.daemon.hears(ButtonStorm)
            assert "chatters" in words(house)
            await house.press(1, "next")  # the other seat plays on meanwhile
            while not any(isinstance(e, ButtonStorm) and e.over for e in house.daemon.events):
                house.daemon.heard.clear()
                await house.daemon.heard.wait()
            await house.daemon.settled()
            assert "chatters" not in words(house)
            assert house.table.play.entry == before
            await play_on(house)

    asyncio.run(evening())


def test_a_drill_that_there_is_not_and_a_real_table_are_refused(tmp_path: Path) -> None:
    async def evening() -> None:
        async with open_house(tmp_path) as house:
            with pytest.raises(CompanionError, match="there is no drill fire"):
                await drill(tmp_path / "window.sock", "fire", print)
            with pytest.raises(CompanionError, match="has no eye"):
                await drill(tmp_path / "window.sock", "camera-black", print)
            house.daemon.drills.rig = None
            with pytest.raises(CompanionError, match="only a table of twins"):
                await drill(tmp_path / "window.sock", "presses", print)

    asyncio.run(evening())


def test_every_drill_of_the_issue_has_its_command() -> None:
    assert {*CAMERA, "eye-killed", "hub-unplugged", "display-wire", "disk-full", "clock-back",
            "presses"} == set(DRILLS)  # fmt: skip
