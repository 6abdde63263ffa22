"""Inside the machine that dies: PID 1 mounts each table's disk, says what is on it, and plays.

Each table has a process, a disk (/dev/ubdb …) and a serial line (/dev/ttyS0 …) of its own. The line
carries first what the disk holds, then what each glass would show; presses come in by it. There is
no glass in here: a view counts as shown when it leaves by the line.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import sys
import time
import tty
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.memory.journal import Journal
from companion.views import View
from tests.daemon.memory import on_disk
from tests.table.desk import TWO, Desk

TABLES = Path("/mnt")


def mount(what: str, where: Path, kind: str) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(what.encode(), str(where).encode(), kind.encode(), 0, None):
        raise OSError(ctypes.get_errno(), f"cannot mount {what}")


def say(line: int, told: object) -> None:
    os.write(line, json.dumps(told).encode() + b"\n")


def play(state: Path, line: int) -> None:
    """Store, then show, for ever."""
    desk = Desk(state, seed=time.time_ns())
    put: dict[str, View] = {}
    rest = b""
    while True:
        for display in TWO.displays:
            view = desk.table.view(display)
            if put.get(display) != view:
                put[display] = view
                says = desk.text(display).split("\n")
                say(line, {"display": display, "entry": view.entry, "says": says, "frame": ""})
        *presses, rest = (rest + os.read(line, 4096)).split(b"\n")
        for press in presses:
            panel, key = json.loads(press)["press"]
            desk.press(panel, key)


def table(number: int) -> None:
    """One table, until the plug is pulled."""
    state = TABLES / str(number)
    line = os.open(f"/dev/ttyS{number}", os.O_RDWR | os.O_NOCTTY)
    tty.setraw(line)
    try:
        mount(f"/dev/ubd{chr(ord('b') + number)}", state, "ext4")
        say(line, {"kept": on_disk(state)})
        play(state, line)
    except BaseException as error:  # noqa: BLE001  # told outside, whatever it is
        say(line, {"error": repr(error)})
    os._exit(1)


def unsynced() -> None:
    """A journal that leaves it to the kernel when to write: the rig must find it out."""
    prepare = Journal._prepare

    def careless(journal: Journal, found: int) -> None:
        prepare(journal, found)
        journal._db.execute("PRAGMA synchronous=OFF")

    Journal._prepare = careless  # type: ignore[method-assign]


def main(tables: int) -> None:
    mount("proc", Path("/proc"), "proc")
    mount("tmp", TABLES, "tmpfs")
    if "UNSYNCED" in os.environ:
        unsynced()
    gc.freeze()  # a page that is not touched need not be copied
    for number in range(tables):
        (TABLES / str(number)).mkdir()
        if os.fork() == 0:
            table(number)
    while True:  # PID 1 must stay
        os.wait()


if __name__ == "__main__":
    main(int(sys.argv[1]))
