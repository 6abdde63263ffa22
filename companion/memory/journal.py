"""Every accepted action on disk before anybody sees its effect: SQLite, WAL, synchronous=FULL."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from companion.errors import BadJournal, NoRoom
from companion.files import aside

Kind: TypeAlias = Literal["do", "rule", "back", "fix", "warned", "mode"]
KINDS: tuple[Kind, ...] = ("do", "rule", "back", "fix", "warned", "mode")
log = logging.getLogger(__name__)

FORMAT = 1  # PRAGMA user_version; a newer file is never touched
PICTURES = 200  # readings that keep their picture: the ring

SCHEMA = """
CREATE TABLE games (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL, version INTEGER NOT NULL, seats TEXT NOT NULL,
  options TEXT NOT NULL, began REAL NOT NULL, ended REAL, result TEXT);
CREATE TABLE entries (
  game INTEGER NOT NULL REFERENCES games, seq INTEGER NOT NULL, at REAL NOT NULL,
  who INTEGER, kind TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (game, seq)) WITHOUT ROWID;
CREATE TABLE readings (
  id INTEGER PRIMARY KEY, game INTEGER, seq INTEGER, at REAL NOT NULL,
  dice TEXT NOT NULL, picture BLOB);
"""
FIELDS = "id, key, version, seats, options, began, ended, result"
NOT_DAMAGE = {  # what room or rights mend, or waiting; anything else that SQLite says is damage
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a game's journal. `who` is the seat, None for chance and the table itself."""

    seq: int
    at: float
    who: int | None
    kind: Kind
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Record:
    """A game in the journal, running or ended."""

    id: int
    key: str
    version: int
    seats: list[Any]
    options: dict[str, Any]
    began: float
    ended: float | None
    result: dict[str, Any] | None


class Journal:
    """The one file of the state directory.

    Readers may look on while the daemon writes; each sees the games as of its first look, so a
    game that went on meanwhile cannot show its new moves under its old end.
    """

    def __init__(self, path: Path, clock: Callable[[], float], *, write: bool = True) -> None:
        self.path = path
        self._clock = clock
        with _translated(path):
            if path.exists() and not path.is_file():  # opening a pipe would never end
                raise OSError("it is not a regular file")
            if write:
                path.parent.mkdir(parents=True, exist_ok=True)
                own(path)
                self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
                try:
                    self._prepare()
                except BaseException:
                    self._db.close()
                    raise
            elif not path.exists():
                raise BadJournal(f"there is no journal at {path}")
            else:
                self._db = sqlite3.connect(
                    f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None
                )
                self._db.text_factory = _text
                self._db.execute("BEGIN")  # all that is read is of one moment

    def _prepare(self) -> None:
        db = self._db
        db.text_factory = _text
        if (found := db.execute("PRAGMA user_version").fetchone()[0]) > FORMAT:
            raise BadJournal(
                f"{self.path} was written by a newer companion (format {found}, this one knows "
                f"{FORMAT}): install that version, or move the file away"
            )
        if (said := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise sqlite3.DatabaseError(said)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA foreign_keys=ON")
        if found == 0 and not _schema(db):
            db.executescript(f"BEGIN;{SCHEMA}PRAGMA user_version={FORMAT};COMMIT;")
        elif found != FORMAT or not _own_schema().items() <= _schema(db).items():
            raise sqlite3.DatabaseError("its tables are not those of a journal")

    def begin(self, key: str, version: int, seats: list[Any], options: dict[str, Any]) -> int:
        """A new game; its number. Whatever still ran is given up in the same transaction."""
        with self._transaction():
            self._db.execute("UPDATE games SET ended = ? WHERE ended IS NULL", (self._clock(),))
            cursor = self._db.execute(
                "INSERT INTO games (key, version, seats, options, began) VALUES (?, ?, ?, ?, ?)",
                (key, version, json.dumps(seats), json.dumps(options), self._clock()),
            )
        return int(cursor.lastrowid or 0)

    def append(
        self,
        game: int,
        seq: int,
        who: int | None,
        kind: Kind,
        body: dict[str, Any],
        result: dict[str, Any] | None = None,
    ) -> None:
        """On disk when this returns; NoRoom if the disk took it not.

        `result` is how the game stands after this entry, None while it runs. It is stored in the
        same transaction: no cut, and no reader, finds a running game that counts as ended.
        """
        with self._transaction():
            self._db.execute(
                "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)",
                (game, seq, self._clock(), who, kind, json.dumps(body, separators=(",", ":"))),
            )
            self._judge(game, result)

    def judge(self, game: int, result: dict[str, Any] | None) -> None:
        """The game is over with this result; None: it runs. Nothing is written if that is known."""
        with self._transaction():
            self._judge(game, result)

    def _judge(self, game: int, result: dict[str, Any] | None) -> None:
        kept = None if result is None else json.dumps(result)
        ended = "NULL" if kept is None else "coalesce(ended, ?2)"  # a corrected end keeps its time
        self._db.execute(
            f"UPDATE games SET result = ?1, ended = {ended} "
            "WHERE id = ?3 AND (result IS NOT ?1 OR (ended IS NULL) IS NOT (?1 IS NULL))",
            (kept, self._clock(), game),
        )

    def end(self, game: int, result: dict[str, Any] | None) -> None:
        """A game of elsewhere is over, or was given up (no result)."""
        with _translated(self.path):
            self._db.execute(
                "UPDATE games SET ended = ?, result = ? WHERE id = ?",
                (self._clock(), json.dumps(result), game),
            )

    def entries(self, game: int) -> list[Entry]:
        """What happened in a game, in order."""
        with _translated(self.path):
            rows = self._db.execute(
                "SELECT seq, at, who, kind, body FROM entries WHERE game = ? ORDER BY seq", (game,)
            ).fetchall()
        return [_entry(game, expected, row) for expected, row in enumerate(rows, start=1)]

    def length(self, game: int) -> int:
        """How many entries a game has."""
        with _translated(self.path):
            found = self._db.execute("SELECT count(*) FROM entries WHERE game = ?", (game,))
            return int(found.fetchone()[0])

    def games(self) -> list[Record]:
        """Every game, the newest first; one that cannot be read is told in the log."""
        found = []
        with _translated(self.path):
            rows = self._db.execute(f"SELECT {FIELDS} FROM games ORDER BY id DESC").fetchall()
        for row in rows:
            try:
                found.append(_record(row))
            except BadJournal as error:
                log.warning("%s: it is left out", error)
        return found

    def last(self) -> Record | None:
        """The newest game: where play resumes."""
        with _translated(self.path):
            row = self._db.execute(
                f"SELECT {FIELDS} FROM games ORDER BY id DESC LIMIT 1"
            ).fetchone()
        return _record(row) if row else None

    def reading(self, game: int, seq: int, dice: list[Any], picture: bytes) -> None:
        """A physical roll as it was read; the oldest pictures make room for the newest."""
        with self._transaction():
            self._db.execute(
                "INSERT INTO readings (game, seq, at, dice, picture) VALUES (?, ?, ?, ?, ?)",
                (game, seq, self._clock(), json.dumps(dice), picture or None),
            )
            self._db.execute(
                "UPDATE readings SET picture = NULL WHERE picture IS NOT NULL AND id <= "
                "(SELECT max(id) FROM readings) - ?",
                (PICTURES,),
            )

    def readings(self, game: int) -> list[tuple[int, list[Any], bytes]]:
        """The rolls of a game as they were read: entry number, dice, picture (or b"")."""
        with _translated(self.path):
            rows = self._db.execute(
                "SELECT seq, dice, picture FROM readings WHERE game = ? ORDER BY id", (game,)
            ).fetchall()
        with _legible(game):
            return [(seq, json.loads(dice), picture or b"") for seq, dice, picture in rows]

    def close(self) -> None:
        """Leave the file in order."""
        self._db.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """All that is written meanwhile is one: a cut leaves the whole of it or nothing."""
        with self._transaction():
            yield

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        if self._db.in_transaction:
            yield
            return
        with _translated(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # a full disk has rolled it back already
                    self._db.execute("ROLLBACK")
                raise


def own(path: Path) -> None:
    """For no other user: it holds secrets. SQLite gives its log and index the same rights."""
    os.close(os.open(path, os.O_CREAT | os.O_RDONLY | os.O_CLOEXEC, 0o600))
    for end in ("", "-wal", "-shm"):
        part = path.with_name(path.name + end)
        if part.exists() and part.stat().st_mode & 0o077:
            part.chmod(0o600)


def open_journal(path: Path, clock: Callable[[], float]) -> tuple[Journal, Path | None]:
    """The journal, and where a damaged one was set aside (None: it was sound)."""
    try:
        return Journal(path, clock), None
    except BadJournal as error:
        if error.__cause__ is None:  # not damaged, but of a newer companion
            raise
    kept = aside(path)
    with _translated(path):
        for end in ("", "-wal", "-shm"):
            part = path.with_name(path.name + end)
            if part.exists():
                part.rename(kept.with_name(kept.name + end))
    return Journal(path, clock), kept


def _text(raw: bytes) -> str | bytes:
    """A text of SQLite; one that a flipped bit has spoilt stays bytes, and costs its row alone."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def _schema(db: sqlite3.Connection) -> dict[object, object]:
    """Every table and how it was made."""
    rows = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    return {name: " ".join(sql.split()) if isinstance(sql, str) else sql for name, sql in rows}


@cache
def _own_schema() -> dict[object, object]:
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(SCHEMA)
        return _schema(db)


def _record(row: tuple[Any, ...]) -> Record:
    """A row of the table games; BadJournal if no game was ever kept like this."""
    id, key, version, seats, options, began, ended, result = row
    with _legible(id):
        seats, options = _parsed(seats), _parsed(options)
        result = _parsed(result) if result else None
    sound = (
        isinstance(key, str)
        and isinstance(version, int)
        and _moment(began)
        and (ended is None or _moment(ended))
        and isinstance(seats, list)
        and all(isinstance(seat, dict) and _seat(**seat) for seat in seats)
        and isinstance(options, dict)
        and (result is None or (isinstance(result, dict) and isinstance(result.get("why"), str)))
    )
    if not sound:
        raise BadJournal(f"game {id} is damaged: its row holds what no game has")
    return Record(id, key, version, seats, options, began, ended, result)


def _moment(value: object) -> bool:
    return isinstance(value, float) and 0 <= value < 1e11


def _seat(panel: object = None, name: object = None, **_: object) -> bool:
    return isinstance(panel, int) and panel >= 0 and isinstance(name, str)


def _entry(game: int, expected: int, row: tuple[Any, ...]) -> Entry:
    seq, at, who, kind, body = row
    if seq != expected or kind not in KINDS:
        raise BadJournal(f"game {game} has a gap or an unknown entry at {expected}")
    with _legible(game):
        body = _parsed(body)
    if not (isinstance(body, dict) and _moment(at) and (who is None or isinstance(who, int))):
        raise BadJournal(f"game {game} is damaged: entry {seq} holds what no move has")
    return Entry(seq, at, who, kind, body)


def _parsed(text: str) -> Any:
    """JSON as it was stored; half a character, which imports once let in, as U+FFFD."""
    value = json.loads(text)
    if "\\ud" not in text.lower():
        return value
    written = json.dumps(value, ensure_ascii=False).encode("utf-16", "surrogatepass")
    return json.loads(written.decode("utf-16", "replace"))


@contextmanager
def _legible(game: int) -> Iterator[None]:
    """A flipped bit that SQLite cannot see: the text of a row is no UTF-8 or JSON any more."""
    try:
        yield
    except (ValueError, TypeError, RecursionError) as error:
        raise BadJournal(f"game {game} is damaged: {error}") from error


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    """SQLite's errors as ours: who must act is the maker (room, rights) or nobody can (damage)."""
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", -1) & 0xFF not in NOT_DAMAGE:
            raise BadJournal(f"{path} is damaged: {error}") from error
        raise NoRoom(f"the journal {path} could not be written: {error}") from error
    except UnicodeDecodeError as error:  # even what SQLite says of the damage is spoilt
        raise BadJournal(f"{path} is damaged: {error}") from error
    except OSError as error:
        raise NoRoom(f"the journal {path} could not be opened: {error}") from error
