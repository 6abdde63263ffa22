"""The time of tests: how long one waits before it gives up (PATIENCE=10 for a machine that is ten
times as slow), and a clock that is moved by hand."""

from __future__ import annotations

import os

FACTOR = float(os.environ.get("PATIENCE", "1"))


class Clock:
    """A time that stands still until a test moves it."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def within(seconds: float) -> float:
    """A limit in seconds, stretched."""
    return seconds * FACTOR
