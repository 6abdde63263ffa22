"""Seats and names by phone: given to another phone, left to whoever comes, taken from a list."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from companion.words import Panel
from tests.web.house import FIVE_SEATS, Browser, PageHouse, open_pages

pytestmark = pytest.mark.slow

SETTINGS = FIVE_SEATS.format(language="en")


async def menu(phone: Browser, label: str) -> dict[str, Any]:
    """What the phone of the first panel shows after this choice of the table's menu."""
    await phone.send(0, "menu", opened=True)
    await phone.choose(0, label)
    return await phone.snapshot("seat")


async def begin(house: PageHouse, phone: Browser) -> None:
    await phone.claim(0)
    await phone.choose(0, "Join")
    await house.choose(1, "Join")
    await phone.choose(0, "Start")


def test_a_seat_goes_to_the_phone_that_scans_it_off_another(tmp_path: Path) -> None:
    async def hand() -> None:
        async with (
            open_pages(tmp_path, settings=SETTINGS) as house,
            Browser(house) as old,
            Browser(house) as new,
        ):
            await begin(house, old)
            seat = (await old.snapshot("seat"))["seat"]
            shown = await menu(old, "Join by phone")
            code = next(part for part in shown["parts"] if part["label"] == "Sit down here")
            assert tuple(code["rows"]) == house.web.claims.place(Panel(0)).rows
            await new.claim(0)  # with what stands in it
            assert (await new.snapshot("seat"))["seat"] == seat
            lost = await old.get("/api/snapshot", params={"as": "seat"})
            assert lost.status_code == 403
            assert house.web.claims.claimed(Panel(0))

    asyncio.run(hand())


def test_a_seat_that_is_left_goes_to_the_phone_at_another_panel(tmp_path: Path) -> None:
    async def leave() -> None:
        async with (
            open_pages(tmp_path, settings=SETTINGS) as house,
            Browser(house) as red,
            Browser(house) as late,
        ):
            await begin(house, red)
            await late.claim(2)
            own = await red.snapshot("seat")
            assert (await late.snapshot("seat"))["seat"] is None
            await menu(red, "Leave my seat")
            await red.choose(0, "Panel 3")
            came, went = await late.snapshot("seat"), await red.snapshot("seat")
            assert (came["seat"], went["seat"]) == (own["seat"], None)
            assert came["choices"] == own["choices"]
            assert not any(one in own["choices"] for one in went["choices"])

    asyncio.run(leave())


def test_a_phone_is_offered_the_names_that_the_table_knows(tmp_path: Path) -> None:
    async def name() -> None:
        async with open_pages(tmp_path, settings=SETTINGS) as house, Browser(house) as phone:
            await phone.claim(0)
            await phone.choose(0, "Join")
            await phone.send(0, "name", name="Hanako")
            await house.choose(1, "Join")
            await phone.choose(0, "Start")
            await menu(phone, "Set this game aside")
            await house.choose(1, "Agree")
            await phone.choose(0, "Join")
            await phone.choose(0, "Name")
            offered = [one["label"] for one in (await phone.snapshot("seat"))["choices"]]
            assert offered[0] == "Hanako"
            await phone.choose(0, "Hanako")
            assert (await phone.snapshot("seat"))["panels"][0]["name"] == "Hanako"

    asyncio.run(name())
