"""What the camera of the rig sees: throws rendered on the host, as folders of pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.events import Body
from vision.rendered.tray import Tray

RATE, RESTING = 12.0, 23  # a reader that had to wait seldom comes back to the same picture
QUALITY = 92


class Lens:
    """A tray that is thrown into, and the folder that the guest's feed gives to the camera."""

    def __init__(self, folder: Path, seed: int = 5) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self._tray = Tray(np.random.default_rng(seed))
        self._now, self._scenes = 0.0, 0
        self._show()

    def throw(self, *dice: tuple[Body, int], keep: Sequence[tuple[Body, int]] = ()) -> None:
        """These dice fly, roll and lie."""
        self._tray.throw(dice, keep)
        self._show()

    def clear(self) -> None:
        """Take all dice up."""
        self._tray.clear()
        self._show()

    def _show(self) -> None:
        self._scenes += 1
        scene = self.folder / f"{self._scenes:03d}"
        scene.mkdir()
        number = 0
        self._frame(scene / "moving000.jpg")
        while self._tray.busy:
            number += 1
            self._frame(scene / f"moving{number:03d}.jpg")
        for number in range(RESTING):
            self._frame(scene / f"rest{number:03d}.jpg")
        new = self.folder / "new"
        new.write_text(scene.name)
        new.replace(self.folder / "now")  # the feed never reads half a name

    def _frame(self, file: Path) -> None:
        self._now += 1 / RATE
        picture = self._tray.frame(self._now)
        cv2.imwrite(str(file), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
