"""How fast and how small the wire is, for `make bench`."""

from __future__ import annotations

import json
import os
import pty
import statistics
import subprocess
import sys
import time
import tty
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "firmware"))

import heap
from on_board import BUILD, FAKES, RUNNER, sources

from companion.events import CharacterDie
from firmware import wire
from hardware.dice.hub import exchange, opened
from hardware.dice.link import HubLink, Known

LINE = wire.encode("event", "asuna", 1234, 1233, "rest", 5, 87)
USB = 11_520  # bytes a second at 115,200 baud; the real USB port is faster


Row = tuple[str, str, str, str]


def rows() -> list[Row]:
    """Everything that can be measured on this machine."""
    measured = [latency(), decode("CPython", _cpython_decode())]
    if BUILD.exists():
        measured.append(decode("MicroPython (WebAssembly)", _micropython_decode()))
        measured += [_heap("hub", heap.HUB), _heap("die", heap.DIE)]
    return measured


def latency(count: int = 1000) -> Row:
    """From the last byte on the wire to the Event, through a terminal and pyserial."""
    outer, inner = pty.openpty()
    tty.setraw(inner)
    times = []
    with opened(os.ttyname(inner)) as cable:
        link = HubLink(Known(), time.monotonic())
        hello = wire.encode("hello", wire.PROTOCOL, "1.0.0", "hub0", "b1", 1)
        about = wire.encode("die", "asuna", "d1", wire.PROTOCOL, "1.0.0", "rest", 2, 90, 0)
        os.write(outer, hello + about)
        while not link.ready:
            exchange(cable, link, time.monotonic())
        for number in range(1, count + 1):
            line = wire.encode("event", "asuna", number, 0, "rest", 5, 87)
            start = time.perf_counter()
            os.write(outer, line)
            events: list[object] = []
            while not any(isinstance(event, CharacterDie) for event in events):
                events += exchange(cable, link, time.monotonic())
            times.append(time.perf_counter() - start)
            os.read(outer, 4096)  # the acknowledgement
    os.close(outer)
    os.close(inner)
    median = statistics.median(times)
    worst = sorted(times)[int(0.99 * count)]
    ours = f"median {median * 1e6:.0f} µs, 99 % {worst * 1e6:.0f} µs"
    return "bytes on the wire to Event", ours, "10 ms", f"{median / 0.010:.4f}"


def _cpython_decode() -> float:
    data, ears = LINE * 1000, wire.Decoder()
    best = 0.0
    for _ in range(5):
        start = time.perf_counter()
        heard = len(ears.feed(data))
        assert heard == 1000
        best = max(best, len(data) / (time.perf_counter() - start))
    return best


def _micropython_decode() -> float:
    program = f"""
import time
from firmware import wire
data, ears, best = {LINE!r} * 100, wire.Decoder(), 0
for _ in range(20):
    start = time.ticks_us()
    ears.feed(data)
    best = max(best, len(data) * 1000000 // max(1, time.ticks_diff(time.ticks_us(), start)))
print(best)
"""
    return float(_run([program]))


def decode(where: str, speed: float) -> Row:
    per_second = f"{speed / 1e6:.2f} MB/s, {speed / len(LINE):,.0f} lines/s"
    ratio = f"{speed / USB:.0f} times as fast"
    return f"codec, {where}", per_second, f"{USB:,} B/s (115,200 baud)", ratio


def _heap(board: str, work: str) -> Row:
    taken = int(_run(heap.programs(work)))
    return f"heap of the {board}, queues full", f"{taken:,} B", "64,000 B", f"{taken / 64_000:.2f}"


def _run(programs: list[str]) -> str:
    job = json.dumps({"files": {**sources(), **FAKES}, "main": programs})
    done = subprocess.run(
        ["node", str(RUNNER), "4096"], input=job, capture_output=True, text=True, check=True
    )
    return done.stdout
