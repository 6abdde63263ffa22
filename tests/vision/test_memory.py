"""What pictures took goes back to the machine, though what is still in use lies between."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from vision.watch import memory

PIECE = 16 << 10  # bytes: so small that the C library keeps it for later
MANY = 4000


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(memory._TRIM is None, reason="this C library keeps nothing for later")
def test_free_pages_between_used_ones_are_given_back() -> None:
    pieces = [np.ones(PIECE, np.uint8) for _ in range(MANY)]
    pinned = pieces[::100]
    full = resident()
    del pieces
    memory.give_back()
    assert full - resident() > MANY * PIECE / 2
    assert all(piece.all() for piece in pinned)
