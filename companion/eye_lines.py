"""What the eye and the daemon say to each other: one JSON object a line."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

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
from companion.words import Text

Seen: TypeAlias = DiceSettled | DiceNudged | TrayDisturbed | GridRead | CameraTold
_KINDS: dict[str, TypeAdapter[Any]] = {
    kind.__name__: TypeAdapter(kind)
    for kind in (DiceSettled, DiceNudged, TrayDisturbed, GridRead, CameraTold)
}


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
    """The frame of this moment as a small JPEG, when it was asked for; `size` is the frame's own,
    in whose pixels dice are told."""

    picture: bytes
    size: tuple[int, int] = (0, 0)


Heard: TypeAlias = Seen | Beat | Trouble | Glance
_SIGNS: tuple[tuple[set[str], TypeAdapter[Any]], ...] = (
    ({"beat", "state", "ms"}, TypeAdapter(Beat)),
    ({"error"}, TypeAdapter(Trouble)),
    ({"picture", "size"}, TypeAdapter(Glance)),
)


def told(thing: Heard) -> str:
    """The line that says this."""
    plain = asdict(thing)
    if "picture" in plain:
        plain["picture"] = base64.b64encode(plain["picture"]).decode("ascii")
    if isinstance(thing, Seen):
        plain = {"event": type(thing).__name__, **plain}
    return json.dumps(plain, separators=(",", ":"))


def heard(line: str | bytes) -> Heard:
    """What a line says; BadState when it says nothing that an eye says."""
    try:
        plain: Any = json.loads(line)
        if not isinstance(plain, dict):
            raise BadState("the eye says something that is no object")
        if "picture" in plain:
            plain["picture"] = base64.b64decode(str(plain["picture"]), validate=True)
        if "event" in plain:
            kind = _KINDS.get(str(plain.pop("event")))
            if kind is None:
                raise BadState("the eye tells of an event that there is not")
            event: Seen = kind.validate_python(plain)
            return event
        for names, sort in _SIGNS:
            if set(plain) == names:
                sign: Beat | Trouble | Glance = sort.validate_python(plain)
                return sign
    except (ValueError, ValidationError, binascii.Error, RecursionError) as error:
        raise BadState(f"the eye says something unreadable: {str(error)[:120]}") from error
    raise BadState(f"the eye says something unknown: {sorted(plain)[:5]}")


# -- orders: what the daemon tells the eye ------------------------------------------------------

Face: TypeAlias = tuple[Body, Annotated[int, Field(ge=0, le=6)]]
"""A die by body and value; 0 is any value."""

Share: TypeAlias = Annotated[float, Field(ge=0, le=1)]
Spot: TypeAlias = tuple[Share, Share]
"""A place in the picture: shares of its width and height, from the top left."""

_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Expect:
    """Whether a roll is asked for, and how many dice shall lie in the tray after it."""

    __pydantic_config__ = _STRICT
    do: Literal["expect"] = "expect"
    asked: bool | None = None
    wanted: int | None = None


@dataclass(frozen=True, slots=True)
class Render:
    """For the tray that is not there: throw, keep, take, clear, nudge, drag, stack, cock, cover;
    bump its camera by so many edges of a die, dim its lamp to this share (0 and 1: as it was)."""

    __pydantic_config__ = _STRICT
    do: Literal["render"] = "render"
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
    light: Annotated[float, Field(ge=0, le=4)] | None = None


@dataclass(frozen=True, slots=True)
class Tiles:
    """Look for a grid of tiles instead of dice, by the colours in this file; "" is back to dice."""

    __pydantic_config__ = _STRICT
    do: Literal["tiles"] = "tiles"
    colours: str = ""


@dataclass(frozen=True, slots=True)
class Calibrate:
    """Begin the calibration of this number, go on with it, or end it."""

    __pydantic_config__ = _STRICT
    do: Literal["calibrate"] = "calibrate"
    word: CameraWord = "start"
    number: int = 0


Ailment: TypeAlias = Literal["", "stalls", "freezes", "black", "unplugged"]


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with the camera that is not there; "": nothing. For drills."""

    __pydantic_config__ = _STRICT
    do: Literal["fault"] = "fault"
    kind: Ailment = ""


@dataclass(frozen=True, slots=True)
class Simple:
    """`glance`: send a picture. `empty`: the tray is empty now, learn it. `quit`: end."""

    __pydantic_config__ = _STRICT
    do: Literal["glance", "empty", "quit"]


Order: TypeAlias = Expect | Render | Tiles | Calibrate | Fault | Simple
_ORDER: TypeAdapter[Order] = TypeAdapter(Annotated[Order, Field(discriminator="do")])


def order(line: str | bytes) -> Order:
    """The order in a line; BadState says what is wrong with it."""
    try:
        return _ORDER.validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise BadState(f"not an order: {place}: {first['msg']}") from error


def ordered(thing: Order) -> str:
    """The line that gives this order."""
    return json.dumps(asdict(thing), separators=(",", ":"))
