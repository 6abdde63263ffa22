"""`make rig`: build what is missing, switch the machine on, play, break, cut, and tell."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TypeAlias

from companion.errors import CompanionError
from tests.rig import cuts, faults, scenes, selftest
from tests.rig.build import HERE, KEPT, SOURCE, Hindered, everything, how_long, say
from tests.rig.machine import PROMPT, Machine, asked_to_wait, clear
from tests.rig.player import Stuck
from tests.rig.report import Report
from tests.rig.rig import Rig, scratch, with_product

DOCS = SOURCE / "docs"
CUTS, PLANTED = 20, 3
PICTURES = ("duel", "duel-end", "roll-1", "level50", "goodbye")
Scene: TypeAlias = tuple[str, Callable[[Rig], None]]
TIMED: tuple[Scene, ...] = (
    ("a duel", scenes.duel),
    ("nobody does anything", scenes.quiet),
    ("rolls", partial(scenes.rolls, count=3)),
    ("a character die", scenes.character_die),
    ("the doctor", scenes.doctor),
    ("what it costs", scenes.idle),
    *((fault.name, partial(faults.device, fault=fault)) for fault in faults.FAULTS),
    *((play.__name__.replace("_", " "), play) for play in faults.OTHERS),
    ("the self-test", selftest.self_test),
)
WATCHED: tuple[Scene, ...] = (  # take minutes, in which nothing is timed to the second
    ("a daemon that stands still", faults.stopped), ("a transfer that hangs", faults.hangs)
)  # fmt: skip
DYING: tuple[Scene, ...] = (
    ("power cuts", partial(cuts.synced, count=CUTS)),
    ("a planted loss", partial(cuts.unsynced, count=PLANTED)),
)
CHANGING: tuple[Scene, ...] = (
    ("upgrade and rollback", scenes.upgrade), ("shutdown", scenes.shutdown)
)  # fmt: skip
QUICK: tuple[Scene, ...] = (
    ("a duel", partial(scenes.duel, most=8)),
    ("a fault", partial(faults.device, fault=faults.FAULTS[0])),
    ("power cuts", partial(cuts.synced, count=1)),
    ("a roll", partial(scenes.rolls, count=1)),
)
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


def evening(rig: Rig, only: str) -> None:
    """Everything, in the order of a first evening; or the scenes with this in their names."""
    for name in ("kernel", rig.suite, f"wheels-{rig.suite}"):
        rig.report.add("Built", name, how_long(name))
    with_product(rig)
    if not asked_to_wait():  # fingers and eyes that wait slow everything down
        os.setpriority(os.PRIO_PROCESS, 0, PROMPT)
    say("switched on")
    rig.report.add("Installed", "boot to all glasses", str(rig.switch_on()))
    every = (*TIMED, *WATCHED, *DYING, *CHANGING)
    if only or rig.quick:
        named = [one for one in every if any(name in one[0] for name in only.split(","))]
        play_all(rig, named if only else QUICK)
        return
    others = [Thread(target=beside, args=(rig, part), daemon=True) for part in (DYING, CHANGING)]
    play_all(rig, TIMED[:1])
    others[0].start()  # takes long; what it takes of the processors is known
    play_all(rig, TIMED[1:])
    others[1].start()
    play_all(rig, WATCHED)
    rig.machine.kill()
    for other in others:
        other.join()


def play_all(rig: Rig, some: Iterable[Scene]) -> None:
    for name, play in some:
        scene(rig, name, lambda play=play: play(rig))  # type: ignore[misc]


def beside(first: Rig, some: tuple[Scene, ...]) -> None:
    """Another machine beside the first, for what takes long."""
    folder = clear(first.machine.folder / some[0][0].replace(" ", "-"))
    machine = Machine(folder, folder / "disk")
    first.beside.append(machine)
    rig = Rig(first.suite, first.quick, machine, first.report)
    try:
        with_product(rig, told=False)
        rig.switch_on()
        play_all(rig, some)
    except BREAKS as error:
        broken_off(rig, some[0][0], error)
    finally:
        machine.kill()


def write(rig: Rig, seconds: float) -> None:
    """docs/rig.md: what stays as it is, and the figures of the last whole run on each Debian."""
    load = f"a load of {min(rig.report.loads):.0f} to {max(rig.report.loads):.0f}"
    git = ("git", "-C", SOURCE, "rev-parse", "--short", "HEAD")
    commit = subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    when = (f"Debian {rig.suite}, {datetime.now(UTC):%Y-%m-%d %H:%M}, {commit}, "
            f"{seconds / 60:.0f} minutes, {os.cpu_count()} cores, {load}")  # fmt: skip
    (KEPT / f"seen-{rig.suite}.md").write_text(f"## {when}\n\n{rig.report.text()}")
    seen = "\n".join(file.read_text() for file in sorted(KEPT.glob("seen-*.md")))
    (DOCS / "rig.md").write_text((HERE / "rig.md").read_text().format(seen=seen.strip()))
    for name in PICTURES if rig.suite == "bookworm" else ():
        if (picture := rig.report.folder / f"{name}.png").exists():
            (DOCS / "pictures" / f"rig-{name}.png").write_bytes(picture.read_bytes())


def main() -> int:
    parser = argparse.ArgumentParser(prog="make rig")
    parser.add_argument("--quick", action="store_true", help="three minutes, once all is built")
    parser.add_argument("--suite", default="bookworm", choices=("bookworm", "trixie"))
    parser.add_argument("--only", default="", metavar="SCENE", help="part of the names of scenes")
    chosen = parser.parse_args()
    began = time.monotonic()
    try:
        everything(chosen.suite)
        folder: Path = clear(scratch(chosen.suite))
        machine = Machine(folder, folder / "disk")
        rig = Rig(chosen.suite, chosen.quick, machine, Report(folder))
        try:
            evening(rig, chosen.only)
        finally:
            for one in (machine, *rig.beside):
                one.kill()
    except Hindered as error:
        print(f"rig: {error}", file=sys.stderr)
        return 1
    (folder / "report.md").write_text(rig.report.text())
    print("\n" + rig.report.text())
    if not (chosen.quick or chosen.only):
        write(rig, time.monotonic() - began)
    say(f"{len(rig.report.rows)} figures, {len(rig.report.broken)} promises broken, "
        f"{time.monotonic() - began:.0f} s; pictures in {folder.relative_to(SOURCE)}")  # fmt: skip
    return bool(rig.report.broken)


if __name__ == "__main__":
    sys.exit(main())
