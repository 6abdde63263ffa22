"""The gpiochips of a Pi 4 as libgpiod shows them: levels, pulls, wires, edges, owners."""

from __future__ import annotations

import errno
import os
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from types import SimpleNamespace
from typing import Any

import gpiod
from gpiod.line import Bias, Direction, Edge, Value

from hardware.panel.lines import LineFactory

RISING, FALLING = gpiod.EdgeEvent.Type.RISING_EDGE, gpiod.EdgeEvent.Type.FALLING_EDGE


@dataclass
class Line:
    """One line: whose it is, what holds it from outside, where it stands."""

    owner: Request | None = None
    held: bool | None = None  # by a finger or a wire to ground; None: nothing
    level: bool = False
    settings: gpiod.LineSettings = field(default_factory=gpiod.LineSettings)


class Kernel:
    """`hold` is a finger on a line, `wire` joins two; `refuses` names what fails, and how."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.labels = {"gpiochip0": "raspberrypi-exp-gpio", "gpiochip1": "pinctrl-bcm2711"}
        for name in self.labels:
            (folder / name).touch()
        self.lines = [Line() for _ in range(58)]
        self.wires: list[set[int]] = []
        self.refuses: dict[str, int] = {}  # an errno for what is asked: open, request
        self.open_chips = self.boots = 0

    def open(self, path: str) -> Chip:
        self.may("open")
        self.open_chips += 1
        return Chip(self, self.labels[Path(path).name])

    def unbind(self) -> None:
        """The header's chip is gone, and with it every line that somebody has."""
        del self.labels["gpiochip1"]
        (self.folder / "gpiochip1").unlink()
        self.refuses = dict.fromkeys(("request", "configure"), errno.ENODEV)
        for line in self.lines:
            if line.owner is not None:
                line.owner.unbind()

    def bind(self) -> None:
        """It is there again; what was open before stays dead."""
        self.labels["gpiochip1"] = "pinctrl-bcm2711"
        (self.folder / "gpiochip1").touch()
        self.refuses, self.boots = {}, self.boots + 1

    def may(self, what: str) -> None:
        if what in self.refuses:
            raise OSError(self.refuses[what], os.strerror(self.refuses[what]))

    def wire(self, *lines: int) -> None:
        self.wires.append(set(lines))

    def hold(self, line: int, level: bool | None, at: float | None = None) -> None:
        """From outside, at a time of the monotonic clock; None lets go."""
        self.lines[line].held = level
        self.settle(at)

    def settle(self, at: float | None = None) -> None:
        """Every line takes its level; whoever waits for that edge gets it, with its time."""
        stamp = int((time.monotonic() if at is None else at) * 1e9)
        for number, line in enumerate(self.lines):
            if line.owner is None:
                continue
            level = self._level(number)
            if level != line.level:
                line.level = level
                wanted = (Edge.BOTH, Edge.RISING if level else Edge.FALLING)
                if line.settings.edge_detection in wanted:
                    line.owner.queue(RISING if level else FALLING, stamp)

    def _level(self, number: int) -> bool:
        joined = [self.lines[n] for w in self.wires if number in w for n in w]
        joined = joined or [self.lines[number]]
        for one in joined:
            if one.settings.direction is Direction.OUTPUT:
                return bool(one.settings.output_value)
        for one in joined:
            if one.held is not None:
                return one.held
        pulls = {one.settings.bias for one in joined}
        if Bias.PULL_UP in pulls or number in (2, 3):  # these have a resistor on the board
            return True
        return False if Bias.PULL_DOWN in pulls else self.lines[number].level


class Chip:
    """gpiod.Chip."""

    def __init__(self, kernel: Kernel, label: str) -> None:
        self.kernel, self.label, self._boot = kernel, label, kernel.boots

    def get_info(self) -> Any:
        return SimpleNamespace(label=self.label)

    def close(self) -> None:
        self.kernel.open_chips -= 1

    def request_lines(
        self, config: dict[int, gpiod.LineSettings], consumer: str, event_buffer_size: int
    ) -> Request:
        self.kernel.may("request")
        if self._boot != self.kernel.boots:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        ((number, settings),) = config.items()
        line = self.kernel.lines[number]
        if line.owner is not None:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        line.owner = Request(self.kernel, number, event_buffer_size)
        assert consumer
        line.owner.reconfigure_lines({number: settings})
        return line.owner


class Request:
    """gpiod.LineRequest of one line; its file can be waited for, as the kernel's."""

    def __init__(self, kernel: Kernel, number: int, size: int) -> None:
        self.kernel, self.number = kernel, number
        self.line = kernel.lines[number]
        self.events: deque[Any] = deque(maxlen=size)  # the oldest are lost, as in the kernel
        self._turn = Lock()
        self.fd, self._bell = os.pipe()

    def reconfigure_lines(self, config: dict[int, gpiod.LineSettings]) -> None:
        self.kernel.may("configure")
        ((number, settings),) = config.items()
        assert number == self.number
        output = settings.direction is Direction.OUTPUT
        if settings.direction is Direction.AS_IS or (output and settings.edge_detection.value > 1):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        self.line.settings = settings
        self.kernel.settle()

    def get_value(self, _number: int) -> Value:
        return Value(self.line.level)

    def set_value(self, _number: int, value: Value) -> None:
        if self.line.settings.direction is not Direction.OUTPUT:
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
        self.line.settings.output_value = value
        self.kernel.settle()

    def queue(self, kind: Any, stamp: int) -> None:
        with self._turn:
            self.events.append(SimpleNamespace(event_type=kind, timestamp_ns=stamp))
            if len(self.events) == 1:
                os.write(self._bell, b"!")

    def wait_edge_events(self, timeout: float) -> bool:
        assert timeout == 0  # the lock of the pin is held
        return bool(self.events)

    def read_edge_events(self, most: int = 64) -> list[Any]:
        with self._turn:
            assert self.events, "the real one would block"
            read = [self.events.popleft() for _ in range(min(most, len(self.events)))]
            if not self.events:
                os.read(self.fd, 1)
            return read

    def release(self) -> None:
        self.line.owner = None
        self.line.settings = gpiod.LineSettings()
        self.unbind()
        os.close(self.fd)

    def unbind(self) -> None:
        """The chip is gone: the file hangs up."""
        if self._bell >= 0:
            os.close(self._bell)
        self._bell = -1


class Pi4Factory(LineFactory):
    """The pins of a Pi 4 on such a kernel."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel.folder, kernel.open)

    def _get_revision(self) -> int:
        return 0xC03115
