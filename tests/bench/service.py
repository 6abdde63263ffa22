"""What the service costs a Pi: start, idle share, memory of all processes, wear of the card."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.memory.journal import Journal
from tests.table.desk import Desk

Row = tuple[str, str, str, str]
IDLE = 20.0  # seconds
MOVES_AN_HOUR = 600  # one every six seconds: brisk play
GOAL_MB = 200
WEAR_MB = 8
ROLLS = 6
SETTINGS = """
[table]
state = "{state}"
[hardware]
panels = "twin"
displays = "twin"
[web]
host = "127.0.0.1"
port = 0
[eye]
camera = "{eye}"
[hub]
port = "{hub}"
"""


@contextmanager
def daemon(eye: str = "off", hub: str = "off") -> Iterator[tuple[int, float, Path]]:
    """Five seats, six displays, the pages; process, seconds from start to ready, state."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "table.toml"
        settings.write_text(SETTINGS.format(state=folder, eye=eye, hub=hub))
        started = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, "-m", "companion", "run", "-s", str(settings)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        try:
            yield child.pid, time.perf_counter() - started, Path(folder)
        finally:
            child.send_signal(signal.SIGTERM)
            child.wait()


def family(pid: int) -> list[int]:
    """A process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in children for one in family(int(child)))]


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int, kind: str) -> float:
    """Resident: "Rss", or "Pss", where what processes share is divided between them."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith(f"{kind}:"):
            return int(line.split()[1]) / 1000
    return 0.0


def idle_and_start() -> Iterator[Row]:
    bare = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    bare = time.perf_counter() - bare
    with daemon() as (pid, ready, _):
        time.sleep(3)  # the first pictures are drawn
        before = cpu_seconds(pid)
        time.sleep(IDLE)
        share = (cpu_seconds(pid) - before) / IDLE
    yield (
        "start to ready, six displays and pages", f"{ready:.2f} s", f"bare Python {bare:.2f} s",
        f"{ready / bare:.0f}",
    )  # fmt: skip
    yield "CPU share of the idle daemon", f"{share:.2%}", "one core", f"{share:.4f}"


def memory() -> Iterator[Row]:
    """After rolls, each read by the eye: the biggest sum that was seen once the dice lay still."""
    with daemon(eye="twin", hub="twin") as (pid, _, state):
        time.sleep(10)  # the eye opens its tray
        sums, most = [], 0.0
        with socket.socket(socket.AF_UNIX) as window:
            window.connect(str(state / "window.sock"))
            window.setblocking(False)
            for _ in range(ROLLS):
                window.sendall(b'{"throw":true}\n')
                for _ in range(14):  # thrown, read, at rest, given back
                    time.sleep(0.5)
                    with suppress(BlockingIOError):
                        window.recv(1 << 20)  # what the glasses show
                    most = max(most, sum(megabytes(one, "Pss") for one in family(pid)))
                sums.append([megabytes(one, "Pss") for one in family(pid)])
    parts = max(sums, key=sum)
    yield (
        f"resident memory of all {len(parts)} processes after rolls, two of them twins",
        f"{sum(parts):.0f} MB ({' + '.join(f'{part:.0f}' for part in parts)})",
        f"goal {GOAL_MB} MB", f"{sum(parts) / GOAL_MB:.2f}",
    )  # fmt: skip
    yield (
        "the same while dice are thrown and read, at most", f"{most:.0f} MB",
        f"goal {GOAL_MB} MB", f"{most / GOAL_MB:.2f}",
    )  # fmt: skip


def written() -> int:
    """Bytes that this process has caused to be written to a disk so far."""
    for line in Path("/proc/self/io").read_text().splitlines():
        if line.startswith("write_bytes:"):
            return int(line.split()[1])
    return 0


def wear() -> Iterator[Row]:
    """A duel played by random presses; the journal is all that play writes."""
    with tempfile.TemporaryDirectory(dir=Path.home()) as folder:
        desk, chance, moves = Desk(Path(folder), seed=1), random.Random(1), 0
        desk.start()
        before = written()
        while moves < MOVES_AN_HOUR:
            panel = chance.randrange(2)
            if labels := desk.labels(panel):
                at = desk.table.play.entry
                desk.press(panel, *["next"] * chance.randrange(len(labels)), "select")
                moves += desk.table.play.entry != at
        desk.journal.close()
        bytes_written = written() - before
        journal = Journal(desk.path, lambda: 0.0, write=False)
        rows = [json.dumps(e.body) for g in journal.games() for e in journal.entries(g.id)]
        payload = sum(map(len, rows))
        journal.close()
    yield (
        f"written to disk in an hour of {MOVES_AN_HOUR} moves", f"{bytes_written / 1e6:.1f} MB",
        f"at most {WEAR_MB} MB; the moves themselves {payload / 1e6:.3f} MB",
        f"{bytes_written / 1e6 / WEAR_MB:.2f}",
    )  # fmt: skip


def rows() -> Iterator[Row]:
    """For `make bench`."""
    yield from idle_and_start()
    yield from memory()
    yield from wear()


if __name__ == "__main__":
    for row in rows():
        print(*row, sep=" | ", flush=True)
