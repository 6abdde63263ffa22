"""The companion plays its seats: it thinks beside the loop, and moves at a human pace."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator

from companion.bots.api import Answer
from companion.events import Decided, Emit
from companion.ports import News
from companion.table.company import Turn
from companion.table.table import Table
from companion.words import Text

log = logging.getLogger(__name__)

AGAIN = 5.0  # seconds until it tries again what was not taken

Throw = Callable[[], Awaitable[Text | None]]


class Partner:
    """An onlooker that decides for the companion's seats, one at a time, and throws their dice
    where a program can.

    It knows nothing that lasts: after a cut it thinks again.
    """

    def __init__(
        self, table: Table, emit: Emit, throw: Throw | None = None, *, pace: float, thinks: float
    ) -> None:
        self._table, self._emit, self._throw = table, emit, throw
        self._pace, self._thinks = pace, thinks
        self._stands = "", False  # the entry for which it thinks or has thought, whether it throws
        self._task: asyncio.Task[None] | None = None
        self._read, self._agreed = asyncio.Event(), asyncio.Event()  # by all who have to

    def changed(self, _news: News) -> None:
        """Think about what stands now, and no longer about what was."""
        table = self._table
        players = [panel for panel in table.play.players if panel is not None]
        telling = table.telling
        reading = self._pace > 0 and (telling.awaits(players) if players else telling.under_way)
        (self._read.clear if reading else self._read.set)()
        (self._agreed.clear if table.scene.proposal else self._agreed.set)()
        stands = table.play.entry, table.company.throws
        if stands == self._stands:
            return
        self._stands = stands
        if self._task is not None:
            self._task.cancel()
            self._task = None
        if (turn := table.company.turn()) is not None:
            self._task = asyncio.create_task(self._decide(turn))
        elif (turn := table.company.turn(led=True)) is not None:
            self._task = asyncio.create_task(self._decide(turn, led=True))
        elif self._throw is not None and table.company.throws:
            self._task = asyncio.create_task(self._roll(self._throw))

    async def _decide(self, turn: Turn, led: bool = False) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            answer, rounds = await self._thought(turn, began + self._thinks)
        except Exception:  # a bot with a fault must not end the evening, nor every later one
            log.exception("the companion at seat %d could not think", turn.seat)
            answer, rounds = Answer(None), 0
        if led and not answer.helps:
            return
        if not turn.at_once:
            await asyncio.sleep(began + self._pace - loop.time())
            await self._read.wait()
        await self._agreed.wait()
        bot = turn.bot
        note = {"level": bot.level, "version": bot.version, "seed": turn.seed, "rounds": rounds}
        while True:  # until it is in the journal, which ends this task: the disk may be full
            self._emit(Decided(turn.seat, turn.entry, answer.action, note, answer.why))
            await asyncio.sleep(AGAIN)

    async def _thought(self, turn: Turn, until: float) -> tuple[Answer, int]:
        """The last answer before its time is over, and how many rounds it took."""
        loop = asyncio.get_running_loop()
        thoughts: Iterator[Answer] = turn.bot.think(turn.sight, turn.seed)
        best, rounds = Answer(None), 0
        while rounds < turn.bot.rounds and (not rounds or loop.time() < until):
            answer = await asyncio.to_thread(next, thoughts, None)
            if answer is None:
                break
            best, rounds = answer, rounds + 1
        return best, rounds

    async def _roll(self, throw: Throw) -> None:
        """Dice that only a program can throw; where it cannot, people enter them by hand."""
        await asyncio.sleep(self._pace)
        await self._read.wait()
        await self._agreed.wait()
        while (why := await throw()) is not None:
            log.info("the companion's dice were not thrown: %s", why.show())
            await asyncio.sleep(AGAIN)
