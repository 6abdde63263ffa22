"""What keeps a picture from eating into the glass: rest it dimmer, and move it by a pixel."""

from __future__ import annotations

from dataclasses import dataclass

DIM_AFTER = 120.0  # seconds without a change
SHIFT_EVERY = 180.0
HANDS_OFF = 5.0  # a picture does not move under the finger

# once around the middle, a pixel at a time, so that no pixel is lit for ever
STEPS = ((0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


@dataclass(frozen=True, slots=True)
class Rest:
    """How to show a picture now."""

    dim: bool
    offset: tuple[int, int]
    shifted: bool  # since the last time


class Care:
    """Told at every showing whether the picture changed; time is an argument."""

    def __init__(self, dim_after: float = DIM_AFTER, shift_every: float = SHIFT_EVERY) -> None:
        self._dim_after = dim_after
        self._shift_every = shift_every
        self._changed: float | None = None
        self._shifted = 0.0
        self._step = 0

    def rest(self, changed: bool, now: float) -> Rest:
        """Whether to dim, and where the picture stands."""
        if self._changed is None:
            self._shifted = now
        if changed or self._changed is None:
            self._changed = now
        idle = now - self._changed
        shifts = now - self._shifted >= self._shift_every and idle >= HANDS_OFF
        if shifts:
            self._shifted = now
            self._step = (self._step + 1) % len(STEPS)
        return Rest(idle >= self._dim_after, STEPS[self._step], shifts)
