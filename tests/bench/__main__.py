"""`make bench`: each figure of ours beside a peer's or a limit's in the same run, as a ratio."""

from __future__ import annotations

import asyncio
import json
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table as Rows

from companion.events import ButtonPressed
from companion.games.kiriai import KIRIAI
from companion.memory.cardbox import CardBox
from companion.memory.codec import action_to_json
from companion.memory.journal import Journal
from companion.table.table import Table
from companion.views import READ
from tests.bench import (
    bots,
    bus,
    camera,
    engines,
    eye,
    hack,
    past,
    sao,
    service,
    swords,
    venue,
    web,
    wire,
)  # fmt: skip
from tests.daemon.house import House, open_house
from tests.table.desk import TWO
from tests.table.evening import TWO_SEATS

Row = tuple[str, str, str, str]
FULL_FRAME = 1036  # bytes on the wire: 1,024 of picture, the window, addresses, control bytes
BUS_CLOCK = 400_000


def _bare(path: Path) -> sqlite3.Connection:
    """The least that keeps a line: no chain, no mark, no copy of the result."""
    db = sqlite3.connect(path, isolation_level=None)
    for said in ("journal_mode=WAL", "synchronous=FULL"):
        db.execute(f"PRAGMA {said}")
    db.execute("CREATE TABLE entries (seq INTEGER PRIMARY KEY, at REAL, who INT, kind, body)")
    return db


def handling() -> Iterator[Row]:
    """A press that becomes a move, beside the bare commit of the same line on the same disk."""
    with tempfile.TemporaryDirectory(dir=Path.home()) as folder:
        chance = random.Random(1)
        journal = Journal(Path(folder) / "journal.db", time.time)
        table = Table(
            {"kiriai": KIRIAI}, journal, TWO, box=CardBox(Path(folder) / "cards"),
            draw=lambda: f"{chance.getrandbits(256):064x}",
        )  # fmt: skip
        bare = _bare(Path(folder) / "bare.db")
        ours: list[float] = []
        theirs: list[float] = []
        own: list[float] = []  # what we reckon beside the commit, however busy the machine is
        body: dict[str, object] = {}

        def commit() -> float:
            if journal._mark is not None:
                journal._mark.settle()  # or the bare commit waits for our mark
            start, idle = time.perf_counter(), time.thread_time()
            row = (len(theirs), time.time(), 0, "do", json.dumps(body))
            bare.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", row)
            theirs.append(time.perf_counter() - start)
            return time.thread_time() - idle

        while len(ours) < 400:
            panel = chance.randrange(2)
            view = table.panel(panel)
            if view.leaf is not None:  # the story comes first
                table.handle(ButtonPressed(panel, "select", READ))
                continue
            if not view.choices:
                continue
            aside = table.play.in_lobby or table.play.over  # join, start, again: the first choice
            for _ in range(0 if aside else chance.randrange(len(view.choices))):
                table.handle(ButtonPressed(panel, "next", table.panel(panel).seq))
            offered, before = table.panel(panel).seq, table.play.line
            first = len(ours) % 2  # the second of two commits finds the disk warm: take turns
            idle = commit() if first else 0.0
            start, worked = time.perf_counter(), time.thread_time()
            table.handle(ButtonPressed(panel, "select", offered))
            took, worked = time.perf_counter() - start, time.thread_time() - worked
            moved = table.play.line
            if len(moved.moves) == len(before.moves) + 1:
                ours.append(took)
                body = action_to_json(moved.moves[-1].what)
                own.append(worked - (idle if first else commit()))
        our, their = statistics.median(ours) * 1e3, statistics.median(theirs) * 1e3
        yield (
            "Table.handle with its commit, chain and mark",
            f"{our:.2f} ms ({statistics.median(own) * 1e3:.2f} ms of it ours)",
            f"bare commit {their:.2f} ms", f"{our / their:.2f} (at most 1.6, goal 1.3)",
        )  # fmt: skip


async def _edges(house: House) -> list[tuple[float, int, int]]:
    """Seconds from the edge on the pin to the last byte on the wire, bytes and transfers sent."""
    found = []
    for join in (0, 1):
        await house.choose(join, "Join")
    await house.choose(0, "Start")
    bus = house.devices.buses["one"]
    for _ in range(60):
        bus.forget()
        house.daemon.events.clear()
        start = time.perf_counter()
        press = asyncio.create_task(house.devices.press(0, "next", house.daemon.emit))
        await house.daemon.hears(ButtonPressed)
        found.append((time.perf_counter() - start, bus.sent, bus.transfers))
        await press
    return found


def edge_to_glass() -> Iterator[Row]:
    """Our own share between finger and glass; the twin's wire takes no time, the real one does."""

    async def measure() -> list[tuple[float, int, int]]:
        with tempfile.TemporaryDirectory() as folder:
            async with open_house(Path(folder)) as house:
                return await _edges(house)

    found = asyncio.run(measure())
    own = statistics.median(seconds for seconds, _, _ in found) * 1e3
    sent = statistics.median(count for _, count, _ in found)
    wire = statistics.median((9 * n + 2 * t) / BUS_CLOCK for _, n, t in found) * 1e3
    yield (
        "press edge to last byte, our share", f"{own:.1f} ms (5 ms of it debounce)",
        f"wire at 400 kHz {wire:.1f} ms", f"{(own + wire) / wire:.2f} (goal: under 10 ms)",
    )  # fmt: skip
    yield (
        "bytes per change of a menu", f"{sent:.0f}", f"full frame {FULL_FRAME}",
        f"{sent / FULL_FRAME:.2f}",
    )  # fmt: skip


def start_and_memory() -> Iterator[Row]:
    """A daemon of its own, from the command to its word that it is ready."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "two.toml"
        settings.write_text(TWO_SEATS.format(state=folder))
        bare = _seconds([sys.executable, "-c", "pass"])
        started = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, "-m", "companion", "run", "-s", str(settings)], stdout=subprocess.PIPE
        )
        assert child.stdout is not None
        child.stdout.readline()
        ready = time.perf_counter() - started
        pages = int(Path(f"/proc/{child.pid}/statm").read_text().split()[1])
        memory = pages * os.sysconf("SC_PAGE_SIZE") / 1e6
        child.terminate()
        child.wait()
    yield "start to ready", f"{ready:.2f} s", f"bare Python {bare:.2f} s", f"{ready / bare:.0f}"
    yield "resident memory", f"{memory:.0f} MB", "Pi 4 with 1 GB", f"{memory / 1000:.2f}"


def _seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - start


OTHERS = (
    service, wire, engines, bots, sao, swords, hack,
    eye, camera, web, past, bus, venue,
)  # fmt: skip


def table() -> Rows:
    """The empty table of all measures."""
    return Rows("figure", "ours", "beside it", "ratio")


def main() -> None:
    """Print every row as it comes."""
    out = Console(width=120)
    rows = table()
    for measure in (handling, edge_to_glass, start_and_memory):
        for row in measure():
            rows.add_row(*row)
            out.print(f"[dim]{row[0]}: {row[1]}[/dim]")
    for other in OTHERS:
        for row in other.rows():
            rows.add_row(*row)
            out.print(f"[dim]{row[0]}: {row[1]}[/dim]")
    out.print(rows)


if __name__ == "__main__":
    main()
