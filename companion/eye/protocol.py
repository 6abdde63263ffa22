"""What the eye and the daemon say to each other: one JSON object a line."""

from __future__ import annotations

import base64
import json
from dataclasses import asdict, dataclass
from typing import Annotated, Literal, TypeAlias

from companion.errors import BadState
from companion.events import (
    Body,
    CameraTold,
    CameraWord,
    DiceNudged,
    DiceSettled,
    GridRead,
    TrayDisturbed,
)
from companion.eye.shape import Within, shaped
from companion.words import Text

EyeEvent: TypeAlias = DiceSettled | DiceNudged | TrayDisturbed | GridRead | CameraTold


@dataclass(frozen=True, slots=True)
class Beat:
    """A sign of life: how many frames were seen, what the tray does, milliseconds for a frame."""

    beat: int
    state: str
    ms: float


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why the eye ends."""

    error: str | Text


@dataclass(frozen=True, slots=True)
class Glance:
    """The frame of this moment as a small JPEG, when it was asked for; `size` is the frame's own:
    the places of dice are in its pixels."""

    picture: bytes
    size: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of the order with this number (0: one without): done, or why it was not."""

    order: int
    why: str | Text = ""


Heard: TypeAlias = EyeEvent | Beat | Trouble | Glance | Answer


def encode(thing: Heard) -> str:
    """The line that says this."""
    plain = asdict(thing)
    if "picture" in plain:
        plain["picture"] = base64.b64encode(plain["picture"]).decode("ascii")
    if isinstance(thing, EyeEvent):
        plain = {"event": type(thing).__name__, **plain}
    return json.dumps(plain, separators=(",", ":"))


# -- orders: what the daemon tells the eye ------------------------------------------------------

Face: TypeAlias = tuple[Body, Annotated[int, Within(0, 6)]]
"""A die by body and value; 0 is any value."""

Share: TypeAlias = Annotated[float, Within(0, 1)]
Spot: TypeAlias = tuple[Share, Share]
"""A place in the picture: shares of its width and height, from the top left."""


@dataclass(frozen=True, slots=True)
class Expect:
    """Whether a roll is asked for, how many dice the tray holds after it, of which bodies, and
    which lie there already: hands turn a real die when the game changes it, the twin its own."""

    do: Literal["expect"] = "expect"
    asked: bool | None = None
    wanted: int | None = None
    bodies: tuple[Body, ...] = ()
    lying: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True)
class Render:
    """For the tray that is not there: throw, keep, take, clear, nudge, drag, stack, cock, cover;
    bump its camera by so many edges of a die, dim its lamp to this share (0 and 1: as it was).
    With a number it is answered."""

    do: Literal["render"] = "render"
    number: int = 0
    throw: tuple[Face, ...] | None = None
    keep: tuple[Face, ...] = ()
    take: tuple[Face, ...] | None = None
    clear: bool = False
    nudge: Face | None = None
    drag: tuple[Spot, Spot] | None = None
    stack: tuple[Face, Face] | None = None
    cock: Face | None = None
    cover: float | None = None
    bump: float | None = None
    light: Annotated[float, Within(0, 4)] | None = None


@dataclass(frozen=True, slots=True)
class Tiles:
    """Look for a grid of tiles instead of dice, by the colours in this file; "" is back to dice."""

    do: Literal["tiles"] = "tiles"
    colours: str = ""


@dataclass(frozen=True, slots=True)
class Calibrate:
    """Begin the calibration of this number, go on with it, or end it."""

    do: Literal["calibrate"] = "calibrate"
    word: CameraWord = "start"
    number: int = 0


Ailment: TypeAlias = Literal["", "stalls", "freezes", "black", "unplugged"]


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with the camera that is not there; "": nothing. For drills."""

    do: Literal["fault"] = "fault"
    kind: Ailment = ""


@dataclass(frozen=True, slots=True)
class Simple:
    """`glance`: send a picture. `empty`: the tray is empty now, learn it. `quit`: end."""

    do: Literal["glance", "empty", "quit"]


Order: TypeAlias = Expect | Render | Tiles | Calibrate | Fault | Simple


_ORDERS: dict[str, type[Order]] = {
    "expect": Expect, "render": Render, "tiles": Tiles, "calibrate": Calibrate, "fault": Fault,
    "glance": Simple, "empty": Simple, "quit": Simple,
}  # fmt: skip


def decode_order(line: str | bytes) -> Order:
    """The order in a line; BadState says what is wrong with it."""
    try:
        plain = json.loads(line)
        kind = _ORDERS.get(plain["do"])
        if kind is None:
            raise BadState(f"not an order: do: {str(plain['do'])[:40]!r} is not known")
        return shaped(plain, kind)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadState(f"not an order: {error}") from error


def encode_order(thing: Order) -> str:
    """The line that gives this order."""
    return json.dumps(asdict(thing), separators=(",", ":"))
