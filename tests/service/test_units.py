"""The units as files: systemd finds nothing wrong with them, and little that they expose."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import within

SOURCE = Path(__file__).parents[2]
UNITS = (
    "companion.service",
    "companion-safe.service",
    "companion-off.service",
    "companion-off.path",
)
pytestmark = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="apt-get install systemd"
)


def install(into: Path) -> None:
    subprocess.run(
        ["sh", SOURCE / "systemd/install.sh", "units"],
        env={**os.environ, "DESTDIR": str(into), "PREFIX": "/opt/companion"}, check=True,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The units as they are installed, with a program that exists."""
    install(tmp_path)
    for unit in (tmp_path / "etc/systemd/system").glob("*.service"):
        python = unit.read_text().replace("/opt/companion/current/bin/python", sys.executable)
        unit.write_text(python)
    return tmp_path / "etc/systemd/system"


def analyze(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", "--no-pager", *arguments], capture_output=True, text=True,
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{folder}:", "SYSTEMD_LOG_LEVEL": "notice"},
        timeout=within(60), check=False,
    )  # fmt: skip


def complaints(folder: Path, unit: str) -> str:
    """What systemd says about this unit and its drop-ins; about others of the machine it may."""
    done = analyze(folder, "verify", "--man=no", "--recursive-errors=no", str(folder / unit))
    return "\n".join(line for line in done.stderr.splitlines() if "companion" in line)


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_finds_nothing_wrong_with_a_unit(folder: Path, unit: str) -> None:
    assert complaints(folder, unit) == ""


def test_a_key_that_systemd_does_not_know_is_noticed(folder: Path) -> None:
    drop_in = folder / "companion.service.d/sandbox.conf"
    drop_in.write_text(drop_in.read_text() + "\nProtectEverything=yes\n")
    assert "ProtectEverything" in complaints(folder, "companion.service")


@pytest.mark.parametrize("unit", ["companion.service", "companion-safe.service"])
def test_a_service_exposes_no_more_than_two_of_ten(folder: Path, unit: str) -> None:
    done = analyze(folder, "security", "--offline=true", "--threshold=20", str(folder / unit))
    found = re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)
    assert found, done.stderr
    assert float(found[1]) <= 2.0
    assert done.returncode == 0


def test_no_rule_asks_for_an_id_before_udev_has_set_it() -> None:
    sets = {"tty": "60-serial.rules", "video4linux": "60-persistent-v4l.rules"}
    asked = [
        (rules.name, re.findall(r'SUBSYSTEM=="(\w+)"', line))
        for rules in (SOURCE / "systemd").glob("*.rules")
        for line in rules.read_text().splitlines()
        if re.search(r"(ENV|env)\{ID_", line) and not line.startswith("#")
    ]
    assert asked, "the hub's name depends on its vendor"
    for name, (subsystem,) in asked:
        assert name > sets[subsystem]  # udev takes the files in this order


def test_every_kind_of_device_that_may_be_plugged_in_later_has_its_driver_loaded(
    folder: Path,
) -> None:
    drivers = {"char-ttyACM": "cdc_acm", "char-ttyUSB": "usbserial", "char-video4linux": "uvcvideo"}
    allowed = re.findall(r"DeviceAllow=(\S+)", (SOURCE / "systemd/sandbox.conf").read_text())
    loaded = (folder.parents[1] / "modules-load.d/companion.conf").read_text().splitlines()
    assert {drivers[kind] for kind in allowed if kind in drivers} <= set(loaded)
    assert drivers.keys() <= set(allowed)


def test_an_upgrade_leaves_no_rules_of_the_version_before(tmp_path: Path) -> None:
    rules = tmp_path / "etc/udev/rules.d"
    rules.mkdir(parents=True)
    (rules / "60-companion.rules").touch()
    install(tmp_path)
    assert [one.name for one in rules.iterdir()] == ["70-companion.rules"]
    subprocess.run(
        ["sh", SOURCE / "systemd/install.sh", "uninstall"],
        env={**os.environ, "DESTDIR": str(tmp_path)}, check=True, capture_output=True,
    )  # fmt: skip
    left = [str(one.relative_to(tmp_path)) for one in tmp_path.rglob("*") if one.is_file()]
    assert left == []


def test_bad_settings_and_a_newer_journal_are_not_tried_again(folder: Path) -> None:
    assert "RestartPreventExitStatus=78 65" in (folder / "companion.service").read_text()
