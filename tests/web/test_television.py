"""The board on a television: late, crowded moments of every game, read from across the room."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.events import DiceSettled, SeenDie
from companion.games import SHELF
from companion.games.api import Game, Rolled
from companion.games.swordcrafters import SWORDCRAFTERS
from companion.memory.codec import action_to_json, to_json, view_to_json
from companion.memory.journal import Journal
from companion.views import Grid
from companion.words import Text
from tests.games.shelf import walk
from tests.web.house import FIVE_SEATS, PICTURE
from tests.web.visit import IN_A_BROWSER, run, visit

pytestmark = IN_A_BROWSER

COLOURS = ("Red", "Blue", "Green", "Yellow", "White")
SEEN_DIE = SeenDie(4, "white", 0.99, (10, 10), 5)
SCREENS = {"en": (1920, 1080), "ja": (1280, 720)}
LEAST = 0.7 / 100  # of the screen's width: letters below that are for no eye on a sofa

SEEN = """() => {
  const spots = [...document.querySelectorAll("#main *")].filter((spot) =>
    spot.checkVisibility() && !spot.closest(".unseen") &&
    [...spot.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()));
  const outside = (box) => box.bottom > innerHeight || box.right > innerWidth;
  const size = (spot) => parseFloat(getComputedStyle(spot).fontSize);
  const letters = spots.map((spot) => [size(spot), spot.textContent]);
  return {
    outside: spots.filter((s) => outside(s.getBoundingClientRect())).map((s) => s.textContent),
    scrolls: document.documentElement.scrollHeight > innerHeight,
    smallest: letters.reduce((one, other) => (one[0] < other[0] ? one : other)),
    cut: document.querySelectorAll(".side:has(.blade)").values().filter((side) =>
      side.lastChild.getBoundingClientRect().right > side.getBoundingClientRect().right + 1)
      .toArray().length,
    told: document.querySelectorAll(
      ".parts .line, .parts .side, .parts .card, .parts .meter, .score").length,
    moves: spots.filter((spot) => spot.matches(".move > :first-child")).length,
  };
}"""

BROKEN = """() => {
  const broken = [];
  for (const spot of document.querySelectorAll(".cross span, .cross small")) {
    for (const word of spot.firstChild.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(spot.firstChild, word.index);
      range.setEnd(spot.firstChild, word.index + word[0].length);
      if (range.getClientRects().length > 1) broken.push(word[0]);
    }
  }
  return broken;
}"""


def crowded(game: Game[Any], seats: int, shown: type = object) -> list[Any]:
    """The moves of a game up to the moment when everybody has the most to read, and sees this."""
    moments = list(walk(game, seats, game.options(), seed=1))

    def length(at: int) -> int:
        view = game.view(moments[at].state, None)
        seen = any(isinstance(part, shown) for part in view.parts)
        return seen * len(str(view_to_json(view, Text.show)["parts"]))

    return [moment.action for moment in moments[: max(range(len(moments)), key=length)]]


def lay_out(
    folder: Path, game: Game[Any], seats: int, moves: list[Any], options: Any = None
) -> int:
    """A journal in which the game stands there: whoever opens it resumes it. Its number."""
    journal = Journal(folder / "journal.db", lambda: 1.0)
    sitting = [{"panel": n, "name": name} for n, name in enumerate(COLOURS[:seats])]
    number = journal.begin(
        game.key, game.version, sitting, {"mode": "hard", **to_json(options or game.options())}
    )
    for seq, move in enumerate(moves, start=1):
        journal.append(number, seq, getattr(move, "seat", None), "do", action_to_json(move))
    journal.close()
    return number


@pytest.mark.parametrize("language", SCREENS)
@pytest.mark.parametrize(
    ("game", "shown"), [*((game, object) for game in SHELF), (SWORDCRAFTERS, Grid)],
    ids=lambda one: one.__name__ if isinstance(one, type) else one.key,
)  # fmt: skip
def test_a_late_game_stands_whole_on_the_television_in_letters_that_can_be_read(
    tmp_path: Path, game: Game[Any], shown: type, language: str
) -> None:
    async def look() -> None:
        seats = max(game.seats)
        lay_out(tmp_path, game, seats, crowded(game, seats, shown))
        async with visit(tmp_path, FIVE_SEATS.format(language=language), game) as here:
            wide, high = SCREENS[language]
            here.house.daemon.emit(DiceSettled((SEEN_DIE,) * 7, 0, accepted=True, picture=PICTURE))
            await here.house.daemon.settled()
            board = await here.page("/board", viewport={"width": wide, "height": high})
            await board.locator(".log .move").first.wait_for()
            assert await board.locator(".felt").is_visible() == (Rolled in game.actions)
            say = here.house.web.desk.translate
            assert await board.title() == f"{say('Board')} · {say('Table companion')}"
            seen = await board.evaluate(SEEN)
            assert seen["outside"] == []
            assert not seen["scrolls"]
            assert seen["cut"] == 0  # no blade lies over another
            assert seen["told"] > 5
            assert seen["moves"] >= 3
            assert seen["smallest"][0] >= LEAST * wide, seen["smallest"]
            assert await board.evaluate(BROKEN) == []

    run(look)
