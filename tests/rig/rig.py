"""The machine with the installed product on it, and what every scene needs."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.hardware import ocr
from tests.rig.build import KEPT, SOURCE, digest, say, wheels
from tests.rig.frames import Lens
from tests.rig.machine import PROMPT, Machine, asked_to_wait, copy_of, sources
from tests.rig.player import Player
from tests.rig.recording import GLASSES
from tests.rig.report import Report, Took

SETTINGS = (  # what a maker changes who has a USB camera, a hub and a shutdown button
    ('camera = "off"', 'camera = "0"'),
    ('port = "off"', 'port = "auto"'),
    ("# pin = 15 ", "pin = 15 "),
)
OFF = 15  # that pin
PIP = "PIP_NO_INDEX=1 PIP_FIND_LINKS=/host/wheels TRIAL=600"
HOME = "/usr/local/src/table-companion"
FOLLOW = (
    "systemd-run -q --unit=follow -p StandardOutput=append:/host/log "
    "journalctl -u companion -u hub -o short-monotonic -f -n all -b -q"
)
PARTS = "/sys/module/i2c_rec/parameters"


@dataclass
class Rig:
    """One run."""

    suite: str
    quick: bool
    machine: Machine
    report: Report
    player: Player = field(init=False)
    lens: Lens | None = None
    beside: list[Machine] = field(default_factory=list)  # others of the same run

    def __post_init__(self) -> None:
        self.player = Player(self.machine)

    def switch_on(self) -> Took:
        """Boot, with all parts plugged in, until every glass shows something."""
        self.machine.switch_on()
        self.machine.give("log", "")
        self.machine.run(FOLLOW)
        self.feed()
        self.plug_hub()
        self.ready()
        return Took(time.monotonic() - self.machine.began, self.machine.withheld())

    def ready(self, seconds: float = 300) -> None:
        """Until every glass shows a picture."""
        took = self.machine.until(self.all_lit, seconds)
        if took is None:
            log = self.machine.run("journalctl -u companion -n 40 --no-pager", ok=None)
            raise TimeoutError(f"not every glass shows something:\n{log}")
        self.machine.settled(0.5)

    def all_lit(self) -> bool:
        """Does every glass show something?"""
        return all(self.machine.picture(name).getbbox() for name in GLASSES)

    def log(self, since: float = 0) -> list[str]:
        """What service and hub have logged since then (ns of the guest), with its time.

        Read outside: a machine that is asked for its log again and again has no time to play.
        """
        said = (self.machine.share / "log").read_text(errors="replace")
        return [line for line in said.splitlines() if _stamp(line) >= since]

    def health(self) -> dict[str, Any]:
        """What the page of the table's health says."""
        said = self.machine.run(
            'python3 -c "import urllib.request as u;'
            "print(u.urlopen('http://127.0.0.1:8080/api/health', timeout=30).read().decode())\""
        )
        return dict(json.loads(said))

    def told(self, words: str, since: int, seconds: float, *, where: str = "") -> float | None:
        """Seconds from then until a glass says this; None: none did in time."""
        seen: dict[str, int] = {}

        def says() -> int | None:
            for name in (where,) if where else GLASSES:
                ended = self.machine.glasses.ended.get(name, 0)
                if ended > since and seen.get(name) != ended:
                    seen[name] = ended
                    if words in " ".join(ocr.read(self.machine.picture(name))):
                        return ended
            return None

        found: list[int] = []
        self.machine.until(lambda: bool(found.append(at) or True) if (at := says()) else False,
                           seconds)  # fmt: skip
        return (found[0] - since) / 1e9 if found else None

    def logged(self, words: str, since: int, seconds: float) -> float | None:
        """Seconds from then until the service logs this; None: it did not in time."""
        found: list[float] = []

        def says() -> bool:
            found[:] = [_stamp(line) for line in self.log(since) if words in line]
            return bool(found)

        self.machine.until(says, seconds)
        return (found[0] - since) / 1e9 if found else None

    def repainted(self, glasses: Sequence[str], since: int, seconds: float) -> float | None:
        """Seconds from then until each of these glasses was painted anew; None: not in time."""

        def first() -> list[int]:
            sent = [one for one in self.machine.sent(since) if one.data[:1] == b"\x40"]
            return [min((t.ended for t in sent if t.glass == name), default=0) for name in glasses]

        if self.machine.until(lambda: all(first()), seconds, quiet=0.3) is None:
            return None
        return (max(first()) - since) / 1e9

    def watchdog(self, since: int, seconds: float) -> float | None:
        """Seconds from then until systemd lost its patience with the service."""
        return self.logged("atchdog timeout", since, seconds)

    def started(self) -> int:
        """When the service was last ready (ns of the guest)."""
        said = self.machine.run(
            "systemctl show companion -p ActiveEnterTimestampMonotonic --value", ok=None
        )
        return int(said or 0) * 1000

    def do(self, script: str, seconds: float = 300) -> int:
        """Do something to the machine; when (ns of the guest)."""
        done = self.machine.ask(seconds + 20, run=script, timeout=seconds)
        if done["status"]:
            raise RuntimeError(f"{script}: {done['said']}")
        return int(done["began"])

    def feed(self) -> Lens:
        """The camera is plugged in, and sees an empty tray."""
        if self.lens is None:
            shutil.rmtree(self.machine.share / "frames", ignore_errors=True)
            self.lens = Lens(self.machine.share / "frames")
        self.machine.run(
            "modprobe v4l2loopback devices=1 video_nr=0 exclusive_caps=1 card_label=Camera && "
            "systemd-run -q --unit=feed python3 /host/rig/feed.py /dev/video0 /host/frames"
        )
        return self.lens

    def plug_hub(self) -> int:
        """The hub of the dice is plugged into USB; when its firmware began to run."""
        began = self.do(
            "modprobe dummy_hcd && modprobe g_serial idVendor=0x303a idProduct=0x1001 "
            "iManufacturer=Espressif iProduct='USB JTAG/serial debug unit' iSerialNumber=A0B1C2; "
            ": >/host/orders; systemd-run -q --unit=hub --setenv=PYTHONUNBUFFERED=1 "
            "/opt/companion/current/bin/python /host/rig/hub.py /dev/ttyGS0 /host/orders"
        )
        return began + int((self.logged("plugged in", began, 60) or 0.0) * 1e9)

    def begin(self, state: str = "") -> None:
        """Another evening: an empty state directory, or this one."""
        self.machine.run(
            "systemctl stop companion; systemctl reset-failed companion; "  # six starts in 5 min
            "rm -rf /var/lib/companion/*; "
            + (f"cp {state}/* /var/lib/companion/; " if state else "")
            + "chown -R companion: /var/lib/companion; systemctl start companion",
            seconds=180,
        )
        self.ready()

    def pictures(self, name: str) -> None:
        """All glasses as they stand, into the report's folder."""
        self.machine.settled(0.5)
        self.report.picture(name, [self.machine.picture(glass) for glass in GLASSES])


def _stamp(line: str) -> float:
    """ns of the guest's clock at the beginning of a log line; 0: none."""
    try:
        return float(line[line.index("[") + 1 : line.index("]")]) * 1e9
    except ValueError:
        return 0.0


def install(rig: Rig, version: str = "") -> float:
    """What docs/build.md tells a maker to type, with a folder of wheels for a network; seconds."""
    machine = rig.machine
    shutil.copytree(wheels(rig.suite), machine.share / "wheels", dirs_exist_ok=True)
    sources(machine.share / "sources.tar", SOURCE)
    began = time.monotonic()
    change = f"sed -i 's/^version = .*/version = \"{version}\"/' pyproject.toml;" if version else ""
    machine.run(
        f"rm -rf {HOME} && mkdir {HOME} && cd {HOME} && "
        f"tar -xf /host/sources.tar && {change} {PIP} make install",
        seconds=1800,
    )
    return time.monotonic() - began


def set_up(rig: Rig) -> None:
    """Camera, hub and shutdown button in the settings."""
    for old, new in SETTINGS:
        rig.machine.run(f"sed -i 's|{old}|{new}|' /etc/companion/companion.toml")
    rig.machine.run("companion settings --check /etc/companion/companion.toml; "
                    "systemctl restart companion; sync")  # fmt: skip


def with_product(rig: Rig, told: bool = True) -> None:
    """The rig's disk with the product of these sources; installed if it was not yet."""
    key = digest(SOURCE / "companion", SOURCE / "hardware", SOURCE / "vision", SOURCE / "firmware",
                 SOURCE / "systemd", SOURCE / "pyproject.toml", SOURCE / "constraints.txt",
                 (KEPT / f"{rig.suite}.of").read_text().split()[0])  # fmt: skip
    kept, stamp = KEPT / f"table-{rig.suite}.ext4", KEPT / f"table-{rig.suite}.of"
    if not (kept.exists() and stamp.exists() and stamp.read_text().split()[0] == key):
        copy_of(KEPT / rig.suite / "root.ext4", rig.machine.disk)
        rig.machine.switch_on()
        say("make install, inside")
        took = install(rig)
        set_up(rig)
        rig.ready()
        rig.machine.power_off()
        copy_of(rig.machine.disk, kept)
        stamp.write_text(f"{key} {took:.0f}")
    copy_of(kept, rig.machine.disk)
    rig.machine.nice = None if asked_to_wait() else PROMPT
    if told:
        rig.report.add("Installed", "`make install` of these sources, with a folder of wheels",
                   f"{stamp.read_text().split()[1]} s")  # fmt: skip


def scratch(suite: str) -> Path:
    """Where a run keeps its disk and its pictures."""
    return KEPT / f"run-{suite}"
