"""The whole daemon in one process, pressed through gpiozero's mock pins, read off its glasses."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

from companion.bots.api import Players
from companion.daemon.app import seating
from companion.daemon.clock import Clock
from companion.daemon.devices import Devices, build
from companion.daemon.loop import Daemon
from companion.daemon.partner import Partner
from companion.events import (
    Body,
    ButtonPressed,
    CharacterDie,
    DiceSettled,
    Event,
    Key,
    LeafRead,
    Pulse,
    SeenDie,
)
from companion.games.api import Game, roll
from companion.games.kiriai import KIRIAI
from companion.memory.cardbox import CardBox
from companion.memory.journal import Journal
from companion.settings.settings import Settings, read
from companion.table.table import Table
from companion.words import Text
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
        self, folder: Path, settings: Settings, seed: int, shelf: dict[str, Game[Any]],
        players: Players = lambda _key: (), thinks: bool = True,
    ) -> None:  # fmt: skip
        chance = random.Random(seed)
        self.journal = Journal(folder / "journal.db", lambda: 1.0)
        self.table = Table(
            shelf, self.journal, seating(settings), mode=settings.table.mode,
            goes_on=settings.table.goes_on, box=CardBox(folder / "cards"),
            draw=lambda: f"{chance.getrandbits(256):064x}", players=players,
        )  # fmt: skip
        self.devices: Devices = build(settings)
        self.clock = Clock()
        self.daemon = Listening(self.table, self.devices, folder, clock=self.clock, drilled=True)
        self.daemon.heard, self.daemon.events = asyncio.Event(), []
        pace, most = settings.table.pace, settings.table.thinks
        self._tray = random.Random(seed)
        if thinks:
            self.daemon.look_on(
                Partner(self.table, self.daemon.emit, self.throw, pace=pace, thinks=most)
            )

    async def press(self, panel: int, *keys: Key) -> None:
        """Press a button, and go on when the glasses show what came of it."""
        for key in keys:
            self.daemon.events.clear()
            await self.devices.press(panel, key, self.daemon.emit)
            await self.daemon.hears(ButtonPressed)

    async def choose(self, panel: int, label: str) -> None:
        """Walk to a choice by its label and select it."""
        if self.table.panel(panel).leaf is not None:
            await self.press(panel, "select")
        view = self.table.panel(panel)
        labels = [choice.label.show(view.names) for choice in view.choices]
        at = next(n for n, shown in enumerate(labels) if shown.startswith(label))
        if view.page is not None:
            await self.press(panel, "select")
        while self.table.panel(panel).cursor != at:
            await self.press(panel, "next")
        await self.press(panel, "select")

    async def throw(self) -> Text | None:
        """Fair dice come to rest in the tray, as the table has asked for them."""
        wanted = self.table.watched.wanted
        if wanted is not None:
            thrown = roll(wanted, self._tray.randrange).dice
            lying = [(die, True) for die in thrown] + [(die, False) for die in wanted.kept]
            dice = tuple(
                SeenDie(die.value, cast(Body, die.body), 1.0, (60.0 * n, 60.0), 40.0,
                        moved=moved, track=n)
                for n, (die, moved) in enumerate(lying)
            )  # fmt: skip
            blue = zip(wanted.characters, (d for d in thrown if d.body == "blue"), strict=False)
            number = self.table.play.line.seq + 1
            for who, die in blue:
                self.daemon.emit(CharacterDie(who, "rolling", 0, number))
                self.daemon.emit(CharacterDie(who, "rest", die.value, number + 1))
            self.daemon.emit(DiceSettled(dice, number, accepted=True))
        return None

    async def wait(self) -> None:
        """Let every leaf of the story have its moment."""
        while (coming := self.table.moment()) and isinstance(coming[1], LeafRead):
            self.table.handle(coming[1])
        self.daemon.emit(Pulse())
        await self.daemon.hears(Pulse)

    async def plan(self, panel: int, first: str, second: str) -> None:
        """Kiri-ai: lay two cards and seal them."""
        for label in (first, second, "Seal"):
            await self.choose(panel, label)

    def glass(self, display: str) -> list[str]:
        """The words on a glass, as an eye reads them."""
        return ocr.read(self.devices.glass[display]())


@asynccontextmanager
async def open_house(
    folder: Path, *, settings: str = TWO_SEATS, seed: int = 1, game: Game[Any] = KIRIAI,
    players: Players = lambda _key: (),
) -> AsyncIterator[House]:  # fmt: skip
    """A daemon that runs for as long as the block."""
    house = House(folder, read(settings.format(state=folder)), seed, {game.key: game}, players)
    async with running(house):
        yield house


@asynccontextmanager
async def running(house: House, *opened: asyncio.Event) -> AsyncIterator[None]:
    """Run the daemon for as long as the block; a daemon that dies ends the block with its error."""
    ready = asyncio.Event()
    daemon = asyncio.create_task(house.daemon.run(ready.set))
    block = asyncio.current_task()
    assert block is not None
    daemon.add_done_callback(lambda ended: ended.exception() and block.cancel())
    try:
        for event in (ready, *opened):
            await event.wait()
        await house.daemon.settled()
        yield
    finally:
        house.daemon.stop()
        await daemon
        house.devices.close()
        house.journal.close()
