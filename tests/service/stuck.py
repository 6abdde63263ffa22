"""The companion, with two ways to get stuck on demand: SIGUSR1 the loop, SIGUSR2 a display."""

from __future__ import annotations

import asyncio
import signal
import threading

from companion.cli.main import main
from companion.views import View
from hardware.glass.oled import Oled

hung = threading.Event()
show = Oled.show


async def show_or_hang(self: Oled, view: View) -> None:
    """As before, until the signal: then a transfer that never ends."""
    if hung.is_set() and self.name == "seat 1":
        await asyncio.get_running_loop().create_future()
    await show(self, view)


Oled.show = show_or_hang  # type: ignore[method-assign]
signal.signal(signal.SIGUSR1, lambda *_: threading.Event().wait())
signal.signal(signal.SIGUSR2, lambda *_: hung.set())
main()
