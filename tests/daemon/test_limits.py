"""The log stays short whatever happens, and the process may open all the files it is given."""

from __future__ import annotations

import asyncio
import ctypes
import logging
import resource
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from companion.daemon.limits import KINDS, MANY, WINDOW, Repeats, Thrift, prepare
from tests.patience import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def said(clock: Clock) -> list[str]:
    """What a logger wrote; it is the one named `kept`."""
    lines: list[str] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    log, handler = logging.getLogger("kept"), Keeping()
    handler.addFilter(Repeats(clock))
    log.handlers, log.propagate = [handler], False
    return lines


def test_of_each_kind_ten_lines_a_minute_are_written_and_the_rest_is_counted(
    said: list[str], clock: Clock
) -> None:
    log = logging.getLogger("kept")
    for number in range(1000):
        log.warning("a wrong code from %s", number)
    log.warning("something else")
    assert said == [*(f"a wrong code from {n}" for n in range(MANY)), "something else"]
    clock.now = WINDOW
    log.warning("a wrong code from %s", 7)
    log.warning("a wrong code from %s", 8)
    assert said[-2:] == ["a wrong code from 7 (990 more like it)", "a wrong code from 8"]


def test_lines_that_all_differ_are_not_all_remembered(said: list[str]) -> None:
    log = logging.getLogger("kept")
    for number in range(3 * KINDS):
        log.warning(f"line {number}")
    assert len(said) == 3 * KINDS
    assert len(log.handlers[0].filters[0]._kinds) <= KINDS  # type: ignore[union-attr]


def test_what_was_freed_in_holes_goes_back_to_the_machine() -> None:
    def held() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

    async def twice(sleep: list[None]) -> int:
        async def soon(_: float) -> None:
            sleep.append(None)
            if len(sleep) > 1:
                raise asyncio.CancelledError

        with suppress(asyncio.CancelledError):
            await Thrift(soon).run(lambda _: None)
        return held()

    blocks = [bytes(5000) for _ in range(8000)]
    kept = blocks[::100]
    blocks.clear()
    before = held()
    assert before - asyncio.run(twice([])) > 20_000_000
    assert len(kept) == 80


def test_the_process_may_open_as_many_files_as_the_machine_gives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 4096))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: asked.append(limits))
    monkeypatch.setattr(sys, "setswitchinterval", lambda _: None)
    prepare()
    assert asked == [(4096, 4096)]


HEAPS = """
import re, sys, threading
from pathlib import Path
from companion.daemon.limits import prepare
if sys.argv[1:]:
    prepare()
kept, all_here = [], threading.Barrier(5)
def work():
    kept.append([bytes(90_000) for _ in range(10)])
    all_here.wait()
threads = [threading.Thread(target=work) for _ in range(4)]
for one in threads:
    one.start()
all_here.wait()
starts = re.findall("^([0-9a-f]+)-.* rw-p .* 0 +$", Path("/proc/self/maps").read_text(), re.M)
print(sum(int(start, 16) % (64 << 20) == 0 for start in starts))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="not glibc")
def test_threads_have_no_heaps_of_their_own() -> None:
    def heaps(*prepared: str) -> int:
        told = subprocess.run(
            [sys.executable, "-c", HEAPS, *prepared], check=True, capture_output=True
        )
        return int(told.stdout)

    assert heaps() > 0
    assert heaps("prepared") == 0
