"""The grid reader on rendered grids: how often it is right, and that it asks where it is not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from companion.cli import grid as grid_commands
from companion.cli.grid import SETTLED
from companion.cli.main import app
from companion.errors import BadState
from companion.events import SURE, GridRead
from companion.eye.heard import decode
from companion.eye.program import Child
from companion.eye.protocol import Tiles, decode_order, encode, encode_order
from tests.vision.grid_scene import COLD, DAY, WARM, Disturbance, Image, random_rows, scene
from vision.grid.grid import SHOWN, learn, palette_from_json, palette_to_json, read
from vision.grid.tiles import Palette
from vision.grid.watch import GridWatch

CALM = Disturbance(
    tilt=0.1, turn=8, shadows=0, glare=0, slope=0.2, noise=(1, 3), others=0, bright=(0.8, 1.1)
)
GRIDS = 2_000
ROWS = (
    ("red", "blue", "green", "purple"),
    ("yellow", "orange", "forge", "blank"),
    ("blank", "red", "yellow", "green"),
)


@cache
def palette(*lights: tuple[float, float, float]) -> Palette:
    """Learnt at a quiet table, one picture a light."""
    rng, learnt = random.Random(77), None
    for light in lights or (DAY, WARM, COLD):
        learnt = learn(scene(SHOWN, rng, CALM, light=light), learnt)
    assert learnt is not None
    return learnt


def calm(rows: tuple[tuple[str, ...], ...], seed: int = 5, **how: object) -> Image:
    return scene(rows, random.Random(seed), CALM, **how)  # type: ignore[arg-type]  # light, size


def counted(seed: int) -> tuple[int, int, int, int]:
    """One rendered grid read: tiles, wrong ones, wrong ones that were accepted, asked ones."""
    rng = random.Random(seed)
    rows = random_rows(rng, 3 + seed % 2)
    tiles = 4 * len(rows)
    seen = read(scene(rows, rng), palette())
    if seen is None or [len(row) for row in seen.rows] != [4] * len(rows):
        return tiles, tiles, 0, tiles  # no grid, or one of another size: the game refuses that
    wrong = accepted = asked = 0
    for row, names in enumerate(rows):
        for column, name in enumerate(names):
            sure = seen.sure[row][column] >= SURE
            asked += not sure
            if seen.rows[row][column] != name:
                wrong += 1
                accepted += sure
    return tiles, wrong, accepted, asked


def judge(found: list[tuple[int, int, int, int]]) -> None:
    """Few tiles wrong, fewer of them taken, and not many asked about: honest is not shy."""
    tiles, wrong, accepted, asked = (sum(column) for column in zip(*found, strict=True))
    fooled = sum(one[2] > 0 for one in found)
    said = f"{tiles} tiles, {wrong} wrong, {accepted} of them accepted, {asked} asked"
    print(said)
    assert wrong <= 0.005 * tiles, said
    assert accepted <= 0.001 * tiles, said
    assert fooled <= 0.001 * len(found), said  # grids in which any wrong tile was taken
    assert asked <= 0.05 * tiles, said


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 400, 100))
def test_tiles_are_right_in_995_of_1000_and_what_is_wrong_is_asked_about(first: int) -> None:
    judge([counted(seed) for seed in range(first, first + 100)])


@pytest.mark.soak
def test_tiles_of_2000_grids_are_right_in_995_of_1000() -> None:
    with get_context("spawn").Pool(2) as pool:
        judge(pool.map(counted, range(GRIDS), chunksize=50))


@pytest.mark.slow
def test_a_few_grids_are_read_whole() -> None:
    found = [counted(seed) for seed in range(30, 42)]
    tiles, wrong, accepted, _ = (sum(column) for column in zip(*found, strict=True))
    assert tiles == 6 * 12 + 6 * 16
    assert wrong <= 1
    assert accepted == 0


@pytest.mark.parametrize("light", [WARM, DAY, COLD])
def test_colours_learnt_by_day_are_known_in_warm_and_cold_light(
    light: tuple[float, float, float],
) -> None:
    seen = read(calm(ROWS, light=light), palette(DAY))
    assert seen is not None
    assert seen.rows == ROWS


@pytest.mark.slow
def test_a_small_grid_and_a_large_one_have_their_rows_and_columns() -> None:
    for height in (2, 3, 4):
        rows = random_rows(random.Random(height), height)
        seen = read(calm(rows, seed=height), palette())
        assert seen is not None
        assert seen.rows == rows
        assert seen.accepted


def test_a_large_picture_is_read_like_a_small_one() -> None:
    picture = cv2.resize(calm(ROWS), (1280, 960), interpolation=cv2.INTER_CUBIC)
    seen = read(np.asarray(picture, np.uint8), palette())
    assert seen is not None
    assert seen.rows == ROWS


def test_a_tile_too_many_is_seen_and_the_places_beside_it_are_gaps() -> None:
    rows = (*ROWS, ("red", "", "", ""))
    seen = read(calm(rows, seed=8), palette())
    assert seen is not None
    assert seen.rows == rows


def test_a_missing_tile_is_a_gap() -> None:
    rows = (("red", "blue", "green", "purple"), ("yellow", "", "forge", "blank"), ROWS[2])
    seen = read(calm(rows, seed=9), palette())
    assert seen is not None
    assert seen.rows == rows


def test_an_empty_table_and_a_black_picture_hold_no_grid() -> None:
    rng = random.Random(3)
    empty = scene((("", "", ""), ("", "", "")), rng, CALM)
    assert read(empty, palette()) is None
    assert read(np.zeros((480, 640, 3), np.uint8), palette()) is None
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
    seen = read(noise, palette())
    assert seen is None or not seen.accepted


def test_a_gem_that_was_never_learnt_is_not_taken_for_another() -> None:
    known = {name: looks for name, looks in palette().looks.items() if name != "blue"}
    seen = read(calm(ROWS), Palette(known))
    assert seen is not None
    assert seen.sure[0][1] < SURE
    assert not seen.accepted


def test_a_washed_out_tile_is_doubtful() -> None:
    picture = calm(ROWS)
    whole = read(picture, palette())
    assert whole is not None
    middle = whole.lattice.corners(0, 0).mean(0)
    cv2.circle(picture, (int(middle[0]), int(middle[1])), 9, (255, 255, 255), -1)
    seen = read(picture, palette())
    assert seen is not None
    assert seen.sure[0][0] < SURE


def test_learning_says_what_it_misses() -> None:
    with pytest.raises(ValueError, match="lay 2 rows of 4 tiles; 3 rows of 4 are seen"):
        learn(calm(ROWS))
    with pytest.raises(ValueError, match="lay 2 rows of 4 tiles; 0 rows of 0 are seen"):
        learn(np.zeros((480, 640, 3), np.uint8))


def test_a_palette_is_kept_as_text_and_read_back() -> None:
    again = palette_from_json(palette_to_json(palette()))
    assert again == palette()
    assert set(again.looks) == {name for row in SHOWN for name in row}
    for wrong in ("[]", '{"red": [[1, 2]]}', '{"red": []}'):
        with pytest.raises(ValueError, match=r"a palette is|a look has"):
            palette_from_json(wrong)


@pytest.mark.slow
def test_a_grid_is_told_once_when_it_lies_still_and_again_when_it_changed() -> None:
    watch = GridWatch(palette())
    pictures = [calm(ROWS, seed=5)] * 8
    told = [watch.feed(picture, n * 0.25) for n, picture in enumerate(pictures)]
    assert [event is not None for event in told] == [False] * 3 + [True] + [False] * 4
    event = told[3]
    assert event is not None
    assert event.rows == ROWS
    assert event.accepted
    assert event.picture[:2] == b"\xff\xd8"
    other = (*ROWS[:2], ("red", "red", "yellow", "green"))
    later = [watch.feed(calm(other, seed=5), 3 + n * 0.25) for n in range(8)]
    changed = [event for event in later if event is not None]
    assert changed
    assert changed[-1].rows == other


@pytest.mark.slow
def test_the_eye_reads_tiles_when_it_is_ordered_to_and_dice_again_after(tmp_path: Path) -> None:
    colours = tmp_path / "colours.json"
    colours.write_text(palette_to_json(palette()), "utf-8")
    child = Child("0", say=lambda _line: None)
    assert child.obey(decode_order(encode_order(Tiles(colours=str(colours)))))
    told_of = [event for n in range(5) for event in child.see(calm(ROWS), n * 0.25)]
    assert [type(event) for event in told_of] == [GridRead]
    assert decode(encode(told_of[0])) == told_of[0]
    with pytest.raises(BadState, match="no colours of tiles"):
        child.obey(Tiles(colours=str(tmp_path / "none.json")))
    child.obey(Tiles())
    assert not any(isinstance(event, GridRead) for event in child.see(calm(ROWS), 9.0))


@pytest.mark.slow
def test_tiles_on_the_move_are_not_told() -> None:
    watch = GridWatch(palette())
    grids = [ROWS, ROWS[:2], ROWS, ROWS[:2], ROWS]
    assert all(watch.feed(calm(rows), n * 0.3) is None for n, rows in enumerate(grids))


@pytest.mark.slow
def test_looks_that_quarrel_make_a_tile_doubtful() -> None:
    watch = GridWatch(palette())
    other = (("blue", *ROWS[0][1:]), *ROWS[1:])
    events = [watch.feed(calm((ROWS, other)[n % 2]), n * 0.3) for n in range(6)]
    told = [event for event in events if event is not None]
    assert told
    assert all(event.sure[0][0] < SURE and not event.accepted for event in told)
    assert all(before != after for before, after in pairwise(told))


@pytest.mark.slow
def test_the_command_line_learns_from_pictures_and_shows_a_reading(tmp_path: Path) -> None:
    colours, run = tmp_path / "colours.json", CliRunner()
    for number, light in enumerate((DAY, WARM)):
        cv2.imwrite(str(tmp_path / f"{number}.png"), calm(SHOWN, seed=77, light=light))
    cv2.imwrite(str(tmp_path / "grid.png"), calm(ROWS))
    grid = ["grid", "read", str(tmp_path / "grid.png"), "--colours", str(colours)]
    early = run.invoke(app, grid)
    assert isinstance(early.exception, BadState)
    shown = [str(tmp_path / "0.png"), str(tmp_path / "1.png")]
    learnt = run.invoke(app, ["grid", "learn", *shown, "--colours", str(colours)])
    assert "8 tiles learnt from 2 pictures" in learnt.output
    read_back = run.invoke(app, grid)
    for row in ROWS:
        assert all(name in read_back.output for name in row)
    wrong = run.invoke(app, ["grid", "learn", str(tmp_path / "grid.png")])
    assert "lay 2 rows of 4 tiles; 3 rows of 4 are seen" in str(wrong.exception)
    nothing = run.invoke(app, ["grid", "learn", str(tmp_path / "none.png")])
    assert "no such picture" in str(nothing.exception)


def test_the_colours_are_learnt_through_the_camera_once_it_is_used_to_the_light(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dark = np.zeros((480, 640, 3), np.uint8)

    def looking(where: str) -> Iterator[tuple[float, Image]]:
        assert where == "/dev/video2"
        yield from ((n / 30, dark) for n in range(SETTLED))
        while True:
            yield 1.0, calm(SHOWN, seed=77)

    monkeypatch.setattr(grid_commands, "frames", looking)
    colours = tmp_path / "colours.json"
    learn_now = ["grid", "learn", "/dev/video2", "--colours", str(colours)]
    learnt = CliRunner().invoke(app, learn_now)
    assert "8 tiles learnt from 1 pictures" in learnt.output
    assert palette_from_json(colours.read_text("utf-8")).looks.keys() == palette().looks.keys()
