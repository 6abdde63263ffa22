"""The twin of the hub as a child of the daemon, heard through the real port like a real hub."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

from companion.errors import DeviceLost
from companion.events import Emit
from companion.words import text
from hardware.dice.hub import Dice, find


class HubChild:
    """The source of simulated character dice: runs the twin, and hears it as it would a hub."""

    name = "dice"

    def __init__(self, port: Path) -> None:
        self.port = port
        self._dice = Dice(lambda: find(str(port)))
        self._plugged = True
        self._child: asyncio.subprocess.Process | None = None

    async def run(self, emit: Emit) -> None:
        """Until cancelled; DeviceLost when the child ends."""
        if not self._plugged:
            raise DeviceLost(text("no dice hub is plugged in"))
        self.port.parent.mkdir(parents=True, exist_ok=True)
        pipe = asyncio.subprocess.PIPE
        tasks: set[asyncio.Task[object]] = set()
        self._child = child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "hardware.twins.hub", str(self.port), stdin=pipe, stdout=pipe
        )
        try:
            if not self._plugged:  # pulled while the child was being started
                self._tell("unplug")
            assert child.stdout is not None  # a pipe, as asked for
            await child.stdout.readline()  # its port is there
            hearing: asyncio.Task[object] = asyncio.create_task(self._dice.run(emit))
            ending: asyncio.Task[object] = asyncio.create_task(child.stdout.read())
            tasks |= {hearing, ending}
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if hearing.done():
                await hearing
            raise DeviceLost(text("the simulated hub has ended"))
        finally:
            self._child = None
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            with suppress(ProcessLookupError):
                child.kill()
            await child.wait()

    def throw(self, die: str) -> bool:
        """Throw one of its dice; False if it does not run."""
        return self._tell(f"throw {die}")

    def plug(self, plugged: bool) -> None:
        """Pull its cable, or put it in again."""
        self._plugged = plugged
        self._tell("plug" if plugged else "unplug")

    def _tell(self, line: str) -> bool:
        if self._child is None or self._child.stdin is None:
            return False
        self._child.stdin.write(f"{line}\n".encode())
        return True
