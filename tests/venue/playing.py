"""Tables that play by themselves: whole daemons, told to a real broker, at a pace to look at."""

from __future__ import annotations

import asyncio
import random
import re
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from companion.bots.shelf import GAMES, players
from companion.daemon.app import bus
from companion.events import PhonesChanged
from companion.memory.codec import to_json
from companion.memory.journal import Journal
from companion.settings.settings import read
from tests.daemon.house import running
from tests.mqtt.tables import Table, move
from tests.table.evening import TWO_SEATS

PEOPLE = ("Kirito", "Asuna", "Klein", "Agil", "Silica", "Lisbeth", "Sinon", "Leafa", "Yui", "Argo")
PAIRING = re.compile(r": (.+) - (.+), round \d+$")


class Playing:
    """One table; of Kiri-ai people play each other, elsewhere companions of every level."""

    def __init__(self, folder: Path, name: str, broker: str, seed: int, pace: float = 2.0) -> None:
        self.folder, self.name, self.pace = folder, name, pace
        self._broker, self._chance = broker, random.Random(seed)
        self.ended, self.line = 0, ""  # games that ended; what its display says
        self._played = ""  # the pairing that was played last: its line may still stand there

    async def run(self, *keys: str, games: int = 10**9) -> None:
        """Play these games in turn; the first pairing on the display is played first."""
        self.folder.mkdir(parents=True, exist_ok=True)
        journal = Journal(self.folder / "journal.db", time.time)
        first = GAMES[keys[0]]
        journal.begin(first.key, first.version, self._seats(keys[0]), self._options(keys[0]),
                      f"{self._chance.getrandbits(256):064x}")  # fmt: skip
        journal.close()
        more = f"pace={self.pace}\nthinks=0.3\n"
        chosen = read(TWO_SEATS.format(state=self.folder).replace("goes_on", more + "goes_on", 1)
                      + self._broker)  # fmt: skip
        house = Table(self.folder, chosen, self._chance.randrange(10**6), GAMES, players)
        house.settings, house.chance = chosen, self._chance
        house.journal._clock = time.time
        with ExitStack() as stack:
            house.bus = stack.enter_context(
                bus(house.table, chosen, self.folder / "journal.db", str)
            )
            house.devices.sources.append(house.bus)
            house.daemon.look_on(house.bus)
            async with running(house):
                for turn in range(games):
                    await self._play(house)
                    self.ended += 1
                    await self._begin(house, keys[(turn + 1) % len(keys)])

    async def _play(self, house: Table) -> None:
        play = house.table.play
        while not play.over:
            await asyncio.sleep(self.pace * self._chance.uniform(0.6, 1.4))
            self._read(house)
            if not play.company and not play.over:
                move(play, self._chance)
                house.daemon.emit(PhonesChanged())
                await house.daemon.settled()

    async def _begin(self, house: Table, key: str) -> None:
        await asyncio.sleep(3 * self.pace)
        self._read(house)
        pair = PAIRING.search(self.line) if self.line != self._played else None
        self._played = self.line
        key = "kiriai" if pair else key
        seats = self._seats(key)
        for seat, name in zip(seats, pair.groups() if pair else (), strict=False):
            seat["name"] = name
        play = house.table.play
        play.stop()
        play._begin(GAMES[key], seats, self._options(key))
        house.daemon.emit(PhonesChanged())
        await house.daemon.settled()

    def _read(self, house: Table) -> None:
        self.line = house.table.view("table").notice.show() or self.line

    def _seats(self, key: str) -> list[dict[str, Any]]:
        names = self._chance.sample(PEOPLE, 2)
        if key == "kiriai":
            return [{"panel": n, "name": name} for n, name in enumerate(names)]
        levels = [bot.level for bot in players(key)]
        return [{"panel": None, "name": name, "level": self._chance.choice(levels)}
                for name in names]  # fmt: skip

    def _options(self, key: str) -> dict[str, Any]:
        return {**to_json(GAMES[key].options()), "mode": "hard", "cuts": []}
