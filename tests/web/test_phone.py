"""A phone at the table: what a thumb finds where, and what an eye sees without scrolling."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.eye.protocol import Beat
from companion.words import text
from tests.games.pig import PIG
from tests.web.house import FIVE_SEATS, VIRTUAL, WITH_EYE, Still
from tests.web.test_browser import pick, plan, start
from tests.web.visit import IN_A_BROWSER, PHONE, run, visit

pytestmark = IN_A_BROWSER

SMALL = {**PHONE, "viewport": {"width": 360, "height": 740}}


async def foot(page: Any) -> float:
    """Where the row with the menu ends."""
    box = await page.locator(".hand .row").bounding_box()
    return float(box["y"] + box["height"])


def test_the_buttons_stay_at_the_foot_of_the_phone_however_little_there_is_to_read(
    tmp_path: Path,
) -> None:
    async def look() -> None:
        async with visit(tmp_path) as here:
            blue, red = await here.seated(0, **PHONE), await here.seated(1, **PHONE)
            await start(blue, red)
            long = await foot(blue)
            await blue.get_by_role("button", name="Menu").click()
            await pick(blue, "Set a number")
            short = await foot(blue)
            assert long == short > 820  # of 844

    run(look)


def test_a_refusal_is_read_beside_the_button_wherever_the_page_was_scrolled_to(
    tmp_path: Path,
) -> None:
    async def look() -> None:
        async with visit(tmp_path) as here:
            low = {**SMALL, "viewport": {"width": 360, "height": 640}}
            blue, red = await here.seated(0, **low), await here.seated(1, **SMALL)
            await start(blue, red)
            await pick(blue, "Charge")
            await blue.evaluate("scrollTo(0, 9999)")
            assert await blue.evaluate("scrollY") > 200
            await blue.locator(".choice.barred").first.click()
            notice = blue.locator(".notice")
            await notice.wait_for()
            assert "K-R11" in await notice.inner_text()
            assert await notice.evaluate(
                """(one) => {
                  const box = one.getBoundingClientRect();
                  return box.top >= 0 && box.bottom <= innerHeight;
                }"""
            )

    run(look)


def test_a_seat_is_not_lost_by_one_wrong_tap(tmp_path: Path) -> None:
    async def tap() -> None:
        async with visit(tmp_path) as here:
            blue = await here.seated(0, **SMALL)
            await blue.get_by_role("button", name="Stand up").click()
            again = blue.get_by_role("button", name="Really stand up?")
            await again.wait_for()
            assert here.house.web.claims.claimed(0)
            await again.click()
            await blue.get_by_role("heading", name="Sit down").wait_for()
            assert not here.house.web.claims.claimed(0)

    run(tap)


def test_the_head_of_a_phone_says_what_happened_and_whom_the_table_waits_for(
    tmp_path: Path,
) -> None:
    async def look() -> None:
        async with visit(tmp_path) as here:
            blue, red = await here.seated(0, **SMALL), await here.seated(1, **SMALL)
            await start(blue, red)
            await plan(blue, "Charge", "High Strike")
            head = blue.locator("section.head")
            await head.get_by_text("The table waits for Red.").wait_for()
            assert not await red.locator(".others").is_visible()
            await plan(red, "Retreat", "Low Strike")
            await head.locator(".beat", has_text="1st: Blue Charge, Red Retreat").wait_for()
            assert "K-R18" in await head.inner_text()
            box = await head.bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] < 330

    run(look)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_pages_are_one_line_above_what_is_played(tmp_path: Path, language: str) -> None:
    async def look() -> None:
        async with visit(tmp_path, FIVE_SEATS.format(language=language)) as here:
            page = await here.page("/?as=phone", **SMALL)
            await page.locator("body[data-live=yes] .title").wait_for()
            bar = page.locator(".bar")
            assert (await bar.bounding_box())["height"] < 64
            for link in await bar.locator("a:visible").all():
                assert (await link.bounding_box())["height"] >= 40

    run(look)


def test_a_game_of_the_past_is_in_sight_once_it_is_chosen_and_its_chart_can_be_read(
    tmp_path: Path,
) -> None:
    async def look() -> None:
        async with visit(tmp_path) as here:
            blue, red = await here.seated(0, **SMALL), await here.seated(1, **SMALL)
            await start(blue, red)
            await plan(blue, "Charge", "High Strike")
            past = await here.page("/history", **SMALL)
            await past.locator(".games li:not(.evening) button").first.click()
            step = past.get_by_role("button", name="Step back")
            await step.wait_for()
            await past.wait_for_function("() => scrollY > 100")
            assert (await step.bounding_box())["y"] < 600
            chart = await past.locator(".chart text").first.bounding_box()
            assert chart["height"] >= 10

    run(look)


def test_a_phone_has_no_menu_button_that_does_nothing_while_the_table_asks(tmp_path: Path) -> None:
    async def look() -> None:
        async with visit(tmp_path) as here:
            blue, red = await here.seated(0, **SMALL), await here.seated(1, **SMALL)
            await start(blue, red)
            menu = blue.get_by_role("button", name="Menu", exact=True)
            await menu.click()
            await pick(blue, "Give up")
            await blue.locator(".choice", has_text="Never mind").wait_for()
            await red.locator(".choice", has_text="Agree").first.wait_for()
            for page in (blue, red):
                buttons = page.locator(".hand .row button:visible")
                assert await buttons.count() == 2  # to be read aloud, to stand up
            await pick(red, "Do not agree")
            await menu.wait_for()
            await menu.click()
            await blue.locator(".choice", has_text="Give up").wait_for()

    run(look)


def test_a_roll_that_cannot_be_thrown_says_why_on_every_page_that_has_the_button(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    eye = Still()
    monkeypatch.setattr("companion.daemon.devices.EyeChild", lambda _: eye)

    async def look() -> None:
        async with visit(tmp_path, VIRTUAL + WITH_EYE, PIG) as here:
            table, looking = await here.page(), await here.page("/eye")
            for panel in (0, 1):
                await here.house.choose(panel, "Join")
            await here.house.choose(0, "Start")
            phone = await here.seated(0, "/?as=phone", **SMALL)
            eye.refuses = text("The dice are moving.")
            for page, where in ((table, ".said"), (looking, ".notice"), (phone, ".notice")):
                await page.get_by_role("button", name="Roll").click()
                said = page.locator(where).filter(has_text="The dice are moving.")
                await said.wait_for()
                eye.beaten(Beat(1, eye.refuses.template, 0.1))  # the pages hear something new
                await here.house.daemon.settled()
                assert await said.is_visible()
            assert len(eye.rendered) == 3
            here.troubles.clear()  # a browser logs each refusal

    run(look)
