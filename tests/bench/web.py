"""What the pages cost: from a click to another browser's glass, fifty spectators, bytes, weight."""

from __future__ import annotations

import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

from tests.web.house import VIRTUAL

Row = tuple[str, str, str, str]
CLICKS, PRESSES, SPECTATORS = 40, 40, 50
GOAL = 150_000  # bytes of the first load
EPOCH = "performance.timeOrigin + performance.now()"  # one clock for two browsers

WATCH = f"""() => {{
  window.drawn = [];
  const glass = document.querySelector("[data-panel='0'] canvas");
  new MutationObserver(() => drawn.push({EPOCH})).observe(glass, {{attributes: true}});
}}"""
NOTE = f"""() => {{
  const options = {{once: true, capture: true}};
  addEventListener("click", () => window.clicked = {EPOCH}, options);
}}"""
BARE = """async () => {
  const all = [];
  for (let n = 0; n < 40; n++) {
    const at = performance.now();
    await fetch("/api/hello");
    all.push(performance.now() - at);
  }
  return all.sort((a, b) => a - b)[20];
}"""


def rows() -> Iterator[Row]:
    """All of it; the browser's part only where there is one."""
    from tests.web.visit import CHROMIUM

    with _daemon() as (pid, port):
        yield from asyncio.run(_spectators(pid, port))
    if CHROMIUM is not None:
        with tempfile.TemporaryDirectory() as folder:
            yield from asyncio.run(_clicks(Path(folder)))


async def _clicks(folder: Path) -> list[Row]:
    """A thumb on a phone's page; the time until another browser has drawn that seat's glass."""
    from tests.web.visit import PHONE, visit

    async with visit(folder, VIRTUAL) as here:
        table = await here.page("/")
        phone = await here.seated(0, "/?as=phone", **PHONE)
        await phone.locator(".hand .choice").first.click()
        await table.evaluate(WATCH)
        took = []
        for turn in range(CLICKS):
            button = phone.locator(".hand .choice").nth(turn % 2)
            await phone.evaluate(NOTE)
            await table.evaluate("() => { drawn.length = 0; }")
            await button.click()
            await table.wait_for_function("() => drawn.length")
            took.append(await table.evaluate("drawn[0]") - await phone.evaluate("clicked"))
            await phone.wait_for_function("() => document.body.dataset.busy !== 'yes'")
        bare = await phone.evaluate(BARE)
        median, late = _of(took)
        found = [
            (
                "click to another browser's glass", f"{median:.0f} ms, 95th {late:.0f} ms",
                f"bare fetch {bare:.0f} ms", f"{median / bare:.1f}",
            )
        ]  # fmt: skip
        for path in ("/", "/board", "/eye", "/history"):
            page = await here.page(path)
            await page.wait_for_load_state("networkidle")
            weight = await page.evaluate(
                """() => [...performance.getEntriesByType("resource"),
                  ...performance.getEntriesByType("navigation")]
                  .reduce((sum, one) => sum + one.transferSize, 0)"""
            )
            kilo = f"{weight / 1000:.0f} kB"
            found.append((f"first load of {path}", kilo, "goal 150 kB", f"{weight / GOAL:.2f}"))
        return found


@contextmanager
def _daemon() -> Iterator[tuple[int, int]]:
    """A daemon of its own, by its process and its port."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "two.toml"
        settings.write_text(VIRTUAL.format(state=folder))
        command = [sys.executable, "-m", "companion", "run", "-s", str(settings)]
        daemon = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            assert daemon.stderr is not None
            for line in daemon.stderr:
                if found := re.search(rb"stands at +http://127.0.0.1:(\d+)/", line):
                    yield daemon.pid, int(found[1])
                    break
        finally:
            daemon.terminate()
            daemon.wait()


async def _spectators(pid: int, port: int) -> list[Row]:
    """Pressed by one browser; watched by one, then by fifty."""
    alone = await _watched(pid, port, 1)
    crowd = await _watched(pid, port, SPECTATORS)
    one, all_ = (f"{who['median']:.0f} ms, 95th {who['late']:.0f} ms" for who in (alone, crowd))
    return [
        (
            f"press to {SPECTATORS} spectators", all_, f"to one {one}",
            f"{crowd['median'] / alone['median']:.1f}",
        ),
        (
            f"CPU of the daemon per update, {SPECTATORS} spectators", f"{crowd['cpu']:.1f} ms",
            f"one {alone['cpu']:.1f} ms", f"{crowd['cpu'] / alone['cpu']:.1f}",
        ),
        (
            "bytes per update of the virtual table", f"{crowd['bytes']:.0f}",
            f"the whole document {crowd['whole']:.0f}", f"{crowd['bytes'] / crowd['whole']:.2f}",
        ),
    ]  # fmt: skip


async def _watched(pid: int, port: int, count: int) -> dict[str, float]:
    """Presses of `next`, one after the other, and when each spectator hears of it."""
    address = f"ws://127.0.0.1:{port}/api/feed?as=table"
    sockets = [await connect(address, max_size=None) for _ in range(count)]
    whole = statistics.median([len(await one.recv()) for one in sockets])
    took: list[float] = []
    sizes: list[int] = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as http:
        before = _cpu(pid)
        for turn in range(PRESSES):
            heard = [asyncio.create_task(_glass(one, sizes)) for one in sockets]
            began = time.perf_counter()
            body = {"id": f"{count}-{turn}", "key": "next"}
            await http.post("/api/panels/0/press", json=body)
            took += [at - began for at in await asyncio.gather(*heard)]
        spent = _cpu(pid) - before
    for one in sockets:
        await one.close()
    median, late = _of([1000 * one for one in took])
    return {
        "median": median, "late": late, "cpu": 1000 * spent / PRESSES,
        "bytes": statistics.median(sizes), "whole": whole,
    }  # fmt: skip


async def _glass(one: Any, sizes: list[int]) -> float:
    """When the next picture of the first panel's glass comes."""
    while True:
        message = await one.recv()
        if "glass:one" in json.loads(message).get("set", {}):
            sizes.append(len(message))
            return time.perf_counter()


def _cpu(pid: int) -> float:
    """Seconds of a processor that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _of(numbers: list[float]) -> tuple[float, float]:
    """Median and 95th percentile."""
    return statistics.median(numbers), statistics.quantiles(numbers, n=20)[-1]


if __name__ == "__main__":
    for row in rows():
        print(" | ".join(row))
