"""The page of the box in a real browser: taps are counted, links are a picture, axe is content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games import GAMES
from companion.memory.cardbox import CardBox
from tests.web.house import VIRTUAL
from tests.web.visit import IN_A_BROWSER, PHONE, faults, run, shot, visit

pytestmark = IN_A_BROWSER
MOST_TAPS = 6
LAPTOP = {"viewport": {"width": 1280, "height": 800}}
SPILLS = "() => document.documentElement.scrollWidth > innerWidth"


class Thumb:
    """Counts its taps."""

    def __init__(self, page: Any) -> None:
        self.page, self.taps = page, 0
        page.set_default_timeout(20_000)

    async def tap(self, selector: str) -> None:
        self.taps += 1
        await self.page.locator(selector).first.tap()


CARDS = {
    "hack": [
        ("elk", "elk", [("strength", "6"), ("element", "fire")]),
        ("baby", "baby_worm", [("strength", "3"), ("points", "2")]),
        ("air", "air_wand", [("strength", "2"), ("destiny", "2")]),
    ],
    "sainome": [
        ("ロング", "longsword", [("damage", "4"), ("stay", "1")]),
        ("ray", "ray", [("damage", "3"), ("catalyst", "2")]),
        ("時限", "time_bomb", [("six", "1")]),
    ],
    "sao": [
        ("kobold", "illfang", [("section", "middle")]),
        ("ring", "ring", [("copies", "2")]),
        ("silica", "silica", [("skill1.dice", "1")]),
    ],
    "swordcrafters": [
        ("1a", "magic.1a", [("method", "least")]),
        ("2a", "magic.2a", [("method", "pairs")]),
        ("3a", "magic.3a", [("method", "least")]),
    ],
}


@pytest.mark.parametrize("key", CARDS)
def test_three_cards_of_each_game_take_six_taps_each_from_the_seats_page(
    key: str, tmp_path: Path
) -> None:
    """Letters of the printed name are typed, not tapped; scrolling is no tap."""

    async def enter() -> None:
        async with visit(tmp_path, VIRTUAL, GAMES[key]) as here:
            page = await here.page("/", **PHONE)
            for word, card, values in CARDS[key]:
                thumb = Thumb(page)
                await thumb.tap("nav a[href='/box']")
                await thumb.tap("#search")
                await page.keyboard.type(word)
                await page.wait_for_function(
                    "() => document.querySelectorAll('.games li').length < 9"
                )
                await thumb.tap(f"[data-card='{card}']")
                for field, value in values:
                    await thumb.tap(f"[id='set-{field}'] [data-value='{value}']")
                await thumb.tap(".save")
                await page.wait_for_selector(".said:not(:empty)")
                assert thumb.taps <= MOST_TAPS
                box = CardBox(tmp_path / "cards").load(GAMES[key])
                kept = {name: str(value) for where, name, value in box if where == card}
                assert dict(values).items() <= kept.items()
                assert not await page.evaluate(SPILLS)
                await shot(page, f"box-{key}-{card}-phone")
                await page.goto(f"{here.house.address}/")

    run(enter)


def test_a_tap_on_the_drawn_card_leads_to_its_value_and_the_drawing_follows(
    tmp_path: Path,
) -> None:
    async def look() -> None:
        async with visit(tmp_path, VIRTUAL, GAMES["sainome"]) as here:
            page = await here.page("/box?game=sainome&card=longsword", **PHONE)
            await page.locator(".drawn-card").wait_for()
            dots = page.locator(".drawn-edge")
            edges = [await dots.nth(n).get_attribute("class") for n in range(await dots.count())]
            sides = {edge.split()[-1] for edge in edges if edge}
            assert sides == {"right", "left"}  # it fits left and right of the character
            await page.locator(".drawn-card [data-to='damage']").tap()
            focused = await page.evaluate(
                "() => document.activeElement.closest('[data-row]').dataset.row"
            )
            assert focused == "damage"
            await page.locator("#set-damage [data-value='5']").tap()
            assert "5" in await page.locator(".drawn-card [data-to='damage']").inner_text()
            await page.locator(".sides [data-value='left']").tap()
            assert await page.locator(".drawn-edge").count() == 1

    run(look)


def test_a_card_that_we_do_not_know_is_added_and_photographed(tmp_path: Path) -> None:
    async def enter() -> None:
        async with visit(tmp_path, VIRTUAL, GAMES["hack"]) as here:
            page = await here.page("/box?game=hack", **PHONE)
            thumb = Thumb(page)
            await thumb.tap("#add")
            await page.keyboard.type("水の精霊")
            await thumb.tap("[data-kind='monster']")
            for field, value in (("strength", "5"), ("points", "2"), ("element", "water")):
                await thumb.tap(f"#set-{field} [data-value='{value}']")
            await thumb.tap(".save")
            assert thumb.taps <= MOST_TAPS
            await page.wait_for_selector(".said:not(:empty)")
            picture = Path(__file__).parents[2] / "docs/pictures/eye.jpg"
            await page.locator("#photo").set_input_files(picture)
            await page.locator(".printed img").wait_for()
            await shot(page, "box-new-phone")
            box = CardBox(tmp_path / "cards")
            rows = {row[1]: row[2] for row in box.load(GAMES["hack"])}
            assert (rows["name"], rows["kind"], rows["strength"]) == ("水の精霊", "monster", 5)
            assert box.photo("hack", "card").startswith(b"\xff\xd8")

    run(enter)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_box_is_drawn_on_phone_and_laptop_and_axe_finds_nothing_serious(
    language: str, tmp_path: Path
) -> None:
    async def look() -> None:
        async with visit(tmp_path, VIRTUAL, GAMES["sainome"]) as here:
            for name, size in (("phone", PHONE), ("laptop", LAPTOP)):
                for scheme in ("dark", "light"):
                    page = await here.page("/box", **size, color_scheme=scheme)
                    cookie = {"name": "companion_language", "value": language}
                    await page.context.add_cookies([{**cookie, "url": here.house.address}])
                    await page.goto(f"{here.house.address}/box?game=sainome&card=fireball")
                    await page.locator(".sides").wait_for()
                    await page.locator(".drawn-card").wait_for()
                    assert await page.locator(".sides [aria-pressed]").count() == 4
                    tops = [
                        await page.locator(f".sides .{side}").evaluate("e => e.offsetTop")
                        for side in ("up", "middle", "down")
                    ]
                    assert tops == sorted(set(tops))  # round the character, not over each other
                    assert await faults(page) == []
                    assert not await page.evaluate(SPILLS)
                await shot(page, f"box-{name}-{language}")
                await page.locator(".sides").scroll_into_view_if_needed()
                await shot(page, f"box-links-{name}-{language}")

    run(look)
