"""The twin of a display is no kinder than the chip."""

from __future__ import annotations

import pytest

from hardware.twins.glass import CHIPS, SH1106, SSD1309, Chip, I2CTwin, SPITwin

ON = bytes([0x8D, 0x14, 0xAF, 0xA1, 0xC8])  # pump, on, as modules are wired


def started(chip: Chip) -> Chip:
    chip.command(ON)
    return chip


def lit(chip: Chip) -> int:
    return sum(byte.bit_count() for byte in chip.glass().tobytes())


@pytest.mark.parametrize("kind", CHIPS)
def test_after_power_on_the_memory_is_random_and_the_glass_dark(kind: str) -> None:
    chip = CHIPS[kind]()
    assert lit(chip) == 0
    assert lit(started(chip)) > 3000  # about half of 8192 pixels
    before = chip.glass().tobytes()
    chip.power_on()
    assert lit(chip) == 0
    assert started(chip).glass().tobytes() != before


def test_an_ssd1306_stays_dark_without_its_charge_pump_an_ssd1309_has_none() -> None:
    for chip, bright in ((Chip(), False), (SSD1309(), True)):
        chip.command(bytes([0xAF]))
        assert bool(lit(chip)) is bright


def test_a_window_is_filled_row_by_row_and_wraps_to_its_start() -> None:
    chip = Chip()
    chip.command(bytes([0x20, 0x00, 0x21, 10, 12, 0x22, 2, 3]))
    chip.data(bytes([1, 2, 3, 4, 5, 6, 7]))
    assert list(chip.memory[2][10:13]) == [7, 2, 3]
    assert list(chip.memory[3][10:13]) == [4, 5, 6]


def test_page_addressing_never_leaves_its_page() -> None:
    chip = Chip()
    chip.command(bytes([0xB5, 0x0E, 0x17]))  # page 5, column 0x7E
    below = bytes(chip.memory[6])
    chip.data(bytes([1, 2, 3]))
    assert list(chip.memory[5][126:]) == [1, 2]
    assert chip.memory[5][0] == 3
    assert bytes(chip.memory[6]) == below


def test_the_glass_of_an_sh1106_begins_at_its_third_column() -> None:
    chip = started(SH1106())
    for page in range(8):
        chip.command(bytes([0xB0 | page, 0x00, 0x10]))
        chip.data(bytes(132))
    chip.command(bytes([0xB0, 0x02, 0x10]))
    chip.data(bytes([0x01]))
    assert chip.glass().getbbox() == (0, 0, 1, 1)


def test_commands_may_be_cut_anywhere() -> None:
    whole, cut = Chip(), Chip()
    script = bytes([0x20, 0x00, 0x21, 3, 9, 0x22, 1, 2, 0x81, 0x33, 0xA7])
    whole.command(script)
    for byte in script:
        cut.command(bytes([byte]))
    assert (cut.window, cut.contrast, cut.inverse, cut.mode) == ((3, 9, 1, 2), 0x33, True, 0)
    assert (whole.window, whole.contrast, whole.inverse) == (cut.window, cut.contrast, True)


def test_inverse_and_all_on_are_seen() -> None:
    chip = started(Chip())
    half = lit(chip)
    chip.command(bytes([0xA7]))
    assert lit(chip) == 8192 - half
    chip.command(bytes([0xA5]))
    assert lit(chip) == 8192


def test_the_bus_counts_bytes_and_refuses_what_smbus_refuses() -> None:
    bus = I2CTwin({0x3C: Chip()})
    bus.write_i2c_block_data(0x3C, 0x00, [0xAF])
    assert (bus.sent, bus.transfers) == (3, 1)
    with pytest.raises(ValueError, match="32 bytes"):
        bus.write_i2c_block_data(0x3C, 0x40, [0] * 33)
    with pytest.raises(OSError, match="Remote I/O error"):
        bus.write_i2c_block_data(0x3D, 0x00, [0xAF])


def test_the_status_tells_whether_the_display_is_on() -> None:
    bus = I2CTwin({0x3C: Chip()})
    assert bus.read_byte(0x3C) & 0x40
    bus.write_i2c_block_data(0x3C, 0x00, [0xAF])
    assert not bus.read_byte(0x3C) & 0x40


def test_a_pulled_spi_wire_swallows_everything_without_a_word() -> None:
    twin = SPITwin(Chip())
    twin.setup(24, 0)
    twin.output(24, 0)
    twin.pulled = True
    twin.writebytes([0xAF])
    assert not twin.chip.on


def test_the_reset_pin_resets_the_registers_and_keeps_the_memory() -> None:
    twin = SPITwin(started(Chip()))
    memory = [bytes(page) for page in twin.chip.memory]
    twin.output(25, 0)
    assert not twin.chip.on
    assert [bytes(page) for page in twin.chip.memory] == memory
