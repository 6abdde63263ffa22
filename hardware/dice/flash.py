"""Puts the firmware onto a board: which files go where, copied by mpremote one at a time."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

import firmware
from companion.errors import DeviceLost

Kind: TypeAlias = Literal["hub", "die"]
Copy: TypeAlias = Callable[..., None]
"""Runs mpremote with these arguments; raises DeviceLost with what it said."""

ROOT = Path(firmware.__file__).parents[1]
SHARED = (
    "firmware/__init__.py",
    "firmware/wire.py",
    "firmware/board.py",
    "firmware/outbox.py",
)
OWN: dict[Kind, tuple[str, ...]] = {
    "hub": ("firmware/hub.py", "firmware/main_hub.py"),
    "die": (
        "firmware/battery.py",
        "firmware/die.py",
        "firmware/feel.py",
        "firmware/lis3dh.py",
        "firmware/sleeping.py",
        "firmware/main_die.py",
    ),
}


def files(kind: Kind) -> tuple[str, ...]:
    """What goes onto the board, under the same names as here; `main.py` comes last."""
    return SHARED + OWN[kind]


def starter(kind: Kind) -> str:
    """The `main.py` that the board runs when it starts."""
    return f"from firmware.main_{kind} import main\n\nmain()\n"


def flash(port: str, kind: Kind, copy: Copy) -> Iterator[str]:
    """Copy everything; yields each file's name when it is on the board."""
    for folder in ("hardware", "firmware"):
        copy(port, "exec", f"import os\nif {folder!r} not in os.listdir(): os.mkdir({folder!r})")
    for name in files(kind):
        copy(port, "fs", "cp", "-f", str(ROOT / name), f":{name}")
        yield name
    with tempfile.TemporaryDirectory() as folder:
        main = Path(folder, "main.py")
        main.write_text(starter(kind))
        copy(port, "fs", "cp", "-f", str(main), ":main.py")
    yield "main.py"


def restart(port: str, copy: Copy) -> None:
    """Let the board run what it was given."""
    copy(port, "reset")


def mpremote(port: str, *arguments: str, timeout: float = 60) -> None:
    """One call of mpremote on a board that must not be reset before."""
    command = [sys.executable, "-m", "mpremote", "connect", port, "resume", *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired as why:
        raise DeviceLost("the board does not answer: hold BOOT, tap RESET, try again") from why
    if "No module named mpremote" in done.stderr:
        raise DeviceLost("mpremote is missing: pip install mpremote")
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise DeviceLost("mpremote: " + (said[-1] if said else "failed without a word"))
