"""A camera on the Pi's own ribbon, through picamera2: a small stream for motion, a big one to read.

picamera2 comes from the Pi's packages (apt install python3-picamera2), never from pip; the virtual
environment must be made with --system-site-packages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from companion.errors import DeviceLost
from companion.words import text
from hardware.camera.lens import Controls, Picture, Shot

STEP = 8  # pixels of the big picture that are one of the small one
RATE = 15.0  # frames a second
PATIENCE = 2.0  # seconds for a frame
BUFFERS = 4  # one is read, one is being exposed, two wait
_BY_ITSELF = {"AeEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0, "AwbEnable": True}
_MANUAL_FOCUS, _CONTINUOUS_FOCUS = 0, 2  # of libcamera's AfModeEnum


def _real() -> Any:
    """The class itself; imported late, for most machines have none."""
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise DeviceLost(
            f"picamera2 cannot be imported ({error}): sudo apt install python3-picamera2, and make "
            "the virtual environment with --system-site-packages"
        ) from error
    return Picamera2


class PiCamera:
    """The ribbon camera `number`. Nothing is opened before its frames are asked for."""

    live = True

    def __init__(
        self,
        number: int = 0,
        size: tuple[int, int] = (1280, 960),
        device: Callable[[], Any] = _real,
    ) -> None:
        self.number = number
        self.size = (size[0] // (2 * STEP) * 2 * STEP, size[1] // (2 * STEP) * 2 * STEP)
        self.identity = f"pi{number}"
        self._class = device
        self._camera: Any = None
        self._locked: Controls = {}
        self._held = False
        self._now: dict[str, Any] = {}  # what the last frame was taken with

    def frames(self) -> Iterator[Shot]:
        """Frames with the sensor's own time, until it is lost."""
        self._camera = camera = self._open()
        try:
            camera.start()
            self.lock(self._locked)
            while True:
                request = camera.wait(camera.capture_request(wait=False), timeout=PATIENCE)
                try:
                    self._now = request.get_metadata()
                    yield self._shot(request)
                finally:
                    request.release()
        except TimeoutError as error:
            raise DeviceLost(
                text(
                    "the camera gave no picture for {seconds} s: check its ribbon at both ends",
                    seconds=f"{PATIENCE:g}",
                )
            ) from error
        except RuntimeError as error:  # what libcamera and picamera2 complain with
            raise DeviceLost(
                text("the camera failed ({error}): check its ribbon", error=str(error))
            ) from error
        finally:
            self._camera = None
            camera.close()

    def controls(self) -> Controls:
        """What the last frame was taken with."""
        told: dict[str, float] = {
            name: float(self._now[name])
            for name in ("ExposureTime", "AnalogueGain", "LensPosition")
            if name in self._now
        }
        if "ColourGains" in self._now:
            told["red"], told["blue"] = (float(gain) for gain in self._now["ColourGains"])
        return told

    def lock(self, controls: Controls) -> None:
        """Exposure, white balance and focus as given; none: by itself."""
        self._locked, self._held = controls, False
        self._set(controls)

    def hold(self, still: bool) -> None:
        """During a roll a camera that was not calibrated stays as the last frame was."""
        if not self._locked and still != self._held:
            self._held = still
            self._set(self.controls() if still else {})

    def _set(self, controls: Controls) -> None:
        if self._camera is None:
            return
        focus = "AfMode" in self._camera.camera_controls
        if not controls:
            wanted: dict[str, Any] = dict(_BY_ITSELF)
            if focus:
                wanted["AfMode"] = _CONTINUOUS_FOCUS
        else:
            wanted = {"AeEnable": False, "AwbEnable": False}
            if "ExposureTime" in controls:
                wanted["ExposureTime"] = int(controls["ExposureTime"])
            if "AnalogueGain" in controls:
                wanted["AnalogueGain"] = controls["AnalogueGain"]
            if "red" in controls and "blue" in controls:
                wanted["ColourGains"] = (controls["red"], controls["blue"])
            if focus and "LensPosition" in controls:
                wanted["AfMode"], wanted["LensPosition"] = _MANUAL_FOCUS, controls["LensPosition"]
        self._camera.set_controls(wanted)

    def _shot(self, request: Any) -> Shot:
        width, height = self.size
        luma = request.make_array("lores")[: height // STEP, : width // STEP]  # the Y of YUV420
        small: Picture = np.ascontiguousarray(luma, np.uint8)
        stamp = float(self._now["SensorTimestamp"]) / 1e9
        return Shot(
            stamp, lambda: np.asarray(request.make_array("main"), np.uint8), self.size, small
        )

    def _open(self) -> Any:
        known = self._class()
        there = known.global_camera_info()
        if self.number >= len(there):
            raise DeviceLost(
                f"no camera {self.number} on the ribbon ({len(there)} found): switch the Pi off, "
                "check the ribbon at both ends; rpicam-hello --list-cameras shows what is there"
            )
        self.identity = f"{there[self.number].get('Model', 'camera')} {there[self.number]['Id']}"
        try:
            camera = known(self.number)
        except (RuntimeError, IndexError) as error:
            raise DeviceLost(
                f"the camera cannot be opened ({error}): is another program using it, is this user "
                "in the group video?"
            ) from error
        try:
            width, height = self.size
            camera.configure(
                camera.create_preview_configuration(  # full-range YUV, unlike video
                    main={"size": self.size, "format": "RGB888"},  # in memory: blue, green, red
                    lores={"size": (width // STEP, height // STEP), "format": "YUV420"},
                    raw=None,
                    buffer_count=BUFFERS,
                    queue=False,  # the newest frame, not one that has waited
                    controls={"FrameRate": RATE},
                )
            )
        except RuntimeError as error:
            camera.close()
            raise DeviceLost(f"the camera takes no pictures of {self.size}: {error}") from error
        return camera
