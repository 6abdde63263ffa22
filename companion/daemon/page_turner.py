"""The pages of displays that nobody leafs through: they turn by themselves, for a while."""

from __future__ import annotations

from dataclasses import replace

from companion.views import View

TURNS = 40  # then the display has told enough, rests on its first page, and may dim


class Leaves:
    """Which page each such display shows; `next` is called every few seconds."""

    def __init__(self) -> None:
        self._at: dict[str, tuple[View, int]] = {}

    def next(self) -> None:
        """Every display goes on to its next page."""
        self._at = {name: (view, min(n + 1, TURNS)) for name, (view, n) in self._at.items()}

    def of(self, name: str, view: View) -> View:
        """The view at its page; what is new begins with the first."""
        before, number = self._at.get(name, (view, 0))
        self._at[name] = (view, number if before == view else 0)
        return replace(view, page=self._at[name][1] % TURNS)
