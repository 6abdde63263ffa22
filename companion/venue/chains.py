"""A game of a table as it comes in: what follows is proven, what comes too early waits. Pure."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from companion.venue.letters import END, Told


@dataclass(slots=True)
class Chain:
    """How far a game is proven, the hash there, how it ended; and what a batch changes of it."""

    table: str
    game: int
    proven: int = -1
    hash: str = ""
    finish: str | None = None
    entries: list[Told] = field(default_factory=list)  # these follow
    early: list[Told] = field(default_factory=list)  # these wait for a gap to close
    repeats: list[Told] = field(default_factory=list)  # numbers that were proven before
    wrong: list[Told] = field(default_factory=list)  # these do not follow
    changed: bool = False

    def take(self, told: Iterable[Told], waiting: Iterable[Told] = ()) -> None:
        """Go as far as these prove; of two that claim a number, the one that follows counts."""
        kept = set(waiting)
        ahead: defaultdict[int, set[Told]] = defaultdict(set)
        for one in kept:
            ahead[one.number].add(one)
        for one in told:
            if one.number == END:
                self.changed |= one.told != self.finish
                self.finish = one.told
            elif one.number <= self.proven:
                self.repeats.append(one)
            else:
                ahead[one.number].add(one)
        while claims := ahead.pop(self.proven + 1, None):
            right = next((one for one in claims if one.follows(self.hash)), None)
            self.wrong += claims - {right}
            if right is None:
                break
            self.entries.append(right)
            self.proven, self.hash = right.number, right.hash
        self.changed |= bool(self.entries)
        self.early = [one for claims in ahead.values() for one in claims - kept]

    @property
    def whole(self) -> bool:
        """It has ended, and every entry is there: it can be judged."""
        end = json.loads(self.finish) if self.finish else {}
        return end.get("ended") is not None and end.get("entries") == self.proven
