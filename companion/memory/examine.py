"""Does a journal hold all that its chain and its mark promise? Reads, and changes nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from companion.errors import BadJournal
from companion.memory.chain import START, end_link, entry_link, head_link
from companion.memory.tables import (
    ENTRY_FIELDS,
    FIELDS,
    FORMAT,
    SCHEMA,
    UNCHAINED,
    legible_text,
    own_schema,
    schema,
)
from companion.memory.watermark import Mark, read_mark


def examine(path: Path) -> int:
    """The format of a sound journal, 0 if there is none yet.

    Raises sqlite3.DatabaseError over damage and BadJournal over the file of a newer companion.
    It is opened read-only, so that SQLite leaves its log as it is; the mark is read first, because
    a journal that is written meanwhile can only be ahead of it.
    """
    mark = read_mark(path)
    if not path.exists():
        if mark is not None:
            raise sqlite3.DatabaseError("it is gone")
        return 0
    if path.stat().st_size == 0 and path.with_name(path.name + "-wal").exists():
        raise sqlite3.DatabaseError("it is empty")  # SQLite would delete the log now
    stopped = path.with_name(path.name + "-journal").exists()  # while the file was made
    way = f"{path.absolute().as_uri()}?mode={'rw' if stopped else 'ro'}"
    with closing(sqlite3.connect(way, uri=True)) as db:
        db.text_factory = legible_text
        db.execute("BEGIN")
        found = int(db.execute("PRAGMA user_version").fetchone()[0])
        if found > FORMAT and (mark is None or mark.format > FORMAT):
            raise BadJournal(
                f"{path} was written by a newer companion (format {found}, this one knows "
                f"{FORMAT}): install that version, or move the file away"
            )
        if (said := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise sqlite3.DatabaseError(said)
        tables = schema(db)
        if found == UNCHAINED and mark is None and own_schema(*SCHEMA[2:]) <= tables:
            return found
        if found == 0 and not tables and mark is None:
            return 0
        if found != FORMAT or not own_schema(*SCHEMA) <= tables:
            raise sqlite3.DatabaseError("its tables are not those of a journal")
        _walk(db, mark)
    return found


def _walk(db: sqlite3.Connection, mark: Mark | None) -> None:
    """Every link from the first game to the newest entry, and the marked one among them."""
    before, marked, seen = START, mark is None, 0
    heads = db.execute(f"SELECT {FIELDS}, before, link, end_link FROM games ORDER BY id")
    claim = None if mark is None else (mark.game, mark.number, mark.link)
    for *row, bound, link, end in heads.fetchall():
        id, key, version, seats, options, began, ended, result, seed = row
        known = head_link(before, id, key, version, seats, options, seed, began)
        if (bound, link, end) != (before, known, end_link(known, ended, result)):
            raise sqlite3.DatabaseError(f"the row of game {id} is not the one that was written")
        before = link
        marked |= (id, 0, link) == claim
        rows = db.execute(
            f"SELECT {ENTRY_FIELDS}, link FROM entries WHERE game = ? ORDER BY seq", (id,)
        )
        for number, (*entry, link) in enumerate(rows, start=1):
            before = entry_link(before, *entry)
            if before != link or entry[1] != number:
                raise sqlite3.DatabaseError(f"entry {number} of game {id} is not as written")
            seen += 1
            marked |= (id, number, link) == claim
    if seen != db.execute("SELECT count(*) FROM entries").fetchone()[0]:
        raise sqlite3.DatabaseError("it holds entries of no game")
    if not marked:
        raise sqlite3.DatabaseError("it had come further than it says")
