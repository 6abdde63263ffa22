"""Every phase of every game on desktop, phones and television: what axe and a ruler find."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion.events import PhonesChanged
from companion.games.api import Game
from companion.memory.records import find
from tests.games.shelf import SHELF, tables, walk
from tests.web.house import FIVE_SEATS
from tests.web.test_one_screen import phone
from tests.web.test_television import lay_out
from tests.web.visit import IN_A_BROWSER, Visit, faults, run, shot, visit

pytestmark = IN_A_BROWSER

FITS = """() => ({
  high: document.documentElement.scrollHeight / innerHeight,
  wide: document.documentElement.scrollWidth - innerWidth,
})"""


class Phase(NamedTuple):
    """How a game comes to a phase: the table it is played at, and the moves before."""

    name: str
    seats: int
    options: Any
    moves: tuple[Any, ...]
    waited: int  # a seat that the table waits for


def phases(game: Game[Any], prompts: bool) -> Iterator[Phase]:
    """The first moment of each phase, or of each prompt of each, in walks over every option."""
    found = set()
    for _, seats, options in tables(game):
        moves: list[Any] = []
        for moment in walk(game, seats, options, seed=0):
            state, waiting = moment.state, game.waiting(moment.state)
            asked = waiting.why.template if waiting and prompts else ""
            name = f"{state.phase} {asked}".strip()
            if not waiting.chance and name not in found:
                found.add(name)
                waited = waiting.dice.by if waiting.dice and waiting.dice.by else waiting.seats
                yield Phase(name, seats, options, tuple(moves), next(iter(waited), 0))
            moves.append(moment.action)


async def look(folder: Path, game: Game[Any], prompts: bool) -> list[str]:
    """What is wrong on any page in any phase; each page stays open, as it would at a table."""
    some = list(phases(game, prompts))
    games = [lay_out(folder, game, one.seats, list(one.moves), one.options) for one in some]
    wrong: list[str] = []
    async with visit(folder, FIVE_SEATS.format(language="en"), game) as here:
        calm = {"reduced_motion": "reduce"}
        phones = [await english(here, 0), await japanese(here, 1), await english(here, 2)]
        board = await here.page("/board", viewport={"width": 1920, "height": 1080}, **calm)
        desk = await here.page("/", viewport={"width": 1366, "height": 768}, **calm)
        for turn, (one, number) in enumerate(zip(some, games, strict=True)):
            await stand_at(here, number)
            own = min(one.waited, 2)
            pages = {"called": phones[own], "other": phones[own - 1], "board": board, "table": desk}
            for at, (name, page) in enumerate(pages.items()):
                said = f"{game.key} {one.name}, {name}"
                await reached(page, here)
                seen = await page.evaluate(FITS)
                if seen["high"] > (1.5 if name in ("called", "other") else 1) or seen["wide"] > 0:
                    wrong.append(f"{said}: {seen}")
                if prompts or turn % len(pages) == at:  # axe takes its time: one page each in turn
                    wrong += [f"{said}: {fault}" for fault in await faults(page)]
                if prompts:
                    await shot(page, f"phase-{game.key}-{turn:02}-{name}")
    return wrong


async def english(here: Visit, seat: int) -> Any:
    return await phone(here, seat, color_scheme="light", reduced_motion="reduce")


async def japanese(here: Visit, seat: int) -> Any:
    page = await phone(here, seat, color_scheme="dark", reduced_motion="reduce")
    cookie = {"name": "companion_language", "value": "ja", "url": here.house.address}
    await page.context.add_cookies([cookie])
    await page.reload()
    return page


async def stand_at(here: Visit, number: int) -> None:
    """Lay another game of the journal on the table, with all pages open."""
    play = here.house.table.play
    play._restore(find(here.house.journal, number))
    here.house.daemon.emit(PhonesChanged())
    await here.house.daemon.settled()


async def reached(page: Any, here: Visit) -> None:
    """Until the page has drawn what the table shows."""
    entry = here.house.table.play.entry
    await page.wait_for_function("(now) => document.body.dataset.entry === now", arg=entry)
    await page.evaluate("() => new Promise((go) => requestAnimationFrame(() => setTimeout(go)))")


@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_no_page_has_a_serious_fault_in_any_phase(tmp_path: Path, game: Game[Any]) -> None:
    async def every() -> None:
        assert await look(tmp_path, game, prompts=False) == []

    run(every)


@pytest.mark.soak
@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_no_page_has_a_serious_fault_at_any_prompt(tmp_path: Path, game: Game[Any]) -> None:
    async def every() -> None:
        assert await look(tmp_path, game, prompts=True) == []

    run(every)
