"""Long work for the pages: beside the loop, one at a time, and it ends when the table does."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from companion.errors import BadState, CompanionError
from companion.web.shares import Shares

WORK, REST = 0.001, 0.002  # seconds: a thread that computes keeps the loop from running meanwhile

T = TypeVar("T")


class Busy(CompanionError):
    """Others wait for the same already. Ask again in a while."""


class Closing(CompanionError):
    """The table is being closed. Ask again when it is open."""


class Breath:
    """Called at every step of long work: lets the loop run, and stops what takes too long."""

    def __init__(
        self, closing: threading.Event, most: int | None = None, rest: float = REST
    ) -> None:
        self._closing, self._left, self._rest = closing, most, rest
        self._since = time.perf_counter()

    def __call__(self) -> None:
        if self._closing.is_set():
            raise Closing("the table is being closed")
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                raise BadState("it takes back and corrects too much to be judged here")
        if time.perf_counter() - self._since > WORK:
            time.sleep(self._rest)
            self._since = time.perf_counter()


class Lane:
    """One at a time; at most `each` of one owner may wait, and `most` in all."""

    def __init__(self, each: int, most: int) -> None:
        self._turn = asyncio.Lock()
        self._places: Shares[object] = Shares(each, most)

    @contextmanager
    def place(self, owner: str) -> Iterator[None]:
        """A place in the row; Busy if there is none."""
        me = object()
        try:
            if self._places.take(owner, me) is me:
                raise Busy("others ask for the same: try again in a while")
            yield
        finally:
            self._places.leave(me)

    async def work(self, work: Callable[[], T]) -> T:
        """Run it in a thread, after those that came before."""
        async with self._turn:
            return await asyncio.to_thread(work)
