"""Somebody who knows nothing opens the page, chooses *Teach me*, and does what the page says."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from companion.bots.shelf import GAMES, players
from companion.daemon.app import show_demos
from companion.games.api import Game
from companion.ports import News
from tests.web.test_alone import ALONE, BACK, NEXT, PREVIOUS, SELECT, Alone, answered, sees_the_end
from tests.web.visit import IN_A_BROWSER, PHONE, faults, run, shot, visit

pytestmark = IN_A_BROWSER

PRESSES, SECONDS = 5, 60  # until the first decision
SPILLS = "() => document.documentElement.scrollWidth > innerWidth"
TAP = """async () => {
  const open = [".choice.good", ".hand .choice:not(.barred, .leaves)", ".parts button:not(.word)"];
  open.map((which) => document.querySelector(which)).find(Boolean)?.click();
  while (document.body.dataset.busy === "yes") await new Promise((go) => setTimeout(go, 5));
}"""


async def glass(page: Any) -> str:
    """What the first panel's glass says."""
    said: str = await page.locator(".panel.foot canvas").get_attribute("aria-label")
    return said


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_whoever_does_what_the_page_says_comes_to_the_end(tmp_path: Path, game: Game[Any]) -> None:
    """By the four keys alone: the finger begins on what the lesson calls good."""

    async def learn() -> None:
        async with visit(tmp_path, ALONE, GAMES, players) as here:
            table = here.house.table
            opened = time.monotonic()
            alone = Alone(here, await here.page("/", viewport={"width": 1366, "height": 768}))
            await alone.page.wait_for_selector(".panel")
            assert "Teach me" in await glass(alone.page)
            await alone.press(SELECT)
            at = [*GAMES].index(game.key)
            for _ in range(min(at, len(GAMES) - at)):
                await alone.press(NEXT if at <= len(GAMES) // 2 else PREVIOUS)
            await alone.press(SELECT)
            read = await arrives(alone)
            took, presses = time.monotonic() - opened + read, alone.presses
            assert presses <= PRESSES
            assert took < SECONDS
            tip = table.panel(0).tip.show(table.panel(0).names)
            assert table.panel(0).lamp
            await alone.page.locator(f'.panel.foot canvas[aria-label*="{tip}"]').wait_for()
            await alone.page.locator(".lesson .tip").filter(has_text=tip).wait_for()
            await shot(alone.page, f"taught-{game.key}")
            tips = [tip]
            while not table.play.over:
                await answered(here.house)
                view = table.panel(0)
                if (tip := view.tip.show(view.names)) != tips[-1]:
                    tips.append(tip)
                if table.watched.wanted is not None and not table.play.over:
                    await here.house.throw()
                    await here.house.daemon.settled()
                elif view.waiting.show() == "Really?":
                    await alone.press(PREVIOUS)
                    await alone.press(SELECT)
                elif not table.play.over:
                    await alone.press(SELECT)
            said = [tip for tip in tips if tip]
            assert len(said) == len(set(said)) >= 4  # nothing twice
            await sees_the_end(alone, game)
            print(f"{game.key}: {presses} presses, {took:.0f} s ({read:.0f} to read) to the first "
                  f"decision; {len(said)} tips, {alone.presses} presses")  # fmt: skip

    run(learn)


async def arrives(alone: Alone) -> float:
    """Until the first decision is asked for: the seconds that leaves of the story stood."""
    house, stood = alone.house, 0.0
    while True:
        await answered(house)
        if house.table.watched.wanted is not None and not house.table.panel(0).tip.template:
            await house.throw()
            await house.daemon.settled()
        elif house.table.panel(0).leaf is not None and (coming := house.table.moment()):
            stood += coming[0]
            house.daemon.emit(coming[1])
            await house.daemon.settled()
        else:
            return stood


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_phone_is_taught_by_taps_its_codes_open_and_words_are_explained(
    tmp_path: Path, language: str
) -> None:
    settings = ALONE.replace('language = "en"', f'language = "{language}"')

    async def learn() -> None:
        async with visit(tmp_path, settings, GAMES, players) as here:
            house = here.house
            page = await here.page("/?as=phone", **PHONE)
            await page.locator("input[type=radio]").first.check()
            await page.locator("#code").fill(house.web.claims.code(0))
            await page.locator(".claim button").click()
            await page.get_by_text("Teach me" if language == "en" else "教えて", exact=True).click()
            asks = "Teach you which game" if language == "en" else "どのゲームを教える"
            await page.locator(".waiting").filter(has_text=asks).wait_for()
            await page.locator(".hand .choice").first.click()
            tip = page.locator(".tip:not([hidden])")
            await tip.wait_for()
            assert not await page.evaluate(SPILLS)
            assert await faults(page) == []
            await shot(page, f"taught-phone-{language}")
            await tip.get_by_role("button").filter(has_text="K-R27").click()
            await page.locator("dialog[open] .rules li").wait_for()
            assert ("feint" in await page.locator("dialog").inner_text()) == (language == "en")
            await page.locator("dialog .quiet").click()
            words, seen = page.locator(".word:visible"), set[str]()
            while not house.table.play.over:
                await answered(house)
                for word in await words.all_inner_texts():
                    seen.add(word.casefold())
                if len(seen) == 1 and await words.count():
                    await words.first.click()
                    await page.locator("dialog[open] .defined").wait_for()
                    await page.locator("dialog .quiet").click()
                await page.evaluate(TAP)
                assert not await page.evaluate(SPILLS)
            assert seen
            await page.locator(".ending").wait_for()
            await shot(page, f"taught-phone-end-{language}")

    run(learn)


def test_while_nobody_is_there_companions_play_and_a_press_ends_it(tmp_path: Path) -> None:
    async def look() -> None:
        async with visit(tmp_path, ALONE, GAMES, players) as here:
            house = here.house
            page = await here.page("/", viewport={"width": 1366, "height": 768})
            await page.wait_for_selector(".panel")
            before = len(house.journal.games())
            show_demos(house.daemon, house.web, after=0.0, hurry=0.4)
            demo = house.web.desk.demo
            assert demo is not None
            house.web.changed(News())
            for onlooker in house.daemon._onlookers:
                onlooker.changed(News())
            await page.locator(".demo:not([hidden]) h2").wait_for()
            board = await here.page("/board", viewport={"width": 1280, "height": 720})
            await board.get_by_text("A demo. Press any button").first.wait_for()
            await board.locator(".log .move").first.wait_for()
            await page.locator(".telling:not([hidden])").wait_for()
            await shot(page, "demo-table")
            await shot(board, "demo-board")
            assert await faults(board) == []
            demo._after = 3600.0  # the next one is far
            await page.keyboard.press(BACK)
            await page.locator(".demo").wait_for(state="hidden")
            assert demo.line is None
            assert house.table.play.in_lobby
            assert len(house.journal.games()) == before
            here.house.web.desk.demo = None

    run(look)
