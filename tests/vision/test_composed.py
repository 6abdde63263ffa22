"""The real eye over composed trays: real dice on real grounds, and things that are no dice."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from companion.events import SeenDie
from tests.bench.composed import Row, run
from vision.read.reader import Reading
from vision.train.compose import MIX, THINGS, Composed, Kind
from vision.train.cutouts import Parts, parts, use_of

FOLDER = Path(
    os.environ.get("COMPANION_DICE", Path(__file__).parents[2].parent / "shared" / "dice")
)
photographs = pytest.mark.skipif(
    not (FOLDER / "labels.jsonl").exists(),
    reason=f"no labelled photographs at {FOLDER}; set COMPANION_DICE to their folder",
)


@cache
def pool() -> Parts:
    """A few pictures of every source, none of which anything was learned from."""
    return parts(FOLDER, "measuring", most=3)


def _sum(rows: dict[str, Row]) -> Row:
    return sum(rows.values(), Row())


@photographs
@pytest.mark.slow
def test_composed_throws_are_read_and_none_is_accepted_wrongly() -> None:
    total = _sum(run(range(4_000_000, 4_000_030), pool()))
    assert total.exact >= total.trays - 1, total
    assert total.wrong == 0, total
    assert total.accepted >= 0.85 * total.trays, total


@photographs
@pytest.mark.slow
@pytest.mark.parametrize("kind", THINGS)
def test_things_of_a_table_are_not_accepted_as_dice(kind: Kind) -> None:
    total = _sum(run(range(4_100_000, 4_100_004), pool(), (kind,)))
    assert total.wrong == 0, total


@photographs
@pytest.mark.slow
def test_big_red_aces_that_are_read_are_white_ones() -> None:
    total = _sum(run(range(4_200_000, 4_200_010), pool(), ("red aces",)))
    assert total.exact >= 0.6 * total.trays, total  # the rest is asked about
    assert total.causes["seen as"] == 0, total
    assert total.wrong == 0, total


@photographs
@pytest.mark.soak
def test_five_thousand_composed_trays_keep_the_promise() -> None:
    total = _sum(run(range(5_000_000, 5_005_000), parts(FOLDER, "measuring")))
    print(total)
    assert total.exact >= 0.97 * total.trays
    assert total.wrong <= 0.002 * total.trays
    assert total.uncaught == 0


def test_a_picture_serves_either_for_fitting_or_for_measuring() -> None:
    free = {"licence": "MIT", "scene": "a", "file": "a.jpg", "source": "damian"}
    assert use_of(free) == "fitting"
    assert use_of({**free, "licence": "none stated"}) == "measuring"
    assert use_of({**free, "scene": "damian_carpet6"}) == "measuring"


def test_the_count_of_bodies_catches_what_the_table_would() -> None:
    truth = (SeenDie(3, "white", 1.0, (50.0, 50.0), 40.0),)
    tray = Composed(MIX[0], truth, 40.0, lambda _: None, lambda _: None)  # type: ignore[arg-type,return-value]  # no frames
    row = Row()
    row.count(tray, Reading((SeenDie(3, "blue", 1.0, (50.0, 50.0), 40.0),), True))
    row.count(tray, Reading((SeenDie(4, "white", 1.0, (50.0, 50.0), 40.0),), True))
    row.count(tray, Reading(truth, True))
    assert (row.trays, row.exact, row.accepted, row.wrong, row.uncaught) == (3, 1, 3, 2, 1)
