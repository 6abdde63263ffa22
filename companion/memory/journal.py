"""Every accepted action on disk before anybody sees its effect: SQLite, WAL, synchronous=FULL."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from companion.errors import BadJournal, NoRoom
from companion.memory.chain import START, end_link, entry_link
from companion.memory.examine import examine
from companion.memory.tables import (
    CHAINED,
    ENTRY_FIELDS,
    FIELDS,
    FORMAT,
    OLD_FIELDS,
    PAGE,
    SCHEMA,
    UNCHAINED,
    Row,
    keep_chained,
    keep_entry,
    keep_game,
    legible_text,
    make,
)
from companion.memory.watermark import Mark, Watermark
from companion.words import SeatNo

Kind: TypeAlias = Literal["do", "rule", "back", "fix", "warned", "mode", "seat"]
KINDS: tuple[Kind, ...] = ("do", "rule", "back", "fix", "warned", "mode", "seat")
log = logging.getLogger(__name__)

CACHE = 512  # KB of pages that SQLite keeps: play looks at the newest rows alone
FRAMES = 64  # of the log, until the file itself has them: an evening must not live in one
PICTURES = 200  # readings that keep their picture: the ring

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
    who: SeatNo | None
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
    seed: str = ""


class Journal:
    """The one file of the state directory.

    Readers may look on while the daemon writes; each sees the games as of its first look, so a
    game that went on meanwhile cannot show its new moves under its old end.
    """

    def __init__(self, path: Path, clock: Callable[[], float], *, write: bool = True) -> None:
        self.path = path
        self._clock = clock
        self._fields = FIELDS
        self._mark: Watermark | None = None
        self._committing: Mark | None = None
        with translated(path):
            if path.exists() and not path.is_file():  # opening a pipe would never end
                raise OSError("it is not a regular file")
            if write:
                path.parent.mkdir(parents=True, exist_ok=True)
                found = examine(path)  # before SQLite may touch anything
                own(path)
                self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
                try:
                    self._prepare(found)
                    self._mark = _marked(path)
                    self._claim(self._newest())
                except BaseException:
                    self._db.close()
                    raise
            elif not path.exists():
                raise BadJournal(f"there is no journal at {path}")
            else:
                self._db = sqlite3.connect(
                    f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None
                )
                self._db.text_factory = legible_text
                self._db.execute("BEGIN")  # all that is read is of one moment
                self._fields = FIELDS if self._format() > UNCHAINED else OLD_FIELDS

    def _prepare(self, found: int) -> None:
        db = self._db
        db.text_factory = legible_text
        db.execute(f"PRAGMA page_size={PAGE}")  # of a new file
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA foreign_keys=ON")
        db.execute(f"PRAGMA cache_size=-{CACHE}")
        db.execute(f"PRAGMA wal_autocheckpoint={FRAMES}")
        if found == UNCHAINED:
            self._chain_up()
        elif found == 0:
            with self._transaction():
                make(db, SCHEMA)

    def _format(self) -> int:
        return int(self._db.execute("PRAGMA user_version").fetchone()[0])

    def _chain_up(self) -> None:
        """A journal of the format before gets its links, all at once or not at all."""
        db = self._db
        with self._transaction():
            games = db.execute(f"SELECT {OLD_FIELDS} FROM games ORDER BY id").fetchall()
            rows = db.execute(f"SELECT {ENTRY_FIELDS} FROM entries ORDER BY game, seq").fetchall()
            db.execute("DROP TABLE entries")
            db.execute("DROP TABLE games")
            make(db, CHAINED)
            keep_chained(db, games, rows)

    def begin(
        self,
        key: str,
        version: int,
        seats: list[Any],
        options: dict[str, Any],
        seed: str = "",
        *,
        rests: bool = False,
    ) -> int:
        """A new game; its number. What was on the table is given up in the same transaction.

        If it `rests` instead, it stays without an end: somebody may go on with it.
        """
        with self._transaction():
            now = float(self._clock())
            newest = self._db.execute(
                "SELECT id, ended, link, result FROM games ORDER BY id DESC LIMIT 1"
            ).fetchone()
            before, game = START, 1
            if newest is not None:
                last, ended, link, result = newest
                if ended is None and not rests:
                    self._end(last, link, now, result)
                before, game = self._newest_link(last), last + 1
            row = (game, key, version, json.dumps(seats), json.dumps(options), now, None, None)
            link = keep_game(self._db, (*row, seed), before)
            self._committing = Mark(game, 0, link, FORMAT)
        return int(game)

    def take_up(self, resting: Record) -> None:
        """A game that rested lies on the table again, under a new number; the old one is over.

        All of it is copied, so that the chain only ever grows at its end.
        """
        with self._transaction():
            game = self.begin(
                resting.key, resting.version, resting.seats, resting.options, resting.seed
            )
            link = self._newest_link(game)
            for entry in self.entries(resting.id):
                kept = json.dumps(entry.body, separators=(",", ":"))
                row = (game, entry.seq, entry.at, entry.who, entry.kind, kept)
                link = keep_entry(self._db, row, link)
                self._committing = Mark(game, entry.seq, link, FORMAT)
            self._db.execute("UPDATE readings SET game = ? WHERE game = ?", (game, resting.id))
            self.end(resting.id, None)

    def day(self, at: float) -> str:
        """The day of a moment, by the clock of this machine."""
        with translated(self.path):
            found = self._db.execute("SELECT date(?, 'unixepoch', 'localtime')", (at,)).fetchone()
        return str(found[0])

    def _newest_link(self, game: int) -> bytes:
        """Of the last entry of a game, or of its row."""
        found = (
            self._db.execute(
                "SELECT link FROM entries WHERE game = ? ORDER BY seq DESC LIMIT 1", (game,)
            ).fetchone()
            or self._db.execute("SELECT link FROM games WHERE id = ?", (game,)).fetchone()
        )
        return bytes(found[0]) if found else START

    def append(
        self,
        game: int,
        seq: int,
        who: SeatNo | None,
        kind: Kind,
        body: dict[str, Any],
        result: dict[str, Any] | None = None,
    ) -> None:
        """On disk when this returns; NoRoom if the disk took it not.

        `result` is how the game stands after this entry, None while it runs. It is stored in the
        same transaction: no cut, and no reader, finds a running game that counts as ended.
        """
        with self._transaction():
            kept = json.dumps(body, separators=(",", ":"))
            row = (game, seq, float(self._clock()), who, kind, kept)
            link = keep_entry(self._db, row, self._newest_link(game))
            self._committing = Mark(game, seq, link, FORMAT)
            self._judge(game, result)

    def judge(self, game: int, result: dict[str, Any] | None) -> None:
        """The game is over with this result; None: it runs. Nothing is written if that is known."""
        with self._transaction():
            self._judge(game, result)

    def _judge(self, game: int, result: dict[str, Any] | None) -> None:
        kept = None if result is None else json.dumps(result)
        link, ended, known = self._db.execute(
            "SELECT link, ended, result FROM games WHERE id = ?", (game,)
        ).fetchone()
        if kept != known or (ended is None) != (kept is None):  # a corrected end keeps its time
            now = float(self._clock()) if ended is None else ended
            self._end(game, link, None if kept is None else now, kept)

    def _end(self, game: int, link: bytes, ended: float | None, result: str | None) -> None:
        self._db.execute(
            "UPDATE games SET ended = ?, result = ?, end_link = ? WHERE id = ?",
            (ended, result, end_link(link, ended, result), game),
        )

    def end(self, game: int, result: dict[str, Any] | None) -> None:
        """A game of elsewhere is over, or was given up (no result)."""
        with self._transaction():
            (link,) = self._db.execute("SELECT link FROM games WHERE id = ?", (game,)).fetchone()
            self._end(game, link, float(self._clock()), json.dumps(result) if result else None)

    def entries(self, game: int, after: int = 0) -> list[Entry]:
        """What happened in a game, in order; or only what comes after an entry."""
        with translated(self.path):
            column = "link" if self._fields == FIELDS else "NULL"
            rows = self._db.execute(
                f"SELECT seq, at, who, kind, body, {column} FROM entries WHERE game = ? "
                "AND seq > ? ORDER BY seq",
                (game, after),
            ).fetchall()
            of = f"entries WHERE game = ? AND seq = {after:d}" if after else "games WHERE id = ?"
            head = self._db.execute(f"SELECT {column} FROM {of}", (game,)).fetchone()
        before = head[0] if head else START
        found = []
        for expected, (*row, link) in enumerate(rows, start=after + 1):
            found.append(_entry(game, expected, row))
            if link is not None and link != entry_link(before, game, *row):
                raise BadJournal(f"game {game} is damaged: entry {expected} is not as written")
            before = link
        return found

    def rolls(self, since: float = 0.0) -> Iterator[tuple[int, Entry]]:
        """Every roll of every game and every correction of one, oldest first."""
        with translated(self.path):
            rows = self._db.execute(
                "SELECT game, seq, at, who, kind, body FROM entries WHERE at >= ? "
                "AND kind IN ('do', 'fix') AND instr(body, '\"do\":\"Rolled\"') ORDER BY game, seq",
                (since,),
            )
            for game, *row in rows:
                try:
                    yield game, _entry(game, row[0], row)
                except BadJournal as error:
                    log.warning("%s: it is left out", error)

    def length(self, game: int) -> int:
        """How many entries a game has."""
        with translated(self.path):
            found = self._db.execute("SELECT count(*) FROM entries WHERE game = ?", (game,))
            return int(found.fetchone()[0])

    def games(self) -> list[Record]:
        """Every game, the newest first; the log names one that cannot be read."""
        return [*self._games("")]

    def resting(self) -> Iterator[Record]:
        """The games without an end, the newest first."""
        return self._games("WHERE ended IS NULL")

    def last_of_each(self) -> Iterator[Record]:
        """The newest of each kind of game: an old journal has many, and a lobby asks each time."""
        return self._games("WHERE id IN (SELECT max(id) FROM games GROUP BY key)")

    def _games(self, which: str) -> Iterator[Record]:
        with translated(self.path):
            rows = self._db.execute(
                f"SELECT {self._fields} FROM games {which} ORDER BY id DESC"
            ).fetchall()
        for row in rows:
            try:
                yield _record(row)
            except BadJournal as error:
                log.warning("%s: it is left out", error)

    def last(self) -> Record | None:
        """The newest game: where play resumes."""
        with translated(self.path):
            row = self._db.execute(
                f"SELECT {self._fields} FROM games ORDER BY id DESC LIMIT 1"
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
        with translated(self.path):
            rows = self._db.execute(
                "SELECT seq, dice, picture FROM readings WHERE game = ? ORDER BY id", (game,)
            ).fetchall()
        with _legible(game):
            return [(seq, json.loads(dice), picture or b"") for seq, dice, picture in rows]

    def close(self) -> None:
        """Leave the file in order."""
        self._db.close()
        mark, self._mark = self._mark, None
        if mark is not None:
            mark.close()

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
        self._committing = None
        with translated(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # a full disk has rolled it back already
                    self._db.execute("ROLLBACK")
                raise
        self._claim(self._committing)

    def _claim(self, mark: Mark | None) -> None:
        """The mark follows the journal; without it play goes on, but damage may go unnoticed."""
        try:
            if self._mark is not None and mark is not None:
                self._mark.claim(mark)
        except OSError as error:
            log.error("the mark of %s cannot be written: %s", self.path, error)
            mark_file, self._mark = self._mark, None
            if mark_file is not None:
                mark_file.close()

    def _newest(self) -> Mark | None:
        row = self._db.execute("SELECT id FROM games ORDER BY id DESC LIMIT 1").fetchone()
        if row is None:
            return None
        (number,) = self._db.execute(
            "SELECT coalesce(max(seq), 0) FROM entries WHERE game = ?", row
        ).fetchone()
        return Mark(row[0], number, self._newest_link(row[0]), FORMAT)


def own(path: Path) -> None:
    """For no other user: it holds secrets. SQLite gives its log and index the same rights."""
    os.close(os.open(path, os.O_CREAT | os.O_RDONLY | os.O_CLOEXEC, 0o600))
    for end in ("", "-wal", "-shm"):
        part = path.with_name(path.name + end)
        if part.exists() and part.stat().st_mode & 0o077:
            part.chmod(0o600)


def _marked(path: Path) -> Watermark | None:
    try:
        return Watermark(path)
    except OSError as error:
        log.error("the mark of %s cannot be kept: %s", path, error)
        return None


def _record(row: Row) -> Record:
    """A row of the table games; BadJournal if no game was ever kept like this."""
    id, key, version, seats, options, began, ended, result, seed = row
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
        and isinstance(seed, str | None)
    )
    if not sound:
        raise BadJournal(f"game {id} is damaged: its row holds what no game has")
    return Record(id, key, version, seats, options, began, ended, result, seed or "")


def _moment(value: object) -> bool:
    return isinstance(value, float) and 0 <= value < 1e11


def _seat(panel: object = None, name: object = None, level: object = "", **_: object) -> bool:
    """At a panel, or the companion's: then it has a level instead."""
    placed = panel is None if level else isinstance(panel, int) and panel >= 0
    return placed and isinstance(level, str) and isinstance(name, str)


def _entry(game: int, expected: int, row: Sequence[Any]) -> Entry:
    seq, at, who, kind, body = row
    if seq != expected or kind not in KINDS:
        raise BadJournal(f"game {game} has a gap or an unknown entry at {expected}")
    with _legible(game):
        body = _parsed(body)
    if not (isinstance(body, dict) and _moment(at) and (who is None or isinstance(who, int))):
        raise BadJournal(f"game {game} is damaged: entry {seq} holds what no move has")
    return Entry(seq, at, None if who is None else SeatNo(who), kind, body)


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
def translated(path: Path) -> Iterator[None]:
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
