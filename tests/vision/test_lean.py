"""Does a die lie flat: judged beside its fellows, on rendered trays and by plain numbers."""

from __future__ import annotations

import numpy as np
import pytest

from tests.bench.leaning import run
from vision.read.find import Found
from vision.read.lean import leaning, sides

NOBODY = np.full(7, 1 / 7, np.float32)
SIZE = (480, 640)
PLACES = ((100, 80), (500, 90), (320, 240), (120, 400), (540, 380))


def _dice(count: int = len(PLACES)) -> list[Found]:
    return [Found(x, y, 50.0, 0.0, 0.9, NOBODY, NOBODY[:4]) for x, y in PLACES[:count]]


def _told(*lean: tuple[int, float, float], spread: float = 0.0, count: int = 5) -> np.ndarray:
    """What a camera 28 edges high sees of flat dice, and of those that lean by so much."""
    told = [[(x - 320) / 50 / 28 + 0.1, (y - 240) / 50 / 28, 0.04] for x, y in PLACES[:count]]
    rng = np.random.default_rng(1)
    out = np.array(told, np.float32)
    out[:, :2] += rng.normal(0, spread, (count, 2)) if spread else 0
    for which, x, y in lean:
        out[which, :2] += (x, y)
    return out


def test_dice_that_one_camera_sees_lie_flat() -> None:
    assert leaning(_dice(), _told(), SIZE, rig=True) == set()


@pytest.mark.parametrize("which", range(5))
def test_one_whose_side_shows_otherwise_than_its_fellows_leans(which: int) -> None:
    assert leaning(_dice(), _told((which, 0.0, 0.28)), SIZE, rig=True) == {which}


def test_where_nobody_agrees_nobody_leans() -> None:
    assert leaning(_dice(), _told(spread=0.2), SIZE, rig=True) == set()


def test_a_die_alone_has_nothing_to_be_compared_with() -> None:
    assert leaning(_dice(1), _told((0, 0.3, 0.0), count=1), SIZE, rig=True) == set()
    assert leaning([], sides(np.zeros((48, 48, 3), np.uint8), []), SIZE, rig=True) == set()


def test_a_phone_held_close_makes_dice_show_more_of_their_sides_and_not_lean() -> None:
    two = [_dice()[0], _dice()[2]]
    told = np.array([[(f.x - 320) / 500, (f.y - 240) / 500, 0.04] for f in two], np.float32)
    assert leaning(two, told, SIZE, rig=True)
    assert not leaning(two, told, SIZE, rig=False)


@pytest.mark.slow
def test_rendered_dice_that_lean_are_asked_about_and_flat_ones_are_not_called_so() -> None:
    told = run(range(8_500_000, 8_500_018))
    for support in ("nothing", "rim", "die"):
        assert told[f"{support} asked"] == told[f"{support} trays"] > 0
    assert told["flat dice called leaning"] == 0 < told["flat dice"]
