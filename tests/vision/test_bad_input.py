"""Whatever comes in, the eye answers or says clearly why not."""

from __future__ import annotations

import contextlib
import resource
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import BadState
from vision.picture import LONGEST, bounded, load
from vision.read.reader import Hint, Reading, read

RANDOM = np.random.default_rng(5)


def test_an_array_without_pixels_gives_an_empty_reading() -> None:
    reading = read(np.zeros((0, 0, 3), np.uint8))
    assert reading.dice == ()
    assert not reading.accepted


@pytest.mark.parametrize("size", [(1, 1), (1, 600), (600, 1), (7, 7)])
def test_a_picture_too_small_for_a_die_gives_none_and_says_so(size: tuple[int, int]) -> None:
    assert read(np.full((*size, 3), 90, np.uint8)) == Reading(doubts=("picture too small",))


@pytest.mark.parametrize("shade", [0, 128, 255])
def test_one_even_shade_holds_no_dice(shade: int) -> None:
    assert read(np.full((480, 640, 3), shade, np.uint8)).dice == ()


def test_noise_holds_no_dice() -> None:
    assert read(RANDOM.integers(0, 256, (480, 640, 3), dtype=np.uint8)).dice == ()


def _die(side: int = 240, edge: int = 60) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A white five on grey, drawn by hand."""
    image = np.full((side, side, 3), 90, np.uint8)
    low, high = (side - edge) // 2, (side + edge) // 2
    cv2.rectangle(image, (low, low), (high, high), (240, 240, 240), -1)
    for x in (-1, 1):
        for y in (-1, 1):
            at = (side // 2 + x * edge // 4, side // 2 + y * edge // 4)
            cv2.circle(image, at, edge // 11, (20, 20, 20), -1, cv2.LINE_AA)
    cv2.circle(image, (side // 2, side // 2), edge // 11, (20, 20, 20), -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(image, (3, 3), 0), np.uint8)


@pytest.mark.slow
def test_a_drawn_five_is_a_five_in_every_depth_and_layout() -> None:
    plain = _die()
    grey = cv2.cvtColor(plain, cv2.COLOR_BGR2GRAY)
    forms = {
        "BGR": plain,
        "grey": grey,
        "grey with one channel": grey[..., None],
        "BGRA": cv2.cvtColor(plain, cv2.COLOR_BGR2BGRA),
        "16 bits": plain.astype(np.uint16) * 257,
        "floats": plain.astype(np.float32) / 255,
        "not contiguous": np.asfortranarray(plain),
    }
    for name, image in forms.items():
        assert read(image).values == (5,), name  # type: ignore[arg-type]  # what a careless caller sends


@pytest.mark.slow
def test_a_huge_picture_is_read_at_a_bounded_size_and_in_bounded_memory() -> None:
    huge = np.full((6000, 8000, 3), 90, np.uint8)
    small = _die()
    scale = 4000 // small.shape[0]
    middle = np.repeat(np.repeat(small, scale, 0), scale, 1)
    huge[1000 : 1000 + middle.shape[0], 2000 : 2000 + middle.shape[1]] = middle
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    reading = read(huge)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert reading.values == (5,)
    x, y = reading.dice[0].centre
    assert abs(x - (2000 + middle.shape[1] / 2)) < 100
    assert abs(y - (1000 + middle.shape[0] / 2)) < 100
    assert grown < 250_000  # kilobytes; the picture itself has 144,000
    work, shrunk = bounded(huge)
    assert max(work.shape) == LONGEST
    assert shrunk == LONGEST / 8000


@pytest.mark.parametrize(
    "array",
    [np.zeros(5, np.uint8), np.zeros((4, 4, 2), np.uint8), np.zeros((2, 9, 9, 3), np.uint8)],
)
def test_an_array_that_is_no_picture_is_refused_with_its_shape(
    array: np.ndarray[tuple[int, ...], np.dtype[np.uint8]],
) -> None:
    with pytest.raises(BadState, match="not a picture"):
        read(array)


def test_words_are_no_picture() -> None:
    with pytest.raises(BadState, match="not a picture"):
        read(np.array([["a", "b"]]))  # type: ignore[arg-type]  # what a careless caller sends


def test_a_truncated_jpeg_gives_an_answer_or_a_clear_error(tmp_path: Path) -> None:
    done, data = cv2.imencode(".jpg", _die())
    assert done
    whole = data.tobytes()
    for part in (0, 1, 20, len(whole) // 4, len(whole) // 2, len(whole) - 3):
        path = tmp_path / f"{part}.jpg"
        path.write_bytes(whole[:part])
        with contextlib.suppress(BadState):  # clear; anything else would be none of ours
            assert isinstance(read(load(path)), Reading)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadState, match=r"nothing\.jpg"):
        load(tmp_path / "nothing.jpg")


def test_what_lies_outside_the_changed_boxes_is_neither_read_nor_doubted() -> None:
    one = _die()
    image = np.hstack([one, one])
    empty = np.full_like(image, 90)
    hint = Hint(die_px=60, background=empty, changed=((60, 60, 120, 120),))
    reading = read(image, hint)
    assert reading.values == (5,)
    assert "a body without a face" not in reading.doubts


@pytest.mark.slow
def test_hints_that_do_not_fit_the_picture_do_no_harm() -> None:
    image = _die()
    outside = Hint(circle=(5000, 5000, 10), changed=((900, 900, 5, 5), (-50, -50, 10, 10)))
    assert read(image, outside).dice == ()
    assert read(image, Hint(changed=())).dice == ()
    assert read(image, Hint(die_px=1e6)).values == read(image).values
    assert read(image, Hint(die_px=-3.0)).values == read(image).values
    tiny = np.zeros((3, 3, 3), np.uint8)
    assert read(image, Hint(background=tiny)).values == read(image).values
