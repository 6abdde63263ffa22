"""A machine with a kernel and a page cache of its own, as a process: killing it pulls the plug.

User-Mode Linux boots from this machine's own files (read-only) and mounts one ext4 image per
table. What was not synced when it dies is gone. What the glasses show comes out by serial lines,
so it is recorded where nothing dies.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

from tests.patience import within
from tests.table.evening import Onlooker, Shown

RIGS = Path(__file__).parents[2] / ".tools/rig/kernel/linux"
KERNEL = str(RIGS) if RIGS.exists() else shutil.which("linux.uml")
GUEST = Path(__file__).with_name("machine_guest.py")
MEGABYTES = 8  # of a disk
HERE = ("quiet", "rootfstype=hostfs", "rootflags=/", "ro", "con=null", "con0=null,fd:1")


@cache
def why_not() -> str:
    """Why such a machine cannot be had here; empty if it can.

    Debian's kernel keeps a processor's registers in a buffer that is too small for some newer ones
    (Intel's AMX): it dies at its first program, whatever that is. The rig's kernel does not.
    """
    if KERNEL is None:
        return "apt-get install user-mode-linux"
    tried = subprocess.run(
        [KERNEL, "mem=64M", *HERE, "init=/bin/echo", "--", "it boots"],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=within(60), check=False,
    )  # fmt: skip
    return (
        ""
        if b"it boots" in tried.stdout
        else "Debian's User-Mode Linux dies on this processor: sudo make rig builds another"
    )


class Line(Onlooker):
    """The serial line of one table."""

    def __init__(self) -> None:
        super().__init__(patience=within(240))
        self.kept: dict[int, int] | None = None  # what the disk held when the machine came up

    def plug_in(self) -> socket.socket:
        """A new line; gives the machine's end of it."""
        self._window, theirs = socket.socketpair()
        self._rest, self.kept, self.shown = b"", None, []
        return theirs

    def take(self, told: dict[str, Any]) -> Shown | None:
        assert "error" not in told, told["error"]
        if "kept" in told:
            self.kept = {int(game): entries for game, entries in told["kept"].items()}
            return None
        return super().take(told)

    def hang_up(self) -> None:
        """Hear what had left the machine before it died."""
        try:
            self.watch(0)
        finally:
            self._window.close()


class Machine:
    """Some tables on one machine, each with a disk and a line; comes up as often as it dies."""

    def __init__(self, folder: Path, tables: int, **environment: str) -> None:
        self.lines = [Line() for _ in range(tables)]
        self._environment = environment
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(tables):
            disk = folder / f"disk{number}"
            with disk.open("wb") as image:
                image.truncate(MEGABYTES << 20)
            subprocess.run(["mke2fs", "-q", "-t", "ext4", disk], check=True, timeout=60)

    def __enter__(self) -> Machine:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self.kill()

    def start(self) -> None:
        """Boot, and wait until every table shows something."""
        assert KERNEL is not None
        ends = [line.plug_in() for line in self.lines]
        command = [
            KERNEL, "mem=256M", *HERE, f"init={sys.executable}",
            "PYTHONDONTWRITEBYTECODE=1", *(f"{key}={on}" for key, on in self._environment.items()),
            *(f"ubd{chr(ord('b') + n)}={self._folder / f'disk{n}'}" for n in range(len(ends))),
            *(f"ssl{n}=fd:{end.fileno()}" for n, end in enumerate(ends)),
            "--", str(GUEST), str(len(ends)),
        ]  # fmt: skip
        with (self._folder / "console").open("wb") as console:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=console, stderr=console,
                pass_fds=[end.fileno() for end in ends], start_new_session=True,
            )  # fmt: skip
        for end in ends:
            end.close()
        for line in self.lines:
            line.all_shown()

    def kill(self) -> None:
        """Pull the plug: every process that makes up the machine, at once."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None
        with ExitStack() as every:  # also those after one that tells of an error
            for line in self.lines:
                every.callback(line.hang_up)
