"""Accuracy over labelled photographs of real dice, with floors that may only rise."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from vision.bench import read_all
from vision.score import Label, Sum, labels

FOLDER = Path(
    os.environ.get("COMPANION_DICE", Path(__file__).parents[2].parent / "shared" / "dice")
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (FOLDER / "labels.jsonl").exists(),
        reason=f"no labelled photographs at {FOLDER}; set COMPANION_DICE to their folder",
    ),
]


def _read(wanted: list[Label]) -> Sum:
    total = Sum()
    for score, _ in read_all(FOLDER, wanted):
        total.add(score)
    return total


def _black_and_white(*sources: str) -> list[Label]:
    return [
        one
        for one in labels(FOLDER)
        if one.tier == "A" and one.black_and_white and one.source in sources
    ]


# A part per group of sources, so that they run side by side; floors in pictures, not in shares.
@pytest.mark.parametrize(
    ("sources", "exact", "accepted", "wrong"),
    [
        (("damian",), 46, 45, 0),
        (("bwcrop", "nell", "kamil"), 27, 25, 0),
        (("king", "jimt", "piotrowy", "marceli"), 26, 23, 0),
        (("keller", "nocreat"), 27, 27, 0),
        (("krajzys", "llkaden", "tai"), 28, 25, 0),
    ],
)
def test_black_and_white_dice_on_plain_grounds_are_read(
    sources: tuple[str, ...], exact: int, accepted: int, wrong: int
) -> None:
    total = _read(_black_and_white(*sources))
    assert total.exact >= exact
    assert total.accepted >= accepted
    assert total.accepted_wrong <= wrong
    assert total.bodies_right >= min(0.98 * total.bodies, total.bodies - 1)


@pytest.mark.parametrize(
    ("tier", "sources", "share", "wrong"),
    [
        ("A", ("nell",), 0.65, 0),
        ("A", ("keller", "kamil", "krajzys", "king", "marceli"), 0.83, 1),
        ("B", ("matteo",), 0.93, 0),
        ("B", ("karolass", "krajzys", "llkaden", "piotrowy", "tai", "marceli"), 0.87, 0),
    ],
)
def test_other_colours_and_oblique_views_keep_their_floors(
    tier: str, sources: tuple[str, ...], share: float, wrong: int
) -> None:
    wanted = [one for one in labels(FOLDER) if one.tier == tier and one.source in sources]
    total = _read([one for one in wanted if tier == "B" or not one.black_and_white])
    assert total.exact >= share * total.pictures
    assert total.accepted_wrong <= wrong


def test_pictures_without_dice_show_none() -> None:
    total = _read([one for one in labels(FOLDER) if not one.values])
    assert total.exact == total.pictures > 0
