"""Signs of life while no frame gets done: a long reading is work, a camera that hangs is none."""

from __future__ import annotations

from collections.abc import Callable

EVERY = 0.5  # seconds between two looks
LONGEST = 60.0  # seconds that one frame may take: whoever works longer is stuck
LEAST = 0.001  # seconds of a processor in EVERY: a thread that waits for a camera takes less


class Pulse:
    """Asked every so often; time is an argument."""

    def __init__(self, frames: Callable[[], int], worked: Callable[[], float]) -> None:
        self._frames, self._worked = frames, worked  # done so far, and seconds of a processor
        self._seen, self._spent, self._since = -1, 0.0, 0.0

    def beats(self, now: float) -> bool:
        """Whether the eye works on a frame right now, and not for ever."""
        frames, spent = self._frames(), self._worked()
        works, self._spent = spent - self._spent >= LEAST, spent
        if frames != self._seen:
            self._seen, self._since = frames, now
        return works and now - self._since < LONGEST
