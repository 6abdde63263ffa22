"""The 40-pin header: which panel and display hangs on which pins, and what cannot be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, ConfigDict, Field

from companion.settings.toml_lines import Where, label
from companion.words import Panel

STRICT = ConfigDict(extra="forbid", strict=True)
MOST_SEATS = 5
PINS = range(2, 28)  # BCM numbers; 0 and 1 belong to the ID chip of a HAT
BUS_PINS = {("i2c", 1): (2, 3), ("spi", 0): (7, 8, 9, 10, 11), ("spi", 1): (16, 17, 18, 19, 20, 21)}

# The file counts seats from 1, as the screens do; the program counts from 0.
PanelNumber = Annotated[
    Panel, Field(ge=1, le=MOST_SEATS), AfterValidator(lambda number: Panel(number - 1))
]
Name = Annotated[str, Field(min_length=1, max_length=12, pattern=r"^[^\s\x00-\x1f](.*\S)?$")]
Problem: TypeAlias = tuple[Where, str]


@dataclass(frozen=True, slots=True)
class PanelWiring:
    """`[[panel]]`: the pins (BCM numbers) of one seat's four buttons, lamp and buzzer."""

    __pydantic_config__ = STRICT
    seat: PanelNumber
    previous: int
    next: int
    select: int
    back: int
    lamp: int | None = None
    buzzer: int | None = None


@dataclass(frozen=True, slots=True)
class DisplayWiring:
    """`[[display]]`: one OLED. No seats: the table's public display; several: they share it."""

    __pydantic_config__ = STRICT
    name: Name
    seats: tuple[PanelNumber, ...] = ()
    chip: Literal["ssd1306", "sh1106", "ssd1309"] = "ssd1306"
    bus: Literal["i2c", "spi"] = "i2c"
    port: Annotated[int, Field(ge=0, le=255)] = 1  # /dev/i2c-1, or the first figure of spidev0.0
    address: Annotated[int, Field(ge=0x08, le=0x77)] = 0x3C  # i2c only
    device: Annotated[int, Field(ge=0, le=2)] = 0  # spi only, as are dc and rst
    dc: int | None = None
    rst: int | None = None
    rotate: Literal[0, 180] = 0
    contrast: Annotated[int, Field(ge=0, le=255)] = 160
    dim_after_s: Annotated[int, Field(ge=0, le=86400)] = 120


# previous, next, select, back; I²C (2, 3) and the UART (14, 15) stay free, so do 20 and 21.
_PINS = (
    (4, 17, 27, 22),
    (10, 9, 11, 5),
    (6, 13, 19, 26),
    (18, 23, 24, 25),
    (8, 7, 12, 16),
)
PANELS = tuple(PanelWiring(Panel(panel), *pins) for panel, pins in enumerate(_PINS))
# A TCA9548A splits the bus; a Pi 4 shows its channels as buses 22 to 29.
DISPLAYS = (
    DisplayWiring("table", port=22),
    *(
        DisplayWiring(f"seat {n}", seats=(Panel(n - 1),), port=22 + n)
        for n in range(1, MOST_SEATS + 1)
    ),
)

PlacedPanels: TypeAlias = Sequence[tuple[Where, PanelWiring]]
PlacedDisplays: TypeAlias = Sequence[tuple[Where, DisplayWiring]]
PlacedPins: TypeAlias = Sequence[tuple[Where, int | None]]


def conflicts(
    panels: PlacedPanels, displays: PlacedDisplays, others: PlacedPins = ()
) -> Iterator[Problem]:
    """Everything that cannot be on one Pi; each with its place in the file."""
    for where, glass in displays:
        yield from _misplaced(where, glass)
    yield from _twice([((*w, "seat"), p.seat) for w, p in panels], "this seat has a panel already")
    yield from _twice([((*w, "name"), d.name) for w, d in displays], "this name is taken")
    yield from _twice([(w, _place(d)) for w, d in displays], "the same bus and address are used")
    yield from _wrong_pins(panels, displays, others)


def _place(glass: DisplayWiring) -> tuple[str, int, int]:
    return glass.bus, glass.port, glass.address if glass.bus == "i2c" else glass.device


def _misplaced(where: Where, glass: DisplayWiring) -> Iterator[Problem]:
    """What is wrong with one display alone."""
    if len(set(glass.seats)) < len(glass.seats):
        yield (*where, "seats"), "a seat stands here twice"
    if glass.bus == "i2c":
        if glass.port == 0:
            yield (
                (*where, "port"),
                "bus 0 belongs to the ID chip of a HAT; use 1 or a channel of it",
            )
        for key in ("dc", "rst", "device"):
            if getattr(glass, key):
                yield (*where, key), 'only a display on SPI has this; remove it or set bus = "spi"'
        return
    if glass.port > 1 or glass.device > glass.port + 1:
        yield (*where, "port"), "the header has spidev0.0, 0.1, 1.0, 1.1 and 1.2 only"
    if glass.dc is None:
        yield (*where, "dc"), "a display on SPI needs its data/command pin; add dc"
    if glass.rst is None:  # else some pin would be driven that nobody gave it
        yield (*where, "rst"), "a display on SPI needs its reset pin; add rst"
    if glass.address != 0x3C:
        yield (*where, "address"), 'only a display on I²C has this; remove it or set bus = "i2c"'


def _twice(places: Sequence[tuple[Where, object]], why: str) -> Iterator[Problem]:
    """A complaint at the second of two equal things, naming the first."""
    first: dict[object, Where] = {}
    for where, thing in places:
        if thing in first:
            yield where, f"{why}, by {label(first[thing])}"
        first.setdefault(thing, where)


def _wrong_pins(
    panels: PlacedPanels, displays: PlacedDisplays, others: PlacedPins
) -> Iterator[Problem]:
    keys = ("previous", "next", "select", "back", "lamp", "buzzer")
    uses = [((*w, key), getattr(panel, key)) for w, panel in panels for key in keys]
    uses += [((*w, key), getattr(glass, key)) for w, glass in displays for key in ("dc", "rst")]
    uses = [(where, pin) for where, pin in [*uses, *others] if pin is not None]
    uses.sort(key=lambda use: use[0][0] != "default wiring")  # defaults first: none to blame
    buses: dict[int, str] = {}
    for where, glass in displays:
        # A bus number past the header's own is a channel of a splitter on the header's.
        port = glass.port if glass.bus == "spi" else 1
        for pin in BUS_PINS.get((glass.bus, port), ()):
            buses.setdefault(pin, f"the {glass.bus} bus, which {label(where)} needs")
    first: dict[int, Where] = {}
    for where, pin in uses:
        if pin not in PINS:
            yield where, f"pin {pin} cannot be used; take one of 2 to 27 (BCM numbers)"
        elif pin in buses:
            yield where, f"pin {pin} belongs to {buses[pin]}; take another"
        elif pin in first:
            yield where, f"pin {pin} is used twice, by {label(first[pin])}; take another"
        first.setdefault(pin, where)
