"""The turning points of a game and an evening on one page, in a real browser, in both languages."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.bots.api import Moment, Played
from companion.bots.kiriai import bot
from companion.bots.shelf import GAMES, analyst
from companion.daemon.afterwards import Afterwards
from companion.games.api import Game
from companion.games.kiriai.state import Dealt
from companion.memory.codec import action_to_json, options_to_json, result_to_keep
from companion.memory.journal import Journal
from companion.memory.sentences import seat_names
from companion.words import SeatNo
from tests.bots.test_kiriai import player
from tests.bots.test_review import duel, now_and_then_another, quest
from tests.web.house import Browser, open_pages
from tests.web.test_api import PLANS
from tests.web.visit import CHROMIUM, PHONE, SHOTS, faults, run, visit

EVENING = 1_790_000_000.0
DRAWN = """() => {
  globalThis.drawn = [];
  const draw = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (says, ...more) {
    globalThis.drawn.push(says);
    draw.call(this, says, ...more);
  };
}"""


def keep(journal: Journal, now: list[float], game: Game[Any], played: list[Played]) -> int:
    """A game of Hanako and Jiro, ten seconds a move."""
    people = ["Hanako", "Jiro"]
    seats = [{"panel": n, "name": name} for n, name in enumerate(people)]
    options = options_to_json(played[0].before.options)
    assert isinstance(options, dict)
    number = journal.begin(game.key, game.version, seats, {**options, "mode": "hard"})
    begin = played[0].seq
    for one in played:
        now[0] += 10
        seat = getattr(one.action, "seat", None)
        journal.append(number, one.seq - begin + 1, seat, "do", action_to_json(one.action))
    result = game.result(played[-1].after)
    assert result is not None
    journal.end(number, result_to_keep(result, seat_names(game, people)))
    return number


def whole(game: Game[Any], played: list[Played]) -> list[Played]:
    """The moves with those that a helper's start has made already."""
    opened = played[0].before
    return [*_openings(game, opened), *played]


def _openings(game: Game[Any], opened: Any) -> Iterator[Played]:
    """What leads from a new game to this state: characters are chosen, specials dealt."""
    state, number = game.new(2, opened.options), 0
    while state != opened:
        number -= 1
        action: Any = None
        if game.key == "kiriai":
            action = Dealt(tuple(one.special for one in opened.fighters))
        else:
            seat = game.waiting(state).seats[0]
            able = game.legal(state, SeatNo(seat))
            action = next(one for one in able if one.character == opened.picks[seat])
        after = game.apply(state, action)
        yield Played(number, state, action, after)
        state = after


def an_evening(folder: Path) -> None:
    now = [EVENING]
    journal = Journal(folder / "journal.db", lambda: now[0])
    easy = bot("easy")
    for seed in (1, 4):
        played = duel(seed, (player(easy, seed), player(easy, -seed)))
        keep(journal, now, GAMES["kiriai"], _numbered(whole(GAMES["kiriai"], played)))
    adventure = quest(("kirito", "asuna"), 1, now_and_then_another)
    keep(journal, now, GAMES["sao"], _numbered(whole(GAMES["sao"], adventure)))
    journal.close()


def _numbered(played: list[Played]) -> list[Played]:
    return [Played(n, one.before, one.action, one.after) for n, one in enumerate(played, 1)]


@pytest.mark.slow
def test_an_ended_game_is_weighed_once_and_a_running_one_never(tmp_path: Path) -> None:
    an_evening(tmp_path)

    async def ask() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as stranger:
            asked: list[str] = []
            kept = house.web.desk.analyst

            def counted(game: Game[Any], played: Any) -> Iterator[Moment]:
                asked.append(game.key)
                return kept(game, played)

            house.web.desk.analyst = counted
            one, two = [(await stranger.get("/api/games/1/moments")).json() for _ in range(2)]
            assert one == two
            assert asked == ["kiriai"]
            assert {row["seat"] for row in one} == {0, 1}
            assert all(row["got"] <= row["best"] + 1e-9 for row in one)
            throws = (await stranger.get("/api/games/3/moments")).json()
            assert any(row["spread"] for row in throws)
            for panel in (0, 1):
                await house.choose(panel, "Join")
            await house.choose(0, "Start")
            running = await stranger.get(f"/api/games/{house.table.play.number}/moments")
            assert running.status_code == 400
            assert "still runs" in running.text

    asyncio.run(ask())


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("size", [PHONE, {"viewport": {"width": 1280, "height": 860}}],
                         ids=["phone", "laptop"])  # fmt: skip
@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_turning_points_and_an_evening_are_read_and_drawn(
    tmp_path: Path, size: dict[str, Any], language: str
) -> None:
    an_evening(tmp_path)
    name = f"{language}-{size['viewport']['width']}"

    async def look() -> None:
        async with visit(tmp_path) as here:
            page = await here.page("/health", **size)
            cookie = {"name": "companion_language", "value": language, "url": here.house.address}
            await page.context.add_cookies([cookie])
            await page.add_init_script(f"({DRAWN})()")
            for number in (1, 3):
                await page.goto(f"{here.house.address}/history?game={number}")
                await page.locator('.turning[aria-busy="false"]').wait_for()
                assert await page.locator(".turning .points button").count() > 1
                assert await page.locator(".turning circle").count() > 0
                assert await faults(page) == []
                wide = await page.evaluate("document.documentElement.scrollWidth")
                assert wide <= size["viewport"]["width"]
                await page.locator(".turning").scroll_into_view_if_needed()
                await page.locator(".turning").screenshot(path=_file(f"turning-{number}-{name}"))
            await page.locator(".turning .points button").first.click()  # leads to its step
            await page.locator(".evening button").first.click()
            draw = page.locator(".one-evening button:not(:disabled)")
            await page.evaluate("drawn.length = 0")  # axe draws, too
            await draw.click()
            await page.locator(".picture img").wait_for()
            assert not re.search("Hanako|Jiro", " ".join(await page.evaluate("drawn")))
            await page.locator("#named").check()
            await draw.click()
            await page.wait_for_function("drawn.some((says) => says.includes('Hanako'))")
            assert await faults(page) == []
            assert await page.locator(".lucky li").count() == 2
            wide = await page.evaluate("document.documentElement.scrollWidth")
            assert wide <= size["viewport"]["width"]
            await page.locator(".one-evening").screenshot(path=_file(f"evening-{name}"))
            async with page.expect_download() as got:
                await page.locator(".picture a").click()
            await (await got.value).save_as(_file(f"shared-{name}"))

    run(look)
    assert Path(_file(f"shared-{name}")).read_bytes().startswith(b"\x89PNG")


def _file(name: str) -> str:
    SHOTS.mkdir(parents=True, exist_ok=True)
    return str(SHOTS / f"{name}.png")


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_a_phone_looks_back_on_its_own_decisions_when_the_game_has_ended(tmp_path: Path) -> None:
    async def look() -> None:
        async with visit(tmp_path) as here:
            house = here.house
            house.daemon.look_on(Afterwards(house.table, house.daemon.emit, analyst))
            blue = await here.seated(0, **PHONE)
            for panel in (0, 1):
                await house.choose(panel, "Join")
            await house.choose(0, "Start")
            for first, second in PLANS:
                await house.plan(0, *first)
                await house.plan(1, *second)
                if not house.table.play.over:
                    await house.choose(1, "Go on")
            await blue.get_by_role("button", name="Turning points").click()
            await blue.get_by_text("Your best move").first.wait_for()
            assert await faults(blue) == []
            await blue.screenshot(path=_file("look-back-phone"))

    run(look)
