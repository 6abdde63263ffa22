"""The wiring on one sheet: the Pi's header in the middle, what hangs on it around it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.care import header
from companion.care.plan import BLACK, GREY, POWER, SCL, SDA, Card, Glass, Plan, plan
from companion.care.sheet import Box, Disc, Point, Sheet, Wire, Words
from companion.settings.settings import Settings

MARGIN, CARD, BOARD = 36.0, 214.0, 256.0
PITCH, TRACK = 30.0, 10.0  # rows of the header and of a card; wires side by side
HEAD, FOOT, GAP = (
    38.0,
    16.0,
    6.0,
)  # of a card: above its first terminal, below its last, to the next
FEED = 26.0  # between the four wires of the bus
GLASS, GLASS_HIGH, GLASS_GAP = 132.0, 76.0, 26.0
PAPER, INK, PALE = "#f7f4ec", "#1d2430", "#cfd4cf"
GREEN, GOLD = "#1e6a4c", "#d8b45a"
BUS = ((POWER, "3V3", 1), (SDA, "SDA", 3), (SCL, "SCL", 5), (BLACK, "GND", 6))
NOTES = (
    "Unplug the Pi before you wire. With its USB ports at the bottom, pin 1 is at the top left.",
    "A button joins its pin to ground; the Pi pulls the pin up, no resistor is needed.",
    "A lamp is an LED with 330 ohms to ground; a buzzer is an active one for 3.3 V.",
    "A display takes 3.3 V and four wires. Channel numbers count from the splitter's first bus.",
)


@dataclass(frozen=True, slots=True)
class Placed:
    """A card where it stands."""

    card: Card
    x: float
    y: float

    @property
    def high(self) -> float:
        return _high(self.card)

    def terminal(self, place: int) -> Point:
        """Where a wire ends: on the edge that looks to the header."""
        return self.x + (CARD if self.card.left else 0), self.y + HEAD + place * PITCH


@dataclass(frozen=True, slots=True)
class Frame:
    """The measures of this sheet."""

    width: float
    board: float  # top of the board
    rail: float  # top of the bus's rail

    @property
    def middle(self) -> float:
        return self.width / 2

    @property
    def left(self) -> float:
        return self.middle - BOARD / 2

    @property
    def right(self) -> float:
        return self.middle + BOARD / 2

    @property
    def bottom(self) -> float:
        """Where the board ends."""
        return self.board + 60 + 20 * PITCH + 62

    def pin(self, pin: int) -> Point:
        """The middle of a pin."""
        side = -15 if header.on_left(pin) else 15
        return self.middle + side, self.board + 66 + (header.row(pin) + 0.5) * PITCH


def draw(settings: Settings, title: str = "Table companion: wiring") -> Sheet:
    """The sheet for these settings."""
    drawn = plan(settings)
    frame = _frame(drawn, 0)
    tracks = max(_bends(_stacked(drawn, frame, left=left), frame) for left in (True, False))
    frame = _frame(drawn, tracks)
    placed = [*_stacked(drawn, frame, left=True), *_stacked(drawn, frame, left=False)]
    foot = max([frame.bottom, *(one.y + one.high for one in placed)]) + 30
    extras = 128 if drawn.camera or drawn.hub else 0
    sheet = Sheet(frame.width, foot + extras + 22 * len(NOTES) + 36, PAPER)
    sheet.add(Words(MARGIN, 38, title, 22, INK, bold=True))
    _board(sheet, frame, drawn)
    _extras(sheet, frame, drawn, foot)
    _bus(sheet, frame, drawn)
    for left in (True, False):
        for wire in _wires([one for one in placed if one.card.left == left], frame, left):
            sheet.add(wire)
    for one in placed:
        _card(sheet, one)
    for number, note in enumerate(NOTES):
        sheet.add(Words(MARGIN, foot + extras + 16 + 22 * number, note, 13, "#4a5160"))
    return sheet


def _frame(drawn: Plan, tracks: int) -> Frame:
    channel = tracks * TRACK + 50 + (FEED * 3.5 if drawn.glasses else 0)
    wide = 2 * (MARGIN + CARD + channel) + BOARD
    row = len(drawn.glasses) * (GLASS + GLASS_GAP) - GLASS_GAP + 2 * MARGIN
    split = any(one.channel is not None for one in drawn.glasses)
    rail = 318.0 if split else 200.0
    return Frame(max(wide, row, 900.0), rail + 74 if drawn.glasses else 80.0, rail)


# -- the board ---------------------------------------------------------------------------------


def _board(sheet: Sheet, frame: Frame, drawn: Plan) -> None:
    used = {wire.pin: wire.colour for card in drawn.cards for wire in card.terminals}
    if drawn.glasses:
        used |= {pin: colour for colour, _, pin in BUS}
    high = frame.bottom - frame.board
    sheet.add(
        Box(frame.left, frame.board, BOARD, high, GREEN, "#124231", 16, 2),
        Words(frame.middle, frame.board + 24, "Raspberry Pi", 17, "#fff", "middle", bold=True),
        Words(frame.middle, frame.board + 45, "40-pin header", 12, "#cfe6d8", "middle"),
        Box(frame.middle - 34, frame.board + 64, 68, 20 * PITCH + 4, "#14181d", "", 6),
    )
    for pin in header.PINS:
        _pin(sheet, frame, pin, used.get(pin))
    ribbon = drawn.camera and not drawn.usb_camera
    plugs = ((-64, "CAMERA", ribbon), (64, "USB", drawn.hub or drawn.usb_camera))
    for x, word, wanted in plugs:
        fill, ink = ("#e9ecef", INK) if wanted else ("#2b7a5a", "#a9cdbb")
        at = frame.middle + x
        sheet.add(
            Box(at - 46, frame.bottom - 40, 92, 28, fill, "#124231", 4),
            Words(at, frame.bottom - 26, word, 11, ink, "middle", bold=True),
        )


def _pin(sheet: Sheet, frame: Frame, pin: int, colour: str | None) -> None:
    x, y = frame.pin(pin)
    side = -1 if header.on_left(pin) else 1
    name = header.name(pin)
    chip = x + side * 62
    if colour:
        sheet.add(Box(chip - 36, y - 11, 72, 22, colour, "#ffffff", 5, 1))
    sheet.add(
        Words(chip, y, name, 12, "#fff" if colour else "#7fb39a", "middle", bold=bool(colour)),
        Disc(x, y, 10.5, colour or "#3a3f45", GOLD if colour else "#6b6350", 1.5),
        Words(x, y, str(pin), 9.5, "#fff" if colour else "#a8a08a", "middle"),
    )


# -- displays on the bus -----------------------------------------------------------------------


def _bus(sheet: Sheet, frame: Frame, drawn: Plan) -> None:
    if not drawn.glasses:
        return
    step = GLASS + GLASS_GAP
    first = frame.middle - (len(drawn.glasses) - 1) * step / 2
    hung = [(first + place * step, one) for place, one in enumerate(drawn.glasses)]
    feeds = _feeds(frame)
    for x, (colour, _, pin) in zip(feeds, BUS, strict=True):
        px, py = frame.pin(pin)
        edge = px + (-98 if header.on_left(pin) else 98)
        sheet.add(Wire(((edge, py), (x, py), (x, frame.rail + 12)), colour, 3, PAPER))
    for x, one in hung:
        ends = frame.rail if one.channel is None else frame.rail - 84
        _cable(sheet, x, 66 + GLASS_HIGH, ends + 6)
        _glass(sheet, x, one)
    split = [(x, one) for x, one in hung if one.channel is not None]
    if split:
        _splitter(sheet, split, frame)
    left = min(hung[0][0] - GLASS / 2, min(feeds) - 90)
    right = max(hung[-1][0] + GLASS / 2 + (60 if len(split) in (1, 2) else 0), max(feeds) + 40)
    sheet.add(
        Box(left, frame.rail, right - left, 30, "#39424f", "", 8),
        Words(left + 14, frame.rail + 15, "I2C bus 1", 13, "#fff", bold=True),
    )
    for x, (colour, word, _) in zip(feeds, BUS, strict=True):
        sheet.add(
            Disc(x, frame.rail + 30, 5, colour, "#fff", 1.5),
            Words(x, frame.rail + 14, word, 10.5, "#fff", "middle"),
        )


def _feeds(frame: Frame) -> tuple[float, ...]:
    """Where the bus comes down: three wires left of the board, its ground right of it."""
    return frame.left - 18, frame.left - 18 - FEED, frame.left - 18 - 2 * FEED, frame.right + 18


def _cable(sheet: Sheet, x: float, top: float, bottom: float) -> None:
    for place, (colour, _, _) in enumerate(BUS):
        at = x + (place - 1.5) * 8
        sheet.add(Wire(((at, top), (at, bottom)), colour, 2.6))


def _glass(sheet: Sheet, x: float, one: Glass) -> None:
    where = f"0x{one.display.address:02X}"
    sheet.add(
        Box(x - GLASS / 2, 66, GLASS, GLASS_HIGH, "#1d2b45", "#0e1626", 8, 2),
        Box(x - GLASS / 2 + 9, 74, GLASS - 18, GLASS_HIGH - 30, "#05070b", "", 3),
        Words(x, 90, one.display.name, 16, "#bfe8ff", "middle", bold=True),
        Words(x, 109, _whose(one), 11, "#7fb6d8", "middle"),
        Words(x, 131, f"{one.display.chip.upper()} at {where}", 10.5, "#aebbd0", "middle"),
    )


def _whose(one: Glass) -> str:
    seats = one.display.seats
    if not seats:
        return "public"
    if len(seats) == 1:
        return "private"
    return f"shared by {', '.join(str(seat + 1) for seat in seats)}"


def _splitter(sheet: Sheet, split: list[tuple[float, Glass]], frame: Frame) -> None:
    left, right = split[0][0] - GLASS / 2, split[-1][0] + GLASS / 2
    if len(split) < 3:  # room for its name
        left, right = left - 60, right + 60
    top = frame.rail - 84
    _cable(sheet, (left + right) / 2, top + 50, frame.rail + 4)
    sheet.add(Box(left, top, right - left, 58, "#234d7d", "#16345a", 8, 2))
    said = "TCA9548A at 0x70, fed with 3.3 V"
    sheet.add(Words((left + right) / 2, top + 42, said, 13, "#fff", "middle", bold=True))
    for x, one in split:
        label = f"channel {one.channel} · bus {one.display.port}"
        sheet.add(Words(x, top + 18, label, 11, "#cfe2f7", "middle"))


# -- panels and other cards --------------------------------------------------------------------


def _high(card: Card) -> float:
    return HEAD + (len(card.terminals) - 1) * PITCH + FOOT


def _stacked(drawn: Plan, frame: Frame, *, left: bool) -> list[Placed]:
    """Each card beside its pins, so that as many wires as can be run straight."""
    cards = [card for card in drawn.cards if card.left == left]
    x = MARGIN if left else frame.width - MARGIN - CARD
    placed: list[Placed] = []
    top = frame.board - 20
    for place, card in enumerate(cards):
        rest = sum(_high(one) + GAP for one in cards[place:])
        y = _beside(card, frame, top, max(top, frame.bottom + 20 - rest))
        placed.append(Placed(card, x, y))
        top = y + _high(card) + GAP
    return placed


def _beside(card: Card, frame: Frame, top: float, lowest: float) -> float:
    """Where between `top` and `lowest` most wires of a card are straight."""
    heights = [frame.pin(wire.pin)[1] - HEAD for wire in card.terminals]
    ways = [high - place * PITCH for place, high in enumerate(heights)]
    wish = sum(ways) / len(ways)
    fitting = [y for y in ways if top <= y <= lowest]
    if not fitting:
        return min(max(wish, top), lowest)
    return min(fitting, key=lambda y: (-ways.count(y), abs(y - wish)))


Net = tuple[tuple[Point, ...], Point, str]
"""A wire to be: how it leaves the header, where it ends, its colour."""


def _nets(placed: list[Placed], frame: Frame) -> tuple[list[Net], list[Net]]:
    """The wires that run straight, and those that bend."""
    nets = [
        (_start(frame, wire.pin, one.card.left), one.terminal(place), wire.colour)
        for one in placed
        for place, wire in enumerate(one.card.terminals)
    ]
    straight = [net for net in nets if abs(net[0][-1][1] - net[1][1]) < 1]
    return straight, [net for net in nets if net not in straight]


def _bends(placed: list[Placed], frame: Frame) -> int:
    return len(_nets(placed, frame)[1])


def _wires(placed: list[Placed], frame: Frame, left: bool) -> Iterator[Wire]:
    """Each bent wire in a track of its own; those that lead up, and those that lead down, nest."""
    straight, bent = _nets(placed, frame)
    downs = sorted((n for n in bent if n[1][1] > n[0][-1][1]), key=lambda n: -n[0][-1][1])
    ups = sorted((n for n in bent if n[1][1] < n[0][-1][1]), key=lambda n: n[0][-1][1])
    away = -1 if left else 1
    edge = (frame.left if left else frame.right) + away * (26 + 3 * FEED)
    for start, end, colour in straight:
        yield Wire((*start, end), colour, 3, PAPER)
    for track, (start, end, colour) in enumerate([*downs, *ups]):
        x = edge + away * track * TRACK
        yield Wire((*start, (x, start[-1][1]), (x, end[1]), end), colour, 3, PAPER)


def _start(frame: Frame, pin: int, left: bool) -> tuple[Point, ...]:
    """From the pin's name; a pin of the other column passes between two rows."""
    x, y = frame.pin(pin)
    if header.on_left(pin) == left:
        return ((x + (-98 if left else 98), y),)
    edge = frame.left if left else frame.right
    return (x, y + 10), (x, y + PITCH / 2), (edge, y + PITCH / 2)


def _card(sheet: Sheet, one: Placed) -> None:
    card, x, y = one.card, one.x, one.y
    dark = "#2b2622" if card.kind == "panel" else "#1d2b45"
    sheet.add(
        Box(x, y, CARD, one.high, dark, "#0d0b0a", 10, 2),
        Box(x + 2, y + 2, CARD - 4, 23, card.colour, "", 8),
        Words(x + CARD / 2, y + 14, card.title, 13, "#fff", "middle", bold=True),
    )
    for place, wire in enumerate(card.terminals):
        tx, ty = one.terminal(place)
        pin = f"{header.name(wire.pin)} · pin {wire.pin}"
        inset = 18
        sheet.add(
            Words(x + inset, ty, wire.label, 12.5, "#fff", bold=wire.label != "ground"),
            Words(x + CARD - inset, ty, pin, 11.5, "#c9c2b8", "end"),
            Disc(tx, ty, 6, wire.colour, "#fff", 1.5),
        )


# -- camera and hub ----------------------------------------------------------------------------


def _extras(sheet: Sheet, frame: Frame, drawn: Plan, foot: float) -> None:
    if drawn.camera:
        ribbon = not drawn.usb_camera
        x, at = frame.middle - 344, frame.middle + (-64 if ribbon else 48)
        way = ((at, frame.bottom - 14), (at, foot + 50), (x + 214, foot + 50))
        sheet.add(Wire(way, "#b9b2a2" if ribbon else GREY, 12 if ribbon else 5, PAPER))
        _box(sheet, x, foot, "Camera over the tray", "by ribbon" if ribbon else "by USB")
        sheet.add(
            Disc(x + 32, foot + 50, 17, "#11151c", "#5d6673", 3),
            Disc(x + 32, foot + 50, 7, "#3f6fb5"),
        )
    if drawn.hub:
        x, at = frame.middle + 130, frame.middle + 80
        way = ((at, frame.bottom - 14), (at, foot + 50), (x, foot + 50))
        sheet.add(Wire(way, GREY, 5, PAPER))
        _box(sheet, x, foot, "Hub of the dice", "ESP32 by USB")
        sheet.add(
            Box(x + 16, foot + 34, 32, 32, "#2a2f36", "#5d6673", 4),
            Box(x + 24, foot + 42, 16, 16, "#9aa3ad", "", 2),
        )
        _dice(sheet, x + 214, foot + 50)


def _dice(sheet: Sheet, x: float, y: float) -> None:
    places = [(x + 56 + n % 3 * 44, y - 22 + n // 3 * 44) for n in range(6)]
    for dx, dy in places:
        sheet.add(Wire(((x + 6, y), (dx - 14, dy)), "#6fb7d6", 2, dashed=True))
    for dx, dy in places:
        die = Box(dx - 14, dy - 14, 28, 28, "#9ad7f2", "#3f8db2", 6)
        sheet.add(die, Disc(dx, dy, 3.5, INK))


def _box(sheet: Sheet, x: float, foot: float, name: str, how: str) -> None:
    sheet.add(
        Box(x, foot + 16, 214, 68, "#e8e2d3", PALE, 10, 2),
        Words(x + 62, foot + 42, name, 13, INK, bold=True),
        Words(x + 62, foot + 62, how, 12, "#4a5160"),
    )
