"""The plug is pulled: SIGKILL at random instants of an evening, and nothing shown is ever lost."""

from __future__ import annotations

import gc
import random
from pathlib import Path

import pytest

from tests.daemon.memory import Memory, on_disk, sensible, story_on_disk
from tests.daemon.test_damage import imported
from tests.table.evening import Evening

pytestmark = pytest.mark.usefixtures("_imported")
CUTS, EVENINGS = 25, 8  # 200 cuts in all


def evening_with_cuts(folder: Path, seed: int, cuts: int) -> int:
    """Plays, cuts, checks; gives the number of entries that had been shown."""
    chance, memory = random.Random(seed), Memory()
    with Evening(state=folder) as evening:
        evening.all_shown()
        for _ in range(cuts):
            evening.forget()
            for _ in range(chance.randrange(1, 6)):
                for panel, key in sensible(evening, chance):
                    evening.press(panel, key)
                    evening.watch(chance.choice((0.02, 0.05, 0.1)), until=lambda _: True)
            evening.press(chance.randrange(2), "select")
            evening.watch(chance.uniform(0, 0.04))  # the instant of the cut
            evening.kill()
            memory.cut(evening.shown, on_disk(folder))
            for game in {one.game for one in evening.shown if one.told}:
                told = {says for one in evening.shown if one.game == game for says in one.told}
                assert told <= story_on_disk(folder, game), "a leaf of the story is lost"
            evening.shown = []
            evening.start()
            evening.all_shown()
            memory.back(evening.shown)
    return memory.newest


@pytest.fixture(scope="module")
def _imported(tmp_path_factory: pytest.TempPathFactory) -> None:
    imported(tmp_path_factory.mktemp("warm"))
    gc.freeze()  # a page that is not touched need not be copied


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(EVENINGS))
def test_nothing_that_a_display_had_shown_is_lost_by_a_cut(tmp_path: Path, seed: int) -> None:
    assert evening_with_cuts(tmp_path, seed, CUTS) > 0


@pytest.mark.soak
def test_two_thousand_cuts(tmp_path: Path) -> None:
    for number in range(80):
        folder = tmp_path / str(number)
        evening_with_cuts(folder, 1000 + number, CUTS)
        print(f"{(number + 1) * CUTS} cuts, nothing lost", flush=True)
