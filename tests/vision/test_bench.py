"""The bench counts what it says it counts."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from companion.errors import BadState
from companion.events import Body, SeenDie
from vision.bench import app, sums, table
from vision.draw import draw
from vision.read.reader import Reading
from vision.score import Label, labels, score


def _die(value: int, body: Body = "white", x: float = 10, y: float = 10) -> SeenDie:
    return SeenDie(value, body, 0.99, (x, y), 20.0)


def _label(*dice: tuple[int, str], boxes: bool = False, tier: str = "A") -> Label:
    places = tuple((40.0 * k, 0.0, 20.0, 20.0) if boxes else None for k in range(len(dice)))
    values = tuple(value for value, _ in dice)
    return Label("a.png", "here", tier, "", values, tuple(c for _, c in dice), places, None, 20.0)


def test_an_empty_picture_read_as_empty_is_exactly_right() -> None:
    told = score(_label(), Reading((), True), 1.0)
    assert told.exact
    assert (told.dice_right, told.bodies) == (0, 0)


def test_values_count_in_any_order_but_each_only_once() -> None:
    label = _label((3, "white"), (5, "white"))
    assert score(label, Reading((_die(5), _die(3))), 1.0).exact
    twice = score(label, Reading((_die(5), _die(5))), 1.0)
    assert not twice.exact
    assert twice.dice_right == 1


def test_with_boxes_a_die_counts_only_where_it_lies() -> None:
    label = _label((3, "white"), (5, "black"), boxes=True)
    there = Reading((_die(3, x=10, y=10), _die(5, "black", x=50, y=10)))
    swapped = Reading((_die(5, x=10, y=10), _die(3, "black", x=50, y=10)))
    away = Reading((_die(3, x=100, y=100), _die(5, x=200, y=10)))
    assert score(label, there, 1.0).dice_right == 2
    assert score(label, swapped, 1.0).dice_right == 0
    assert score(label, swapped, 1.0).exact  # the picture's values are right all the same
    assert score(label, away, 1.0).dice_right == 0


def test_body_colours_are_judged_for_black_and_white_dice_that_were_found() -> None:
    label = _label((3, "white"), (5, "black"), (6, "red"))
    good = score(label, Reading((_die(3), _die(5, "black"), _die(6, "other"))), 1.0)
    assert (good.bodies_right, good.bodies) == (2, 2)
    bad = score(label, Reading((_die(3, "black"), _die(5, "black"))), 1.0)
    assert (bad.bodies_right, bad.bodies) == (1, 2)
    missed = score(label, Reading((_die(3),)), 1.0)
    assert (missed.bodies_right, missed.bodies) == (1, 1)


def test_sums_tell_accepted_and_wrong_apart_by_tier() -> None:
    right = score(_label((3, "white")), Reading((_die(3),), True), 2.0)
    wrong = score(_label((3, "white")), Reading((_die(4),), True), 4.0)
    asked = score(_label((3, "red"), tier="B"), Reading((_die(4),), False, ("unsure value",)), 6.0)
    totals = sums([right, wrong, asked])
    plain = totals["tier A, black and white"].figures()
    assert (plain["pictures"], plain["exact"], plain["accepted"], plain["accepted_wrong"]) == (
        2,
        1,
        2,
        1,
    )
    assert plain["ms_median"] == 3.0
    assert totals["tier B"].figures()["accepted_wrong_share"] is None
    assert "no dice" not in totals
    assert table(totals).row_count == 3


def _folder(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((60, 80, 3), 120, np.uint8))
    none = {"file": "grey.png", "tier": "A", "dice": []}
    some = {"file": "grey.png", "tier": "B", "dice": [{"value": 4, "colour": "white"}]}
    (tmp_path / "labels.jsonl").write_text(json.dumps(none) + "\n\n" + json.dumps(some) + "\n")
    return tmp_path


def test_the_bench_gives_one_object_and_a_picture_of_every_failure(tmp_path: Path) -> None:
    folder, failures = _folder(tmp_path), tmp_path / "failures"
    told = CliRunner().invoke(app, ["bench", str(folder), "--json", "--failures", str(failures)])
    assert told.exit_code == 0, told.output
    figures = json.loads(told.stdout)
    assert figures["no dice"]["exact_share"] == 1.0
    assert figures["tier B"]["exact"] == 0
    assert [path.name for path in failures.iterdir()] == ["grey.png"]


def test_a_folder_without_labels_is_refused_by_name(tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["bench", str(tmp_path)])
    assert told.exit_code == 2
    assert "labels.jsonl" in told.stderr.replace("\n", "")


def test_a_line_that_is_no_label_is_told_with_its_number(tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_text('{"file": "a.png", "dice": []}\n{"dice": 3}\n')
    with pytest.raises(BadState, match="line 2"):
        labels(tmp_path)


def test_a_circle_in_the_label_becomes_a_hint_and_the_size_only_on_request(tmp_path: Path) -> None:
    line = {"file": "a.png", "dice": [], "roi_circle": [5, 6, 7], "die_px": 30}
    (tmp_path / "labels.jsonl").write_text(json.dumps(line))
    (label,) = labels(tmp_path)
    assert label.hint().circle == (5, 6, 7)
    assert label.hint().die_px is None
    assert label.hint(scale_known=True).die_px == 30


def test_a_drawing_shows_the_dice_and_leaves_the_picture_alone() -> None:
    image = np.full((100, 100, 3), 50, np.uint8)
    outline = ((40.0, 40.0), (60.0, 40.0), (60.0, 60.0), (40.0, 60.0))
    die = SeenDie(3, "white", 0.5, (50.0, 50.0), 20.0, outline, 2, ("touching",))
    shown = draw(image, Reading((die,)))
    assert (image == 50).all()
    assert shown.shape[1] == 100
    assert (shown[38:62, 38:62] != 50).any()
    assert draw(np.zeros((0, 0, 3), np.uint8), Reading()).size > 0
