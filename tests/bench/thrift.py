"""What giving memory back costs the eye: page faults of each reading, and what it holds at rest.

python -m tests.bench.thrift
"""

from __future__ import annotations

import json
import os
import pickle
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import cv2
import numpy as np

from companion.eye.child import THRIFTY
from tests.bench.speed import Frame, frames, plain
from vision.watch.memory import give_back

Row = tuple[str, str, str, str]
WAYS: dict[str, Mapping[str, str]] = {"as the daemon starts it": THRIFTY, "as it comes": {}}


def rows(size: tuple[int, int] = (1296, 972), dice: int = 8, count: int = 6) -> Iterator[Row]:
    """The same frames, read by two processes whose C libraries have other habits."""
    with tempfile.NamedTemporaryFile() as kept:
        Path(kept.name).write_bytes(pickle.dumps(list(frames(size, dice, count))))
        for name, how in WAYS.items():
            plain_faults, first, held, rest = measured(kept.name, how)
            yield f"eye, memory {name}: page faults of a reading", f"{plain_faults:.0f}", "", ""
            yield f"eye, memory {name}: of the first after a rest", f"{first:.0f}", "", ""
            yield f"eye, memory {name}: held", f"{held:.0f} MB", f"at rest {rest:.0f} MB", ""


def measured(kept: str, how: Mapping[str, str]) -> tuple[float, ...]:
    """What a process of its own finds that reads these frames."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.thrift", kept],
        env=os.environ | how, capture_output=True, check=True,
    )  # fmt: skip
    return tuple(json.loads(done.stdout))


def habits(some: list[Frame]) -> tuple[float, ...]:
    """Faults of a reading and of the first after a rest; megabytes held, and held at rest."""
    cv2.setNumThreads(1)
    for frame in some * 3:  # an eye that has run for a while
        plain(frame)
    faults = float(np.median([_faults(frame) for frame in some]))
    held = _resident()
    give_back()
    rest = _resident()
    return faults, _faults(some[0]), held, rest


def _faults(frame: Frame) -> int:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    plain(frame)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def _resident() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(habits(pickle.loads(Path(sys.argv[1]).read_bytes()))))
    else:
        for row in rows():
            print(*row, sep=" | ", flush=True)
