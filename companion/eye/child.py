"""The eye as the daemon sees it: a child with a deadline on every sign of life."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

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
_START = 20.0  # seconds to import, to open the camera and to see a first picture
_PROVEN = (
    3.0  # seconds of frames that prove a camera: one that is frozen or black has failed by then
)
_LOOK = 0.5  # seconds between looks for a camera that was unplugged
_LAST_CHANCE = 0.2  # seconds: what came while our own loop had no time lies in the pipe
# glibc keeps what pictures took for the next picture: a page that is given back and taken again
# costs a fault, 12,000 of them a reading. The eye gives all of it back once the dice lie still.
THRIFTY = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_TRIM_THRESHOLD_": str(256 << 20),
    "MALLOC_MMAP_THRESHOLD_": str(32 << 20),
}


class EyeChild:
    """A source: runs the eye's program, tells its events, kills it when it stalls."""

    name = "eye"
    proves_itself = True  # a child that runs is not yet a camera that sees
    longest_pause = 15.0  # seconds between tries, for each costs seconds of a core

    def __init__(
        self,
        arguments: Sequence[str],
        deadline: float = 4.0,
        start: float = _START,
        command: Sequence[str] = (sys.executable, "-m", "companion.eye.program"),
        proven: float = _PROVEN,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.arguments, self.command = tuple(arguments), tuple(command)
        self.deadline, self.start, self.proven = deadline, start, proven
        self._sleep, self._file = sleep, _video(self.arguments[0] if arguments else "")
        self.beat: Beat | None = None
        self.alive = asyncio.Event()  # set once the child watches: what comes now is a throw
        # told the pictures that were asked for, and None when the eye that was asked is lost
        self.glance: Callable[[Glance | None], None] = lambda _: None
        self.beaten: Callable[[Beat], None] = lambda _: None  # told every sign of life
        self._standing: dict[str, Order] = {}  # orders that the next child is given, too
        self._rolls = 0  # of children that are gone: numbers only ever rise
        self._last = 0
        self._process: asyncio.subprocess.Process | None = None
        self._first: float | None = None  # when the first frame was seen
        self._seen = False  # a child before this one saw frames, too
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
            self.glance(None)
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
            if process.stdin is not None and process.stdout is not None:
                process.stdin.close()
                with contextlib.suppress(TimeoutError):  # what it started may hold the pipes
                    rest = asyncio.gather(process.stdout.read(), ears, return_exceptions=True)
                    await asyncio.wait_for(rest, 1)
            ears.cancel()

    async def pause(self, seconds: float) -> None:
        """Before the next try; but a camera that is plugged in again is not kept waiting."""
        absent = not self._file.exists()
        while seconds > 0 and not (absent and self._file.exists()):
            await self._sleep(min(seconds, _LOOK))
            seconds -= _LOOK

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
            # between two frames, so after a reading; if the eye dies first, `run` answers for it
            return await asyncio.wait_for(self._awaited[number], self.start)
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
                *(["--seen"] if self._seen else []),
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                limit=_LONGEST,
                env=THRIFTY | os.environ,
            )
        except OSError as error:
            raise DeviceLost(text("it cannot be started: {error}", error=str(error))) from error

    async def _next_line(
        self, process: asyncio.subprocess.Process, ears: asyncio.Task[None]
    ) -> bytes:
        """The next line, in time."""
        assert process.stdout is not None  # it was asked for as a pipe
        blind = self.beat is None or not self.beat.beat  # once it sees, it beats as it reads, too
        limit, line = self.start if blind else self.deadline, None
        for patience in (limit, _LAST_CHANCE):
            try:
                async with asyncio.timeout(patience):
                    line = await process.stdout.readline()
                break
            except TimeoutError:
                continue
            except ValueError as error:
                raise DeviceLost("the eye says something endless") from error
        if line is None:
            silent = text(
                "no sign of life for {seconds} s: check the camera's cable; it is started again",
                seconds=f"{limit:g}",
            )
            raise DeviceLost(silent)
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
        seen = self.beat is None or beat.beat != self.beat.beat  # else the same frame is still read
        self.beat = beat
        self.beaten(beat)
        if beat.state != "opening":
            self.alive.set()
        now = asyncio.get_running_loop().time()
        if beat.beat and self._first is None:
            self._first, self._seen = now, True
        if seen and self._first is not None and now - self._first >= self.proven:
            emit(DeviceUp(self.name))

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        """Keep the last words of its standard error."""
        assert process.stderr is not None
        with contextlib.suppress(ValueError):  # a line beyond all measure
            while line := await process.stderr.readline():
                words = line.decode(errors="replace").strip()
                if words:
                    self._words.append(words[:300])


def _video(camera: str) -> Path:
    """The device file of a V4L2 camera; of any other source one that is always there."""
    if camera.isdigit():
        return Path(f"/dev/video{camera}")
    return Path(camera if camera.startswith("/dev/") else "/")


def _as_text(why: str | Text) -> Text:
    return text("{why}", why=why) if isinstance(why, str) else why
