"""Files of the state directory: anything may lie in their place; what is damaged is kept."""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from companion.errors import BadConfig

log = logging.getLogger(__name__)

LOCK = "lock"
MOST = 16 << 20  # bytes; the longest, a calibration with its picture, has under one million


def read_text(path: Path) -> str:
    """A regular file as UTF-8; OSError for anything else: reading a pipe would never end."""
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    if about.st_size > MOST:
        raise OSError(errno.EFBIG, "too long", str(path))
    return path.read_text("utf-8")


def aside(path: Path) -> Path:
    """A free name beside it, for what is damaged and kept."""
    names = (path.with_name(f"{path.name}.damaged-{number}") for number in count(1))
    return next(name for name in names if not os.path.lexists(name))


@contextmanager
def alone(state: Path, safe: bool) -> Iterator[None]:
    """One daemon per state directory: two would each believe to be the table.

    Safe mode goes on where nobody can lock anything.
    """
    try:
        handle = _lock(state)
    except OSError as error:
        if not safe:
            raise BadConfig(
                f"the state directory {state} cannot be used: {error.strerror}. "
                "Let the companion write there, or leave [table] state out of the settings"
            ) from error
        log.warning("the state directory %s cannot be used: %s", state, error)
        handle = None
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _lock(state: Path) -> int:
    state.mkdir(parents=True, exist_ok=True)
    handle = os.open(state / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        if isinstance(error, BlockingIOError):
            raise BadConfig(f"another companion already uses {state}: stop it first") from error
        raise
    return handle
