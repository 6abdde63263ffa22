"""The pages in a real browser: a whole duel, a reload, a dropped network, a phone, axe."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from companion.events import CameraTold, DiceNudged, DiceSettled
from companion.eye.calibration_file import NAME
from tests.games.pig import PIG
from tests.web.house import FIVE_SEATS, VIRTUAL, WITH_EYE, Browser
from tests.web.visit import IN_A_BROWSER, PHONE, faults, playwright, run, shot, visit

pytestmark = IN_A_BROWSER

LISTENING = """() => {
  globalThis.heard = [];
  const region = document.querySelector("#spoken");
  const hear = () => heard.push(region.textContent);
  new MutationObserver(hear).observe(region, { childList: true, characterData: true });
}"""  # what a screen reader would speak, sentence by sentence

CROWDED = """() => {
  document.querySelector(".tray").dataset.eye = "twin";
  const dice = document.querySelector(".characters");
  dice.hidden = false;
  const die = "<li><svg class='die blue'></svg><span>Lisbeth</span></li>";
  dice.innerHTML = die.repeat(6);
}"""  # the tray and the character dice as they stand on the virtual table

HIDDEN = """() => [...document.querySelectorAll(".key, .glass, .roll, .tool, .characters .die")]
  .filter((one) => {
    const box = one.getBoundingClientRect();
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    return box.bottom > innerHeight || !one.contains(document.elementFromPoint(x, y));
  }).map((one) => one.outerHTML)"""  # what is cut off, or lies under something else


async def pick(page: Any, label: str) -> None:
    """Press the choice that begins with this, and wait until the page shows another offer."""
    button = page.locator(".hand .choice", has_text=re.compile(f"^{label}")).first
    await button.click()
    await page.wait_for_function("() => document.body.dataset.busy !== 'yes'")


async def go_on(page: Any) -> None:
    """Press it, unless the table was quicker: what has one answer goes by itself."""
    with suppress(playwright.TimeoutError):
        await page.locator(".hand .choice", has_text=re.compile("^Go on")).click(timeout=4000)
    await page.wait_for_function("() => document.body.dataset.busy !== 'yes'")


async def start(blue: Any, red: Any) -> None:
    await pick(blue, "Join")
    await pick(red, "Join")
    await pick(blue, "Start")
    for page in (blue, red):
        await page.get_by_role("heading", name="Round 1").wait_for()


async def plan(page: Any, *labels: str) -> None:
    for label in (*labels, "Seal"):
        await pick(page, label)


def test_two_phones_play_a_whole_duel_and_the_television_follows(tmp_path: Path) -> None:
    async def play() -> None:
        async with visit(tmp_path) as here:
            blue = await here.seated(0, **PHONE, color_scheme="dark")
            red = await here.seated(1, **PHONE, color_scheme="light")
            board = await here.page(
                "/board", viewport={"width": 1280, "height": 720}, color_scheme="dark"
            )
            await start(blue, red)
            await shot(blue, "seat")
            await plan(blue, "Charge", "High Strike")
            await blue.get_by_text(re.compile("Red|wait", re.IGNORECASE)).first.wait_for()
            assert "Charge" not in await board.inner_text("main")
            await plan(red, "Retreat", "Low Strike")
            await board.get_by_text("Charge").first.wait_for()
            await shot(board, "board")
            await shot(red, "seat-light")
            await go_on(red)
            await plan(blue, "Charge", "Balanced Strike")
            await plan(red, "Change Stance", "High Strike")
            await go_on(blue)
            await blue.locator("h2", has_text="You win!").wait_for()
            await red.locator("h2", has_text="You lose.").wait_for()
            await board.locator(".ending .won", has_text="Blue: won!").wait_for()
            assert not await board.locator(".waiting").is_visible()  # nobody is waited for
            await shot(blue, "seat-won")
            past = await here.page("/history", viewport={"width": 1280, "height": 860})
            await past.get_by_role("button", name=re.compile("Kiri-ai")).click()
            await past.get_by_role("button", name="Step back").click()
            await past.get_by_role("button", name="Check the box").click()
            await past.locator(".checks", has_text="The box kept its word.").wait_for()
            code = here.house.table.play.binding.code  # whole: of this game, and on the table now
            assert (await past.inner_text("main")).count(code) == 2
            await past.get_by_label("Through whose eyes").select_option(label="Red")
            await past.locator(".chart").first.wait_for()
            await shot(past, "history")

    run(play)


def test_a_reload_and_a_dropped_network_in_mid_turn_lose_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        async with visit(tmp_path) as here:
            blue, red = await here.seated(0, **PHONE), await here.seated(1, **PHONE)
            await start(blue, red)
            await pick(blue, "Charge")
            await blue.reload()
            await pick(blue, "High Strike")
            await red.context.set_offline(True)
            here.house.web.feeds.drop()
            await red.locator("#live", has_text="stale").wait_for()
            await pick(blue, "Seal")
            await red.context.set_offline(False)
            await red.locator("#live", has_text=re.compile("^live$")).wait_for()
            await plan(red, "Retreat", "Low Strike")
            await go_on(red)
            await blue.get_by_role("heading", name="Round 2").wait_for()

    run(play)


def test_a_seat_that_is_signed_off_becomes_the_public_page_again(tmp_path: Path) -> None:
    async def play() -> None:
        async with visit(tmp_path) as here:
            blue = await here.seated(0, **PHONE)
            here.house.web.claims.revoke(0)
            await blue.get_by_role("heading", name="Sit down").wait_for()
            wrong = await here.page("/", **PHONE)
            await wrong.get_by_role("radio", name="Red").check()
            await wrong.get_by_label("Code on its display").fill("AAAAAA")
            here.troubles.clear()
            await wrong.get_by_role("button", name="Take the seat").click()
            await wrong.get_by_text("This is not the code").first.wait_for()
            here.troubles.clear()  # the console tells of every 403

    run(play)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_virtual_table_is_played_with_mouse_and_keys(tmp_path: Path, scheme: str) -> None:
    async def play() -> None:
        async with visit(tmp_path, VIRTUAL) as here:
            page = await here.page(
                "/", viewport={"width": 1360, "height": 900}, color_scheme=scheme
            )
            await page.locator(".panel .lamp.lit").first.wait_for()
            own = here.house.devices.glass["one"]
            await page.get_by_text("You are Blue: Q and W choose, E joins.").first.wait_for()
            assert await page.locator(".panel.offered").get_attribute("data-panel") == "0"
            await page.get_by_role("button", name="Blue: select").click()
            await page.locator(".own canvas[aria-label*='Blue has joined']").wait_for()
            await page.get_by_text("You are Blue.", exact=True).first.wait_for()
            assert await page.locator(".panel.offered").count() == 0
            await page.keyboard.press("o")  # select of the second panel
            await page.locator(".own canvas[aria-label*='Red has joined']").wait_for()
            await here.house.daemon.settled()
            drawn = await page.evaluate(PIXELS, "[data-panel='0'] canvas")
            picture = own()
            lit = "".join(
                "1" if picture.getpixel((x, y)) else "0" for y in range(64) for x in range(128)
            )
            assert drawn == lit
            await shot(page, f"table-{scheme}")

    run(play)


@pytest.mark.parametrize("screen", [(1440, 900), (1366, 768), (1280, 720), (1366, 625)])
def test_five_panels_and_a_tray_stand_whole_on_a_laptop(
    tmp_path: Path, screen: tuple[int, int]
) -> None:
    """Nothing is scrolled for, nothing lies under another, and a display has two dots for one."""

    async def look() -> None:
        async with visit(tmp_path, FIVE_SEATS.format(language="en")) as here:
            wide, high = screen
            page = await here.page("/", viewport={"width": wide, "height": high})
            await page.locator(".panel .lamp.lit").first.wait_for()
            await page.evaluate(CROWDED)
            assert await page.evaluate("document.documentElement.scrollHeight") <= high
            assert await page.evaluate(HIDDEN) == []
            assert await page.locator(".glass").count() == 6
            for glass in await page.locator(".glass").all():
                assert (await glass.bounding_box())["width"] >= 256

    run(look)


def test_the_camera_is_calibrated_from_the_eyes_page_to_the_end_by_keyboard_alone(
    tmp_path: Path,
) -> None:
    """Through the twin's frames, exposure and dice; what is learnt is on disk at the end."""

    async def lead() -> None:
        async with visit(tmp_path, VIRTUAL + WITH_EYE, PIG) as here:
            house = here.house
            eye = await here.page("/eye", viewport={"width": 1360, "height": 860})
            tv = await here.page("/board")
            await eye.locator(".live-tray[data-seen=yes]").wait_for()
            await eye.evaluate(LISTENING)
            talk = eye.get_by_role("region", name="Calibrating the camera")
            assert not await talk.is_visible()
            await eye.get_by_role("button", name="Recalibrate").focus()
            await eye.keyboard.press("Enter")
            await talk.get_by_text("Step 1 of 4").first.wait_for()
            await tv.get_by_text("The camera is being calibrated.").first.wait_for()
            assert await eye.evaluate("document.activeElement.textContent") == (
                "Calibrating the camera"
            )
            roll = talk.get_by_role("button", name="Roll")
            right = talk.get_by_role("button", name="Yes, rightly read")
            await talk.get_by_text("Step 3 of 4").first.wait_for()
            for _ in range(5):  # a throw that lies badly is asked for again
                house.daemon.events.clear()
                await roll.focus()
                await eye.keyboard.press("Enter")
                await house.daemon.hears(CameraTold)
                if house.table.camera.under_way and house.table.camera.under_way.step == "check":
                    break
            await talk.get_by_text("Are these the dice?").first.wait_for()
            assert await talk.locator(".die").count() == 3
            await shot(eye, "eye-calibrating")
            assert await faults(eye) == []
            await right.focus()
            await eye.keyboard.press("Enter")
            await talk.get_by_text("The camera is calibrated.").first.wait_for()
            assert (tmp_path / NAME).exists()
            said = await eye.evaluate("globalThis.heard")
            for sentence in ("Step 2 of 4", "Hands off", "Throw two or more", "is calibrated"):
                assert any(sentence in one for one in said), (sentence, said)
            await talk.get_by_role("button", name="Close").click()
            assert not await talk.is_visible()
            assert await eye.evaluate("document.activeElement.textContent") == "Recalibrate"
            here.troubles = [one for one in here.troubles if "503" not in one]  # the eye is slow

    run(lead)


def test_dice_are_thrown_in_the_browser_read_by_the_eye_dragged_and_corrected(
    tmp_path: Path,
) -> None:
    """The rendered frames go through the eye in its own process: nothing short-cuts the reading."""

    async def play() -> None:
        async with visit(tmp_path, VIRTUAL + WITH_EYE, PIG) as here:
            house, play = here.house, here.house.table.play
            async with Browser(house) as blue, Browser(house) as red:
                for panel, who in enumerate((blue, red)):
                    await who.claim(panel)
                    await who.choose(panel, "Join")
                await blue.choose(0, "Start")
            page = await here.page("/", viewport={"width": 1360, "height": 860})
            await page.locator(".roll.wanted").wait_for()
            await page.locator(".tray .live-tray[data-seen=yes]").wait_for()
            assert house.devices.eye is not None
            await house.devices.eye.alive.wait()
            house.daemon.events.clear()
            await page.keyboard.press("Space")
            await house.daemon.hears(DiceSettled)
            first = next(one for one in house.daemon.events if isinstance(one, DiceSettled))
            (die,) = first.dice
            assert (die.body, first.picture[:2]) == ("black", b"\xff\xd8")
            if first.accepted:
                assert play.line.rolls()[0].what.dice[0].value == die.value
            await page.locator(".outlines .seen text", has_text=f"{die.value}").wait_for()
            await shot(page, "table-roll")

            house.daemon.events.clear()
            box = await page.locator(".outlines .seen polygon").bounding_box()
            await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            await page.mouse.down()
            await page.mouse.move(box["x"] + box["width"] * 1.1, box["y"] + box["height"] / 2)
            await page.mouse.up()
            await house.daemon.hears(DiceNudged)  # pushed, not thrown: no roll of anybody
            assert len(play.line.rolls()) == (1 if first.accepted else 0)

            eye = await here.page("/eye", viewport={"width": 1360, "height": 860})
            await eye.locator(".readings li").wait_for()
            await eye.locator(".live-tray[data-seen=yes]").wait_for()
            await eye.get_by_role("button", name="Keep as example").click()
            await eye.get_by_text("Kept as example 1.").first.wait_for()
            assert (tmp_path / "examples" / "0001.jpg").read_bytes()[:2] == b"\xff\xd8"
            await eye.get_by_role("button", name="Correct").click()
            await shot(eye, "eye")
            other = 6 if die.value != 6 else 5
            await eye.locator(".face").nth(other - 1).click()
            await eye.get_by_text("told by hand").first.wait_for()
            if first.accepted:
                assert house.table.scene.proposal is not None
            assert await faults(page) + await faults(eye) == []
            await eye.get_by_role("button", name="Freeze").click()
            await eye.get_by_role("button", name="Go on").wait_for()
            here.troubles = [one for one in here.troubles if "503" not in one]  # the eye is slow

    run(play)


PIXELS = """(which) => {
  const canvas = document.querySelector(which);
  const data = canvas.getContext("2d").getImageData(0, 0, 128, 64).data;
  let bits = "";
  for (let at = 0; at < data.length; at += 4) bits += data[at] > 100 ? "1" : "0";
  return bits;
}"""


def test_on_a_phone_nothing_is_wider_than_the_screen_and_every_target_can_be_hit(
    tmp_path: Path,
) -> None:
    async def look() -> None:
        async with visit(tmp_path, VIRTUAL) as here:
            for path in (
                "/",
                "/?as=phone",
                "/board",
                "/eye",
                "/history",
                "/docs",
                "/health",
                "/box",
            ):
                page = await here.page(path, viewport={"width": 360, "height": 740})
                await page.locator("main > *").first.wait_for()
                assert await page.evaluate("document.documentElement.scrollWidth") <= 360, path
                small = await page.evaluate(
                    """() => [...document.querySelectorAll("main button")].filter((one) => {
                      const box = one.getBoundingClientRect();
                      return box.width && (box.height < 40 || box.width < 40);
                    }).map((one) => one.outerHTML)"""
                )
                assert small == [], path
            page = await here.page("/", **PHONE)
            await page.locator(".lamp.lit").first.wait_for()
            await shot(page, "table-phone")

    run(look)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing_serious_on_any_page(tmp_path: Path, scheme: str) -> None:
    async def look() -> None:
        async with visit(tmp_path, VIRTUAL) as here:
            async with Browser(here.house) as blue, Browser(here.house) as red:
                for panel, who in enumerate((blue, red)):
                    await who.claim(panel)
                    await who.choose(panel, "Join")
                await blue.choose(0, "Start")
            found: dict[str, list[str]] = {}
            every = (
                "/",
                "/?as=phone",
                "/board",
                "/eye",
                "/history?game=2",
                "/docs",
                "/health",
                "/box",
            )
            for path in every:
                page = await here.page(path, color_scheme=scheme)
                await page.locator("main > *").first.wait_for()
                await page.wait_for_load_state("networkidle")
                found[path] = await faults(page)
                if path == "/?as=phone":
                    await shot(page, f"public-{scheme}")
            here.house.web.claims.revoke(0)
            seat = await here.seated(0, path="/?as=phone", color_scheme=scheme)
            found["seat"] = await faults(seat)
            assert {path: said for path, said in found.items() if said} == {}

    run(look)


def test_the_first_load_weighs_less_than_150_kilobytes(tmp_path: Path) -> None:
    async def weigh() -> None:
        async with visit(tmp_path, VIRTUAL) as here:
            for path in ("/", "/board", "/eye", "/history"):
                page = await here.page(path)
                await page.wait_for_load_state("networkidle")
                weight = await page.evaluate(
                    """() => [...performance.getEntriesByType("resource"),
                      ...performance.getEntriesByType("navigation")]
                      .reduce((sum, one) => sum + one.transferSize, 0)"""
                )
                assert 5_000 < weight < 150_000, path

    run(weigh)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_table_says_what_its_signs_and_the_space_bar_do(tmp_path: Path, language: str) -> None:
    words = {
        "en": "previous next select back space bar Roll",
        "ja": "前 次 決定 戻る スペース 振る",
    }

    async def look() -> None:
        async with visit(tmp_path, FIVE_SEATS.format(language=language)) as here:
            page = await here.page("/", viewport={"width": 1280, "height": 720})
            legend = page.locator(".legend")
            await legend.wait_for()
            said = await legend.inner_text()
            assert re.sub(r"[◀▶●↩\s]+", " ", said).strip() == words[language]
            assert (await legend.bounding_box())["height"] < 40  # one line
            title = await page.locator(".key.select").first.get_attribute("title")
            assert title == f"{words[language].split()[2]} (e)"

    run(look)


def test_what_can_be_done_with_the_eye_is_seen_below_its_picture_on_a_laptop(
    tmp_path: Path,
) -> None:
    async def look() -> None:
        async with visit(tmp_path, VIRTUAL) as here:
            page = await here.page("/eye", viewport={"width": 1280, "height": 720})
            await page.locator("body[data-live=yes] .looking").wait_for()
            picture = await page.locator(".rim").bounding_box()
            button = await page.get_by_role("button", name="Freeze").bounding_box()
            assert picture["y"] + picture["height"] < button["y"] < 720 - button["height"]

    run(look)


@pytest.mark.parametrize("answer", ["no JSON", "a sentence", "nothing"])
@pytest.mark.parametrize(
    ("page", "asks"),
    [("/history", "/api/games?*"), ("/history", "/api/hello"), ("/docs", "/openapi.json")],
)
def test_a_page_that_gets_a_failed_answer_says_so(
    tmp_path: Path, page: str, asks: str, answer: str
) -> None:
    async def fail(route: Any) -> None:
        if answer == "nothing":
            await route.abort()
        elif answer == "no JSON":
            await route.fulfill(status=500, body="Internal Server Error")
        else:
            await route.fulfill(status=500, json={"detail": "the log tells why"})

    async def look() -> None:
        async with visit(tmp_path) as house:
            seen = await house.page("/board")
            await seen.route(house.house.address + asks, fail)
            await seen.goto(house.house.address + page)
            said = "the log tells why" if answer == "a sentence" else "The table does not answer."
            assert await seen.get_by_role("alert").text_content() == said
            house.troubles.clear()  # the browser tells its console, too

    run(look)
