"""A daemon in a process of its own, seen through its window only: pressed, watched, killed."""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.events import Key
from tests.patience import within

TWO_SEATS = """
[table]
state = "{state}"
goes_on=false
seats = ["Blue", "Red"]
[hardware]
panels = "twin"
displays = "twin"
[web]
on = false
[[panel]]
seat = 1
previous = 4
next = 17
select = 27
back = 22
[[panel]]
seat = 2
previous = 10
next = 9
select = 11
back = 5
[[display]]
name = "table"
port = 22
[[display]]
name = "one"
seats = [1]
port = 23
[[display]]
name = "two"
seats = [2]
port = 24
chip = "sh1106"
"""


@dataclass
class Shown:
    """One message of the window: what stood on a glass, and from which entry it was drawn."""

    display: str
    game: int
    entry: int
    says: tuple[str, ...]
    frame: str
    told: tuple[str, ...] = ()  # the leaf of the story that stood over it


GLASSES = ("table", "one", "two")


def _still(says: list[str]) -> tuple[str, ...]:
    """What is said of the game, without notices, where the finger was, and how far the story was
    read: a cut forgets those."""
    rows = (row for row in says if not row.startswith(("! ", "* ", "  (")))
    return tuple(row.replace("> [", "  [", 1) if row.startswith("> [") else row for row in rows)


@dataclass
class Onlooker:
    """Presses, and hears what the glasses show; patient enough for a machine that is slow."""

    shown: list[Shown] = field(default_factory=list)
    patience: float = within(20)
    _rest: bytes = b""
    _window: socket.socket = field(init=False)

    def press(self, panel: int, key: Key) -> None:
        self._window.sendall(json.dumps({"press": [panel, key]}).encode() + b"\n")

    def watch(self, seconds: float, until: Callable[[Shown], bool] = lambda _: False) -> bool:
        """Hear what the glasses show, for so long or until something is shown."""
        end = time.monotonic() + seconds
        while True:
            *lines, self._rest = self._rest.split(b"\n")
            for line in lines:
                one = self.take(json.loads(line))
                if one is not None and until(one):
                    self._rest = b"\n".join([*lines[lines.index(line) + 1 :], self._rest])
                    return True
            left = end - time.monotonic()
            if not select.select([self._window], [], [], max(0, left))[0]:
                return False
            try:
                more = self._window.recv(1 << 16)
            except ConnectionError:
                return False
            if not more:
                return False
            self._rest += more

    def take(self, told: dict[str, Any]) -> Shown | None:
        """One line: what stands on a glass now, if it tells of one."""
        if "entry" not in told:
            return None
        game, entry = map(int, told["entry"].split("/"))
        leaf = tuple(row[2:] for row in told["says"] if row.startswith("* "))
        one = Shown(told["display"], game, entry, _still(told["says"]), told["frame"], leaf)
        self.shown.append(one)
        return one

    def all_shown(self) -> None:
        """Wait until every glass has shown something."""
        for name in GLASSES:
            if not any(one.display == name for one in self.shown):
                found = self.watch(self.patience, until=lambda one, name=name: one.display == name)
                assert found, f"{name} stayed dark"

    def forget(self) -> None:
        """Keep of what was shown only what stands there now."""
        self.shown = [self.newest(name) for name in GLASSES]

    def newest(self, display: str) -> Shown:
        return next(one for one in reversed(self.shown) if one.display == display)


@dataclass
class Evening(Onlooker):
    """Starts the daemon as often as it is killed.

    Forked from here, so that it need not import what is imported already: a SIGKILL ends a forked
    process as it ends any other, and what it had not handed to the kernel is gone.
    """

    state: Path = field(default_factory=Path)
    pid: int = 0
    more: str = ""  # settings beside those of two seats

    def __enter__(self) -> Evening:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.pid:
            self.kill()

    def start(self) -> None:
        """Fork, serve, and wait until the window is open."""
        self._rest = b""
        read, write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            _serve(self.state, self.more, write)
        os.close(write)
        ready = os.read(read, 16)
        os.close(read)
        assert ready == b"ready", "the daemon did not start"
        self._window = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        window = self.state / "window.sock"
        until = time.monotonic() + 20
        while True:
            try:
                self._window.connect(str(window))
                return
            except OSError:
                assert time.monotonic() < until, "the window did not open"
                os.sched_yield()

    def kill(self) -> None:
        """Pull the plug."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self.watch(0)  # what had left the daemon before is still in the socket
        self._window.close()
        self.pid = 0


def _serve(state: Path, more: str, write: int) -> None:
    """In the child: become the daemon; never return into the test."""
    from companion.daemon.app import serve
    from companion.settings.settings import read

    status = 1
    try:
        settings = read((TWO_SEATS + more).format(state=state))
        asyncio.run(serve(settings, lambda: os.write(write, b"ready") and None))
        status = 0
    except BaseException as error:  # noqa: BLE001  # the child must end here whatever happens
        print(repr(error), file=sys.stderr)
    finally:
        os._exit(status)
