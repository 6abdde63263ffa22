"""`make rig`: build what is missing, switch the machine on, play, break, cut, and tell."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

from companion.errors import CompanionError
from tests.rig import cuts, faults, scenes
from tests.rig.build import HERE, KEPT, SOURCE, Hindered, everything, how_long, say
from tests.rig.machine import PROMPT, Machine, asked_to_wait, clear
from tests.rig.player import Stuck
from tests.rig.report import Report
from tests.rig.rig import Rig, scratch, with_product

DOCS = SOURCE / "docs"
CUTS, QUICK_CUTS, PLANTED = 20, 1, 3
PICTURES = ("duel", "duel-end", "roll-1", "level50", "goodbye")
BREAKS = (Stuck, Hindered, RuntimeError, TimeoutError, AssertionError, CompanionError)


def scene(rig: Rig, name: str, play: Callable[[], None]) -> None:
    """Play it; a scene that gets stuck is a promise that was not kept, the others still run."""
    say(name)
    rig.report.loads.append(os.getloadavg()[0])
    try:
        play()
    except BREAKS as error:
        broken_off(rig, name, error)
        rig.machine.kill()
        rig.switch_on()


def broken_off(rig: Rig, name: str, error: Exception) -> None:
    rig.report.add("Broken off", name, " ".join(str(error).split())[:400], False)


def evening(rig: Rig) -> None:
    """Everything, in the order of a first evening."""
    for name in ("kernel", rig.suite, f"wheels-{rig.suite}"):
        rig.report.add("Built", name, how_long(name))
    with_product(rig)
    if not asked_to_wait():  # fingers and eyes that wait slow everything down
        os.setpriority(os.PRIO_PROCESS, 0, PROMPT)
    say("switched on")
    rig.report.add("Installed", "boot to all glasses", str(rig.switch_on()))
    if rig.quick:
        scene(rig, "a duel", lambda: scenes.duel(rig, most=8))
        scene(rig, "a fault", lambda: faults.one(rig))
        scene(rig, "power cuts", lambda: cuts.synced(rig, QUICK_CUTS))
        scene(rig, "a roll", lambda: scenes.rolls(rig, 1))
        return
    scene(rig, "a duel", lambda: scenes.duel(rig))
    others = [
        Thread(target=beside, args=(rig, part), daemon=True) for part in (dying, changing)
    ]  # fmt: skip
    others[0].start()  # takes long; what it takes of the processors is known
    scene(rig, "nobody does anything", lambda: scenes.quiet(rig))
    scene(rig, "rolls", lambda: scenes.rolls(rig, 3))
    scene(rig, "a character die", lambda: scenes.character_die(rig))
    scene(rig, "the doctor", lambda: scenes.doctor(rig))
    scene(rig, "what it costs", lambda: scenes.idle(rig))
    for fault in faults.FAULTS:
        scene(rig, fault.name, lambda fault=fault: faults.device(rig, fault))  # type: ignore[misc]
    for play in (*faults.OTHERS, *faults.WATCHED):
        if play is faults.WATCHED[0]:
            others[1].start()
        scene(rig, play.__name__.replace("_", " "), lambda play=play: play(rig))  # type: ignore[misc]
    rig.machine.kill()
    for other in others:
        other.join()


def dying(rig: Rig) -> None:
    scene(rig, "power cuts", lambda: cuts.synced(rig, CUTS))
    scene(rig, "a planted loss", lambda: cuts.unsynced(rig, PLANTED))


def changing(rig: Rig) -> None:
    scene(rig, "upgrade and rollback", lambda: scenes.upgrade(rig))
    scene(rig, "shutdown", lambda: scenes.shutdown(rig))


def beside(first: Rig, play: Callable[[Rig], None]) -> None:
    """Another machine beside the first, for what takes long."""
    folder = clear(first.machine.folder / play.__name__)
    machine = Machine(folder, folder / "disk")
    first.beside.append(machine)
    rig = Rig(first.suite, first.quick, machine, first.report)
    try:
        with_product(rig, told=False)
        rig.switch_on()
        play(rig)
    except BREAKS as error:
        broken_off(rig, play.__name__, error)
    finally:
        machine.kill()


def write(rig: Rig, seconds: float) -> None:
    """docs/rig.md: what stays as it is, and the figures of the last whole run on each Debian."""
    load = f"{min(rig.report.loads):.0f} to {max(rig.report.loads):.0f}"
    when = (f"{datetime.now(UTC):%Y-%m-%d %H:%M}, Debian {rig.suite}, {seconds / 60:.0f} minutes, "
            f"a host with {os.cpu_count()} cores and a load of {load}")  # fmt: skip
    (KEPT / f"seen-{rig.suite}.md").write_text(f"# Seen on {when}\n\n{rig.report.text()}")
    seen = "\n".join(file.read_text() for file in sorted(KEPT.glob("seen-*.md")))
    (DOCS / "rig.md").write_text((HERE / "rig.md").read_text().format(seen=seen.strip()))
    for name in PICTURES if rig.suite == "bookworm" else ():
        if (picture := rig.report.folder / f"{name}.png").exists():
            (DOCS / "pictures" / f"rig-{name}.png").write_bytes(picture.read_bytes())


def main() -> int:
    parser = argparse.ArgumentParser(prog="make rig")
    parser.add_argument("--quick", action="store_true", help="three minutes, once all is built")
    parser.add_argument("--suite", default="bookworm", choices=("bookworm", "trixie"))
    chosen = parser.parse_args()
    began = time.monotonic()
    try:
        everything(chosen.suite)
        folder: Path = clear(scratch(chosen.suite))
        machine = Machine(folder, folder / "disk")
        rig = Rig(chosen.suite, chosen.quick, machine, Report(folder))
        try:
            evening(rig)
        finally:
            for one in (machine, *rig.beside):
                one.kill()
    except Hindered as error:
        print(f"rig: {error}", file=sys.stderr)
        return 1
    (folder / "report.md").write_text(rig.report.text())
    print("\n" + rig.report.text())
    if not chosen.quick:
        write(rig, time.monotonic() - began)
    say(f"{len(rig.report.rows)} figures, {len(rig.report.broken)} promises broken, "
        f"{time.monotonic() - began:.0f} s; pictures in {folder.relative_to(SOURCE)}")  # fmt: skip
    return bool(rig.report.broken)


if __name__ == "__main__":
    sys.exit(main())
