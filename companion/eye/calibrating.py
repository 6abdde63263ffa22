"""One calibration under way: frames go in, what to tell the people comes out. Time is an argument.

The empty tray is looked at and exposure and white balance are locked; the tray's edge is found and
straightened; thrown dice tell their size, and people say whether they were read rightly.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from companion.events import CameraStep, CameraTold, CameraWord, DiceSettled, SeenDie
from companion.eye.calibration_file import FORMAT, Calibration
from hardware.camera.lens import Camera, Controls
from vision.calibrate.drift import drift
from vision.calibrate.outline import Outline, outline, straightening
from vision.picture import Image
from vision.read.reader import Hint
from vision.watch.background import Noise, change, shrunk
from vision.watch.settle import Read, Settle, snapshot
from vision.watch.sight import Sight, Straight

CALM = 1.0  # seconds without motion before the empty tray is believed
TAKES_EFFECT = 0.7  # seconds until a locked exposure shows in the frames
FRAMES = 8  # of which the empty tray's picture is made
DARK = 40.0  # grey level that a tenth of a lit picture exceeds
HUNCH = 0.5  # sureness below which something in the empty tray is no die
FEWEST = 2  # dice of a throw that tell enough
UNEVEN = 1.5  # how much bigger than another a die of the same throw may look
UNCLEAR, WRONG = 5, 3  # throws until it is given up
PATIENCE = 300.0  # seconds until one that was forgotten ends by itself


class Calibrating:
    """From an empty tray to a record that can be stored."""

    def __init__(
        self, camera: Camera, read: Read, now: float, today: Callable[[], float] = time.time
    ) -> None:
        self.found: Calibration | None = None
        self.over = False
        self._camera, self._read, self._today = camera, read, today
        self._before: Controls = camera.controls()
        self._begun = now
        self._step: CameraStep = "clear"
        self._said: CameraTold | None = None
        self._noise, self._last = Noise(), np.zeros((0, 0), np.uint8)
        self._calm: float | None = None
        self._believed = False  # people say that the tray is empty
        self._frames: list[Image] = []
        self._background = np.zeros((0, 0, 3), np.uint8)
        self._tray: Outline | None = None
        self._straight: Straight | None = None
        self._settle = Settle(read)
        self._itself = 1.0
        self._unclear = self._wrong = 0
        self._dice: tuple[SeenDie, ...] = ()
        camera.lock({})

    def feed(self, image: Image, now: float) -> tuple[CameraTold, ...]:
        """Look at one frame of the camera."""
        if now - self._begun > PATIENCE:
            return self._end("stopped")
        if self._step in ("clear", "dark", "learn"):
            return self._look_at_empty(image, now)
        if self._step in ("throw", "again"):
            sight = Sight.of(image)
            seen = sight.straightened(self._straight) if self._straight else sight
            for event in self._settle.feed(seen, now):
                if isinstance(event, DiceSettled):
                    return self._judge(event)
        return ()

    def answer(self, word: CameraWord) -> tuple[CameraTold, ...]:
        """What people say to it."""
        if word == "stop":
            return self._end("stopped")
        if word == "empty" and self._step == "clear":
            self._believed = True
        if word == "right" and self._step == "check":
            self.found = self._record()
            return self._end("done", "whole picture" if self._tray is None else "")
        if word == "wrong" and self._step == "check":
            self._wrong += 1
            return self._end("failed", "wrong") if self._wrong == WRONG else self._tell("throw")
        return ()

    # -- the empty tray ------------------------------------------------------------------------

    def _look_at_empty(self, image: Image, now: float) -> tuple[CameraTold, ...]:
        small, _ = shrunk(image)
        if self._moves(small):
            self._calm, self._frames = None, []
            return self._tell("clear") if self._said is None else ()
        self._calm = now if self._calm is None else self._calm
        if self._step == "learn":
            return self._learn(image, now)
        if now - self._calm < CALM:
            return self._tell("clear") if self._said is None else ()
        if float(np.percentile(small, 90)) < DARK:
            return self._tell("dark")
        dice = () if self._believed else self._lying(image)
        if dice:
            self._calm = now  # look again in a while
            return self._tell("clear", dice)
        self._camera.lock(self._camera.controls())
        self._calm = now
        return self._tell("learn")

    def _lying(self, image: Image) -> tuple[SeenDie, ...]:
        """Dice in a tray that should be empty; a hunch, or the tray taken for one, is none."""
        most = image.shape[1] / 4
        dice = self._read(image, Hint()).dice
        return tuple(die for die in dice if die.sure > HUNCH and die.size < most)

    def _moves(self, small: Image) -> bool:
        last, self._last = self._last, small
        if last.shape != small.shape:
            return True
        self._noise.learn(last, small)
        return bool(change(last, small, self._noise.bound))

    def _learn(self, image: Image, now: float) -> tuple[CameraTold, ...]:
        if self._calm is None or now - self._calm < TAKES_EFFECT:
            return ()
        self._frames.append(image.copy())
        if len(self._frames) < FRAMES:
            return ()
        half = FRAMES // 2
        self._background = mean(self._frames)
        self._itself = max(0.0, drift(mean(self._frames[:half]), mean(self._frames[half:])).alike)
        self._tray = outline(self._background)
        size = (self._background.shape[1], self._background.shape[0])
        self._straight = straightening(self._tray, size) if self._tray else None
        self._settle = Settle(self._read, Hint(background=seen(self._background, self._straight)))
        return self._tell("throw")

    # -- the dice ------------------------------------------------------------------------------

    def _judge(self, thrown: DiceSettled) -> tuple[CameraTold, ...]:
        self._dice = thrown.dice
        wrong = unclear(thrown)
        if not wrong:
            return self._tell("check", thrown.dice)
        self._unclear += 1
        if self._unclear == UNCLEAR:
            return self._end("failed", wrong)
        return self._tell("again", thrown.dice, wrong)

    def _record(self) -> Calibration:
        packed = snapshot(self._background, self._background.shape[1], 92)
        tray = self._tray
        return Calibration(
            format=FORMAT,
            camera=self._camera.identity,
            size=(self._background.shape[1], self._background.shape[0]),
            at=self._today(),
            look=dict(self._camera.controls()),
            tray=tray.kind if tray else "none",
            corners=tray.corners if tray else (),
            die=float(np.median([die.size for die in self._dice])),
            itself=round(self._itself, 3),
            background=base64.b64encode(packed).decode("ascii"),
        )

    # -- telling -------------------------------------------------------------------------------

    def _tell(
        self, step: CameraStep, dice: tuple[SeenDie, ...] = (), why: str = ""
    ) -> tuple[CameraTold, ...]:
        """Say it once; what only repeats itself is not said again."""
        self._step = step
        told = CameraTold(step, dice, why)
        if step == "clear" and self._said is not None and self._said.step == "clear":
            if bool(dice) == bool(self._said.dice):
                return ()
        elif told == self._said:
            return ()
        self._said = told
        return (told,)

    def _end(self, step: CameraStep, why: str = "") -> tuple[CameraTold, ...]:
        self.over = True
        if step != "done":
            self._camera.lock(self._before if self._before else {})
        return (CameraTold(step, (), why),)


def unclear(thrown: DiceSettled) -> str:
    """What keeps a throw from teaching anything, in one of the eye's short words; "": nothing."""
    if len(thrown.dice) < FEWEST:
        return "few"
    flaws = [flaw for die in thrown.dice for flaw in die.wrong]
    for flaw in ("dark", "glare", "blurred", "stacked", "cocked", "cut"):
        if flaw in flaws:
            return flaw
    sizes = [die.size for die in thrown.dice]
    if max(sizes) > UNEVEN * min(sizes):
        return "uneven"
    return "" if thrown.accepted else "unsure"


def mean(frames: Sequence[Image]) -> Image:
    """The frames laid over each other: their noise goes."""
    total = np.zeros(frames[0].shape, np.float32)
    for frame in frames:
        total += frame
    return np.asarray(cv2.convertScaleAbs(total / len(frames)), np.uint8)


def seen(image: Image, straight: Straight | None) -> Image:
    """The picture, straightened where there is a tray to straighten."""
    return straight.picture(image) if straight else image
