"""Draws the pictures of the documents anew from the pages of today: `make pictures`."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image

from companion.bots.shelf import GAMES, players
from companion.events import DiceSettled
from companion.games.sao import SAO
from tests.web.house import FIVE_SEATS
from tests.web.test_alone import ALONE, SELECT, Alone, answered
from tests.web.test_one_screen import phone
from tests.web.visit import ROOT, Visit, visit

PICTURES = ROOT / "docs" / "pictures"
TWINS = FIVE_SEATS.format(language="en") + '[eye]\ncamera = "twin"\n[hub]\nport = "twin"\n'
PARTY = ("Kirito", "Asuna", "Klein")
CALM = {"reduced_motion": "reduce"}
FRAMES = 32  # of the moving picture at most


async def evening() -> None:
    """Three players of Sword of Fellows, up to the first roll that the eye has read."""
    with tempfile.TemporaryDirectory() as folder:
        async with visit(Path(folder), TWINS, SAO) as here:
            desk = await here.page(
                "/", viewport={"width": 1366, "height": 768}, color_scheme="dark", **CALM
            )
            board = await here.page("/board", viewport={"width": 1600, "height": 900}, **CALM)
            eye = await here.page(
                "/eye", viewport={"width": 1366, "height": 768}, color_scheme="dark", **CALM
            )
            rolls = await phone(here, 0, color_scheme="dark", **CALM)
            looks = await phone(here, 2, color_scheme="light", **CALM)
            await sit_down(here)
            await rolls.locator(".roll-here").wait_for()
            await looks.get_by_role("button", name="Menu").click()
            await looks.get_by_role("button", name="Back", exact=True).wait_for()
            beside([await rolls.screenshot(), await looks.screenshot()], PICTURES / "phones.jpg")
            here.house.daemon.events.clear()
            await desk.get_by_role("button", name="Roll", exact=True).click()
            await asyncio.wait_for(here.house.daemon.hears(DiceSettled), 60)
            for page, name in ((desk, "table"), (board, "board"), (eye, "eye")):
                await page.wait_for_timeout(9_000 if page is desk else 500)  # the story has passed
                keep(await page.screenshot(), PICTURES / f"{name}.jpg")


async def first_game() -> None:
    """*Teach me*, as somebody at the virtual table sees it: the moving picture of the README."""
    frames: list[tuple[bytes, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        async with visit(Path(folder), ALONE, GAMES, players) as here:
            size = {"width": 1366, "height": 780}
            alone = Alone(here, await here.page("/", viewport=size, color_scheme="dark", **CALM))
            await alone.page.wait_for_selector(".panel")
            for _ in range(FRAMES):
                await answered(here.house)
                view = here.house.table.panel(0)
                await alone.page.wait_for_timeout(700)
                reads = view.leaf is not None or view.page is not None
                frames.append((await alone.page.screenshot(), 2_400 if reads else 1_300))
                if here.house.table.play.over:
                    break
                await alone.press(SELECT)
    moving(frames, PICTURES / "first-game.webp")


def moving(frames: list[tuple[bytes, int]], onto: Path) -> None:
    """One picture after the other, small enough for a page of text."""
    drawn = [Image.open(BytesIO(one)).convert("RGB").resize((858, 490)) for one, _ in frames]
    times = [time for _, time in frames]
    drawn[0].save(onto, save_all=True, append_images=drawn[1:], duration=times, loop=0, quality=60,
                  method=6)  # fmt: skip
    print(f"{onto.name}: {len(drawn)} frames, {onto.stat().st_size / 1e6:.2f} MB")


async def sit_down(here: Visit) -> None:
    house = here.house
    for panel in range(len(PARTY)):
        await house.choose(panel, "Join")
    await house.choose(0, "Start")
    for panel, hero in enumerate(PARTY):
        await house.choose(panel, hero)
    while house.table.watched.wanted is None:  # a scenario, then whom to chain with
        await house.wait()
        called = next(p for p in range(3) if house.table.panel(p).lamp)
        await house.press(called, "select")
    await house.wait()


def beside(pictures: list[bytes], onto: Path) -> None:
    """Side by side, as on a page."""
    drawn = [Image.open(BytesIO(one)).resize((350, 757)) for one in pictures]
    both = Image.new("RGB", (740, 757), "white")
    for at, one in enumerate(drawn):
        both.paste(one, (10 + 370 * at, 0))
    both.save(onto, quality=85)


def keep(picture: bytes, onto: Path) -> None:
    drawn = Image.open(BytesIO(picture)).convert("RGB")
    drawn.resize((1200, drawn.height * 1200 // drawn.width)).save(onto, quality=85)


if __name__ == "__main__":
    if "moving" not in sys.argv:
        asyncio.run(evening())
    asyncio.run(first_game())
