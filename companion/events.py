"""What can happen on the table: the way in. Adapters emit these and decide nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from companion.words import Panel, SeatNo, Text

Key: TypeAlias = Literal["previous", "next", "select", "back"]
KEYS: tuple[Key, ...] = ("previous", "next", "select", "back")

Body: TypeAlias = Literal["black", "white", "blue", "other"]
"""Colour of a die's body: black main, white support, light-blue character."""

Point: TypeAlias = tuple[float, float]

SURE = 0.9  # a tile or die below this is asked about, not taken


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A button of a panel went down and stayed down long enough to be meant.

    `offered` is the number of the view that stood on that seat's glass at the press (None: the
    newest). A press on a view whose choices have changed since is not taken.
    """

    panel: Panel
    key: Key
    offered: int | None = None


@dataclass(frozen=True, slots=True)
class ButtonStorm:
    """A button chatters faster than any finger: a loose wire. It is ignored until it is quiet."""

    panel: Panel
    key: Key
    over: bool = False


@dataclass(frozen=True, slots=True)
class ButtonStuck:
    """A button is down for longer than any finger means it: its wires are joined, or it jams."""

    panel: Panel
    key: Key
    over: bool = False


@dataclass(frozen=True, slots=True)
class SeenDie:
    """One die as the eye sees it. Coordinates are pixels of the picture, origin top left."""

    value: int  # 1..6; 0 if it has none to read
    body: Body
    sure: float  # 0..1, calibrated: of readings with 0.9, nine in ten are right
    centre: Point
    size: float  # edge length
    outline: tuple[Point, ...] = ()
    second: int = 0  # the next likeliest value, 0 if none
    # touching, stacked, cocked, cut, blurred, dark, glare, unclear colour, round, joined, printed
    wrong: tuple[str, ...] = ()
    moved: bool = True  # since the last reading
    track: int = 0  # the same die keeps its number from reading to reading


@dataclass(frozen=True, slots=True)
class DiceSettled:
    """Dice came to rest. `roll` counts throws: two equal rolls in a row have two numbers."""

    dice: tuple[SeenDie, ...]
    roll: int
    accepted: bool  # the eye would stake the game on it; otherwise the table asks
    picture: bytes = b""  # small JPEG of the tray, for the ring
    source: str = "eye"

    def corrected(self, track: int, value: int) -> DiceSettled:
        """The same reading, one die of it named by a person; accepted if no other is in doubt."""
        dice = tuple(
            replace(die, value=value, sure=1.0, second=0, wrong=()) if die.track == track else die
            for die in self.dice
        )
        sound = all(die.body == "blue" or (die.sure >= SURE and not die.wrong) for die in dice)
        return replace(self, dice=dice, accepted=self.accepted or sound)


@dataclass(frozen=True, slots=True)
class Misread:
    """Someone with a seat's claim says what a die of this reading really shows."""

    panel: Panel
    seen: DiceSettled
    track: int
    value: int


@dataclass(frozen=True, slots=True)
class DiceNudged:
    """Dice moved or changed though no roll was made: the table asks, it does not decide."""

    dice: tuple[SeenDie, ...]
    changed: tuple[int, ...]  # tracks of the dice concerned
    source: str = "eye"


@dataclass(frozen=True, slots=True)
class TrayDisturbed:
    """A hand or moving dice are in the tray: what was read before no longer stands."""

    source: str = "eye"


@dataclass(frozen=True, slots=True)
class GridRead:
    """Tiles laid out in rows lie still: the name of each ("" for a gap), and how sure that is."""

    rows: tuple[tuple[str, ...], ...]
    sure: tuple[tuple[float, ...], ...]
    accepted: bool  # the eye would stake the game on every tile; otherwise the doubtful are asked
    picture: bytes = b""
    source: str = "eye"


CameraStep: TypeAlias = Literal[
    "clear", "dark", "learn", "throw", "again", "check", "done", "failed", "stopped",
    "fits", "moved", "light", "other", "unreadable",
]  # fmt: skip
"""How far a calibration is (the first row), and whether a stored one still holds (the second)."""

CAMERA_STEPS: dict[CameraStep, int] = {
    "clear": 1, "dark": 1, "learn": 2, "throw": 3, "again": 3, "check": 4,
}  # fmt: skip
"""Which of a calibration's four steps it is."""

CameraWord: TypeAlias = Literal["start", "empty", "right", "wrong", "stop"]


@dataclass(frozen=True, slots=True)
class CameraTold:
    """The eye about its calibration; `why` is one of its short words for what is wrong.

    `calibration` is the number of the one that it is about; 0: whichever is under way.
    """

    step: CameraStep
    dice: tuple[SeenDie, ...] = ()
    why: str = ""
    calibration: int = 0


@dataclass(frozen=True, slots=True)
class CameraAsked:
    """Somebody begins, answers or ends a calibration; no panel: at a terminal."""

    word: CameraWord
    panel: Panel | None = None


@dataclass(frozen=True, slots=True)
class CharacterDie:
    """A light-blue character die reports over the hub."""

    die: str  # its identity, e.g. "asuna"
    state: Literal["handled", "rolling", "crooked", "rest"]
    face: int  # 1..6 at rest, else 0
    number: int  # the die's own event number
    battery: int = 100  # per cent


@dataclass(frozen=True, slots=True)
class Chosen:
    """Someone with a seat's claim (a phone, a browser) picked choice `index` of view `offered`."""

    panel: Panel
    index: int
    offered: int


@dataclass(frozen=True, slots=True)
class MenuAsked:
    """Someone with a seat's claim opened the table's menu, or went one step out of it."""

    panel: Panel
    opened: bool


@dataclass(frozen=True, slots=True)
class Named:
    """Someone with a seat's claim says how he is called."""

    panel: Panel
    name: str


@dataclass(frozen=True, slots=True)
class BoxTold:
    """Someone with a seat's claim says what is printed on a card of his box, or brings a box.

    `told` is field and value, None: as shipped; no `told` at all: the whole card is as shipped.
    """

    panel: Panel
    game: str
    card: str = ""
    told: tuple[tuple[str, int | str | None], ...] | None = None
    theirs: tuple[tuple[str, str, int | str], ...] | None = None
    theirs_win: bool = False


@dataclass(frozen=True, slots=True)
class Decided:
    """A companion has thought: what its seat does in the game as it stood at `entry`.

    `action` is None where it found nothing; `note` is what the journal keeps beside the move.
    """

    seat: SeatNo
    entry: str
    action: Any
    note: Mapping[str, str | int] = field(default_factory=dict)
    why: Text | None = None


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A game that ended with this entry was weighed: its moments (`companion/bots/api.py`)."""

    entry: str
    moments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class LeafRead:
    """The moment of a leaf of the story is over: the next one comes, or the choices."""

    number: int


@dataclass(frozen=True, slots=True)
class PhonesChanged:
    """A phone has claimed a seat, left it, or lost it."""


@dataclass(frozen=True, slots=True)
class DeviceDown:
    """A device was lost; its supervisor keeps trying."""

    name: str
    why: str | Text


@dataclass(frozen=True, slots=True)
class DeviceUp:
    """A lost device is back."""

    name: str


@dataclass(frozen=True, slots=True)
class Unwell:
    """A look at the machine found something wrong: weak power, a full disk, a bus switched off."""

    says: Text


@dataclass(frozen=True, slots=True)
class Message:
    """Somebody elsewhere writes a line to the table's display; every glass is bright for it.

    No line: they are woken, and that is all.
    """

    line: str


@dataclass(frozen=True, slots=True)
class ShutdownAsked:
    """The shutdown button was held long enough: say goodbye, then power off."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """A probe of the watchdog: it goes the way of every event, and means nothing."""


Event: TypeAlias = (
    ButtonPressed
    | ButtonStorm
    | ButtonStuck
    | DiceSettled
    | DiceNudged
    | TrayDisturbed
    | GridRead
    | CameraTold
    | CameraAsked
    | CharacterDie
    | Chosen
    | MenuAsked
    | Named
    | BoxTold
    | Misread
    | PhonesChanged
    | DeviceDown
    | DeviceUp
    | Unwell
    | Message
    | ShutdownAsked
    | Pulse
    | LeafRead
    | Decided
    | Reviewed
)

Emit: TypeAlias = Callable[[Event], None]
