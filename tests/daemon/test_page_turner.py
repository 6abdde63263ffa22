"""Every page of a view comes to be seen: leafed through by a panel, or turned by itself."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from companion.daemon.page_turner import TURNS
from companion.games.api import seal
from hardware.glass.draw import image
from tests.daemon.house import House, open_house
from tests.hardware import ocr
from tests.table.evening import TWO_SEATS


async def _duel(house: House) -> None:
    for panel in (0, 1):
        await house.choose(panel, "Join")
    await house.choose(0, "Battlefield")
    await house.choose(0, "Start")
    await house.choose(0, "4, Heaven")
    await house.choose(1, "4, Heaven")


async def _turned(house: House, display: str, times: int) -> list[str]:
    """What stands on a display's pages, one after the other."""
    pages = [" ".join(house.glass(display))]
    for _ in range(times):
        house.daemon.turn()
        await house.daemon.settled()
        pages.append(" ".join(house.glass(display)))
    return pages


@pytest.mark.slow
def test_the_tables_display_turns_its_pages_and_what_is_new_begins_at_the_first(
    tmp_path: Path,
) -> None:
    async def evening() -> None:
        async with open_house(tmp_path) as house:
            await _duel(house)
            await house.plan(0, "Balanced", "High")
            await house.plan(1, "Retreat", "Low")
            assert house.table.view("table").leaf == 0
            (story,) = set(await _turned(house, "table", 3))  # a leaf turns by its own moment
            assert "1st: Blue Balanced" in story
            await house.wait()
            pages = await _turned(house, "table", 12)
            told = " ".join(pages)
            for words in ("1st: Blue Balanced", "Wounds of Blue", '"balanced":', "gives"):
                assert words in told, pages
            assert pages.count(pages[0]) >= 2  # it came round again
            await house.choose(0, "Go on")
            await house.wait()
            first = replace(house.table.view("table"), page=0)
            assert house.glass("table") == ocr.read(image(first))

    asyncio.run(evening())


@pytest.mark.slow
def test_after_a_while_the_display_rests_on_its_first_page(tmp_path: Path) -> None:
    async def evening() -> None:
        async with open_house(tmp_path) as house:
            await _duel(house)
            first = house.glass("table")
            for _ in range(TURNS):
                house.daemon.turn()
            await house.daemon.settled()
            assert house.glass("table") == first
            pages = await _turned(house, "table", 5)
            assert set(pages) == {" ".join(first)}

    asyncio.run(evening())


@pytest.mark.slow
def test_a_panels_own_display_is_leafed_through_by_its_buttons_alone(tmp_path: Path) -> None:
    three = TWO_SEATS.replace(
        "[[display]]",
        "[[panel]]\nseat = 3\nprevious = 6\nnext = 13\nselect = 19\nback = 26\n[[display]]\n"
        'name = "three"\nseats = [3]\nport = 27\n[[display]]',
        1,
    )

    async def evening() -> None:
        async with open_house(tmp_path, settings=three) as house:
            await _duel(house)
            await house.press(2, "next")
            shown = house.glass("three")
            assert len(set(await _turned(house, "three", 4))) == 1
            assert house.glass("three") == shown

    asyncio.run(evening())


@pytest.mark.slow
def test_the_code_of_each_sealed_card_can_be_read_whole_on_its_seats_glass(tmp_path: Path) -> None:
    async def evening() -> None:
        async with open_house(tmp_path) as house:
            await _duel(house)
            await house.plan(0, "Balanced", "Change Stance")
            pages = []
            for _ in range(10):
                pages.append(" ".join(house.glass("one")))
                await house.press(0, "next")
            for laid in house.table.play.line.state.fighters[0].plan:
                assert any(seal(laid.face, laid.salt) in page for page in pages), pages

    asyncio.run(evening())
