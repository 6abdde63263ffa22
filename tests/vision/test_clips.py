"""Real rolls on film: each rest is read right, motion and the empty tray say nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.events import DiceNudged, DiceSettled
from hardware.camera.by_name import clip
from vision.picture import bounded
from vision.read.reader import read
from vision.watch.settle import Settle

FOLDER = Path(
    os.environ.get("COMPANION_DICE", Path(__file__).parents[2].parent / "shared" / "dice")
)
FILM = FOLDER / "videos.json"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FILM.exists(), reason=f"no clips at {FOLDER}; set COMPANION_DICE"),
]


def films() -> list[dict[str, Any]]:
    return list(json.loads(FILM.read_text())) if FILM.exists() else []


@pytest.mark.parametrize("film", films(), ids=lambda film: Path(film["file"]).stem)
def test_every_rest_of_a_clip_is_read_right_and_nothing_else_is_told(film: dict[str, Any]) -> None:
    settle = Settle(read)
    told: dict[tuple[int, int], list[tuple[int, ...]]] = {
        (first, last): []
        for segment in film["segments"]
        for first, last in [segment["frames"]]
        if segment["state"] == "settled"
    }
    outside = []
    for number, (now, image) in enumerate(clip(FOLDER / film["file"])):
        for event in settle.feed(bounded(image)[0], now):
            if not isinstance(event, DiceSettled | DiceNudged):
                continue
            values = tuple(sorted(die.value for die in event.dice))
            span = next((span for span in told if span[0] <= number <= span[1]), None)
            if span is None:
                outside.append((number, values))
            else:
                told[span].append(values)
    assert outside == []
    for segment in film["segments"]:
        if segment["state"] == "settled":
            right = tuple(sorted(segment["values"]))
            assert set(told[tuple(segment["frames"])]) == {right}, segment


def test_a_clip_that_changes_its_size_is_followed_on() -> None:
    settle = Settle(read)
    for film in films()[:1]:
        for number, (now, image) in enumerate(clip(FOLDER / film["file"])):
            if number >= 40:
                break
            frame = image if number < 20 else np.ascontiguousarray(image[::2, ::2])
            settle.feed(bounded(frame)[0], now)
