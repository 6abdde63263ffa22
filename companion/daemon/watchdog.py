"""When may the watchdog be fed: inputs, table and every display have moved since the last time."""

from __future__ import annotations

from collections.abc import Collection, Iterable


class Progress:
    """Which parts of the daemon still have to show that they move. No clock in here."""

    def __init__(self, parts: Iterable[str]) -> None:
        self._parts = frozenset(parts)
        self._owing = set(self._parts)

    def moved(self, part: str) -> None:
        """This part did some of its work."""
        self._owing.discard(part)

    @property
    def owing(self) -> Collection[str]:
        """The parts that have not moved since the last meal."""
        return sorted(self._owing)

    def fed(self) -> bool:
        """True, and a new round begins, when all have moved; else the watchdog stays hungry."""
        if self._owing:
            return False
        self._owing = set(self._parts)
        return True
