"""Builds the rig's kernel, modules, disks and wheels once; keeps them in .tools/rig."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

from packaging.requirements import Requirement

HERE = Path(__file__).parent
SOURCE = HERE.parents[1]
KEPT = SOURCE / ".tools/rig"
TARBALL = Path("/usr/src/linux-source-6.12.tar.xz")
PACKAGES = {  # a file that tells that it is there, and the package that has it
    str(TARBALL): "linux-source-6.12", "/usr/bin/flex": "flex", "/usr/bin/bison": "bison",
    "/usr/bin/bc": "bc", "/usr/include/libelf.h": "libelf-dev", "/sbin/depmod": "kmod",
    "/usr/bin/dtc": "device-tree-compiler", "/usr/bin/gcc": "gcc", "/usr/bin/make": "make",
    "/usr/bin/patch": "patch", "/usr/bin/xz": "xz-utils", "/usr/bin/mmdebstrap": "mmdebstrap",
    "/sbin/mke2fs": "e2fsprogs", "/usr/bin/dpkg-deb": "dpkg",
}  # fmt: skip
IN_GUEST = ("systemd-sysv", "udev", "dbus", "make", "python3-venv", "kmod", "procps", "iproute2")
PYTHONS = {"bookworm": "3.11", "trixie": "3.13"}
UNITS = sorted((HERE / "guest").glob("*.service"))
DISK_MB = 2048


class Hindered(Exception):
    """The rig cannot be built or booted here; says what to do."""


def say(words: str) -> None:
    """A line of progress, with the time."""
    print(f"{time.strftime('%H:%M:%S')}  {words}", flush=True)


def run(*command: str | Path, **how: object) -> None:
    """Do it quietly; what it said is told when it fails."""
    done = subprocess.run(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        check=False, **how,  # type: ignore[call-overload]
    )  # fmt: skip
    if done.returncode:
        tail = done.stdout.decode(errors="replace")[-2000:]
        raise Hindered(f"{' '.join(map(str, command))} failed:\n{tail}")


def digest(*of: Path | str) -> str:
    """Of files, folders and words: the same if nothing has changed."""
    sum_ = hashlib.sha256()
    for one in of:
        files = [one] if isinstance(one, str) or one.is_file() else sorted(one.rglob("*"))
        for file in files:
            if isinstance(file, str):
                sum_.update(file.encode())
            elif file.is_file() and "__pycache__" not in file.parts:
                sum_.update(str(file.relative_to(SOURCE)).encode() + file.read_bytes())
    return sum_.hexdigest()[:16]


def once(name: str, key: str, told: str, make: Callable[[Path], None]) -> Path:
    """The folder of this name, made if it is missing or was made of something else."""
    folder, stamp = KEPT / name, KEPT / f"{name}.of"
    if folder.is_dir() and stamp.is_file() and stamp.read_text().split()[:1] == [key]:
        return folder
    say(f"{name}: {told}")
    begun, worked = time.monotonic(), os.times()
    part = KEPT / f"{name}.part"
    for old in (folder, part):
        shutil.rmtree(old, ignore_errors=True)
    part.mkdir(parents=True)
    make(part)
    part.rename(folder)
    now = os.times()
    cpu = sum(now[:4]) - sum(worked[:4])
    stamp.write_text(f"{key} {time.monotonic() - begun:.0f} {cpu:.0f}")
    say(f"{name}: made in {how_long(name)}")
    return folder


def how_long(name: str) -> str:
    """What it took to make this."""
    _, seconds, cpu = (KEPT / f"{name}.of").read_text().split()
    return f"{seconds} s; {cpu} s of a processor"


def tools() -> None:
    """What Debian has."""
    missing = [package for file, package in PACKAGES.items() if not Path(file).exists()]
    if missing:
        say(f"apt-get install {' '.join(missing)}")
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        apt = ("apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=120")
        run(*apt, "update", env=quiet)
        run(*apt, "install", "--no-install-recommends", *missing, env=quiet)


def kernel() -> Path:
    """`linux` and `lib/modules`."""
    key = digest(
        HERE / "gpl", HERE / "kernel.config", HERE / "pi4.dts", str(TARBALL.stat().st_mtime)
    )
    return once("kernel", key, "User-Mode Linux 6.12, about 6 minutes of a processor", _kernel)


def _kernel(folder: Path) -> None:
    tree = folder / "tree"
    tree.mkdir()
    run("tar", "-xf", TARBALL, "-C", tree, "--strip-components=1")
    for change in sorted((HERE / "gpl").glob("*.patch")):
        run("patch", "-d", tree, "-p1", "-i", change)
    make = ("make", "-C", tree, "ARCH=um", f"-j{(os.cpu_count() or 1) + 1}")
    run(*make, "defconfig")
    merge = [tree / "scripts/kconfig/merge_config.sh", "-m", ".config", HERE / "kernel.config"]
    run(*merge, cwd=tree)
    run(*make, "olddefconfig")
    run(*make, "linux", "modules")
    _take(folder, tree)
    run("rm", "-rf", tree)  # 90,000 files: Python takes minutes on a busy disk


def _take(folder: Path, tree: Path) -> None:
    """What the rig needs of a tree that is built, and the modules beside it."""
    make = ("make", "-C", tree, "ARCH=um")
    extra = folder / "extra"
    extra.mkdir()
    shutil.copy(HERE / "gpl/i2c-rec.c", extra)
    run("apt-get", "download", "v4l2loopback-dkms", cwd=extra)
    run("dpkg-deb", "-x", next(extra.glob("*.deb")), extra / "deb")
    for file in (extra / "deb").glob("usr/src/v4l2loopback-*/v4l2loopback*.[ch]"):
        shutil.copy(file, extra)
    (extra / "Makefile").write_text(
        "obj-m := i2c-rec.o v4l2loopback.o\nccflags-y := -Dstrlcpy=strscpy\n"
    )
    run(*make, f"M={extra}", "modules")
    run(*make, f"INSTALL_MOD_PATH={folder}", "modules_install")
    run(*make, f"M={extra}", f"INSTALL_MOD_PATH={folder}", "modules_install")
    for version in (folder / "lib/modules").iterdir():
        (version / "build").unlink(missing_ok=True)
        run("depmod", "-b", folder, version.name)
    shutil.copy(tree / "linux", folder / "linux")
    run("strip", folder / "linux")
    shutil.rmtree(extra)
    run("dtc", "-q", "-o", folder / "pi4.dtb", HERE / "pi4.dts")


def disk(suite: str) -> Path:
    """A Debian as the file `root.ext4`; modules and agent come from the folder that both see."""
    key = digest(*UNITS, suite, *IN_GUEST)
    return once(suite, key, f"a small Debian {suite} as a disk", lambda at: _disk(at, suite))


def _disk(folder: Path, suite: str) -> None:
    tree = folder / "tree"
    quiet = [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("doc", "locale", "man")]
    run("mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(IN_GUEST)}",
        "--dpkgopt=force-unsafe-io", *quiet, suite, tree)  # fmt: skip
    for folder_inside in ("host", "usr/lib/modules"):
        (tree / folder_inside).mkdir(exist_ok=True)
    for file in UNITS:
        shutil.copy(file, tree / "etc/systemd/system")
        run("systemctl", "--root", tree, "enable", file.name)
    for unit in ("getty@.service", "serial-getty@.service", "systemd-timesyncd.service",
                 "apt-daily.timer", "apt-daily-upgrade.timer", "e2scrub_all.timer",
                 "fstrim.timer", "dpkg-db-backup.timer"):  # fmt: skip
        (tree / "etc/systemd/system" / unit).unlink(missing_ok=True)
        (tree / "etc/systemd/system" / unit).symlink_to("/dev/null")
    (tree / "etc/fstab").write_text("/dev/ubda / ext4 noatime 0 1\n")
    (tree / "etc/hostname").write_text("table\n")
    (tree / "etc/hosts").write_text("127.0.0.1 localhost table\n")
    run("mke2fs", "-q", "-t", "ext4", "-d", tree, folder / "root.ext4", f"{DISK_MB}M")
    run("rm", "-rf", tree)


def wheels(suite: str) -> Path:
    """Whatever `make install` fetches, for the Python of that Debian; nothing is compiled."""
    project = tomllib.loads((SOURCE / "pyproject.toml").read_text())["project"]
    (extras,) = re.findall(r'extra="\[(pi.*)\]"', (SOURCE / "systemd/install.sh").read_text())
    optional = [project["optional-dependencies"][one] for one in extras.split(",")]
    wanted = [*project["dependencies"], *(one for some in optional for one in some)]
    key = digest(*wanted, (SOURCE / "constraints.txt").read_text(), PYTHONS[suite])
    return once(
        f"wheels-{suite}", key, f"packages for Python {PYTHONS[suite]}",
        lambda at: _wheels(at, PYTHONS[suite], wanted),
    )  # fmt: skip


def _wheels(folder: Path, python: str, wanted: list[str]) -> None:
    machine = os.uname().machine
    get = (
        sys.executable, "-m", "pip", "download", "-q", "-d", folder, "--only-binary=:all:",
        "--python-version", python, *(f"--platform=manylinux_{glibc}_{machine}" for glibc in
        ("2_17", "2_28", "2_34")), f"--platform=manylinux2014_{machine}",
    )  # fmt: skip
    (folder / "constraints").write_text("\n".join(_constraints(python)))
    run(*get, "-c", folder / "constraints", *wanted)
    (folder / "constraints").unlink()
    run(*get, "setuptools>=70.1", "wheel")
    try:  # not everybody has one for every Python
        run(*get, "lgpio>=0.2.2")
    except Hindered:
        say(f"lgpio has no wheel for Python {python}")


def _constraints(python: str) -> Iterator[str]:
    """Those that hold for this Python: pip would ask its own which do."""
    for line in (SOURCE / "constraints.txt").read_text().splitlines():
        if line and not line.lstrip().startswith("#"):
            one = Requirement(line)
            if one.marker is None or one.marker.evaluate({"python_full_version": f"{python}.0"}):
                one.marker = None
                yield str(one)


def everything(suite: str) -> None:
    """All that must be there before the machine is switched on."""
    if os.geteuid() != 0:
        raise Hindered("the rig needs root: sudo make rig")
    KEPT.mkdir(parents=True, exist_ok=True)
    tools()
    kernel()
    disk(suite)
    wheels(suite)
