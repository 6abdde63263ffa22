"""The machine as the doctor sees it: files, tools, rights. Handed in, so a test can be any Pi."""

from __future__ import annotations

import fcntl
import grp
import os
import platform
import pwd
import shutil
import subprocess
import sys
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

Run: TypeAlias = Callable[[Sequence[str]], str | None]
SERVICE = "companion"
SERVICE_GROUPS = ("dialout", "gpio", "i2c", "spi", "video")  # as systemd/sandbox.conf gives them
PATIENCE = 5.0  # seconds that a tool of the system may take


@dataclass(frozen=True)
class Machine:
    """`root` is where /proc, /sys, /dev, /etc and /run hang."""

    root: Path
    run: Run  # a tool's output; None: it is not there, failed, or did not end
    allowed: Callable[[Path], bool]  # may we read and write it?
    room: Callable[[Path], int]  # free bytes where this folder lies
    user: str
    groups: frozenset[str]
    bits: int  # of the programs, which need not be those of the kernel

    def read(self, path: str) -> str:
        """A file's text; empty if there is none."""
        try:
            return (self.root / path).read_text(errors="replace").strip("\0\n ")
        except OSError:
            return ""

    def has(self, path: str) -> bool:
        """Is there such a file, device or folder?"""
        return (self.root / path).exists()

    def names(self, folder: str, pattern: str = "*") -> list[str]:
        """What lies in a folder."""
        return sorted(path.name for path in (self.root / folder).glob(pattern))

    def may_use(self, path: str) -> bool:
        """May this user read and write it?"""
        return self.allowed(self.root / path)

    @property
    def model(self) -> str:
        """The board's name as its maker gave it; empty: no Pi."""
        return self.read("proc/device-tree/model")

    @property
    def release(self) -> dict[str, str]:
        """What the system says about itself."""
        lines = self.read("etc/os-release").splitlines()
        pairs = (line.split("=", 1) for line in lines if "=" in line)
        return {key: value.strip('"') for key, value in pairs}

    @property
    def system(self) -> str:
        """Its name for people."""
        return self.release.get("PRETTY_NAME") or "Linux"

    @property
    def is_pi(self) -> bool:
        """Is this a Raspberry Pi?"""
        return "Raspberry Pi" in self.model


def this_machine() -> Machine:
    """The one that we run on."""
    return Machine(
        root=Path("/"), run=_run, allowed=may_open,
        room=lambda path: shutil.disk_usage(path).free,
        user=_user(), groups=_groups(), bits=64 if sys.maxsize > 2**32 else 32,
    )  # fmt: skip


def as_service(machine: Machine) -> Machine:
    """The same machine as the installed service sees it, for root who looks after it."""
    try:
        owner = pwd.getpwnam(SERVICE)
    except KeyError:
        return machine
    numbers = {owner.pw_gid}
    for name in SERVICE_GROUPS:
        with suppress(KeyError):
            numbers.add(grp.getgrnam(name).gr_gid)

    def allowed(path: Path) -> bool:
        try:
            return may_use(path.stat(), owner.pw_uid, numbers)
        except OSError:
            return False

    groups = frozenset(SERVICE_GROUPS)
    return replace(machine, user=SERVICE, groups=groups, allowed=allowed)


def may_open(path: Path) -> bool:
    """May we read and write it? A device is opened: the unit's device list has a say, too."""
    try:
        if not path.is_char_device():
            return os.access(path, os.R_OK | os.W_OK)
        os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY))
    except PermissionError:
        return False
    except OSError:  # busy, or nothing answers behind it: that is no matter of rights
        return True
    return True


def may_use(about: os.stat_result, user: int, groups: Container[int]) -> bool:
    """Do the owner, group and mode of a file let this user read and write it?"""
    if about.st_uid == user:
        return about.st_mode & 0o600 == 0o600
    if about.st_gid in groups:
        return about.st_mode & 0o060 == 0o060
    return about.st_mode & 0o006 == 0o006


def versions() -> dict[str, str]:
    """What runs here, for whoever is asked for help."""
    return {
        "python": platform.python_version(),
        "kernel": platform.release(),
        "architecture": platform.machine(),
    }


def held(lock: Path) -> bool:
    """Does a companion run on this state directory?"""
    try:
        handle = os.open(lock, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def _run(command: Sequence[str]) -> str | None:
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=PATIENCE, stdin=subprocess.DEVNULL, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode(errors="replace") if done.returncode == 0 else None


def _user() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def _groups() -> frozenset[str]:
    found = set()
    for number in {os.getegid(), *os.getgroups()}:
        with suppress(KeyError):
            found.add(grp.getgrgid(number).gr_name)
    return frozenset(found)
