"""Frames from cameras, clips and pictures: a picture with its time, or a clear error."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import BadState, DeviceLost
from hardware.camera.by_name import camera, clip, frames, picture, stills
from hardware.camera.dead_camera import DARK, SAME, DeadCameraCheck
from hardware.camera.v4l2 import V4L2


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


class Webcam:
    """A cv2.VideoCapture that gives so many frames."""

    def __init__(self, frames: int, stamp: float = 0.0, works: bool = True) -> None:
        self.left, self.stamp, self.works = frames, stamp, works
        self.told: dict[int, float] = {}
        self.released = False

    def __call__(self, source: int | str, _api: int) -> Webcam:
        self.source = source
        return self

    def isOpened(self) -> bool:
        return self.works

    def read(self) -> tuple[bool, np.ndarray | None]:
        self.left -= 1
        return (True, a_picture(80)) if self.left >= 0 else (False, None)

    def get(self, code: int) -> float:
        if code == cv2.CAP_PROP_POS_MSEC:
            return self.stamp * 1000
        return {cv2.CAP_PROP_EXPOSURE: 157.0, cv2.CAP_PROP_WB_TEMPERATURE: 4600.0}.get(code, -1.0)

    def set(self, code: int, value: float) -> bool:
        self.told[code] = value
        return True

    def release(self) -> None:
        self.released = True


def refusing(number: int) -> Callable[[Path], None]:
    def attempt(path: Path) -> None:
        raise OSError(number, os.strerror(number), str(path))

    return attempt


@pytest.fixture
def dev(tmp_path: Path) -> Path:
    (tmp_path / "video0").touch()
    return tmp_path


def test_a_v4l2_frame_has_the_time_at_which_the_kernel_got_it(dev: Path) -> None:
    webcam = Webcam(1, stamp=99.8)
    seen = V4L2("0", clock=lambda: 100.0, folder=dev, capture=webcam).frames()
    assert next(seen).time == pytest.approx(99.8)
    odd = Webcam(1, stamp=5.0)  # some drivers count from elsewhere
    assert next(V4L2("0", clock=lambda: 100.0, folder=dev, capture=odd).frames()).time == 100.0
    with pytest.raises(DeviceLost, match="check its cable"):
        next(seen)
    assert webcam.released


def test_a_v4l2_camera_holds_a_locked_look_with_the_controls_it_has(dev: Path) -> None:
    webcam = Webcam(2)
    camera = V4L2("0", folder=dev, capture=webcam)
    seen = camera.frames()
    next(seen)
    assert webcam.told[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
    assert camera.controls() == {"exposure": 157.0, "white": 4600.0}
    camera.lock(camera.controls())
    assert webcam.told[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert (webcam.told[cv2.CAP_PROP_AUTO_WB], webcam.told[cv2.CAP_PROP_EXPOSURE]) == (0, 157)
    camera.lock({})
    assert webcam.told[cv2.CAP_PROP_AUTO_WB] == 1


def test_a_wrong_number_is_told_with_the_cameras_that_there_are(dev: Path) -> None:
    with pytest.raises(DeviceLost, match=r"camera 7: no .*video7 \(there are video0\)"):
        next(V4L2("7", folder=dev).frames())


def test_no_permission_on_a_camera_says_which_group_is_needed(dev: Path) -> None:
    with pytest.raises(DeviceLost, match=r"no permission to use .*video0; .*group video"):
        next(V4L2("0", folder=dev, attempt=refusing(errno.EACCES)).frames())


def test_a_camera_that_the_service_may_not_open_asks_for_a_restart(dev: Path) -> None:
    with pytest.raises(DeviceLost, match="the service may not open it: restart the companion"):
        next(V4L2("0", folder=dev, attempt=refusing(errno.EPERM)).frames())


def test_a_camera_that_was_there_is_lost_and_its_settings_are_not_doubted(dev: Path) -> None:
    for lens, says in (
        (V4L2("7", folder=dev, seen=True), "was unplugged: plug it in again"),
        (V4L2("0", folder=dev, seen=True, capture=Webcam(0, works=False)), "check its cable"),
        (V4L2("0", folder=dev, seen=True, attempt=refusing(errno.ENODEV)), "check its cable"),
    ):
        with pytest.raises(DeviceLost, match=says) as lost:
            next(lens.frames())
        assert "setting" not in str(lost.value)
        assert 'camera = "pi"' not in str(lost.value)


def test_a_camera_that_is_in_use_says_so_and_is_let_go(dev: Path) -> None:
    busy = Webcam(0, works=False)
    with pytest.raises(DeviceLost, match="another program"):
        next(V4L2("0", folder=dev, capture=busy).frames())
    assert busy.released


def test_a_v4l2_camera_is_known_again_by_the_name_that_udev_gives_it(dev: Path) -> None:
    (dev / "v4l/by-id").mkdir(parents=True)
    assert V4L2("0", folder=dev).identity == str(dev / "video0")
    (dev / "v4l/by-id/usb-046d_C270_1234-video-index0").symlink_to(dev / "video0")
    assert V4L2("0", folder=dev).identity == "usb-046d_C270_1234-video-index0"


def noisy(number: int, level: int = 100) -> np.ndarray:
    grain = np.random.default_rng(number).normal(0, 1, (48, 64, 3))
    return np.clip(a_picture(level) + grain, 0, 255).astype(np.uint8)


def test_noise_is_a_living_camera_and_one_picture_for_two_seconds_is_a_frozen_one() -> None:
    check = DeadCameraCheck()
    assert all(check.check(noisy(n), n / 10) is None for n in range(100))
    still = noisy(99)
    told = [(n / 10, check.check(still, 10 + n / 10)) for n in range(30)]
    assert next(now for now, wrong in told if wrong) == pytest.approx(1.9)  # 2 s after 9.9
    assert told[-1][1] == SAME


def test_black_for_two_seconds_is_a_fault_and_a_short_dark_is_none() -> None:
    check = DeadCameraCheck()
    assert check.check(noisy(1), 0.0) is None
    assert check.check(noisy(2, level=2), 0.5) is None
    assert check.check(noisy(3), 1.0) is None
    assert all(check.check(noisy(n, level=2), 1 + n / 10) is None for n in range(4, 20))
    assert check.check(noisy(40, level=2), 3.1) == DARK


def test_a_dark_tray_with_a_light_die_in_it_is_not_black() -> None:
    check = DeadCameraCheck()
    for n in range(60):
        frame = noisy(n, level=4)
        frame[10:16, 10:16] = 60
        assert check.check(frame, n / 10) is None


def test_a_path_that_is_nothing_is_refused() -> None:
    with pytest.raises(BadState, match="no such picture"):
        frames("/nowhere/at/all.jpg")
