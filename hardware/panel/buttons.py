"""Button panels on gpiozero: edges come in on its thread, presses go out on the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, TypeAlias, assert_never

from gpiozero import InputDevice

from companion.errors import DeviceLost
from companion.events import ButtonPressed, ButtonStorm, ButtonStuck, DeviceUp, Emit, Key
from companion.words import Panel
from hardware.panel.debounce import QUIET, STABLE, STORM_EDGES, STUCK, ButtonChange, Debounce
from hardware.panel.gpio import GONE, pins_of

Pin: TypeAlias = int | str
"""A number of the chip (17) or a name gpiozero knows ("BOARD11")."""


class ButtonPanel:
    """The buttons of one panel."""

    def __init__(
        self,
        panel: Panel,
        pins: Mapping[Key, Pin],
        *,
        factory: Any = None,
        pull_up: bool = True,
        stable: float = STABLE,
        storm_edges: int = STORM_EDGES,
        quiet: float = QUIET,
        stuck: float = STUCK,
    ) -> None:
        self.name = f"panel {panel + 1}"
        self._panel = panel
        self._pins = dict(pins)
        self._factory = factory  # None: gpiozero's own choice
        self._pull_up = pull_up
        self._new = partial(Debounce, stable, storm_edges, quiet, stuck)

    async def run(self, emit: Emit) -> None:
        """Emit presses and storms until cancelled."""
        with ExitStack() as stack:
            gone = []
            for key, pin in self._pins.items():
                tell = partial(self._tell, key, emit)
                one = contact(self.name, pin, self._new(), tell, self._factory, self._pull_up)
                gone.append(stack.enter_context(one))
            emit(DeviceUp(self.name))
            await asyncio.gather(*gone)

    def _tell(self, key: Key, emit: Emit, verdict: ButtonChange) -> None:
        match verdict:
            case "press":
                emit(ButtonPressed(self._panel, key))
            case "storm" | "over":
                emit(ButtonStorm(self._panel, key, over=verdict == "over"))
            case "stuck" | "freed":
                emit(ButtonStuck(self._panel, key, over=verdict == "freed"))
            case _:
                assert_never(verdict)


def panels(pins: Mapping[tuple[Panel, Key], Pin], **how: Any) -> tuple[ButtonPanel, ...]:
    """Each panel as a source of its own, so that each is supervised alone."""
    every = sorted({panel for panel, _ in pins})
    return tuple(
        ButtonPanel(panel, {key: pin for (at, key), pin in pins.items() if at == panel}, **how)
        for panel in every
    )


def held_down(pin: Pin, *, factory: Any = None) -> bool:
    """Is this button down now? For a look at the wires; DeviceLost: the pin cannot be had."""
    with (
        pins_of(f"pin {pin}", factory),
        InputDevice(pin, pull_up=True, pin_factory=factory) as button,
    ):
        return bool(button.value)


@contextmanager
def contact(
    name: str, pin: Pin, debounce: Debounce, tell: Callable[[ButtonChange], None],
    factory: Any = None, pull_up: bool = True,
) -> Iterator[asyncio.Future[None]]:  # fmt: skip
    """One button of the device `name`, listened to for as long as the block.

    What it gives is never done; it raises DeviceLost when the pin is gone.
    """
    joint = _Contact(debounce, tell)
    # not gpiozero's Button: it starts a thread for holds and drops the times of the edges
    with pins_of(name, factory):
        device = InputDevice(pin, pull_up=pull_up, pin_factory=factory)
    try:
        joint.listen(device)
        yield joint.gone
    finally:
        device.close()
        joint.close()


class _Contact:
    """One button: joins gpiozero's thread, the pure machine and the loop's clock."""

    def __init__(self, debounce: Debounce, tell: Callable[[ButtonChange], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._debounce = debounce
        self._tell = tell
        self._timer: asyncio.Handle | None = None
        self._noise: tuple[bool, float] | None = None  # the last edge of a storm
        self.gone: asyncio.Future[None] = self._loop.create_future()

    def listen(self, device: InputDevice) -> None:
        self._device = device
        self._hear = getattr(device.pin, "heard", lambda: None)  # gpiozero's own pins have none
        self._debounce.start(bool(device.value), self._loop.time())
        device.pin.edges = "both"
        device.pin.when_changed = self._edge
        device.pin.when_gone = partial(self._loop.call_soon_threadsafe, self._lost)
        self._judge([])

    def _edge(self, ticks: float, state: int) -> None:
        """On gpiozero's thread. A storm only leaves its time behind: it must not flood the loop.

        The kernel's stamp counts, however late it is read: loop and pins have the same clock. A
        factory with a clock of its own is ahead of it, and its edges count when they are heard.
        """
        down = bool(state) != self._device.pull_up
        now = min(ticks, self._loop.time())
        if self._debounce.storming:
            self._noise = (down, now)
        else:
            self._loop.call_soon_threadsafe(self._feed, down, now)

    def _feed(self, down: bool, now: float) -> None:
        self._judge(self._debounce.feed(down, now))

    def _at_deadline(self) -> None:
        """The pin is asked, behind the edges that its thread had no time to fetch: they have times.

        Else a busy machine takes a press whose end is heard late for a bounce, and loses it.
        """
        try:
            self._hear()
        except OSError:
            self._lost()
        else:
            self._timer = self._loop.call_soon(self._ask_pin)

    def _ask_pin(self) -> None:
        """What the pin itself says, in case an edge was swallowed."""
        self._timer = None
        if self._noise:
            self._debounce.rattle(*self._noise)
            self._noise = None
        try:
            down = bool(self._device.value)
        except OSError:
            self._lost()
        else:
            self._judge(self._debounce.poll(self._loop.time(), down))

    def _judge(self, verdicts: list[ButtonChange]) -> None:
        for verdict in verdicts:
            self._tell(verdict)
        due = self._debounce.due
        if self._timer:
            self._timer.cancel()
        self._timer = self._loop.call_at(due, self._at_deadline) if due is not None else None

    def _lost(self) -> None:
        if not self.gone.done():
            self.gone.set_exception(DeviceLost(GONE))

    def close(self) -> None:
        self.gone.cancel()
        if self._timer:
            self._timer.cancel()
