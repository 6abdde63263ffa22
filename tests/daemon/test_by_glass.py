"""A whole game by people who see nothing but their glasses, through gpiozero's mock pins."""

from __future__ import annotations

import asyncio
import random
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from companion.events import Key
from companion.games import SHELF
from companion.games.api import Game
from hardware.glass import letters
from tests.daemon.house import House, open_house
from tests.hardware import ocr
from tests.patience import within
from tests.rig.recording import NOTHING, lit_rows

AWAY = ("Enter by hand", "Take back", "Undo", "Is this so in your box", "No longer", "Let")
MOST = 6_000  # presses of a game


class Person:
    """Looks at one glass of 128 x 64 and presses four buttons; knows no rule and no state."""

    def __init__(self, house: House, panel: int, chance: random.Random) -> None:
        self.house, self.panel, self.chance = house, panel, chance
        self.presses = 0

    def glass(self) -> Image.Image:
        return self.house.devices.glass[("one", "two")[self.panel]]()

    def says(self) -> str:
        return " ".join(ocr.read(self.glass()))

    async def press(self, key: Key) -> bool:
        """Does the glass answer?"""
        before = self.glass().tobytes()
        with suppress(TimeoutError):  # a machine too busy to hear it: a person presses again
            await asyncio.wait_for(self.house.press(self.panel, key), within(20))
        self.presses += 1
        return self.glass().tobytes() != before

    async def acts(self) -> bool:
        """Decide, turn a page or throw, as the glass says; False: it asks for nothing."""
        if lit_rows(self.glass()) is not NOTHING:
            return await self._decides()
        if asked := re.match(r"Throw ((\d+ (black|white|blue)[, ]*)+)", self.says()):
            wanted = self.house.table.watched.wanted
            assert wanted is not None
            assert sum(map(int, re.findall(r"\d+", asked[1]))) == len(wanted.bodies)
            await self.house.throw()
            await self.house.daemon.settled()
            return True
        return await self.press("select")

    async def _decides(self) -> bool:
        key: Key = self.chance.choice(("next", "previous"))
        for _ in range(self.chance.randrange(6)):
            await self.press(key)
        for _ in range(12):
            marked = lit_rows(self.glass())
            if marked is NOTHING or not "".join(ocr.read(marked)[:1]).startswith(AWAY):
                break
            await self.press("next")
        return await self.press("select")


async def played(house: House, seed: int) -> list[Person]:
    """Two people sit down and press until their glasses tell the end."""
    for label in ("Join", "Start"):
        await house.choose(0, label)
        if label == "Join":
            await house.choose(1, label)
    chance = random.Random(seed)
    people = [Person(house, panel, chance) for panel in (0, 1)]
    while not house.table.play.over and sum(one.presses for one in people) < MOST:
        if not any([await one.acts() for one in chance.sample(people, 2)]):
            await house.wait()
    assert house.table.play.over, [one.says() for one in people]
    for one in people:  # and read how it came to that
        while house.table.panel(one.panel).leaf is not None:
            await one.press("select")
    return people


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Heads, texts and consequences that end within a word. Captions and rows may: a row that is
    cut stands whole beneath."""
    found: set[str] = set()

    def shortened(said: str, size: int, room: int) -> str:
        shown = short(said, size, room)
        found.update({said} - {shown})
        return shown

    short = letters.shortened
    monkeypatch.setattr(letters, "shortened", shortened)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_two_play_a_whole_game_by_their_glasses_alone(
    tmp_path: Path, game: Game[Any], cut: set[str]
) -> None:
    async def evening() -> None:
        async with open_house(tmp_path, game=game) as house:
            for one in await played(house, seed=3):
                assert re.search("win|lose|draw|lost|won|over|falls|fell", one.says()), one.says()

    asyncio.run(evening())
    assert cut == set()
