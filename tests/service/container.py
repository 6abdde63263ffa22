"""A small Debian, booted: a real systemd as PID 1, commands inside, and its log as it comes."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2]
TREE = SOURCE / ".tools/debian"
WHEELS = SOURCE / ".tools/wheels"
PATIENCE = 240  # seconds; the machine that runs the tests may be busy
TWINS = """
[hardware]
panels = "twin"
displays = "twin"
"""


def hindrance() -> str:
    """Why no container can be booted here; "" if it can."""
    if os.geteuid() != 0:
        return "only root can boot a container"
    if shutil.which("systemd-nspawn") is None or not TREE.is_dir():
        return "no container: run tests/service/get_machine.sh as root"
    python = next(iter(TREE.glob("usr/bin/python3.[0-9]*")), None)
    if python is None or python.name != f"python3.{sys.version_info.minor}":
        return "the container's Python is another one than that of the tests"
    return ""


needs_container = pytest.mark.skipif(bool(hindrance()), reason=hindrance())


@contextmanager
def _ear(path: str) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(path)
        yield ear


class Container:
    """Booted for as long as the block. What is written inside is gone afterwards.

    The sources lie in /src; the packages that they need are lent from the tests' environment.
    """

    def __enter__(self) -> Container:
        packages = sysconfig.get_path("purelib")
        with tempfile.TemporaryDirectory() as folder, _ear(f"{folder}/notify") as told:
            self._nspawn = self._boot(packages, f"{folder}/notify")
            self._until_booted(told)
        self.write("/usr/local/lib/python3.11/dist-packages/lent.pth".replace(
            "3.11", f"3.{sys.version_info.minor}"), "/packages\n")  # fmt: skip
        self._log = self._inside("journalctl", "--follow", "--lines=all", "--output=cat")
        self._rest = b""
        self.log: list[str] = []
        return self

    def __exit__(self, *_: object) -> None:
        self._listen_no_more()
        with suppress(ProcessLookupError):
            os.kill(int(self._leader), signal.SIGKILL)  # its PID 1: everything inside ends with it
        self._nspawn.communicate(timeout=PATIENCE)

    def _listen_no_more(self) -> None:
        """A shutdown stops every process for a moment; nsenter then stops itself, for ever."""
        self._log.kill()
        self._log.wait(timeout=PATIENCE)
        if self._log.stdout is not None:
            self._log.stdout.close()

    def _boot(self, packages: str, notify: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ["systemd-nspawn", "--quiet", f"--directory={TREE}", "--volatile=overlay",
             "--register=no", "--keep-unit", "--private-network", "--notify-ready=yes",
             f"--machine=companion-{uuid.uuid4().hex[:8]}", f"--bind-ro={SOURCE}:/src",
             f"--bind-ro={packages}:/packages", f"--bind-ro={WHEELS}:/wheels",
             "--console=pipe", "--boot"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "NOTIFY_SOCKET": notify},
        )  # fmt: skip

    def run(self, *command: str, ok: bool | None = True, **environment: str) -> str:
        """Do this inside, as root; its output."""
        done = subprocess.run(
            self._entered(*command, **environment), capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False,
        )  # fmt: skip
        said = done.stdout + done.stderr
        assert ok is None or (done.returncode == 0) is ok, f"{command}: {said}"
        return said.strip()

    def write(self, path: str, text: str) -> None:
        """A file inside."""
        place = Path(path)
        self.run("mkdir", "-p", str(place.parent))
        subprocess.run(
            self._entered("tee", path), input=text, text=True, stdout=subprocess.DEVNULL,
            timeout=PATIENCE, check=True,
        )  # fmt: skip

    def hears(self, pattern: str) -> str:
        """Until the log, from where it was read to last, has a line like this."""
        end = time.monotonic() + PATIENCE
        while True:
            *lines, self._rest = self._rest.split(b"\n")
            for number, line in enumerate(lines):
                said = line.decode(errors="replace")
                self.log.append(said)
                if re.search(pattern, said):
                    self._rest = b"\n".join([*lines[number + 1 :], self._rest])
                    return said
            assert self._log.stdout is not None
            waited = select.select([self._log.stdout], [], [], max(0, end - time.monotonic()))[0]
            more = os.read(self._log.stdout.fileno(), 1 << 16) if waited else b""
            assert more, f"{pattern!r} was not logged:\n" + "\n".join(self.log[-40:])
            self._rest += more

    def is_active(self, unit: str = "companion.service") -> bool:
        return self.run("systemctl", "is-active", unit, ok=None) == "active"

    def shown(self, what: str, unit: str = "companion.service") -> str:
        """A property of a unit."""
        return self.run("systemctl", "show", unit, f"--property={what}", "--value")

    def powered_off(self) -> bool:
        """Wait until the machine has gone down by itself."""
        self._listen_no_more()
        return self._nspawn.wait(timeout=PATIENCE) == 0

    def _until_booted(self, told: socket.socket) -> None:
        """systemd-nspawn tells who is PID 1 inside, and when that has started everything."""
        told.settimeout(PATIENCE)
        said = ""
        while "READY=1" not in said:
            said += told.recv(4096).decode() + "\n"
        leader = re.search(r"X_NSPAWN_LEADER_PID=(\d+)", said)
        assert leader is not None, said
        self._leader = leader[1]

    def _entered(self, *command: str, **environment: str) -> list[str]:
        given = [f"{key}={value}" for key, value in environment.items()]
        path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        return ["nsenter", "--target", self._leader, "--all", "env", "-i", path, *given, *command]

    def _inside(self, *command: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._entered(*command), stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
