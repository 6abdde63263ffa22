"""A whole game by people who see nothing but their glasses of 128 x 64, with four buttons each."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any, cast

import pytest
from PIL import Image

from companion.events import Body, CharacterDie, DiceSettled, Key, SeenDie
from companion.games import SHELF
from companion.games.api import Game
from hardware.glass import draw, letters
from tests.hardware import ocr
from tests.rig.recording import NOTHING, lit_rows
from tests.table.desk import Desk

AWAY = ("Enter by hand", "Take back", "Undo", "Is this so in your box", "No longer", "Let")
MOST = 6_000  # presses of a game


class Person:
    """Looks at one glass and presses what it offers; knows no rule and no state."""

    def __init__(self, desk: Desk, panel: int, chance: random.Random) -> None:
        self.desk, self.panel, self.chance = desk, panel, chance
        self.presses = 0

    def glass(self) -> Image.Image:
        return draw.image(self.desk.table.view(("one", "two")[self.panel]))

    def press(self, key: Key) -> bool:
        """Does the glass answer?"""
        before = self.glass().tobytes()
        self.desk.press(self.panel, key)
        self.presses += 1
        return self.glass().tobytes() != before

    def acts(self) -> bool:
        """Decide, turn a page or throw, as the glass says; False: it asks for nothing."""
        seen = self.glass()
        if lit_rows(seen) is not NOTHING:
            return self._decides()
        said = " ".join(ocr.read(seen))
        if asked := re.match(r"Throw ((\d+ (black|white|blue)[, ]*)+)", said):
            self._throws(re.findall(r"(\d+) (black|white|blue)", asked[1]))
            return True
        return self.press("select")

    def _decides(self) -> bool:
        key: Key = self.chance.choice(("next", "previous"))
        for _ in range(self.chance.randrange(6)):
            self.press(key)
        for _ in range(12):
            marked = lit_rows(self.glass())
            if marked is NOTHING or not "".join(ocr.read(marked)[:1]).startswith(AWAY):
                break
            self.press("next")
        return self.press("select")

    def _throws(self, asked: list[tuple[str, str]]) -> None:
        """So many dice of each colour as the glass says; what was kept lies as it lay."""
        table = self.desk.table
        wanted = table.watched.wanted
        assert wanted is not None
        lies = [(die.body, die.value, False) for die in wanted.kept]
        thrown = [(body, self.chance.randrange(1, 7)) for n, body in asked for _ in range(int(n))]
        lies += [(body, value, True) for body, value in thrown]
        dice = tuple(
            SeenDie(value, cast(Body, body), 1.0, (60.0 * n, 60.0), 40.0, moved=moved, track=n)
            for n, (body, value, moved) in enumerate(lies)
        )
        number = table.play.line.seq + 1
        blue = [value for body, value in thrown if body == "blue"]
        for who, value in zip(wanted.characters, blue, strict=False):
            table.handle(CharacterDie(who, "rolling", 0, number))
            table.handle(CharacterDie(who, "rest", value, number + 1))
        table.handle(DiceSettled(dice, number, accepted=True))


def played(folder: Path, game: Game[Any], seed: int) -> list[Person]:
    """Two people sit down and press until their glasses tell the end."""
    desk = Desk(folder, shelf={game.key: game}, seed=seed)
    desk.start()
    chance = random.Random(seed)
    people = [Person(desk, panel, chance) for panel in (0, 1)]
    while not desk.table.play.over and sum(one.presses for one in people) < MOST:
        acted = [one.acts() for one in chance.sample(people, 2)]
        if not any(acted):
            desk.wait()
    assert desk.table.play.over, [ocr.read(one.glass()) for one in people]
    desk.wait()
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
    people = played(tmp_path, game, seed=3)
    for one in people:
        said = " ".join(ocr.read(one.glass()))
        assert re.search("win|lose|draw|lost|won|over|falls", said), said
    assert cut == set()
