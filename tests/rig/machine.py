"""The machine: switched on, asked, pressed, watched through its bus, and killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from PIL import Image

from tests.rig.build import HERE, KEPT, Hindered
from tests.rig.recording import Glasses, Transfer, transfers

MEMORY_MB = 1536
BOOT = 600  # seconds; the host may be busy
LEAST = 0.1  # of the host's time that is always counted as ours: no wait is endless
LOOKS = 4  # at a silent bus: a rig that had to wait has not heard yet what was sent meanwhile
HELD = 30_000  # microseconds that a finger stays on a button
PROMPT = -10  # nice level of what is played on and who plays: the host's other work waits for it
PRESSED, RELEASED = 0, 1


class Machine:
    """One disk, one kernel; comes up as often as it dies."""

    def __init__(self, folder: Path, disk: Path) -> None:
        self.folder, self.disk = folder, disk
        self.share = folder / "host"
        self.share.mkdir(parents=True, exist_ok=True)
        for source, name in ((KEPT / "kernel/lib/modules", "modules"), (HERE / "guest", "rig")):
            shutil.copytree(source, self.share / name, dirs_exist_ok=True, symlinks=True)
        self.nice: int | None = None  # None: as whoever switches it on
        self.process: subprocess.Popen[bytes] | None = None
        self.wire: list[Transfer] = []  # of this boot
        self.news = threading.Condition()
        self.ended = True
        self._waits: dict[str, int] = {}  # ns that each of its processes had to wait
        self._own = (0.0, 0.0, 0.0)  # host's time, withheld, our own

    def switch_on(self) -> None:
        """Boot, and wait until the agent answers."""
        self.glasses, self.wire, self.ended = Glasses(), [], False
        self._answers: dict[int, dict[str, Any]] = {}
        self._asked = 0
        orders, bus = socket.socketpair(), socket.socketpair()
        command = [
            str(KEPT / "kernel/linux"), f"mem={MEMORY_MB}M", f"ubd0={self.disk}", "root=/dev/ubda",
            "rw", "con=null", "con0=null,fd:1", f"dtb={KEPT / 'kernel/pi4.dtb'}",
            f"hostfs={self.share}", f"ssl0=fd:{orders[1].fileno()}", f"ssl1=fd:{bus[1].fileno()}",
            "systemd.show_status=0", "quiet",
        ]  # fmt: skip
        self.began = time.monotonic()
        self._waits.clear()
        self._own = (self.began, 0.0, self._own[2])
        with (self.folder / "console").open("ab") as console, _at(self.nice):
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=console, stderr=console,
                pass_fds=[orders[1].fileno(), bus[1].fileno()], start_new_session=True,
                env={**os.environ, "TMPDIR": "/dev/shm"},  # its memory is a file
            )  # fmt: skip
        for theirs in (orders[1], bus[1]):
            theirs.close()
        self._orders, self._bus = orders[0], bus[0]
        self._hearing = [
            threading.Thread(target=hear, args=(end,), daemon=True)
            for hear, end in ((self._hear_orders, orders[0]), (self._hear_bus, bus[0]))
        ]
        for one in self._hearing:
            one.start()
        self._wait(lambda: 0 in self._answers, BOOT, "the machine did not come up")

    def kill(self) -> None:
        """Pull the plug: every process that makes up the machine, at once."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self._gone()

    def off(self, seconds: float = 300) -> bool:
        """Wait until it has powered off by itself."""
        assert self.process is not None
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)  # its helpers
        self._gone()
        return True

    def power_off(self) -> None:
        """As a maker does it; what was written is on the disk."""
        order = {"id": -1, "run": "sync; systemctl --no-block poweroff", "timeout": 60}
        self._orders.sendall(json.dumps(order).encode() + b"\n")
        if not self.off():
            raise Hindered("the machine does not power off")

    def _gone(self) -> None:
        for one in self._hearing:  # what had left the machine is still in the sockets
            one.join(10)
        self._orders.close()
        self._bus.close()
        self.process, self.ended = None, True

    def _hear_orders(self, end: socket.socket) -> None:
        rest = b""
        while more := _received(end):
            *lines, rest = (rest + more).split(b"\n")
            with self.news:
                for line in lines:
                    told = json.loads(line)
                    self._answers[told["id"]] = told
                self.news.notify_all()

    def _hear_bus(self, end: socket.socket) -> None:
        stream = bytearray()
        while more := _received(end):
            stream += more
            with self.news:
                for one in transfers(stream):
                    self.glasses.feed(one)
                    self.wire.append(one)
                self.news.notify_all()

    def _wait(self, until: Callable[[], bool], seconds: float, else_: str) -> None:
        with self.news:
            if not self.news.wait_for(until, seconds):
                raise Hindered(f"{else_}; see {self.folder / 'console'}")

    def ask(self, seconds: float, **what: Any) -> dict[str, Any]:
        """Ask the agent for something; its answer."""
        with self.news:
            self._asked += 1
            number = self._asked
        self._orders.sendall(json.dumps({"id": number, **what}).encode() + b"\n")
        self._wait(lambda: number in self._answers, seconds, f"no answer to {what}")
        return self._answers.pop(number)

    def run(self, script: str, *, ok: bool | None = True, seconds: float = 300) -> str:
        """Do this inside, as root; what it said."""
        done = self.ask(seconds + 20, run=script, timeout=seconds)
        if ok is not None and (done["status"] == 0) is not ok:
            raise Hindered(f"{script}: {done['status']}\n{done['said']}")
        return str(done["said"]).strip()

    def give(self, name: str, content: str | bytes) -> str:
        """A file in the folder that both see; its path inside."""
        data = content.encode() if isinstance(content, str) else content
        (self.share / name).write_bytes(data)
        return f"/host/{name}"

    def pull(self, *pulls: tuple[int, int, int]) -> list[int]:
        """Pull lines of the pins: (line, level, microseconds to wait); when each was pulled."""
        return [at for at, _ in self.edges(*pulls)]

    def edges(self, *pulls: tuple[int, int, int]) -> list[tuple[int, int]]:
        """The same; the times (ns of the guest) between which each edge was."""
        waits = sum(wait for _, _, wait in pulls) / 1e6
        self.give("pulls", json.dumps(pulls))  # the line of orders falls silent after 4 KB at once
        done = self.ask(BOOT + waits, pulls="/host/pulls")
        if "at" not in done:
            raise Hindered(str(done["said"]))
        return list(zip(done["at"], done["by"], strict=True))

    def touch(self, line: int) -> None:
        """A finger on a button; nobody waits for what comes of it."""
        order = {"id": -1, "pulls": [[line, PRESSED, HELD], [line, RELEASED, 0]]}
        self._orders.sendall(json.dumps(order).encode() + b"\n")

    def press(self, line: int) -> int:
        """A finger on a button, and off again; when the edge was."""
        return self.pull((line, PRESSED, HELD), (line, RELEASED, 10_000))[0]

    def settled(self, quiet: float = 0.25, most: float = 10) -> None:
        """Until the bus has been silent for so long, in the machine's own time."""
        since, count, looks = self.own_time(), -1, 0
        end = since + most
        while (now := self.own_time()) < end:
            if len(self.wire) != count:
                count, since, looks = len(self.wire), now, 0
            elif now - since >= quiet and looks >= LOOKS:
                return
            looks += 1
            time.sleep(quiet / LOOKS)

    def until(self, holds: Callable[[], bool], seconds: float, quiet: float = 0.1) -> float | None:
        """Until the glasses, or whatever is looked at, say so; seconds that it took, or None.

        Patience counts in the machine's own time.
        """
        began, end = time.monotonic(), self.own_time() + seconds
        while True:
            if holds():
                return time.monotonic() - began
            if time.monotonic() - began > seconds and self.own_time() > end:
                return None
            with self.news:
                self.news.wait(quiet)

    def used(self) -> float:
        """Seconds of the host's processors that the machine has taken: a busy host adds nothing."""
        stats = (told.rpartition(")")[2].split() for _, told in self._each("stat"))
        return sum(sum(map(int, told[11:15])) for told in stats) / os.sysconf("SC_CLK_TCK")

    def withheld(self) -> float:
        """Seconds that the machine would have run, but the host had no processor for it.

        It has one processor, so of its processes one alone is ever ready.
        """
        self._waits |= {pid: int(told.split()[1]) for pid, told in self._each("schedstat")}
        return sum(self._waits.values()) / 1e9

    def own_time(self) -> float:
        """A clock that stands (nearly) still while the host has no processor for the machine."""
        now, withheld = time.monotonic(), self.withheld()
        then, before, own = self._own
        passed = now - then
        self._own = (now, withheld, own + max(LEAST * passed, passed - (withheld - before)))
        return self._own[2]

    def _each(self, file: str) -> Iterator[tuple[str, str]]:
        """That file of /proc for the kernel and for every program in it, by the process."""
        pid = self.process.pid if self.process is not None else 0
        with suppress(OSError):  # switched off
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            for one in (str(pid), *children):
                with suppress(OSError):  # gone since
                    yield one, Path(f"/proc/{one}/{file}").read_text()

    def sent(self, since: int) -> list[Transfer]:
        """What went over the bus since then."""
        with self.news:
            return [one for one in self.wire if one.begun >= since]

    def picture(self, glass: str) -> Image.Image:
        """What an eye sees now."""
        with self.news:
            return self.glasses.picture(glass)


def asked_to_wait() -> bool:
    """Somebody typed `nice make rig`: the host's other work goes first, times are what they are."""
    return os.getpriority(os.PRIO_PROCESS, 0) > 0


@contextmanager
def _at(nice: int | None) -> Iterator[None]:
    """What is started here has this priority."""
    before = os.getpriority(os.PRIO_PROCESS, 0)  # of this thread
    os.setpriority(os.PRIO_PROCESS, 0, before if nice is None else nice)
    try:
        yield
    finally:
        os.setpriority(os.PRIO_PROCESS, 0, before)


def _received(end: socket.socket) -> bytes:
    try:
        return end.recv(1 << 16)
    except OSError:
        return b""


def copy_of(disk: Path, to: Path) -> Path:
    """A disk of one's own, holes and all."""
    to.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "--sparse=always", disk, to], check=True)
    return to


def sources(into: Path, root: Path, *folders: str) -> None:
    """The sources as a maker gets them, as one archive."""
    names: Sequence[str] = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", *folders], capture_output=True, check=True, text=True
    ).stdout.split("\0")
    there = "\0".join(name for name in names if name and (root / name).is_file())
    subprocess.run(
        ["tar", "-C", root, "-cf", into, "--null", "-T", "-"], input=there, text=True, check=True
    )


def clear(folder: Path) -> Path:
    """An empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
