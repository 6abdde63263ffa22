"""The rig's reading of its bus, without a kernel: luma's own bytes give the picture again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from companion.games.sao import SAO
from companion.views import Choice, View
from companion.words import text
from hardware.glass.draw import image
from hardware.glass.oled import I2C, Oled
from tests.hardware import ocr
from tests.rig.cuts import CHOOSES, PAUSE, Night, kept_moves, moves, shown
from tests.rig.faults import kept, rests
from tests.rig.level50 import SEATING, level_50
from tests.rig.machine import PRESSED, RELEASED
from tests.rig.recording import GLASSES, HEAD, MAGIC, Glasses, Transfer, lit_rows, transfers
from tests.rig.report import Took
from tests.table.desk import Desk


class Bus:
    """An SMBus as luma and the kernel module see it: every write becomes a record."""

    def __init__(self, channel: int) -> None:
        self.channel, self.stream, self.lit = channel, bytearray(), False

    def i2c_rdwr(self, *messages: Any) -> None:
        for message in messages:
            self._record(bytes(message))

    def write_i2c_block_data(self, _address: int, register: int, data: list[int]) -> None:
        self._record(bytes([register, *data]))

    def read_byte(self, _address: int) -> int:
        return 0 if self.lit else 0x40

    def close(self) -> None: ...

    def _record(self, data: bytes) -> None:
        self.lit = self.lit or data == b"\x00\xaf"
        self.stream += HEAD.pack(MAGIC, self.channel, len(data), 0, 1000, 2000) + data


def view(cursor: int) -> View:
    choices = tuple(Choice(text(label), None) for label in ("Approach", "Charge", "Retreat"))
    return View(text("Duel"), text("Lay your 1st card"), (), choices, cursor=cursor)


def recorded(cursor: int) -> bytearray:
    bus = Bus(GLASSES.index("seat 2"))
    oled = Oled("seat 2", "ssd1306", I2C(24), bus=bus)
    oled._show(view(0))
    oled._show(view(cursor))
    return bus.stream


def rebuilt(stream: bytearray) -> Image.Image:
    glasses = Glasses()
    for one in transfers(stream):
        glasses.feed(one)
    return glasses.picture("seat 2")


def test_the_glass_is_rebuilt_from_the_bytes_that_luma_sent() -> None:
    assert rebuilt(recorded(1)).tobytes() == image(view(1)).tobytes()


def test_a_stream_that_was_cut_anywhere_waits_for_its_rest() -> None:
    whole = recorded(2)
    seen, stream = Glasses(), bytearray()
    for at in range(0, len(whole), 7):
        stream += whole[at : at + 7]
        for one in transfers(stream):
            seen.feed(one)
    assert not stream
    assert seen.picture("seat 2").tobytes() == image(view(2)).tobytes()


def test_a_stream_out_of_step_is_noticed() -> None:
    stream = recorded(0)
    del stream[:1]
    with pytest.raises(ValueError, match="out of step"):
        list(transfers(stream))


def test_the_highlighted_choice_is_read_alone() -> None:
    assert ocr.read(lit_rows(rebuilt(recorded(1)))) == ["Charge"]


def test_a_byte_takes_nine_bits_at_400_khz() -> None:
    assert Transfer("table", 0, 0, bytes(31)).bus_ns == 32 * 22_500


def test_moves_are_counted_by_the_titles_that_the_bus_carried() -> None:
    bus = Bus(GLASSES.index("seat 2"))
    oled, wire = Oled("seat 2", "ssd1306", I2C(24), bus=bus), list[Transfer]()
    titles = ("Lay your 1st card", "Lay your 2nd card", "Seal your plan?", "Blue lays two cards")
    for number, title in enumerate((*titles, titles[0])):
        oled._show(View(text("Duel"), text(title), (), (Choice(text("Charge"), None),)))
        wire += at(number, bus)
    told = shown(wire)
    assert [title for _, _, title in told] == [*CHOOSES, "Blue lays", CHOOSES[0]]
    assert moves(told) == {"seat 2": 3}  # that the next round begins is no move of this seat
    assert moves(told, since=2 * PAUSE) == {"seat 2": 2}


def at(number: int, bus: Bus) -> list[Transfer]:
    """What a bus has carried, as one picture at its own time."""
    when = number * 2 * PAUSE
    return [replace(one, begun=when, ended=when) for one in transfers(bus.stream)]


@pytest.fixture
def duel(tmp_path: Path) -> tuple[Path, list[Transfer]]:
    """A round of Kiri-ai: its journal, and what the bus carried to both seats."""
    desk, wire, number = Desk(tmp_path, SEATING), list[Transfer](), 0
    seats = [Bus(GLASSES.index(f"seat {panel + 1}")) for panel in (0, 1)]
    oleds = [Oled("seat", "ssd1306", I2C(23 + n), bus=bus) for n, bus in enumerate(seats)]

    def look() -> None:
        nonlocal number
        for panel, (oled, bus) in enumerate(zip(oleds, seats, strict=True)):
            number += 1
            oled._show(desk.table.view(f"seat {panel + 1}"))
            wire.extend(at(number, bus))

    for panel in (0, 1):
        desk.choose(panel, "Join")
    desk.choose(0, "Start")
    look()
    for panel in (0, 1):
        for label in ("Approach", "High", "Seal"):
            desk.choose(panel, label)
            look()
    for panel in (0, 1):
        desk.read(panel)
    look()
    desk.journal.close()
    return desk.path, wire


def test_a_journal_holds_the_moves_that_the_glasses_told_of(
    duel: tuple[Path, list[Transfer]],
) -> None:
    file, wire = duel
    night = Night()
    night.judge(shown(wire), 0, kept_moves(file))
    assert (night.shown, night.unshown, night.lost) == (6, 0, [])


@pytest.mark.parametrize(("missing", "glass"), [(1, "seat 2"), (4, "seat 1")])
def test_a_move_that_was_shown_and_is_not_kept_is_a_loss(
    duel: tuple[Path, list[Transfer]], missing: int, glass: str
) -> None:
    file, wire = duel
    with closing(sqlite3.connect(file, isolation_level=None)) as journal:
        journal.execute("DELETE FROM entries WHERE game = 2 AND seq > ?", (8 - missing - 1,))
    night = Night()
    night.judge(shown(wire), 0, kept_moves(file))
    assert glass in " ".join(night.lost)


def test_what_the_host_withheld_breaks_no_promise() -> None:
    assert kept(Took(2.6, 0.7), 2.0)
    assert not kept(Took(2.6, 0.5), 2.0)
    assert not kept(None, 2.0)


def test_the_game_that_the_rig_loads_waits_for_a_throw_at_level_50(tmp_path: Path) -> None:
    desk = Desk(level_50(tmp_path), SEATING, shelf={"sao": SAO})
    assert desk.table.play.line.state.level
    assert "Kirito's blue" in " ".join(desk.labels(0))


def test_a_bounce_that_a_busy_host_stretched_counts_as_the_press_that_it_was() -> None:
    ms = 1_000_000
    levels = [PRESSED, RELEASED, PRESSED, RELEASED, PRESSED]
    quick = [(0, 0), (ms, ms), (2 * ms, 2 * ms), (90 * ms, 90 * ms), (170 * ms, 170 * ms)]
    assert rests(levels, quick) == (2, 2)
    late = [(0, 0), (7 * ms, 7 * ms), (14 * ms, 14 * ms), (90 * ms, 90 * ms), (170 * ms, 170 * ms)]
    assert rests(levels, late) == (3, 3)
    unsure = [(0, 0), (4 * ms, 6 * ms), (12 * ms, 12 * ms), *late[3:]]
    assert rests(levels, unsure) == (2, 3)
