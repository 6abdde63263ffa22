"""The doctor through the service's eyes: asked if it runs, else its sandbox is entered."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from companion.care.device_checks import groups
from companion.care.finding import Finding
from companion.care.machine import Machine, may_open
from companion.care.sandbox import beside, heard, looked_inside, properties
from companion.cli import care as care_commands
from companion.cli.window import ask_doctor
from companion.daemon.app import serve
from companion.settings import installed
from companion.settings.settings import read, with_twins
from companion.words import text
from tests.care.machines import at_home, pi4, touch
from tests.cli.test_cli import companion

UNIT = """
# /etc/systemd/system/companion.service
[Unit]
Description=Table companion
[Service]
Type=notify
ExecStart=/opt/companion/current/bin/python -m companion run
WatchdogSec=60
RestartSec=2
# /etc/systemd/system/companion.service.d/sandbox.conf
[Service]
User=companion
; a comment = none
DeviceAllow=char-i2c rw
DeviceAllow=char-ttyACM rw
WorkingDirectory=%t/companion
LogRateLimitIntervalSec=30s
[Install]
WantedBy=multi-user.target
"""
SHOWN = """User=companion
DeviceAllow=char-ttyACM rw
DeviceAllow=char-i2c rw
WorkingDirectory=/run/companion
"""
TWINS = "[hardware]\npanels = 'twin'\ndisplays = 'twin'\n"
BARRED = {
    "key": "groups", "name": "Rights", "verdict": "wrong", "do": "",
    "says": "companion may not use /dev/ttyACM0.",
}  # fmt: skip


def systemd(root: Path, unit: str | None = UNIT) -> Machine:
    """A Pi on which systemd answers so."""

    def run(command: Sequence[str]) -> str | None:
        if command[:2] == ["systemctl", "cat"]:
            return unit
        asked = ["systemctl", "show", "companion.service"]
        wanted = "--property=User,DeviceAllow,WorkingDirectory,LogRateLimitIntervalSec"
        return SHOWN if command == [*asked, wanted] else None

    return replace(pi4(root, {"run/systemd/system/unit": ""}), run=run)


def tool(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> Path:
    """A systemd-run of our own, which writes down how it was called."""
    program, notes = folder / "systemd-run", folder / "called"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >{notes}\n{script}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return notes


def test_what_the_unit_may_touch_is_taken_from_systemd_and_how_it_runs_is_not(
    tmp_path: Path,
) -> None:
    assert properties(systemd(tmp_path / "pi")) == [
        "--property=User=companion",
        "--property=DeviceAllow=char-ttyACM rw",
        "--property=DeviceAllow=char-i2c rw",
        "--property=WorkingDirectory=/run/companion",
    ]
    assert properties(systemd(tmp_path / "pi", unit=None)) is None
    assert properties(pi4(tmp_path / "without systemd")) is None


def test_a_doctor_is_started_inside_and_what_it_says_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = json.dumps({"well": False, "findings": [BARRED]})
    notes = tool(tmp_path, monkeypatch, f"echo '{said}'; exit 1")
    found = looked_inside(["--property=User=companion"], "/etc/companion/companion.toml")
    assert isinstance(found, list)
    assert [one.as_json() for one in found] == [BARRED]
    called = notes.read_text().splitlines()
    assert called[:5] == ["--quiet", "--pipe", "--wait", "--collect", "--property=User=companion"]
    assert called[-5:] == [
        "companion", "doctor", "--inside", "--settings", "/etc/companion/companion.toml",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo 'Unknown assignment: Foo=bar' >&2; exit 1", "Unknown assignment: Foo=bar"),
        ("exit 226", "systemd-run ended with 226"),
        ("""echo '{"findings": [{"key": "x"}]}'""", "systemd-run ended with 0"),
    ],
)
def test_a_sandbox_that_cannot_be_entered_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, why: str
) -> None:
    tool(tmp_path, monkeypatch, script)
    assert looked_inside([], "x.toml") == why
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert "systemd-run" in str(looked_inside([], "x.toml"))


def test_what_only_root_may_open_is_said_and_nothing_that_root_found_is_lost() -> None:
    fine = Finding("groups", text("Rights"), "right", text("companion may use every device."))
    weak = Finding("power", text("Power"), "wrong", text("The voltage is too low right now."))
    blind = {**BARRED, "key": "power", "verdict": "unseen"}
    who, rights, power = beside([fine, weak], heard([BARRED, blind]), text("The service."))
    assert (who.key, who.says.show()) == ("seen", "The service.")
    assert rights.says.show() == (
        "Root can use it, the service may not: companion may not use /dev/ttyACM0."
    )
    assert power is weak


def test_a_device_that_the_unit_bars_is_found_by_opening_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert may_open(Path("/dev/null"))
    real = os.open

    def barred(path: Path, flags: int) -> int:
        if path == Path("/dev/null"):
            raise PermissionError(1, "Operation not permitted")
        return real(path, flags)

    monkeypatch.setattr(os, "open", barred)
    assert not may_open(Path("/dev/null"))
    box = replace(pi4(tmp_path / "pi"), allowed=lambda path: "i2c-25" not in path.name)
    found = groups(box, at_home(tmp_path), touch())
    assert found.says.show() == "pi may not use /dev/i2c-25."
    assert found.do.show().startswith("sudo systemctl restart companion")


@pytest.mark.slow
def test_a_companion_that_runs_says_how_it_is_with_its_own_eyes(tmp_path: Path) -> None:
    settings = with_twins(read(f'[table]\nstate = "{tmp_path}"\n[web]\non = false\n'))

    async def ask() -> list[dict[str, str]] | None:
        assert await ask_doctor(tmp_path / "window.sock") is None  # none runs
        ready = asyncio.Event()
        running = asyncio.create_task(serve(settings, ready.set))
        await ready.wait()
        told = await ask_doctor(tmp_path / "window.sock")
        signal.raise_signal(signal.SIGTERM)  # as systemd stops it
        await running
        return told

    told = asyncio.run(ask())
    assert told is not None
    assert {one.key for one in heard(told)} >= {"board", "groups", "camera", "buttons", "hub"}


@pytest.mark.parametrize("runs", [True, False])
def test_the_doctor_of_a_service_asks_it_or_its_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runs: bool
) -> None:
    etc = tmp_path / "etc.toml"
    etc.write_text(TWINS)
    for module in (installed, care_commands):
        monkeypatch.setattr(module, "ETC", etc)

    async def asked(_path: Path) -> list[dict[str, str]] | None:
        return [BARRED] if runs else None

    box = replace(systemd(tmp_path / "pi"), user="root")
    monkeypatch.setattr(care_commands, "ask_doctor", asked)
    monkeypatch.setattr(care_commands, "this_machine", lambda: box)
    said = json.dumps({"findings": [BARRED]})
    tool(tmp_path, monkeypatch, f"echo '{said}'")
    told = companion(tmp_path, "doctor", "--json", ok=False)
    seen, rights = json.loads(told.stdout)["findings"]
    assert seen["says"] == (
        "The service, which runs." if runs else "A process in the service's sandbox."
    )
    assert rights["verdict"] == "wrong"


def test_where_no_unit_is_installed_or_none_is_meant_it_says_so_and_looks_as_you(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    etc = tmp_path / "etc.toml"
    etc.write_text(TWINS)
    for module in (installed, care_commands):
        monkeypatch.setattr(module, "ETC", etc)
    box = replace(systemd(tmp_path / "pi", unit=None), user="root")
    monkeypatch.setattr(care_commands, "this_machine", lambda: box)
    seen, *rest = json.loads(companion(tmp_path, "doctor", "--json").stdout)["findings"]
    assert seen["says"].endswith("no companion.service is installed.")
    assert len(rest) == 15
    other = companion(tmp_path, "doctor", "--twin", "--settings", str(_copy(etc)), "--json")
    assert "root: these are not the settings of an installed service." in other.stdout


def _copy(file: Path) -> Path:
    copy = file.with_name("mine.toml")
    copy.write_text(file.read_text())
    return copy


def test_the_self_test_of_a_service_is_run_in_its_sandbox_and_its_report_is_handed_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    etc, state = tmp_path / "etc.toml", tmp_path / "state"
    state.mkdir()
    etc.write_text(f'{TWINS}[table]\nstate = "{state}"\n')
    for module in (installed, care_commands):
        monkeypatch.setattr(module, "ETC", etc)
    box = replace(systemd(tmp_path / "pi"), user="root")
    monkeypatch.setattr(care_commands, "this_machine", lambda: box)
    wrote = f"echo seen >{state}/selftest.md; echo {{}} >{state}/selftest.json; exit 1"
    notes = tool(tmp_path, monkeypatch, wrote)
    companion(tmp_path, "selftest", str(tmp_path / "mine"), ok=False)  # its status is ours
    assert (tmp_path / "mine.md").read_text() == "seen\n"
    assert (tmp_path / "mine.json").read_text() == "{}\n"
    assert list(state.iterdir()) == []
    called = notes.read_text().splitlines()
    assert called[:5] == ["--quiet", "--pty", "--wait", "--collect", "--property=User=companion"]
    assert called[-5:] == ["selftest", "--inside", "--settings", str(etc), f"{state}/selftest"]
