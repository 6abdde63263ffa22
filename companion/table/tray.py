"""The dice that the table waits for: what was asked, reported and seen, and the verdict. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.events import CharacterDie, DiceSettled
from companion.games.api import DiceWanted, Die
from companion.table.rolls import Verdict, judge, reported_alone, rethrown
from companion.table.witness import AwaitedDice
from companion.words import Text, text


@dataclass(frozen=True, slots=True)
class Tray:
    """A roll counts only when it was asked for: everything here is since the last question."""

    entry: str = ""  # where in the journal the question stands
    wanted: DiceWanted | None = None
    on_table: DiceWanted | None = None  # dice that hands may throw again without a press
    awaited: AwaitedDice = field(default_factory=AwaitedDice)
    reported: Mapping[str, int] = field(default_factory=dict)  # faces of character dice
    seen: DiceSettled | None = None
    question: Verdict | None = None  # what is doubtful about the roll that lies there
    last_roll: int | None = None  # number of the roll that was taken last
    declined: int = 0  # doubtful readings since the question that were thrown again
    read_as: tuple[Die, ...] = ()  # the dice on the table as they were read, before abilities

    def asked(self, entry: str, wanted: DiceWanted | None, on_table: DiceWanted | None) -> Tray:
        """A new roll is wanted: whatever dice did before it was asked for does not count."""
        if (entry, wanted) == (self.entry, self.wanted):
            return replace(self, on_table=on_table)
        may = wanted or on_table
        awaited = AwaitedDice().ask(*(may.characters if may else ()))
        return replace(
            self, entry=entry, wanted=wanted, on_table=on_table, awaited=awaited,
            reported={}, seen=None, question=None, declined=0,
        )  # fmt: skip

    def counts(self, seen: DiceSettled) -> bool:
        """Dice that lay there at the start (roll 0), or that a hand only hovered over, do not."""
        return seen.roll not in (0, self.last_roll)

    def rethrown(self, seen: DiceSettled) -> tuple[int, ...] | None:
        """Which dice on the table hands took up and threw again, by their place; None: unclear."""
        if self.on_table is None:
            return None
        return rethrown(self.on_table, seen.dice, self.read_as)

    def heard(self, report: CharacterDie) -> tuple[Tray, Text | None, bool]:
        """A character die speaks: what to say about it, and whether it completed its roll."""
        says = None
        if report.state == "crooked" and report.die in self.awaited.asked:
            says = text("{die}'s die lies crooked: throw it again.", die=report.die)
        if self.awaited.only_moved(report):
            says = text("{die}'s die did not roll: throw it again.", die=report.die)
        awaited, rolled = self.awaited.hear(report)
        reported = self.reported if rolled is None else {**self.reported, rolled.die: rolled.face}
        return replace(self, awaited=awaited, reported=reported), says, rolled is not None

    def verdict(self) -> Verdict:
        """Whether the roll that was asked for lies there, and what is doubtful about it."""
        if self.wanted is None:
            return Verdict(None)
        if self.seen is None:
            return Verdict(reported_alone(self.wanted, self.reported))
        return judge(self.wanted, self.seen.dice, self.seen.accepted, self.reported)

    def judged(self, verdict: Verdict) -> Tray:
        """Ask what is doubtful; a plain roll is taken."""
        taken = self.seen.roll if self.seen and verdict.rolled else self.last_roll
        question = verdict if verdict.why is not None else None
        return replace(self, question=question, last_roll=taken)

    def disturbed(self) -> Tray:
        """A hand is in the tray: what lay there is no longer known."""
        doubted = self.question is not None and bool(self.question.doubtful)
        return replace(self, seen=None, question=None, declined=self.declined + doubted)

    def note(self, how: str) -> dict[str, Any]:
        """How a roll was known, for the journal: whoever asks if the dice are fair needs it."""
        note: dict[str, Any] = {"how": how}
        if self.declined:
            note["declined"] = self.declined
        if self.wanted is not None and self.wanted.characters:
            note["of"] = list(self.wanted.characters)
        return note

    def roll_is_in(self, on_table: DiceWanted | None) -> Tray:
        """The roll counts, by whatever way it came."""
        return replace(self, question=None, read_as=on_table.kept if on_table else ())
