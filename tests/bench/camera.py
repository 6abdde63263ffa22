"""`make bench`, the eye's rows: a frame to its Event, and a roll at rest to the glass."""

from __future__ import annotations

import asyncio
import io
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import companion.eye.program as eye
from companion.events import DiceSettled
from companion.eye.heard import decode
from companion.eye.protocol import Beat, Expect, Render, encode_order
from companion.eye.twin import BUSY
from tests.daemon.house import House, open_house
from tests.games.pig import PIG
from vision.picture import Image

Row = tuple[str, str, str, str]
ROLLS = 6


class _Silence(io.StringIO):
    """A standard input on which nothing is ever said."""

    def __iter__(self) -> _Silence:
        return self

    def __next__(self) -> str:
        threading.Event().wait()
        raise StopIteration


class Watched(eye.Child):
    """The real eye over the rendered tray, in a thread of this process, with its moments noted."""

    rested = 0.0  # when the dice had come to rest, by the tray's own truth
    spent: float | None = None  # seconds for the frame that made the Event

    def see(self, frame: object, now: float) -> tuple[object, ...]:  # type: ignore[override]
        started = time.perf_counter()
        events = super().see(frame, now)  # type: ignore[arg-type]
        if any(isinstance(event, DiceSettled) for event in events):
            self.spent = time.perf_counter() - started
        return events

    def watch_tray(self) -> None:
        """Note the moment at which each throw ends."""
        tray = self.tray
        assert tray is not None
        render = tray.frame

        def frame(now: float) -> Image:
            ends = tray._begun + tray._acts[0].seconds if tray._acts and tray._begun else 0.0
            picture = render(now)
            if ends and not tray.busy:
                self.rested = ends
            return picture

        tray.frame = frame  # type: ignore[method-assign]


async def _rolls(house: House) -> tuple[list[float], list[float], list[float]]:
    """For each roll: seconds of its frame, from rest to the last byte, and on the wire."""
    loop, calm = asyncio.get_running_loop(), asyncio.Event()
    seen: asyncio.Queue[DiceSettled] = asyncio.Queue()

    def say(line: str) -> None:
        told = decode(line)
        if isinstance(told, DiceSettled):
            loop.call_soon_threadsafe(seen.put_nowait, told)
        elif isinstance(told, Beat) and told.state == "rest":
            loop.call_soon_threadsafe(calm.set)

    child = Watched(eye.TWIN, seed=3, say=say)
    child.watch_tray()
    threading.Thread(target=child.run, args=(_Silence(),), daemon=True).start()
    await calm.wait()
    frames, glasses, wires = [], [], []
    child.orders.put(encode_order(Expect(asked=True, wanted=1)))
    for number in range(1, ROLLS + 1):
        bus = house.devices.buses["table"]
        bus.forget()
        child.orders.put(encode_order(Render(throw=(("black", 2 + number % 5),))))
        house.daemon.emit(await seen.get())
        await house.daemon.settled()
        glasses.append(time.monotonic() - child.rested)
        frames.append(child.spent or 0.0)
        wires.append(bus.seconds())
    child.orders.put(None)
    return frames, glasses, wires


def rows() -> Iterator[Row]:
    """Medians over a few rolls of one die."""

    async def measure() -> tuple[list[float], list[float], list[float]]:
        with tempfile.TemporaryDirectory() as folder:
            async with open_house(Path(folder), game=PIG) as house:
                await house.choose(0, "Join")
                await house.choose(1, "Join")
                await house.choose(0, "Start")
                return await _rolls(house)

    frame, glass, wire = (statistics.median(each) * 1e3 for each in asyncio.run(measure()))
    pace = 1000 / BUSY
    yield (
        "frame to Event", f"{frame:.0f} ms", f"time between frames {pace:.0f} ms",
        f"{frame / pace:.2f} (goal: under 1)",
    )  # fmt: skip
    least = 3 * pace  # one that is still, one that is read, one more that looks the same
    yield (
        "roll at rest to last byte on the bus", f"{glass:.0f} ms + wire {wire:.0f} ms",
        f"three frames {least:.0f} ms", f"{(glass + wire) / least:.2f}",
    )  # fmt: skip
