"""`companion selftest` in the service's sandbox, with the hands that it asks for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from PIL import ImageChops

from companion.cli.walk import pattern
from companion.events import Body
from hardware.glass.draw import image
from tests.rig.faults import FAULTS
from tests.rig.player import PINS
from tests.rig.recording import GLASSES
from tests.rig.rig import OFF, PARTS, Rig

LONGEST = 900.0  # seconds of the machine's own time
TERMINAL = (
    "systemctl stop companion; rm -f /host/selftest.* /run/typed; mkfifo /run/typed; "
    "systemd-run -q --unit=terminal sh -c 'exec 3<>/run/typed; "
    'script -qfc "companion selftest /host/selftest" /host/said <&3\''
)
PLUGS = {
    "The dice hub": (next(one.hurt for one in FAULTS if "cable" in one.name), Rig.plug_hub),
    "The camera": (next(one.hurt for one in FAULTS if "unplugged" in one.name), Rig.feed),
}


@dataclass
class Maker:
    """Reads the terminal, and does what it says."""

    rig: Rig
    read: int = 0  # of what the terminal has said
    thrown: list[tuple[Body, int]] = field(default_factory=list)
    asked: int = 0

    def obey(self) -> bool:
        """The next thing that is asked for; True: that was all."""
        said = (self.rig.machine.share / "said").read_text(errors="replace")
        new = said[self.read :]
        found = [(match, do) for what, do in DOES if (match := re.search(what, new))]
        if found:
            match, do = min(found, key=lambda one: one[0].start())
            self.read += match.end()
            self.asked += 1
            do(self, *match.groups())
        return "Script done" in new

    def type(self, words: str) -> None:
        self.rig.do(f"echo '{words}' >/run/typed")

    def press(self, key: str, panel: str) -> None:
        self.rig.machine.press(PINS[int(panel) - 1, key])  # type: ignore[index]

    def hold(self) -> None:
        self.rig.machine.pull((OFF, 0, 3_600_000), (OFF, 1, 0))

    def number(self, display: str) -> None:
        """Whichever makes the picture that stands there; there is no letter to read a 1 by."""
        self.rig.machine.settled(0.5)
        seen = self.rig.machine.picture(display).convert("L")

        def unlike(number: int) -> int:
            other = image(pattern(display, number)).convert("L")
            return ImageChops.difference(seen, other).histogram()[255]

        self.type(str(min(range(10, 100), key=unlike)))

    def throw(self) -> None:
        assert self.rig.lens is not None
        chance = self.rig.player.chance
        colours: tuple[Body, ...] = ("black", "black", "white", "white")
        self.thrown = [(body, chance.randrange(1, 7)) for body in colours]
        self.rig.lens.throw(*self.thrown)

    def judge(self, dice: str) -> None:
        lie = sorted(f"{body} {value}" for body, value in self.thrown)
        self.type("y" if sorted(dice.split(", ")) == lie else "n")

    def character(self) -> None:
        self.rig.do("echo throw kirito >>/host/orders")

    def plug(self, part: str, what: str) -> None:
        self.type("")
        if part in PLUGS:
            hurt, mend = PLUGS[part]
            self.rig.do(hurt) if what == "pull" else mend(self.rig)
        else:
            mask = 1 << GLASSES.index("seat 5") if what == "pull" else 0
            self.rig.do(f"echo {mask} >{PARTS}/nak")


DOES: tuple[tuple[str, Callable[..., None]], ...] = (
    (r"Press (\w+) on panel (\d)\.", Maker.press),
    (r"Hold the shutdown button", Maker.hold),
    (r"Which number is on the display ([\w ]+)\?", Maker.number),
    (r"Throw dice into the tray", Maker.throw),
    (r"Read: (.+)\. Is that", Maker.judge),
    (r"Throw one character die", Maker.character),
    (r"(The [\w ]+): (pull|plug)", Maker.plug),
)


def self_test(rig: Rig) -> None:
    """Every step that it asks a maker for on these parts, and the report that it writes."""
    rig.machine.give("said", "")
    rig.machine.run(TERMINAL)
    maker = Maker(rig)
    rig.machine.until(maker.obey, LONGEST)
    said = (rig.machine.share / "said").read_text(errors="replace")
    (rig.report.folder / "selftest.txt").write_text(said)
    told = json.loads((rig.machine.share / "selftest.json").read_text())
    wrong = [f"{one['step']}: {one['says']}" for one in told["steps"] if one["verdict"] != "right"]
    presses, losses = told["press_to_glass_ms"], told["losses"]
    rig.report.add("Self-test", f"{len(told['steps'])} steps, {maker.asked} of them by hand, wrong",
                   "; ".join(wrong) or "none", not wrong)  # fmt: skip
    rig.report.add("Self-test", "its own press to glass",
                   f"median {presses['median']} ms, p90 {presses['p90']} ms")  # fmt: skip
    rig.report.add("Self-test", "its own losses", "; ".join(
        f"{name} told in {one['told_s']} s, healed in {one['healed_s']} s"
        for name, one in losses.items()
    ))  # fmt: skip
    rig.machine.run("systemctl start companion")
    rig.ready()
