"""Somebody who knows none of the games plays to the end by what the pages offer."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from companion.games.api import Game
from tests.games.shelf import SHELF, walk
from tests.web.house import FIVE_SEATS
from tests.web.test_one_screen import phone
from tests.web.test_television import SEEN, lay_out
from tests.web.visit import IN_A_BROWSER, faults, run, shot, visit

pytestmark = IN_A_BROWSER

LATE = 8  # moves before the end, where a game is taken up: an evening takes a browser minutes
TAP = """async (share) => {
  const found = (which) => [...document.querySelectorAll(which)];
  const here = found(".hand .choice:not(.barred, .leaves), .parts button:not(.word), .cell.tap");
  const all = here.length ? here : found(".hand .choice.leaves"); // else the way back
  const over = Boolean(document.querySelector(".ending"));
  const seen = {
    taps: over ? 0 : all.length, letters: document.querySelector("#main").innerText.length,
    high: document.documentElement.scrollHeight / innerHeight,
    wide: document.documentElement.scrollWidth - innerWidth, covered: "", said: "",
  };
  if (!seen.taps) return seen;
  const first = all.find((one) => one.closest(".hand")) ?? all[0]; // what most people want
  const one = share < 0.5 ? first : all[Math.floor((2 * share - 1) * all.length)];
  one.scrollIntoView({ block: "nearest" });
  const box = one.getBoundingClientRect();
  const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  if (!one.contains(hit)) seen.covered = one.outerHTML;
  seen.said = one.innerText || one.ariaLabel;
  one.click();
  while (document.body.dataset.busy === "yes") await new Promise((go) => setTimeout(go, 5));
  return seen;
}"""


class Stranger:
    """A person with a phone who taps whatever is offered."""

    def __init__(self, page: Any, name: str, chance: random.Random) -> None:
        self.page, self.name, self._chance = page, name, chance
        self._most = 0
        self.stumbled: list[str] = []

    async def tap(self) -> bool:
        """Tap something; False if nothing is offered."""
        seen = await self.page.evaluate(TAP, self._chance.random())
        if seen["high"] > 1.5 or seen["wide"] > 0 or seen["covered"]:
            self.stumbled.append(f"{self.name}: {seen}")
            await shot(self.page, f"stumbled-{self.name}")
        if seen["taps"] > 2 and seen["letters"] > 1.1 * self._most:
            self._most = seen["letters"]
            await shot(self.page, f"busy-{self.name}")
        return bool(seen["taps"])


@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_a_stranger_plays_to_the_end_by_what_the_pages_offer(
    tmp_path: Path, game: Game[Any]
) -> None:
    moves = [moment.action for moment in walk(game, 2, game.options(), seed=2)]
    play(tmp_path, game, moves[: -LATE - 1], longest=300)


@pytest.mark.soak
@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_a_stranger_plays_a_whole_evening_by_what_the_pages_offer(
    tmp_path: Path, game: Game[Any]
) -> None:
    play(tmp_path, game, [], longest=8_000)


def play(folder: Path, game: Game[Any], moves: list[Any], longest: int) -> None:
    """Two phones, one of them Japanese and dark; the television and the virtual table follow."""

    async def evening() -> None:
        lay_out(folder, game, 2, moves)
        async with visit(folder, FIVE_SEATS.format(language="en"), game) as here:
            table = here.house.table
            blue = await phone(here, 0, color_scheme="light", reduced_motion="reduce")
            red = await phone(here, 1, color_scheme="dark", reduced_motion="reduce")
            cookie = {"name": "companion_language", "value": "ja", "url": here.house.address}
            await red.context.add_cookies([cookie])
            await red.reload()
            board = await here.page("/board", viewport={"width": 1280, "height": 720})
            desk = await here.page("/", viewport={"width": 1366, "height": 768})
            chance = random.Random(game.key)
            two = [Stranger(p, f"{game.key}-{n}", chance) for n, p in (("en", blue), ("ja", red))]
            taps = 0
            while not table.play.over and taps < longest:
                tapped = [await one.tap() for one in two]
                taps += sum(tapped)
                if not any(tapped):
                    await blue.wait_for_timeout(30)
            assert table.play.over, taps
            for page, name in ((blue, "en"), (red, "ja"), (board, "board"), (desk, "table")):
                await page.locator(".ending").wait_for()
                await shot(page, f"end-{game.key}-{name}")
            assert (await board.evaluate(SEEN))["cut"] == 0
            assert [one.stumbled for one in two] == [[], []]
            assert [await faults(page) for page in (blue, red, board, desk)] == [[]] * 4
            here.troubles = [one for one in here.troubles if "409" not in one]  # both at once

    run(evening)
