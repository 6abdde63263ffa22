"""The table tells what the last moves led to: to each panel until it has read it, leaf by leaf."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, replace

from companion.games.story import changes
from companion.memory.timeline import Timeline
from companion.table.teaching import explained, goal
from companion.views import READ, Beat, View, leaves
from companion.words import Panel, SeatNo

LEAF = 2.5  # seconds that a leaf stands at least, unless a press is quicker
READS = 16  # letters a second, of somebody who reads a rule for the first time
MOST = 8  # leaves that one telling has at most; the log has the rest


@dataclass(slots=True)
class Told:
    """One reader's beats, and the leaf that stands before him; None: he has read them."""

    beats: tuple[Beat, ...] = ()
    leaf: int | None = None

    def add(self, beats: tuple[Beat, ...]) -> None:
        """News: after what is not read yet, or in place of what is."""
        if self.leaf is None:
            self.beats = ()
        self.beats = (*self.beats, *beats)
        if self.leaf is None and leaves(self.beats):
            self.leaf = 0

    def turn(self) -> None:
        """The next leaf, or none."""
        if self.leaf is not None:
            more = self.leaf + 1 < min(len(leaves(self.beats)), MOST)
            self.leaf = self.leaf + 1 if more else None


class Telling:
    """What every panel, and everybody at the shared display, is told."""

    def __init__(self, panels: Iterable[Panel], goes_on: bool = True) -> None:
        self._readers: dict[Panel | None, Told] = {reader: Told() for reader in (None, *panels)}
        self._goes_on = goes_on
        self._turning = [*self._readers.values()] if goes_on else [self._readers[None]]
        self.number = 0  # of the leaf that stands: grows with each

    def __getitem__(self, reader: Panel | None) -> Told:
        return self._readers[reader]

    @property
    def under_way(self) -> bool:
        """Whether a leaf stands somewhere that turns by itself; at the shared display each does."""
        return any(told.leaf is not None for told in self._turning)

    @property
    def moment(self) -> float:
        """Seconds that the leaves which stand now take to be read."""
        stand = (leaves(told.beats)[told.leaf] for told in self._turning if told.leaf is not None)
        letters = (sum(len(beat.says.template) for beat in leaf) for leaf in stand)
        return max(LEAF, max(letters, default=0) / READS)

    def awaits(self, panels: Iterable[Panel]) -> bool:
        """Whether somebody at these panels has a leaf before him that turns by itself."""
        return self._goes_on and any(self[panel].leaf is not None for panel in panels)

    def on(self, view: View, reader: Panel | None) -> View:
        """The view with what this reader is told."""
        told = self._readers[reader]
        return replace(view, beats=told.beats, leaf=told.leaf)

    def went_on(
        self, before: Timeline, after: Timeline, seat: Callable[[Panel], SeatNo | None],
        taught: Container[SeatNo] = (),
    ) -> None:  # fmt: skip
        """Tell everybody what the game came to since; those who are taught also why."""
        if after is before:
            return
        self.number += 1
        if after.game is not before.game or not after.moves:
            for reader, told in self._readers.items():
                told.beats, told.leaf = (), None
                if reader is not None and seat(reader) in taught:
                    told.add(tuple(goal(after)))
            return
        for reader, told in self._readers.items():
            viewer = None if reader is None else seat(reader)
            if viewer is None:  # nobody plays there: it does not lag behind those who do
                told.leaf = None
            told.add(news(before, after, viewer, viewer in taught))

    def recall(self, line: Timeline, seat: Callable[[Panel], SeatNo | None]) -> None:
        """After a cut: the last decision and what followed, for nobody knows who has read it.

        Panels alone: the shared display turns its leaves by itself, and everybody saw them there.
        """
        last = next((n for n, m in enumerate(reversed(line.moves), 1) if m.seat is not None), 0)
        for move in line.moves[len(line.moves) - last :]:
            for reader, told in self._readers.items():
                if reader is not None:
                    told.add(line.beats(move, seat(reader)))

    def turn(self, number: int) -> None:
        """The moment of this leaf is over; if it still stands, the next one comes."""
        if number == self.number:
            self.number += 1
            for told in self._turning:
                told.turn()

    def read(self, panel: Panel, offered: int | None) -> bool:
        """A press at this panel: True if it only says that the leaf before it is read.

        A press on choices that a leaf has covered since is neither: the leaf stays to be read.
        """
        told = self._readers[panel]
        unread = told.leaf is not None
        if offered in (None, READ):
            told.leaf = None
        return unread or offered == READ


def news(
    before: Timeline, after: Timeline, viewer: SeatNo | None, taught: bool = False
) -> tuple[Beat, ...]:
    """What a viewer is told of the way from one line to the other."""
    count = len(before.moves)
    if after.moves[:count] == before.moves:
        new = after.moves[count:]
        beats = explained if taught else Timeline.beats
        return tuple(beat for move in new for beat in beats(after, move, viewer))
    return tuple(changes(after.game.story, before.state, after.state, viewer))  # taken back
