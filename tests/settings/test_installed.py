"""Commands on a Pi with the installed service: its settings, its games, its owner's rights."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.care import doctor
from companion.care.device_checks import Touch
from companion.care.machine import this_machine
from companion.cli import care as care_commands
from companion.cli import grid as grid_commands
from companion.cli import main as command_line
from companion.errors import BadConfig, BadState
from companion.settings import installed
from companion.settings.settings import Settings, TableSettings, with_twins
from tests.cli.test_cli import companion
from tests.table.desk import Desk

NOBODY = 65534


@pytest.fixture
def etc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with the service, which does not run; a duel was begun there."""
    file, games = tmp_path / "etc.toml", tmp_path / "var"
    file.write_text('[eye]\ncamera = "0"\n')
    for module in (installed, command_line, care_commands):
        monkeypatch.setattr(module, "ETC", file)
    monkeypatch.setattr(installed, "VAR", games)
    desk = Desk(games)
    desk.start()
    desk.journal.close()
    return file


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[Settings]:
    """A table whose games are somebody else's."""
    (tmp_path / "theirs").mkdir(mode=0o000)
    us = os.geteuid()
    if us == 0:
        os.seteuid(NOBODY)
    try:
        yield with_twins(Settings(TableSettings(state=str(tmp_path / "theirs"))))
    finally:
        os.seteuid(us)
        (tmp_path / "theirs").chmod(0o700)


def test_the_services_settings_and_games_are_meant_unless_others_are_named(
    etc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    assert installed.settings_file(None) == etc
    assert installed.settings_file(Path("my.toml")) == Path("my.toml")
    assert installed.settings_of(etc).table.directory() == tmp_path / "var"
    etc.write_text('[table]\nstate = "/elsewhere"\n')
    assert installed.settings_of(etc).table.directory() == Path("/elsewhere")
    etc.unlink()
    assert installed.settings_file(None) is None


@pytest.mark.parametrize(
    ("command", "tells"),
    [
        (("games",), "Kiri-ai"),
        (("export", "2"), "Dealt"),
        (("replay", "2"), "are dealt"),
        (("cards", "sao"), "var/cards/sao.toml"),
    ],
)
def test_every_command_looks_into_the_services_games(
    etc: Path, command: tuple[str, ...], tells: str
) -> None:
    etc.write_text(f'[table]\nstate = "{etc.parent / "var"}"\n')
    assert tells in companion(etc.parent / "elsewhere", *command).stdout


def test_the_colours_of_tiles_are_kept_with_the_services_games(
    etc: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    assert grid_commands._file(None).parent == etc.parent / "var"


@pytest.mark.usefixtures("etc")
def test_run_by_hand_leads_to_the_service_unless_a_table_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def opened(*_: object) -> Settings:
        raise BadConfig("that table would be opened")

    monkeypatch.setattr(command_line, "settings_of", opened)
    monkeypatch.setattr("faulthandler.enable", lambda: None)  # wants a real standard error
    refused = companion(tmp_path, "run", ok=False).stderr
    assert refused.startswith("here the companion is a service: sudo systemctl start companion.")
    for way in (("--twin",), ("-s", "my.toml")):
        assert "would be opened" in companion(tmp_path, "run", *way, ok=False).stderr


@pytest.mark.parametrize("command", ["glass", "calibrate"])
def test_no_table_of_roots_is_opened_beside_a_service_that_does_not_run(
    etc: Path, command: str
) -> None:
    games = etc.parent / "var"
    before = sorted(games.iterdir())
    refused = companion(games, command, ok=False)
    assert refused.stderr == "the companion does not run: sudo systemctl start companion\n"
    assert sorted(games.iterdir()) == before


def test_the_doctor_of_a_service_wants_sudo(etc: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(care_commands, "this_machine", lambda: replace(this_machine(), user="pi"))
    refused = companion(etc.parent, "doctor", ok=False)
    assert refused.stderr == "this is the service's table: run this with sudo\n"


def test_a_folder_that_is_closed_to_us_is_told_with_what_to_do(closed: Settings) -> None:
    with pytest.raises(BadState, match=r"you may not look into .*theirs: run this with sudo"):
        installed.games_of(closed)


def test_a_file_where_the_games_should_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadState, match="file cannot hold games: Not a directory"):
        installed.games_of(Settings(TableSettings(state=str(tmp_path / "file"))))


def test_the_doctor_looks_at_the_rest_where_the_games_are_closed_to_us(closed: Settings) -> None:
    here = replace(
        this_machine(), allowed=lambda path: os.access(path, os.R_OK | os.W_OK, effective_ids=True)
    )
    found = {one.key: one for one in doctor.diagnose(here, closed, Touch())}
    assert (found["state"].verdict, found["journal"].verdict) == ("wrong", "wrong")
    assert "sudo chown" in found["journal"].do.show()
    assert found["memory"].verdict != "unseen"


def test_settings_that_cannot_work_do_not_stop_a_restore(etc: Path, tmp_path: Path) -> None:
    stick, games = str(tmp_path / "stick.zip"), tmp_path / "var"
    companion(games, "backup", stick)
    right = etc.read_text()
    etc.write_text('[table]\nmode = "strict"\n')
    told = companion(games, "restore", stick).stdout
    assert "table mode: should be" in told  # what was wrong before
    assert etc.read_text() == right
