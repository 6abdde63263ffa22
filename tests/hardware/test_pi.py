"""The promises of the twins, asked of the real things: `pytest -m pi` on a Pi with a panel.

Wire an SSD1306 to I2C bus 1 at 0x3C; the four buttons of seat 1 are on GPIO 5, 6, 13 and 19.
"""

from __future__ import annotations

import asyncio
import time

import pytest

from companion.events import DeviceUp, Event
from hardware.glass.oled import I2C, Oled
from hardware.panel.buttons import ButtonPanel
from tests.hardware.samples import SAMPLES

pytestmark = pytest.mark.pi


def test_a_real_display_takes_every_screen_in_under_a_tenth_of_a_second() -> None:
    oled = Oled("display 1", "ssd1306", I2C())
    asyncio.run(oled.show(SAMPLES["empty"]))  # luma is loaded, the chip started
    for view in SAMPLES.values():
        start = time.perf_counter()
        asyncio.run(oled.show(view))
        assert time.perf_counter() - start < 0.1
    oled.close()


def test_a_real_panel_opens_its_pins_and_hears_nothing_while_nobody_presses() -> None:
    heard: list[Event] = []

    async def listen() -> None:
        panel = ButtonPanel(0, {"previous": 5, "next": 6, "select": 13, "back": 19})
        await asyncio.wait_for(panel.run(heard.append), timeout=1)

    with pytest.raises(TimeoutError):
        asyncio.run(listen())
    assert heard == [DeviceUp("panel 1")]
