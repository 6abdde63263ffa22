"""Fingers and eyes at the rig's table: presses lines, reads the glasses by their letters."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from companion.events import KEYS, Key
from companion.settings.settings import read
from tests.hardware import ocr
from tests.rig.machine import Machine
from tests.rig.recording import Transfer, lit_rows

PINS: dict[tuple[int, Key], int] = {
    (panel.seat, key): getattr(panel, key) for panel in read("").panels for key in KEYS
}
PATIENCE = 20.0  # seconds of the machine's own time that a glass may take to answer
ANSWER = 10.0  # seconds of its own time after which a press has no answer
ONE_ANSWER = 150_000_000  # ns: a longer silence on the bus ends the answer to a press
STILL = 90.0  # seconds without a choice after which a duel is stuck
CARDS = ("Approach", "Charge", "High Strike", "Low Strike", "Balanced")
MOST_CARDS = 9


class Stuck(Exception):
    """The table does not go on as it must."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one press."""

    edge: int  # ns
    sent: list[Transfer]
    withheld_ms: float  # that the host kept the machine waiting meanwhile, at most

    @property
    def latency_ms(self) -> float:
        """From the edge of the line to the last byte on the last glass that changed."""
        return (self.sent[-1].ended - self.edge) / 1e6

    @property
    def own_ms(self) -> float:
        """The same without the host's waits, at least; never less than the wire takes."""
        return max(self.bus_ms, self.latency_ms - self.withheld_ms)

    @property
    def bus_ms(self) -> float:
        """Of which the wire itself takes this much at 400 kHz."""
        return sum(one.bus_ns for one in self.sent) / 1e6


@dataclass
class Player:
    """Plays at panels 0 to 4."""

    machine: Machine
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    answers: list[Answer] = field(default_factory=list)

    def words(self, panel: int) -> list[str]:
        """What stands on a seat's glass; -1 is the table's."""
        return ocr.read(self.machine.picture(glass(panel)))

    def says(self, panel: int) -> str:
        """The same as one line."""
        return " ".join(self.words(panel))

    def marked(self, panel: int) -> str:
        """The choice under the cursor."""
        return " ".join(ocr.read(lit_rows(self.machine.picture(glass(panel)))))

    def press(self, panel: int, *keys: Key) -> None:
        """One after the other, each when the glasses have answered the one before."""
        for key in keys:
            before = self.machine.withheld()
            edge = self.machine.press(PINS[panel, key])
            self.machine.until(lambda edge=edge: bool(self._answer(edge)), ANSWER)  # type: ignore[misc]
            withheld = self.machine.withheld() - before
            self.machine.settled(0.15)
            if sent := self._answer(edge):
                self.answers.append(Answer(edge, sent, withheld * 1e3))

    def _answer(self, edge: int) -> list[Transfer]:
        """The pictures that followed an edge without a long silence between them."""
        sent: list[Transfer] = []
        for one in self.machine.sent(edge):
            if one.data[:1] == b"\x40":
                if sent and one.begun - sent[-1].ended > ONE_ANSWER:
                    break
                sent.append(one)
        return sent

    def choose(self, panel: int, *labels: str) -> None:
        """Walk to a choice that begins like one of these and select it."""
        seen: list[str] = []
        for _ in range(24):
            seen.append(self.marked(panel))
            if seen[-1].startswith(labels):
                self.press(panel, "select")
                return
            self.press(panel, "next")
        raise Stuck(f"{labels} not offered on panel {panel}: {seen}; {self.words(panel)}")

    def sees(self, panel: int, *any_of: str, seconds: float = PATIENCE) -> str:
        """Wait until a glass says one of these; which."""
        end = self.machine.own_time() + seconds
        while True:
            said = self.says(panel)
            for wanted in any_of:
                if wanted in said:
                    return wanted
            if self.machine.own_time() > end:
                raise Stuck(f"panel {panel} never said {any_of}: {said}")
            self.machine.settled(0.2, 1)

    def insist(self, panel: int, label: str) -> None:
        """Choose it; again, if the offer changed under the finger: then a press is not taken."""
        self.choose(panel, label)
        for _ in range(5):
            self.machine.settled(0.5)
            if not self.marked(panel).startswith(label):
                return
            self.press(panel, "select")

    def join(self, game: str, seats: int) -> None:
        """From the shelf to the first decision."""
        self.insist(0, game)
        for panel in range(seats):
            self.insist(panel, "Join")
        self.insist(0, "Start")

    def duel(self, most: int = 300) -> Iterator[int]:
        """Play Kiri-ai by what the glasses offer, to its end; yields after each decision."""
        number, moved = 0, self.machine.own_time()
        while number < most and not self.over():
            before = number
            for panel in (0, 1):
                if self.decide(panel):
                    number += 1
                    yield number
            if number == before:
                if self.machine.own_time() - moved > STILL:
                    raise Stuck(f"nobody has a choice: {self.words(0)}, {self.words(1)}")
                self.machine.settled(0.3, 2)
            else:
                moved = self.machine.own_time()

    def over(self) -> bool:
        """Does the table's glass tell who has won?"""
        said = self.says(-1)
        return any(word in said for word in ("defeated", "A draw", "is over"))

    def decide(self, panel: int) -> bool:
        """One choice of this seat, if it has one; did its glass take it?"""
        before = self.words(panel)
        title = before[0] if before else ""
        if title.startswith("Not now"):  # that card rests: the rule stands there
            self.press(panel, "back")
            return False
        if not title.startswith(("Lay your", "Seal", "Seen it", "Which")):
            return False
        if title.startswith("Lay your"):
            wanted = self.chance.choice(CARDS)
            for _ in range(MOST_CARDS):
                if self.marked(panel).startswith(wanted):
                    break
                self.press(panel, "next")
        self.press(panel, "select")
        return self.words(panel) != before


def glass(panel: int) -> str:
    """The name of a seat's display."""
    return f"seat {panel + 1}" if panel >= 0 else "table"
