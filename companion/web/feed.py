"""A viewer's document with a number, and the changes that led to it: what a page listens to.

A document is flat: a key, and whatever JSON stands there. Two messages go out:
`{"n": 7, "epoch": "…", "all": {…}}`, the whole, and `{"n": 8, "set": {…}, "gone": […]}`, what
changed. Whoever knows number 7 of this epoch needs the changes after it and no more.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from companion.memory.codec import json_line

RING = 8  # changes that are kept for those who fell behind: more of them are longer than the whole

Document = dict[str, Any]


class Feed:
    """One document; every listener goes through its changes at a pace of its own."""

    def __init__(self) -> None:
        self.number = 0
        self.epoch = secrets.token_hex(4)  # numbers of another start of the daemon mean nothing
        self.document: Document = {}
        self.stale = True  # something may have changed since the document was put
        self._changes: deque[tuple[int, str]] = deque(maxlen=RING)
        self._listeners: dict[asyncio.Event, bool] = {}  # each with whether it hears at once
        self._whole = (0, "")

    @property
    def heard(self) -> bool:
        """Does anybody listen?"""
        return bool(self._listeners)

    @property
    def urgent(self) -> bool:
        """Does anybody listen who hears at once? Strangers wait for their turn."""
        return any(self._listeners.values())

    def put(self, document: Document) -> None:
        """The document as it is now; a change if it differs."""
        old, self.stale = self.document, False
        news = {key: value for key, value in document.items() if old.get(key, _NONE) != value}
        gone = [key for key in old if key not in document]
        if not news and not gone:
            return
        self.number += 1
        self.document = document
        change = {"n": self.number, "set": news} | ({"gone": gone} if gone else {})
        self._changes.append((self.number, json_line(change)))
        self.wake()

    def wake(self) -> None:
        """Let every listener look."""
        for listener in self._listeners:
            listener.set()

    def whole(self) -> Document:
        """The message that needs nothing before it."""
        return {"n": self.number, "epoch": self.epoch, "all": self.document}

    def since(self, number: int | None, epoch: str = "") -> list[str]:
        """What a listener who knows `number` has not heard yet."""
        if number == self.number and epoch == self.epoch:
            return []
        if number is None or epoch != self.epoch or not self._covers(number):
            if self._whole[0] != self.number:  # written once for all who come
                self._whole = self.number, json_line(self.whole())
            return [self._whole[1]]
        return [change for n, change in self._changes if n > number]

    def _covers(self, number: int) -> bool:
        return bool(self._changes) and self._changes[0][0] - 1 <= number < self.number

    @contextmanager
    def listen(self, *, urgent: bool = True) -> Iterator[asyncio.Event]:
        """An event that is set whenever there is, or may be, something new."""
        event = asyncio.Event()
        self._listeners[event] = urgent
        try:
            yield event
        finally:
            del self._listeners[event]


_NONE = object()
