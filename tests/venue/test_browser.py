"""The venue's pages in a real browser: five tables and two hundred, a league, a tournament, axe."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.mqtt.broker import Broker
from tests.mqtt.tables import eventually
from tests.patience import within
from tests.venue.postgres import Postgres
from tests.venue.site import Site, site, state, tell
from tests.venue.test_keeper import say
from tests.venue.test_pages import done, duel, got
from tests.web.visit import CHROMIUM, FLAGS, IN_A_BROWSER, faults, playwright, shot

pytestmark = IN_A_BROWSER
ROOM: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
JAPANESE = {"name": "companion_language", "value": "ja"}


class Looker:
    """A browser on a venue; what it complains about is kept."""

    def __init__(self, browser: Any, place: Site) -> None:
        self._browser, self._place = browser, place
        self.troubles: list[str] = []

    async def page(self, path: str, *cookies: dict[str, str], **options: Any) -> Any:
        context = await self._browser.new_context(**options)
        await context.add_cookies([{**one, "url": self._place.address} for one in cookies])
        page = await context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", lambda said: said.type == "error" and self.troubles.append(said.text))
        await page.goto(self._place.address + path)
        return page


@asynccontextmanager
async def looking(place: Site) -> AsyncIterator[Looker]:
    async with playwright.async_playwright() as tool:
        browser = await tool.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            found = Looker(browser, place)
            yield found
            assert found.troubles == []
        finally:
            await browser.close()


def hall(count: int) -> list[tuple[str, Any]]:
    """So many tables in mid-game."""
    said: list[tuple[str, Any]] = []
    for n in range(1, count + 1):
        word = "offline" if n % 17 == 0 else "online"
        said += [(f"t{n}/availability", word), (f"t{n}/state", state(entry=f"{n}/7"))]
    return said


APART = """() => {
  const tiles = [...document.querySelectorAll('.tile')].map((one) => one.getBoundingClientRect());
  const beside = (a, b) => a.right <= b.left + 1 || a.bottom <= b.top + 1;
  const free = (a, n) => tiles.slice(n + 1).every((b) => beside(a, b) || beside(b, a));
  const apart = tiles.every(free);
  return apart && tiles.every((one) => one.right <= innerWidth && one.bottom <= innerHeight);
}"""  # nothing of the wall has to be scrolled to, and no tile lies on another


@pytest.mark.parametrize(("count", "least"), [(5, 20.0), (40, 13.0), (200, 11.0)])
async def test_all_tables_are_seen_at_once_on_a_television(
    broker: Broker, postgres: Postgres, count: int, least: float
) -> None:
    await tell(broker, *hall(count))
    with site(broker, postgres) as place:
        async with looking(place) as looker:
            page = await looker.page("/", **ROOM, color_scheme="dark")
            await page.locator(".tile").nth(count - 1).wait_for()
            size = await page.evaluate(
                "parseFloat(getComputedStyle(document.querySelector('.wall')).fontSize)"
            )
            assert size >= least
            assert await page.evaluate(APART)
            await shot(page, f"venue-wall-{count}")
            assert await faults(page) == []
            began = time.monotonic()
            await tell(broker, (f"t{count}/state", state(turn=["Yui"])))
            await page.locator(".tile", has_text="Yui").wait_for()
            print(f"{count} tables: on the wall after {time.monotonic() - began:.2f} s")
            assert time.monotonic() - began < within(5)
            phone = await looker.page("/", JAPANESE, viewport={"width": 390, "height": 844})
            await phone.wait_for_selector(".tile")
            assert await phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_a_thousand_tables_come_in_turns(broker: Broker, postgres: Postgres) -> None:
    await tell(broker, *hall(1000))
    with site(broker, postgres) as place:
        async with looking(place) as looker:
            page = await looker.page("/", **ROOM)
            await page.locator(".which", has_text="1000").wait_for()
            assert await page.evaluate(APART)
            first = await page.locator(".tile h2").first.text_content()
            assert first == "t1"


async def test_hostile_words_of_a_table_stay_words(broker: Broker, postgres: Postgres) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    bad = state(game=hostile, turn=[hostile], phase="\u202e" + hostile, beats=[hostile])
    await tell(broker, ("t1/availability", "online"), ("t1/state", bad))
    with site(broker, postgres) as place:
        async with looking(place) as looker:
            page = await looker.page("/", **LAPTOP)
            await page.wait_for_selector(".tile")
            assert hostile in await page.locator(".tile .turn").text_content()
            assert await page.locator(".tile img").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_page_is_drawn_in_both_languages_and_axe_finds_nothing_serious(
    tmp_path: Path, broker: Broker, postgres: Postgres, scheme: str
) -> None:
    await tell(broker, *hall(3))
    with site(broker, postgres) as place, place.organiser() as browser:
        await say(broker, duel(tmp_path / "table", ("Asuna", "キリト")))
        await eventually(lambda: got(browser, "/api/games"))
        game = got(browser, "/api/games")[0]["at"].removeprefix("/api/games/")
        done(browser, "/api/leagues", name="Autumn", key="kiriai", first="1970-01-01",
             last="2100-01-01", tables=[])  # fmt: skip
        names = ["Asuna", "キリト", "Klein", "<b>Agil</b>", "Silica"]
        made = done(browser, "/api/tournaments", name="Friday", kind="swiss", players=names,
                    tables=["t1", "t2"])["id"]  # fmt: skip
        done(browser, f"/api/tournaments/{made}/draw", round=1)
        token = {"name": "companion_organiser", "value": browser.cookies["companion_organiser"]}
        async with looking(place) as looker:
            for path, waits in (
                (f"/games?game={game}", ".steps"), ("/leagues?league=1", "tbody"),
                (f"/tournaments?tournament={made}", ".pairing"), ("/statistics", "tbody"),
                ("/organiser", ".sign-in"), ("/", ".tile"),
            ):  # fmt: skip
                for language in ((), (JAPANESE,)):
                    page = await looker.page(path, token, *language, **LAPTOP, color_scheme=scheme)
                    await page.wait_for_selector(waits)
                    name = path.split("?")[0].strip("/") or "wall"
                    await shot(page, f"venue-{name}-{scheme}{'-ja' if language else ''}")
                    assert await faults(page) == [], path
                    await page.context.close()


async def test_an_organiser_signs_in_draws_a_round_and_decides_it_by_hand(
    broker: Broker, postgres: Postgres
) -> None:
    await tell(broker, *hall(2))
    with site(broker, postgres) as place:
        async with looking(place) as looker:
            page = await looker.page("/organiser", **LAPTOP)
            await page.get_by_label("Code in the terminal").fill(place.code())
            await page.get_by_role("button", name="Sign in").click()
            await page.get_by_text("New tournament").click()
            await page.get_by_label("Name", exact=True).fill("Friday")
            await page.get_by_label("Players", exact=True).fill("Asuna\nKirito, Klein")
            await page.get_by_role("button", name="Make it").click()
            await page.get_by_role("button", name="Draw round 1").click()
            await page.wait_for_selector(".pairing.open")
            assert await page.locator(".pairing").count() == 2
            choose = page.get_by_label("Result of")
            await choose.select_option("drawn")
            await page.get_by_text("½ : ½").wait_for()
            await page.get_by_role("button", name="Draw round 2").wait_for()
            looks = await looker.page("/tournaments", **LAPTOP)  # somebody who only looks
            await looks.wait_for_selector(".pairing")
            assert await looks.get_by_role("button", name="Draw round 2").count() == 0
            assert await looks.locator("select[aria-label^='Result']").count() == 0


def test_the_words_of_the_pages_are_all_there_and_no_other() -> None:
    import re

    from companion.venue.page_words import WORDS
    from companion.venue.pages import PAGES, STATIC
    from companion.web.page_words import WORDS as SHARED

    used = {one.title or one.link for one in PAGES.values()} | {"Venue"}
    for file in STATIC.glob("*.js"):
        used |= set(re.findall(r'\bt\("([^"]+)"', file.read_text(encoding="utf-8")))
    own, shared = ({word.template for word in words} for words in (WORDS, SHARED))
    assert used - own - shared == set()
    assert own - used == set()
    assert own & shared == set()
