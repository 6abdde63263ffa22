"""How much memory the firmware takes: programs for MicroPython, for a test and for the bench."""

from __future__ import annotations

START = "import gc\ngc.collect()"
EMPTY = "empty = gc.mem_alloc()"
TELL = "print(gc.mem_alloc() - empty)"
COLLECT = "gc.collect()"

HUB = """
from firmware.main_hub import step
from firmware.hub import Hub
from firmware.wire import encode
names = ("kirito", "asuna", "lisbeth", "silica", "klein", "agil")
hub = Hub("hub0", "b1", {name: "d-" + name for name in names}, print)
for name in names:  # every queue full: the worst that can be
    for number in range(1, 40):
        line = encode("event", name, number, number - 1, "rest", 3, 90)
        hub.hear_die("d-" + name, line, 1)
hub.tick(1)
"""

DIE = """
from firmware.main_die import step
from firmware.die import Die, blank
die = Die("d1", blank(), lambda memory: None)
die.hear(b"$take asuna hub0*bad", 1)
for number in range(60):
    die.note("rest", 3, 1)
    for i in range(100):
        die.sample(i * 40 % 1000, i * 70 % 900, 1000 - i, number)
die.tick(1)
"""


def programs(work: str) -> list[str]:
    """Load and run `work`; prints how many bytes stay taken."""
    return [START, EMPTY, work + COLLECT, TELL]
