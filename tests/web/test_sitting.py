"""One scan and a name: how a person with a phone comes to a seat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.table.offers import PHONE as BY_PHONE
from companion.views import Code
from companion.words import Panel
from tests.web.house import Browser
from tests.web.test_browser import pick
from tests.web.visit import IN_A_BROWSER, PHONE, run, shot, visit

pytestmark = IN_A_BROWSER


def test_one_scan_sits_down_once_and_the_name_is_remembered_by_the_phone(tmp_path: Path) -> None:
    async def sit() -> None:
        async with visit(tmp_path) as here:
            house = here.house
            address = f"/#0{house.web.claims.code(Panel(0))}"
            blue = await here.page(address, **PHONE)
            await blue.locator(".hand .choice").first.wait_for()
            assert "#" not in blue.url
            assert house.web.claims.claimed(Panel(0))
            await pick(blue, "Join")
            await blue.get_by_label("Your name").fill("日本の花子さん")
            await shot(blue, "name")
            await blue.get_by_role("button", name="That's me").click()
            await blue.locator(".head .name", has_text="日本の花子さん").wait_for()
            await blue.get_by_role("button", name="Leave").click()
            await pick(blue, "Join")
            await blue.locator(".head .name", has_text="日本の花子さん").wait_for()

            late = await here.page(address, **PHONE)  # the same code once more
            await late.get_by_text("This code was used or is too old").first.wait_for()
            await shot(late, "code-over")
            here.troubles.clear()  # the console tells of the 410
            async with Browser(house) as red:
                await red.claim(1)
                await red.choose(1, "Join")
                taken = await red.send(1, "name", name="日本の花子さん")
                assert "not free" in taken.json()["notice"]
                long = await red.send(1, "name", name="a" * 13)
                assert "1 to 12" in long.json()["notice"]
                other = await red.send(0, "name", name="Mallory")
                assert other.status_code == 403
                await red.choose(1, "Start")
            await blue.get_by_role("heading", name="Round 1").wait_for()
            assert "日本の花子さん" in [n.show() for n in house.table.play.names]

    run(sit)


def scanned(table: Any, panel: Panel) -> Code:
    """What the menu of a panel shows a phone."""
    fingers = table._fingers
    fingers[panel].path = BY_PHONE
    table._make_offers()
    (code,) = (part for part in table.panel(panel).parts if isinstance(part, Code))
    return code


def test_each_glass_shows_the_code_of_its_own_seat_and_no_page_of_others_does(
    tmp_path: Path,
) -> None:
    async def look() -> None:
        async with visit(tmp_path) as here:
            table = here.house.table
            one, two = scanned(table, Panel(0)), scanned(table, Panel(1))
            assert one.rows != two.rows
            assert one.private
            public = here.house.web.desk.document("public")
            assert "".join(one.rows) not in str(public).replace("'", "").replace(", ", "")

    run(look)
