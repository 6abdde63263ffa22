"""How far the journal was sent elsewhere: a note for each game, kept in the same file.

A note is written without a sync of its own: if a cut loses it, what it told of is sent again, and
the next move's commit syncs it with the rest. It is made on the play's own thread, between two
moves, so that no move ever waits for its lock.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.errors import BadJournal
from companion.memory.chain import end_link
from companion.memory.journal import Journal, Record, translated

NOTES = """CREATE TABLE IF NOT EXISTS sent (
  game INTEGER PRIMARY KEY, number INTEGER NOT NULL, hash TEXT NOT NULL, end BLOB NOT NULL)"""


@dataclass(frozen=True, slots=True)
class Sent:
    """Of one game: its last entry that was sent (-1: not even that it began), the hash there, the
    link of the end that was told, and the one of how it stands."""

    game: int
    number: int
    hash: str
    end: bytes
    stands: bytes


class Notes:
    """The notes while the daemon runs."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with translated(path):
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.execute("PRAGMA synchronous=NORMAL")  # in a log: no sync at a commit
            self._db.execute("PRAGMA wal_autocheckpoint=0")  # the moves do that
            self._db.execute(NOTES)

    def keep(self, newest: Iterable[Sent]) -> None:
        """All of these went out."""
        rows = [(one.game, one.number, one.hash, one.end) for one in newest]
        with translated(self._path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT OR REPLACE INTO sent VALUES (?, ?, ?, ?)", rows)

    def forget(self, first: int, last: int) -> None:
        """These games are sent once more, from their start: whoever keeps them has a gap."""
        with translated(self._path), self._db:
            self._db.execute("DELETE FROM sent WHERE game BETWEEN ? AND ?", (first, last))

    def from_here(self, running: int) -> None:
        """Somebody else hears us now: the game that runs, from its start, and those to come."""
        with translated(self._path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("DELETE FROM sent")
            self._db.execute(
                "INSERT INTO sent SELECT id, (SELECT coalesce(max(seq), 0) FROM entries "
                "WHERE game = id), '', end_link FROM games WHERE id < ?", (running,),
            )  # fmt: skip

    def close(self) -> None:
        """Leave the file in order."""
        self._db.close()


class Unsent(Journal):
    """A journal to read, beside the play, for what was not sent yet."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, lambda: 0.0, write=False)

    def games_left(self) -> Iterator[Sent]:
        """The games of which something is left to send, the oldest first."""
        rows = self._db.execute(
            "SELECT id, link, end_link, coalesce(number, -1), coalesce(hash, ''), end FROM games "
            "LEFT JOIN sent ON game = id WHERE number IS NULL OR end != end_link OR number < "
            "(SELECT coalesce(max(seq), 0) FROM entries WHERE entries.game = id) ORDER BY id"
        ).fetchall()
        for game, link, stands, number, hash, end in rows:
            yield Sent(game, number, hash, end or end_link(link, None, None), stands)

    def record(self, game: int) -> Record:
        """The game with this number."""
        found = next(self._games(f"WHERE id = {game:d}"), None)
        if found is None:
            raise BadJournal(f"game {game} cannot be read")
        return found

    def links(self, game: int) -> tuple[bytes, bytes]:
        """What a game is bound to, and its newest link."""
        (before,) = self._db.execute("SELECT before FROM games WHERE id = ?", (game,)).fetchone()
        return before, self._newest_link(game)
