"""The twins' dice are thrown: into the rendered tray, and by the hub's twin."""

from __future__ import annotations

from typing import cast

from companion.daemon.devices import Devices
from companion.events import Body
from companion.eye.protocol import Render
from companion.games.api import DiceWanted
from companion.table.table import Table

TRIED = ("black", "black", "black", "white", "white")  # thrown before a game, to try the tray


class Thrower:
    """Throws what the table has asked for; before a game, some dice to try."""

    def __init__(self, table: Table, devices: Devices) -> None:
        self._table, self._devices = table, devices

    def throw(self) -> bool:
        """Whether anything was thrown."""
        eye, hub = self._devices.eye, self._devices.hub
        if (step := self._table.camera.told) is not None and eye is not None:
            some: tuple[tuple[Body, int], ...] = (("black", 0), ("white", 0), ("white", 0))
            clearing = step.step == "clear"
            return eye.order(Render(clear=True) if clearing else Render(throw=some))
        wanted = self._table.watched.wanted
        if wanted is None and self._table.play.in_lobby:
            wanted = DiceWanted(TRIED)
        if wanted is None:
            return False
        if eye is not None:
            thrown = tuple((cast(Body, body), 0) for body in wanted.bodies)
            kept = tuple((cast(Body, die.body), die.value) for die in wanted.kept)
            eye.order(Render(throw=thrown, keep=kept))
        if hub is not None:
            for die in wanted.characters:
                hub.throw(die)
        return True
