"""What stands on the glass is what was drawn, whatever the chip, the wire and the accidents."""

from __future__ import annotations

import asyncio
import errno
import os
from dataclasses import dataclass, field, replace

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from companion.errors import BadConfig, DeviceLost
from companion.views import WAKE, View
from companion.words import text
from hardware.glass.burn_in import SHIFT_EVERY
from hardware.glass.frame import pack
from hardware.glass.oled import BRIGHT, DIM, I2C, KINDS, SPI, Kind, Oled
from hardware.glass.oled_wire import Pins, answers
from hardware.twins.glass import CHIPS, Chip, I2CTwin, SPITwin
from tests.hardware.ocr import read
from tests.hardware.pictures import SCREENS, noise, pictures
from tests.hardware.samples import SAMPLES, SKILLS, menu

VIEW = View(text("any"), text("any"))


@dataclass
class Bench:
    """A display on its twin; `show` puts a picture, `now` is the time."""

    kind: Kind = "ssd1306"
    spi: bool = False
    rotate: int = 0
    now: float = 1000.0
    picture: Image.Image = field(default_factory=lambda: Image.new("1", (128, 64)))

    def __post_init__(self) -> None:
        self.chip: Chip = CHIPS[self.kind]()
        self.wire: I2CTwin | SPITwin = (
            SPITwin(self.chip) if self.spi else I2CTwin({0x3C: self.chip})
        )
        self.oled = Oled(
            "display 1",
            self.kind,
            SPI() if self.spi else I2C(),
            rotate=self.rotate,
            paint=lambda _view: self.picture,
            bus=self.wire,
            pins=self.wire if self.spi else None,
            clock=lambda: self.now,
        )

    def show(self, picture: Image.Image | None = None) -> int:
        """Show a picture, or the same again; gives how many bytes that took."""
        self.picture = picture or self.picture
        self.wire.forget()
        asyncio.run(self.oled.show(replace(VIEW) if picture else VIEW))
        return self.wire.sent

    def glass(self) -> bytes:
        return self.chip.glass().tobytes()


every_chip = pytest.mark.parametrize("kind", KINDS)
both_wires = pytest.mark.parametrize("spi", [False, True], ids=["i2c", "spi"])


@every_chip
@both_wires
@given(st.lists(pictures(), min_size=1, max_size=5))
@settings(max_examples=25, deadline=None)
@pytest.mark.slow
def test_after_any_sequence_of_pictures_the_glass_shows_the_last(
    kind: Kind, spi: bool, frames: list[Image.Image]
) -> None:
    bench = Bench(kind, spi)
    for frame in frames:
        bench.show(frame)
        assert bench.glass() == frame.tobytes()


@every_chip
@both_wires
def test_a_display_mounted_upside_down_is_turned(kind: Kind, spi: bool) -> None:
    bench = Bench(kind, spi, rotate=180)
    bench.show(noise(1))
    assert bench.glass() == noise(1).transpose(Image.Transpose.ROTATE_180).tobytes()


@every_chip
def test_the_text_of_a_menu_can_be_read_off_the_glass(kind: Kind) -> None:
    chip = CHIPS[kind]()
    oled = Oled("display 1", kind, I2C(), bus=I2CTwin({0x3C: chip}))
    asyncio.run(oled.show(menu(*SKILLS, cursor=3)))
    assert read(chip.glass()) == ["Asuna: choose a skill", "Star Splash", "Switch", "Heal"]


def test_a_full_frame_takes_a_kilobyte_and_an_unchanged_one_only_a_look_at_the_status() -> None:
    bench = Bench()
    bench.show(noise(1))
    # status 2, window 1+1+6, data 1+1+1024
    assert bench.show(noise(2)) == 2 + 8 + 1026
    assert bench.show() == 2


def test_one_changed_pixel_takes_thirteen_bytes() -> None:
    bench = Bench()
    bench.show(Image.new("1", (128, 64)))
    dot = Image.new("1", (128, 64))
    dot.putpixel((77, 33), 255)
    assert bench.show(dot) == 2 + 8 + 3  # status, window, one byte with address and control


@every_chip
@both_wires
def test_moving_the_cursor_costs_less_than_the_full_screen(kind: Kind, spi: bool) -> None:
    bench = Bench(kind, spi)
    bench.show(SCREENS["menu-3"])
    full = bench.show(noise(1))
    bench.show(SCREENS["menu-barred"])
    assert bench.show(SCREENS["menu-detail"]) < full
    bench.show(SCREENS["dice-8"])
    assert bench.show(SCREENS["pages"]) < full / 4  # the caption and the page dots


def test_the_bus_time_of_a_full_frame_is_about_23_milliseconds_at_400_kilohertz() -> None:
    bench = Bench()
    bench.show(noise(1))
    bench.show(noise(2))
    # 1036 bytes of nine clocks, three transfers with a start and a stop
    assert bench.wire.seconds() == pytest.approx((1036 * 9 + 3 * 2) / 400_000)


@every_chip
def test_a_pulled_plug_is_a_lost_device_that_names_bus_and_address(kind: Kind) -> None:
    bench = Bench(kind)
    bench.show(noise(1))
    bench.wire.pulled = True
    with pytest.raises(DeviceLost, match=r"I2C bus 1, address 0x3C.*plug"):
        bench.show(noise(2))
    with pytest.raises(DeviceLost):
        bench.show(noise(2))


@every_chip
def test_a_display_that_comes_back_with_a_random_memory_is_painted_in_full(kind: Kind) -> None:
    bench = Bench(kind)
    bench.show(SCREENS["dice-8"])
    bench.wire.pulled = True
    with pytest.raises(DeviceLost):
        bench.show(SCREENS["dice-8"])
    bench.wire.heal()
    assert bench.glass() != SCREENS["dice-8"].tobytes()
    bench.show(SCREENS["dice-8"])
    assert bench.glass() == SCREENS["dice-8"].tobytes()


@every_chip
def test_a_display_replugged_while_nobody_wrote_is_noticed_by_its_status(kind: Kind) -> None:
    bench = Bench(kind)
    bench.show(noise(1))
    bench.wire.heal()  # power lost and back between two writes
    bench.show()
    assert bench.glass() == noise(1).tobytes()


def test_a_write_that_breaks_off_halfway_leaves_nothing_believed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench()
    bench.show(noise(1))
    whole = bench.chip.data

    def half(data: bytes) -> None:
        whole(data[: len(data) // 2])
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(bench.chip, "data", half)
        with pytest.raises(DeviceLost):
            bench.show(noise(2))
    bench.show(noise(1))
    assert bench.glass() == noise(1).tobytes()


def test_one_lost_display_leaves_the_other_on_the_same_bus_alone() -> None:
    chips = {0x3C: CHIPS["ssd1306"](), 0x3D: CHIPS["sh1106"]()}
    bus = I2CTwin(chips)
    here = Oled("display 1", "ssd1306", I2C(1, 0x3C), bus=bus)
    there = Oled("display 2", "sh1106", I2C(1, 0x3D), bus=bus)
    asyncio.run(here.show(SAMPLES["dice-8"]))
    asyncio.run(there.show(SAMPLES["dice-8"]))
    del chips[0x3C]
    with pytest.raises(DeviceLost, match="0x3C"):
        asyncio.run(here.show(SAMPLES["meter-4"]))
    asyncio.run(there.show(SAMPLES["meter-4"]))
    assert chips[0x3D].glass().tobytes() == SCREENS["meter-4"].tobytes()


def test_a_module_that_cannot_be_read_works_without_its_status() -> None:
    bench = Bench()

    def no_read(_address: int) -> int:
        raise OSError(121, "Remote I/O error")

    bench.wire.read_byte = no_read  # type: ignore[union-attr,method-assign]
    bench.show(noise(1))
    bench.show(noise(2))
    assert bench.glass() == noise(2).tobytes()
    bench.wire.pulled = True
    with pytest.raises(DeviceLost):
        bench.show()


def test_it_dims_after_two_minutes_without_a_change_and_is_bright_at_the_next() -> None:
    bench = Bench()
    bench.show(noise(1))
    assert bench.chip.contrast == BRIGHT
    bench.now += 119
    bench.show()
    assert bench.chip.contrast == BRIGHT
    bench.now += 1
    bench.show()
    assert bench.chip.contrast == DIM
    bench.show(noise(2))
    assert bench.chip.contrast == BRIGHT


def test_a_call_to_wake_makes_the_same_picture_bright_once() -> None:
    bench = Bench()
    bench.show(noise(1))
    bench.now += 130
    bench.show()
    assert bench.chip.contrast == DIM
    woken = replace(VIEW, call=WAKE)
    asyncio.run(bench.oled.show(woken))
    assert bench.chip.contrast == BRIGHT
    bench.now += 130
    asyncio.run(bench.oled.show(woken))  # looked after, not called again
    assert bench.chip.contrast == DIM


def test_a_resting_picture_moves_by_one_pixel_every_three_minutes() -> None:
    bench = Bench()
    dot = Image.new("1", (128, 64))
    dot.putpixel((50, 30), 255)
    places = []
    bench.show(dot)
    for _ in range(10):
        places.append(bench.chip.glass().getbbox())
        bench.now += 180
        bench.show()
    corners = [(box[0] - 50, box[1] - 30) for box in places if box]
    around = [(0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (0, 0)]
    assert corners == around


def test_a_picture_does_not_move_under_the_finger() -> None:
    bench = Bench()
    bench.show(noise(0))
    bench.now += 200
    bench.show(noise(1))
    assert bench.glass() == noise(1).tobytes()
    bench.now += 4
    bench.show()
    assert bench.glass() == noise(1).tobytes()
    bench.now += 1
    bench.show()
    assert bench.glass() != noise(1).tobytes()


@every_chip
def test_a_chip_on_spi_that_lost_its_power_is_healed_by_the_next_shift(kind: Kind) -> None:
    bench = Bench(kind, spi=True)
    bench.show(Image.new("1", (128, 64)))
    bench.wire.heal()
    bench.now += 180
    bench.show()
    assert bench.chip.on
    assert bench.glass() == bytes(1024)


def test_spi_pins_work_through_gpiozero() -> None:
    factory, chip = MockFactory(), CHIPS["ssd1306"]()
    twin = SPITwin(chip)

    class Wired(Pins):
        """The real pins, whose levels the chip feels."""

        def output(self, pin: int, level: int) -> None:
            super().output(pin, level)
            twin.output(pin, int(factory.pin(pin).state))

    oled = Oled("display 1", "ssd1306", SPI(), bus=twin, pins=Wired(factory))
    asyncio.run(oled.show(SAMPLES["dice-8"]))
    assert chip.glass().tobytes() == SCREENS["dice-8"].tobytes()
    oled.close()


def test_a_display_on_spi_whose_pin_does_not_exist_is_a_lost_device() -> None:
    pins = Pins(MockFactory())
    oled = Oled("one", "ssd1306", SPI(dc=99), bus=SPITwin(CHIPS["ssd1306"]()), pins=pins)
    with pytest.raises(DeviceLost, match=r"pin 99: .*Name another pin"):
        asyncio.run(oled.show(SAMPLES["dice-8"]))


def test_whoever_looks_on_sees_what_was_drawn_last_and_darkness_before_that() -> None:
    bench = Bench(rotate=180)
    assert bench.oled.picture().tobytes() == bytes(1024)
    bench.show(noise(1))
    assert bench.oled.picture().tobytes() == noise(1).tobytes()  # upright, however it is mounted


def test_a_view_that_stays_is_drawn_once_however_often_it_is_looked_after() -> None:
    bench, drawn = Bench(), list[View]()
    bench.oled._paint = lambda view: drawn.append(view) or bench.picture
    for _ in range(5):
        bench.show()
    assert drawn == [VIEW]


def test_a_picture_that_stays_is_packed_once_and_again_when_it_moves_by_a_pixel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench, packed = Bench(), list[Image.Image]()
    monkeypatch.setattr(
        "hardware.glass.oled.pack", lambda picture: packed.append(picture) or pack(picture)
    )
    for _ in range(5):
        bench.show()
    assert len(packed) == 1
    bench.now += SHIFT_EVERY
    bench.show()
    assert len(packed) == 2


def test_a_closed_display_is_dark() -> None:
    bench = Bench()
    bench.show(noise(1))
    bench.oled.close()
    assert bench.glass() == bytes(1024)
    bench.show()
    assert bench.glass() == noise(1).tobytes()


@every_chip
def test_no_command_is_sent_that_the_driver_itself_would_not_send(kind: Kind) -> None:
    bench = Bench(kind)
    bench.show(noise(1))
    bench.chip.unknown.clear()  # luma greets each chip with commands of its siblings
    bench.show(noise(2))
    bench.now += 500
    bench.show()
    assert bench.chip.unknown == []


def test_a_bus_that_is_not_there_is_a_lost_device() -> None:
    with pytest.raises(DeviceLost, match=r"there is no /dev/i2c-97\. Switch the bus on"):
        asyncio.run(Oled("display 1", "ssd1306", I2C(port=97)).show(VIEW))


@pytest.mark.parametrize(
    ("number", "says"),
    [(errno.EACCES, "/dev/i2c-22: sudo usermod -aG i2c"),
     (errno.EPERM, "the service may not open it: restart the companion")],
)  # fmt: skip
def test_a_bus_without_permission_names_the_group_or_asks_for_a_restart(
    monkeypatch: pytest.MonkeyPatch, number: int, says: str
) -> None:
    def barred(_port: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("smbus2.SMBus", barred)
    with pytest.raises(DeviceLost, match=says):
        asyncio.run(Oled("display 1", "ssd1306", I2C(port=22)).show(VIEW))


def test_a_wrong_address_is_said_with_what_to_do_and_disturbs_nobody() -> None:
    bus = I2CTwin({0x3C: Chip()})
    with pytest.raises(DeviceLost, match=r"not answer on .*address 0x3D.*address in the settings"):
        asyncio.run(Oled("display 1", "ssd1306", I2C(1, 0x3D), bus=bus).show(VIEW))
    assert answers(1, 0x3D, bus) == "Remote I/O error"
    assert answers(1, 0x3C, bus) is None


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"kind": "ssd1351"}, "no display of kind 'ssd1351'"),
        ({"at": I2C(1, 0x78)}, "0x78 is no I2C address"),
        ({"rotate": 90}, "0 or 180 degrees, not 90"),
    ],
)
def test_impossible_settings_are_refused_with_a_sentence(
    wrong: dict[str, object], sentence: str
) -> None:
    how: dict[str, object] = {"kind": "ssd1306", "at": I2C()} | wrong
    with pytest.raises(BadConfig, match=sentence):
        Oled("display 1", **how)  # type: ignore[arg-type]
