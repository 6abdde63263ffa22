"""The tables of a journal and how they are written: the one place that knows their columns."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from itertools import groupby
from typing import Any, TypeAlias

from companion.memory.chain import START, end_link, entry_link, head_link

Row: TypeAlias = tuple[Any, ...]
Schema: TypeAlias = set[tuple[object, object]]

FORMAT = 2  # PRAGMA user_version; a newer file is never touched
PAGE = 2048  # bytes: each commit writes whole pages, and a move has some hundred bytes
UNCHAINED = 1  # the format before: its rows have no links and no seed

CHAINED = (
    """CREATE TABLE games (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL, version INTEGER NOT NULL, seats TEXT NOT NULL,
  options TEXT NOT NULL, began REAL NOT NULL, ended REAL, result TEXT, seed TEXT,
  before BLOB NOT NULL, link BLOB NOT NULL, end_link BLOB NOT NULL)""",
    """CREATE TABLE entries (
  game INTEGER NOT NULL REFERENCES games, seq INTEGER NOT NULL, at REAL NOT NULL,
  who INTEGER, kind TEXT NOT NULL, body TEXT NOT NULL, link BLOB NOT NULL,
  PRIMARY KEY (game, seq)) WITHOUT ROWID""",
)
SCHEMA = (
    *CHAINED,
    """CREATE TABLE readings (
  id INTEGER PRIMARY KEY, game INTEGER, seq INTEGER, at REAL NOT NULL,
  dice TEXT NOT NULL, picture BLOB)""",
)
FIELDS = "id, key, version, seats, options, began, ended, result, seed"
OLD_FIELDS = FIELDS.replace("seed", "NULL")
ENTRY_FIELDS = "game, seq, at, who, kind, body"


def legible_text(raw: bytes) -> str | bytes:
    """A text of SQLite; one that a flipped bit has spoilt stays bytes, and costs its row alone."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def schema(db: sqlite3.Connection) -> Schema:
    """Every table and how it was made."""
    rows = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    return {(name, " ".join(sql.split()) if isinstance(sql, str) else sql) for name, sql in rows}


@cache
def own_schema(*made: str) -> Schema:
    with closing(sqlite3.connect(":memory:")) as db:
        make(db, made)
        return schema(db)


def make(db: sqlite3.Connection, made: Iterable[str]) -> None:
    for table in made:
        db.execute(table)
    db.execute(f"PRAGMA user_version={FORMAT}")


def keep_chained(db: sqlite3.Connection, games: list[Row], entries: list[Row]) -> None:
    """Write games (FIELDS) and their entries (ENTRY_FIELDS), both in order, as one chain."""
    link, rows = START, groupby(entries, key=lambda row: row[0])
    of_game = {game: list(group) for game, group in rows}
    for game in games:
        link = keep_game(db, game, link)
        for row in of_game.get(game[0], ()):
            link = keep_entry(db, row, link)


def keep_game(db: sqlite3.Connection, row: Row, before: bytes) -> bytes:
    id, key, version, seats, options, began, ended, result, seed = row
    link = head_link(before, id, key, version, seats, options, seed, began)
    db.execute(
        "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*row, before, link, end_link(link, ended, result)),
    )
    return link


def keep_entry(db: sqlite3.Connection, row: Row, before: bytes) -> bytes:
    link = entry_link(before, *row)
    db.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)", (*row, link))
    return link
