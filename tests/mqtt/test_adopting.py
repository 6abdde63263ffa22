"""The letter by which a venue adopts a table: who can write one, and what the table keeps of it."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from companion.errors import BadConfig, BadState
from companion.mqtt.adoption import LONG, fresh_code, keep, kept, opened, written

LETTER: dict[str, Any] = {
    "broker": "10.0.0.2", "port": 8883, "tls": True, "user": "t7", "table": "t7",
    "prefix": "companion", "discovery": "", "ca": "-----BEGIN",
}  # fmt: skip


def test_whoever_reads_the_glass_writes_a_letter_and_both_ends_know_the_password() -> None:
    code = fresh_code()
    message, password = written(code, LETTER)
    sent = json.dumps(message)
    assert opened(code.lower().replace("-", " "), json.loads(sent)) == (LETTER, password)
    assert password not in sent
    assert code not in sent


@pytest.mark.parametrize(
    "change",
    [
        {"letter": {**LETTER, "broker": "10.6.6.6"}},
        {"mark": "0" * 64},
        {"mark": None},
        {"salt": "zz"},
        {"salt": 7},
        {"letter": "t7"},
    ],
)
def test_a_letter_that_was_changed_on_the_way_is_none(change: dict[str, Any]) -> None:
    code = fresh_code()
    message, _ = written(code, LETTER)
    with pytest.raises(BadState):
        opened(code, message | change)


def test_a_letter_with_another_code_is_none_and_codes_are_long() -> None:
    message, _ = written("AAAAA-AAAAA", LETTER)
    with pytest.raises(BadState, match="not the code on the glass"):
        opened("AAAAA-AAAAB", message)
    assert len({fresh_code() for _ in range(50)}) == 50
    assert len(fresh_code()) == LONG + 1


def test_what_the_venue_gave_is_kept_for_us_alone_and_reads_as_settings(tmp_path: Path) -> None:
    assert kept(tmp_path / "venue") is None
    keep(tmp_path / "venue", LETTER, "secret")
    found = kept(tmp_path / "venue")
    assert found is not None
    assert (found.broker, found.port, found.tls, found.table) == ("10.0.0.2", 8883, True, "t7")
    assert Path(found.password_file).read_text() == "secret"
    assert Path(found.ca).read_text() == "-----BEGIN"
    modes = {stat.S_IMODE(one.stat().st_mode) for one in (tmp_path / "venue").iterdir()}
    assert modes == {0o600}


@pytest.mark.parametrize(
    "change",
    [
        {"table": "a/b"},
        {"port": 99999},
        {"prefix": "#"},
        {"broker": "x" * 300},
        {"tls": "yes"},
        {"broker": ""},
    ],
)
def test_a_letter_that_settings_refuse_changes_nothing(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    with pytest.raises(BadState, match="cannot be used"):
        keep(tmp_path / "venue", LETTER | change, "secret")
    assert kept(tmp_path / "venue") is None


def test_a_broker_cannot_write_other_settings_into_the_file(tmp_path: Path) -> None:
    keep(tmp_path / "venue", LETTER | {"broker": 'x"\nannounce = true\n[web]\nhost = "y'}, "secret")
    found = kept(tmp_path / "venue")
    assert found is not None
    assert not found.announce
    assert "[web]" in found.broker


def test_damage_is_said(tmp_path: Path) -> None:
    (tmp_path / "mqtt.toml").write_bytes(b"\xff")
    with pytest.raises(BadConfig, match="cannot be read"):
        kept(tmp_path)
