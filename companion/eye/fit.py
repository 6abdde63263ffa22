"""The calibration in use: straightens frames, and is watched whether it still fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.errors import BadState
from companion.events import CameraStep, CameraTold, SeenDie
from companion.eye.calibrating import mean, seen
from companion.eye.calibration_file import Calibration, load
from hardware.camera.lens import Camera
from vision.calibrate.drift import drift
from vision.calibrate.outline import Outline, straightening
from vision.picture import Image
from vision.read.reader import Hint
from vision.watch.sight import Sight, Straight

EVERY = 10.0  # seconds between two looks at whether it fits
SOON = 2.0  # seconds after which a doubt is looked at again: a hand's shadow is gone by then
FRAMES, APART = 2, 0.1  # frames of a look, and seconds between them


class Fit:
    """Starts without a calibration, as an eye does that was never taught anything."""

    def __init__(self) -> None:
        self.calibration: Calibration | None = None
        self.hint = Hint()
        self.verdict: CameraStep = "fits"  # the last one that the table heard
        self._straight: Straight | None = None
        self._empty: Image | None = None  # as calibrated, straightened
        self._frames: list[Image] = []
        self._next = 0.0  # when to take the next frame
        self._doubt: CameraStep = "fits"  # what the last look found

    @property
    def in_use(self) -> bool:
        """Whether frames are straightened: not when the camera has moved."""
        return self.calibration is not None and self.verdict != "moved"

    def start(self, path: Path, camera: Camera, size: tuple[int, int]) -> tuple[CameraTold, ...]:
        """Use what is stored for this camera, if anything is."""
        try:
            stored = load(path)
            if stored is None:
                return ()
            if stored.camera != camera.identity:
                return (CameraTold("other", why=stored.camera),)
            if stored.size != size:
                return (CameraTold("other", why=f"{stored.size[0]}x{stored.size[1]}"),)
            self.use(stored, camera)
        except BadState as error:
            return (CameraTold("unreadable", why=str(error)),)
        return ()

    def use(self, calibration: Calibration, camera: Camera) -> None:
        """See through this calibration from now on."""
        packed = np.frombuffer(calibration.picture, np.uint8)
        image = cv2.imdecode(packed, cv2.IMREAD_COLOR) if packed.size else None
        width, height = calibration.size
        if image is None or image.shape[:2] != (height, width):
            raise BadState("the stored picture of the tray is damaged: calibrate again")
        self.calibration, self.verdict, self._doubt = calibration, "fits", "fits"
        self._straight = None
        if calibration.tray != "none":
            tray = Outline(calibration.tray, calibration.corners, calibration.corners)
            self._straight = straightening(tray, calibration.size)
        self._empty = seen(np.asarray(image, np.uint8), self._straight)
        circle = None
        if calibration.tray == "round" and self._straight is not None:
            wide, tall = self._straight.size
            circle = (wide / 2, tall / 2, min(wide, tall) / 2)
        self.hint = Hint(calibration.die, circle=circle, background=self._empty)
        self._frames, self._next = [], 0.0
        camera.lock(calibration.look)

    def through(self, sight: Sight) -> Sight:
        """The frame as the calibrated eye sees it."""
        return sight.straightened(self._straight) if self._straight and self.in_use else sight

    def stirred(self) -> None:
        """Something moves: look as soon as it rests whether it was the camera."""
        self._frames, self._next = [], 0.0

    def check(
        self, sight: Sight, dice: Sequence[SeenDie], now: float, resting: bool = True
    ) -> CameraTold | None:
        """Look at a calm tray now and then; report what two checks in a row find, once.

        `sight` is the camera's own frame, `dice` are as the eye sees them. That the camera moved is
        checked again at once, so it is told within a second. It alone is told of a tray that does
        not rest yet: a hand looks like other light or another tray, and a bump like a hand.
        """
        if self.calibration is None or self._empty is None or now < self._next:
            return None
        if self._frames and now > self._next + SOON:
            self._frames = []  # the tray was disturbed meanwhile
        self._frames.append(seen(sight.whole, self._straight))
        self._next = now + APART
        if len(self._frames) < FRAMES:
            return None
        lying = dice if self.in_use else [self._moved(die) for die in dice]
        found = drift(self._empty, mean(self._frames), lying, self.calibration.itself).verdict
        verdict: CameraStep = "moved" if found == "covered" else found
        if not resting and found != "moved":
            verdict = self.verdict
        self._frames, before, self._doubt = [], self._doubt, verdict
        told = verdict if verdict == before != self.verdict else None
        again = APART if found == "moved" else SOON
        self._next = now + (EVERY if verdict == self.verdict or told else again)
        if told is None:
            return None
        self.verdict = told
        return CameraTold(told)

    def _moved(self, die: SeenDie) -> SeenDie:
        """A die of the camera's own frame, where it would lie in the straightened one."""
        if self._straight is None:
            return die
        x, y, scale = self._straight.matrix @ np.array([*die.centre, 1.0])
        return replace(die, centre=(float(x / scale), float(y / scale)))
