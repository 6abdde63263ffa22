"""Many tables at once: games that were really played, told again under a thousand names.

Each table is a connection of its own; it speaks the least of MQTT 3.1.1 that publishes with QoS 1,
so that a thousand of them cost one process little.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from companion.games import GAMES
from companion.memory.codec import json_line
from tests.mqtt.tables import begin
from tests.mqtt.test_outbox import Desk

PACE = 6.0  # seconds between two entries of a table: 600 moves an hour
WINDOW = 50  # messages of a table that the broker has not acknowledged
Line = tuple[int, int, bytes]  # game, number (-1: its end), the message


@cache
def evening(first: int, games: int) -> tuple[tuple[int, int | str, str], ...]:
    """Game, number and what is told, of some games in a row, beginning with this one."""
    keys = list(GAMES)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        begin(folder, GAMES[keys[first % len(keys)]])
        desk = Desk(folder, GAMES)
        for at in range(games):
            if at:
                desk.play.stop()
                game = GAMES[keys[(first + at) % len(keys)]]
                desk.play._begin(game, desk.play._places, {"mode": "hard", "cuts": []})
            desk.moves(3000)
        desk.send()
        desk.journal.close()
        return tuple((m["game"], m["number"], json_line(m["told"])) for m in desk.messages)


def lines(table: str, first: int, games: int) -> Iterator[Line]:
    """That evening as this table tells it."""
    hash, of = "", 0
    for game, number, told in evening(first, games):
        hash, of = ("", game) if game != of else (hash, of)
        body = f'{{"table":"{table}","game":{game},"number":{json.dumps(number)},"told":{told}}}'
        if number != "end":
            hash = hashlib.sha256((hash + body).encode()).hexdigest()
        line = f'{body[:-1]},"hash":"{hash}"}}'
        yield game, -1 if number == "end" else int(number), line.encode()


def _text(words: str) -> bytes:
    return len(words.encode()).to_bytes(2, "big") + words.encode()


def _packet(kind: int, body: bytes) -> bytes:
    size, head = len(body), bytearray([kind])
    while True:
        size, low = divmod(size, 128)
        head.append(low | (128 if size else 0))
        if not size:
            return bytes(head) + body


@dataclass
class Table(asyncio.Protocol):
    """One connection; `on_air` are the messages that the broker has not acknowledged."""

    name: str
    port: int
    on_air: dict[int, bytes] = field(default_factory=dict)
    free: asyncio.Event = field(default_factory=asyncio.Event)
    transport: Any = None
    _number: int = 0
    _rest: bytes = b""

    async def open(self) -> None:
        loop = asyncio.get_running_loop()
        self.transport, _ = await loop.create_connection(lambda: self, "127.0.0.1", self.port)
        self.transport.write(_packet(0x10, _text("MQTT") + b"\x04\x02\0\0" + _text(self.name)))
        await self.free.wait()

    def data_received(self, data: bytes) -> None:
        data = self._rest + data
        while len(data) >= 4:  # CONNACK and PUBACK, nothing else comes
            if data[0] == 0x40:
                self.on_air.pop(int.from_bytes(data[2:4], "big"), None)
            data = data[4:]
        self._rest = data
        self.free.set()

    async def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        while len(self.on_air) >= WINDOW:
            self.free.clear()
            await self.free.wait()
        self._number = self._number % 65535 + 1
        number = self._number.to_bytes(2, "big")
        packet = _packet(0x33 if retain else 0x32, _text(topic) + number + payload)
        self.on_air[self._number] = packet
        self.transport.write(packet)

    async def empty(self) -> None:
        while self.on_air:
            self.free.clear()
            await self.free.wait()


@dataclass
class Crowd:
    """Tables, and when each entry was told: by table and game the times in order."""

    port: int
    count: int
    games: int = 2
    told: dict[tuple[str, int], list[float]] = field(default_factory=dict)
    stood: dict[tuple[str, str], float] = field(default_factory=dict)  # table, entry of its state

    def names(self) -> list[str]:
        return [f"t{number}" for number in range(self.count)]

    async def play(self, seconds: float | None, pace: float = PACE) -> None:
        """At a human pace for so long; None: everything as fast as it goes."""
        chance = random.Random(self.count)
        end = None if seconds is None else time.monotonic() + seconds
        async with asyncio.TaskGroup() as tasks:
            for number, name in enumerate(self.names()):
                rest = (lambda: chance.expovariate(1 / pace)) if end else None
                tasks.create_task(self._table(name, number, end, rest))

    async def _table(
        self, name: str, first: int, end: float | None, rest: Callable[[], float] | None
    ) -> None:
        table = Table(name, self.port)
        await table.open()
        for game, number, line in lines(name, first % len(GAMES), self.games):
            if rest is not None:
                await asyncio.sleep(rest())
            if end is not None and time.monotonic() > end:
                break
            if rest is not None and number >= 0:
                state = b'{"entry":"%d/%d","phase":"' % (game, number) + b"x" * 700 + b'"}'
                self.stood[name, f"{game}/{number}"] = time.monotonic()
                await table.publish(f"companion/{name}/state", state, retain=True)
            times = self.told.setdefault((name, game), [])
            if number >= 0:
                times.append(time.monotonic())
            await table.publish(f"companion/{name}/entry", line)
        await table.empty()
        table.transport.close()

    def entries(self) -> int:
        """How many were told."""
        return sum(map(len, self.told.values()))


@dataclass
class Watcher:
    """Looks as a wall does how far each game is proven, and takes the time of what is new."""

    crowd: Crowd
    lags: list[float] = field(default_factory=list)
    seen: dict[tuple[str, int], int] = field(default_factory=dict)

    def look(self, db: Any) -> bool:
        """Whether everything that was told is there."""
        rows = db.execute("SELECT table_id, game, proven FROM games").fetchall()
        now = time.monotonic()
        for table, game, proven in rows:
            times = self.crowd.told.get((table, game), [])
            before = self.seen.get((table, game), -1)
            self.lags += [now - at for at in times[before + 1 : proven + 1]]
            self.seen[table, game] = proven
        return sum(self.seen.values()) + len(self.seen) >= self.crowd.entries()


async def wall(crowd: Crowd, address: str, lags: list[float]) -> None:
    """A browser at the wall: how late it sees each state; for ever."""
    async with connect(f"ws://{address}/api/feed?as=public", max_size=None) as feed:
        async for message in feed:
            now, said = time.monotonic(), json.loads(message)
            for tile in said.get("set", {}).values():
                if isinstance(tile, dict) and (tile.get("name"), tile.get("entry")) in crowd.stood:
                    lags.append(now - crowd.stood.pop((tile["name"], tile["entry"])))


def percentile(lags: list[float], part: float) -> float:
    """Of these, the one that so large a part is not above."""
    return sorted(lags)[int(part * (len(lags) - 1))] if lags else 0.0
