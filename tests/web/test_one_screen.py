"""The phone in the busiest turn of every game: what stands there, and what is tapped where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games import SHELF
from companion.games.api import Game
from companion.games.sao import SAO
from companion.games.swordcrafters import SWORDCRAFTERS
from companion.memory.codec import view_to_json
from companion.words import Panel, Text
from tests.games.shelf import walk
from tests.patience import within
from tests.web.house import FIVE_SEATS
from tests.web.test_television import lay_out
from tests.web.visit import IN_A_BROWSER, PHONE, Visit, faults, run, shot, visit

pytestmark = IN_A_BROWSER

IN_SIGHT = """() => {
  const hand = document.querySelector(".hand").getBoundingClientRect();
  const seen = (one) => one.getBoundingClientRect().bottom <= hand.top + 1;
  return {
    high: document.documentElement.scrollHeight / innerHeight,
    wide: document.documentElement.scrollWidth,
    hand: hand.bottom <= innerHeight + 1 && hand.height < 0.62 * innerHeight,
    numbers: [...document.querySelectorAll(".parts > .meter")].filter((one) => !seen(one)).length,
    buttons: document.querySelectorAll(".hand .choice, .parts button:not(.word)").length,
  };
}"""


def busiest(game: Game[Any], seats: int, drawn: str = "") -> tuple[list[Any], int]:
    """The moves up to the turn with most to read and choose, and whose it is."""
    moments = list(walk(game, seats, game.options(), seed=1))

    def weight(at: int, seat: int) -> int:
        told = view_to_json(game.view(moments[at].state, seat), Text.show)
        if drawn and not any((one["drawn"] or [""])[0] == drawn for one in told["choices"]):
            return 0
        return len(str(told["parts"])) + 60 * len(told["choices"])

    turns = [(n, seat) for n, one in enumerate(moments) for seat in game.waiting(one.state).seats]
    at, seat = max(turns, key=lambda turn: weight(*turn))
    return [moment.action for moment in moments[:at]], seat


async def phone(here: Visit, seat: int, **options: Any) -> Any:
    claims = here.house.web.claims
    token = claims.claim(Panel(seat), claims.code(Panel(seat)), "here")
    context = await here.browser.new_context(**PHONE, **options)
    cookie = {"name": "companion_seat", "value": token, "url": here.house.address}
    await context.add_cookies([cookie])
    page = await context.new_page()
    page.set_default_timeout(within(60_000))
    page.on("pageerror", lambda error: here.troubles.append(str(error)))
    await page.goto(here.house.address + "/?as=phone")
    await page.locator(".own-seat .title:not(:empty)").wait_for()
    return page


@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_busiest_turn_fits_a_phone_with_every_number_in_sight(
    tmp_path: Path, game: Game[Any], language: str
) -> None:
    moves, seat = busiest(game, max(game.seats))

    async def look() -> None:
        lay_out(tmp_path, game, max(game.seats), moves)
        async with visit(tmp_path, FIVE_SEATS.format(language=language), game) as here:
            page = await phone(here, seat, color_scheme="light" if language == "en" else "dark")
            seen = await page.evaluate(IN_SIGHT)
            offered = len(here.house.table.panel(Panel(seat)).choices)
            assert seen["high"] <= 1.5, seen
            assert seen["wide"] <= 390
            assert seen["hand"]
            assert seen["numbers"] == 0
            assert seen["buttons"] == offered  # each choice once, wherever it is drawn
            hands = page.locator(".cards", has_text="Your hand")
            assert await hands.count() == 0 or game.key not in ("kiriai", "hack", "sainome")
            await shot(page, f"busiest-{game.key}-{language}")
            assert await faults(page) == []

    run(look)


def test_a_die_and_a_group_of_tiles_are_chosen_where_they_are_drawn(
    tmp_path: Path,
) -> None:
    async def tap(game: Game[Any], kind: str, target: str) -> None:
        folder = tmp_path / kind
        folder.mkdir()
        moves, seat = busiest(game, max(game.seats), kind)
        lay_out(folder, game, max(game.seats), moves)
        async with visit(folder, FIVE_SEATS.format(language="en"), game) as here:
            page = await phone(here, seat)
            await shot(page, f"tap-{kind}")
            before = here.house.table.play.entry
            await page.locator(target).first.click()
            await page.wait_for_function("() => document.body.dataset.busy === 'no'")
            assert here.house.table.play.entry != before

    async def play() -> None:
        await tap(SAO, "die", ".dice .tap")
        await tap(SWORDCRAFTERS, "group", ".cell.tap")

    run(play)


def test_a_space_of_the_battlefield_is_chosen_where_it_is_drawn(tmp_path: Path) -> None:
    async def place() -> None:
        async with visit(tmp_path, FIVE_SEATS.format(language="en")) as here:
            page = await phone(here, 0)
            table = here.house.table
            for label in ("Join", "Battlefield"):
                await here.house.choose(0, label)
            await here.house.choose(1, "Join")
            await here.house.choose(1, "Start")
            space = page.locator(".track .space .chip").first
            await space.wait_for()
            await shot(page, "tap-space")
            before = table.play.entry
            await space.click()
            await page.wait_for_function("() => document.body.dataset.busy === 'no'")
            assert table.play.entry != before
            assert await faults(page) == []

    run(place)


def test_the_same_tap_unpicks_a_die_and_what_was_folded_away_is_there_once(tmp_path: Path) -> None:
    moves, seat = busiest(SAO, 4, "die")

    async def tap() -> None:
        lay_out(tmp_path, SAO, 4, moves)
        async with visit(tmp_path, FIVE_SEATS.format(language="en"), SAO) as here:
            page = await phone(here, seat)
            drawn = page.locator(".own-seat .parts > *")
            before = await drawn.count()
            die = page.locator(".dice .tap").first
            called = await die.get_attribute("aria-label") or ""
            other = "Pick" if called.startswith("Not") else "Not"
            for said in (other, called.split()[0], other):
                await die.click()
                await page.locator(f".dice :nth-child(1 of .tap)[aria-label^='{said}']").wait_for()
            assert await drawn.count() <= before

    run(tap)
