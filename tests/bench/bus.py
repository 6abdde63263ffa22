"""`make bench`, the broker's rows: does a table wait for it? Three tables in one run, in turn."""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

from companion.events import ButtonPressed, PhonesChanged
from tests.mqtt.broker import Broker, free_port
from tests.mqtt.tables import Table, begin, move, open_table

TIMES = 60
Row = tuple[str, str, str, str]


async def _press(house: Table) -> float:
    house.daemon.events.clear()
    start = time.perf_counter()
    press = asyncio.create_task(house.devices.press(0, "next", house.daemon.emit))
    await house.daemon.hears(ButtonPressed)
    took = time.perf_counter() - start
    await press
    return took


async def _move(house: Table) -> float:
    """A move or a roll, from the hand to the last glass; another game where one is over."""
    if house.table.play.over:
        house.table.play._begin(house.table.play.line.game, house.table.play._places[:2],
                                {"mode": "hard", "cuts": []})  # fmt: skip
    start = time.perf_counter()
    move(house.table.play, house.chance)
    house.daemon.emit(PhonesChanged())
    await house.daemon.settled()
    return time.perf_counter() - start


async def _measure(folder: Path, broker: Broker) -> dict[str, list[list[float]]]:
    ways = {"off": None, "away": broker.settings(port=free_port()), "on": broker.settings()}
    found: dict[str, list[list[float]]] = {way: [[], []] for way in ways}
    async with AsyncExitStack() as stack:
        houses = {}
        for way, settings in ways.items():
            (folder / way).mkdir()
            begin(folder / way)
            opened = open_table(folder / way, settings or "")
            houses[way] = await stack.enter_async_context(opened)
        for _ in range(TIMES):
            order = list(houses)
            random.shuffle(order)
            for way in order:
                for row, act in zip(found[way], (_press, _move), strict=True):
                    row.append(await act(houses[way]))
                    await asyncio.sleep(0.3)  # what the others still do is not this one's
    return found


def rows() -> Iterator[Row]:
    """Off, away and on: medians, and their ratio to off."""
    with tempfile.TemporaryDirectory() as folder:
        broker = Broker(Path(folder) / "broker").start()
        try:
            found = asyncio.run(_measure(Path(folder), broker))
        finally:
            broker.kill()
    for row, name in enumerate(("press", "move or roll")):
        middle = {way: statistics.median(times[row]) * 1e3 for way, times in found.items()}
        for way in ("away", "on"):
            yield (
                f"{name} to glass, broker {way}", f"{middle[way]:.1f} ms",
                f"off {middle['off']:.1f} ms", f"{middle[way] / middle['off']:.2f}",
            )  # fmt: skip


if __name__ == "__main__":
    for one in rows():
        print(*one, sep=" | ")
