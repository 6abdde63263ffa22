"""The journal: on disk before anybody knows, set aside when damaged, refused when full."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from companion.errors import BadJournal, NoRoom
from companion.memory.journal import PICTURES, Journal
from companion.memory.recovery import open_journal
from companion.memory.tables import FORMAT


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    ticks = count(1)
    journal = Journal(path, lambda: float(next(ticks)))
    yield journal
    journal.close()


def test_what_was_appended_is_read_by_another_process_at_once(path: Path, journal: Journal) -> None:
    game = journal.begin("pig", 1, [{"panel": 0, "name": "Red"}], {"goal": 20})
    journal.append(game, 1, 0, "do", {"do": "Hold", "seat": 0})
    reader = Journal(path, lambda: 0.0, write=False)
    (entry,) = reader.entries(game)
    assert (entry.seq, entry.who, entry.kind, entry.body) == (1, 0, "do", {"do": "Hold", "seat": 0})
    assert [record.key for record in reader.games()] == ["pig"]
    reader.close()


def test_every_commit_is_synced_in_full_to_a_write_ahead_log(path: Path, journal: Journal) -> None:
    assert journal._db.execute("PRAGMA synchronous").fetchone()[0] == 2
    assert journal._db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert path.exists()


def test_a_new_game_gives_up_the_one_that_still_ran(journal: Journal) -> None:
    first = journal.begin("pig", 1, [], {})
    second = journal.begin("pig", 1, [], {})
    newest, older = journal.games()
    assert (newest.id, newest.ended) == (second, None)
    assert (older.id, older.ended is not None, older.result) == (first, True, None)


def test_the_same_entry_cannot_be_written_twice(journal: Journal) -> None:
    game = journal.begin("pig", 1, [], {})
    journal.append(game, 1, None, "do", {})
    with pytest.raises(BadJournal):
        journal.append(game, 1, None, "do", {})
    assert len(journal.entries(game)) == 1


def test_a_gap_between_entries_is_not_guessed_over(journal: Journal) -> None:
    game = journal.begin("pig", 1, [], {})
    journal.append(game, 1, None, "do", {})
    journal.append(game, 3, None, "do", {})
    with pytest.raises(BadJournal, match="gap"):
        journal.entries(game)


@pytest.mark.parametrize("damage_to", ["garbage", "truncated", "page"])
def test_a_damaged_journal_is_set_aside_whole_and_what_is_proven_goes_on(
    path: Path, damage_to: str
) -> None:
    journal = Journal(path, lambda: 0.0)
    game = journal.begin("pig", 1, [], {})
    for seq in range(1, 200):
        journal.append(game, seq, None, "do", {"long": "x" * 300})
    journal.close()
    data = path.read_bytes()
    broken = {
        "garbage": b"this is no database at all" * 200,
        "truncated": data[: len(data) // 2],
        "page": data[:8192] + b"\xff" * 4096 + data[12288:],
    }[damage_to]
    path.write_bytes(broken)
    fresh, damage = open_journal(path, lambda: 0.0)
    assert damage is not None
    assert damage.kept.read_bytes() == broken
    kept = {"garbage": [], "truncated": [1], "page": [1]}[damage_to]
    assert [record.id for record in fresh.games()] == kept
    proven = len(fresh.entries(game))
    assert (damage.missing, damage.moves) == (199 - proven, proven)
    assert proven < 199
    fresh.begin("pig", 1, [], {})
    fresh.close()
    path.write_bytes(broken)
    again, second = open_journal(path, lambda: 0.0)
    again.close()
    assert second is not None
    assert second.kept != damage.kept  # the first is never overwritten


def test_a_flipped_bit_in_one_game_costs_that_game_only(path: Path, journal: Journal) -> None:
    games = [journal.begin("pig", 1, [], {}) for _ in range(3)]
    for game in games:
        journal.append(game, 1, None, "do", {})
    with sqlite3.connect(path) as db:  # SQLite's own check cannot see these
        db.execute("UPDATE entries SET body = '{]' WHERE game = ?", games[:1])
        db.execute("UPDATE games SET seats = '[~' WHERE id = ?", games[1:2])
    db.close()
    with pytest.raises(BadJournal, match="game 1 is damaged"):
        journal.entries(games[0])
    assert [record.id for record in journal.games()] == [games[2], games[0]]
    last = journal.last()
    assert last is not None
    assert last.id == games[2]


def schema_bytes(path: Path) -> list[int]:
    """Where in the file the texts of the tables' making stand."""
    data = path.read_bytes()
    with sqlite3.connect(path) as db:
        made = [row[0].encode() for row in db.execute("SELECT sql FROM sqlite_master")]
    db.close()
    return [data.index(sql) + place for sql in made if sql for place in range(len(sql))]


@pytest.mark.slow
def test_a_flipped_high_bit_anywhere_in_the_schema_sets_the_journal_aside(path: Path) -> None:
    sound = Journal(path, lambda: 0.0)
    sound.begin("pig", 1, [], {})
    sound.close()
    data = path.read_bytes()
    for place in schema_bytes(path)[::9]:
        flipped = bytearray(data)
        flipped[place] ^= 0x80
        path.write_bytes(flipped)
        fresh, damage = open_journal(path, lambda: 0.0)
        assert damage is not None, place
        assert damage.kept.read_bytes() == flipped
        assert [record.key for record in fresh.games()] == ["pig"]
        fresh.close()
        damage.kept.unlink()


@pytest.mark.parametrize("version", [0, -1])
def test_a_journal_whose_format_was_flipped_is_set_aside(path: Path, version: int) -> None:
    Journal(path, lambda: 0.0).close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version={version}")
    db.close()
    with pytest.raises(BadJournal, match="is damaged: its tables are not those of a journal"):
        Journal(path, lambda: 0.0)


def test_a_journal_with_tables_of_others_beside_ours_is_sound(path: Path) -> None:
    Journal(path, lambda: 0.0).close()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE notes (body TEXT)")
    db.close()
    Journal(path, lambda: 0.0).close()


def test_a_text_that_is_no_utf_8_is_damage_and_not_a_full_disk(
    path: Path, journal: Journal
) -> None:
    game = journal.begin("pig", 1, [], {})
    with sqlite3.connect(path) as db:
        db.execute("UPDATE games SET key = CAST(x'7069e7' AS TEXT)")
    db.close()
    with pytest.raises(BadJournal, match=f"game {game} is damaged"):
        journal.last()
    assert journal.games() == []


def test_a_pipe_in_place_of_the_journal_is_said_and_nobody_waits(path: Path) -> None:
    path.parent.mkdir()
    os.mkfifo(path)
    for write in (True, False):
        with pytest.raises(NoRoom, match="not a regular file"):
            Journal(path, lambda: 0.0, write=write)


def test_a_sound_journal_is_not_set_aside(path: Path) -> None:
    Journal(path, lambda: 0.0).close()
    journal, aside = open_journal(path, lambda: 0.0)
    journal.close()
    assert aside is None


def test_a_journal_of_a_newer_companion_is_left_alone(path: Path) -> None:
    Journal(path, lambda: 0.0).close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version={FORMAT + 1}")
    db.close()
    before = path.read_bytes()
    with pytest.raises(BadJournal, match="newer companion"):
        open_journal(path, lambda: 0.0)
    assert path.read_bytes() == before


def test_a_full_disk_is_no_room_and_what_was_there_stays(journal: Journal) -> None:
    game = journal.begin("pig", 1, [], {})
    journal.append(game, 1, None, "do", {})
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(NoRoom, match="full"):
        journal.append(game, 2, None, "do", {"long": "x" * 50_000})
    with pytest.raises(NoRoom, match="full"):
        journal.reading(game, 1, [], b"x" * 50_000)
    assert len(journal.entries(game)) == 1
    journal._db.execute("PRAGMA max_page_count=1000000")
    journal.append(game, 2, None, "do", {"long": "x" * 50_000})
    assert len(journal.entries(game)) == 2


def test_pictures_are_kept_in_a_ring_and_readings_for_ever(journal: Journal) -> None:
    game = journal.begin("pig", 1, [], {})
    for seq in range(PICTURES + 5):
        journal.reading(game, seq, [{"value": 3}], b"jpeg")
    readings = journal.readings(game)
    assert len(readings) == PICTURES + 5
    assert [bool(picture) for _, _, picture in readings[:6]] == [False] * 5 + [True]


def test_a_missing_journal_is_said_and_not_made_by_a_reader(tmp_path: Path) -> None:
    with pytest.raises(BadJournal, match="no journal"):
        Journal(tmp_path / "none.db", lambda: 0.0, write=False)
    assert not (tmp_path / "none.db").exists()


def test_a_state_directory_without_rights_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(NoRoom, match="could not be opened"):
        Journal(tmp_path / "file" / "journal.db", lambda: 0.0)


VERSION_1 = """
CREATE TABLE games (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL, version INTEGER NOT NULL, seats TEXT NOT NULL,
  options TEXT NOT NULL, began REAL NOT NULL, ended REAL, result TEXT);
CREATE TABLE entries (
  game INTEGER NOT NULL REFERENCES games, seq INTEGER NOT NULL, at REAL NOT NULL,
  who INTEGER, kind TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (game, seq)) WITHOUT ROWID;
CREATE TABLE readings (
  id INTEGER PRIMARY KEY, game INTEGER, seq INTEGER, at REAL NOT NULL,
  dice TEXT NOT NULL, picture BLOB);
INSERT INTO games VALUES (3, 'pig', 1, '[]', '{"goal":20}', 1.5, 9, '{"why":"Red"}');
INSERT INTO games VALUES (4, 'pig', 1, '[]', '{}', 10, NULL, NULL);
INSERT INTO entries VALUES (3, 1, 2, 0, 'do', '{"n":1}'), (4, 1, 11, NULL, 'do', '{"n":2}');
INSERT INTO readings VALUES (1, 3, 1, 2, '[6]', x'ff');
PRAGMA user_version=1;
"""


@pytest.fixture
def old(path: Path) -> Path:
    path.parent.mkdir()
    with sqlite3.connect(path) as db:
        db.executescript(VERSION_1)
    db.close()
    return path


def test_a_journal_of_the_format_before_opens_with_all_it_holds_and_gets_its_chain(
    old: Path,
) -> None:
    reader = Journal(old, lambda: 0.0, write=False)
    before = [(record, reader.entries(record.id)) for record in reader.games()]
    reader.close()
    journal = Journal(old, lambda: 20.0)
    after = [(record, journal.entries(record.id)) for record in journal.games()]
    assert after == before
    assert [record.id for record, _ in after] == [4, 3]
    assert journal.readings(3) == [(1, [6], b"\xff")]
    journal.append(4, 2, 0, "do", {"n": 3})
    journal.begin("pig", 1, [], {})
    journal.close()
    with sqlite3.connect(old) as db:
        (links,) = db.execute("SELECT count(DISTINCT link) FROM (SELECT link FROM games UNION "
                              "ALL SELECT link FROM entries)").fetchone()  # fmt: skip
        found = db.execute("SELECT before FROM games WHERE id = 5").fetchone()
        assert found == db.execute("SELECT link FROM entries WHERE seq = 2").fetchone()
    db.close()
    assert links == 6


def test_a_game_keeps_the_seed_that_it_began_with(path: Path, journal: Journal) -> None:
    journal.begin("pig", 1, [], {})
    journal.begin("pig", 1, [], {}, seed="5eed")
    reader = Journal(path, lambda: 0.0, write=False)
    assert [record.seed for record in reader.games()] == ["5eed", ""]
    reader.close()


def test_no_other_user_may_read_a_journal_or_what_stands_beside_it(path: Path) -> None:
    before = os.umask(0)
    try:
        Journal(path, lambda: 1.0).close()
        path.chmod(0o644)  # as earlier companions left it
        journal = Journal(path, lambda: 1.0)
        journal.begin("pig", 1, [], {})
        modes = {part.name: part.stat().st_mode & 0o777 for part in path.parent.iterdir()}
        journal.close()
    finally:
        os.umask(before)
    assert modes == dict.fromkeys([path.name + end for end in ("", "-wal", "-shm", "-mark")], 0o600)


def test_what_is_written_together_is_there_whole_or_not_at_all(
    path: Path, journal: Journal
) -> None:
    def write() -> None:
        with journal.together():
            number = journal.begin("pig", 1, [], {})
            journal.append(number, 1, 0, "do", {})
            assert told(path) == []
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert told(path) == []
    with journal.together():
        journal.append(journal.begin("pig", 1, [], {}), 1, 0, "do", {})
    assert told(path) == [("pig", 1)]


def told(path: Path) -> list[tuple[str, int]]:
    """Each game and how many entries it has, as another process reads them."""
    other = Journal(path, lambda: 0.0, write=False)
    try:
        return [(game.key, other.length(game.id)) for game in other.games()]
    finally:
        other.close()
