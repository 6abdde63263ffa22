"""Open a journal; a damaged one is set aside whole, and all that its chain proves goes on.

The new file is complete under a name of its own before the old ones are moved, the journal itself
as the last of them. A cut in between is made up for by the next start.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from companion.errors import BadJournal
from companion.files import aside
from companion.memory.journal import Journal, translated
from companion.memory.salvage import carve, prove
from companion.memory.tables import PAGE, SCHEMA, keep_chained, make
from companion.memory.watermark import END, read_mark, sync_folder
from companion.words import Text, text

log = logging.getLogger(__name__)
BESIDE = ("-wal", "-shm", "-journal", END)  # what may stand beside a journal and belongs to it


@dataclass(frozen=True, slots=True)
class Damage:
    """What became of a damaged journal: where it lies, what was brought back, what is missing."""

    kept: Path
    games: int = 0
    missing: int = 0
    moves: int = 0  # of the game that goes on

    def says(self) -> Text:
        """For every glass."""
        name = self.kept.name
        if self.missing and self.moves:
            return text(
                "The journal was damaged: {n} moves are missing. Go on from move {m}, or give up "
                "in the menu. Kept: {name}", n=self.missing, m=self.moves, name=name,
            )  # fmt: skip
        if self.missing:
            return text(
                "The journal was damaged: {n} moves are missing. Kept: {name}",
                n=self.missing, name=name,
            )  # fmt: skip
        if self.games:
            return text("The journal was damaged. No move is missing. Kept: {name}", name=name)
        return text("The journal was damaged. It is kept as {name}.", name=name)


def open_journal(path: Path, clock: Callable[[], float]) -> tuple[Journal, Damage | None]:
    """The journal, and what became of a damaged one (None: it was sound)."""
    with translated(path):
        damage = Damage(_swap(path)) if _rescued(path).is_file() else None
    try:
        return Journal(path, clock), damage
    except BadJournal as error:
        if error.__cause__ is None:  # not damaged, but of a newer companion
            raise
        log.error("%s", error)
    with translated(path):
        damage = _rescue(path)
    return Journal(path, clock), damage


def _rescue(path: Path) -> Damage:
    """A new journal of what is proven, in the place of the damaged one."""
    mark, log_file = read_mark(path), path.with_name(path.name + "-wal")
    files = [one.read_bytes() if one.is_file() else b"" for one in (path, log_file)]
    proven = prove(carve(*files), mark)
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    with closing(sqlite3.connect(new, isolation_level=None)) as db:
        db.execute(f"PRAGMA page_size={PAGE}")
        db.execute("BEGIN")
        make(db, SCHEMA)
        keep_chained(db, proven.games, proven.entries)
        db.execute("COMMIT")
    new.rename(_rescued(path))
    sync_folder(path.parent)
    return Damage(_swap(path), len(proven.games), proven.missing, proven.moves)


def _rescued(path: Path) -> Path:
    return path.with_name(f"{path.name}.rescued")


def _swap(path: Path) -> Path:
    """The old files aside, the rescued one in their place; where the old ones are kept."""
    kept = aside(path)
    for end in BESIDE:
        part = path.with_name(path.name + end)
        if os.path.lexists(part):
            part.rename(kept.with_name(kept.name + end))
    if os.path.lexists(path):
        path.rename(kept)
    else:
        kept.touch()  # the name is taken
    _rescued(path).rename(path)
    sync_folder(path.parent)
    return kept
