"""The eye as the daemon sees it: a child with a deadline on every sign of life."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count

from companion.errors import BadState, DeviceLost
from companion.events import DeviceUp, DiceSettled, Emit, Unwell
from companion.eye.heard import decode
from companion.eye.protocol import (
    Answer,
    Beat,
    Expect,
    Fault,
    Glance,
    Order,
    Render,
    Tiles,
    Trouble,
    encode_order,
)
from companion.words import Text, text

NO_ANSWER, OPENS = text("The eye does not answer."), text("The eye opens.")

_LONGEST = 1 << 20  # bytes of a line: a picture and fourteen dice need a tenth of it
_START = 20.0  # seconds to import, to open the camera and to read a first tray
_PROVEN = (
    3.0  # seconds of frames that prove a camera: one that is frozen or black has failed by then
)
# glibc keeps what pictures took unless asked to give it back: a quarter of the eye's memory
_THRIFTY = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_TRIM_THRESHOLD_": str(4 << 20),
    "MALLOC_MMAP_THRESHOLD_": str(1 << 20),
}


class EyeChild:
    """A source: runs the eye's program, tells its events, kills it when it stalls."""

    name = "eye"
    proves_itself = True  # a child that runs is not yet a camera that sees

    def __init__(
        self,
        arguments: Sequence[str],
        deadline: float = 4.0,
        start: float = _START,
        command: Sequence[str] = (sys.executable, "-m", "companion.eye.program"),
        glance: Callable[[Glance], None] | None = None,
        proven: float = _PROVEN,
    ) -> None:
        self.arguments, self.command = tuple(arguments), tuple(command)
        self.deadline, self.start, self.proven = deadline, start, proven
        self.beat: Beat | None = None
        self.alive = asyncio.Event()  # set once the child watches: what comes now is a throw
        self.glance = glance  # told the pictures that were asked for
        self.beaten: Callable[[Beat], None] = lambda _: None  # told every sign of life
        self._standing: dict[str, Order] = {}  # orders that the next child is given, too
        self._rolls = 0  # of children that are gone: numbers only ever rise
        self._last = 0
        self._process: asyncio.subprocess.Process | None = None
        self._first: float | None = None  # when the first frame was seen
        self._words: deque[str] = deque(maxlen=5)
        self._numbers = count(1)  # of orders that are answered
        self._awaited: dict[int, asyncio.Future[Text | None]] = {}  # why not, by number

    async def run(self, emit: Emit) -> None:
        """Emit what the eye sees until it is lost."""
        self._rolls, self.beat, self._first = self._last, None, None
        self.alive.clear()
        self._words.clear()
        process = await self._spawn()
        self._process = process
        ears = asyncio.create_task(self._listen(process))
        try:
            for given in self._standing.values():
                self.order(given)
            while True:
                self._hear(await self._next_line(process, ears), emit)
        finally:
            self._process = None
            for number in list(self._awaited):
                self._answered(Answer(number, NO_ANSWER))
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
            ears.cancel()
            await asyncio.gather(ears, return_exceptions=True)

    @property
    def opening(self) -> bool:
        """It runs, but has not seen the tray at rest yet."""
        return self._process is not None and not self.alive.is_set()

    def order(self, given: Order) -> bool:
        """Give the eye an order; False if none runs. Standing orders go to the next eye, too."""
        if isinstance(given, Expect | Tiles | Fault):
            self._standing[given.do] = given
        process = self._process
        if process is None or process.stdin is None or process.stdin.is_closing():
            return False
        process.stdin.write(encode_order(given).encode() + b"\n")
        return True

    async def carry_out(self, given: Render) -> Text | None:
        """Order the twin to do something; why it cannot, or None when it does it."""
        number = next(self._numbers)
        self._awaited[number] = asyncio.get_running_loop().create_future()
        try:
            if not self.order(replace(given, number=number)):
                return NO_ANSWER
            return await asyncio.wait_for(self._awaited[number], self.deadline)
        except TimeoutError:
            return NO_ANSWER
        finally:
            del self._awaited[number]

    def kill(self) -> None:
        """End the child at once, as a crash would."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def _spawn(self) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        try:
            return await asyncio.create_subprocess_exec(
                *self.command,
                *self.arguments,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                limit=_LONGEST,
                env=_THRIFTY | os.environ,
            )
        except OSError as error:
            raise DeviceLost(text("it cannot be started: {error}", error=str(error))) from error

    async def _next_line(
        self, process: asyncio.subprocess.Process, ears: asyncio.Task[None]
    ) -> bytes:
        """The next line, in time."""
        assert process.stdout is not None  # it was asked for as a pipe
        opening = self.beat is None or self.beat.state == "opening"  # the first reading is slow
        limit = self.start if opening else self.deadline
        try:
            line = await asyncio.wait_for(process.stdout.readline(), limit)
        except TimeoutError as error:
            silent = text(
                "no sign of life for {seconds} s: check the camera's cable; it is started again",
                seconds=f"{limit:g}",
            )
            raise DeviceLost(silent) from error
        except ValueError as error:
            raise DeviceLost("the eye says something endless") from error
        if not line:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.shield(ears), 1.0)
            if self._words:
                raise DeviceLost(text("it ended: {words}", words=self._words[-1]))
            raise DeviceLost(text("it ended without a word; it is started again"))
        return line

    def _hear(self, line: bytes, emit: Emit) -> None:
        try:
            said = decode(line)
        except BadState as error:
            raise DeviceLost(str(error)) from error
        if isinstance(said, Trouble):
            raise DeviceLost(said.error)
        if isinstance(said, Beat):
            self._beats(said, emit)
        elif isinstance(said, Glance):
            if self.glance is not None:
                self.glance(said)
        elif isinstance(said, Answer):
            if not self._answered(said):  # nobody waits for it: tell everybody
                emit(Unwell(_as_text(said.why)))
        elif isinstance(said, DiceSettled) and said.roll:  # 0: no roll, the dice lay there
            said = replace(said, roll=said.roll + self._rolls)
            self._last = said.roll
            emit(said)
        else:
            emit(said)

    def _answered(self, said: Answer) -> bool:
        """Tell whoever waits for it; False if nobody ever did."""
        waiting = self._awaited.get(said.order)
        if waiting is not None and not waiting.done():
            waiting.set_result(_as_text(said.why) if said.why else None)
        return bool(said.order)

    def _beats(self, beat: Beat, emit: Emit) -> None:
        self.beat = beat
        self.beaten(beat)
        if beat.state != "opening":
            self.alive.set()
        now = asyncio.get_running_loop().time()
        if beat.beat and self._first is None:
            self._first = now
        if self._first is not None and now - self._first >= self.proven:
            emit(DeviceUp(self.name))

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        """Keep the last words of its standard error."""
        assert process.stderr is not None
        with contextlib.suppress(ValueError):  # a line beyond all measure
            while line := await process.stderr.readline():
                words = line.decode(errors="replace").strip()
                if words:
                    self._words.append(words[:300])


def _as_text(why: str | Text) -> Text:
    return text("{why}", why=why) if isinstance(why, str) else why
