"""The adapter on real ports: found, opened, lost in mid-roll, found again; each roll once."""

from __future__ import annotations

import asyncio
import binascii
import errno
import itertools
import os
import pty
import tty
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from companion.errors import DeviceLost
from companion.events import CharacterDie, DeviceDown, DeviceUp, Event
from companion.words import text
from firmware import wire
from hardware.dice.hub import Dice, _short, find
from hardware.twins.hub import HubTwin
from hardware.twins.radio import Box
from tests.patience import within

PATIENCE = 20  # seconds; the machine may be busy


class Table:
    """Hears the dice, and runs them again when they are lost, as the daemon's supervisor does."""

    def __init__(self, *ports: Path) -> None:
        self.ports = list(ports)
        self.dice = Dice(lambda: [str(port) for port in self.ports if port.is_symlink()])
        self.heard: list[Event] = []
        self._news = asyncio.Event()

    def emit(self, event: Event) -> None:
        self.heard.append(event)
        self._news.set()

    async def run(self) -> None:
        while True:
            try:
                await self.dice.run(self.emit)
            except DeviceLost as why:
                self.emit(DeviceDown(self.dice.name, why.why))
                await asyncio.sleep(0.05)

    async def until(self, holds: Callable[[list[Event]], bool]) -> None:
        async with asyncio.timeout(within(PATIENCE)):
            while not holds(self.heard):
                self._news.clear()
                await self._news.wait()

    async def until_event(self, event: Event) -> None:
        await self.until(lambda heard: event in heard)

    def faces(self, die: str) -> list[int]:
        reports = [event for event in self.heard if isinstance(event, CharacterDie)]
        return [one.face for one in reports if one.die == die and one.state == "rest"]


@asynccontextmanager
async def playing(table: Table, *twins: HubTwin | Stranger) -> AsyncIterator[Table]:
    tasks = [asyncio.create_task(work.run()) for work in (table, *twins)]
    try:
        yield table
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for twin in twins:
            twin.unplug()


def roll(twin: HubTwin, die: str, face: int) -> None:
    for report in (("handled", 0), ("rolling", 0), ("rest", face)):
        twin.box.die(die).note(*report, 0)


async def _a_roll_arrives(tmp_path: Path) -> None:
    twin = HubTwin(tmp_path / "tty")
    async with playing(Table(twin.link), twin) as table:
        await table.until_event(DeviceUp("dice"))
        roll(twin, "asuna", 4)
        await table.until(lambda _: table.faces("asuna") == [4])
        states = [event.state for event in table.heard if isinstance(event, CharacterDie)]
        assert states == ["handled", "rolling", "rest"]


def test_a_roll_goes_through_the_port(tmp_path: Path) -> None:
    asyncio.run(_a_roll_arrives(tmp_path))


async def _pulled(tmp_path: Path) -> None:
    twin = HubTwin(tmp_path / "tty", Box(seed=5, faults=20))
    async with playing(Table(twin.link), twin) as table:
        await table.until_event(DeviceUp("dice"))
        for face in range(1, 4):
            twin.box.die("klein").note("rolling", 0, 0)
            twin.unplug()
            twin.box.die("klein").note("rest", face, 0)
            known = len(table.heard)
            await table.until(
                lambda heard, known=known: any(
                    isinstance(event, DeviceDown) for event in heard[known:]
                )
            )
            twin.plug()
            await table.until(lambda heard, known=known: DeviceUp("dice") in heard[known:])
        await table.until(lambda _: len(table.faces("klein")) >= 3)
        roll(twin, "asuna", 6)
        await table.until(lambda _: table.faces("asuna") == [6])
        assert table.faces("klein") == [1, 2, 3]
        reports = [event for event in table.heard if isinstance(event, CharacterDie)]
        numbers = [report.number for report in reports if report.die == "klein"]
        assert len(numbers) == 6
        assert numbers == sorted(set(numbers))
        assert len(reports) == 9
        downs = {event.why for event in table.heard if isinstance(event, DeviceDown)}
        assert downs <= {text("the hub was unplugged"), text("no dice hub is plugged in")}


@pytest.mark.slow
def test_the_cable_pulled_and_plugged_in_mid_roll_loses_nothing_and_doubles_nothing(
    tmp_path: Path,
) -> None:
    asyncio.run(_pulled(tmp_path))


async def _reset(tmp_path: Path) -> None:
    twin = HubTwin(tmp_path / "tty", Box(seed=9, faults=10))
    async with playing(Table(twin.link), twin) as table:
        await table.until_event(DeviceUp("dice"))
        for face in range(1, 5):
            roll(twin, "silica", face)
            twin.box.reset()
        await table.until(lambda _: len(table.faces("silica")) >= 4)
        roll(twin, "silica", 6)
        await table.until(lambda _: 6 in table.faces("silica"))
        assert table.faces("silica") == [1, 2, 3, 4, 6]
        assert not [event for event in table.heard if isinstance(event, DeviceDown)]


@pytest.mark.slow
def test_a_hub_reset_in_mid_roll_is_not_even_noticed(tmp_path: Path) -> None:
    asyncio.run(_reset(tmp_path))


@pytest.mark.parametrize(
    ("port", "name"),
    [
        ("/dev/serial/by-id/usb-Espressif_USB_JTAG_serial_debug_unit_34:85", "hub 34:85"),
        ("/dev/companion-hub", "companion-hub"),
        ("/var/lib/companion/hub", "hub"),
    ],
)
def test_a_hub_is_not_called_a_hub_twice(port: str, name: str) -> None:
    assert _short(port) == name


async def _two_hubs(tmp_path: Path) -> None:
    left = HubTwin(tmp_path / "left", Box(("asuna",), me="hub1"))
    right = HubTwin(tmp_path / "right", Box(("klein",), me="hub2"))
    async with playing(Table(left.link, right.link), left, right) as table:
        await table.until(lambda _: len(table.dice.links) == 2)
        roll(left, "asuna", 1)
        roll(right, "klein", 2)
        await table.until(lambda _: table.faces("asuna") == [1] and table.faces("klein") == [2])
        right.unplug()
        await table.until_event(DeviceDown("hub right", text("the hub was unplugged")))
        roll(left, "asuna", 3)
        await table.until(lambda _: table.faces("asuna") == [1, 3])
        right.box = Box(("klein",), me="hub3")  # another hub, another die of that name
        roll(right, "klein", 5)
        right.plug()
        await table.until_event(DeviceUp("hub right"))
        await table.until(lambda _: table.faces("klein") == [2, 5])


@pytest.mark.slow
def test_two_hubs_are_heard_at_once_and_the_loss_of_one_stops_nobody(tmp_path: Path) -> None:
    asyncio.run(_two_hubs(tmp_path))


class Stranger:
    """A port whose other end only ever says one line, and reads nothing."""

    def __init__(self, link: Path, body: bytes) -> None:
        self.outer, inner = pty.openpty()
        tty.setraw(inner)
        os.set_blocking(self.outer, False)
        link.symlink_to(os.ttyname(inner))
        self.inner = inner  # kept open, so that the port stays between two openings
        self.line = b"$" + body + b"*%08x\n" % binascii.crc32(body)
        self.last_words = b""  # said after a second

    async def run(self) -> None:
        for rounds in itertools.count():
            with suppress(BlockingIOError):
                os.write(self.outer, self.line + (self.last_words if rounds > 20 else b""))
            await asyncio.sleep(0.05)

    def unplug(self) -> None:
        os.close(self.outer)
        os.close(self.inner)


async def _newer(tmp_path: Path) -> None:
    newer = Stranger(tmp_path / "newer", b"hello 2 9.0.0 hub9 b1 6 more")
    twin = HubTwin(tmp_path / "tty")
    async with playing(Table(tmp_path / "newer", twin.link), twin, newer) as table:
        await table.until(lambda heard: any(isinstance(event, DeviceDown) for event in heard))
        roll(twin, "agil", 2)
        await table.until(lambda _: table.faces("agil") == [2])
        downs = [event for event in table.heard if isinstance(event, DeviceDown)]
        assert downs == [
            DeviceDown(
                "hub newer",
                "the dice hub speaks protocol 2, the companion 1: update the companion, "
                "or give the hub its older firmware: companion dice flash hub",
            )
        ]


def test_a_hub_with_a_newer_protocol_is_told_once_and_the_others_play_on(tmp_path: Path) -> None:
    asyncio.run(_newer(tmp_path))


async def _lost(dice: Dice) -> str:
    with pytest.raises(DeviceLost) as caught:
        async with asyncio.timeout(within(PATIENCE)):
            await dice.run(lambda _event: None)
    return str(caught.value)


def test_without_any_hub_it_says_so() -> None:
    assert asyncio.run(_lost(Dice(list))) == "no dice hub is plugged in"
    assert "not plugged in" in asyncio.run(_lost(Dice(lambda: ["/dev/no-such-hub"])))


def test_a_file_or_folder_that_is_no_port_is_called_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for wrong in (tmp_path, tmp_path / "file"):
        assert "this is no serial port" in asyncio.run(_lost(Dice(lambda path=wrong: [str(path)])))


@pytest.mark.slow
def test_a_port_where_nobody_answers_and_nobody_reads_is_given_up(tmp_path: Path) -> None:
    dumb = Stranger(tmp_path / "dumb", b"")
    assert "does not answer" in asyncio.run(_lost(Dice(lambda: [str(tmp_path / "dumb")])))
    dumb.unplug()


async def _hanging(tmp_path: Path) -> None:
    stuck = Stranger(tmp_path / "stuck", b"hello 1 1.0.0 hub9 b1 0")
    async with playing(Table(tmp_path / "stuck"), stuck) as table:
        await table.until_event(DeviceUp("dice"))
        [link] = table.dice.links.values()
        for _ in range(3000):  # far more than the port's buffer holds
            link.command("do", "asuna", "identify", 0)
        stuck.last_words = wire.encode("die", "asuna", "d1", 1, "1.0.0", "faulty", 0, 90, 5)
        why = text("The sensor in {who}'s die does not answer.", who="Asuna")
        await table.until_event(DeviceDown("die asuna", why))  # so it is still heard


@pytest.mark.slow
def test_a_hub_that_hangs_does_not_hang_the_table(tmp_path: Path) -> None:
    asyncio.run(_hanging(tmp_path))


async def _in_use(tmp_path: Path) -> None:
    twin = HubTwin(tmp_path / "tty")
    async with playing(Table(twin.link), twin) as table:
        await table.until_event(DeviceUp("dice"))
        why = await _lost(Dice(lambda: [str(twin.link)]))
        assert why == "the port is in use: stop the companion first"


def test_a_port_in_use_says_what_to_do(tmp_path: Path) -> None:
    asyncio.run(_in_use(tmp_path))


def test_a_hub_that_the_service_may_not_open_asks_for_a_restart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def barred(*_: object) -> int:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "open", barred)  # what pyserial opens a port with
    dice = Dice(lambda: ["/dev/ttyACM0"])
    assert asyncio.run(_lost(dice)) == "the service may not open it: restart the companion"


def test_ports_are_found_by_what_is_plugged_in_or_named_in_the_settings(tmp_path: Path) -> None:
    names = ("usb-Espressif_USB_JTAG_serial_debug_unit_AA-if00", "usb-Arduino_Uno-if00")
    for name in names:
        (tmp_path / name).touch()
    assert find("auto", tmp_path) == [str(tmp_path / names[0])]
    assert find("auto", tmp_path / "nothing") == []
    assert find("/dev/ttyACM7", tmp_path) == ["/dev/ttyACM7"]
