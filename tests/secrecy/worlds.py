"""One of two worlds, running: the whole daemon with its pages, on a journal that was made for it.

All that chance and the clock would make different in two worlds is the same in both: the daemon
keeps none of it secret for the sake of the game (codes of phones, epochs of feeds, the machine).
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock

from companion.bots import shelf
from companion.bots.api import decide
from companion.care.machine import Machine
from companion.events import Decided, DiceSettled, LeafRead, PhonesChanged, SeenDie
from companion.games.api import Rolled
from companion.memory.codec import done_to_json, to_json
from companion.memory.journal import Journal
from companion.memory.seals import seed_code, short
from companion.table.asked import Sure
from companion.table.menu import Open
from companion.words import Panel
from tests.care.machines import pi4
from tests.patience import within
from tests.secrecy.pairs import Pair, Viewer
from tests.web.house import PAGES, PageHouse, open_pages

NAMES = ("Blue", "Red")
GLASSES = {None: "table", 0: "one", 1: "two"}
LAMPS = (20, 21)  # their pins
SETTINGS = PAGES
PLAYERS = shelf.players
for _panel, _pin in enumerate(LAMPS, start=1):
    SETTINGS = SETTINGS.replace(f"seat = {_panel}\n", f"seat = {_panel}\nlamp = {_pin}\n")
DATE = re.compile(
    rb"[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT"  # in heads of answers
)
LOGGED = ("companion", "hardware", "uvicorn")

T = TypeVar("T")
_LOG: ContextVar[list[str]] = ContextVar("log of a world")


class World:
    """A running house, who looks at it from where, and the log that it writes."""

    def __init__(self, house: PageHouse, folder: Path, pair: Pair, seed: str) -> None:
        self.house, self.folder, self.pair = house, folder, pair
        self.log: list[str] = []
        self._kept: dict[str, Any] = {}
        code = seed_code(seed)
        self._own = [(str(folder), "<state>"), (code, "c" * len(code)), (short(code), "<code>")]

    @property
    def state(self) -> Any:
        return self.house.table.play.line.state

    def machine_with_log(self, said: str) -> Machine:
        """A Pi whose journalctl tells this."""
        return replace(pi4(self.folder / "machine"), run=lambda _: said)

    def kept(self, name: str, made: Callable[[], T]) -> T:
        """What a door has opened stays open: made when it is first asked for."""
        if name not in self._kept:
            self._kept[name] = made()
        found: T = self._kept[name]
        return found

    def common(self, said: bytes) -> bytes:
        """Without the names that a world must have for itself: its folder, its seed's code."""
        for own, other in self._own:
            said = said.replace(own.encode(), other.encode())
        return said

    async def make(self, move: Any) -> None:
        """A move by the hands of whose it is: a seat's phone, or dice in the tray."""
        if isinstance(move, Rolled):
            self._throw(move)
        else:
            await self._choose(move)
        await self.rest()

    async def read(self) -> None:
        """Let the story turn its leaves; a forced move stays for the hand whose it is."""
        while (coming := self.house.table.moment()) and isinstance(coming[1], LeafRead):
            self.house.daemon.emit(coming[1])
            await self.rest()

    async def company(self) -> bool:
        """The next decision of the companion, by the same clock in both worlds; False: none."""
        turn = self.house.table.company.turn()
        if turn is None:
            return False
        answer = decide(turn.bot, turn.sight, turn.seed, 1)
        note = {"level": turn.bot.level, "seed": turn.seed}
        self.house.daemon.emit(Decided(turn.seat, turn.entry, answer.action, note, answer.why))
        await self.rest()
        await self.read()
        return True

    async def rest(self) -> None:
        """Until everybody has been shown what came of it."""
        await self.house.daemon.settled()
        for lamp in self.house.daemon._lamps.values():
            await lamp.settled.wait()

    async def _choose(self, move: Any) -> None:
        if hasattr(move, "salt"):
            move = replace(move, salt="")
        if not await self._pick(move.seat, move):  # it costs a character or the game
            own = self.house.table.play.line.view(move.seat).choices
            at = [choice.action for choice in own].index(move)
            asked = Open(("sure", self.house.table.play.line.seq, at))
            assert await self._pick(move.seat, asked), move
            assert await self._pick(move.seat, Sure(move)), move

    async def _pick(self, seat: int, action: Any) -> bool:
        """Tap the choice that means this; False if there is none."""
        view = self.house.table.panel(Panel(seat))
        offered = [choice.action for choice in view.choices]
        if action not in offered:
            return False
        number = f"move {self.house.table.play.entry} {type(action).__name__}"
        body = {"id": number, "offered": view.seq, "index": offered.index(action)}
        path = f"/api/panels/{seat}/choose"
        answer = await self.phone(seat).ask("POST", path, json.dumps(body).encode())
        assert answer.startswith(b"HTTP/1.1 200"), answer
        await self.rest()
        return True

    def _throw(self, move: Rolled) -> None:
        wanted = self.house.table.watched.wanted
        assert wanted is not None
        lying = [(die, True) for die in move.dice] + [(die, False) for die in wanted.kept]
        dice = tuple(
            SeenDie(die.value, die.body, 1.0, (60.0 * n, 60.0), 40.0, moved=thrown, track=n)
            for n, (die, thrown) in enumerate(lying)
        )
        entry = self.house.table.play.line.seq
        self.house.daemon.emit(DiceSettled(dice, entry + 1, accepted=True, picture=b"jpeg"))

    def phone(self, viewer: Viewer) -> Phone:
        """The browser of a seat; the public's has no seat."""
        return self.kept(f"phone {viewer}", lambda: Phone(self.house.web.port, token(viewer)))

    async def close(self) -> None:
        for one in self._kept.values():
            if hasattr(one, "close"):
                await one.close()


class Phone:
    """Asks over one connection, and gives every byte of the answer."""

    def __init__(self, port: int, token: str) -> None:
        self._port = port
        self.cookie = f"companion_seat={token}" if token else ""
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: bytes = b"") -> bytes:
        if self._line is None or self._line[0].at_eof():  # a slow machine let it wait too long
            self._line = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._line
        head = [f"{method} {path} HTTP/1.1", "Host: table"]
        head += [f"Cookie: {self.cookie}"] if self.cookie else []
        head += [f"Content-Length: {len(body)}", "Content-Type: application/json", "", ""]
        writer.write("\r\n".join(head).encode() + body)
        async with asyncio.timeout(within(20)):
            head_said = await reader.readuntil(b"\r\n\r\n")
            fields = dict(line.split(b": ", 1) for line in head_said.lower().split(b"\r\n")[1:-2])
            said = await reader.readexactly(int(fields[b"content-length"]))
        if fields.get(b"connection") == b"close":
            await self.close()
        return DATE.sub(b"<date>", head_said) + said

    async def close(self) -> None:
        if self._line is not None:
            self._line[1].close()
        self._line = None


def token(viewer: Viewer) -> str:
    return "" if viewer is None else f"the token of seat {viewer}"


@asynccontextmanager
async def open_world(folder: Path, pair: Pair, which: int) -> AsyncIterator[World]:
    """The world `which` (0 or 1) of a pair, up to its live moves."""
    _furnish(folder, pair, which)
    log: list[str] = []
    _LOG.set(log)
    async with open_pages(
        folder, settings=SETTINGS, game=pair.game, players=lambda _key: PLAYERS(pair.game.key),
        thinks=False,
    ) as house:  # fmt: skip
        world = World(house, folder, pair, pair.seeds[which])
        world.log = log
        _make_common(world)
        await world.rest()
        try:
            yield world
        finally:
            await world.close()


def _furnish(folder: Path, pair: Pair, which: int) -> None:
    """A state directory with the game so far, and a phone for each seat."""
    folder.mkdir()
    hashes = {n: hashlib.sha256(token(n).encode()).hexdigest() for n in range(len(NAMES))}
    (folder / "claims.json").write_text(json.dumps(hashes))
    game = pair.game
    journal = Journal(folder / "journal.db", lambda: 1.0)
    with journal.together():
        companion = {"panel": None, "name": "Companion", "level": "easy"}
        people = [{"panel": n, "name": NAMES[n]} for n in range(pair.seats)]
        seats = [companion if n in pair.company else one for n, one in enumerate(people)]
        options = {**to_json(pair.options), "mode": pair.mode, "cuts": []}
        number = journal.begin(game.key, game.version, seats, options, pair.seeds[which])
        for seq, both in enumerate(pair.before, start=1):
            move = both[which]
            body = done_to_json(move, "", {})
            journal.append(number, seq, getattr(move, "seat", None), "do", body)
    journal.close()


def _make_common(world: World) -> None:
    """Codes, address and machine as in the other world; strangers need not wait for each other."""
    web = world.house.web
    never = float("inf")  # these codes are not renewed
    web.claims._codes = {panel: (f"CODE{panel}", never) for panel in web.claims._codes}
    web.claims.address = "table.local"
    web._turns._pace, web._turns._worked = 0.0, lambda: 0.0
    web.desk.shelf = {world.pair.game.key: world.pair.game}
    for latest in world.house.daemon._latest.values():
        latest._refresh = None  # by the clock
    world.house.daemon.emit(PhonesChanged())


@contextmanager
def common_chance(machine: Path) -> Iterator[None]:
    """What every world draws alike, and the log of each on its own."""
    listening = _Listening()
    loggers = [logging.getLogger(name) for name in LOGGED]
    levels = [logger.level for logger in loggers]
    epochs = mock.Mock(token_hex=lambda n: "e" * 2 * n)
    one = pi4(machine)
    with ExitStack() as stack:
        stack.enter_context(mock.patch("companion.web.feed.secrets", epochs))
        # by the clock, which runs on for one world while the other is looked at: `World.read` does
        stack.enter_context(mock.patch("companion.daemon.moments.Moments.changed"))
        # strangers hear of pauses only, by the clock, too; here they get every change that they
        # could: what a pause leaves out or joins is no more than these
        heard = property(lambda feed: bool(feed._listeners))
        stack.enter_context(mock.patch("companion.web.feed.Feed.urgent", heard))
        stack.enter_context(mock.patch("companion.web.turns.QUIET", 0.0))
        stack.enter_context(mock.patch("companion.daemon.app.this_machine", return_value=one))
        for logger in loggers:
            logger.addHandler(listening)
            logger.setLevel(logging.DEBUG)
        try:
            yield
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.removeHandler(listening)
                logger.setLevel(level)


class _Listening(logging.Handler):
    """Writes down for each world what it says: its tasks and threads carry the list with them."""

    def emit(self, record: logging.LogRecord) -> None:
        said = logging.Formatter("%(levelname)s %(name)s %(message)s").format(record)
        _LOG.get().append(said)
