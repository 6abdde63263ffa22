"""One person opens the page, gives the other seats to the companion, and plays to the end."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from companion.bots.shelf import GAMES, players
from companion.events import ButtonPressed
from companion.games.api import Game
from tests.web.house import FIVE_SEATS, PageHouse
from tests.web.test_browser import pick
from tests.web.test_one_screen import phone
from tests.web.visit import IN_A_BROWSER, Visit, run, shot, visit

pytestmark = IN_A_BROWSER

ALONE = FIVE_SEATS.format(language="en").replace("[table]", "[table]\npace = 0\nthinks = 0")
PREVIOUS, NEXT, SELECT, BACK = "qwer"
BY_HAND = 15  # decisions of a long game, before the companion takes over for the rest
LONG = ("swordcrafters", "hack", "sainome")
MOST = 2_000  # presses


class Alone:
    """Somebody at the keyboard of the virtual table, who sits at the first panel."""

    def __init__(self, here: Visit, page: Any) -> None:
        self.page, self.house = page, here.house
        self.presses = 0
        self._chance = random.Random(4)

    @property
    def labels(self) -> list[str]:
        view = self.house.table.panel(0)
        return [choice.label.show(view.names) for choice in view.choices]

    async def press(self, key: str) -> None:
        """A key, until the table has heard it and every glass shows what came of it."""
        self.presses += 1
        assert self.presses < MOST, "it does not end"
        self.house.daemon.events.clear()
        await self.page.keyboard.press(key)
        await self.house.daemon.hears(ButtonPressed)

    async def choose(self, label: str) -> None:
        """Walk to the choice that begins like this, and take it."""
        while self.house.table.panel(0).leaf is not None:
            await self.press(SELECT)
        at = next(n for n, shown in enumerate(self.labels) if shown.startswith(label))
        if self.house.table.panel(0).page is not None:
            await self.press(SELECT)
        while self.house.table.panel(0).cursor != at:
            await self.press(NEXT)
        await self.press(SELECT)

    async def leave_it_to_the_companion(self) -> None:
        """Out of whatever is open, into the menu, and away."""
        while self.house.table.menu(0) is not True or "Leave my seat" not in self.labels:
            await self.press(BACK)
        await self.choose("Leave my seat")
        await self.choose("Companion, ")

    async def plays(self, decisions: int) -> None:
        """What most people want, now and then something else; dice as they are asked for."""
        table = self.house.table
        for _ in range(decisions):
            if table.play.over:
                return
            await answered(self.house)
            if table.watched.wanted is not None and not table.play.over:
                await self.house.throw()
                await self.house.daemon.settled()
            elif not table.play.over:
                for _ in range(self._chance.choice((0, 0, 0, 1, 2))):
                    await self.press(NEXT)
                await self.press(SELECT)


async def answered(house: PageHouse) -> None:
    """Until the companion has decided whatever is its to decide."""
    await house.daemon.settled()
    while house.table.company.turn() is not None or house.table.company.throws:
        house.daemon.heard.clear()
        await house.daemon.heard.wait()
        await house.daemon.settled()


async def opened(here: Visit, game: Game[Any]) -> Alone:
    """The page is open, the other seat is given away, the game has begun."""
    alone = Alone(here, await here.page("/", viewport={"width": 1280, "height": 800}))
    await alone.page.wait_for_selector(".panel")
    await alone.choose("Join")
    await alone.choose("Invite the companion")
    if "Start" not in alone.labels:
        await alone.choose("Play without cardboard")
    await alone.choose("Start")
    assert here.house.table.play.line.game.key == game.key
    assert len(here.house.table.play.company) == 1
    return alone


async def sees_the_end(alone: Alone, game: Game[Any]) -> None:
    """The page shows how it ended."""
    assert alone.house.table.play.over
    await alone.page.wait_for_selector(".ending")
    await shot(alone.page, f"alone-{game.key}")


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_one_person_plays_with_the_companion_to_the_end(tmp_path: Path, game: Game[Any]) -> None:
    """A long game is left to the companion after a while, and the seat taken back at its end."""

    async def play() -> None:
        async with visit(tmp_path, ALONE, game, players) as here:
            alone = await opened(here, game)
            await alone.plays(BY_HAND if game.key in LONG else MOST)
            if not here.house.table.play.over:
                await alone.leave_it_to_the_companion()
                await answered(here.house)
                await alone.choose("Take Red's seat")
            await sees_the_end(alone, game)
            await alone.choose("Play again")
            assert here.house.table.play.in_lobby
            assert "Start" in alone.labels

    run(play)


def test_by_phone_the_companion_is_invited_with_a_tap_and_the_television_shows_it(
    tmp_path: Path,
) -> None:
    async def play() -> None:
        async with visit(tmp_path, ALONE, GAMES["kiriai"], players) as here:
            red = await phone(here, 0)
            for label in ("Join", "Invite the companion", "Start"):
                await pick(red, label)
            board = await here.page("/board", viewport={"width": 1280, "height": 720})
            await board.get_by_role("listitem").filter(has_text="Companion").first.wait_for()
            await red.get_by_text("Companion has chosen").first.wait_for()
            await shot(red, "alone-phone")
            await shot(board, "alone-board")

    run(play)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_one_person_plays_every_move_of_his_own_to_the_end(tmp_path: Path, game: Game[Any]) -> None:
    async def play() -> None:
        async with visit(tmp_path, ALONE, game, players) as here:
            alone = await opened(here, game)
            await alone.plays(MOST)
            await sees_the_end(alone, game)
            print(f"{game.key}: {alone.presses} presses")

    run(play)
