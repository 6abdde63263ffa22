"""Any camera that Linux knows (V4L2), through OpenCV."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.errors import DeviceLost, barred
from companion.words import Text, text
from hardware.camera.lens import Camera, Controls, Picture, Shot

STOPPED = text("the camera stopped giving pictures: check its cable")
_LOST = 3  # frames in a row that a camera may drop
_MANUAL, _AUTO = 1.0, 3.0  # of V4L2's menu of exposure modes
_CONTROLS = {
    "exposure": cv2.CAP_PROP_EXPOSURE,
    "gain": cv2.CAP_PROP_GAIN,
    "white": cv2.CAP_PROP_WB_TEMPERATURE,
    "focus": cv2.CAP_PROP_FOCUS,
}


def _try(path: Path) -> None:
    """Open and close it: OpenCV does not tell why it could not."""
    os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))


class V4L2:
    """A camera by its number or its path; `seen`: it gave pictures before."""

    live = True

    def __init__(
        self,
        which: str,
        size: tuple[int, int] = (640, 480),
        clock: Callable[[], float] = time.monotonic,
        folder: Path = Path("/dev"),
        capture: Callable[..., Any] = cv2.VideoCapture,
        attempt: Callable[[Path], None] = _try,
        seen: bool = False,
    ) -> None:
        self.which, self.size = which, size
        self.path = folder / f"video{which}" if which.isdigit() else Path(which)
        self._clock, self._folder = clock, folder
        self._capture, self._attempt, self._seen = capture, attempt, seen
        self._device: Any = None
        self._locked: Controls = {}

    @property
    def identity(self) -> str:
        """The name that udev gives this very camera, else where it is."""
        for link in sorted((self._folder / "v4l/by-id").glob("*")):
            if link.resolve() == self.path.resolve():
                return link.name
        return str(self.path)

    def frames(self) -> Iterator[Shot]:
        """Frames until it is lost."""
        self._device = device = self._open()
        try:
            self.lock(self._locked)
            missed = 0
            while missed < _LOST:
                done, frame = device.read()
                if done and frame is not None:
                    missed = 0
                    picture = np.asarray(frame, np.uint8)
                    yield Shot(self._stamp(), lambda picture=picture: picture)  # type: ignore[misc]
                else:
                    missed += 1
            raise DeviceLost(STOPPED)
        finally:
            self._device = None
            device.release()

    def controls(self) -> Controls:
        """The controls that this camera has, as they are now."""
        if self._device is None:
            return {}
        now = {name: float(self._device.get(code)) for name, code in _CONTROLS.items()}
        return {name: value for name, value in now.items() if value >= 0}  # -1: it has none

    def lock(self, controls: Controls) -> None:
        """Cheap cameras ignore some of this; what they then change by themselves is seen later."""
        self._locked = controls
        if self._device is None:
            return
        self._device.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL if controls else _AUTO)
        self._device.set(cv2.CAP_PROP_AUTO_WB, 0.0 if controls else 1.0)
        self._device.set(cv2.CAP_PROP_AUTOFOCUS, 0.0 if controls else 1.0)
        for name, value in controls.items():
            if name in _CONTROLS:
                self._device.set(_CONTROLS[name], value)

    def hold(self, still: bool) -> None:
        """Left alone: many webcams jump when they are switched to and fro."""

    def _stamp(self) -> float:
        """When the kernel got the frame, if it says so by our clock; else now."""
        now, told = self._clock(), float(self._device.get(cv2.CAP_PROP_POS_MSEC)) / 1000
        return told if 0 <= now - told < 2 else now

    def _open(self) -> Any:
        try:
            self._attempt(self.path)
        except FileNotFoundError as error:
            raise DeviceLost(self._missing()) from error
        except PermissionError as error:
            raise DeviceLost(
                barred(error)
                or f"camera {self.which}: no permission to use {self.path}; put this user into the "
                "group video (sudo usermod -aG video NAME) and log in again"
            ) from error
        except OSError as error:
            raise DeviceLost(self._closed()) from error
        source: int | str = int(self.which) if self.which.isdigit() else self.which
        device = self._capture(source, cv2.CAP_V4L2)
        if not device.isOpened():
            device.release()
            raise DeviceLost(self._closed())
        device.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))
        device.set(cv2.CAP_PROP_FRAME_WIDTH, float(self.size[0]))
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, float(self.size[1]))
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1.0)  # old frames tell of old dice
        return device

    def _closed(self) -> Text:
        if self._seen:
            return STOPPED
        return text(
            "camera {which} cannot be opened: is it plugged in, is another program using "
            'it? A camera on the Pi\'s own ribbon is not among these: set camera = "pi"',
            which=self.which,
        )

    def _missing(self) -> str | Text:
        if self._seen:
            return text("the camera was unplugged: plug it in again")
        there = sorted(path.name for path in self._folder.glob("video*"))
        known = f"there are {', '.join(there)}" if there else "there is none at all"
        return (
            f"camera {self.which}: no {self.path} ({known}): is it plugged in, "
            "is its number right in the settings?"
        )


def pictures(camera: Camera) -> Iterator[tuple[float, Picture]]:
    """Its frames as whole pictures with their times."""
    for shot in camera.frames():
        yield shot.time, shot.whole
