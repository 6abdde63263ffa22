"""Learning a game in a real browser: its pages fit, and every code opens its rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.bots.shelf import GAMES
from tests.web.house import PAGES, VIRTUAL
from tests.web.visit import IN_A_BROWSER, PHONE, faults, run, shot, visit

pytestmark = IN_A_BROWSER
SPILLS = "() => document.documentElement.scrollWidth > innerWidth"


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ja"])
def test_how_to_play_is_read_on_a_phone_and_its_codes_open(tmp_path: Path, language: str) -> None:
    settings = PAGES.replace("[table]", f'[table]\nlanguage = "{language}"', 1)

    async def look() -> None:
        async with visit(tmp_path, settings=settings) as here:
            page = await here.page("/learn", **PHONE)
            await page.locator(".pages > li").first.wait_for()
            lesson = GAMES["kiriai"].lesson
            assert lesson is not None
            assert await page.locator(".pages > li").count() == len(lesson.pages)
            assert not await page.evaluate(SPILLS)
            assert await faults(page) == []
            await page.get_by_text("K-R29", exact=True).tap()
            await page.locator("dialog[open] .rules li").wait_for()
            told = await page.locator("dialog .rules").inner_text()
            assert ("swords clash" in told) == (language == "en")
            assert await faults(page) == []
            await shot(page, f"learn-{language}")

    run(look)


@pytest.mark.slow
def test_rules_are_found_by_a_word(tmp_path: Path) -> None:
    async def look() -> None:
        async with visit(tmp_path, settings=VIRTUAL) as here:
            page = await here.page("/learn?game=kiriai")
            await page.get_by_text("All rules").click()
            await page.locator("dialog[open] .rules li").first.wait_for()
            await page.locator("dialog input").fill("clash")
            assert await page.locator("dialog .rules li").count() == 1
            assert "K-R29" in await page.locator("dialog .rules").inner_text()
            await page.locator("dialog input").fill("catapult")
            assert "No rule has this word." in await page.locator("dialog .rules").inner_text()

    run(look)
