"""What hangs on the header by these settings: cards with their terminals, each on its pin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from companion.care.header import GPIO, GROUND, on_left, row
from companion.events import KEYS
from companion.settings.settings import Settings
from companion.settings.wiring import BUS_PINS, DisplayWiring, PanelWiring

SEAT_COLOURS = ("#cf3f31", "#2c6fc4", "#36934a", "#c99500", "#7d838e")
BLACK, POWER, SDA, SCL = "#20242c", "#e2572b", "#7b46b8", "#0f8b8d"
LIGHT, GREY = "#efb73e", "#5b6270"
BUS_GROUND = 6  # the pin that the displays' ground comes from
FIRST_CHANNEL = 22  # of a Pi 4; elsewhere the lowest bus counts as channel 0


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where a wire ends at a card."""

    label: str
    pin: int  # of the header
    colour: str


@dataclass(frozen=True, slots=True)
class Card:
    """A part that is wired pin by pin: a panel, a lamp, a display on SPI."""

    title: str
    colour: str
    terminals: tuple[Terminal, ...]
    kind: Literal["panel", "lamp", "display"] = "panel"

    @property
    def left(self) -> bool:
        """Which side of the header has most of its pins."""
        return sum(1 if on_left(t.pin) else -1 for t in self.terminals) > 0

    @property
    def middle(self) -> float:
        """How far down the header its pins are."""
        rows = [row(terminal.pin) for terminal in self.terminals]
        return sum(rows) / len(rows)


@dataclass(frozen=True, slots=True)
class Glass:
    """A display on I²C: on a channel of a splitter, or (None) on the bus itself."""

    display: DisplayWiring
    channel: int | None


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole table on paper."""

    cards: tuple[Card, ...]  # those on the left first, each side from the top
    glasses: tuple[Glass, ...]  # those on the bus itself first
    camera: str  # "": none
    hub: bool

    @property
    def usb_camera(self) -> bool:
        """A camera that the settings name by its number or device, not one on the ribbon."""
        return self.camera.isdigit() or self.camera.startswith("/")


def plan(settings: Settings) -> Plan:
    """What these settings, which were checked for conflicts when they were read, describe."""
    cards = [_panel(one, settings.table.names[one.seat].show()) for one in settings.panels]
    cards += [_spi(one) for one in settings.displays if one.bus == "spi"]
    lamp = settings.eye.lamp
    if lamp is not None:
        cards.append(Card("Tray lamp", LIGHT, (Terminal("lamp", GPIO[lamp], LIGHT),), "lamp"))
    if settings.shutdown.pin is not None:
        button = Terminal("hold", GPIO[settings.shutdown.pin], GREY)
        cards.append(Card("Shutdown button", GREY, (button,), "lamp"))
    glasses = tuple(_glasses(settings))
    return Plan(tuple(_grounded(cards, bool(glasses))), glasses,
                "" if settings.eye.camera in ("off", "twin") else settings.eye.camera,
                settings.hub.port not in ("off", "twin"))  # fmt: skip


def _panel(panel: PanelWiring, name: str) -> Card:
    colour = SEAT_COLOURS[panel.seat]
    wires = [Terminal(key, GPIO[getattr(panel, key)], colour) for key in KEYS]
    if panel.lamp is not None:
        wires.append(Terminal("lamp", GPIO[panel.lamp], LIGHT))
    if panel.buzzer is not None:
        wires.append(Terminal("buzzer", GPIO[panel.buzzer], GREY))
    return Card(f"Seat {panel.seat + 1} · {name}", colour, tuple(wires))


def _spi(one: DisplayWiring) -> Card:
    selects = {(0, 0): 8, (0, 1): 7, (1, 0): 18, (1, 1): 17, (1, 2): 16}
    data, clock = (10, 11) if one.port == 0 else (20, 21)
    pins = [("VCC", 17, POWER), ("D0 / SCK", GPIO[clock], SCL), ("D1 / MOSI", GPIO[data], SDA),
            ("CS", GPIO[selects[one.port, one.device]], GREY)]  # fmt: skip
    named = (("DC", one.dc), ("RES", one.rst))
    pins += [(label, GPIO[pin], GREY) for label, pin in named if pin is not None]
    wires = tuple(Terminal(label, pin, colour) for label, pin, colour in pins)
    title = f"{one.name} · {one.chip.upper()} on SPI"
    return Card(title, SDA, wires, "display")


def _glasses(settings: Settings) -> Iterator[Glass]:
    wired = sorted((d for d in settings.displays if d.bus == "i2c"), key=lambda d: d.port)
    split = [d.port for d in wired if ("i2c", d.port) not in BUS_PINS]
    usual = split and all(FIRST_CHANNEL <= port < FIRST_CHANNEL + 8 for port in split)
    first = FIRST_CHANNEL if usual else min(split, default=0)
    for one in wired:
        direct = ("i2c", one.port) in BUS_PINS
        yield Glass(one, None if direct else one.port - first)


def _grounded(cards: list[Card], bus: bool) -> Iterator[Card]:
    """Each card with the nearest ground that is still free on its side; then they share.

    The terminals come in the order of their pins, so that few wires cross.
    """
    free = [pin for pin in GROUND if not (bus and pin == BUS_GROUND)]
    for card in sorted(cards, key=lambda card: (not card.left, card.middle)):
        same = [pin for pin in free if on_left(pin) == card.left]
        pin = min(same or free or GROUND, key=lambda pin: abs(row(pin) - card.middle))
        if pin in free:
            free.remove(pin)
        wires = (*card.terminals, Terminal("ground", pin, BLACK))
        yield replace(card, terminals=tuple(sorted(wires, key=lambda one: row(one.pin))))
