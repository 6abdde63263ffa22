"""An evening at the rig's table: doctor, duel, rolls, a character die, upgrade, shutdown."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from resource import RUSAGE_CHILDREN, getrusage

from companion.events import Body
from tests.rig.level50 import level_50
from tests.rig.player import Stuck
from tests.rig.recording import GLASSES
from tests.rig.report import spread
from tests.rig.rig import HOME, OFF, Rig, install

LESS = "/run/systemd/system/companion.service.d"
IDLE = 40  # seconds
GOAL = 0.01  # of a core
WAKE_UPS = 80  # a second; lgpio's thread alone has 960. A busy host adds none
WAKE = "import time; [time.sleep(0.02) for _ in range({})]"
MEASURE = """
import glob, pathlib, time
group = pathlib.Path('/sys/fs/cgroup/system.slice/companion.service')
def woken():
    n = 0
    for pid in (group / 'cgroup.procs').read_text().split():
        for status in glob.glob(f'/proc/{pid}/task/*/status'):
            n += int(pathlib.Path(status).read_text().split('\\nvoluntary_ctxt_switches:')[1].split()[0])
    return n
before = woken(); time.sleep(SECONDS)
print((woken() - before) / SECONDS)
for pid in (group / 'cgroup.procs').read_text().split():
    name = pathlib.Path(f'/proc/{pid}/cmdline').read_text().split('\\0')
    pss = [l for l in pathlib.Path(f'/proc/{pid}/smaps_rollup').read_text().splitlines() if l.startswith('Pss:')]
    print(name[2] if len(name) > 2 else name[0], int(pss[0].split()[1]) / 1000)
print('peak', int((group / 'memory.peak').read_text()) / 1e6)
"""  # noqa: E501


def doctor(rig: Rig) -> None:
    """What `companion doctor` says: of a table that is whole, and of one where only root may."""
    whole = doctored(rig)
    wrong = "; ".join(f"{one['name']}: {one['says']}" for one in whole if one["verdict"] == "wrong")
    rig.report.add("Doctor", f"{len(whole)} findings of the running service, wrong",
                   wrong or "none", not wrong)  # fmt: skip
    hub = rig.machine.run("readlink -e /dev/companion-hub", ok=None)
    rig.report.add("Doctor", "the hub, plugged in after the start, is /dev/companion-hub and", hub,
                   "ttyACM" in hub)  # fmt: skip
    rig.machine.give("less", "[Service]\nDeviceAllow=\nDeviceAllow=char-gpiochip rw\n")
    rig.machine.run(f"mkdir -p {LESS}; cp /host/less {LESS}/zz.conf; systemctl daemon-reload; "
                    "systemctl stop companion")  # fmt: skip
    says = next(str(one["says"]) for one in doctored(rig) if one["key"] == "displays")
    rig.machine.run(f"rm -r {LESS}; systemctl daemon-reload; systemctl start companion")
    rig.ready()
    rig.report.add("Doctor", "stopped, and a unit that may open no display", says,
                   "the service may not" in says)  # fmt: skip


def doctored(rig: Rig) -> list[dict[str, str]]:
    """Every finding; but the rig has no network to ask for the time."""
    said = rig.machine.run("companion doctor --json 2>&1", ok=None, seconds=300)
    found: list[dict[str, str]] = json.loads(said[said.index("{") :])["findings"]
    return [one for one in found if one["key"] != "clock"]


def idle(rig: Rig) -> None:
    """What a table costs at which nobody does anything, all parts at work; memory by process."""
    _, rest = cost(rig, "idle, with the eye at twelve frames a second and the hub")
    for line in rest:
        name, megabytes = line.rsplit(" ", 1)
        rig.report.add("Rest", f"memory, {name}", f"{float(megabytes):.0f} MB")


def quiet(rig: Rig) -> None:
    """The daemon alone: no camera, no hub."""
    toml = "/etc/companion/companion.toml"
    off = "/^camera = /s/=.*/= 'off'/; /^port = .auto/s/=.*/= 'off'/"
    rig.machine.run(f'cp {toml} {toml}.whole; sed -i "{off}" {toml}; systemctl restart companion')
    rig.ready()
    time.sleep(10)  # the first pages are turned
    share, _ = cost(rig, "idle, twenty lines, six glasses")
    rig.machine.run("systemctl stop companion")
    bare = taken(rig)
    rig.report.add("Rest", "the same machine without the companion", f"{bare:.1%} of a host's core")
    dear = dearer(rig, bare)
    own = (share - bare) / dear
    rig.report.add("Rest", "so a daemon at rest costs", f"{share - bare:.1%} of a core")
    rig.report.add(
        "Rest", f"to wake up is {dear:.1f} times dearer in this kernel than in the host's; "
        "so with a kernel like the host's about", f"{own:.1%} of a core (goal: under 1 %)",
        own < GOAL,
    )  # fmt: skip
    rig.machine.run(f"mv {toml}.whole {toml}; systemctl restart companion")
    rig.ready()


def dearer(rig: Rig, bare: float) -> float:
    """How much more of the host's time a wake-up takes inside than on the host itself."""

    def inside(count: int) -> float:
        began, before = time.monotonic(), rig.machine.used()
        rig.machine.run(f"python3 -c '{WAKE.format(count)}'")
        return rig.machine.used() - before - bare * (time.monotonic() - began)

    def outside(count: int) -> float:
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", WAKE.format(count)], check=True)
        after = getrusage(RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return (inside(1000) - inside(0)) / max(0.001, outside(1000) - outside(0))


def cost(rig: Rig, what: str) -> tuple[float, list[str]]:
    """Measure for a while; gives the share of a core, and the memory of each process."""
    script = rig.machine.give("measure.py", MEASURE.replace("SECONDS", str(IDLE // 2)))
    share = taken(rig)
    first, *rest = rig.machine.run(f"python3 {script}", seconds=IDLE + 60).splitlines()
    rig.report.add(
        "Rest", what,
        f"{share:.1%} of a host's core for the whole machine, {float(first):.0f} wake-ups a second",
        float(first) < WAKE_UPS,
    )  # fmt: skip
    return share, rest


def taken(rig: Rig) -> float:
    """The share of one of the host's cores that the machine takes, its kernel and all."""
    began, before = time.monotonic(), rig.machine.used()
    time.sleep(IDLE)
    return (rig.machine.used() - before) / (time.monotonic() - began)


def duel(rig: Rig, most: int = 300) -> None:
    """A whole duel by line pulls, read back from the bytes on the bus."""
    player = rig.player
    player.join("Kiri-ai", 2)
    decisions = 0
    for decisions in player.duel(most):
        if decisions == 5:
            rig.pictures("duel")
    end = player.sees(0, "You win", "You lose", "A draw") if decisions < most else "broken off"
    rig.pictures("duel-end")
    rig.report.add(
        "Duel", "Kiri-ai by line pulls, read from the bus",
        f"{decisions} decisions, {len(player.answers)} presses; Red reads {end!r}",
    )  # fmt: skip
    press_times(rig)


def press_times(rig: Rig) -> None:
    """From the edge of a line to the last byte on a glass."""
    answers = rig.player.answers
    load = f" (load of {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores)"
    took = spread([one.latency_ms for one in answers])
    rig.report.add("Duel", "press edge to last byte", took + load)
    rig.report.add("Duel", "the same without the host's waits, at least",
                   spread([one.own_ms for one in answers]))  # fmt: skip
    rig.report.add("Duel", "of which the bus at 400 kHz", spread([one.bus_ms for one in answers]))


def rolls(rig: Rig, count: int) -> None:
    """Throws of Sword of Fellows: rendered, through V4L2, read by the eye, on disk and glass."""
    player = rig.player
    assert rig.lens is not None
    right, took = 0, list[float]()
    for number in range(count):
        rig.lens.clear()
        rig.begin()
        player.join("Sword of", 2)
        player.insist(0, "Kirito")
        player.insist(1, "Asuna")
        dice = asked(rig)
        seen, seconds = throw(rig, dice)
        right += seen == sorted(dice)
        took.append(seconds)
        rig.pictures(f"roll-{number + 1}")
    rig.report.add("Dice", f"{count} throws through V4L2, read right", f"{right}", right == count)
    rig.report.add("Dice", "from the first picture of the flight to the roll on disk",
                   spread(took, "s"))  # fmt: skip


def asked(rig: Rig) -> list[tuple[Body, int]]:
    """Some dice as the glass asks for: "Throw 3 black, 3 white"."""
    rig.player.sees(0, "Throw")
    said = re.search(r"Throw (\d) black, (\d) white", rig.player.says(0))
    if said is None:
        raise Stuck(f"nobody is asked to throw: {rig.player.words(0)}")
    chance = rig.player.chance
    return [
        (body, chance.randrange(1, 7))
        for body, count in (("black", int(said[1])), ("white", int(said[2])))
        for _ in range(count)
    ]  # type: ignore[misc]


def throw(rig: Rig, dice: list[tuple[Body, int]]) -> tuple[list[tuple[str, int]], float]:
    """Throw, and wait for the roll in the journal: what stands there, and seconds."""
    assert rig.lens is not None
    rig.machine.until(lambda: eye_sees(rig), 90, quiet=1)
    before = roll_on_disk(rig)[0]
    rig.lens.throw(*dice)
    began = time.monotonic()
    rig.machine.until(lambda: roll_on_disk(rig)[0] > before, 60, quiet=0.3)
    return roll_on_disk(rig)[1], time.monotonic() - began


def eye_sees(rig: Rig) -> bool:
    """Dice that lie there before the eye looks are no roll."""
    found = {one["key"]: one["verdict"] for one in rig.health()["findings"]}
    return found.get("camera") == "right"


def roll_on_disk(rig: Rig) -> tuple[tuple[int, int], list[tuple[str, int]]]:
    """The number of the last roll of the journal, and its dice."""
    rig.machine.run("cp /var/lib/companion/journal.db* /host/")
    with closing(sqlite3.connect(rig.machine.share / "journal.db")) as journal:
        found = journal.execute(
            "SELECT game, seq, body FROM entries ORDER BY game DESC, seq DESC"
        ).fetchall()
    for game, seq, body in found:
        done = json.loads(body)
        if "dice" in done:
            return (game, seq), sorted((die["body"], die["value"]) for die in done["dice"])
    return (0, 0), []


def character_die(rig: Rig) -> None:
    """A die that is felt, not seen, in a game at level 50 that a journal brings back."""
    machine, player = rig.machine, rig.player
    shutil.rmtree(machine.share / "level50", ignore_errors=True)
    made = level_50(machine.share / "level50")
    assert rig.lens is not None
    rig.lens.clear()
    rig.begin(f"/host/level50/{made.name}")
    player.press(0, "next", "previous")
    player.choose(0, "Kirito's blue")
    dice = asked(rig)
    with (machine.share / "orders").open("a") as orders:
        orders.write("throw kirito\n")
    rig.logged('"face"', 0, 30)
    thrown = next(line for line in reversed(rig.log()) if '"face"' in line)
    face = json.loads(thrown[thrown.index("{") :])["face"]
    seen, seconds = throw(rig, [*dice, ("blue", face)])
    rig.pictures("level50")
    rig.report.add(
        "Dice", "Kirito's die through USB and hub, in a game at level 50",
        f"felt {face}; on disk {seen} after {seconds:.1f} s", ("blue", face) in seen,
    )  # fmt: skip


def upgrade(rig: Rig) -> None:
    """A newer version, and back: the game stays."""
    machine = rig.machine
    which = "basename $(readlink /opt/companion/current)"
    before = machine.run(which)
    took = install(rig, "0.9.9")
    newer = machine.run(which)
    rig.ready()
    machine.run(f"make -C {HOME} rollback", seconds=300)
    after = machine.run(which)
    rig.ready()
    rig.report.add(
        "Upgrade", "`make install` of a newer version, `make rollback`",
        f"{before} → {newer} in {took:.0f} s → {after}", "0.9.9" in newer and after == before,
    )  # fmt: skip


def shutdown(rig: Rig) -> None:
    """The button is held until a glass says goodbye: all of them do, the machine powers off."""
    machine = rig.machine
    at = machine.pull((OFF, 0, 0))[0]
    goodbye = rig.told("bye", at, 20)
    rig.report.picture("goodbye", [machine.picture(glass) for glass in GLASSES])
    if goodbye is None:
        machine.pull((OFF, 1, 0))
    off = machine.off()
    rig.report.add(
        "Shutdown", "the button held until a glass says goodbye",
        f"after {goodbye:.1f} s, powered off" if goodbye and off else "still on", off,
    )  # fmt: skip
