"""Whatever archive is restored: a sentence and nothing changed, or a state that can be played."""

from __future__ import annotations

import json
import random
import resource
import shutil
import zipfile
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from companion.care.backup import MANIFEST, backup, restore
from companion.errors import CompanionError
from companion.memory.journal import Journal
from companion.memory.recovery import open_journal
from companion.memory.tables import FORMAT
from tests.table.desk import Desk
from tests.web.test_imports import bent

GROWTH = 32 << 10  # kilobytes


def spoilt(whole: bytes, rng: random.Random) -> bytes:
    """An archive with wrong bytes, or one whose list is right about wrong files."""
    if rng.random() < 0.3:
        data = bytearray(whole[: rng.randrange(1, len(whole) + 1)])
        for _ in range(rng.randrange(4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        return bytes(data)
    with zipfile.ZipFile(BytesIO(whole)) as bundle:
        parts: dict[str, Any] = {name: bundle.read(name) for name in bundle.namelist()}
    about = json.loads(parts.pop(MANIFEST))
    if rng.random() < 0.7:
        name = rng.choice(list(parts))
        data = bytearray(parts[name])
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        parts[name] = bytes(data)
    if rng.random() < 0.2:
        name = rng.choice(
            ("x.json", "../x.json", "cards/x.toml", "journal.db-wal", "lock", "é.json")
        )
        parts[name] = rng.randbytes(99)
    if rng.random() < 0.8:  # the list knows of it
        about["files"] = {name: sha256(data).hexdigest() for name, data in parts.items()}
    if rng.random() < 0.3:
        about = bent(about, rng)
    made = BytesIO()
    with zipfile.ZipFile(made, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as out:
        out.writestr(MANIFEST, json.dumps(about))
        for name, data in parts.items():
            out.writestr(name, data)
    return made.getvalue()


def restore_many(folder: Path, archives: int) -> None:
    rng = random.Random(archives)
    state, there, file = folder / "state", folder / "there", folder / "stick.zip"
    (state / "cards").mkdir(parents=True)
    (state / "cards/sao.toml").write_text("# mine\n")
    (state / "camera.json").write_text(json.dumps({"colours": [1, 2, 3]}))
    (folder / "own.toml").write_text("[table]\n")
    desk = Desk(state)
    desk.start()
    desk.choose(0, "Charge")
    backup(state, folder / "own.toml", file)
    whole, restored, at_first = file.read_bytes(), 0, 0
    for number in range(archives):
        shutil.rmtree(there, ignore_errors=True)
        there.mkdir()
        (there / "camera.json").write_text("before")
        file.write_bytes(spoilt(whole, rng))
        try:
            restore(file, there, there / "own.toml")
        except CompanionError:
            assert [path.name for path in there.iterdir()] == ["camera.json"]
            assert (there / "camera.json").read_text() == "before"
        else:
            restored += 1
            journal, _ = open_journal(there / "journal.db", lambda: 1.0)
            journal.close()
            assert (there / "journal.db").stat().st_mode & 0o777 == 0o600
        if number % 100 == 99:
            print(f"{number + 1} archives: {restored} restored", flush=True)
        if number == archives // 4:
            at_first = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - at_first
    print(f"{archives} archives: {restored} restored, grown by {grown >> 10} MB")
    assert grown < GROWTH
    assert 0 < restored < archives


@pytest.mark.slow
def test_no_archive_is_restored_by_halves(tmp_path: Path) -> None:
    restore_many(tmp_path, 60)


@pytest.mark.soak
def test_none_of_a_thousand_archives_is_restored_by_halves(tmp_path: Path) -> None:
    restore_many(tmp_path, 1000)


def test_a_journal_that_is_newer_than_its_list_says_is_not_restored(tmp_path: Path) -> None:
    state, file = tmp_path / "state", tmp_path / "stick.zip"
    journal = Journal(state / "journal.db", lambda: 1.0)
    journal._db.execute(f"PRAGMA user_version={FORMAT + 1}")
    journal.close()
    backup(state, None, file)
    with pytest.raises(CompanionError, match="newer"):
        restore(file, tmp_path / "there", None)
