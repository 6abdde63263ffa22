"""The camera that is not there: sees the rendered tray, with a camera's own ways and faults."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from companion.errors import DeviceLost
from companion.eye.protocol import Ailment
from companion.words import text
from hardware.camera.lens import Controls, Picture, Shot
from vision.rendered.tray import Tray

BUSY, CALM = 12.0, 6.0  # frames a second while something happens, and while nothing does
_DIM, _BRIGHT, _AIM = 40.0, 190.0, 100.0  # mean grey levels that it leaves alone, and aims at


class TwinCamera:
    """Adapts its exposure unless it is locked, and fails in every way that a drill orders."""

    identity = "twin"
    live = True

    def __init__(
        self,
        tray: Tray,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.tray = tray
        self.ailment: Ailment = ""
        self.bumped = 0.0  # by how many edges of a die it no longer points where it did
        self._clock, self._sleep = clock, sleep
        self._gain, self._locked = 1.0, False

    def frames(self) -> Iterator[Shot]:
        """What the tray looks like now, and now, and now."""
        due = self._clock()
        frozen: Picture | None = None
        while True:
            if self.ailment == "unplugged":
                raise DeviceLost(text("the camera stopped giving pictures: check its cable"))
            now = self._clock()
            if self.ailment != "stalls":
                picture = self._exposed(self._aimed(self.tray.frame(now)))
                if self.ailment == "black":
                    picture = np.zeros_like(picture)
                frozen = picture if frozen is None or self.ailment != "freezes" else frozen
                yield Shot(now, lambda picture=frozen: picture)  # type: ignore[misc]  # mypy: defaults
            due = max(due + 1 / (BUSY if self.tray.busy else CALM), self._clock())
            self._sleep(max(0.0, due - self._clock()))

    def controls(self) -> Controls:
        """How much it brightens."""
        return {"gain": self._gain}

    def lock(self, controls: Controls) -> None:
        """Brighten by this much, or by itself."""
        self._locked = bool(controls)
        self._gain = float(controls.get("gain", self._gain))

    def hold(self, still: bool) -> None:
        """Its exposure moves too slowly for a roll to notice."""

    def _aimed(self, picture: Picture) -> Picture:
        """What a camera sees that was turned a little."""
        by = round(self.bumped * self.tray.camera.die)
        if not by:
            return picture
        tall, wide = picture.shape[:2]
        rows = np.clip(np.arange(tall) - by // 2, 0, tall - 1)
        columns = np.clip(np.arange(wide) - by, 0, wide - 1)
        return np.ascontiguousarray(picture[rows][:, columns])

    def _exposed(self, picture: Picture) -> Picture:
        mean = float(picture[::8, ::8].mean()) * self._gain
        if not self._locked and not _DIM < mean < _BRIGHT:
            self._gain *= float(np.clip(_AIM / max(mean, 1.0), 0.85, 1.18))
        if self._gain == 1:
            return picture
        return np.asarray(np.clip(picture * np.float32(self._gain), 0, 255), np.uint8)
