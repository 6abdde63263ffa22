"""The bundle for helpers: secrets are planted wherever they could be, and searched for."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from companion.care.doctor import diagnose
from companion.care.support import LEFT_OUT, Redactor, support
from companion.errors import BadState
from companion.games import GAMES
from companion.settings.settings import Settings, TableSettings, read
from tests.care.machines import pi4, touch
from tests.table.desk import Desk

PASSWORD, NAME, WHO = 'correct "horse" \\ 9', "Our home 5G", "Annabelle"
SETTINGS = f"""
[table]
state = "STATE"
seats = ["{WHO}", "Red"]
[wifi]
name = "{NAME}"
password = 'correct "horse" \\ 9'
"""


def opened(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as bundle:
        return {name: bundle.read(name) for name in bundle.namelist()}


def test_no_planted_secret_is_in_the_bundle_and_what_helps_is(tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()
    desk = Desk(state)
    desk.start()
    desk.plan(0, "Charge", "High")  # sealed: nobody may know
    desk.journal.reading(2, 3, [{"value": 5, "body": "black"}], b"\xff\xd8picture")
    entries = desk.journal.entries(2)
    salts = [entry.body["salt"] for entry in entries if entry.body.get("salt")]
    assert salts
    seed = desk.journal.games()[0].seed
    (state / "claims.json").write_text('{"0": "abcdef0123456789token"}')
    (state / "glass.log").write_text(
        "old\n" * 600 + f"joined {NAME} with {PASSWORD}\nsalt {salts[0]} {seed}\n{WHO} sat down\n"
    )
    own = tmp_path / "own.toml"
    own.write_text(SETTINGS.replace("STATE", str(state)))
    settings = read(own.read_text())
    log = f"WARNING companion: psk={PASSWORD} {json.dumps(PASSWORD)} {salts[0]}\n"
    machine = pi4(tmp_path / "pi")
    asked: list[str] = []

    def run(words: Sequence[str]) -> str:
        asked.extend(words)
        return log

    machine = replace(machine, run=run)
    findings = list(diagnose(machine, settings, touch()))
    names = support(tmp_path / "help.zip", settings, own, findings, machine, GAMES)
    parts = opened(tmp_path / "help.zip")
    assert sorted(parts) == names == sorted([
        "about.json", "games.json", "health.json", "log/glass.log", "log/journal.txt",
        "readings.json", "readings/2-3.jpg", "settings.toml",
    ])  # fmt: skip
    whole = b"\0".join(parts.values()).decode(errors="replace")
    for secret in (PASSWORD, json.dumps(PASSWORD)[1:-1], "horse", NAME, WHO, *salts, seed,
                   "abcdef0123456789token", "Charge"):  # fmt: skip
        assert secret not in whole, secret
    assert {"--unit=companion", "--unit=companion-safe"} <= set(asked)  # and why it was not well
    assert LEFT_OUT in parts["settings.toml"].decode()
    assert parts["log/glass.log"].count(b"\n") < 510
    assert json.loads(parts["about.json"])["board"].startswith("Raspberry Pi 4")
    assert {one["key"] for one in json.loads(parts["health.json"])} >= {"power", "displays"}
    assert json.loads(parts["readings.json"])[0]["dice"] == [{"value": 5, "body": "black"}]
    assert parts["readings/2-3.jpg"] == b"\xff\xd8picture"
    assert json.loads(parts["games.json"])[0]["game"] == "kiriai"
    with pytest.raises(BadState, match="exists already"):
        support(tmp_path / "help.zip", settings, own, findings, machine, GAMES)


@pytest.mark.parametrize(
    "line",
    [
        'password = "hunter2secret"',
        "password = 'hunter2secret'",
        'wifi = { name = "x", password = "hunter2secret" }',
        'wifi.password="hunter2secret"',
        'password = """\nhunter2secret"""',
        'password = "hunter2secret',
        '"password" = "hunter2secret" # mine',
        "PASSWORD=hunter2secret",
    ],
)
def test_a_password_is_left_out_even_of_settings_that_cannot_be_read(line: str) -> None:
    cleaned = Redactor([], Path("/home/annabelle")).clean(f"[wifi]\n{line}\nnext = 1\n")
    assert "hunter2secret" not in cleaned
    assert "next = 1" in cleaned or '"""' in line or line.endswith("secret")


@pytest.mark.parametrize("wrong", ['mood = "hard"', "[[["])
def test_names_are_left_out_even_of_settings_that_cannot_work(tmp_path: Path, wrong: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        f'[table]\nseats = [\n  "{WHO}", # the host\n  "Red"]\n'
        f"[wifi]\nname = '{NAME}'\n[[display]]\nname = 'table'\n{wrong}"
    )
    state = replace(Settings(), table=TableSettings(state=str(tmp_path / "state")))
    machine = pi4(tmp_path / "pi", tools={"journalctl": f"the table of {WHO}\n"})
    support(tmp_path / "help.zip", state, own, [], machine, GAMES)
    parts = opened(tmp_path / "help.zip")
    whole = b"\0".join(parts.values()).decode()
    assert WHO not in whole
    assert NAME not in whole
    assert parts["log/journal.txt"].startswith(b"the table of")
    assert wrong in parts["settings.toml"].decode()


def test_the_home_and_short_words_do_not_spoil_the_rest() -> None:
    cleaned = Redactor(["a", "", "long secret"], Path("/home/annabelle")).clean(
        "/home/annabelle/x has a long secret"
    )
    assert cleaned == f"~/x has a {LEFT_OUT}"


def test_a_bundle_can_be_made_where_nothing_was_played_or_the_journal_is_damaged(
    tmp_path: Path,
) -> None:
    settings = read(f'[table]\nstate = "{tmp_path}"\n')
    machine = pi4(tmp_path / "pi")
    names = support(tmp_path / "1.zip", settings, None, [], machine, GAMES)
    assert names == ["about.json", "health.json", "log/journal.txt", "settings.toml"]
    (tmp_path / "journal.db").write_bytes(b"no database" * 1000)
    assert support(tmp_path / "2.zip", settings, None, [], machine, GAMES)
