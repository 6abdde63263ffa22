"""What the daemon may use of the machine: all its files, little memory, not too many log lines."""

from __future__ import annotations

import asyncio
import ctypes
import logging
import resource
import sys
import time
from collections import OrderedDict
from collections.abc import Callable

from companion.daemon.supervise import Sleep
from companion.events import Emit

MANY, WINDOW = 10, 60.0  # lines of one kind, and the seconds in which they may be written
KINDS = 256  # that are remembered
SWITCH = 0.001  # seconds that the loop waits at most for a thread that computes; Python's are 0.005
EVERY = 60.0  # seconds between two times that memory is given back
# glibc gives each thread a heap of its own and keeps what was freed there, and raises the size
# from which memory goes back at once; M_ARENA_MAX, M_TRIM_THRESHOLD, M_MMAP_THRESHOLD of malloc.h
THRIFTY = {-8: 1, -1: 4 << 20, -3: 1 << 20}

log = logging.getLogger(__name__)


def prepare() -> None:
    """At the start of the process: what it may have, and a loop that comes first."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (OSError, ValueError) as error:
        log.warning("no more than %d files can be opened: %s", soft, error)
    sys.setswitchinterval(SWITCH)
    if (tell := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        for what, value in THRIFTY.items():
            tell(what, value)


class Thrift:
    """A source that tells nothing: what was freed goes back to the machine, in holes or whole.

    Each page of the past leaves some, and glibc alone gives back only what lies at the end.
    """

    name = "thrift"

    def __init__(self, sleep: Sleep = asyncio.sleep) -> None:
        self._sleep = sleep
        self._trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # other C libraries keep less

    async def run(self, _emit: Emit) -> None:
        """Until cancelled; a few milliseconds each time."""
        while True:
            await self._sleep(EVERY)
            if self._trim is not None:
                self._trim(0)


class Repeats(logging.Filter):
    """Ten lines a minute of each kind; the first of the next minute says how many were left out.

    Lines are of one kind if the same place wrote them, whatever values stand in them.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._kinds: OrderedDict[tuple[str, int, str], tuple[float, int]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is written."""
        kind = (record.name, record.levelno, str(record.msg).partition("\n")[0][:80])
        now = self._clock()
        since, count = self._kinds.pop(kind, (now, 0))
        fresh = now - since >= WINDOW
        if fresh and count > MANY:
            left_out = count - MANY
            record.msg, record.args = f"{record.getMessage()} ({left_out} more like it)", ()
        self._kinds[kind] = (now, 1) if fresh else (since, count + 1)
        if len(self._kinds) > KINDS:
            self._kinds.popitem(last=False)
        return fresh or count < MANY
