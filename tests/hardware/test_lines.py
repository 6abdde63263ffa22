"""Our pins do what gpiozero expects of pins: the same promises over its own mock and over ours."""

from __future__ import annotations

import asyncio
import errno
import select
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
from gpiozero import LED, Device, InputDevice, exc
from gpiozero.pins.mock import MockConnectedPin, MockFactory

from companion.errors import DeviceLost
from companion.events import ButtonPressed, ButtonStorm, DeviceUp, Event
from hardware.panel.buttons import ButtonPanel, held_down
from hardware.panel.gpio import CHOICE
from hardware.panel.lines import LineFactory
from hardware.panel.off_switch import OffSwitch
from tests.hardware.kernel_lines import Kernel, Pi4Factory

OUT, IN = 22, 27  # joined by a wire, as in gpiozero's own tests of real pins


@pytest.fixture
def kernel(tmp_path: Path) -> Kernel:
    kernel = Kernel(tmp_path)
    kernel.wire(OUT, IN)
    return kernel


@pytest.fixture
def ours(kernel: Kernel) -> Iterator[Pi4Factory]:
    factory = Pi4Factory(kernel)
    yield factory
    factory.close()
    assert kernel.open_chips == 0
    assert all(line.owner is None for line in kernel.lines)


@pytest.fixture(params=["gpiozero's mock", "ours"])
def factory(request: pytest.FixtureRequest) -> Any:
    if request.param == "ours":
        return request.getfixturevalue("ours")
    mock = MockFactory()
    mock.pin(OUT, pin_class=MockConnectedPin, input_pin=mock.pin(IN))
    return mock


def edges_of(pin: Any) -> Queue[tuple[float, bool]]:
    """What its listener is told; whoever hears must stay alive, gpiozero holds it weakly."""
    told: Queue[tuple[float, bool]] = Queue()
    pin.heard_by = lambda ticks, state: told.put((ticks, bool(state)))
    pin.when_changed = pin.heard_by
    return told


def test_a_fresh_pin_is_an_input_that_floats(factory: Any) -> None:
    pin = factory.pin(IN)
    assert (pin.function, pin.pull, pin.edges) == ("input", "floating", "both")
    assert (pin.bounce, pin.frequency, pin.when_changed) == (None, None, None)
    assert (pin.info.name, repr(pin)) == ("GPIO27", "GPIO27")
    assert factory.pin("BOARD13") is pin
    assert factory.pin(2).pull == "up"  # by a resistor on the board
    assert factory.board_info.model in ("3B", "4B")


def test_an_output_drives_what_is_wired_to_it(factory: Any) -> None:
    out, into = factory.pin(OUT), factory.pin(IN)
    out.function = "output"
    for level in (1, 0, True, False):
        out.state = level
        assert (out.state, into.state) == (level, level)
    for level in (1, 0):
        out.output_with_state(level)
        assert (out.function, into.state) == ("output", level)


@pytest.mark.parametrize(("pull", "level"), [("up", 1), ("down", 0)])
def test_a_pull_decides_what_nobody_drives(factory: Any, pull: str, level: int) -> None:
    pin = factory.pin(OUT)
    pin.input_with_pull(pull)
    assert (pin.pull, pin.state) == (pull, level)
    pin.pull = {"up": "down", "down": "up"}[pull]
    assert pin.state == 1 - level


@pytest.mark.parametrize(
    ("error", "act"),
    [
        (exc.PinInvalidFunction, lambda f: setattr(f.pin(4), "function", "foo")),
        (exc.PinInvalidPull, lambda f: setattr(f.pin(4), "pull", "foo")),
        (exc.PinInvalidPull, lambda f: f.pin(4).input_with_pull("foo")),
        (exc.PinFixedPull, lambda f: setattr(f.pin(2), "pull", "down")),
        (exc.PinFixedPull, lambda f: f.pin(2).input_with_pull("down")),
        (exc.PinSetInput, lambda f: setattr(f.pin(4), "state", 1)),
        (exc.PinPWMUnsupported, lambda f: setattr(f.pin(4), "frequency", 100)),
        (exc.PinInvalidPin, lambda f: f.pin(60)),
        (exc.PinInvalidPin, lambda f: f.pin("BOARD1")),
    ],
)
def test_what_a_pin_cannot_do_is_refused_with_gpiozeros_error(
    factory: Any, error: type[Exception], act: Callable[[Any], object]
) -> None:
    with pytest.raises(error):
        act(factory)


def test_an_output_has_no_pull(factory: Any) -> None:
    pin = factory.pin(OUT)
    pin.function = "output"
    with pytest.raises(exc.PinFixedPull):
        pin.pull = "up"


@pytest.mark.parametrize(
    ("edges", "heard"),
    [("both", [True, False, True]), ("rising", [True, True]), ("falling", [False])],
)
def test_a_listener_hears_the_edges_it_asked_for(
    factory: Any, edges: str, heard: list[bool]
) -> None:
    out, into = factory.pin(OUT), factory.pin(IN)
    out.output_with_state(0)
    into.edges = edges
    told = edges_of(into)
    before = factory.ticks()
    for level in (1, 0, 1):
        out.state = level
    got = [told.get(timeout=5) for _ in heard]
    assert [state for _, state in got] == heard
    assert all(0 <= factory.ticks_diff(ticks, before) < 5 for ticks, _ in got)
    into.when_changed = None
    out.state = 0
    assert told.empty()


def test_two_devices_cannot_have_one_pin_and_a_closed_one_gives_it_back(factory: Any) -> None:
    with InputDevice(4, pull_up=True, pin_factory=factory) as button:
        assert button.pull_up
        with pytest.raises(exc.GPIOPinInUse):
            LED(4, pin_factory=factory)
    with LED(4, initial_value=True, pin_factory=factory) as lamp:
        assert lamp.value == 1
    assert factory.pin(4).function == "input"


def test_the_header_is_found_by_its_label_whatever_its_number(kernel: Kernel) -> None:
    factory = Pi4Factory(kernel)
    assert factory.chip.label == "pinctrl-bcm2711"
    assert kernel.open_chips == 1
    factory.close()
    kernel.labels["gpiochip1"] = "gpio-mockup"
    with pytest.raises(exc.BadPinFactory, match="raspberrypi-exp-gpio"):
        Pi4Factory(kernel)
    assert kernel.open_chips == 0
    with pytest.raises(exc.BadPinFactory, match="among 0 chips"):
        LineFactory(kernel.folder / "nowhere")


def test_a_closed_pin_is_an_input_and_free_for_other_programs(
    kernel: Kernel, ours: Pi4Factory
) -> None:
    lamp = LED(20, initial_value=True, pin_factory=ours)
    request = kernel.lines[20].owner
    assert request is not None
    left: list[Any] = []
    request.release = lambda release=request.release: (  # type: ignore[method-assign]
        left.append(request.line.settings.direction.name), release()
    )  # fmt: skip
    lamp.close()
    assert left == ["INPUT"]
    assert kernel.lines[20].owner is None


def test_a_setting_that_the_kernel_refuses_leaves_the_pin_as_it_was(
    kernel: Kernel, ours: Pi4Factory
) -> None:
    pin = ours.pin(17)
    pin.input_with_pull("up")
    kernel.refuses["configure"] = errno.EINVAL
    with pytest.raises(OSError, match="Invalid"):
        pin.pull = "down"
    assert pin.pull == "up"


@pytest.mark.parametrize(
    ("what", "number", "says"),
    [
        ("request", errno.EBUSY, r"pin 17: the pins do not answer .*busy.*another program"),
        ("open", errno.EACCES, r"pin 17: no permission for the pins: .*usermod -aG gpio"),
        ("open", errno.EPERM, r"the service may not open it: restart the companion"),
        ("request", errno.EPERM, r"the service may not open it: restart the companion"),
    ],
)
def test_what_the_kernel_refuses_is_said_with_what_to_do(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch, what: str, number: int, says: str
) -> None:
    monkeypatch.setattr("hardware.panel.lines.LineFactory", lambda: Pi4Factory(kernel))
    monkeypatch.setattr(Device, "pin_factory", None)
    kernel.refuses[what] = number
    with pytest.raises(DeviceLost, match=says):
        held_down(17)
    kernel.refuses.clear()
    assert not held_down(17)  # tried again, it is had
    Device.pin_factory.close()


def test_without_a_setting_of_gpiozero_the_pins_are_ours_and_the_cause_is_said(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel.labels["gpiochip1"] = "gpio-mockup"
    monkeypatch.setattr("hardware.panel.lines.LineFactory", lambda: Pi4Factory(kernel))
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.delenv(CHOICE, raising=False)
    with pytest.raises(DeviceLost, match=r"panel 1: .*gpio-mockup.*companion run --twin"):
        asyncio.run(ButtonPanel(0, {"next": 4}).run(lambda _event: None))
    monkeypatch.setitem(sys.modules, "gpiod", None)
    monkeypatch.delitem(sys.modules, "hardware.panel.lines")
    with pytest.raises(DeviceLost, match=r"pin 4: .*gpiod cannot be imported.*make install"):
        held_down(4)


def test_gpiozeros_own_setting_chooses_another_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv(CHOICE, "mock")
    assert not held_down(4)
    assert isinstance(Device.pin_factory, MockFactory)
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv(CHOICE, "lgpio")
    with pytest.raises(DeviceLost, match="No module named 'lgpio'"):
        held_down(4)


def test_the_thread_sleeps_until_an_edge_comes_and_ends_with_the_factory(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[object, ...]] = []

    class Poll:
        def __init__(self) -> None:
            self._real = real()
            self.register, self.unregister = self._real.register, self._real.unregister
            self.close = self._real.close

        def poll(self, *limits: object) -> list[tuple[int, int]]:
            asked.append(limits)
            return self._real.poll()

    real = select.epoll
    monkeypatch.setattr("hardware.panel.lines.select.epoll", Poll)
    factory = Pi4Factory(kernel)
    told = edges_of(factory.pin(4))
    for level in (True, False, True):
        kernel.hold(4, level)
        told.get(timeout=5)
    thread = factory.listener()._thread
    factory.close()
    assert not thread.is_alive()
    assert set(asked) == {()}  # no time limit
    assert len(asked) <= 5  # the first, three edges, the end


def test_a_chip_that_is_unbound_does_not_keep_the_thread_awake(
    kernel: Kernel, ours: Pi4Factory
) -> None:
    lost, well = ours.pin(4), ours.pin(17)
    edges_of(lost)
    told = edges_of(well)
    request = kernel.lines[4].owner
    assert request is not None
    request.unbind()
    kernel.hold(17, True)
    told.get(timeout=5)
    assert list(ours.listener()._pins.values()) == [well]


class Panel:
    """A real panel on such a kernel, and what it told."""

    def __init__(self, kernel: Kernel, factory: Pi4Factory, **how: Any) -> None:
        self.kernel, self.events = kernel, list[Event]()
        self._news = asyncio.Event()
        self.panel = ButtonPanel(0, {"next": 4, "back": 17}, factory=factory, **how)

    def emit(self, event: Event) -> None:
        self.events.append(event)
        self._news.set()

    async def until(self, count: int) -> list[Event]:
        """So many events after the first, which says that it is open."""
        async with asyncio.timeout(10):
            while len(self.events) <= count:
                self._news.clear()
                await self._news.wait()
        assert self.events[0] == DeviceUp("panel 1")
        return self.events[1:]

    def bounce(self, line: int, down: bool, start: float, edges: int = 8) -> None:
        """An even number of edges more than one, 0.2 ms apart, towards a level."""
        for n in range(edges + 1):
            self.kernel.hold(line, (not down) if n % 2 == 0 else down, start + n * 0.0002)


async def at(panel: Panel, scene: Callable[[], Any]) -> None:
    run = asyncio.create_task(panel.panel.run(panel.emit))
    try:
        await panel.until(0)
        await scene()
    finally:
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)


def test_presses_that_are_heard_late_count_by_the_kernels_times(
    kernel: Kernel, ours: Pi4Factory
) -> None:
    async def main() -> None:
        panel = Panel(kernel, ours)

        async def scene() -> None:
            start = time.monotonic() - 0.5
            for n in range(10):  # all of them are over when the thread hears of the first
                panel.bounce(4, True, start + n * 0.02)
                panel.bounce(4, False, start + n * 0.02 + 0.01)
            assert await panel.until(10) == [ButtonPressed(0, "next")] * 10

        await at(panel, scene)

    asyncio.run(main())


def test_a_storm_is_told_once_and_leaves_the_other_button_alone(
    kernel: Kernel, ours: Pi4Factory
) -> None:
    async def main() -> None:
        panel = Panel(kernel, ours, quiet=60.0)

        async def scene() -> None:
            start = time.monotonic() - 0.3
            with ours.pin(4)._when_changed_lock:  # the thread comes late
                for n in range(2664):  # ten times what the kernel keeps
                    kernel.hold(4, n % 2 == 1, start + n * 0.0001)
            panel.bounce(17, True, time.monotonic())
            assert await panel.until(2) == [ButtonStorm(0, "next"), ButtonPressed(0, "back")]

        await at(panel, scene)

    asyncio.run(main())


def test_a_panel_whose_chip_is_unbound_is_lost_and_comes_back_with_the_chip(
    kernel: Kernel, ours: Pi4Factory
) -> None:
    async def main() -> None:
        panel = Panel(kernel, ours)
        run = asyncio.create_task(panel.panel.run(panel.emit))
        await panel.until(0)
        kernel.unbind()
        with pytest.raises(DeviceLost, match="the chip of its pins is gone"):
            await asyncio.wait_for(run, 10)
        with pytest.raises(DeviceLost, match="the chip of its pins is gone"):  # the same reason
            await panel.panel.run(panel.emit)
        kernel.bind()
        panel.events.clear()

        async def scene() -> None:
            panel.bounce(4, True, time.monotonic())
            assert await panel.until(1) == [ButtonPressed(0, "next")]

        await at(panel, scene)
        assert kernel.open_chips == 1  # the dead one was closed

    asyncio.run(main())


def test_the_shutdown_button_is_lost_with_the_chip_of_its_pin(
    kernel: Kernel, ours: Pi4Factory
) -> None:
    async def main() -> None:
        ready = asyncio.Event()
        run = asyncio.create_task(OffSwitch(15, 3.0, factory=ours).run(lambda _: ready.set()))
        await ready.wait()
        kernel.unbind()
        with pytest.raises(DeviceLost, match="the chip of its pins is gone"):
            await asyncio.wait_for(run, 10)

    asyncio.run(main())
