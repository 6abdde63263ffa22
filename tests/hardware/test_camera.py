"""Frames from cameras, clips and pictures: a picture with its time, or a clear error."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import BadState, DeviceLost
from hardware.camera import camera, clip, frames, picture, stills


def a_picture(level: int) -> np.ndarray:
    return np.full((48, 64, 3), level, np.uint8)


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Ten grey frames at 20 a second, each lighter than the one before."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (64, 48))
    for number in range(10):
        writer.write(a_picture(20 * number))
    writer.release()
    return path


def test_a_clip_gives_its_frames_with_their_times(film: Path) -> None:
    seen = list(clip(film))
    assert [now for now, _ in seen] == pytest.approx([n / 20 for n in range(10)])
    levels = [frame.mean() for _, frame in seen]
    assert levels == sorted(levels)
    assert seen[0][1].shape == (48, 64, 3)


def test_a_live_clip_keeps_its_pace(film: Path) -> None:
    now, slept = 0.0, []

    def sleep(seconds: float) -> None:
        nonlocal now
        slept.append(seconds)
        now += seconds

    assert len(list(clip(film, live=True, clock=lambda: now, sleep=sleep))) == 10
    assert sum(slept) == pytest.approx(9 / 20)


def test_a_truncated_clip_ends_where_it_breaks_off_or_says_so(film: Path, tmp_path: Path) -> None:
    whole = film.read_bytes()
    for size in (0, 10, 200, len(whole) // 2, len(whole) - 30):
        broken = tmp_path / f"broken{size}.avi"
        broken.write_bytes(whole[:size])
        try:
            assert 1 <= len(list(clip(broken))) <= 10
        except BadState as error:
            assert str(broken) in str(error)  # noqa: PT017 (either outcome is right)


def test_a_folder_gives_its_pictures_by_name(tmp_path: Path) -> None:
    for name, level in (("b.png", 200), ("a.png", 100)):
        cv2.imwrite(str(tmp_path / name), a_picture(level))
    (tmp_path / "notes.txt").write_text("no picture")
    assert [frame.mean() for _, frame in stills(tmp_path)] == [100, 200]
    assert len(list(frames(str(tmp_path)))) == 2


def test_a_folder_without_pictures_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadState, match="holds no pictures"):
        list(frames(str(tmp_path)))


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xd8\xff\xe0broken", b"just text", b"\x89PNG\r\n\x1a\n"]
)
def test_what_is_no_picture_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.jpg"
    path.write_bytes(content)
    with pytest.raises(BadState, match=r"odd\.jpg is not a picture"):
        picture(path)


def test_grey_16_bit_and_transparent_files_become_8_bit_colour(tmp_path: Path) -> None:
    deep = np.full((48, 64), 40000, np.uint16)
    clear = np.full((48, 64, 4), 90, np.uint8)
    for name, image in (
        ("deep.png", deep),
        ("clear.png", clear),
        ("grey.png", deep.astype(np.uint8)),
    ):
        cv2.imwrite(str(tmp_path / name), image)
        seen = picture(tmp_path / name)
        assert seen.dtype == np.uint8
        assert seen.shape == (48, 64, 3)


def test_a_camera_that_is_not_there_is_lost_and_says_what_to_check() -> None:
    with pytest.raises(DeviceLost, match="plugged in"):
        next(camera("97"))


def test_a_path_that_is_nothing_is_refused() -> None:
    with pytest.raises(BadState, match="no such picture"):
        frames("/nowhere/at/all.jpg")
