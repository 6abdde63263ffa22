"""Who sits where: panels, the displays they look at, and the phones that speak for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from companion.views import Code
from companion.words import Panel


@dataclass(frozen=True, slots=True)
class Seating:
    """The panels of this table, the names they start with, and which panels each display serves.

    A display of one panel is private; one of several panels is shared and asks whose eyes look;
    one of none is the table's own and public.
    """

    panels: int
    names: tuple[str, ...]
    displays: Mapping[str, tuple[Panel, ...]]


class Phones(Protocol):
    """The browsers that speak for seats, as far as the table cares."""

    def note(self, panel: Panel) -> tuple[tuple[str, str], ...]:
        """What the seat's glass tells about them: where to go, and the code to claim the seat."""

    def claimed(self, panel: Panel) -> bool: ...

    def revoke(self, panel: Panel) -> None: ...

    def codes(self) -> tuple[Code, ...]:
        """What a phone scans to come here: the network, if it is known, and the address."""
