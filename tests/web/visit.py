"""A real browser on a house with its pages, for the tests that look at what a person would see."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.bots.api import Players
from companion.games.api import Game
from companion.games.kiriai import KIRIAI
from tests.patience import within
from tests.web.house import PAGES, PageHouse, open_pages

playwright = pytest.importorskip("playwright.async_api")

CHROMIUM = shutil.which("chromium")
ROOT = Path(__file__).parent.parent.parent
AXE = ROOT / ".tools/web/node_modules/axe-core/axe.min.js"
SHOTS = ROOT / "artefacts" / "pages"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True}

IN_A_BROWSER = [
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None and os.environ.get("CI") != "true",
        reason="no Chromium here: sh tests/web/get_browser.sh installs it",
    ),
]


class Visit:
    """A browser on a house; whatever it complains about, or asks of other hosts, is kept."""

    def __init__(self, browser: Any, house: PageHouse) -> None:
        self.browser, self.house = browser, house
        self.troubles: list[str] = []
        self.elsewhere: list[str] = []

    async def page(self, path: str = "/", **options: Any) -> Any:
        context = await self.browser.new_context(**options)
        page = await context.new_page()
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", self._said)
        page.on("request", self._asked)
        page.set_default_timeout(within(60_000))
        await page.goto(self.house.address + path)
        return page

    async def keep(self) -> None:
        """What every page showed when a test failed."""
        pages = [page for context in self.browser.contexts for page in context.pages]
        for number, page in enumerate(pages):
            SHOTS.mkdir(parents=True, exist_ok=True)
            await page.screenshot(path=SHOTS / f"failed-{number}.png")

    def _said(self, message: Any) -> None:
        if message.type == "error" and "WebSocket" not in message.text:
            self.troubles.append(message.text)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.house.address, "data:", "blob:")):
            self.elsewhere.append(request.url)

    async def seated(self, panel: int, path: str = "/", **options: Any) -> Any:
        """A phone that has claimed a seat through the page."""
        page = await self.page(path, **options)
        name = self.house.table.seating.names[panel]
        await page.get_by_role("radio", name=name).check()
        await page.get_by_label("Code on its display").fill(self.house.web.claims.code(panel))
        await page.get_by_role("button", name="Take the seat").click()
        await page.wait_for_selector(".hand .choice")
        return page


@asynccontextmanager
async def visit(
    folder: Path, settings: str = PAGES, game: Game[Any] | dict[str, Game[Any]] = KIRIAI,
    players: Players = lambda _key: (),
) -> AsyncIterator[Visit]:  # fmt: skip
    async with (
        playwright.async_playwright() as tool,
        open_pages(folder, settings=settings, game=game, players=players) as house,
    ):
        browser = await tool.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            found = Visit(browser, house)
            try:
                yield found
            except BaseException:
                await found.keep()
                raise
            assert found.troubles == []
            assert found.elsewhere == []
        finally:
            await browser.close()


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(work())  # type: ignore[arg-type]  # every one here is a coroutine


async def shot(page: Any, name: str) -> None:
    SHOTS.mkdir(parents=True, exist_ok=True)
    await page.wait_for_load_state()
    await page.screenshot(path=SHOTS / f"{name}.png")


SETTLED = """() => Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
  .map((one) => one.finished)).then(() => null)"""


async def faults(page: Any) -> list[str]:
    """What axe finds serious or critical, once what fades in or out has done so."""
    if not AXE.exists() and os.environ.get("CI") != "true":
        pytest.skip("no axe-core here: sh tests/web/get_browser.sh installs it")
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    await page.evaluate(SETTLED)
    found = await page.evaluate("async () => (await axe.run()).violations")
    return [
        f"{one['id']}: {node['html'][:150]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]
