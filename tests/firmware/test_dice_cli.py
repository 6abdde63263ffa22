"""`companion dice …` against the twin on a port, and flashing against a bare MicroPython."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import threading
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from on_board import BARE
from typer.testing import CliRunner, Result

from companion.cli import dice as dice_commands
from companion.errors import DeviceLost
from firmware import VERSION
from firmware.die import blank
from firmware.feel import NOMINAL
from hardware.dice import flash as flashing
from hardware.twins.hub import HubTwin
from hardware.twins.radio import Box, resting_samples


def run(*arguments: str) -> Result:
    return CliRunner().invoke(dice_commands.app, list(arguments), env={"COLUMNS": "160"})


@contextmanager
def living(twin: HubTwin, each: Callable[[], None] = lambda: None) -> Iterator[str]:
    """Let the twin live in a thread; `each` happens between its steps."""
    over = threading.Event()

    def live() -> None:
        while not over.wait(0.003):
            each()
            twin.step()

    thread = threading.Thread(target=live)
    thread.start()
    try:
        yield str(twin.link)
    finally:
        over.set()
        thread.join()
        twin.unplug()


def test_status_shows_the_hub_and_each_die(tmp_path: Path) -> None:
    twin = HubTwin(tmp_path / "tty", Box(("asuna", "klein")))
    twin.box.die("klein").battery = 41
    with living(twin) as port:
        done = run("status", "--port", port)
    assert done.exit_code == 0, done.output
    assert f"hub hub0, firmware {VERSION}, protocol 1" in done.output
    assert "asuna" in done.output
    assert "41 %" in done.output


@pytest.mark.slow
def test_watch_tells_what_happens(tmp_path: Path) -> None:
    twin = HubTwin(tmp_path / "tty", Box(("asuna",)))
    twin.box.die("asuna").note("rest", 5, 0)
    with living(twin) as port:
        done = run("watch", "--port", port, "--seconds", "1.5")
    assert "asuna: rest on 5  (event 1, battery 100 %)" in done.output


@pytest.mark.slow
def test_identify_reaches_the_lamp_and_an_unknown_die_is_said(tmp_path: Path) -> None:
    twin = HubTwin(tmp_path / "tty", Box(("asuna",)))
    lit: list[bool] = []
    with living(twin, lambda: lit.append(twin.box.die("asuna").lamp)) as port:
        assert run("identify", "asuna", "--port", port).exit_code == 0
        done = run("identify", "klein", "--port", port)
    assert any(lit)
    assert done.exit_code == 1
    assert "the hub knows no such die" in done.output


@pytest.mark.slow
def test_pair_names_the_die_that_is_shaken(tmp_path: Path) -> None:
    twin = HubTwin(tmp_path / "tty", Box(()))
    twin.box.plug_in_die("d9", blank())
    with living(twin) as port:
        done = run("pair", "silica", "--port", port)
        assert done.exit_code == 0, done.output
        assert run("pair", "yui", "--port", port).exit_code == 1
    assert twin.box.registry == {"silica": "d9"}


@pytest.mark.slow
def test_calibrate_leads_through_the_six_faces(tmp_path: Path) -> None:
    odd = [(y, z + 60, x) for x, y, z in NOMINAL]  # the sensor is glued in another way round
    twin = HubTwin(tmp_path / "tty", Box(("agil",)))
    die = twin.box.die("agil")
    turned = [0]
    twin.box.feel("agil", list(resting_samples(odd[0], 500)))

    def turn() -> None:
        """The player lays the next face up when the one before is learnt."""
        learnt = sum(face is not None for face in die._new)
        if turned[0] < learnt < 6:
            turned[0] = learnt
            moving = [(0, 300 * (i % 3), 900) for i in range(120)]
            twin.box.feel("agil", moving + list(resting_samples(odd[learnt], 500)))

    with living(twin, turn) as port:
        done = run("calibrate", "agil", "--port", port)
    assert done.exit_code == 0, done.output
    for learnt, meant in zip(die.memory["faces"], odd, strict=True):
        assert max(abs(a - b) for a, b in zip(learnt, meant, strict=True)) <= 3


@pytest.mark.slow
def test_sleep_and_forget(tmp_path: Path) -> None:
    twin = HubTwin(tmp_path / "tty", Box(("agil", "klein")))
    agil = twin.box.die("agil")
    with living(twin) as port:
        assert run("sleep", "agil", "--port", port).exit_code == 0
        assert run("forget", "klein", "--port", port).exit_code == 0
        assert "klein" not in run("status", "--port", port).output
    assert agil.asleep
    assert list(twin.box.registry) == ["agil"]


def test_without_a_hub_and_with_several_the_way_out_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dice_commands, "find", lambda _setting: [])
    assert "no dice hub is plugged in" in run("status").output
    monkeypatch.setattr(dice_commands, "find", lambda _setting: ["/dev/a", "/dev/b"])
    done = run("status")
    assert "name one with --port" in done.output
    assert "/dev/b" in done.output
    assert done.exit_code == 1


def test_every_file_that_a_board_imports_is_copied_and_nothing_else() -> None:
    kinds: tuple[flashing.Kind, ...] = ("hub", "die")
    for kind in kinds:
        names = flashing.files(kind)
        wanted, todo = set(), [f"firmware/main_{kind}.py"]
        while todo:
            name = todo.pop()
            wanted.add(name)
            for line in (flashing.ROOT / name).read_text().splitlines():
                match line.split():
                    case ["from", "firmware", "import", "VERSION"]:
                        more = ["firmware/__init__.py"]
                    case ["from", "firmware", "import", module]:
                        more = [f"firmware/{module}.py", "firmware/__init__.py"]
                    case ["from", module, "import", *_] if module[:8] in ("firmware", "hardware"):
                        more = [module.replace(".", "/") + ".py", module[:8] + "/__init__.py"]
                    case _:
                        more = []
                todo += [one for one in more if one not in wanted]
        assert set(names) == wanted


def test_what_mpremote_says_reaches_the_user(tmp_path: Path) -> None:
    with pytest.raises(DeviceLost, match="mpremote: "):
        flashing.mpremote(str(tmp_path / "nothing"), "exec", "print(1)")


def test_flashing_a_die_over_the_hubs_cable_is_refused(tmp_path: Path) -> None:
    with living(HubTwin(tmp_path / "tty", Box(()))) as port:
        done = run("flash", "asuna", "--port", port)
    assert done.exit_code == 1
    assert "this is the hub" in done.output
    assert run("flash", "dragon").exit_code == 1


@pytest.mark.slow
@pytest.mark.usefixtures("node")
def test_a_running_hub_stops_for_the_update_and_the_files_arrive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dice_commands, "BACK", 0.5)
    monkeypatch.setattr(flashing, "restart", lambda _port, _copy: None)  # this board cannot
    outer, inner = pty.openpty()
    tty.setraw(inner)
    os.set_blocking(outer, False)
    twin = HubTwin(tmp_path / "tty", Box(()))
    board = subprocess.Popen(["node", str(BARE), str(outer)], pass_fds=(outer,))
    stopped: list[bool] = []

    def stop_for_update() -> None:
        """Like the real hub: answer, then start anew as a bare board on the same port."""
        if twin.box.hub.updating and not stopped:
            for _ in range(30):
                twin.step()
            stopped.append(True)
            twin.unplug()
            twin.link.symlink_to(os.ttyname(inner))

    try:
        with living(twin, stop_for_update) as port:
            done = run("flash", "hub", "--port", port)
            assert done.exit_code == 0, done.output
            assert "main.py" in done.output
            ask = "from firmware.hub import Hub; print(Hub('h', 'b', {}, print).me)"
            show = "print(open('main.py').read())"
            command = ["mpremote", "connect", port, "resume", "exec", f"{ask}; {show}"]
            said = subprocess.run(
                [sys.executable, "-m", *command], capture_output=True, text=True, check=True
            )
    finally:
        board.kill()
        board.wait()
        os.close(outer)
        os.close(inner)
    assert stopped
    assert said.stdout.splitlines()[:2] == ["h", "from firmware.main_hub import main"]
