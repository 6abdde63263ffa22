"""What the doctor finds on machines that are well, and on machines that are not."""

from __future__ import annotations

import asyncio
import io
import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest
from rich.console import Console

from companion.care.device_checks import Touch
from companion.care.doctor import ailing, diagnose
from companion.care.finding import Finding, well
from companion.care.listing import listing
from companion.care.machine import Machine, held, may_use, this_machine
from companion.care.watch import Watch
from companion.errors import DeviceLost
from companion.events import ButtonStorm, ButtonStuck, Event, Unwell
from companion.memory.watermark import mark_file
from companion.settings.settings import Settings, read, with_twins
from companion.table.troubles import Troubles
from companion.words import Panel, text
from tests.care.machines import ARDUCAM, at_home, machine, pc, pi4, pi5, touch
from tests.cli.test_cli import companion
from tests.table.desk import Desk

NO_WEB = "[hardware]\npanels = 'twin'\ndisplays = 'twin'\n"


def found(box: Machine, settings: Settings, tried: Touch | None = None) -> dict[str, Finding]:
    return {one.key: one for one in diagnose(box, settings, tried or touch())}


def said(finding: Finding) -> str:
    return f"{finding.verdict}: {finding.says.show()} {finding.do.show()}".strip()


def test_a_pi_4_on_bookworm_that_is_well(tmp_path: Path) -> None:
    here = found(pi4(tmp_path / "pi"), at_home(tmp_path))
    assert well(here.values()), [said(one) for one in here.values()]
    assert said(here["board"]) == "right: Raspberry Pi 4 Model B Rev 1.4."
    assert said(here["system"]) == "right: Debian GNU/Linux 12 (bookworm), 64 bit."
    assert said(here["i2c"]) == "right: Bus 22-27."
    assert said(here["displays"]) == "right: 6 of 6 answer."
    assert said(here["buttons"]) == "right: 20 pins are free, and none is held down."
    assert said(here["camera"]) == "right: /dev/video0 is there (HD Pro Webcam)."
    assert said(here["hub"]).startswith("right: Plugged in: usb-Espressif")
    assert said(here["disk"]) == "right: 8192 MB are free on the SD card."
    assert here["spi"].verdict == "unseen"


def test_a_pi_5_on_trixie_gave_the_splitter_other_buses_and_the_doctor_names_them(
    tmp_path: Path,
) -> None:
    here = found(pi5(tmp_path / "pi"), at_home(tmp_path))
    assert said(here["i2c"]) == (
        "wrong: There is no bus 22-27. The splitter's channels are bus 14-21 here: "
        "set the displays' port to these."
    )
    assert [key for key, one in here.items() if one.verdict == "wrong"] == ["i2c"]
    display = '[[display]]\nname = "table"\nport = 14\n'
    assert well(found(pi5(tmp_path / "again"), at_home(tmp_path, display)).values())


def test_a_ribbon_camera_is_asked_of_libcamera(tmp_path: Path) -> None:
    settings = read(f'[table]\nstate = "{tmp_path}"\n[eye]\ncamera = "pi"\n')
    assert said(found(pi5(tmp_path / "5"), settings)["camera"]) == "right: imx708 on the ribbon."
    none = pi4(tmp_path / "4", tools={"rpicam-hello": "No cameras available!\n"})
    assert "push the ribbon in" in said(found(none, settings)["camera"])
    assert "rpicam-apps" in said(found(pi4(tmp_path / "x"), settings)["camera"])
    assert "0 : imx708" in ARDUCAM


def test_a_pc_needs_the_twins_and_is_well_with_them(tmp_path: Path) -> None:
    here = found(pc(tmp_path / "pc"), at_home(tmp_path))
    assert "companion run --twin" in said(here["board"])
    twins = read(f'[table]\nstate = "{tmp_path}"\n{NO_WEB}')
    here = found(pc(tmp_path / "pc"), twins)
    assert well(here.values())
    assert {key for key, one in here.items() if one.verdict == "unseen"} >= {
        "power", "i2c", "spi", "groups", "camera", "displays", "buttons", "hub",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("files", "how", "key", "sentence"),
    [
        ({"proc/device-tree/model": "Raspberry Pi Zero W Rev 1.1"}, {}, "board", "Pi 4 or 5"),
        ({}, {"bits": 32}, "system", "64-bit Raspberry Pi OS"),
        ({"etc/os-release": "PRETTY_NAME=x\nVERSION_CODENAME=buster"}, {}, "system", "Bookworm"),
        ({}, {"tools": {"vcgencmd": "throttled=0x50005"}}, "power", "too low right now"),
        ({}, {"tools": {"vcgencmd": "throttled=0x50000"}}, "power", "since the start, though not"),
        ({}, {"tools": {"vcgencmd": "throttled=0x80008"}}, "power", "slowed down: too hot"),
        ({}, {"tools": {"vcgencmd": "throttled=0x20000"}}, "power", "by heat since the start"),
        ({}, {"tools": {"timedatectl": "no\n"}}, "clock", "Not set by the network"),
        ({"proc/meminfo": "MemAvailable: 90000 kB"}, {}, "memory", "87 MB are free"),
        ({}, {"room": 3 << 20}, "disk", "3 MB are free on the SD card. Make room"),
        ({"proc/mounts": "tmpfs / tmpfs rw 0 0"}, {}, "disk", "the plug takes them all"),
        ({"proc/mounts": "overlay / overlay rw 0 0"}, {}, "disk", "switch the overlay off"),
        ({}, {"barred": ["dev/i2c-22"], "groups": frozenset()}, "groups",
         "pi may not use /dev/i2c-22. sudo usermod -aG i2c pi"),
        ({}, {"barred": ["dev/gpiochip0"], "groups": frozenset({"i2c"})}, "groups", "-aG gpio pi"),
        ({}, {"barred": ["if00"], "groups": frozenset()}, "groups", "-aG dialout pi"),
    ],
)  # fmt: skip
def test_each_ill_is_found_and_said_with_its_cure(
    tmp_path: Path, files: dict[str, str], how: dict[str, object], key: str, sentence: str
) -> None:
    here = found(pi4(tmp_path / "pi", files, **how), at_home(tmp_path))
    assert [one for one, finding in here.items() if finding.verdict == "wrong"] == [key]
    assert sentence in said(here[key])
    assert here[key].do.show()


def test_buses_that_are_switched_off_or_have_no_splitter(tmp_path: Path) -> None:
    bare = {"proc/device-tree/model": "Raspberry Pi 4 Model B", "etc/os-release": "x"}
    off = found(machine(tmp_path / "off", bare), at_home(tmp_path))
    assert "raspi-config nonint do_i2c 0" in said(off["i2c"])
    assert "No hub is plugged in" in said(off["hub"])
    alone = found(machine(tmp_path / "on", {**bare, "dev/i2c-1": ""}), at_home(tmp_path))
    assert "dtoverlay=i2c-mux,pca9548,addr=0x70" in said(alone["i2c"])
    settings = read(
        'panel = []\n[[display]]\nname = "wall"\nbus = "spi"\nport = 0\ndc = 24\nrst = 25\n'
    )
    assert "do_spi 0" in said(found(pi4(tmp_path / "4"), settings)["spi"])
    there = pi4(tmp_path / "5", {"dev/spidev0.0": ""})
    assert said(found(there, settings)["spi"]) == "right: spidev0.0."
    assert "--walk" in said(found(there, settings)["displays"])


def test_a_wrong_address_a_busy_pin_a_missing_camera_leave_the_rest_right(tmp_path: Path) -> None:
    tried = touch({"seat 2": "Remote I/O error"}, {5: "GPIO busy"})
    settings = read(f'[table]\nstate = "{tmp_path}"\n[eye]\ncamera = "7"\n')
    here = found(pi4(tmp_path / "pi"), settings, tried)
    assert [key for key, one in here.items() if one.verdict == "wrong"] == [
        "camera", "displays", "buttons",
    ]  # fmt: skip
    assert "seat 2 does not answer on bus 24 at 0x3C" in said(here["displays"])
    assert "5 of 6 answer" in said(here["displays"])
    assert said(here["buttons"]).startswith("wrong: Panel 2, back (pin 5): GPIO busy.")
    assert "There is no camera 7. Plug it in; or set [eye] camera" in said(here["camera"])
    assert "/dev/video0" in said(here["camera"])


def test_a_running_companion_is_not_disturbed_and_tells_what_it_has_lost(tmp_path: Path) -> None:
    lost = {"seat 1": text("seat 1 is lost: pulled"), "dice": text("dice is lost: no hub")}
    here = found(pi4(tmp_path / "pi"), at_home(tmp_path), Touch(lost=lost))
    assert "seat 1 is lost: pulled 5 of 6 answer." in said(here["displays"])
    assert here["hub"].verdict == "wrong"
    assert said(here["buttons"]) == "right: 5 panels."
    assert said(here["camera"]) == "right: It gives pictures."
    busy = Touch(lambda _: None, lambda _: "must not be asked", busy=True)
    assert found(pi4(tmp_path / "pi"), at_home(tmp_path), busy)["buttons"].verdict == "unseen"


def test_a_button_that_chatters_is_not_right(tmp_path: Path) -> None:
    troubles = Troubles()
    list(troubles.reported(ButtonStorm(Panel(1), "next"), ()))
    here = found(pi4(tmp_path / "pi"), at_home(tmp_path), Touch(lost=troubles.all))["buttons"]
    assert here.verdict == "wrong"
    assert "Panel 2: next chatters. Check its wire." in said(here)


def test_a_button_that_is_held_down_is_named_until_it_is_let_go(tmp_path: Path) -> None:
    troubles = Troubles()
    list(troubles.reported(ButtonStuck(Panel(2), "select"), ()))
    here = found(pi4(tmp_path / "pi"), at_home(tmp_path), Touch(lost=troubles.all))["buttons"]
    assert "wrong: Panel 3: select is held down. Check its wire." in said(here)
    list(troubles.reported(ButtonStuck(Panel(2), "select", over=True), ()))
    here = found(pi4(tmp_path / "pi"), at_home(tmp_path), Touch(lost=troubles.all))["buttons"]
    assert here.verdict == "right"


def test_twins_that_are_lost_in_a_drill_are_told_and_the_others_are_not(tmp_path: Path) -> None:
    settings = with_twins(at_home(tmp_path))
    lost = {
        "eye": text("black"),
        "seat 2": text("dark"),
        "panel 1": text("mute"),
        "dice": text("?"),
    }
    for names in (lost, {}):
        here = found(
            pc(tmp_path / "pc"), settings, Touch(lost={name: lost[name] for name in names})
        )
        verdicts = {here[key].verdict for key in ("camera", "displays", "buttons", "hub")}
        assert verdicts == {"wrong" if names else "unseen"}


def test_a_pin_is_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(pin: int) -> bool:
        raise DeviceLost(f"pin {pin}: the pins do not answer.")

    monkeypatch.setattr("hardware.panel.buttons.held_down", busy)
    assert Touch().button(4) == "the pins do not answer"


def test_the_journal_is_read_whole(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    settings = at_home(tmp_path)
    assert said(found(pi4(tmp_path / "pi"), settings)["journal"]) == "right: Sound, 1 games."
    desk.journal.close()
    data = bytearray(desk.path.read_bytes())
    data[4096:8192] = b"\xff" * 4096
    desk.path.write_bytes(data)
    assert "wrong: It is damaged" in said(found(pi4(tmp_path / "pi"), settings)["journal"])
    desk.path.unlink()
    assert "wrong: It is damaged: it is gone" in said(
        found(pi4(tmp_path / "pi"), settings)["journal"]
    )
    mark_file(desk.path).unlink()
    with sqlite3.connect(desk.path) as db:
        db.execute("PRAGMA user_version = 99")
    assert "newer companion" in said(found(pi4(tmp_path / "pi"), settings)["journal"])
    desk.path.unlink()
    os.mkfifo(desk.path)  # nobody waits for it to say something
    assert "not a regular file" in said(found(pi4(tmp_path / "pi"), settings)["journal"])


def test_a_journal_whose_log_was_rewound_is_not_called_sound(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "played")
    desk.start()
    state, end = tmp_path / "state", "journal.db-wal"
    shutil.copytree(tmp_path / "played", state)
    os.truncate(state / end, (state / end).stat().st_size - 100)
    says = said(found(pi4(tmp_path / "pi"), at_home(state))["journal"])
    assert "wrong: It is damaged: it had come further than it says" in says
    desk.journal.close()


def test_a_state_directory_that_cannot_be_written(tmp_path: Path) -> None:
    box = pi4(tmp_path / "pi", barred=[str(tmp_path)])
    assert "pi may not write" in said(found(box, at_home(tmp_path))["state"])
    (tmp_path / "file").touch()
    told = said(found(pi4(tmp_path / "pi"), at_home(tmp_path / "file"))["state"])
    assert told.endswith("file is no folder. Correct [table] state.")


def test_the_kernel_is_asked_about_power_where_the_firmware_is_silent(tmp_path: Path) -> None:
    volts = {
        "proc/device-tree/model": "Raspberry Pi 4",
        "sys/class/hwmon/hwmon1/name": "rpi_volt\n",
    }
    low = machine(tmp_path, {**volts, "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "1\n"})
    assert "too low" in said(found(low, at_home(tmp_path))["power"])


def test_this_machine_can_be_looked_at(tmp_path: Path) -> None:
    twins = read(f'[table]\nstate = "{tmp_path}"\n{NO_WEB}')
    here = found(this_machine(), twins)
    assert here["memory"].verdict != "unseen"
    assert json.dumps([one.as_json() for one in here.values()])
    assert held(tmp_path / "lock") is False


@pytest.mark.parametrize(
    ("mode", "owner", "group", "may"),
    [
        (0o660, 0, 44, True),
        (0o640, 0, 44, False),
        (0o660, 0, 99, False),
        (0o666, 0, 99, True),
        (0o600, 990, 0, True),
        (0o066, 990, 44, False),
    ],
)
def test_the_rights_of_the_service_are_those_of_its_user_and_groups(
    mode: int, owner: int, group: int, may: bool
) -> None:
    about = os.stat_result((mode, 0, 0, 0, owner, group, 0, 0, 0, 0))
    assert may_use(about, 990, {44, 990}) is may


def test_the_glass_is_told_of_each_new_ill_once(tmp_path: Path) -> None:
    looks = [{}, {"power": text("weak")}, {"power": text("weak"), "disk": text("full")}, {}]
    events: list[Event] = []

    async def main() -> None:
        watch = Watch(lambda: looks.pop(0), sleep=sleep)
        with pytest.raises(IndexError):
            await watch.run(events.append)

    async def sleep(_: float) -> None:
        pass

    asyncio.run(main())
    assert events == [Unwell(text("weak")), Unwell(text("full"))]
    weak = pi4(tmp_path / "pi", tools={"vcgencmd": "throttled=0x1"})
    assert ailing(weak, at_home(tmp_path))["power"].show() == (
        "The voltage is too low right now. Use the official power supply and a short cable; "
        "unplug what hangs on USB."
    )
    assert ailing(pc(tmp_path / "pc"), at_home(tmp_path)) == {}


def test_what_is_wrong_stands_on_every_panel_until_its_next_press(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.table.handle(Unwell(text("The voltage is too low right now.")))
    assert [desk.notice(panel) for panel in (0, 1)] == ["The voltage is too low right now."] * 2
    desk.press(0, "next")
    assert desk.notice(0) == ""


def test_on_a_narrow_terminal_no_word_is_lost_in_a_language_without_spaces() -> None:
    do = "4本の配線と、設定のチップssd1306かsh1106を確かめてください。[eye] camera"
    ill = Finding("display", text("画面"), "wrong", text("番号が見えません。"), text(do))
    shown = io.StringIO()
    Console(file=shown, width=60).print(listing([ill], str))
    cells = [row.split("│")[4].strip() for row in shown.getvalue().splitlines() if "│" in row]
    assert "".join(cells).replace(" ", "") == do.replace(" ", "")


def test_the_command_says_it_all_and_its_status_tells_whether_anything_is_wrong(
    tmp_path: Path,
) -> None:
    (tmp_path / "no-hub.toml").write_text(NO_WEB + '[hub]\nport = "/dev/ttyNOPE"\n')
    told = json.loads(companion(tmp_path, "doctor", "--twin", "--json").stdout)
    assert told["well"] is True
    assert len(told["findings"]) == 16
    ill = companion(tmp_path, "doctor", "--settings", str(tmp_path / "no-hub.toml"), ok=False)
    assert ill.status == 1
    assert "No hub is plugged in." in ill.stdout
    assert "Plug it into USB" in ill.stdout
