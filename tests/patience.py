"""How long a test waits before it gives up: PATIENCE=10 for a machine that is ten times as slow."""

from __future__ import annotations

import os

FACTOR = float(os.environ.get("PATIENCE", "1"))


def within(seconds: float) -> float:
    """A limit in seconds, stretched."""
    return seconds * FACTOR
