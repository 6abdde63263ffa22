"""The self-test over twins: a scripted maker presses, throws, pulls plugs and reads the glass."""

from __future__ import annotations

import asyncio
import io
import json
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from rich.console import Console

from companion.care.finding import Finding
from companion.care.report import markdown, report, write
from companion.cli import selftest as module
from companion.cli.selftest import Hands, Measured, selftest
from companion.daemon.devices import build
from companion.events import DiceSettled, Event, Key
from companion.files import alone
from companion.settings.settings import Settings, read
from companion.words import Panel, Text, text
from tests.care.machines import pi4
from tests.cli.test_cli import companion
from tests.hardware import ocr
from tests.patience import within
from tests.table.evening import TWO_SEATS

EVERYTHING = '[eye]\ncamera = "twin"\n[hub]\nport = "twin"\n'


@pytest.fixture(autouse=True)
def numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that the displays show: not every pair of figures is read by the test's letters."""
    monkeypatch.setattr("companion.cli.walk.random.sample", lambda _, n: [42, 57, 86][:n])


class Maker(Hands):
    """Does what he is told, reads what stands there, and skips what he is told to skip."""

    def __init__(self, settings: Settings, skips: str = "nothing") -> None:
        super().__init__(settings, build(settings), Console(file=io.StringIO()))
        self.said: list[str] = []
        self.glass: list[str] = []  # what stood on a glass when a button was to be pressed
        self._skips, self._tired = skips, asyncio.Event()

    def tell(self, says: Text) -> None:
        self.said.append(says.show())
        if re.match(self._skips, says.show()):
            self._tired.set()

    async def press(self, panel: Panel, key: Key, says: Text) -> None:
        self.glass.append(" ".join(ocr.read(self.devices.glass[("one", "two")[panel]]())))
        self._tired.clear()
        self.tell(says)
        if not self._tired.is_set():
            await super().press(panel, key, says)

    async def ask(self, display: str | None, question: Text) -> str:
        self.said.append(question.show())
        if display is None:
            return "y"
        return re.findall(r"\b\d\d\b", " ".join(ocr.read(self.devices.glass[display]())))[0]

    async def throw(self) -> None:
        if not self._tired.is_set():
            await super().throw()

    async def skip(self) -> None:
        await self._tired.wait()
        self._tired.clear()


def tried(maker: Maker) -> Measured:
    try:
        return asyncio.run(selftest(maker.settings, maker.devices, maker))
    finally:
        maker.devices.close()


def verdicts(found: Measured) -> list[str]:
    return [f"{one.name.show()}: {one.verdict}, {one.says.show()}" for one in found.steps]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_sound_table_keeps_every_promise_and_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "THROWS", 1)
    maker = Maker(read(TWO_SEATS.format(state=tmp_path) + EVERYTHING))
    found = tried(maker)
    assert [told for told in verdicts(found) if ": right" not in told] == []
    names = [one.name.show() for one in found.steps]
    assert names[8:] == [
        "Display table", "Display one", "Display two", "Throw 1", "Character die",
        "The last display", "The dice hub", "The camera",
    ]  # fmt: skip
    assert "Press select on panel" in maker.glass[6]  # it is told on the glass, too
    assert len(found.presses) == 7  # each answered by the next instruction
    assert all(0.005 <= one < 5 for one in found.presses)
    (roll,) = found.rolls
    assert (roll["dice"], roll["right"]) == (5, True)
    assert set(found.losses) == {"display-wire", "hub-unplugged", "camera-unplugged"}
    assert all(set(one) == {"told_s", "healed_s"} for one in found.losses.values())


@pytest.mark.slow
def test_what_is_skipped_is_neither_right_nor_wrong_and_the_rest_goes_on(tmp_path: Path) -> None:
    settings = read(TWO_SEATS.format(state=tmp_path))
    found = tried(Maker(settings, skips="Press (next|back) on panel 1|The last display: pull"))
    told = verdicts(found)
    assert told[1] == "Panel 1, next: unseen, Skipped."
    assert told[3] == "Panel 1, back: unseen, Skipped."
    assert told[-1] == "The last display: unseen, Skipped."
    assert [one.verdict for one in found.steps].count("right") == len(found.steps) - 3
    assert found.losses == {}


@pytest.mark.slow
def test_what_does_not_come_in_time_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("TOLD", "OPENS"):
        monkeypatch.setattr(module, limit, 0.0)
    found = tried(Maker(read(TWO_SEATS.format(state=tmp_path) + EVERYTHING)))
    assert "The eye: wrong, Nothing came within 0 s." in verdicts(found)
    assert "The camera: wrong, Nothing came within 0 s." in verdicts(found)


def test_dice_that_still_lie_there_are_no_new_throw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "THROWS", 2)
    seen = [DiceSettled((), roll, accepted=accepted) for roll, accepted in
            ((1, True), (1, False), (2, True))]  # fmt: skip
    news = iter(seen)

    class Table:
        """Tells of the same dice again while the maker takes them up."""

        say = show = lambda _self, _says: None

        def __init__(self) -> None:
            alive = asyncio.Event()
            alive.set()
            self.devices = SimpleNamespace(eye=SimpleNamespace(alive=alive))
            self.hands = self

        async def throw(self) -> None: ...

        async def ask(self, _display: None, _question: Text) -> str:
            return "y"

        async def in_time(self, waited: Awaitable[Any], _seconds: float) -> Any:
            return await waited

        async def until(self, wanted: Callable[[Event], bool], _seconds: float) -> Any:
            return 0.0, next(one for one in news if wanted(one))

    found = Measured()
    asyncio.run(module._throws(cast(Any, Table()), found))
    assert [roll["accepted"] for roll in found.rolls] == [True, True]


def test_the_report_says_what_was_measured_and_names_nobody(tmp_path: Path) -> None:
    source = TWO_SEATS.replace('"Blue", "Red"', '"Eva", "Bo"').replace('"two"', '"Evas"')
    settings = read(source.format(state=tmp_path / "secret-folder"))
    ill = Finding("display", text("Display {name}", name="Evas"), "wrong",
                  text("It shows what belongs to {other}.", other="one"))  # fmt: skip
    doctor = [Finding("state", text("State"), "wrong", text("{it}", it="/home/eva is no folder."))]
    told = report(
        pi4(tmp_path / "pi"), settings, doctor, [ill], [0.010, 0.020, 0.090],
        [{"dice": 5, "right": True, "accepted": False}],
        {"hub-unplugged": {"told_s": 1.5, "healed_s": 4.0}}, 1.0,
    )  # fmt: skip
    assert told["press_to_glass_ms"] == {"n": 3, "median": 20.0, "p90": 20.0, "most": 90.0}
    assert told["about"]["board"] == "Raspberry Pi 4 Model B Rev 1.4"
    assert told["about"]["system"] == "Debian GNU/Linux 12 (bookworm)"
    assert told["doctor"] == {"state": "wrong"}
    for file in write(told, tmp_path / "report"):
        shared = file.read_text()
        assert "hub-unplugged" in shared
        for name in ("Eva", "eva", "Bo", "secret-folder"):
            assert not re.search(rf"\b{name}", shared), name
    assert json.loads((tmp_path / "report.json").read_text()) == told
    rows = markdown(told).splitlines()
    assert "| press to glass in ms, median | 20.0 |" in rows
    assert "| Display … | wrong | It shows what belongs to …. |" in rows
    assert "| 5 | True | False |" in rows


def test_the_command_refuses_a_table_that_runs(tmp_path: Path) -> None:
    with alone(tmp_path, False):
        refused = companion(tmp_path, "selftest", "--twin", ok=False)
    assert refused.stderr == "a companion runs and holds the devices: stop it, then test\n"


@pytest.mark.slow
def test_the_command_asks_somebody_and_says_so_where_nobody_is(tmp_path: Path) -> None:
    """As typed: a process of its own, whose standard input has ended."""
    file = tmp_path / "table.toml"
    file.write_text(TWO_SEATS.format(state=tmp_path))
    command = [sys.executable, "-m", "companion", "selftest", "--settings", str(file)]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=tmp_path,
        timeout=within(60), check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == ("this needs somebody who answers: run it at a terminal")
