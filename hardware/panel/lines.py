"""gpiozero's pins on libgpiod 2: one thread sleeps until the kernel has an edge for any of them.

lgpio's thread wakes up a thousand times a second instead, and has no wheel for Python 3.13.
"""

from __future__ import annotations

import errno
import os
import select
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import gpiod
from gpiod.line import Bias, Direction, Edge, Value
from gpiozero import exc
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

HEADER = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")  # chips of a Pi's 40 pins
BUFFER = 256  # edges that the kernel keeps for a pin; 16 by default, fewer than one bad bounce has
_PULLS = {"floating": Bias.DISABLED, "up": Bias.PULL_UP, "down": Bias.PULL_DOWN}
_EDGES = {"none": Edge.NONE, "rising": Edge.RISING, "falling": Edge.FALLING, "both": Edge.BOTH}


class LineFactory(LocalPiFactory):  # type: ignore[misc]  # gpiozero has no types
    """The header's pins, by the chip that carries them."""

    def __init__(
        self, folder: Path = Path("/dev"), open_chip: Callable[[str], Any] = gpiod.Chip
    ) -> None:
        super().__init__()
        self.pin_class = LinePin
        self._find = partial(_header, folder, open_chip)
        self.chip = self._find()
        self._listener: _Listener | None = None

    def listener(self) -> _Listener:
        """The thread of all pins; there is none before the first edge is waited for."""
        if self._listener is None:
            self._listener = _Listener()
        return self._listener

    def request(self, number: int, settings: gpiod.LineSettings) -> Any:
        """A line of the chip, which is looked for again if it was unbound since."""
        try:
            return self._request(number, settings)
        except OSError as error:
            if error.errno != errno.ENODEV:
                raise
            try:
                found = self._find()
            except exc.BadPinFactory:
                raise error from None
        self.chip.close()
        self.chip = found
        return self._request(number, settings)

    def _request(self, number: int, settings: gpiod.LineSettings) -> Any:
        return self.chip.request_lines(
            {number: settings}, consumer="companion", event_buffer_size=BUFFER
        )

    def close(self) -> None:
        """Give back every pin, end the thread, close the chip."""
        super().close()
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        self.chip.close()


def _header(folder: Path, open_chip: Callable[[str], Any]) -> Any:
    """By its label: its number differs from board to board, on a Pi 5 from kernel to kernel."""
    labels = []
    for path in sorted(folder.glob("gpiochip*")):
        chip = open_chip(str(path))
        label = chip.get_info().label
        if label in HEADER:
            return chip
        chip.close()
        labels.append(label)
    raise exc.BadPinFactory(
        f"no chip of a Pi's header among {len(labels)} chips ({', '.join(labels)})"
    )


class LinePin(LocalPiPin):  # type: ignore[misc]  # gpiozero has no types
    """One line, ours from the first use until `close`. Its lock is `_when_changed_lock`."""

    def __init__(self, factory: LineFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._request: Any = None
        self._edges = "both"
        self._watched = False
        self.when_gone: Callable[[], object] | None = None  # told on the listener's thread
        self._settings = self._at_rest = gpiod.LineSettings(
            direction=Direction.INPUT, bias=_PULLS[info.pull or "floating"]
        )

    def close(self) -> None:
        """Back to an input, which lights no lamp, and free for other programs."""
        with self._when_changed_lock:
            self.when_changed = self.when_gone = None
            if self._request is not None:
                with suppress(OSError):  # the chip is gone
                    self._configure(self._at_rest)
                self._request.release()
            self._request, self._settings, self._edges = None, self._at_rest, "both"

    def output_with_state(self, state: float) -> None:
        """In one step: no lamp blinks in between."""
        self._stop_listening()
        value = Value(bool(state))
        self._configure(gpiod.LineSettings(direction=Direction.OUTPUT, output_value=value))

    def input_with_pull(self, pull: str) -> None:
        """In one step."""
        self._configure(replace(self._as_input(), bias=self._bias(pull)))

    def heard(self) -> None:
        """On the listener's thread: tell of the edges, each with the kernel's time of it."""
        with self._when_changed_lock:
            if not self._watched or not self._request.wait_edge_events(0):
                return  # closed since, or the number of its file is another's by now
            for edge in self._request.read_edge_events(BUFFER):
                if self._watched:  # whoever is told may have heard enough
                    rose = edge.event_type is gpiod.EdgeEvent.Type.RISING_EDGE
                    self._call_when_changed(edge.timestamp_ns / 1e9, int(rose))

    def _configure(self, settings: gpiod.LineSettings) -> None:
        """What the kernel refuses leaves the pin as it was."""
        with self._when_changed_lock:
            if self._request is None:
                self._request = self.factory.request(self._number, settings)
            else:
                self._request.reconfigure_lines({self._number: settings})
            self._settings = settings

    def _as_input(self) -> gpiod.LineSettings:
        return self._settings if self._get_function() == "input" else self._at_rest

    def _bias(self, pull: str) -> Bias:
        if pull not in _PULLS:
            raise exc.PinInvalidPull(f'invalid pull "{pull}" for pin {self!r}')
        if self.info.pull not in (pull, ""):
            raise exc.PinFixedPull(f"{self!r} has a physical pull-{self.info.pull} resistor")
        return _PULLS[pull]

    def _get_function(self) -> str:
        return "output" if self._settings.direction is Direction.OUTPUT else "input"

    def _set_function(self, value: str) -> None:
        if value == "output":
            self.output_with_state(False)
        elif value == "input":
            self._configure(self._as_input())
        else:
            raise exc.PinInvalidFunction(f'invalid function "{value}" for pin {self!r}')

    def _get_state(self) -> int:
        with self._when_changed_lock:
            if self._request is None:
                self._configure(self._settings)
            return int(bool(self._request.get_value(self._number)))

    def _set_state(self, value: float) -> None:
        with self._when_changed_lock:
            if self._get_function() == "input":
                raise exc.PinSetInput(f"cannot set state of pin {self!r}")
            self._request.set_value(self._number, Value(bool(value)))

    def _get_pull(self) -> str:
        return next((n for n, bias in _PULLS.items() if bias is self._settings.bias), "floating")

    def _set_pull(self, value: str) -> None:
        if self._get_function() != "input":
            raise exc.PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        self.input_with_pull(value)

    def _get_bounce(self) -> float | None:
        return self._settings.debounce_period.total_seconds() or None

    def _set_bounce(self, value: float | None) -> None:
        if value is not None and value < 0:
            raise exc.PinInvalidBounce("bounce must be 0 or greater")
        self._configure(replace(self._settings, debounce_period=timedelta(seconds=value or 0)))

    def _get_frequency(self) -> None:
        return None

    def _set_frequency(self, value: float | None) -> None:
        if value is not None:
            raise exc.PinPWMUnsupported(f"the kernel has no PWM for pin {self!r}")

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        if value not in _EDGES:
            raise exc.PinInvalidEdges(f'invalid edges "{value}" for pin {self!r}')
        if self._watched:
            self._configure(replace(self._settings, edge_detection=_EDGES[value]))
        self._edges = value

    def _enable_event_detect(self) -> None:
        self._configure(replace(self._as_input(), edge_detection=_EDGES[self._edges]))
        self.factory.listener().watch(self._request.fd, self)
        self._watched = True

    def _disable_event_detect(self) -> None:
        self._stop_listening()
        with suppress(OSError):  # the chip is gone
            self._configure(replace(self._settings, edge_detection=Edge.NONE))

    def _stop_listening(self) -> None:
        with self._when_changed_lock:
            if self._watched:
                self._watched = False
                self.factory.listener().forget(self._request.fd)


class _Listener:
    """A thread that sleeps in epoll, for ever if nobody presses."""

    def __init__(self) -> None:
        self._pins: dict[int, LinePin] = {}  # by the number of its file
        self._poll = select.epoll()
        self._end = os.eventfd(0)
        self._poll.register(self._end, select.EPOLLIN)
        self._thread = Thread(target=self._run, name="pins", daemon=True)
        self._thread.start()

    def watch(self, fd: int, pin: LinePin) -> None:
        self._pins[fd] = pin
        self._poll.register(fd, select.EPOLLIN)

    def forget(self, fd: int) -> None:
        if self._pins.pop(fd, None) is not None:
            self._poll.unregister(fd)

    def close(self) -> None:
        os.eventfd_write(self._end, 1)
        self._thread.join()
        self._poll.close()
        os.close(self._end)

    def _run(self) -> None:
        while True:
            for fd, news in self._poll.poll():
                if fd == self._end:
                    return
                pin = self._pins.get(fd)
                if news & ~select.EPOLLIN:  # its chip was unbound: it would wake us for ever
                    self.forget(fd)
                    if pin is not None and (tell := pin.when_gone) is not None:
                        tell()
                elif pin is not None:
                    pin.heard()
