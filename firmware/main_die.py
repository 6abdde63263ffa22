"""A die's program: joins its mind to sensor, radio, lamp, battery and sleep."""

import time

import esp32
from machine import ADC, I2C, RTC, Pin, deepsleep

from firmware import board
from firmware.battery import per_cent
from firmware.die import Die, blank
from firmware.lis3dh import Lis3dh
from firmware.sleeping import notes, recall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SDA, SCL, WAKE, LAMP, BATTERY = 6, 7, 3, 10, 4  # pins; see the wiring in README.md
PAUSE = 10  # ms between looks; the sensor's queue holds 80 ms
WEIGH = 10000  # ms between looks at the battery
RETRY = 1000  # ms until a sensor that failed is tried again


def main() -> None:
    """Run until sleep; started by main.py, also after each sleep."""
    board_parts = Parts()
    store = board.Store("die.json")
    radio, clock = board.Radio(), board.Clock()
    die = Die(radio.me, store.load(blank()), store.keep)
    recall(die, RTC().memory())
    dog = board.watchdog()
    while not die.asleep:
        step(die, board_parts, radio, clock.now())
        dog.feed()
        time.sleep_ms(PAUSE)
    sleep(die, board_parts, radio)


class Parts:
    """What is soldered to the board."""

    def __init__(self) -> None:
        self.bus = I2C(0, sda=Pin(SDA), scl=Pin(SCL), freq=400000)
        self.lamp = Pin(LAMP, Pin.OUT)
        self.wake = Pin(WAKE, Pin.IN)
        self.cell = ADC(Pin(BATTERY), atten=ADC.ATTN_11DB)
        self.sensor = None  # type: Any
        self.retry = self.weigh = 0

    def samples(self, now: int) -> "list[tuple[int, int, int]] | None":
        """What the sensor felt; None while it does not answer."""
        try:
            if self.sensor is None and now >= self.retry:
                self.retry = now + RETRY
                self.sensor = Lis3dh(self.bus)
            return self.sensor.read() if self.sensor is not None else None
        except OSError:
            self.sensor = None
            return None


def step(die: Die, parts: Parts, radio: "Any", now: int) -> None:
    """Feel, hear, speak, shine."""
    samples = parts.samples(now)
    die.faulty = samples is None
    for x, y, z in samples or ():
        die.sample(x, y, z, now)
    for _, line in radio.receive():
        die.hear(line, now)
    if now >= parts.weigh:
        parts.weigh = now + WEIGH
        die.battery = per_cent(parts.cell.read_uv() // 500)  # two equal resistors halve it
    for to, line in die.tick(now):
        radio.send(to, line)
    parts.lamp.value(1 if die.lamp else 0)


def sleep(die: Die, parts: Parts, radio: "Any") -> None:
    """Leave a note of what nobody has heard yet, and sleep until somebody moves the die."""
    RTC().memory(notes(die))
    radio.off()
    parts.lamp.value(0)
    if parts.sensor is not None:
        parts.sensor.watch()
    esp32.wake_on_gpio((parts.wake,), esp32.WAKEUP_ANY_HIGH)
    deepsleep()
