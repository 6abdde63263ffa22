"""Backup and restore: everything comes back as it was, whatever is in the way."""

from __future__ import annotations

import fcntl
import json
import os
import tracemalloc
import zipfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pytest

from companion.care.backup import MANIFEST, backup, restore
from companion.errors import BadConfig, BadState, NoRoom
from companion.memory.journal import Journal
from companion.memory.recovery import open_journal
from tests.cli.test_cli import companion
from tests.table.desk import Desk

OWN = '[wifi]\nname = "Our home"\npassword = "correct horse"\n'


@pytest.fixture
def played(tmp_path: Path) -> Desk:
    """A table in the middle of a duel, with corrected cards and a calibration."""
    state = tmp_path / "state"
    (state / "cards").mkdir(parents=True)
    (state / "cards/sao.toml").write_text("# mine\n")
    (state / "camera.json").write_text("{}")
    (state / "claims.json").write_text('{"0": "token"}')
    (tmp_path / "own.toml").write_text(OWN)
    desk = Desk(state)
    desk.start()
    desk.choose(0, "Charge")
    return desk


def told(path: Path) -> list[object]:
    journal = Journal(path, lambda: 0.0, write=False)
    try:
        return [(record, journal.entries(record.id)) for record in journal.games()]
    finally:
        journal.close()


def test_a_backup_taken_during_a_game_brings_all_of_it_to_another_machine(
    played: Desk, tmp_path: Path
) -> None:
    file, there = tmp_path / "stick.zip", tmp_path / "there"
    names = backup(played.path.parent, tmp_path / "own.toml", file)
    assert names == ["camera.json", "cards/sao.toml", "journal.db", "settings.toml"]
    assert file.stat().st_mode & 0o077 == 0
    before = told(played.path)
    played.choose(0, "High")  # the game went on
    done = restore(file, there, tmp_path / "new.toml")
    assert told(there / "journal.db") == before
    assert (there / "cards/sao.toml").read_text() == "# mine\n"
    assert (tmp_path / "new.toml").read_text() == OWN
    assert done.aside is None
    assert sorted(path.name for path in there.iterdir()) == ["camera.json", "cards", "journal.db"]
    Desk(there).choose(0, "High")  # and goes on there, too


def test_what_was_there_is_set_aside_with_its_log_and_never_overwritten(
    played: Desk, tmp_path: Path
) -> None:
    file, state = tmp_path / "stick.zip", played.path.parent
    backup(state, tmp_path / "own.toml", file)
    played.choose(0, "High")
    lately = told(played.path)
    (tmp_path / "own.toml").write_text("# changed since\n")
    for number in (1, 2):
        done = restore(file, state, tmp_path / "own.toml")
        assert done.aside == state / f"before-restore-{number}"
    assert told(state / "before-restore-1/journal.db") == lately
    assert (tmp_path / "own.toml").read_text() == OWN
    assert (tmp_path / "own.toml.before-restore-1").read_text() == "# changed since\n"
    assert (state / "claims.json").exists()


def test_a_backup_that_is_older_than_the_games_beside_it_is_no_damage(
    played: Desk, tmp_path: Path
) -> None:
    file, state = tmp_path / "stick.zip", played.path.parent
    backup(state, None, file)
    played.choose(0, "High")
    played.journal.close()
    done = restore(file, state, None)
    assert done.aside is not None
    assert (done.aside / "journal.db-mark").exists()
    journal, damage = open_journal(played.path, lambda: 0.0)
    journal.close()
    assert damage is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_root_restores_belongs_to_the_owner_of_the_games(played: Desk, tmp_path: Path) -> None:
    file, there = tmp_path / "stick.zip", tmp_path / "there"
    backup(played.path.parent, tmp_path / "own.toml", file)
    there.mkdir()
    os.chown(there, 12345, 12346)
    (tmp_path / "etc.toml").write_text("")
    (tmp_path / "etc.toml").chmod(0o644)
    restore(file, there, tmp_path / "etc.toml")
    for path in (there / "journal.db", there / "cards", there / "cards/sao.toml"):
        assert (path.stat().st_uid, path.stat().st_gid) == (12345, 12346)
    assert (tmp_path / "etc.toml").stat().st_mode & 0o777 == 0o644
    assert (tmp_path / "etc.toml").stat().st_uid == 0


def test_a_running_companion_is_never_restored_under(played: Desk, tmp_path: Path) -> None:
    file, state = tmp_path / "stick.zip", played.path.parent
    backup(state, None, file)
    before = told(played.path)
    with (state / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(BadConfig, match="stop it first"):
            restore(file, state, None)
    assert told(played.path) == before


def test_a_file_that_exists_is_not_overwritten(played: Desk, tmp_path: Path) -> None:
    (tmp_path / "stick.zip").write_text("precious")
    with pytest.raises(BadState, match="exists already"):
        backup(played.path.parent, None, tmp_path / "stick.zip")
    with pytest.raises(NoRoom, match="could not be written"):
        backup(played.path.parent, None, tmp_path / "no/such/folder.zip")
    with pytest.raises(BadState, match="nothing to keep"):
        backup(tmp_path / "nowhere", None, tmp_path / "x.zip")
    assert (tmp_path / "stick.zip").read_text() == "precious"


HALVES = {
    "half a character": b'"\\ud800"',
    "in a list": b'{"looks": [["\\udfff"]]}',
    "in a key": b'{"a\\uD83Dz": 1}',
}


def forged(file: Path, to: Path, change: str) -> None:
    """The same backup with something wrong in it."""
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(to, "w") as new:
        manifest = json.loads(old.read(MANIFEST))
        parts = {name: old.read(name) for name in old.namelist() if name != MANIFEST}
        match change:
            case "newer":
                manifest["layout"] = 99
            case "newer journal":
                manifest["journal"] = 99
            case "bytes":
                parts["journal.db"] = parts["journal.db"][:-1] + b"x"
            case "no database":
                parts["journal.db"] = b"x" * 4096
                manifest["files"]["journal.db"] = sha256(parts["journal.db"]).hexdigest()
            case "endless layout":
                manifest["layout"] = float("inf")
            case "lacking":
                del parts["camera.json"]
            case "no manifest":
                manifest = None
            case "half a character" | "in a list" | "in a key":
                parts["camera.json"] = HALVES[change]
                manifest["files"]["camera.json"] = sha256(HALVES[change]).hexdigest()
            case "of whom":
                manifest["companion"] = "\ud800"
            case stray:
                parts[stray], manifest["files"][stray] = b"{}", sha256(b"{}").hexdigest()
        if manifest is not None:
            new.writestr(MANIFEST, json.dumps(manifest))
        for name, data in parts.items():
            new.writestr(name, data)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("newer", "newer companion"),
        ("newer journal", "newer companion"),
        ("bytes", "damaged; nothing was changed"),
        ("no database", "damaged; nothing was changed"),
        ("endless layout", "is not a backup"),
        ("lacking", "does not hold what it says"),
        ("no manifest", "is not a backup"),
        ("../../etc/evil.json", "belongs nowhere"),
        ("/etc/evil.json", "belongs nowhere"),
        ("deep/er/evil.json", "that no backup has"),
        ("lock", "that no backup has"),
        ("claims.json", "that no backup has"),
        ("Claims.json", "that no backup has"),
        ("./claims.json", "that no backup has"),
        (".//camera.json", "that no backup has"),
        ("cards/./claims.toml", "that no backup has"),
        ("cards", "that no backup has"),
        ("half a character", r"camera.json .*half a character"),
        ("in a list", r"camera.json .*half a character"),
        ("in a key", r"camera.json .*half a character"),
        ("of whom", "half a character"),
    ],
)
def test_a_backup_that_is_none_changes_nothing(
    played: Desk, tmp_path: Path, change: str, why: str
) -> None:
    file, state = tmp_path / "stick.zip", played.path.parent
    backup(state, None, file)
    forged(file, tmp_path / "bad.zip", change)
    before = told(played.path)
    with pytest.raises(BadState, match=why):
        restore(tmp_path / "bad.zip", state, None)
    assert told(played.path) == before
    assert not list(state.glob("before-restore*"))
    assert not list(state.glob("restore-*"))


LINK, DEVICE, PIPE, FOLDER = 0o120777, 0o020666, 0o010666, 0o040777


@pytest.mark.parametrize("mode", [LINK, DEVICE, PIPE, FOLDER], ids=oct)
def test_a_link_or_a_device_in_a_backup_is_refused(played: Desk, tmp_path: Path, mode: int) -> None:
    state = played.path.parent
    backup(state, None, tmp_path / "stick.zip")
    bad = zipfile.ZipInfo("camera.json")
    bad.external_attr = mode << 16
    repacked(tmp_path / "stick.zip", tmp_path / "bad.zip", bad, b"/etc/passwd")
    with pytest.raises(BadState, match=r"camera\.json in the backup is no plain file"):
        restore(tmp_path / "bad.zip", state, None)
    assert (state / "camera.json").read_text() == "{}"
    assert not list(state.glob("*restore-*"))


def repacked(file: Path, to: Path, part: zipfile.ZipInfo, data: bytes) -> None:
    """The backup with this in place of the part of that name, and the right sum for it."""
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as new:
        manifest = json.loads(old.read(MANIFEST))
        manifest["files"][part.filename] = sha256(data).hexdigest()
        for name in old.namelist():
            if name not in (MANIFEST, part.filename):
                new.writestr(name, old.read(name))
        new.writestr(MANIFEST, json.dumps(manifest))
        new.writestr(part, data, part.compress_type)


@pytest.mark.slow
@pytest.mark.parametrize("says", ["the truth", "little"])
def test_a_backup_that_unpacks_to_more_than_it_says_takes_neither_memory_nor_disk(
    played: Desk, tmp_path: Path, says: str
) -> None:
    state, megabytes = played.path.parent, 65
    backup(state, None, tmp_path / "stick.zip")
    bomb = zipfile.ZipInfo("camera.json")
    bomb.compress_type = zipfile.ZIP_DEFLATED
    repacked(tmp_path / "stick.zip", tmp_path / "bad.zip", bomb, bytes(megabytes << 20))
    if says == "little":
        packed = (tmp_path / "bad.zip").read_bytes()
        honest, sly = ((size).to_bytes(4, "little") for size in (megabytes << 20, 9))
        assert packed.count(honest) == 2  # before the part and in the list at the end
        (tmp_path / "bad.zip").write_bytes(packed.replace(honest, sly))
    tracemalloc.start()
    with pytest.raises(BadState, match=r"too large|part of one"):
        restore(tmp_path / "bad.zip", state, None)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 8 << 20
    assert (state / "camera.json").read_text() == "{}"
    assert not list(state.glob("*restore-*"))


def test_two_parts_of_one_name_are_no_backup(played: Desk, tmp_path: Path) -> None:
    backup(played.path.parent, None, tmp_path / "stick.zip")
    with (
        zipfile.ZipFile(tmp_path / "stick.zip", "a") as bundle,
        pytest.warns(UserWarning, match="Duplicate name"),
    ):
        bundle.writestr("camera.json", b'{"format": 1}')
    with pytest.raises(BadState, match="does not hold what it says"):
        restore(tmp_path / "stick.zip", played.path.parent, None)


def test_half_a_file_is_no_backup(played: Desk, tmp_path: Path) -> None:
    file = tmp_path / "stick.zip"
    backup(played.path.parent, None, file)
    file.write_bytes(file.read_bytes()[:500])
    with pytest.raises(BadState, match="not a backup, or only a part"):
        restore(file, played.path.parent, None)


@pytest.mark.slow
def test_any_wrong_byte_is_told_in_a_sentence_or_does_no_harm(tmp_path: Path) -> None:
    state, file, bad = tmp_path / "state", tmp_path / "stick.zip", tmp_path / "bad.zip"
    state.mkdir()
    for n in range(8):
        (state / f"{n}.json").write_text(json.dumps([n * i for i in range(200)]))
    names = set(backup(state, None, file))
    whole, before = file.read_bytes(), {path.name: path.read_bytes() for path in state.iterdir()}
    for at in range(0, len(whole), 29):
        bad.write_bytes(whole[:at] + bytes([whole[at] ^ 0xA5]) + whole[at + 1 :])
        with suppress(BadState, NoRoom):
            assert set(restore(bad, state, None).names) == names
        assert {one: (state / one).read_bytes() for one in before} == before


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadState, match=r"there is no file .*stick.zip"):
        restore(tmp_path / "stick.zip", tmp_path, None)


def test_the_commands_say_what_they_did(played: Desk, tmp_path: Path) -> None:
    state = played.path.parent
    said = companion(state, "backup", str(tmp_path / "b.zip")).stdout
    assert "journal.db" in said
    said = companion(state, "restore", str(tmp_path / "b.zip")).stdout.replace("\n", "")
    assert "before-restore-1" in said
    again = companion(state, "backup", str(tmp_path / "b.zip"), ok=False)
    assert "exists already" in again.stderr


@pytest.mark.slow
@pytest.mark.parametrize("what", ["backup", "support"])
def test_a_file_that_is_not_named_lies_here_and_tells_its_date(
    played: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.chdir(tmp_path)
    companion(played.path.parent, what)
    (file,) = tmp_path.glob(f"companion-{what}-20??-??-??-??????.zip")
    assert zipfile.is_zipfile(file)
