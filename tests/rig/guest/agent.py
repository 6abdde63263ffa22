"""Inside the rig: does what the host asks for on one serial line, forwards the bus on another.

A service of its own, with what Debian's Python has: nothing of the companion is imported here.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
import tty
from pathlib import Path
from typing import Any

CHIP = Path("/sys/devices/platform/gpio")
PULL = (b"pull-down", b"pull-up")
alone = threading.Lock()


def opened(name: str, how: int) -> int:
    line = os.open(name, how | os.O_NOCTTY)
    tty.setraw(line)
    return line


def whole(line: int, data: bytes) -> None:
    """All of it. A writer that waits for room on a full line of this kernel may sleep for ever."""
    while data:
        try:
            data = data[os.write(line, data[:1024]) :]
        except BlockingIOError:
            time.sleep(0.002)


def forward(out: int) -> None:
    """Every byte of the bus leaves the machine as soon as it was carried."""
    bus = os.open("/dev/i2c-rec", os.O_RDONLY)
    while True:
        whole(out, os.read(bus, 1 << 16))


def pulls(wanted: list[list[int]]) -> dict[str, list[int]]:
    """Pull lines, each (line, level, microseconds to wait afterwards); between when and when."""
    files: dict[int, int] = {}
    at, by = [], []
    for line, level, wait in wanted:
        if line not in files:
            (pin,) = CHIP.glob(
                f"gpiochip*/sim_gpio{line}/pull"
            )  # a chip bound again has a new number
            files[line] = os.open(pin, os.O_WRONLY)
        at.append(time.monotonic_ns())
        os.pwrite(files[line], PULL[level], 0)
        by.append(time.monotonic_ns())
        if wait:
            time.sleep(wait / 1e6)
    for one in files.values():
        os.close(one)
    return {"at": at, "by": by}


def obey(asked: dict[str, Any]) -> dict[str, Any]:
    if "pulls" in asked:
        wanted = asked["pulls"]
        if isinstance(wanted, str):  # the file that holds them
            wanted = json.loads(Path(wanted).read_text())
        return pulls(wanted)
    done = subprocess.run(
        ["/bin/sh", "-c", asked["run"]], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=asked["timeout"], check=False, cwd="/root",
        env={**os.environ, "HOME": "/root", "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    return {"status": done.returncode, "said": done.stdout.decode(errors="replace")}


def answer(line: int, asked: dict[str, Any]) -> None:
    began = time.monotonic_ns()
    try:
        told = obey(asked)
    except Exception as error:  # noqa: BLE001  # whatever it is, the host is told
        told = {"status": -1, "said": repr(error)}
    with alone:
        whole(line, json.dumps({"id": asked["id"], "began": began, **told}).encode() + b"\n")


def main() -> None:
    orders = opened("/dev/ttyS0", os.O_RDONLY)
    answers = opened("/dev/ttyS0", os.O_WRONLY | os.O_NONBLOCK)
    bus = opened("/dev/ttyS1", os.O_WRONLY | os.O_NONBLOCK)
    threading.Thread(target=forward, args=(bus,), daemon=True).start()
    whole(answers, b'{"id": 0, "said": "here"}\n')
    rest = b""
    while True:
        *lines, rest = (rest + os.read(orders, 4096)).split(b"\n")
        for asked in lines:
            threading.Thread(target=answer, args=(answers, json.loads(asked)), daemon=True).start()


if __name__ == "__main__":
    main()
