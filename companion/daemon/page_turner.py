"""The pages of displays that no panel leafs through: they turn by themselves, for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from companion.views import View

TURNS = 40  # then the display has told enough, rests on its first page, and may dim


class PageTurner:
    """Which page each such display shows."""

    def __init__(self) -> None:
        self._at: dict[str, tuple[View, int]] = {}

    def next(self) -> None:
        """Every display goes on to its next page."""
        self._at = {name: (view, min(n + 1, TURNS)) for name, (view, n) in self._at.items()}

    def turned(self, name: str, view: View) -> View:
        """The view at its page; what is new begins with the first."""
        if view.seat is not None or view.choices:  # somebody leafs through it himself
            return view
        before, number = self._at.get(name, (view, 0))
        self._at[name] = (view, number if before == view else 0)
        return replace(view, page=self._at[name][1] % TURNS)

    async def run(self, every: float, show: Callable[[], None]) -> None:
        """Turn every few seconds, until cancelled."""
        while True:
            await asyncio.sleep(every)
            self.next()
            show()
