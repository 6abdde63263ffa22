"""The twin of the hub as a child: kept running beside the daemon, thrown by lines on its input."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

from companion.errors import DeviceLost
from companion.events import DeviceUp, Emit


class HubChild:
    """A source without events of its own: while it runs, the twin's port can be opened."""

    name = "hub twin"

    def __init__(self, port: Path) -> None:
        self.port = port
        self._child: asyncio.subprocess.Process | None = None

    async def run(self, emit: Emit) -> None:
        """Until cancelled; DeviceLost when the child ends."""
        self.port.parent.mkdir(parents=True, exist_ok=True)
        pipe = asyncio.subprocess.PIPE
        self._child = child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "hardware.hub_twin", str(self.port), stdin=pipe, stdout=pipe
        )
        try:
            assert child.stdout is not None  # a pipe, as asked for
            while await child.stdout.readline():
                emit(DeviceUp(self.name))
            raise DeviceLost("the simulated hub has ended")
        finally:
            self._child = None
            with suppress(ProcessLookupError):
                child.kill()
            await child.wait()

    def throw(self, die: str) -> None:
        """Throw one of its dice."""
        if self._child is not None and self._child.stdin is not None:
            self._child.stdin.write(f"throw {die}\n".encode())
