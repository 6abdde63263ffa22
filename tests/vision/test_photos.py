"""Accuracy over labelled photographs of real dice, with floors that may only rise."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from vision.bench import looks, sums
from vision.score import Label, Score, labels

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


def _read(wanted: list[Label]) -> list[Score]:
    return [score for score, _ in looks(FOLDER, wanted)]


def _share(scores: list[Score]) -> float:
    return sum(score.exact for score in scores) / len(scores)


def _labels(**where: object) -> list[Label]:
    return [o for o in labels(FOLDER) if all(getattr(o, k) == v for k, v in where.items())]
