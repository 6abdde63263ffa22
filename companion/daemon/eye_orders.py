"""Orders to the eye: which dice or tiles to look for, and what people answer its calibration."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from companion.daemon.devices import Devices
from companion.daemon.throwing import kept_faces
from companion.events import Body, CameraTold, Emit
from companion.eye.protocol import Calibrate, Expect, Order, Tiles
from companion.ports import News
from companion.table.grids import COLOURS_FILE
from companion.table.table import Table


class EyeOrders:
    """An onlooker of the table that passes on to the eye what has changed for it."""

    def __init__(self, table: Table, devices: Devices, state: Path, emit: Emit) -> None:
        self._table, self._devices, self._emit = table, devices, emit
        self._colours = state / COLOURS_FILE
        self._given: dict[str, Order] = {"tiles": Tiles()}
        table.camera.there = devices.eye is not None

    def changed(self, _news: News) -> None:
        """Only what is new is said again."""
        eye = self._devices.eye
        if eye is not None:
            for order in (self._expect(), self._tiles()):
                if self._given.get(order.do) != order:
                    self._given[order.do] = order
                    eye.order(order)
        for word, number in self._table.camera.drain_words():
            if eye is None or not eye.order(Calibrate(word=word, number=number)):
                self._emit(CameraTold("failed", why="lost", calibration=number))

    def _expect(self) -> Expect:
        """A roll, and which dice lie there then; in the lobby whatever somebody tries."""
        watched = self._table.watched
        wanted = watched.wanted or watched.on_table
        asked = True if wanted else None if self._table.play.in_lobby else False
        if wanted is None:
            return Expect(asked=asked)
        kept = kept_faces(wanted)
        bodies = (*(cast(Body, body) for body in wanted.bodies), *(body for body, _ in kept))
        return Expect(asked=asked, wanted=len(bodies), bodies=bodies, lying=kept)

    def _tiles(self) -> Tiles:
        wanted = self._table.watched.wants_grid and self._colours.exists()
        return Tiles(colours=str(self._colours) if wanted else "")
