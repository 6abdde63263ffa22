"""Two witnesses of a character die: the camera that sees it lie, and the die itself.

Pure: nothing here decides; a doubt is a question for the table, with the answers it may give.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.events import CharacterDie, SeenDie
from companion.words import Text, text


@dataclass(frozen=True, slots=True)
class AwaitedDice:
    """Which character dice the table has asked for, and how far each has come.

    A die counts as rolled only when it rolled after it was asked for and came to rest from rolling:
    a die that is put down, nudged, or was thrown before the question does not count.
    """

    asked: frozenset[str] = frozenset()
    rolling: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()  # in a hand since, and nothing more yet

    def ask(self, *dice: str) -> AwaitedDice:
        """The table waits for these dice; whatever they did before is over."""
        return AwaitedDice(frozenset(dice))

    def hear(self, report: CharacterDie) -> tuple[AwaitedDice, CharacterDie | None]:
        """Take a report; gives the roll, if this report completes one."""
        die, state = frozenset({report.die}), report.state
        if not die <= self.asked:
            return self, None
        if state == "rolling":
            return replace(self, rolling=self.rolling | die, touched=self.touched - die), None
        rolled = state == "rest" and die <= self.rolling
        touched = self.touched | die if state == "handled" else self.touched - die
        after = replace(self, rolling=self.rolling - die, touched=touched)
        return (replace(after, asked=self.asked - die), report) if rolled else (after, None)

    def only_moved(self, report: CharacterDie) -> bool:
        """Was a die that was asked for taken up and put down, or slid, but not rolled?"""
        return report.state == "rest" and report.die in self.touched


@dataclass(frozen=True, slots=True)
class Doubt:
    """The witnesses differ: a question for the table. `faces` are the answers at hand."""

    why: Text
    faces: tuple[int, ...] = ()


def differ(
    asked: Sequence[str], reported: Mapping[str, int], seen: Sequence[SeenDie]
) -> Doubt | None:
    """Where the dice's own word and the camera's differ; None when they agree.

    `reported` is the face that each die itself has said, `seen` the light-blue dice that the camera
    sees at rest. Printed faces have no pips: it then tells place and rest (value 0), not value.
    """
    silent = [die for die in asked if die not in reported]
    if silent:
        return Doubt(text("{die}'s die lies there but is silent.", die=silent[0]))
    if len(asked) != 1 or not seen:
        return None
    (die,), face = asked, reported[asked[0]]
    if {"cocked", "stacked"} & set(seen[0].wrong):
        why = text("{die} says {face}, the camera sees it crooked.", die=die, face=face)
        return Doubt(why, (face,))
    if seen[0].value not in (0, face):
        other = seen[0].value
        why = text("{die} says {face}, the camera sees {seen}.", die=die, face=face, seen=other)
        return Doubt(why, (face, other))
    return None
