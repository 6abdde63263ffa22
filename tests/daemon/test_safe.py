"""Safe mode: no pin, camera or hub is touched, the screens say why, and no display can end it."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from companion.daemon.app import serve
from companion.daemon.devices import Devices
from companion.daemon.safe import devices_that_work, last_words, places, why, without_hardware
from companion.errors import BadConfig, BadJournal, DeviceLost
from companion.memory.journal import Journal
from companion.settings.settings import Settings, TableSettings, read
from companion.views import View
from companion.words import text
from tests.table.desk import Desk
from tests.table.evening import TWO_SEATS

VIEW = View(text("Title"), text("Waiting"))


def test_no_pin_camera_or_hub_is_touched_and_the_pages_are_on() -> None:
    full = read(
        '[eye]\ncamera = "0"\n[hub]\nport = "auto"\n[web]\non = false\n[shutdown]\npin = 15\n'
        "[[panel]]\nseat = 1\nprevious = 4\nnext = 17\nselect = 27\nback = 22\nlamp = 20\n"
    )
    bare = without_hardware(full)
    assert (bare.hardware.panels, bare.eye.camera, bare.hub.port) == ("twin", "off", "off")
    assert (bare.panels[0].lamp, bare.shutdown.pin, bare.web.on) == (None, None, True)
    assert bare.displays == full.displays


def test_the_games_of_safe_mode_lie_beside_the_others_or_where_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "given"))
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    lost = Settings(TableSettings(state=str(tmp_path / "file/x")))
    own, given, run, *memory = places(lost)
    assert (own, given) == (tmp_path / "file/x/safe", tmp_path / "given/safe")
    assert run == tmp_path / "safe"
    assert memory
    assert not memory[0].exists()  # asked for another one: this one is taken away again
    with pytest.raises(BadConfig, match=r"leave \[table\] state out"):
        asyncio.run(serve(lost))


def safely(settings: Settings) -> None:
    """A start in safe mode that ends as soon as it is ready."""
    safe = replace(without_hardware(settings), web=settings.web)
    stop = partial(os.kill, os.getpid(), signal.SIGTERM)
    asyncio.run(serve(safe, stop, safe="it was asked for"))


def test_safe_mode_reads_nothing_of_the_old_journal_and_leaves_it_alone(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    desk.journal.close()
    before = (tmp_path / "journal.db").read_bytes()
    safely(read(TWO_SEATS.format(state=tmp_path)))
    assert (tmp_path / "journal.db").read_bytes() == before
    kept = Journal(tmp_path / "safe/journal.db", lambda: 0.0, write=False)
    assert [game.key for game in kept.games()] == ["lobby"]
    kept.close()


def test_last_words_that_are_no_words_are_shown_as_they_are(tmp_path: Path) -> None:
    here = {"RUNTIME_DIRECTORY": str(tmp_path)}
    (tmp_path / "last-words").write_bytes(b"pin \xff is used twice")
    assert why(here) == "pin \ufffd is used twice"


def test_whatever_a_display_raises_is_a_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        name = "one"

        async def show(self, _: View) -> None:
            raise ZeroDivisionError

    monkeypatch.setattr(
        "companion.daemon.safe.build", lambda *_: Devices(displays={"one": Broken()})
    )
    devices = devices_that_work(Settings(), str)
    with pytest.raises(DeviceLost):
        asyncio.run(devices.displays["one"].show(VIEW))
    devices.close()


def test_displays_that_cannot_even_be_made_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(settings: Settings, _: object) -> Devices:
        if settings.displays:
            raise ImportError("luma")
        return Devices()

    monkeypatch.setattr("companion.daemon.safe.build", build)
    assert devices_that_work(Settings(), str).displays == {}


def test_the_last_words_of_the_daemon_are_the_reason(tmp_path: Path) -> None:
    here = {"RUNTIME_DIRECTORY": str(tmp_path)}
    with pytest.raises(BadConfig), last_words(here):
        raise BadConfig("pin 17 is used twice")
    assert why(here) == "pin 17 is used twice"
    with last_words(here):
        pass
    assert why(here) == "it was asked for"  # a later start that ran has no last words


def test_a_bug_is_told_by_its_place_and_no_value_of_it(tmp_path: Path) -> None:
    here = {"RUNTIME_DIRECTORY": str(tmp_path)}

    def bug() -> None:
        try:
            raise KeyError("the secret card")
        except KeyError as error:
            raise ExceptionGroup("unhandled", [error]) from None

    with pytest.raises(ExceptionGroup), last_words(here):
        bug()
    assert why(here).startswith("a bug, KeyError at test_safe.py:")
    assert "secret" not in why(here)


@pytest.mark.parametrize(
    ("result", "says"),
    [
        ("watchdog", "the table hung, and the watchdog ended it"),
        ("start-limit-hit", "it failed several times in a row"),
        ("signal", "it ended with KILL"),
    ],
)
def test_without_last_words_systemd_tells_the_reason(result: str, says: str) -> None:
    assert why({"MONITOR_SERVICE_RESULT": result, "MONITOR_EXIT_STATUS": "KILL"}) == says


def test_a_journal_of_a_newer_companion_is_left_alone_and_the_table_still_opens(
    tmp_path: Path,
) -> None:
    journal = Journal(tmp_path / "journal.db", lambda: 0.0)
    journal._db.execute("PRAGMA user_version=99")
    journal.close()
    before = (tmp_path / "journal.db").read_bytes()
    settings = read(TWO_SEATS.format(state=tmp_path))
    with pytest.raises(BadJournal):
        asyncio.run(serve(settings))

    safely(settings)
    assert (tmp_path / "journal.db").read_bytes() == before
    assert (tmp_path / "safe/journal.db").exists()
