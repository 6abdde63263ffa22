"""Frames by a name from the settings: a ribbon camera, a V4L2 camera, a clip or pictures."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np

from companion.errors import BadState
from hardware.camera.lens import Camera, Picture, Recorded
from hardware.camera.picamera import PiCamera
from hardware.camera.v4l2 import V4L2, pictures

Frames: TypeAlias = Iterator[tuple[float, Picture]]

PI = ("pi", "pi0", "pi1")  # on the ribbon
PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")


def is_camera(where: str) -> bool:
    """Is this the name of a camera, rather than of a file?"""
    return where in PI or where.isdigit() or where.startswith("/dev/")


def open_camera(where: str, size: tuple[int, int] | None = None, seen: bool = False) -> Camera:
    """The camera of this name, not opened yet: pi, pi1, a number, a path. No size: its best.

    `seen`: it gave pictures before, so its number and the settings are right.
    """
    if where in PI:
        return PiCamera(int(where[2:] or 0), size or (1280, 960))
    if is_camera(where):
        return V4L2(where, size or (640, 480), seen=seen)
    return Recorded(where, frames(where, live=True))


def frames(where: str, size: tuple[int, int] = (640, 480), live: bool = False) -> Frames:
    """The frames of a camera (pi, a number, /dev/video…), a clip, a picture or a folder of them.

    `live` gives a clip at its own pace; a camera has its own.
    """
    if is_camera(where):
        return pictures(open_camera(where, size))
    path = Path(where)
    if path.is_dir():
        return stills(path)
    if not path.exists():
        raise BadState(f"{where}: no such picture, clip, folder or camera")
    if path.suffix.lower() in PICTURES:
        return iter([(0.0, picture(path))])
    return clip(path, live=live)


def camera(which: str, size: tuple[int, int] = (640, 480)) -> Frames:
    """Frames of a V4L2 camera until it is lost."""
    return pictures(V4L2(which, size))


def clip(
    path: Path,
    live: bool = False,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> Frames:
    """The frames of a clip; a truncated one ends where it breaks off."""
    device = cv2.VideoCapture(str(path))
    try:
        if not device.isOpened():
            raise BadState(f"{path} is not a clip that can be read")
        rate = float(device.get(cv2.CAP_PROP_FPS))
        rate = rate if 1 <= rate <= 1000 else 25.0
        begun, number = clock(), 0
        while True:
            done, frame = device.read()
            if not done or frame is None:
                break
            if live:
                sleep(max(0.0, begun + number / rate - clock()))
            yield number / rate, np.asarray(frame, np.uint8)
            number += 1
        if not number:
            raise BadState(f"{path} holds no frame that can be read")
    finally:
        device.release()


def stills(folder: Path) -> Frames:
    """The pictures of a folder by name, a second apart; files that are none are an error."""
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
    if not files:
        raise BadState(f"{folder} holds no pictures ({', '.join(PICTURES)})")
    for number, path in enumerate(files):
        yield float(number), picture(path)


def picture(path: Path) -> Picture:
    """One picture, 8-bit BGR; a clear error when it is none."""
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise BadState(f"{path} cannot be read: {error.strerror}") from error
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    except cv2.error as error:
        raise BadState(f"{path} is not a picture: {error.err}") from error
    if image is None:
        raise BadState(f"{path} is not a picture, or only a part of one")
    return np.asarray(image, np.uint8)
