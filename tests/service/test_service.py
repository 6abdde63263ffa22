"""The service under a real systemd: ready, watched, restarted, left alone, safe, powered off."""

from __future__ import annotations

import json

import pytest

from companion.daemon.throwing import TRIED
from tests.service.container import TWINS, Container, needs_container

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900), needs_container]
HASTE = """
[Service]
Environment=PYTHONPATH=/src:/packages
ExecStart=
ExecStart=/usr/bin/python3 {program} run {how} --settings /etc/companion/companion.toml
WatchdogSec=20
RestartSec=200ms
"""
PINS = "/src/tests/service/pins.py"
LIBRARY_FIRST = f"""
[Service]
ExecStartPre=/usr/bin/python3 {PINS} gpiod
ExecStartPre=/usr/bin/env GPIOZERO_PIN_FACTORY=lgpio /usr/bin/python3 {PINS} lgpio
"""
SETTINGS = "/etc/companion/companion.toml"
DROP_IN = "/etc/systemd/system/companion.service.d/zz-test.conf"
SAFE_DROP_IN = "/etc/systemd/system/companion-safe.service.d/zz-test.conf"


def installed(machine: Container, settings: str = TWINS) -> None:
    """The units as they are installed, but for the place of the program and a hasty watchdog."""
    machine.run("sh", "/src/systemd/install.sh", "units")
    machine.write(SETTINGS, settings)
    machine.write(DROP_IN, HASTE.format(program="/src/tests/service/stuck.py", how=""))
    machine.write(SAFE_DROP_IN, HASTE.format(program="-m companion", how="--safe"))
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "start", "companion-off.path")


def board(machine: Container) -> str:
    """What the pages show to everybody."""
    url = "http://127.0.0.1:8080/api/snapshot?as=public"
    look = f"import urllib.request as web; print(web.urlopen('{url}').read().decode())"
    return machine.run("python3", "-c", look)


def test_a_real_systemd_watches_restarts_and_ends_the_table() -> None:
    with Container() as machine:
        installed(machine)

        machine.run("systemctl", "start", "companion.service")  # returns when it is ready
        assert machine.shown("StatusText") == "The table is open."
        assert machine.shown("User") == "companion"
        machine.hears("^Started companion.service")

        machine.run("systemctl", "kill", "--signal=KILL", "companion.service")
        machine.hears("code=killed, status=9/KILL")
        machine.hears("^Started companion.service")
        assert machine.shown("NRestarts") == "1"

        machine.run("systemctl", "kill", "--kill-whom=main", "--signal=USR1", "companion.service")
        machine.hears("Watchdog timeout")  # the loop hangs
        machine.hears("stuck.py")  # the log tells where
        machine.hears("^Started companion.service")

        machine.run("systemctl", "kill", "--kill-whom=main", "--signal=USR2", "companion.service")
        machine.hears("the watchdog is not fed: no move of seat 1")  # one display hangs
        machine.hears("Watchdog timeout")
        machine.hears("^Started companion.service")
        assert machine.shown("NRestarts") == "3"

        machine.run("setpriv", "--reuid=companion", "--regid=companion", "--clear-groups",
                    "touch", "/run/companion/power-off")  # fmt: skip
        assert machine.powered_off()


def test_in_its_sandbox_the_eye_reads_dice_and_the_hub_answers() -> None:
    everything = TWINS + '[eye]\ncamera = "twin"\n[hub]\nport = "twin"\n'
    with Container() as machine:
        installed(machine, everything)
        machine.run("systemctl", "start", "companion.service")
        told = json.loads(machine.run("python3", "/src/tests/service/thrower.py"))
        assert told["accepted"]
        assert sorted(body for body, _ in told["dice"]) == sorted(TRIED)
        assert told["picture"] > 1000
        assert "is lost" not in machine.run("journalctl", "--unit=companion.service")
        assert machine.shown("NRestarts") == "0"


def test_the_doctor_sees_what_the_service_sees_whether_it_runs_or_not() -> None:
    """The hub is a device of a group that the unit does not have, until somebody edits the unit."""
    with Container() as machine:
        installed(machine, TWINS + '[hub]\nport = "/dev/hub"\n')
        machine.run("mknod", "--mode=660", "/dev/hub", "c", "1", "5")
        machine.run("chgrp", "games", "/dev/hub")
        seen, rights = doctored(machine)
        assert seen == "right: A process in the service's sandbox."
        assert rights.startswith("wrong: Root can use it, the service may not: companion may not")

        machine.run("systemctl", "start", "companion.service")
        seen, rights = doctored(machine)
        assert seen == "right: The service, which runs."
        assert rights.startswith("wrong: Root can use it, the service may not: companion may not")

        machine.run("systemctl", "stop", "companion.service")
        machine.write(DROP_IN, machine.run("cat", DROP_IN) + "\nSupplementaryGroups=games\n")
        machine.run("systemctl", "daemon-reload")
        assert doctored(machine)[1] == "right: companion may use every device that is there."


def doctored(machine: Container) -> tuple[str, str]:
    """By whose eyes the doctor looks, and what they may use."""
    told = json.loads(machine.run("python3", "-m", "companion", "doctor", "--json", ok=None,
                                  PYTHONPATH="/src"))  # fmt: skip
    found = {one["key"]: f"{one['verdict']}: {one['says']}" for one in told["findings"]}
    return found["seen"], found["groups"]


def test_in_the_sandbox_the_pins_are_gpiods_or_by_gpiozeros_setting_lgpios() -> None:
    with Container() as machine:
        installed(machine)
        packages = machine.run("python3", "-c", "import site; print(site.getsitepackages()[0])")
        machine.run("sh", "-c", f"python3 -m zipfile -e /wheels/lgpio-*.whl {packages}")
        for unit in ("companion", "companion-safe"):
            machine.write(f"/etc/systemd/system/{unit}.service.d/zzz-first.conf", LIBRARY_FIRST)
        machine.run("systemctl", "daemon-reload")

        machine.run("systemctl", "start", "companion.service")
        machine.run("systemctl", "start", "companion-safe.service")


def test_a_start_that_fails_is_not_tried_for_ever_and_ends_in_safe_mode() -> None:
    with Container() as machine:
        installed(machine)

        machine.write(SETTINGS, "[tabel]\n" + TWINS)
        machine.run("systemctl", "start", "companion.service", ok=False)
        machine.hears("status=78/CONFIG")
        machine.hears("^Started companion-safe.service")
        assert machine.shown("NRestarts") == "0"  # exit 78: left alone
        assert machine.shown("ActiveState") == "failed"
        assert "Safe mode: " in board(machine)
        assert "companion.toml:1: tabel: unknown key; did you mean" in board(machine)

        machine.write(SETTINGS, TWINS)
        machine.run("systemctl", "start", "companion.service")
        assert not machine.is_active("companion-safe.service")
        assert "Safe mode" not in board(machine)

        machine.write(DROP_IN, HASTE.format(program="-c 'raise KeyError'", how=""))
        machine.run("systemctl", "daemon-reload")
        machine.run("systemctl", "restart", "companion.service", ok=False)
        machine.hears("Start request repeated too quickly")
        machine.hears("^Started companion-safe.service")
        assert "Safe mode: " in board(machine)
