"""What a duel is made of: options, actions, the state, and whose cards are where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from companion.games.api import option, secret
from companion.games.kiriai.cards import BASICS, FACES, SPECIAL, Face
from companion.games.kiriai.duel import BLUE, RED, Outcome, Stand
from companion.words import text

SEATS = (BLUE, RED)
SIZES = {"standard": 5, "advanced": 7}
DEFEATED = 2  # wounds
Phase: TypeAlias = Literal["deal", "tell", "place", "choose", "show", "between", "over"]
SETTING_UP = ("deal", "tell", "place")


@dataclass(frozen=True, slots=True)
class Options:
    """What the lobby asks before a duel."""

    battlefield: str = option(
        "standard",
        label=text("Battlefield"),
        values=("standard", "advanced"),
        names=(text("Standard"), text("Advanced")),
    )
    cards: str = option(
        "companion",
        label=text("Specials"),
        values=("companion", "table"),
        names=(text("Dealt here"), text("Cardboard")),
        virtual="companion",
    )
    round_cap: int = option(100, label=text("Draw after round"), values=(20, 50, 100, 200))


@dataclass(frozen=True, slots=True)
class Dealt:
    """Chance dealt Blue's and Red's special. The third is written nowhere (K-R5)."""

    specials: tuple[str, ...] = secret()


@dataclass(frozen=True, slots=True)
class Told:
    """A seat told which special of cardboard it holds; "" keeps it to itself."""

    seat: int
    special: str = secret()


@dataclass(frozen=True, slots=True)
class Place:
    """A seat chose where and how it starts on the advanced battlefield."""

    seat: int
    space: int = secret()
    stance: str = secret()
    salt: str = secret(default="")


@dataclass(frozen=True, slots=True)
class Pick:
    """A seat laid its next card face down. Each card has its own seal, opened with the card."""

    seat: int
    face: str = secret()
    salt: str = secret(default="")


@dataclass(frozen=True, slots=True)
class Seal:
    """A seat stands by its two cards. The second seal opens both first cards."""

    seat: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A seat named the special of cardboard that it has just opened."""

    seat: int
    special: str


@dataclass(frozen=True, slots=True)
class GoOn:
    """Somebody has seen enough of the first cards: open the second."""

    seat: int


ACTIONS = (Dealt, Told, Place, Pick, Seal, Shown, GoOn)


@dataclass(frozen=True, slots=True)
class Laid:
    """A card face down. `forced`: laid by the table's leave although K-R11 forbids it."""

    face: str
    salt: str = ""
    forced: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """A start that was chosen in secret."""

    space: int
    stance: str
    salt: str = ""


@dataclass(frozen=True, slots=True)
class Fighter:
    """One samurai and its player's cards. Secret: special, plan, and placed until both are."""

    stand: Stand
    wounds: int = 0
    special: str = ""  # held; "" when spent, not dealt yet, or of cardboard and not told
    spent: str = ""  # the special that was played
    aside: str = ""  # the card that rests this round
    plan: tuple[Laid, ...] = ()
    done: bool = False  # with its part of what all are asked for
    placed: Placed | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One action as it was played: both cards, from where, to what effect."""

    faces: tuple[str, str]
    salts: tuple[str, str]
    before: tuple[Stand, Stand]
    outcome: Outcome
    forced: tuple[bool, bool] = (False, False)  # whose card was laid against K-R11


@dataclass(frozen=True, slots=True)
class Wound:
    """Who dealt a wound, when, with which card."""

    by: int
    round: int
    face: str


@dataclass(frozen=True, slots=True)
class State:
    """A duel. `steps` are those of the round in play, or of the last one while cards are laid."""

    options: Options
    fighters: tuple[Fighter, Fighter]
    phase: Phase
    round: int = 1
    steps: tuple[Step, ...] = ()
    cuts: tuple[Wound, ...] = ()

    @property
    def size(self) -> int:
        """Spaces of the battlefield."""
        return SIZES[self.options.battlefield]

    @property
    def cardboard(self) -> bool:
        """The specials are real cards, which the companion does not see."""
        return self.options.cards == "table"


def own_spaces(seat: int) -> tuple[int, ...]:
    """Where a seat may start on the advanced battlefield (K-R7)."""
    return (2, 3, 4) if seat == BLUE else (6, 5, 4)


def faces_of(fighter: Fighter, cardboard: bool) -> tuple[str, ...]:
    """Every face that the player owns, whether it can be laid now or not."""
    return (*BASICS, SPECIAL) if cardboard else (*BASICS, fighter.special or fighter.spent)


def own_face(fighter: Fighter, key: str) -> Face:
    """A special of cardboard looks like what its player told it to be."""
    return FACES[(fighter.special or fighter.spent or key) if key == SPECIAL else key]


def resting(fighter: Fighter) -> set[str]:
    """The cards that cannot be laid next (K-R11); no rule bars the card "" of nobody."""
    cards = {fighter.aside, *(FACES[laid.face].card for laid in fighter.plan)}
    return {*cards, SPECIAL} if fighter.spent else cards


def free(fighter: Fighter, face: str) -> bool:
    """May this own face be laid as the next card?"""
    return FACES[face].card not in resting(fighter)


def layable(fighter: Fighter, cardboard: bool) -> list[str]:
    """Every own face that may be laid as the next card."""
    rest = resting(fighter)
    own = filter(None, faces_of(fighter, cardboard))  # no special may be dealt yet
    return [face for face in own if FACES[face].card not in rest]


def opened(state: State) -> int:
    """How many cards of each plan lie open for everybody."""
    if state.phase == "choose":
        return 0
    return len(state.steps) + (state.phase == "show")
