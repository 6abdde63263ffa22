"""The whole daemon in one process, pressed through gpiozero's mock pins, read off its glasses."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from companion.daemon.app import seating
from companion.daemon.clock import Clock
from companion.daemon.devices import Devices, build
from companion.daemon.loop import Daemon
from companion.events import ButtonPressed, Event, Key
from companion.games.api import Game
from companion.games.kiriai import KIRIAI
from companion.memory.cardbox import CardBox
from companion.memory.journal import Journal
from companion.settings.settings import Settings, read
from companion.table.table import Table
from tests.hardware import ocr
from tests.table.evening import TWO_SEATS


class Listening(Daemon):
    """A daemon that tells when it has heard something."""

    heard: asyncio.Event
    events: list[Event]

    def emit(self, event: Event) -> None:
        super().emit(event)
        self.events.append(event)
        self.heard.set()

    async def hears(self, kind: type[Event]) -> None:
        """Until an event of this kind was heard since the last press, and shown."""
        while not any(isinstance(event, kind) for event in self.events):
            self.heard.clear()
            await self.heard.wait()
        await self.settled()


class House:
    """Panels and glasses of a running daemon."""

    def __init__(
        self, folder: Path, settings: Settings, seed: int, shelf: dict[str, Game[Any]]
    ) -> None:
        chance = random.Random(seed)
        self.journal = Journal(folder / "journal.db", lambda: 1.0)
        self.table = Table(
            shelf, self.journal, seating(settings), mode=settings.table.mode,
            box=CardBox(folder / "cards"),
            draw=lambda: f"{chance.getrandbits(256):064x}",
        )  # fmt: skip
        self.devices: Devices = build(settings)
        self.clock = Clock()
        self.daemon = Listening(self.table, self.devices, folder, clock=self.clock, drilled=True)
        self.daemon.heard, self.daemon.events = asyncio.Event(), []

    async def press(self, panel: int, *keys: Key) -> None:
        """Press a button, and go on when the glasses show what came of it."""
        for key in keys:
            self.daemon.events.clear()
            await self.devices.press(panel, key, self.daemon.emit)
            await self.daemon.hears(ButtonPressed)

    async def choose(self, panel: int, label: str) -> None:
        """Walk to a choice by its label and select it."""
        view = self.table.panel(panel)
        labels = [choice.label.show(view.names) for choice in view.choices]
        at = next(n for n, shown in enumerate(labels) if shown.startswith(label))
        if view.page is not None:
            await self.press(panel, "select")
        while self.table.panel(panel).cursor != at:
            await self.press(panel, "next")
        await self.press(panel, "select")

    async def plan(self, panel: int, first: str, second: str) -> None:
        """Kiri-ai: lay two cards and seal them."""
        for label in (first, second, "Seal"):
            await self.choose(panel, label)

    def glass(self, display: str) -> list[str]:
        """The words on a glass, as an eye reads them."""
        return ocr.read(self.devices.glass[display]())


@asynccontextmanager
async def open_house(
    folder: Path, *, settings: str = TWO_SEATS, seed: int = 1, game: Game[Any] = KIRIAI
) -> AsyncIterator[House]:
    """A daemon that runs for as long as the block."""
    house = House(folder, read(settings.format(state=folder)), seed, {game.key: game})
    ready = asyncio.Event()
    running = asyncio.create_task(house.daemon.run(ready.set))
    await ready.wait()
    await house.daemon.settled()
    try:
        yield house
    finally:
        house.daemon.stop()
        await running
        house.devices.close()
        house.journal.close()
