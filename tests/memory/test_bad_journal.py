"""A journal that was damaged knows it, keeps the damaged files, and goes on from what is proven."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import BadJournal
from companion.memory import watermark
from companion.memory.examine import examine
from companion.memory.journal import FRAMES, Journal
from companion.memory.recovery import BESIDE, open_journal
from companion.memory.tables import FORMAT
from companion.memory.watermark import BLOCK, Mark, Watermark, decode, mark_file, read_mark

MOVES = 20
PARTS = ("", *BESIDE)


def play(journal: Journal, moves: int) -> int:
    game = journal.begin("pig", 1, [], {}, seed="5eed")
    for seq in range(1, moves + 1):
        journal.append(game, seq, 0, "do", {"face": seq, "long": "x" * (30 * seq)})
    return game


@pytest.fixture
def cut(tmp_path: Path) -> Iterator[Path]:
    """The files of two games as the plug left them: all of it lives in the log."""
    playing = tmp_path / "playing" / "journal.db"
    journal = Journal(playing, lambda: 1.0)
    journal._db.execute("PRAGMA wal_autocheckpoint=0")
    play(journal, 3)
    play(journal, MOVES)
    path = tmp_path / "state" / "journal.db"
    shutil.copytree(playing.parent, path.parent)
    yield path
    journal.close()


def beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def files(path: Path) -> dict[str, bytes]:
    """All but what SQLite makes of the log whenever somebody reads."""
    ends = (end for end in PARTS if end != "-shm")
    return {end: beside(path, end).read_bytes() for end in ends if beside(path, end).exists()}


def changed(path: Path, *statements: str) -> None:
    """As somebody would who has the file but not the chain; VACUUM leaves no trace of before."""
    db = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        db.execute(statement)
    db.close()  # and the log is gone


def spoil(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 0x10
    path.write_bytes(data)


def test_a_sound_journal_is_looked_at_and_not_touched(cut: Path) -> None:
    before = files(cut)
    assert examine(cut) == FORMAT
    assert files(cut) == before


def test_a_log_that_lost_its_end_is_said_and_its_files_are_kept_whole(cut: Path) -> None:
    os.truncate(beside(cut, "-wal"), beside(cut, "-wal").stat().st_size * 2 // 3)
    before = files(cut)
    journal, damage = open_journal(cut, lambda: 2.0)
    assert damage is not None
    assert files(damage.kept) == before
    entries = journal.entries(2)
    assert 0 < len(entries) == damage.moves < MOVES
    assert damage.missing == MOVES - damage.moves
    assert f"{damage.missing} moves are missing. Go on from move {damage.moves}" in str(
        damage.says().show()
    )
    assert len(journal.entries(1)) == 3
    last = journal.last()
    assert last is not None
    assert (last.ended, last.seed) == (None, "5eed")
    journal.append(2, damage.moves + 1, 0, "do", {})
    journal.close()
    again, nothing = open_journal(cut, lambda: 3.0)
    again.close()
    assert nothing is None  # it is said once


def test_a_bad_frame_in_the_middle_of_the_log_costs_no_move(cut: Path) -> None:
    whole = beside(cut, "-wal").stat().st_size
    for at in (8, 17, 40, whole // 4, whole // 2):
        shutil.rmtree(cut.parent)
        shutil.copytree(cut.parents[1] / "playing", cut.parent)
        spoil(beside(cut, "-wal"), at)
        journal, damage = open_journal(cut, lambda: 2.0)
        assert (at, len(journal.entries(2)), len(journal.entries(1))) == (at, MOVES, 3)
        journal.close()
        assert damage is not None
        assert damage.missing == 0
        assert "No move is missing" in damage.says().show()


@pytest.mark.parametrize("said", ["body = '{\"face\":6}'", "who = 1", "at = 2", "kind = 'rule'"])
def test_a_game_goes_on_at_its_last_good_entry(cut: Path, said: str) -> None:
    changed(
        cut, f"UPDATE entries SET {said} WHERE game = 2 AND seq = 13", "VACUUM"
    )  # no trace of the row as it was
    journal, damage = open_journal(cut, lambda: 2.0)
    assert damage is not None
    assert [entry.seq for entry in journal.entries(2)] == list(range(1, 13))
    assert (damage.moves, damage.missing) == (12, MOVES - 12)
    journal.close()


def test_an_entry_whose_own_link_alone_is_bad_counts(cut: Path) -> None:
    changed(
        cut, "UPDATE entries SET link = zeroblob(32) WHERE game = 2 AND seq IN (13, 20)", "VACUUM"
    )  # no trace of the row as it was
    journal, damage = open_journal(cut, lambda: 2.0)
    assert damage is not None
    assert (damage.missing, len(journal.entries(2))) == (0, MOVES)
    journal.close()


@pytest.mark.parametrize(
    "said",
    [
        "UPDATE games SET options = '{\"goal\":1}' WHERE id = 1",
        "UPDATE games SET ended = NULL WHERE id = 1",
        'UPDATE games SET result = \'{"why":"Red"}\' WHERE id = 1',
        "UPDATE games SET seed = '' WHERE id = 2",
        "UPDATE games SET before = '' WHERE id = 1",
        "UPDATE games SET link = 'x' WHERE id = 2",
        "UPDATE games SET end_link = 7.0 WHERE id = 2",
        "UPDATE entries SET link = 'x' WHERE seq = 2",
        "DELETE FROM entries WHERE game = 1 AND seq = 3",
        "DELETE FROM entries WHERE game = 2 AND seq = 20",
        "INSERT INTO entries VALUES (9, 1, 1.0, 0, 'do', '{}', zeroblob(32))",
    ],
)
def test_whatever_changed_in_a_row_is_damage(cut: Path, said: str) -> None:
    changed(cut, said)
    with pytest.raises(sqlite3.DatabaseError):
        examine(cut)
    journal, damage = open_journal(cut, lambda: 2.0)
    journal.close()
    assert damage is not None
    examine(cut)


def test_the_last_link_of_a_game_is_proven_by_the_game_after_it(cut: Path) -> None:
    changed(cut, "UPDATE entries SET link = zeroblob(32) WHERE game = 1 AND seq = 3", "VACUUM")
    journal, damage = open_journal(cut, lambda: 2.0)
    assert damage is not None
    assert (damage.missing, len(journal.entries(1))) == (0, 3)
    journal.close()


@pytest.mark.parametrize(
    ("spoilt", "missing"),
    [("UPDATE games SET options = '[]' WHERE id = 1", 0), ("DELETE FROM games WHERE id = 1", 1)],
)
def test_of_a_game_without_a_move_no_move_is_missing_unless_nobody_can_know(
    tmp_path: Path, spoilt: str, missing: int
) -> None:
    path = tmp_path / "journal.db"
    journal = Journal(path, lambda: 1.0)
    for moves in (0, 3):
        play(journal, moves)
    journal.close()
    changed(path, spoilt, "VACUUM")
    journal, damage = open_journal(path, lambda: 2.0)
    assert damage is not None
    assert (damage.missing, len(journal.entries(2))) == (missing, 3)
    journal.close()


def test_an_end_that_is_not_proven_is_no_result(cut: Path) -> None:
    changed(
        cut, 'UPDATE games SET result = \'{"why":"Red"}\', ended = 7', "VACUUM"
    )  # no trace of the row as it was
    journal, _ = open_journal(cut, lambda: 2.0)
    newest, older = journal.games()
    journal.close()
    assert (newest.ended, newest.result) == (None, None)  # it is played on, and judged then
    assert (older.ended, older.result) == (1.0, None)


def test_an_empty_file_does_not_cost_its_log(cut: Path) -> None:
    os.truncate(cut, 0)
    journal, damage = open_journal(cut, lambda: 2.0)
    assert damage is not None
    assert (damage.missing, len(journal.entries(2))) == (0, MOVES)
    journal.close()


def test_a_journal_that_is_gone_is_said(cut: Path) -> None:
    for end in ("", "-wal", "-shm"):
        beside(cut, end).unlink()
    journal, damage = open_journal(cut, lambda: 2.0)
    journal.close()
    assert damage is not None
    assert f"{MOVES} moves are missing. Kept: journal.db.damaged-1" in damage.says().show()


@pytest.mark.parametrize("end", ["-wal", "-mark"])
def test_a_file_of_another_evening_among_ours_is_said_and_ours_are_kept(
    cut: Path, tmp_path: Path, end: str
) -> None:
    other = Journal(tmp_path / "other" / "journal.db", lambda: 2.0)
    other._db.execute("PRAGMA wal_autocheckpoint=0")
    for moves in (3, 7, 9):
        play(other, moves)
    ours = files(cut)
    shutil.copy(beside(other.path, end), beside(cut, end))
    other.close()
    journal, damage = open_journal(cut, lambda: 2.0)
    journal.close()
    assert damage is not None
    kept = files(damage.kept)
    assert {name: kept[name] for name in ours if name != end} == {
        name: held for name, held in ours.items() if name != end
    }
    again, nothing = open_journal(cut, lambda: 2.0)
    again.close()
    assert nothing is None


def test_a_folder_where_a_rescue_would_stand_takes_no_sound_journals_place(cut: Path) -> None:
    beside(cut, ".rescued").mkdir()
    journal, damage = open_journal(cut, lambda: 2.0)
    assert (damage, len(journal.entries(2))) == (None, MOVES)
    journal.close()


def test_a_flipped_format_is_damage_where_the_mark_knows_better(cut: Path) -> None:
    changed(cut, f"PRAGMA user_version={FORMAT + 4}")
    journal, damage = open_journal(cut, lambda: 2.0)
    assert len(journal.entries(2)) == MOVES
    journal.close()
    assert damage is not None


def test_the_journal_and_mark_of_a_newer_companion_are_left_alone(cut: Path) -> None:
    changed(cut, f"PRAGMA user_version={FORMAT + 1}")
    mark = Mark(2, MOVES, b"\0" * 32, FORMAT + 1)
    mark_file(cut).write_bytes(mark.encode().ljust(BLOCK, b"\0") * 2)
    before = files(cut)
    with pytest.raises(BadJournal, match="newer companion"):
        open_journal(cut, lambda: 2.0)
    assert before.items() <= files(cut).items()


def test_a_rescue_that_a_cut_stopped_is_ended_by_the_next_start(
    cut: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(beside(cut, "-wal"), 20_000)
    rename, left = Path.rename, [0]

    def until_the_cut(path: Path, to: Path) -> Path:
        if left[0] == 0:
            raise KeyboardInterrupt
        left[0] -= 1
        return rename(path, to)

    for done in range(6):
        shutil.rmtree(cut.parent)
        shutil.copytree(cut.parents[1] / "playing", cut.parent)
        spoil(beside(cut, "-wal"), 20_000)
        left[0] = done
        monkeypatch.setattr(Path, "rename", until_the_cut)
        with pytest.raises(KeyboardInterrupt):
            open_journal(cut, lambda: 2.0)
        monkeypatch.undo()
        journal, damage = open_journal(cut, lambda: 2.0)
        assert (done, len(journal.entries(2))) == (done, MOVES)
        journal.close()
        assert damage is not None
        assert beside(cut.with_name("journal.db.damaged-1"), "-wal").exists()


# -- the mark ---------------------------------------------------------------------------------


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "journal.db", lambda: 1.0)
    yield journal
    journal.close()


def test_the_mark_follows_every_commit(journal: Journal) -> None:
    game = journal.begin("pig", 1, [], {})
    mark = read_mark(journal.path)
    assert mark is not None
    assert (mark.game, mark.number) == (game, 0)
    journal.append(game, 1, 0, "do", {})
    journal.reading(game, 1, [], b"")
    mark = read_mark(journal.path)
    assert mark is not None
    assert (mark.game, mark.number) == (game, 1)


def test_the_mark_never_claims_what_is_not_committed(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim, claimed = Watermark.claim, []

    def committed_first(self: Watermark, mark: Mark) -> None:
        reader = Journal(journal.path, lambda: 0.0, write=False)
        assert len(reader.entries(mark.game)) == mark.number
        reader.close()
        claimed.append(mark.number)
        claim(self, mark)

    monkeypatch.setattr(Watermark, "claim", committed_first)
    play(journal, 4)
    assert claimed == [0, 1, 2, 3, 4]


def test_what_was_shown_before_the_last_commit_is_claimed_on_the_disk(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[Mark | None, ...]] = []
    sync = os.fdatasync

    def seen(file: int) -> None:
        sync(file)
        synced.append(tuple(decode(os.pread(file, BLOCK, at)) for at in (0, BLOCK)))

    monkeypatch.setattr(watermark.os, "fdatasync", seen)
    game = journal.begin("pig", 1, [], {})
    for seq in range(1, 9):
        journal.append(game, seq, 0, "do", {})
        assert any(mark and mark.number == seq - 1 for mark in synced[seq - 1])
        numbers = [mark.number for mark in synced[seq - 1] if mark]
        assert max(numbers) - min(numbers) <= 1  # a torn claim leaves the one before it


@pytest.mark.parametrize("at", [0, 3, 50, 70, 80])
def test_a_torn_claim_leaves_the_one_before_it(journal: Journal, at: int) -> None:
    game = play(journal, 6)
    newest = read_mark(journal.path)
    assert newest is not None
    data = bytearray(mark_file(journal.path).read_bytes())
    data[data.index(newest.encode()) + at] ^= 1
    mark_file(journal.path).write_bytes(data)
    before = read_mark(journal.path)
    assert before is not None
    assert (before.game, before.number) == (game, 5)
    assert examine(journal.path) == FORMAT


@pytest.mark.parametrize("how", ["gone", "empty", "rubbish", "folder", "pipe"])
def test_a_journal_whose_mark_cannot_be_read_is_opened_and_marked_anew(cut: Path, how: str) -> None:
    place = mark_file(cut)
    place.unlink()
    match how:
        case "empty":
            place.touch()
        case "rubbish":
            place.write_bytes(b"\xff" * 9000)
        case "folder":
            place.mkdir()
        case "pipe":
            os.mkfifo(place)
    journal, damage = open_journal(cut, lambda: 2.0)
    assert damage is None
    assert len(journal.entries(2)) == MOVES
    journal.close()
    mark = read_mark(cut)
    assert mark is not None
    assert mark.number == MOVES


def test_play_goes_on_where_the_mark_cannot_be_written(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: int) -> None:
        raise OSError("Input/output error")

    monkeypatch.setattr(watermark.os, "fdatasync", broken)
    assert len(journal.entries(play(journal, 5))) == 5
    assert caplog.text.count("cannot be written: Input/output error") == 1


def test_an_evening_does_not_live_in_the_log_alone(journal: Journal, tmp_path: Path) -> None:
    game = play(journal, 3 * FRAMES)
    shutil.copy(journal.path, tmp_path / "without-its-log.db")
    alone = Journal(tmp_path / "without-its-log.db", lambda: 0.0, write=False)
    assert len(alone.entries(game)) > 2 * FRAMES
    alone.close()
