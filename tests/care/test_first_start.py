"""The first start, without typing: codes on the rebuilt glass that a camera can read."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageFilter

from companion.settings.settings import WifiSettings
from companion.table import troubles
from companion.views import View
from companion.web.invite import codes
from companion.words import text
from hardware.glass.oled import I2C, Oled
from hardware.twins.glass import Chip, I2CTwin
from tests.web.house import PAGES, Browser, open_pages

WIFI = PAGES + '[wifi]\nname = "Our home"\npassword = "correct horse; battery"\n'
JOIN = "WIFI:T:WPA;S:Our home;P:correct horse\\; battery;;"


def scanned(glass: Image.Image) -> str:
    """What a phone makes of a glass that it sees a little out of focus, in a dark room."""
    seen = glass.convert("L").resize((128 * 8, 64 * 8), Image.Resampling.NEAREST)
    room = Image.new("L", (1400, 900))
    room.paste(seen, (180, 190))
    blurred = np.asarray(room.filter(ImageFilter.GaussianBlur(2)))
    return str(cv2.QRCodeDetector().detectAndDecode(blurred)[0])


@pytest.mark.parametrize(
    "address",
    ["192.168.178.100:8080", "10.0.0.7", "companion.local:8080", "[fd00::1234:5678]:8080"],
)
def test_any_address_can_be_read_off_the_glass(address: str) -> None:
    (code,) = codes(address, WifiSettings())
    chip = Chip()
    view = View(text("Table companion"), text("Scan this"), (code,), page=0)
    asyncio.run(Oled("table", "ssd1306", I2C(), bus=I2CTwin({0x3C: chip})).show(view))
    assert scanned(chip.glass()) == f"http://{address}/"
    assert len(code.rows) <= 29  # of two pixels each


def test_an_open_network_and_a_long_password_have_codes_too() -> None:
    wifi, _ = codes("x", WifiSettings("Café; 2"))
    assert not wifi.private
    long, _ = codes("x", WifiSettings("n" * 32, "p" * 63))
    assert len(long.rows) <= 64
    assert "p" * 8 not in repr(WifiSettings("n", "p" * 8))


@pytest.mark.slow
def test_the_first_start_shows_the_network_then_the_address_until_somebody_presses(
    tmp_path: Path,
) -> None:
    async def evening() -> None:
        async with open_pages(tmp_path, settings=WIFI) as house, Browser(house) as stranger:
            glass = house.devices.glass["table"]
            assert scanned(glass()) == JOIN
            public = json.dumps(await stranger.snapshot("public"))
            assert "glass:table" not in public  # the code holds the password
            assert "horse" not in public
            await house.press(0, "next")
            assert scanned(glass()) == f"{house.address}/"
            assert "glass:table" in await stranger.snapshot("public")
            await house.press(1, "next")
            assert scanned(glass()) == ""
            assert "Kiri-ai" in " ".join(house.glass("table"))

    asyncio.run(evening())


@pytest.mark.slow
def test_in_safe_mode_the_glass_says_why_and_where_the_page_is_and_so_does_the_page(
    tmp_path: Path,
) -> None:
    async def evening() -> None:
        async with open_pages(tmp_path, settings=WIFI) as house, Browser(house) as stranger:
            house.table.trouble(troubles.SAFE, text("Safe mode: {why}", why="line 3 is wrong"))
            await house.press(0, "next")  # on a Pi in safe mode nobody can
            glass = " ".join(house.glass("table"))
            assert "line 3 is wrong" in glass
            assert house.address.removeprefix("http://") in glass
            health = (await stranger.get("/api/health")).json()
            assert health["well"] is False
            assert health["findings"][0]["says"] == "Safe mode: line 3 is wrong"
            assert "restart companion" in health["findings"][0]["do"]

    asyncio.run(evening())


@pytest.mark.slow
def test_the_codes_stand_behind_the_tables_menu_in_the_lobby_and_in_a_game(tmp_path: Path) -> None:
    async def evening() -> None:
        async with open_pages(tmp_path, settings=WIFI) as house:
            own = house.devices.glass["one"]
            for _ in ("lobby", "game"):
                await house.press(0, "back", "back")
                await house.choose(0, "Join by phone")
                assert scanned(own()) == JOIN
                await house.press(0, "next")
                code = house.web.claims.code(0)
                assert scanned(own()) == f"{house.address}/#0{code}"  # whoever scans it sits here
                await house.press(0, "select")
                await house.choose(0, "Back to the game")
                for panel in (0, 1):
                    if any(c.label.show() == "Join" for c in house.table.panel(panel).choices):
                        await house.choose(panel, "Join")
                if house.table.play.in_lobby:
                    await house.choose(0, "Start")
            assert scanned(house.devices.glass["table"]()) == ""

    asyncio.run(evening())


@pytest.mark.slow
def test_once_a_game_was_played_the_table_starts_without_codes(tmp_path: Path) -> None:
    async def evening() -> None:
        async with open_pages(tmp_path, settings=WIFI) as house:
            for panel in (0, 1):
                await house.choose(panel, "Join")
            await house.choose(0, "Start")
        async with open_pages(tmp_path, settings=WIFI) as house:
            assert scanned(house.devices.glass["table"]()) == ""

    asyncio.run(evening())
