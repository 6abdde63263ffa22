"""The twin of the dice and their hub: the firmware itself on a pseudo-terminal, thrown by physics.

Run by the daemon as a child when there is no hub: `python -m hardware.twins.hub LINK`. It takes
commands as lines on its standard input (`throw asuna`; `help` lists them) and answers in JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import pty
import sys
import time
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import numpy as np

from firmware.feel import NOMINAL
from hardware.twins import accelerometer, tumble
from hardware.twins.radio import NAMES, Box, resting_samples

PACE = 0.005  # seconds between steps
STOCK = 12  # throws made at once: one alone costs nearly as much

Trace: TypeAlias = list[tuple[int, int, int]]


class Hand:
    """Throws dice: hands out what their sensors feel, and the truth about how it ends."""

    def __init__(self, seed: int, names: tuple[str, ...] = NAMES) -> None:
        self._chance = np.random.default_rng(seed)
        self._names = names
        self._sensors = accelerometer.sensors(self._chance, len(names))
        self._stock: dict[str, list[tuple[tumble.Array, int, float]]] = {}

    def faces(self, name: str) -> tuple[tuple[int, int, int], ...]:
        """How the six faces of that die feel: what calibration has found out."""
        return self._sensors.faces(self._chance)[self._names.index(name)]

    def throw(self, name: str, how: str = "throw") -> tuple[Trace, int, float]:
        """Samples, the face on top in the end (1 to 6), and by how many degrees it leans."""
        stock = self._stock.setdefault(how, [])
        if not stock:
            stock += self._make(how)
        pulls, face, lean = stock.pop()
        who = self._names.index(name)
        all_dice = np.repeat(pulls[:, None], len(self._names), 1)
        samples = self._sensors.read(all_dice, self._chance)[:, who]
        return [(int(x), int(y), int(z)) for x, y, z in samples], face, lean

    def _make(self, how: str) -> list[tuple[tumble.Array, int, float]]:
        if how == "carry":
            pulls, faces = accelerometer.carry(self._chance, STOCK)
            return [(pulls[:, i], int(faces[i]), 0.0) for i in range(STOCK)]
        if how == "drop":
            end = accelerometer.drop(self._chance, STOCK)
        else:
            end = accelerometer.landing(self._chance, STOCK, gentle=how == "gentle")
        faces, leans = tumble.face(end.up), tumble.lean(end.up)
        rest = [i for i in range(STOCK) if end.settled[i]]
        return [(end.felt[:, i], int(faces[i]), float(leans[i])) for i in rest]


class HubTwin:
    """A hub with its dice behind a serial port that can be unplugged."""

    def __init__(
        self, link: Path, box: Box | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.link = link
        self.box = box or Box()
        self._clock = clock
        self._start = self._last = clock()
        self._cable: int | None = None
        self.plug()

    def plug(self) -> None:
        """Plug the hub in: the port appears under its name."""
        self.unplug()
        self._cable, inner = pty.openpty()
        tty.setraw(inner)
        os.set_blocking(self._cable, False)
        new = self.link.with_name(self.link.name + ".new")
        new.unlink(missing_ok=True)
        new.symlink_to(os.ttyname(inner))
        new.replace(self.link)
        os.close(inner)

    def unplug(self) -> None:
        """Pull the cable: whoever has the port open finds out."""
        if self._cable is not None:
            self.link.unlink(missing_ok=True)
            os.close(self._cable)
            self._cable = None

    def step(self) -> None:
        """Let the time pass that has passed."""
        now = self._clock()
        count = int((now - self._last) * 1000)
        if not count:
            return
        self._last += count / 1000
        stamp = int((self._last - self._start) * 1000)
        if self._cable is None:
            self.box.step(stamp, count)
            return
        with suppress(OSError):  # EIO: nobody has opened the port; EAGAIN: nothing to read
            self.box.feed(os.read(self._cable, 4096), stamp)
        out = self.box.step(stamp, count)
        if out:
            with suppress(OSError):  # nobody reads: a full buffer takes no more
                os.write(self._cable, out)

    async def run(self) -> None:
        """Live in real time until cancelled."""
        while True:
            self.step()
            await asyncio.sleep(PACE)


class Console:
    """Commands for the twin, one line each."""

    def __init__(self, twin: HubTwin, hand: Hand) -> None:
        self.twin = twin
        self.hand = hand

    async def obey(self, line: str) -> dict[str, object]:
        """Carry out a line; gives what happened."""
        match line.split():
            case [("throw" | "gentle" | "drop" | "carry") as how, name] if name in NAMES:
                samples, face, lean = await asyncio.to_thread(self.hand.throw, name, how)
                self.twin.box.feel(name, samples)
                return {"did": how, "die": name, "face": face, "lean": round(lean, 1)}
            case ["flat", name] if name in self.twin.box.registry:
                self.twin.box.flat.append(self.twin.box.registry[name])
            case ["charge", name] if name in self.twin.box.registry:
                me = self.twin.box.registry[name]
                self.twin.box.flat = [one for one in self.twin.box.flat if one != me]
                self.twin.box.plug_in_die(me, self.twin.box.memory[me])
            case ["unplug"]:
                self.twin.unplug()
            case ["plug"]:
                self.twin.plug()
            case ["reset"]:
                self.twin.box.reset()
            case ["faults", per_cent] if per_cent.isdigit() and int(per_cent) <= 100:
                for link in (self.twin.box.radio, self.twin.box.up, self.twin.box.down):
                    link.faults = int(per_cent)
            case _:
                return {"help": "throw|gentle|drop|carry|flat|charge NAME, unplug, plug, reset, "
                        "faults PER-CENT"}  # fmt: skip
        return {"did": line.strip()}


def dealt(hand: Hand, faults: int = 0, seed: int = 1) -> Box:
    """A box of six calibrated dice, each lying on the table."""
    box = Box(seed=seed, faults=faults)
    for i, name in enumerate(NAMES):
        me = box.registry[name]
        faces = hand.faces(name)
        memory = dict(box.memory[me], faces=[list(face) for face in faces])
        box.plug_in_die(me, memory)
        box.feel(name, list(resting_samples(faces[i % len(NOMINAL)], 400)))
    return box


async def main(link: Path, seed: int, faults: int) -> None:
    """Serve until standard input ends."""
    hand = Hand(seed)
    twin = HubTwin(link, await asyncio.to_thread(dealt, hand, faults, seed))
    console = Console(twin, hand)
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(lines), sys.stdin
    )
    living = asyncio.create_task(twin.run())
    print(json.dumps({"did": "plug", "port": str(link)}), flush=True)
    try:
        while line := await lines.readline():
            print(json.dumps(await console.obey(line.decode(errors="replace"))), flush=True)
    finally:
        living.cancel()
        twin.unplug()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("link", type=Path, help="path at which the port appears")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--faults", type=int, default=2, help="per cent lost, doubled, spoilt")
    chosen = parser.parse_args()
    asyncio.run(main(chosen.link, chosen.seed, chosen.faults))
