"""Machines that never were: a Pi 4 on Bookworm, a Pi 5 on Trixie, a PC, each with its faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from companion.care.device_checks import Touch
from companion.care.machine import Machine
from companion.settings.settings import Settings, read

BOOKWORM = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\n'
TRIXIE = 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nVERSION_CODENAME=trixie\n'
PLENTY = 8 << 30
ALL_GROUPS = frozenset({"gpio", "i2c", "spi", "video", "dialout"})
ARDUCAM = "Available cameras\n-----------------\n0 : imx708 [4608x2592 10-bit RGGB] (/base/soc)\n"


def machine(
    root: Path,
    files: Mapping[str, str],
    *,
    tools: Mapping[str, str] | None = None,
    barred: Sequence[str] = (),
    groups: frozenset[str] = ALL_GROUPS,
    bits: int = 64,
    room: int = PLENTY,
) -> Machine:
    """A tree of files, tools that answer, device files that this user may not open."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    known = tools or {}
    return Machine(
        root=root, run=lambda command: known.get(command[0]),
        allowed=lambda path: not any(str(path).endswith(one) for one in barred),
        room=lambda _: room, user="pi", groups=groups, bits=bits,
    )  # fmt: skip


def pi4(root: Path, more: Mapping[str, str] | None = None, **how: object) -> Machine:
    """As it should be: a splitter whose channels are buses 22 to 29, a camera, a hub."""
    files = {
        "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
        "proc/meminfo": "MemTotal: 3884772 kB\nMemAvailable: 3100000 kB\n",
        "proc/mounts": "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\ntmpfs /run tmpfs rw 0 0\n",
        "etc/os-release": BOOKWORM,
        "dev/gpiochip0": "",
        "dev/i2c-1": "",
        "dev/video0": "",
        "sys/class/video4linux/video0/name": "HD Pro Webcam\n",
        "dev/serial/by-id/usb-Espressif_USB_JTAG_serial_debug_unit_AA:BB-if00": "",
        **{f"dev/i2c-{bus}": "" for bus in range(22, 30)},
        **{
            f"sys/class/i2c-adapter/i2c-{22 + channel}/name": f"i2c-1-mux (chan_id {channel})\n"
            for channel in range(8)
        },
        **(more or {}),
    }
    tools = {"vcgencmd": "throttled=0x0\n", "timedatectl": "yes\n"}
    return machine(root, files, tools={**tools, **how.pop("tools", {})}, **how)  # type: ignore[arg-type, dict-item]


def pi5(root: Path, **how: object) -> Machine:
    """Trixie; its kernel gave the channels other numbers."""
    made = pi4(root, {"proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
                      "etc/os-release": TRIXIE, "dev/gpiochip4": ""}, **how)  # fmt: skip
    for bus in range(22, 30):
        (root / f"dev/i2c-{bus}").unlink()
        (root / f"sys/class/i2c-adapter/i2c-{bus}/name").rename(
            _made(root / f"sys/class/i2c-adapter/i2c-{bus - 8}") / "name"
        )
        (root / f"dev/i2c-{bus - 8}").write_text("")
    return replace(made, run=lambda command: {"vcgencmd": "throttled=0x0\n",
                                              "rpicam-hello": ARDUCAM,
                                              "timedatectl": "yes\n"}.get(command[0]))  # fmt: skip


def pc(root: Path) -> Machine:
    """A desktop with Debian."""
    return machine(root, {
        "proc/meminfo": "MemAvailable: 9000000 kB\n", "etc/os-release": BOOKWORM,
        "proc/mounts": "/dev/nvme0n1p2 / ext4 rw 0 0\n",
    })  # fmt: skip


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def at_home(state: Path, more: str = "") -> Settings:
    """The default wiring with camera and hub, games in this folder."""
    return read(f'[table]\nstate = "{state}"\n[eye]\ncamera = "0"\n[hub]\nport = "auto"\n{more}')


def touch(silent: Mapping[str, str] | None = None, stuck: Mapping[int, str] | None = None) -> Touch:
    """Devices that all answer but for these."""
    return Touch(lambda one: (silent or {}).get(one.name), lambda pin: (stuck or {}).get(pin))
