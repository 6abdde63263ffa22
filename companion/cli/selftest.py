"""The promises kept by real parts and the maker's hands: press, throw, unplug; then a report.

The same adapters and the same supervision as in the daemon; the walk of the doctor comes first.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias, TypeVar, cast

from companion import events as ev
from companion.care.finding import Condition, Finding
from companion.cli.answer import answer
from companion.cli.walk import PATIENCE, SKIPPED, Guide, Terminal, walk
from companion.daemon.clock import Clock
from companion.daemon.devices import Devices
from companion.daemon.drills import DRILLS, Rig
from companion.daemon.supervise import Latest, keep_alive
from companion.daemon.throwing import TRIED
from companion.errors import DeviceLost
from companion.eye.protocol import Expect, Render
from companion.ports import Source
from companion.settings.settings import Settings
from companion.views import BLANK, Line, View
from companion.words import Panel, Text, text

T = TypeVar("T")
Came: TypeAlias = tuple[float, ev.Event]

THROWS, SIMULATED_DIE = 3, "asuna"
_DICE = tuple((cast(ev.Body, body), 0) for body in TRIED)
OPENS, ROLLED = 60.0, 60.0  # seconds for the eye to open, for dice to be thrown and read
TOLD, HEALED = 45.0, 90.0  # seconds for a loss to be noticed, and for its end


@dataclass
class Measured:
    """What came of it, in seconds."""

    steps: list[Finding] = field(default_factory=list)
    presses: list[float] = field(default_factory=list)  # button down to the last byte on a glass
    rolls: list[dict[str, int]] = field(default_factory=list)
    losses: dict[str, dict[str, float]] = field(default_factory=dict)  # told, healed

    def step(self, name: Text, says: Text, verdict: Condition = "wrong") -> None:
        """Note a step; one that was skipped is neither right nor wrong."""
        self.steps.append(Finding("step", name, "unseen" if says == SKIPPED else verdict, says))


class Hands(Terminal):
    """The maker: acts, answers, skips. Where everything is simulated, the twins act."""

    async def skip(self) -> None:
        """Until the maker does not want to go on waiting."""
        await answer("  (Enter: skip)")

    async def throw(self) -> None:
        """Twins throw themselves."""
        if self.devices.eye is not None and self.settings.eye.camera == "twin":
            await self.devices.eye.carry_out(Render(throw=_DICE))

    async def cable(self, drill: str, pulled: bool, says: Text) -> None:
        """Returns the moment a cable is pulled, or plugged in again."""
        if not self.twins:
            await self.ask(None, text("{says} Press Enter at that moment.", says=says))
            return
        self.tell(says)
        one = DRILLS[drill]
        (one.cause if pulled else one.cure)(Rig(self.devices, Clock()))


async def selftest(settings: Settings, devices: Devices, hands: Hands) -> Measured:
    """Every step in turn; each has its limit, and each can be skipped."""
    measured = Measured()
    await _walked(settings, devices, hands, measured)
    async with _Table(devices, hands).open() as table:
        if devices.eye is not None:
            await _throws(table, measured)
        if any(source.name == "dice" for source in devices.sources):
            await _character(table, measured)
        await _cables(settings, table, measured)
        table.say(text("That was all. Thank you."))
    return measured


async def _walked(settings: Settings, devices: Devices, hands: Hands, measured: Measured) -> None:
    """Each press is answered by the next instruction on a glass: that is timed on the way."""
    loop, pressed = asyncio.get_running_loop(), list[float]()
    stable = settings.debounce.stable_ms / 1000  # a press is believed so long after its edge

    def hear(event: ev.Event) -> None:
        if isinstance(event, ev.ButtonPressed):
            pressed[:] = [loop.time() - stable]

    async def press(panel: Panel, key: ev.Key, says: Text) -> None:
        own = [one.name for one in settings.displays if panel in one.seats] or list(
            devices.displays
        )
        if own:
            with suppress(DeviceLost):
                await devices.displays[own[0]].show(_page(says))
                measured.presses += [loop.time() - at for at in pressed]
        pressed.clear()
        await hands.press(panel, key, says)

    async def patience(_panel: Panel, _key: ev.Key) -> object:
        return await _before(asyncio.sleep(PATIENCE), hands)

    heard = [_Overheard(source, hear) for source in devices.sources]
    there, devices.sources = devices.sources, list[Source](heard)
    try:
        guide = Guide(press, hands.hold, hands.ask)
        measured.steps += await walk(settings, devices, guide, patience=patience)
    finally:
        devices.sources = there


class _Overheard:
    """A source whose events somebody else hears first."""

    def __init__(self, source: Source, hear: ev.Emit) -> None:
        self.name, self._source, self._hear = source.name, source, hear

    async def run(self, emit: ev.Emit) -> None:
        def both(event: ev.Event) -> None:
            self._hear(event)
            emit(event)

        await self._source.run(both)


async def _before(waited: Awaitable[T], hands: Hands) -> T | Text:
    """What this comes to, or SKIPPED if the maker is tired of it first."""
    work, skip = asyncio.ensure_future(waited), asyncio.ensure_future(hands.skip())
    try:
        await asyncio.wait({work, skip}, return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            return work.result()
        skip.result()  # nobody may be there to answer
        return SKIPPED
    finally:
        work.cancel()
        skip.cancel()
        await asyncio.gather(work, skip, return_exceptions=True)


class _Table:
    """Eye, hub and displays as the daemon keeps them alive; every event with its time."""

    def __init__(self, devices: Devices, hands: Hands) -> None:
        self.devices, self.hands = devices, hands
        self._events: asyncio.Queue[Came] = asyncio.Queue()
        self._glasses = [Latest(display, self._hear) for display in devices.displays.values()]

    @asynccontextmanager
    async def open(self) -> AsyncIterator[_Table]:
        """For as long as the block."""
        if self.devices.eye is not None:
            self.devices.eye.order(Expect(asked=True))
        kept = [one for one in self.devices.sources if one.name in ("eye", "dice")]
        tasks = [asyncio.create_task(keep_alive(source, self._hear)) for source in kept]
        tasks += [asyncio.create_task(glass.run()) for glass in self._glasses]
        try:
            yield self
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _hear(self, event: ev.Event) -> None:
        self._events.put_nowait((asyncio.get_running_loop().time(), event))

    def say(self, says: Text) -> None:
        """On every glass and at the terminal."""
        self.show(says)
        self.hands.tell(says)

    def show(self, says: Text) -> None:
        """On every glass; what happened before it is of no interest any more."""
        while not self._events.empty():
            self._events.get_nowait()
        for glass in self._glasses:
            glass.put(_page(says))

    async def until(self, wanted: Callable[[ev.Event], bool], seconds: float) -> Came | Text:
        """Such an event from now on, with its time; or why none came."""

        async def found() -> Came:
            while not wanted((came := await self._events.get())[1]):
                pass
            return came

        return await self.in_time(found(), seconds)

    async def in_time(self, waited: Awaitable[T], seconds: float) -> T | Text:
        """What this comes to; or that it came to nothing in time, or was skipped."""
        try:
            return await _before(asyncio.wait_for(waited, seconds), self.hands)
        except TimeoutError:
            return text("Nothing came within {n} s.", n=round(seconds))


async def _throws(table: _Table, measured: Measured) -> None:
    eye = table.devices.eye
    assert eye is not None
    table.say(text("The eye opens: leave the tray alone."))
    opened = await table.in_time(eye.alive.wait(), OPENS)
    if isinstance(opened, Text):
        measured.step(text("The eye"), opened)
        return
    last = 0  # what lies there since the throw before may be reported again
    for number in range(1, THROWS + 1):
        table.say(text("Throw dice into the tray: {n} of {all}.", n=number, all=THROWS))
        await table.hands.throw()
        came = await table.until(partial(_thrown, last), ROLLED)
        name = text("Throw {n}", n=number)
        if isinstance(came, Text):
            measured.step(name, came)
            continue
        seen = came[1]
        assert isinstance(seen, ev.DiceSettled)
        last = seen.roll
        dice = ", ".join(f"{die.body} {die.value or '?'}" for die in seen.dice)
        question = text("Read: {dice}. Is that what lies there? (y/n)", dice=dice)
        table.show(question)
        right = (await table.hands.ask(None, question)).strip().lower().startswith("y")
        measured.rolls.append({"dice": len(seen.dice), "right": right, "accepted": seen.accepted})
        says = text("Read rightly.") if right else text("Read wrongly.")
        measured.step(name, says, "right" if right else "wrong")


def _thrown(last: int, event: ev.Event) -> bool:
    return isinstance(event, ev.DiceSettled) and event.roll > last


async def _character(table: _Table, measured: Measured) -> None:
    table.say(text("Throw one character die and let it lie."))
    if table.devices.hub is not None:
        table.devices.hub.throw(SIMULATED_DIE)
    lies = ("rest", "crooked")
    came = await table.until(
        lambda it: isinstance(it, ev.CharacterDie) and it.state in lies, ROLLED
    )
    if isinstance(came, Text):
        measured.step(text("Character die"), came)
    else:
        measured.step(text("Character die"), text("It reported."), "right")


async def _cables(settings: Settings, table: _Table, measured: Measured) -> None:
    """A display, the hub, a USB camera; the ribbon of a Pi camera must not be pulled alive."""
    for name in list(table.devices.displays)[-1:]:
        await _cable(table, measured, name, "display-wire", text("The last display"))
    if any(source.name == "dice" for source in table.devices.sources):
        await _cable(table, measured, "dice", "hub-unplugged", text("The dice hub"))
    if table.devices.eye is not None and not settings.eye.camera.startswith("pi"):
        await _cable(table, measured, "eye", "camera-unplugged", text("The camera"))


async def _cable(table: _Table, measured: Measured, name: str, drill: str, part: Text) -> None:
    """Unplugged and plugged in again: how long until it is noticed, each time."""
    took = []
    for says, kind, limit in (
        (text("{part}: pull its plug.", part=part), ev.DeviceDown, TOLD),
        (text("{part}: plug it in again.", part=part), ev.DeviceUp, HEALED),
    ):
        table.show(says)
        await table.hands.cable(drill, kind is ev.DeviceDown, says)
        began = asyncio.get_running_loop().time()
        came = await table.until(partial(_tells, kind, name), limit)
        if isinstance(came, Text):
            measured.step(part, came)
            return
        took.append(round(max(0.0, came[0] - began), 1))
    measured.losses[drill] = {"told_s": took[0], "healed_s": took[1]}
    says = text("Told after {told} s, healed after {healed} s.",
                told=str(took[0]), healed=str(took[1]))  # fmt: skip
    measured.step(part, says, "right")


def _tells(kind: type[ev.DeviceDown] | type[ev.DeviceUp], name: str, event: ev.Event) -> bool:
    return isinstance(event, kind) and event.name == name


def _page(says: Text) -> View:
    return View(text("Self-test"), BLANK, (Line(says),), page=0)
