"""Are these dice fair? The journal's throws against a fair die, judged anew after each of them.

The evidence is an e-value: what somebody would own who began with 1 and bet on loaded dice at fair
odds. Dice that are fair bring it to 20 in at most one table of twenty, however often one looks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from companion.memory.journal import Entry, Journal
from companion.words import Text, text

FACES = 6
COLOURS = {"black": text("the black dice"), "white": text("the white dice")}
REAL = ("eye", "hand", "dice")  # how a roll was known; "twin" is not a throw of real dice
NEAR = 50.0  # throws a face by which the bet starts out near the fair die: docs/measured.md
ALARM = 20.0
ENOUGH = 300  # throws below which nothing is said
MOST_DECLINED = 0.05  # of the rolls: whoever throws again what the eye doubts bends the counts
WIDTH = 2.64  # standard deviations: all six bars of a fair die lie within them 19 times of 20


@dataclass(frozen=True, slots=True)
class Throw:
    """One die of one roll, and how the table came to know it."""

    dice: str  # "black", "white", or the character whose die it is
    face: int
    how: str  # one of REAL; "dice" is the character die's own word


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll of the journal, and how many before it were doubtful and thrown again."""

    at: float
    throws: tuple[Throw, ...]
    declined: int = 0


@dataclass(slots=True)
class Evidence:
    """What all throws of one kind of dice say so far."""

    dice: str
    counts: list[int] = field(default_factory=lambda: [0] * FACES)
    by_hand: int = 0
    rolls: int = 0
    declined: int = 0
    strength: float = 0.0  # logarithm of the e-value
    most: float = 0.0  # the largest that it ever was: an alarm stays

    @property
    def throws(self) -> int:
        """How many dice were thrown."""
        return sum(self.counts)

    def take(self, throw: Throw) -> None:
        """One more throw: the bet on its face is paid at fair odds."""
        face = throw.face - 1
        share = (NEAR + self.counts[face]) / (FACES * NEAR + self.throws)
        self.strength += math.log(FACES * share)
        self.most = max(self.most, self.strength)
        self.counts[face] += 1
        self.by_hand += throw.how == "hand"

    @property
    def verdict(self) -> str:
        """`few`, `declined`, `fair` or `loaded`."""
        if self.throws < ENOUGH:
            return "few"
        if self.declined > MOST_DECLINED * (self.rolls + self.declined):
            return "declined"
        return "loaded" if self.most >= math.log(ALARM) else "fair"

    @property
    def band(self) -> tuple[float, float]:
        """Between which counts each face of a fair die is expected."""
        mean = self.throws / FACES
        width = WIDTH * math.sqrt(mean * (1 - 1 / FACES))
        return max(0.0, mean - width), mean + width

    def says(self) -> Text:
        """The verdict in plain words."""
        dice, n = dice_name(self.dice), f"{self.throws:,}"
        match self.verdict:
            case "few":
                return text("{n} throws of {dice}: I say nothing before {enough}.",
                            n=n, dice=dice, enough=ENOUGH)  # fmt: skip
            case "declined":
                share = round(100 * self.declined / (self.rolls + self.declined))
                return text(
                    "{n} throws of {dice}: I say nothing, for {share} per cent of the rolls were "
                    "doubtful and thrown again.", n=n, dice=dice, share=share,
                )  # fmt: skip
            case "loaded":
                mean = self.throws / FACES
                face = max(range(FACES), key=lambda at: abs(self.counts[at] - mean))
                return text(
                    "{n} throws of {dice}: fair dice do not do this. {face} came {times} times; "
                    "about {expected} were to be expected.",
                    n=n, dice=dice, face=face + 1, times=self.counts[face], expected=round(mean),
                )  # fmt: skip
            case _ if self.dice in COLOURS:
                return text("{n} throws of {dice}: nothing against them.", n=n, dice=dice)
            case _:
                return text("{n} throws of {dice}: nothing against it.", n=n, dice=dice)


def dice_name(dice: str) -> Text:
    """How people speak of them."""
    return COLOURS.get(dice) or text("{name}'s die", name=dice.title())


def weigh(rolls: Iterable[Roll]) -> list[Evidence]:
    """The evidence of every kind of dice that was thrown, in the order of these rolls."""
    found: dict[str, Evidence] = {}
    for roll in rolls:
        for throw in roll.throws:
            found.setdefault(throw.dice, Evidence(throw.dice)).take(throw)
        for kind in {throw.dice for throw in roll.throws}:
            found[kind].rolls += 1
            found[kind].declined += roll.declined
    return sorted(found.values(), key=lambda one: (one.dice not in COLOURS, one.dice))


def rolls(journal: Journal, since: float = 0.0) -> Iterator[Roll]:
    """Every roll of real dice, oldest first, as corrected later. Twins' dice are not among them."""
    return real_rolls(journal.rolls(since))


def real_rolls(entries: Iterable[tuple[int, Entry]]) -> Iterator[Roll]:
    """The same out of entries that are rolls, or corrections of some, each with its game."""
    known, corrected = [], {}
    for game, entry in entries:
        if entry.kind == "fix":
            corrected[game, entry.body["seq"]] = entry.body["action"]
        elif entry.body.get("roll", {}).get("how") in REAL:
            known.append((game, entry))
    for game, entry in known:
        note, seen = entry.body["roll"], corrected.get((game, entry.seq), entry.body)
        yield Roll(entry.at, tuple(_throws(seen["dice"], note)), note.get("declined", 0))


def _throws(dice: list[Any], note: dict[str, Any]) -> Iterator[Throw]:
    characters = iter(note.get("of", ()))
    for die in dice:
        body = die["body"]
        name = next(characters, "") if body == "blue" else body
        if name:
            yield Throw(name, die["value"], "dice" if body == "blue" else note["how"])


def as_document(one: Evidence, say: Callable[[Text], str]) -> dict[str, Any]:
    """For pages and programs: the sentence, the bars, and the band of fair dice."""
    low, high = one.band
    return {
        "dice": one.dice, "name": say(dice_name(one.dice)), "says": say(one.says()),
        "verdict": one.verdict, "counts": one.counts, "low": low, "high": high,
        "throws": one.throws, "by_hand": one.by_hand, "rolls": one.rolls, "declined": one.declined,
    }  # fmt: skip
