"""The character dice: a hub on a serial port, found, opened, lost and found again."""

from __future__ import annotations

import asyncio
import errno
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import serial

from companion.errors import DeviceLost, barred
from companion.events import DeviceDown, DeviceUp, Emit, Event
from companion.words import Text, text
from hardware.dice.link import HubLink, Known

BY_ID = Path("/dev/serial/by-id")
SPEED = 115200  # means nothing on USB, but a real UART needs one
LOOK = 1.0  # seconds between looks for hubs that were plugged in
TICK = 0.25  # seconds between looks at the clock


def find(setting: str = "auto", by_id: Path = BY_ID) -> list[str]:
    """The ports to try: the one of the settings, or every Espressif board on USB."""
    if setting != "auto":
        return [setting]
    return sorted(str(path) for path in by_id.glob("usb-Espressif*")) if by_id.is_dir() else []


class Dice:
    """A source: hears all hubs that it finds; `DeviceLost` when none is left.

    Several hubs may be plugged in; it reports the loss of one while the others go on.
    """

    name = "dice"

    def __init__(
        self,
        ports: Callable[[], Sequence[str]] = find,
        *,
        known: Known | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.known = known or Known()
        self.links: dict[str, HubLink] = {}  # by port
        self._down: set[str] = set()  # ports reported as lost while others went on
        self._ports = ports
        self._clock = clock

    async def run(self, emit: Emit) -> None:
        """Emit what the dice report until cancelled."""
        tasks: dict[str, asyncio.Task[None]] = {}
        try:
            while True:
                for port in self._ports():
                    if port not in tasks:
                        tasks[port] = asyncio.create_task(self._serve(port, emit))
                if not tasks:
                    raise DeviceLost(text("no dice hub is plugged in"))
                await asyncio.wait(
                    tasks.values(), timeout=LOOK, return_when=asyncio.FIRST_COMPLETED
                )
                for port, task in [item for item in tasks.items() if item[1].done()]:
                    del tasks[port]
                    await self._mourn(port, task, emit, alone=not tasks)
        finally:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)

    async def _mourn(self, port: str, task: asyncio.Task[None], emit: Emit, *, alone: bool) -> None:
        """A hub is lost: the supervisor's business if it was the only one."""
        try:
            await task
        except DeviceLost as why:
            if alone:
                raise
            if port not in self._down:
                self._down.add(port)
                emit(DeviceDown(_short(port), why.why))

    async def _serve(self, port: str, emit: Emit) -> None:
        """Talk with one hub until it is lost."""
        with opened(port) as cable:
            link = self.links[port] = HubLink(self.known, self._clock())
            told = False
            news = asyncio.Event()
            loop = asyncio.get_running_loop()
            loop.add_reader(cable.fileno(), news.set)
            try:
                while True:
                    for event in exchange(cable, link, self._clock()):
                        emit(event)
                    if link.mismatch:
                        raise DeviceLost(link.mismatch)
                    if link.ready and not told:
                        told = True
                        emit(DeviceUp(_short(port) if port in self._down else self.name))
                        self._down.discard(port)
                    await _within(news, TICK)
                    news.clear()
            finally:
                loop.remove_reader(cable.fileno())
                self.links.pop(port).leave()

    def tell(self, die: str, what: str, argument: int = 0) -> None:
        """Ask a die to do something (`identify` blinks its lamp); nobody waits for the answer."""
        for link in self.links.values():
            if die in link.dice:
                link.command("do", die, what, argument)


@contextmanager
def opened(port: str) -> Iterator[serial.Serial]:
    """The port, ours alone; whatever the library raises is a lost device."""
    cable = serial.Serial()
    cable.port, cable.baudrate, cable.timeout, cable.write_timeout = port, SPEED, 0, 0
    cable.exclusive = True
    cable.dtr = cable.rts = False  # these lines reset the board
    try:
        cable.open()
        yield cable
    except OSError as why:  # pyserial's own errors are some, too
        if isinstance(why, DeviceLost):
            raise
        raise DeviceLost(_plain(why)) from why
    finally:
        cable.close()


def exchange(cable: serial.Serial, link: HubLink, now: float) -> list[Event]:
    """Read what is there, write what is due."""
    events = link.feed(cable.read(4096), now)
    if out := link.tick(now):
        with suppress(BlockingIOError):  # the hub hangs; all of this is said again
            os.write(cable.fileno(), out)  # pyserial would spin for ever on a full buffer
    return events


async def _within(news: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await news.wait()


def _plain(why: OSError) -> Text:
    number = why.errno
    if number == errno.EAGAIN or "lock" in str(why):
        return text("the port is in use: stop the companion first")
    if number == errno.ENOENT:
        return text("the hub is not plugged in: plug it in, or correct its port in the settings")
    if number == errno.EACCES:
        return text("no permission: add the user to the group dialout")
    if number == errno.EISDIR or f"({errno.ENOTTY}," in str(why):  # pyserial tells it in words
        return text("this is no serial port: correct it in the settings")
    return barred(why) or text("the hub was unplugged")


def _short(port: str) -> str:
    name = port.rsplit("/", 1)[-1].removeprefix("usb-Espressif_USB_JTAG_serial_debug_unit_")
    return name if "hub" in name else f"hub {name}"
