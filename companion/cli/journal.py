"""The journal that a command reads: that of the settings it names, or of the service."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import BadState
from companion.settings.installed import games_of, settings_file, settings_of

if TYPE_CHECKING:  # it takes long to import: `companion --help` stays quick
    from companion.memory.journal import Journal


def journal_of(path: Path | None) -> Journal:
    """For reading; BadState if nothing was played at this table."""
    from companion.memory.journal import Journal

    where = games_of(settings_of(settings_file(path))) / "journal.db"
    if not where.exists():
        raise BadState(f"no game was played yet: there is no journal at {where}")
    return Journal(where, time.time, write=False)
