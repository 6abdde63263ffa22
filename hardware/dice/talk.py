"""A conversation with the hub for the command line: one question at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import serial

from companion.errors import DeviceLost
from companion.events import Event
from hardware.dice.hub import TICK, exchange, opened
from hardware.dice.link import HubLink, Known


class Talk:
    """An open port and what the hub behind it says."""

    def __init__(self, cable: serial.Serial) -> None:
        self.link = HubLink(Known(), time.monotonic())
        self.past: list[Event] = []  # everything heard so far
        self._cable = cable
        cable.timeout = TICK / 2

    def listen(self, seconds: float) -> Iterator[list[Event]]:
        """For so long: what happened since the last look, nothing included."""
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            events = exchange(self._cable, self.link, now)
            self.past += events
            yield events

    def wait(self, until: Callable[[HubLink], bool], seconds: float) -> bool:
        """Listen until something holds; False when it does not come in time."""
        return any(until(self.link) for _ in self.listen(seconds))

    def command(self, kind: str, *fields: Any, patience: float = 25.0) -> str:
        """Give a command and wait for it: why it failed, or an empty string."""
        number = self.link.command(kind, *fields)
        if not self.wait(lambda link: number in link.answers, patience):
            return "silent"
        return self.link.answers.pop(number)


@contextmanager
def talk(port: str, patience: float = 4.0) -> Iterator[Talk]:
    """Open the port and wait until the hub has introduced itself, in whatever protocol."""
    with opened(port) as cable:
        conversation = Talk(cable)
        if not conversation.wait(lambda link: link.ready or bool(link.mismatch), patience):
            raise DeviceLost("the dice hub does not answer")
        yield conversation
