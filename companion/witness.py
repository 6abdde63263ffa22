"""Two witnesses of a character die: the camera that sees it lie, and the die itself.

Pure: events and the time go in, findings come out. Nothing here decides; a doubt is a question for
the table, with the answers it may give.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, TypeAlias

from companion.events import CharacterDie, DiceSettled, Event, SeenDie, TrayDisturbed
from companion.words import Text, text

PATIENCE = 2.0  # seconds that one witness waits for the other
ALL = (1, 2, 3, 4, 5, 6)

Doubted: TypeAlias = Literal["unseen", "unheard", "crooked", "moving", "face", "strangers"]


@dataclass(frozen=True, slots=True)
class Gate:
    """Which character dice the table has asked for, and how far each has come.

    A die counts as rolled only when it rolled after it was asked for and came to rest from rolling:
    a die that is put down, nudged, or was thrown before the question does not count.
    """

    asked: frozenset[str] = frozenset()
    rolling: frozenset[str] = frozenset()

    def ask(self, *dice: str) -> Gate:
        """The table waits for these dice; whatever they did before is over."""
        return Gate(frozenset(dice))

    def hear(self, report: CharacterDie) -> tuple[Gate, CharacterDie | None]:
        """Take a report; gives the roll, if this report completes one."""
        if report.die not in self.asked:
            return self, None
        if report.state == "rolling":
            return replace(self, rolling=self.rolling | {report.die}), None
        rolled = report.state == "rest" and report.die in self.rolling
        after = replace(self, rolling=self.rolling - {report.die})
        if not rolled:
            return after, None
        return replace(after, asked=self.asked - {report.die}), report


@dataclass(frozen=True, slots=True)
class Agreed:
    """Both witnesses say the same; or only one can speak (`alone`), and nothing contradicts it."""

    die: str
    face: int
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Doubt:
    """The witnesses differ: a question for the table. `faces` are the answers at hand."""

    die: str
    kind: Doubted
    why: Text
    faces: tuple[int, ...]


Finding: TypeAlias = Agreed | Doubt


@dataclass(frozen=True, slots=True)
class Witness:
    """What both have said since the table asked for these dice."""

    dice: tuple[str, ...] = ()
    heard: tuple[tuple[str, CharacterDie], ...] = ()  # the newest report of each die
    seen: tuple[SeenDie, ...] | None = None  # the light-blue dice of the newest reading
    eye: bool = True  # is there a camera?
    hub: bool = True  # is there a hub?
    since: float | None = None  # when the first of the two was ready

    def hear(self, event: Event, now: float) -> tuple[Witness, tuple[Finding, ...]]:
        """Take an event; gives what is found about all dice, once, when both have spoken."""
        after = self._note(event)
        if after is self:
            return self, ()
        if not (after._die_ready() or after._eye_ready()):
            return replace(after, since=None), ()
        if after.since is None:
            after = replace(after, since=now)
        if after._die_ready() and after._eye_ready():
            return after._found()
        return after, ()

    def late(self, now: float) -> tuple[Witness, tuple[Finding, ...]]:
        """Call now and then: one witness alone is heard when the other stays silent."""
        if self.since is None or now - self.since < PATIENCE:
            return self, ()
        return self._found()

    def _note(self, event: Event) -> Witness:
        match event:
            case CharacterDie(die=die) if die in self.dice:
                others = tuple(pair for pair in self.heard if pair[0] != die)
                return replace(self, heard=(*others, (die, event)))
            case DiceSettled(dice=dice) if self.dice:
                return replace(self, seen=tuple(die for die in dice if die.body == "blue"))
            case TrayDisturbed() if self.dice:
                return replace(self, seen=None)
        return self

    def _die_ready(self) -> bool:
        reports = dict(self.heard)
        return all(
            name in reports and reports[name].state in ("rest", "crooked") for name in self.dice
        )

    def _eye_ready(self) -> bool:
        return self.seen is not None and len(self.seen) >= len(self.dice)

    def _found(self) -> tuple[Witness, tuple[Finding, ...]]:
        reports = dict(self.heard)
        findings = tuple(self._judge(name, reports.get(name)) for name in self.dice)
        return replace(self, dice=(), heard=(), seen=None, since=None), findings

    def _judge(self, name: str, report: CharacterDie | None) -> Finding:
        seen, asked = self.seen or (), len(self.dice)
        doubt = partial(Doubt, name)
        if self.eye and len(seen) > asked:
            why = text("{count} blue dice in the tray, {asked} asked", count=len(seen), asked=asked)
            return doubt("strangers", why, ALL)
        if report is None or not self.hub:
            return doubt("unheard", text("{die}'s die lies there but is silent", die=name), ALL)
        face = report.face
        if report.state == "crooked":
            return doubt("crooked", text("{die}'s die lies crooked", die=name), ())
        if report.state != "rest":
            return doubt("moving", text("The tray is still, {die}'s die moves", die=name), ())
        if not self.eye:
            return Agreed(name, face, alone=True)
        if len(seen) < asked:
            return doubt("unseen", text("{die}'s die rests outside the tray", die=name), (face,))
        if any("cocked" in die.wrong or "stacked" in die.wrong for die in seen):
            why = text("{die} says {face}, the camera sees it crooked", die=name, face=face)
            return doubt("crooked", why, (face,))
        if asked == 1 and seen[0].value not in (0, face):
            other = seen[0].value
            why = text("{die} says {face}, the camera sees {seen}", die=name, face=face, seen=other)
            return doubt("face", why, (face, other))
        return Agreed(name, face)


def witness(*dice: str, eye: bool = True, hub: bool = True) -> Witness:
    """The table asks for these character dice; `eye` and `hub` say who can speak at all."""
    return Witness(dice=dice, eye=eye, hub=hub)
