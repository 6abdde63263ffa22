"""A table without devices for the tests: seeded chance, presses by label, views as text."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from companion.bots.api import Players
from companion.events import ButtonPressed, Key, LeafRead
from companion.games import GAMES
from companion.games.api import Game
from companion.memory.cardbox import CardBox
from companion.memory.journal import Journal
from companion.memory.watermark import mark_file
from companion.plain import plain
from companion.table.table import Seating, Table
from companion.views import View

TWO = Seating(2, ("Blue", "Red"), {"table": (), "one": (0,), "two": (1,)})


class Desk:
    """A table, its journal, and fingers that know what is written on the glass."""

    def __init__(
        self, folder: Path, seating: Seating = TWO, *, seed: int = 1, mode: str = "hard",
        goes_on: bool = True,
        shelf: dict[str, Game[Any]] | None = None, players: Players = lambda _key: (),
    ) -> None:  # fmt: skip
        self.path = folder / "journal.db"
        self.seating, self.mode, self.goes_on, self.players = seating, mode, goes_on, players
        self.shelf = {"kiriai": GAMES["kiriai"]} if shelf is None else shelf
        self.chance = random.Random(seed)
        self.time = 1_000.0
        self.open()

    def open(self) -> None:
        """Start the table, as after a power cut."""
        self.journal = Journal(self.path, self.clock)
        self.table = Table(
            self.shelf, self.journal, self.seating, mode=self.mode, goes_on=self.goes_on,
            box=CardBox(self.path.parent / "cards"),
            draw=lambda: f"{self.chance.getrandbits(256):064x}", players=self.players,
        )  # fmt: skip

    def cut(self) -> None:
        """Pull the plug: nothing is closed, a new table reads the same file."""
        self.open()

    def unchained(self, *changes: str) -> None:
        """The journal as a companion of format 1 left it, changed: nothing proves its rows."""
        with closing(sqlite3.connect(self.path, isolation_level=None)) as db:
            for table, column in (("entries", "link"), ("games", "link"), ("games", "end_link"),
                                  ("games", "before"), ("games", "seed")):  # fmt: skip
                db.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
            for change in (*changes, "PRAGMA user_version=1"):
                db.execute(change)
        mark_file(self.path).unlink()

    def clock(self) -> float:
        self.time += 1
        return self.time

    def press(self, panel: int, *keys: Key) -> View:
        """Press what stands on the glass now."""
        for key in keys:
            self.table.handle(ButtonPressed(panel, key, self.table.panel(panel).stamp))
        return self.table.panel(panel)

    def read(self, panel: int) -> View:
        """Read what the last moves led to, as far as this panel has not yet."""
        if self.table.panel(panel).leaf is not None:
            self.press(panel, "select")
        return self.table.panel(panel)

    def wait(self) -> None:
        """Let every leaf of the story have its moment."""
        while (coming := self.table.moment()) and isinstance(coming[1], LeafRead):
            self.table.handle(coming[1])

    def labels(self, panel: int) -> list[str]:
        view = self.table.panel(panel)
        return [choice.label.show(view.names) for choice in view.choices]

    def choose(self, panel: int, label: str) -> View:
        """Walk to the choice that begins like this and select it."""
        labels = self.labels(panel)
        at = next((n for n, shown in enumerate(labels) if shown.startswith(label)), None)
        assert at is not None, f"{label!r} is not offered: {labels}"
        self.read(panel)
        if self.table.panel(panel).page is not None:
            self.press(panel, "select")
        while self.table.panel(panel).cursor != at:
            self.press(panel, "next")
        return self.press(panel, "select")

    def menu(self, panel: int) -> list[str]:
        """Open the table's menu from wherever the panel is."""
        self.read(panel)
        for _ in range(8):
            if self.table.panel(panel).waiting.template == "The table's menu":
                return self.labels(panel)
            self.press(panel, "back")
        raise AssertionError("the back button never came to the menu")

    def start(self, *options: str) -> None:
        """Everybody joins, options are pressed, the game begins."""
        for panel in range(self.seating.panels):
            self.choose(panel, "Join")
        for option in options:
            self.choose(0, option)
        self.choose(0, "Start")

    def notice(self, panel: int) -> str:
        view = self.table.panel(panel)
        return view.notice.show(view.names)

    def text(self, display: str) -> str:
        return "\n".join(plain(self.table.view(display)))

    def kinds(self) -> list[str]:
        """The entries of the newest game by kind."""
        last = self.journal.last()
        assert last is not None
        return [entry.kind for entry in self.journal.entries(last.id)]

    def revealed(self) -> Desk:
        """Kiri-ai when the first cards are open: both panels have that to read."""
        self.start()
        for panel in (0, 1):
            self.plan(panel, "Approach", "High")
        return self

    def plan(self, panel: int, first: str, second: str) -> None:
        """Kiri-ai: lay two cards and seal them."""
        self.choose(panel, first)
        self.choose(panel, second)
        self.choose(panel, "Seal")
