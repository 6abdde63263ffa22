"""The three shapes at the edge: who tells the table something, shows it, or looks on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from companion.events import Emit, Event
from companion.views import View


class Source(Protocol):
    """Tells what happens, for as long as it lives."""

    @property
    def name(self) -> str: ...

    async def run(self, emit: Emit) -> None:
        """Emit events until cancelled; raise DeviceLost when the device does not answer."""


class Display(Protocol):
    """Shows a view to somebody."""

    @property
    def name(self) -> str: ...

    async def show(self, view: View) -> None:
        """Return when the last byte is out; raise DeviceLost when the device does not answer."""


Glass: TypeAlias = tuple[str, Callable[[], Mapping[str, Any]]]
"""A display, and how to get its frame and its words (window.py): taken only if somebody looks."""


@dataclass(frozen=True, slots=True)
class News:
    """What happened: events that the table took, or a picture whose last byte is on a glass."""

    events: tuple[Event, ...] = ()
    glass: Glass | None = None


class Onlooker(Protocol):
    """Wants to know what happened, and may answer with events: pages, the window, a partner.

    Called on the loop, after the table has taken the events: it looks and returns at once.
    """

    def changed(self, news: News) -> None: ...
