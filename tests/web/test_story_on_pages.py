"""What a move led to and how it ended, as a person sees it on phone, board and virtual table."""

from __future__ import annotations

from pathlib import Path

from tests.web.house import VIRTUAL
from tests.web.test_browser import go_on, pick, plan, start
from tests.web.visit import IN_A_BROWSER, PHONE, faults, run, shot, visit

pytestmark = IN_A_BROWSER

TELEVISION = {"width": 1920, "height": 1080}
COUNTED = """() => {
  globalThis.values = [];
  new MutationObserver(() => {
    const shown = document.querySelector(".meter.changed .value");
    if (shown) values.push(shown.textContent);
  }).observe(document.querySelector(".parts"), { childList: true, subtree: true });
}"""  # what stands in a number while it changes


def test_what_a_move_led_to_stands_on_top_everywhere_and_the_end_is_a_picture(
    tmp_path: Path,
) -> None:
    async def play() -> None:
        async with visit(tmp_path, VIRTUAL) as here:
            blue = await here.seated(0, "/?as=phone", **PHONE)
            red = await here.seated(1, "/?as=phone", **PHONE, reduced_motion="reduce")
            board = await here.page("/board", viewport=TELEVISION)
            table = await here.page("/", viewport={"width": 1366, "height": 768})
            await start(blue, red)
            for page in (blue, red):
                await page.evaluate(COUNTED)
            await plan(blue, "Charge", "High Strike")
            await plan(red, "Retreat", "Low Strike")
            for page in (blue, red, board):
                await page.locator(".story .weight-2", has_text="Blue Charge").wait_for()
                row = page.locator(".log > li").first
                told = await row.locator(".beat", has_text="Blue: 1 to 3").text_content()
                assert told is not None
                assert "K-R18" in (await row.text_content() or "")
            await table.locator(".telling .beat", has_text="Blue Charge").wait_for()
            await go_on(red)
            for page in (blue, red):
                await page.locator(".meter.changed", has_text="Red").wait_for()
                assert await page.locator(".meter.changed .by").text_content() == "+1"
            await blue.wait_for_function("() => values.at(-1) === '1 / 2'")
            assert (await blue.evaluate("values"))[0] == "0 / 2"  # it moves …
            assert set(await red.evaluate("values")) == {"1 / 2"}  # … unless that was not wanted
            await plan(blue, "Charge", "Balanced Strike")
            await plan(red, "Change Stance", "High Strike")
            await go_on(blue)
            for page, won in ((blue, "You win!"), (red, "You lose."), (board, "Blue: won!")):
                end = page.locator(".ending")
                await end.get_by_text(won).wait_for()
                assert await end.locator(".why").text_content() == "Red is defeated"
                score = end.locator(".score.blue.winner")
                assert "High Strike, round 1 1" in (await score.text_content() or "")
                assert await page.locator(".story", has_text="Red is defeated").count() == 0
            await table.locator(".ending").wait_for()
            box = await blue.locator(".ending").bounding_box()
            again = await blue.locator(".choice", has_text="Play again").bounding_box()
            assert 0 < box["y"] < box["y"] + box["height"] < again["y"]  # both are in sight
            await shot(blue, "phone-end")
            await shot(board, "board-end")
            await shot(table, "table-end")
            assert [await faults(page) for page in (blue, board, table)] == [[], [], []]

    run(play)


STUB = """
  globalThis.uttered = [];
  Object.defineProperty(globalThis, "speechSynthesis", {
    value: { speak: (one) => uttered.push([one.text, one.lang]), cancel: () => {} },
  });
"""


def test_each_phone_reads_and_hears_in_its_own_language_and_each_beat_once(tmp_path: Path) -> None:
    async def play() -> None:
        async with visit(tmp_path) as here:
            blue = await here.seated(0, **PHONE)
            red = await here.seated(1, **PHONE)
            await red.get_by_label("Language").select_option("ja")
            await red.locator("html[lang=ja]").wait_for()
            await red.add_init_script(STUB)
            await red.reload()
            await red.locator(".heard").click()
            assert await red.get_attribute("#spoken", "aria-live") == "off"
            assert await blue.get_attribute("#spoken", "aria-live") == "polite"
            await pick(blue, "Join")
            await red.locator(".choice").first.click()
            await pick(blue, "Start")
            await blue.get_by_role("heading", name="Round 1").wait_for()
            for label in ("後退", "下段斬り", "作戦を封じる"):
                await pick(red, label)
            await plan(blue, "Charge", "High Strike")
            beat = red.locator(".story .weight-2")
            await beat.wait_for()
            said = await beat.locator("span").first.text_content()
            uttered = await red.evaluate("uttered")
            assert [lang for text, lang in uttered if said in text] == ["ja"]
            assert ["あなたの番です。", "ja"] in uttered
            await red.reload()  # and whoever comes back is not told it all again
            await red.locator(".story .weight-2").wait_for()
            assert await red.evaluate("uttered") == []
            await blue.locator(".story .weight-2", has_text="Blue Charge").wait_for()

    run(play)
