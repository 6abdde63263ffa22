"""A table in the middle of a game, with its broker; moves are made by whoever may."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from companion.daemon.app import bus
from companion.events import PhonesChanged
from companion.games.api import Game, roll
from companion.games.kiriai import KIRIAI
from companion.language import speaker
from companion.memory.codec import to_json
from companion.memory.journal import Journal
from companion.memory.seals import begun
from companion.mqtt.announced import Announced
from companion.mqtt.bus import Bus
from companion.settings.settings import Settings, read
from companion.table.play import Play
from tests.daemon.house import House, running
from tests.patience import within
from tests.table.evening import TWO_SEATS

SEED = "5eed" * 16
SEATS = [{"panel": 0, "name": "Blue"}, {"panel": 1, "name": "Red"}]


def begin(folder: Path, game: Game[Any] = KIRIAI, seed: str = SEED) -> None:
    """A journal whose newest game has just begun."""
    journal = Journal(folder / "journal.db", lambda: 1.0)
    options = {**to_json(game.options()), "mode": "hard", "cuts": []}
    journal.begin(game.key, game.version, SEATS, options, seed)
    journal.close()
    assert begun(seed, game.key, [])


def move(play: Play, chance: random.Random) -> None:
    """One legal move, whoever's it is."""
    line = play.line
    if (wanted := line.waiting.dice) is not None:
        play.act(roll(wanted, chance.randrange), None)
        return
    seat = line.waiting.seats[0]
    action = chance.choice([*line.game.legal(line.state, seat)])
    play.act(action, seat)


async def eventually(true: Callable[[], object]) -> None:
    """Until something is so that nobody tells."""
    async with asyncio.timeout(within(20)):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


class Table(House):
    """A house whose moves are made without buttons."""

    bus: Bus | Announced
    settings: Settings
    chance: random.Random

    async def moves(self, count: int) -> None:
        """So many moves, or until the game is over."""
        for _ in range(count):
            if not self.table.play.over:
                move(self.table.play, self.chance)
                self.daemon.emit(PhonesChanged())
                await self.daemon.settled()

    async def finish(self) -> None:
        await self.moves(2000)
        assert self.table.play.over


@asynccontextmanager
async def open_table(
    folder: Path, settings: str, game: Game[Any] = KIRIAI, language: str = "en"
) -> AsyncIterator[Table]:
    """A daemon with a broker that runs for as long as the block."""
    ours = TWO_SEATS.replace("on = false", 'on = false\nhost = "127.0.0.1"')  # mDNS, too
    chosen = read((ours + settings).format(state=folder))
    house = Table(folder, chosen, 1, {game.key: game})
    house.settings = chosen
    house.chance = random.Random(5)
    with ExitStack() as stack:
        if chosen.mqtt.broker or chosen.mqtt.announce:
            said = speaker(language)
            house.bus = stack.enter_context(bus(house.table, chosen, folder / "journal.db", said))
            house.devices.sources.append(house.bus)
            house.daemon.look_on(house.bus)
        async with running(house):
            yield house


def journaled(folder: Path) -> dict[tuple[int, int], tuple[Any, ...]]:
    """Every entry of every game in the journal, whole."""
    journal = Journal(folder / "journal.db", lambda: 1.0, write=False)
    try:
        return {
            (record.id, entry.seq): (entry.at, entry.who, entry.kind, entry.body)
            for record in journal.games()
            if record.key != "lobby"
            for entry in journal.entries(record.id)
        }
    finally:
        journal.close()


def received(messages: list[Any]) -> dict[tuple[int, int], tuple[Any, ...]]:
    """The same out of what was sent, repeats and all: hidden parts where they were told."""
    found: dict[tuple[int, int], tuple[Any, ...]] = {}
    for message in messages:
        told, game = message["told"], message["game"]
        if message["number"] == "end":
            for number, body in told.get("hidden", {}).items():
                at, who, kind, _ = found[game, int(number)]
                found[game, int(number)] = at, who, kind, body
        elif message["number"] > 0:
            row = told["at"], told["who"], told["kind"], told["body"]
            found[game, message["number"]] = row
    return found
