"""Sensor and boards: the driver against a model of the chip, the programs as they start."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from on_board import FAKES

from firmware.die import GOODBYES
from firmware.lis3dh import Lis3dh
from firmware.wire import Decoder, decode

CHIP = Path(__file__).with_name("chip")
sys.path.insert(0, str(CHIP))

from sensor import Chip  # noqa: E402  (the model lives beside the fakes for MicroPython)

Run = Callable[..., str]


def test_the_driver_refuses_a_chip_that_is_no_lis3dh() -> None:
    with pytest.raises(OSError, match="no LIS3DH at 0x18: it says 0x44"):
        Lis3dh(Chip(who=0x44))


def test_a_missing_sensor_is_an_error_of_the_bus() -> None:
    with pytest.raises(OSError):  # noqa: PT011  (any: it comes from the bus)
        Lis3dh(Chip(address=0x19))


def test_samples_come_out_of_the_queue_in_mg_and_in_order() -> None:
    chip = Chip()
    sensor = Lis3dh(chip)
    assert sensor.read() == []
    for sample in ((0, 2, 1000), (-2, -1000, 4094), (-4096, 0, 16)):
        chip.push(*sample)
    assert sensor.read() == [(0, 2, 1000), (-2, -1000, 4094), (-4096, 0, 16)]
    assert sensor.read() == []


def test_a_full_queue_gives_its_newest_thirty_two() -> None:
    chip = Chip()
    sensor = Lis3dh(chip)
    for i in range(40):
        chip.push(2 * i, 0, 0)
    assert [x for x, _, _ in sensor.read()] == [2 * i for i in range(8, 40)]


def test_the_registers_say_what_the_data_sheet_wants() -> None:
    chip = Chip()
    sensor = Lis3dh(chip)
    assert chip.registers[0x20] == 0b0111_0111  # 400 Hz, not low power, all axes
    assert chip.registers[0x23] == 0b1001_1000  # whole words, 4 g, high resolution
    assert chip.registers[0x24] & 0x40  # queue on
    sensor.watch()
    assert chip.registers[0x20] == 0b0010_1111  # 10 Hz, low power
    assert not chip.registers[0x23] & 0x08  # high resolution and low power exclude each other
    assert chip.registers[0x21] & 0x01  # the interrupt sees motion, not weight
    assert chip.registers[0x22] == 0x40  # on INT1
    assert chip.registers[0x30] == 0b0010_1010  # any axis, high


HUB = """
import json, sys
import espnow, machine
from firmware import board, main_hub
from firmware import wire

class Cable:
    coming = [wire.encode("ask", 1), b"", wire.encode("pair", 5, "asuna"), b""]
    coming.append(wire.encode("update", 9))
    gone = []
    def read(self):
        return self.coming.pop(0) if self.coming else b""
    def write(self, data):
        self.gone.append(data)

board.Cable = Cable
board.random_word = lambda: "b1"
seek = wire.encode("seek", "020000000007", 1, "1.0.0")
espnow.COMING.extend([(None, None), (None, None), (None, None)])
espnow.COMING.append((bytes((2, 0, 0, 0, 0, 7)), seek))
for start in range(2):
    try:
        main_hub.main()
        print("repl", machine.Board.memory)
    except machine.Restart as why:
        print(why, machine.Board.memory, machine.Board.fed)
print(json.dumps([line.decode() for line in Cable.gone]))
print(json.dumps([(list(mac), line.decode()) for mac, line in espnow.SENT]))
print(open("hub.json").read())
"""


def test_the_hubs_program_pairs_keeps_feeds_the_dog_and_lets_itself_be_updated(
    micropython: Run,
) -> None:
    restart, repl, lines, radio, registry = micropython(HUB, files=FAKES).splitlines()
    assert restart == "reset b'update' 5"  # five rounds, and the watchdog was fed in each
    assert repl == "repl b''"  # one start without program, for new files; the next is normal
    heard = Decoder().feed("".join(json.loads(lines)).encode())
    assert heard[0][0] == "hello"
    assert heard[-1] == ("done", 9)
    assert json.loads(registry) == {"asuna": "020000000007"}
    assert [decode(line.encode()) for _, line in json.loads(radio)] == [
        ("take", "asuna", "020000000001")
    ]


DIE = """
import json
import espnow, esp32, machine, sensor
from firmware import board, main_die
from firmware import wire

chip = sensor.Chip()
machine.Board.bus = chip
now = 0
class Clock:
    def now(self):
        global now
        now += 10
        if now == 3000:
            chip.broken = True
        if now == 5000:
            chip.broken = False
        for _ in range(4):
            chip.push(0, 0, 1000)
        if now == 1500:
            espnow.COMING.append((b"hub", wire.encode("take", "asuna", "020000000009")))
        if now == 2000:
            espnow.COMING.append((b"hub", wire.encode("do", 3, "asuna", "identify", 0)))
        if now == 9000:
            espnow.COMING.append((b"hub", wire.encode("do", 4, "asuna", "sleep", 0)))
        lamps.append(machine.Board.pins.get(10))
        return now
lamps = []
board.Clock = Clock
main_die.time.sleep_ms = lambda ms: None
try:
    main_die.main()
except machine.Restart as why:
    print(why)
print(json.dumps([line.decode() for mac, line in espnow.SENT]))
print(json.dumps([lamps.count(1) > 50, esp32.WOKEN_BY, machine.Board.memory.decode()]))
print(open("die.json").read())
"""


def test_the_dies_program_feels_speaks_blinks_survives_its_sensor_and_sleeps(
    micropython: Run,
) -> None:
    why, sent, rest, memory = micropython(DIE, files=FAKES).splitlines()
    assert why == "sleep"
    heard = [decode(line.encode()) for line in json.loads(sent)]
    assert heard[0] is not None
    assert heard[0][0] == "seek"
    assert ("done", 3) in heard
    assert ("done", 4) in heard
    states = [message[5] for message in heard if message and message[0] == "die"]
    assert "faulty" in states
    assert states[-GOODBYES:] == ["asleep"] * GOODBYES
    assert states[-GOODBYES - 1] == "rest"  # it came back when the sensor did
    blinked, woken_by, notes = json.loads(rest)
    assert blinked
    assert woken_by == [[3, 1]]
    assert decode(notes.encode())[:3] == ("event", "me", 1)  # nobody acknowledged it
    assert json.loads(memory)["name"] == "asuna"
