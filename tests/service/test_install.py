"""`make install` in a real, small Debian: twice, upgraded, two bad upgrades, back, and gone."""

from __future__ import annotations

import pytest

from companion import __version__
from tests.service.container import TWINS, Container, needs_container

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900), needs_container]
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/wheels", "STEADY": "1"}


def make(
    machine: Container, target: str, source: str = "/src", ok: bool = True, **more: str
) -> str:
    return machine.run("make", "-C", source, target, ok=ok, **OFFLINE, **more)


def another(machine: Container, name: str, edit: str, file: str) -> str:
    """The sources, changed by a line of sed."""
    machine.run("mkdir", f"/{name}")
    code = "companion hardware vision firmware systemd"
    parts = f"{code} Makefile pyproject.toml constraints.txt README.md LICENSE"
    machine.run("sh", "-c", f"cd /src && cp -r {parts} /{name}")
    machine.run("sed", "-i", edit, f"/{name}/{file}")
    return f"/{name}"


def current(machine: Container) -> str:
    return machine.run("readlink", "/opt/companion/current")


def test_install_upgrade_roll_back_and_uninstall_keep_the_games() -> None:
    with Container() as machine:
        machine.write("/etc/companion/companion.toml", TWINS)

        make(machine, "install")
        first = current(machine)
        assert machine.is_active()
        assert machine.run("companion", "version") == __version__
        assert machine.run("cat", "/etc/companion/companion.toml") == TWINS.strip()

        assert machine.run("companion", "games") == "No game was played yet."  # the service's
        machine.run("companion", "backup", "/tmp/table.zip")
        machine.run("systemctl", "stop", "companion")
        asked = machine.run("companion", "glass", ok=False)
        assert "sudo systemctl start companion" in asked
        assert "The settings are in /etc" in machine.run("companion", "restore", "/tmp/table.zip")
        machine.run("systemctl", "start", "companion")  # what root brought back is the service's
        assert machine.is_active()
        assert machine.run("cat", "/etc/companion/companion.toml") == TWINS.strip()

        process = machine.shown("MainPID")
        assert "nothing to do" in make(machine, "install")
        assert (current(machine), machine.shown("MainPID")) == (first, process)

        newer = another(machine, "newer", f"s/{__version__}/9.9.9/", "companion/__init__.py")
        make(machine, "install", newer)
        second = current(machine)
        assert second != first
        assert machine.is_active()
        assert machine.run("companion", "version") == "9.9.9"

        broken = another(
            machine, "broken", "$ a import nothing_of_this_name", "companion/daemon/app.py"
        )
        assert "does not work; nothing was changed" in make(machine, "install", broken, ok=False)
        assert (current(machine), machine.is_active()) == (second, True)

        lame = another(machine, "lame", "s|^ExecStart=.*|ExecStart=/bin/false|",
                       "systemd/companion.service")  # fmt: skip
        assert f"still the old version, {second.removeprefix('releases/')}" in make(
            machine, "install", lame, ok=False
        )
        assert (current(machine), machine.is_active()) == (second, True)

        make(machine, "rollback")
        assert (current(machine), machine.is_active()) == (first, True)

        make(machine, "uninstall")
        machine.run("test", "!", "-e", "/opt/companion")
        machine.run("test", "!", "-e", "/etc/systemd/system/companion.service")
        machine.run("test", "-s", "/var/lib/companion/journal.db")
        machine.run("test", "-s", "/etc/companion/companion.toml")


def test_a_machine_with_pins_gets_their_drivers_or_is_told_which_to_install() -> None:
    with Container() as machine:
        machine.write("/etc/companion/companion.toml", TWINS)
        said = make(machine, "install", BOARD="/etc/hostname")  # no spidev among the wheels
        assert "spidev is missing" in said
        assert "sudo apt install python3-spidev" in said
        assert machine.is_active()
        machine.run("/opt/companion/current/bin/python", "-c", "import gpiod")

        greedy = another(machine, "greedy", "s/numpy>=1.24/numpy>=99/", "pyproject.toml")
        said = make(machine, "install", greedy, ok=False)
        assert "conflicting dependencies" in said  # numpy stays the one that the machine has
        assert machine.is_active()
