"""Doctor and self-test in the service's sandbox: its user, its devices, its folders, not root's.

What the unit says is asked of systemd at that moment, so it never drifts: which keys its file and
drop-ins set (`systemctl cat`), and what came of each (`systemctl show`).
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace

from companion.care.finding import Condition, Finding
from companion.care.machine import Machine
from companion.words import Text, text

UNIT = "companion.service"
PATIENCE = 90.0  # seconds: a slow Pi imports, libcamera looks for cameras
_VERDICTS: dict[str, Condition] = {"right": "right", "wrong": "wrong", "unseen": "unseen"}
_HOW_IT_RUNS = ("Type", "Exec", "Restart", "Timeout", "Watchdog")  # what it may do is the rest


def properties(machine: Machine) -> list[str] | None:
    """What the installed unit may touch, as `systemd-run` takes it; None: there is no such unit."""
    if not machine.has("run/systemd/system"):
        return None
    written = machine.run(["systemctl", "cat", UNIT])
    if written is None:
        return None
    shown = machine.run(["systemctl", "show", UNIT, f"--property={','.join(_keys(written))}"])
    lines = (shown or "").splitlines()
    return [f"--property={line}" for line in lines if line.partition("=")[2]]


def _keys(written: str) -> list[str]:
    found: dict[str, None] = {}
    section = ""
    for line in map(str.strip, written.splitlines()):
        if line.startswith("["):
            section = line
        elif section == "[Service]" and "=" in line and not line.startswith(("#", ";")):
            key = line.partition("=")[0].strip()
            if not key.startswith(_HOW_IT_RUNS):
                found[key] = None
    return list(found)


def looked_inside(sandbox: Iterable[str], settings: str) -> list[Finding] | str:
    """What a doctor finds that may do no more than the service; or why none could be started."""
    doctor = [sys.executable, "-m", "companion", "doctor", "--inside", "--settings", settings]
    command = ["systemd-run", "--quiet", "--pipe", "--wait", "--collect", *sandbox, "--", *doctor]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL,
            check=False,
        )  # fmt: skip
        return list(heard(json.loads(done.stdout)["findings"]))
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    except (ValueError, LookupError, TypeError):
        words = done.stderr.strip().splitlines()
        return words[-1] if words else f"systemd-run ended with {done.returncode}"


def run_inside(sandbox: Iterable[str], *arguments: str) -> int:
    """Run a command of ours at this terminal as the service would; its status."""
    ours = [sys.executable, "-m", "companion", *arguments]
    command = ["systemd-run", "--quiet", "--pty", "--wait", "--collect", *sandbox, "--", *ours]
    return subprocess.run(command, check=False).returncode


def heard(told: Iterable[dict[str, str]]) -> Iterator[Finding]:
    """Findings that another process has said, in its words."""
    for one in told:
        name, says, do = (text("{words}", words=one[key]) for key in ("name", "says", "do"))
        yield Finding(one["key"], name, _VERDICTS[one["verdict"]], says, do)


def beside(ours: Iterable[Finding], theirs: Iterable[Finding], who: Text) -> Iterator[Finding]:
    """What the service finds counts, and what is wrong by root's eyes alone; `who` was asked."""
    yield Finding("seen", text("Seen by"), "right", who)
    known = {one.key: one for one in ours}
    for one in theirs:
        mine = known.get(one.key)
        if one.verdict == "wrong" and mine is not None and mine.verdict == "right":
            says = text("Root can use it, the service may not: {says}", says=one.says)
            yield replace(one, says=says)
        elif one.verdict == "unseen" and mine is not None and mine.verdict == "wrong":
            yield mine
        else:
            yield one
