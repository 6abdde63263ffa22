"""The watchdog is fed when inputs, table and every display have moved, and at no other time."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from companion.daemon.notify import Notify
from companion.daemon.watchdog import Progress, Watchdog
from companion.errors import DeviceLost
from companion.events import Event, Pulse
from companion.views import View
from tests.daemon.house import open_house
from tests.patience import within


def test_a_meal_needs_a_move_of_every_part_since_the_last_one() -> None:
    progress = Progress(("inputs", "table", "glass"))
    assert not progress.fed()
    progress.moved("inputs")
    progress.moved("table")
    assert progress.owing == ["glass"]
    assert not progress.fed()
    progress.moved("glass")
    assert progress.fed()
    assert not progress.fed()
    assert progress.owing == ["glass", "inputs", "table"]


@pytest.mark.parametrize("missing", ["inputs", "table", "glass", ""])
def test_each_part_alone_can_starve_the_watchdog(missing: str) -> None:
    events: list[Event] = []
    turns = {"glass": 0}

    async def scene() -> bool:
        watchdog = Watchdog(
            Notify({}), events.append, lambda: missing != "inputs", lambda: dict(turns)
        )
        turns["glass"] += missing != "glass"
        await watchdog.beat()
        if missing != "table":
            assert events == [Pulse()]  # it came by the way of every event
            watchdog.probe_came()
        return watchdog.progress.fed()

    assert asyncio.run(scene()) is (missing == "")


def test_systemd_is_told_in_its_own_words(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(tmp_path / "notify"))
        ear.settimeout(within(5))
        Notify({"NOTIFY_SOCKET": str(tmp_path / "notify")}).tell(READY="1", STATUS="The table.")
        assert ear.recv(100) == b"READY=1\nSTATUS=The table."


def test_nobody_listens_and_nothing_happens(tmp_path: Path) -> None:
    Notify({}).tell(READY="1")
    Notify({"NOTIFY_SOCKET": str(tmp_path / "gone")}).tell(READY="1")


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "7"}, 60.0),
        ({"WATCHDOG_USEC": "60000000"}, 60.0),
        ({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "8"}, None),  # meant for another process
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_the_watchdog_is_the_one_that_waits_for_this_process(
    environment: dict[str, str], seconds: float | None
) -> None:
    assert Notify(environment, own=7).watchdog == seconds


def test_a_lost_display_starves_no_watchdog_but_a_hanging_one_does(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_house(tmp_path) as house:
            watchdog = house.daemon._watchdog
            await _beats(house.daemon)
            assert watchdog.progress.fed()  # each glass has shown its first view

            async def lost(_: View) -> None:
                raise DeviceLost("its wire is pulled")

            async def hangs(_: View) -> None:
                await asyncio.get_running_loop().create_future()

            one, two = (house.daemon._latest[name].display for name in ("one", "two"))
            one._display.show = lost  # type: ignore[attr-defined]
            two._display.show = hangs  # type: ignore[attr-defined]
            await house.devices.press(0, "next", house.daemon.emit)
            await house.devices.press(1, "next", house.daemon.emit)
            async with asyncio.timeout(within(20)):
                while "one" in watchdog.progress.owing:
                    await _beats(house.daemon)
            assert "two" in watchdog.progress.owing

    asyncio.run(scene())


async def _beats(daemon: object) -> None:
    await daemon._watchdog.beat()  # type: ignore[attr-defined]
    await daemon.drained()  # type: ignore[attr-defined]
