"""Whose table a command means: that of the settings it names, the service's, or one's own."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import BadConfig, BadState

if TYPE_CHECKING:  # reading settings takes long to import: `companion --help` stays quick
    from companion.settings.settings import Settings

ETC, VAR = Path("/etc/companion/companion.toml"), Path("/var/lib/companion")  # of the service


def settings_file(named: Path | None) -> Path | None:
    """The settings of the installed service, unless others are named; None: the defaults."""
    return named or (ETC if ETC.exists() else None)


def settings_of(file: Path | None, twin: bool = False) -> Settings:
    """What this file says; None: the defaults."""
    from companion.settings.settings import DEFAULT, load, with_twins

    chosen = _placed(load(file or DEFAULT), file)
    return with_twins(chosen) if twin else chosen


def settings_or_defaults(file: Path | None, complain: Callable[[str], None]) -> Settings:
    """The same for whoever mends a table: settings that cannot work must not stop him."""
    from companion.settings.settings import DEFAULT, load

    try:
        return settings_of(file)
    except BadConfig as error:
        complain(str(error))
        return _placed(load(DEFAULT), file)


def _placed(chosen: Settings, file: Path | None) -> Settings:
    """The service's games lie where systemd keeps them, also for those it has not started."""
    if file != ETC or chosen.table.state or os.environ.get("STATE_DIRECTORY"):
        return chosen
    return replace(chosen, table=replace(chosen.table, state=str(VAR)))


def games_of(chosen: Settings) -> Path:
    """The folder of its games, for a command that looks into it; it need not exist yet."""
    folder = chosen.table.directory()
    try:
        next(folder.iterdir(), None)
    except FileNotFoundError:
        pass
    except PermissionError as error:
        raise BadState(f"you may not look into {folder}: run this with sudo") from error
    except OSError as error:
        raise BadState(f"{folder} cannot hold games: {error.strerror}") from error
    return folder
