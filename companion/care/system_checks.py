"""Is the machine fit: board, system, power, clock, memory, disk, journal. Pure but for reading."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from companion.care.finding import Finding
from companion.care.machine import Machine
from companion.errors import BadJournal
from companion.memory.examine import examine
from companion.memory.watermark import mark_file
from companion.settings.settings import Settings
from companion.words import Text, text

MEGA = 1 << 20
LEAST_ROOM = 500 * MEGA  # a year of evenings takes less
LEAST_MEMORY = 250 * MEGA  # all processes of ours together stay under 200
SYSTEMS = ("bookworm", "trixie")
IN_MEMORY = ("tmpfs", "ramfs")  # and the overlay of a Pi whose card is write-protected
NOW_WEAK, NOW_SLOW, NOW_HOT = 1 << 0, (1 << 1) | (1 << 2), 1 << 3
WAS_WEAK, WAS_SLOW = 1 << 16, (1 << 17) | (1 << 18) | (1 << 19)


def needs_a_pi(settings: Settings) -> bool:
    """Do these settings name pins or buses?"""
    panels = settings.hardware.panels == "real" and settings.panels
    displays = settings.hardware.displays == "real" and settings.displays
    return bool(panels or displays)


def board(machine: Machine, settings: Settings) -> Finding:
    """A Pi where pins are wanted, and one that is strong enough."""
    name = text("Board")
    if not machine.is_pi:
        if not needs_a_pi(settings):
            says = text("This is no Raspberry Pi; the settings need none.")
            return Finding("board", name, "right", says)
        return Finding(
            "board", name, "wrong",
            text("This is no Raspberry Pi, but the settings name real panels or displays."),
            text('Run it on the Pi, or choose the twins: companion run --twin.'),
        )  # fmt: skip
    weak = re.search(r"Raspberry Pi (Model|1|2 |Zero W|Zero Rev|Compute Module Rev)", machine.model)
    if weak:
        return Finding(
            "board", name, "wrong",
            text("{model} has no 64-bit processor, or too slow a one.", model=machine.model),
            text("Use a Raspberry Pi 4 or 5; a 3 or Zero 2 W does without the camera."),
        )  # fmt: skip
    return Finding("board", name, "right", text("{model}.", model=machine.model))


def system(machine: Machine, _settings: Settings) -> Finding:
    """64 bit, and on a Pi a system that was tried."""
    name = text("System")
    pretty = machine.system
    if machine.bits != 64:
        return Finding(
            "system", name, "wrong", text("{system} runs 32-bit programs.", system=pretty),
            text("Write 64-bit Raspberry Pi OS to the card; the libraries exist for that only."),
        )  # fmt: skip
    if machine.is_pi and machine.release.get("VERSION_CODENAME", "") not in SYSTEMS:
        return Finding(
            "system", name, "wrong", text("{system} was not tried.", system=pretty),
            text("Take Raspberry Pi OS Bookworm or Trixie, 64 bit."),
        )  # fmt: skip
    return Finding("system", name, "right", text("{system}, 64 bit.", system=pretty))


def power(machine: Machine, _settings: Settings) -> Finding:
    """Under-voltage and throttling, now and since the start."""
    name = text("Power supply")
    bits = _throttled(machine)
    if bits is None:
        return Finding("power", name, "unseen", text("This machine does not tell of its power."))
    supply = text("Use the official power supply and a short cable; unplug what hangs on USB.")
    if bits & NOW_WEAK:
        return Finding("power", name, "wrong", text("The voltage is too low right now."), supply)
    if bits & NOW_HOT or bits & NOW_SLOW:
        return Finding(
            "power", name, "wrong", text("The processor is slowed down: too hot or too weak."),
            text("Give it air or a cooler, and the official power supply."),
        )  # fmt: skip
    if bits & WAS_WEAK:
        says = text("The voltage was too low since the start, though not now.")
        return Finding("power", name, "wrong", says, supply)
    if bits & WAS_SLOW:
        return Finding(
            "power", name, "wrong",
            text("The processor was slowed down by heat since the start, though not now."),
            text("Give it air or a cooler."),
        )  # fmt: skip
    return Finding("power", name, "right", text("Enough voltage, and cool, since the start."))


def _throttled(machine: Machine) -> int | None:
    said = machine.run(["vcgencmd", "get_throttled"]) if machine.is_pi else None
    found = re.search(r"throttled=(0x[0-9a-fA-F]+)", said or "")
    if found:
        return int(found[1], 16)
    for hwmon in machine.names("sys/class/hwmon"):  # the kernel's own driver, without the firmware
        if machine.read(f"sys/class/hwmon/{hwmon}/name") == "rpi_volt":
            alarm = machine.read(f"sys/class/hwmon/{hwmon}/in0_lcrit_alarm")
            return NOW_WEAK if alarm == "1" else 0
    return None


def clock(machine: Machine, _settings: Settings) -> Finding:
    """A Pi without a clock of its own wakes up in the past."""
    name = text("Clock")
    said = machine.run(["timedatectl", "show", "--property=NTPSynchronized", "--value"])
    known = (said or "").strip()
    if machine.has("run/systemd/timesync/synchronized"):
        known = "yes"
    if known == "yes":
        return Finding("clock", name, "right", text("Set by the network."))
    if known != "no":
        return Finding("clock", name, "unseen", text("This machine does not tell of its clock."))
    return Finding(
        "clock", name, "wrong", text("Not set by the network: games may get wrong dates."),
        text("Join the Pi to a network, or wait a minute. Play is not disturbed."),
    )  # fmt: skip


def memory(machine: Machine, _settings: Settings) -> Finding:
    """Room to work in."""
    name = text("Memory")
    found = re.search(r"MemAvailable:\s+(\d+) kB", machine.read("proc/meminfo"))
    if not found:
        return Finding("memory", name, "unseen", text("This machine does not tell of its memory."))
    free = int(found[1]) * 1024
    says = text("{n} MB are free.", n=free // MEGA)
    if free >= LEAST_MEMORY:
        return Finding("memory", name, "right", says)
    do = text("Stop other programs; a desktop is not needed. {n} MB suffice.", n=250)
    return Finding("memory", name, "wrong", says, do)


def disk(machine: Machine, settings: Settings) -> Finding:
    """Room for games, on something that remembers."""
    name = text("Disk")
    state = _standing(settings.table.directory())
    kind, device = _mount(machine, state)
    if kind in IN_MEMORY or (kind == "overlay" and machine.is_pi):
        return Finding(
            "disk", name, "wrong", text("The games lie in memory: the plug takes them all."),
            text("Set [table] state to a folder on the card, or switch the overlay off."),
        )  # fmt: skip
    try:
        free = machine.room(state)
    except OSError:
        return Finding("disk", name, "unseen", text("The disk does not tell of its room."))
    on = text("the SD card") if "mmcblk" in device else text("the disk")
    says = text("{n} MB are free on {disk}.", n=free // MEGA, disk=on)
    if free >= LEAST_ROOM:
        return Finding("disk", name, "right", says)
    do = text("Make room: {n} MB should be free. Try sudo apt clean.", n=LEAST_ROOM // MEGA)
    return Finding("disk", name, "wrong", says, do)


def _standing(path: Path) -> Path:
    """The folder, or the nearest above it that exists."""
    return next((one for one in (path, *path.parents) if _seen(one)), Path("/"))


def _seen(path: Path) -> bool:
    try:
        return path.exists()
    except PermissionError:  # in a folder that is closed to this user
        return False


def _mount(machine: Machine, path: Path) -> tuple[str, str]:
    """Kind and device of the file system that this folder lies on."""
    best = ("", "", "")
    for line in machine.read("proc/mounts").splitlines():
        device, where, kind, *_ = [*line.split(), "", "", ""]
        inside = where == "/" or path == Path(where) or Path(where) in path.parents
        if where and inside and len(where) >= len(best[0]):
            best = (where, kind, device)
    return best[1], best[2]


def state(machine: Machine, settings: Settings) -> Finding:
    """The folder of the games can be written."""
    name = text("State directory")
    folder = settings.table.directory()
    if not _standing(folder).is_dir():
        says = text("{folder} is no folder.", folder=str(_standing(folder)))
        return Finding("state", name, "wrong", says, text("Correct [table] state."))
    if machine.allowed(_standing(folder)):
        return Finding("state", name, "right", text("Can be written."))
    return Finding("state", name, "wrong", *_barred(machine, folder))


def _barred(machine: Machine, path: Path) -> tuple[Text, Text]:
    """That this is closed to who needs it, and how it is opened."""
    user, folder = machine.user, str(path)
    return (
        text("{user} may not write {folder}.", user=user, folder=folder),
        text("sudo chown -R {user} {folder}, or set [table] state.", user=user, folder=folder),
    )


def journal(machine: Machine, settings: Settings) -> Finding:
    """It holds all that it had held, as far as its chain and its mark can tell."""
    name, path = text("Journal"), settings.table.directory() / "journal.db"
    if not machine.allowed(_standing(path)):
        return Finding("journal", name, "wrong", *_barred(machine, path))
    if not path.exists() and not mark_file(path).exists():
        return Finding("journal", name, "right", text("No game was played yet."))
    try:
        if path.exists() and not path.is_file():  # opening a pipe would never end
            raise sqlite3.DatabaseError("not a regular file")
        known = examine(path)
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            games = _games(db) if known else 0
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return Finding(
            "journal", name, "wrong",
            text("It is damaged: {why}.", why=str(error).splitlines()[-1]),
            text("Restart: it is set aside, and all that can be proven goes on."),
        )  # fmt: skip
    except BadJournal:
        return Finding(
            "journal", name, "wrong", text("It was written by a newer companion."),
            text("Install that version, or move the file away."),
        )  # fmt: skip
    aside = len(list(path.parent.glob("journal.db.damaged-*[0-9]")))
    if aside:
        says = text("Sound, {n} games; {m} damaged ones lie beside it.", n=games, m=aside)
    else:
        says = text("Sound, {n} games.", n=games)
    return Finding("journal", name, "right", says)


def _games(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT count(*) FROM games WHERE key != 'lobby'").fetchone()[0])
