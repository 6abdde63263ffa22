"""Settings for what is not there: a sentence that says what to do, and the rest works."""

from __future__ import annotations

import asyncio
import errno
from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.exc import BadPinFactory

from companion.events import DeviceDown
from hardware.twins.glass import I2CTwin
from tests.web.house import PAGES, Browser, open_pages

NO_GLASS = PAGES.replace('displays = "twin"', 'displays = "real"').replace("port = 2", "port = 9")
NOTHING_ELSE = '[hub]\nport = "/dev/ttyNOPE"\n'
NO_PINS = PAGES.replace('panels = "twin"', 'panels = "real"')


async def health(browser: Browser) -> dict[str, dict[str, str]]:
    found = (await browser.get("/api/health")).json()
    assert found["well"] is False
    return {one["key"]: one for one in found["findings"]}


async def plays(browser: Browser) -> None:
    """A move by phone reaches the journal, whatever else is missing."""
    await browser.claim(0)
    assert (await browser.choose(0, "Join")).json()["notice"] == ""
    assert "Leave" in [choice["label"] for choice in (await browser.snapshot("seat"))["choices"]]


@pytest.mark.slow
def test_displays_and_a_hub_that_are_not_there_leave_buttons_and_pages(tmp_path: Path) -> None:
    async def evening() -> None:
        settings = NO_GLASS + NOTHING_ELSE
        async with open_pages(tmp_path, settings=settings) as house, Browser(house) as phone:
            while not {"table", "one", "two", "dice"} <= house.table.lost.keys():
                house.daemon.heard.clear()
                await house.daemon.heard.wait()
                await house.daemon.drained()
            assert "there is no /dev/i2c-93" in house.table.lost["one"].show()
            assert "correct its port in the settings" in house.table.lost["dice"].show()
            await house.devices.press(1, "next", house.daemon.emit)
            found = await health(phone)
            assert "correct its number in the settings" in found["displays"]["says"]
            assert found["hub"]["verdict"] == "wrong"
            assert found["disk"]["verdict"] != "wrong"
            await plays(phone)

    asyncio.run(evening())


@pytest.mark.slow
def test_a_machine_without_pins_says_so_on_its_glass_and_phones_play_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> None:
        raise BadPinFactory("there is no gpiochip")

    monkeypatch.setattr("hardware.panel.lines._header", none)
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)

    async def evening() -> None:
        async with open_pages(tmp_path, settings=NO_PINS) as house, Browser(house) as phone:
            while not {"panel 1", "panel 2"} <= house.table.lost.keys():
                await house.daemon.hears(DeviceDown)
                await asyncio.sleep(0)
            await house.daemon.settled()
            assert "lost" in " ".join(house.glass("one"))
            assert "there is no gpiochip" in (await health(phone))["buttons"]["says"]
            await plays(phone)

    asyncio.run(evening())


@pytest.mark.slow
def test_a_bus_that_may_not_be_opened_names_the_group_and_the_other_glasses_show(
    tmp_path: Path,
) -> None:
    async def evening() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as phone:
            bus = house.devices.buses["one"]

            def barred(_address: int) -> None:
                raise PermissionError(errno.EACCES, "Permission denied")

            assert isinstance(bus, I2CTwin)
            bus._addressed = barred  # type: ignore[assignment, method-assign]
            await house.press(0, "next")
            while "one" not in house.table.lost:
                await house.daemon.hears(DeviceDown)
            assert "sudo usermod -aG i2c USER" in house.table.lost["one"].show()
            await house.daemon.settled()
            assert "one is lost" in " ".join(house.glass("table"))
            await plays(phone)

    asyncio.run(evening())


@pytest.mark.slow
def test_a_camera_that_does_not_exist_leaves_the_table(tmp_path: Path) -> None:
    async def evening() -> None:
        settings = PAGES + '[eye]\ncamera = "97"\n'
        async with open_pages(tmp_path, settings=settings) as house, Browser(house) as phone:
            await plays(phone)
            while "eye" not in house.table.lost:
                await house.daemon.hears(DeviceDown)
            await house.daemon.settled()
            assert "is it plugged in" in house.table.lost["eye"].show()
            assert "The eye is lost" in " ".join(house.glass("two"))
            assert "camera 97" in (await health(phone))["camera"]["says"]

    asyncio.run(evening())
