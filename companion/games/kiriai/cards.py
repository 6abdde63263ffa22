"""The sixteen cards as data: eight cards to play, their ten faces, what each face does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from companion.words import Text, text

Stance: TypeAlias = Literal["heaven", "earth"]
HEAVEN: Stance = "heaven"
EARTH: Stance = "earth"
STANCES: tuple[Stance, ...] = (HEAVEN, EARTH)

SPECIAL = "special"
"""A special of cardboard that lies face down: a card whose face nobody has told for sure."""


@dataclass(frozen=True, slots=True)
class Face:
    """What a card does with this end towards the opponent."""

    key: str
    card: str  # the cardboard it is printed on
    name: Text
    detail: Text
    rule: str
    steps: int = 0  # towards the opponent; below zero: away
    turn: int = 0  # among movements of one stance, the lower goes first (K-R15)
    stance: Stance | None = None  # needed to succeed; None: either
    reach: tuple[int, ...] = ()  # distances that it hits
    then: Stance | None = None  # the stance it leaves the samurai in

    @property
    def moves(self) -> bool:
        """Movement cards go before attacks."""
        return self.turn > 0


_FACES = (
    Face("approach", "approach/retreat", text("Approach"), text("1 space closer"), "K-R18", 1, 2),
    Face("retreat", "approach/retreat", text("Retreat"), text("1 space back"), "K-R18", -1, 2),
    Face("charge", "charge/stance", text("Charge"), text("2 spaces closer"), "K-R18", 2, 1),
    Face("stance", "charge/stance", text("Change Stance"), text("Heaven <> Earth"), "K-R18", 0, 3),
    Face(
        "high",
        "high",
        text("High Strike"),
        text("hits 2 away, Heaven"),
        "K-R22",
        stance=HEAVEN,
        reach=(2,),
    ),
    Face(
        "low",
        "low",
        text("Low Strike"),
        text("hits 1 away, Earth"),
        "K-R23",
        stance=EARTH,
        reach=(1,),
    ),
    Face(
        "balanced",
        "balanced",
        text("Balanced Strike"),
        text("hits the same space"),
        "K-R24",
        reach=(0,),
    ),
    Face(
        "kesa",
        SPECIAL,
        text("Kesa Strike"),
        text("hits 0 or 1 away, Heaven; then Earth"),
        "K-R25",
        stance=HEAVEN,
        reach=(0, 1),
        then=EARTH,
    ),
    Face(
        "zantetsu",
        SPECIAL,
        text("Zan-Tetsu Strike"),
        text("hits 2 or 3 away, Earth; then Heaven"),
        "K-R26",
        stance=EARTH,
        reach=(2, 3),
        then=HEAVEN,
    ),
    Face(
        "counter",
        SPECIAL,
        text("Counterattack"),
        text("turns a hit against the attacker"),
        "K-R30",
    ),
    Face(SPECIAL, SPECIAL, text("Special card"), text("the one that you hold"), "K-R4"),
)

FACES: dict[str, Face] = {face.key: face for face in _FACES}
BASICS = ("approach", "retreat", "charge", "stance", "high", "low", "balanced")
BASIC_CARDS = ("approach/retreat", "charge/stance", "high", "low", "balanced")
SPECIALS = ("kesa", "zantetsu", "counter")
COUNTER = "counter"

CARD_NAMES: dict[str, Text] = {
    "approach/retreat": text("Approach/Retreat"),
    "charge/stance": text("Charge/Stance"),
    "high": text("High Strike"),
    "low": text("Low Strike"),
    "balanced": text("Balanced Strike"),
}
STANCE_NAMES: dict[str, Text] = {HEAVEN: text("Heaven"), EARTH: text("Earth")}
