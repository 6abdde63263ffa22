"""The two shapes of device: what tells the table something, and what shows it something."""

from __future__ import annotations

from typing import Protocol

from companion.events import Emit
from companion.views import View


class Source(Protocol):
    """Tells what happens, for as long as it lives."""

    @property
    def name(self) -> str: ...

    async def run(self, emit: Emit) -> None:
        """Emit events until cancelled; raise DeviceLost when the device does not answer."""


class Display(Protocol):
    """Shows a view to somebody."""

    @property
    def name(self) -> str: ...

    async def show(self, view: View) -> None:
        """Return when the last byte is out; raise DeviceLost when the device does not answer."""
