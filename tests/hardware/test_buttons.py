"""Panels on gpiozero's mock pins, pressed by a finger that bounces on another thread."""

from __future__ import annotations

import asyncio
import threading
import time
import warnings
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from gpiozero import Buzzer
from gpiozero.exc import BadPinFactory, PinFactoryFallback
from gpiozero.pins.mock import MockFactory, MockPin

from companion.errors import DeviceLost
from companion.events import KEYS, ButtonPressed, ButtonStorm, ButtonStuck, DeviceUp, Event, Key
from companion.views import Beat, Ending
from companion.words import text
from hardware.panel.buttons import ButtonPanel, held_down, panels
from hardware.panel.gpio import pins_of
from hardware.panel.lamps import ASKED, REST, Lamp
from hardware.twins.finger import Finger
from tests.hardware.samples import menu
from tests.patience import within

FIVE_SEATS: dict[tuple[int, Key], int] = {
    (seat, key): 4 + 4 * seat + number for seat in range(5) for number, key in enumerate(KEYS)
}


class Told:
    """Collects events and lets a test wait for so many."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.threads: set[int] = set()
        self._more = asyncio.Event()

    def emit(self, event: Event) -> None:
        self.threads.add(threading.get_ident())
        if not isinstance(event, DeviceUp):
            self.events.append(event)
            self._more.set()

    async def wait(self, count: int) -> list[Event]:
        async with asyncio.timeout(within(5)):
            while len(self.events) < count:
                self._more.clear()
                await self._more.wait()
        return self.events


def at_the_table(
    scene: Callable[[Finger, Told], Awaitable[None]],
    pull_up: bool = True,
    quiet: float = 0.05,
    stuck: float = 10.0,
) -> None:
    """Five panels of four buttons, a finger, and what was told."""

    async def main() -> None:
        finger, told = Finger(FIVE_SEATS, pull_up=pull_up), Told()
        runs = [
            asyncio.create_task(panel.run(told.emit))
            for panel in panels(
                FIVE_SEATS, factory=finger.factory, pull_up=pull_up, quiet=quiet, stuck=stuck
            )
        ]
        await asyncio.sleep(0)
        await scene(finger, told)
        for run in runs:
            run.cancel()
        await asyncio.gather(*runs, return_exceptions=True)

    asyncio.run(main())


@pytest.mark.slow
def test_presses_that_come_at_once_on_one_button_are_each_told() -> None:
    async def scene(finger: Finger, told: Told) -> None:
        await asyncio.gather(*(finger.press(2, "select", hold=0.05) for _ in range(4)))
        assert await told.wait(4) == [ButtonPressed(2, "select")] * 4

    at_the_table(scene)


@pytest.mark.parametrize("pull_up", [True, False])
@pytest.mark.slow
def test_every_button_of_five_seats_tells_its_seat_and_key_once(pull_up: bool) -> None:
    async def scene(finger: Finger, told: Told) -> None:
        for seat, key in FIVE_SEATS:
            await finger.press(seat, key, hold=0.05)
        wanted = [ButtonPressed(seat, key) for seat, key in FIVE_SEATS]
        assert await told.wait(20) == wanted

    at_the_table(scene, pull_up)


def test_presses_made_on_another_thread_are_told_on_the_loop() -> None:
    async def scene(finger: Finger, told: Told) -> None:
        pressing = threading.Thread(target=finger.push, args=(2, "select", 0.01))
        pressing.start()
        await told.wait(1)
        pressing.join()
        assert told.threads == {threading.get_ident()}
        assert pressing.ident not in told.threads

    at_the_table(scene)


def test_the_finger_bounces_within_two_milliseconds_and_comes_to_rest() -> None:
    finger = Finger({(0, "next"): 4}, sleep=lambda _seconds: None)
    pin = finger.factory.pin(4)
    pin.function, pin.pull = "input", "up"
    edges: list[tuple[float, int]] = []

    def hear(ticks: float, state: int) -> None:
        edges.append((ticks, state))

    pin.when_changed = hear
    finger.push(0, "next")
    downs = [when for when, high in edges if not high]
    assert len(downs) >= 2  # raw edges would be several presses
    assert downs[-1] - downs[0] <= 0.004  # both bounces: no hold, as nobody slept
    assert edges[-1][1] == 1


def test_edges_that_are_heard_late_count_at_the_time_they_happened() -> None:
    """The loop was stuck for a whole press: the stamps tell that it lasted 20 ms."""

    async def scene(finger: Finger, told: Told) -> None:
        now = time.monotonic()
        pin = finger.factory.pin(FIVE_SEATS[3, "select"])
        pin.play([(now - 0.03, False), (now - 0.01, True)], lambda _seconds: None)
        assert await told.wait(1) == [ButtonPressed(3, "select")]

    at_the_table(scene)


class LatePin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """Its thread has told of the press and has no time to tell of the release."""

    def heard(self) -> None:
        """As in hardware/panel/lines.py: fetch what is there."""
        if not self._state and self.released:
            self.drive_high()

    @property
    def released(self) -> bool:
        return self._when_changed is not None

    def _get_state(self) -> bool:
        return True if self.released else bool(super()._get_state())


def test_a_press_whose_end_is_heard_late_is_not_taken_for_a_bounce() -> None:
    async def main() -> None:
        factory, told = MockFactory(pin_class=LatePin), Told()
        run = asyncio.create_task(ButtonPanel(0, {"next": 4}, factory=factory).run(told.emit))
        await asyncio.sleep(0)
        factory.pin(4).drive_low()
        assert await told.wait(1) == [ButtonPressed(0, "next")]
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)

    asyncio.run(main())


def test_a_chattering_wire_is_told_and_ignored_until_it_is_quiet() -> None:
    async def scene(finger: Finger, told: Told) -> None:
        await asyncio.to_thread(finger.chatter, 0, "back", 400, 0.00001)
        assert await told.wait(2) == [
            ButtonStorm(0, "back"),
            ButtonStorm(0, "back", over=True),
        ]
        await finger.press(0, "back", hold=0.01)
        assert (await told.wait(3))[2:] == [ButtonPressed(0, "back")]

    at_the_table(scene, quiet=0.3)


@pytest.mark.slow
def test_a_storm_on_one_button_leaves_the_others_alone() -> None:
    async def scene(finger: Finger, told: Told) -> None:
        await asyncio.to_thread(finger.chatter, 0, "back", 300, 0.0001)
        await finger.press(1, "next", hold=0.01)
        assert ButtonPressed(1, "next") in await told.wait(2)

    at_the_table(scene, quiet=60.0)


def test_a_panel_gives_its_pins_back_so_that_it_can_be_started_again() -> None:
    async def main() -> None:
        finger = Finger({(0, "next"): 4})
        panel = ButtonPanel(0, {"next": 4}, factory=finger.factory)
        for _ in range(2):
            told = Told()
            run = asyncio.create_task(panel.run(told.emit))
            await asyncio.sleep(0)
            await finger.press(0, "next", hold=0.01)
            assert await told.wait(1) == [ButtonPressed(0, "next")]
            run.cancel()
            await asyncio.gather(run, return_exceptions=True)

    asyncio.run(main())


def run_panel(panel: ButtonPanel) -> None:
    asyncio.run(panel.run(lambda _event: None))


def test_a_pin_that_does_not_exist_loses_this_panel_alone() -> None:
    with pytest.raises(DeviceLost, match=r"panel 1: .*99.*Name another pin"):
        run_panel(ButtonPanel(0, {"next": "GPIO99"}, factory=MockFactory()))


def test_two_buttons_on_one_pin_lose_this_panel_alone() -> None:
    with pytest.raises(DeviceLost, match="Two devices cannot share a pin"):
        run_panel(ButtonPanel(0, {"next": 4, "back": 4}, factory=MockFactory()))


def test_a_machine_without_pins_is_told_what_to_install() -> None:
    with pytest.raises(DeviceLost, match="make install"), pins_of("panel 1", MockFactory()):
        raise BadPinFactory("Unable to load any default pin factory!")


def test_a_warning_of_gpiozero_is_not_swallowed() -> None:
    with pytest.warns(PinFactoryFallback, match="lgpio"), pins_of("panel 1", MockFactory()):
        warnings.warn("Falling back from lgpio", PinFactoryFallback, stacklevel=1)


class StuckPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """Joined to ground, whatever pulls it up."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self._state = False


def test_a_button_that_is_held_down_is_seen_and_a_pin_that_is_not_there_is_said() -> None:
    factory = MockFactory()
    assert held_down(17, factory=factory) is False
    factory = MockFactory(pin_class=StuckPin)
    assert held_down(17, factory=factory) is True
    with pytest.raises(DeviceLost, match="Name another pin"):
        held_down("GPIO99", factory=factory)


def test_the_lamp_burns_while_its_seat_is_waited_for() -> None:
    factory = MockFactory()
    lamp = Lamp(0, 20, factory=factory)
    for wanted in (False, True, True, False):
        asyncio.run(lamp.show(replace(menu("Roll"), lamp=wanted)))
        assert factory.pin(20).state == wanted
    lamp.close()


def test_the_buzzer_calls_when_the_lamp_goes_on_and_only_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[int] = []
    monkeypatch.setattr(Buzzer, "beep", lambda _self, _on, _off, n: calls.append(n))
    lamp = Lamp(0, 20, buzzer=21, factory=MockFactory())
    for lit, wanted in ((False, []), (True, [1]), (True, [1]), (False, [1]), (True, [1, 1])):
        asyncio.run(lamp.show(replace(menu("Roll"), lamp=lit)))
        assert calls == wanted
    lamp.close()


def test_the_buzzer_has_a_pattern_for_a_hit_and_for_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[int] = []
    monkeypatch.setattr(Buzzer, "beep", lambda _self, _on, _off, n: calls.append(n))
    lamp = Lamp(0, 20, buzzer=21, factory=MockFactory())
    asked = replace(menu("Roll"), lamp=True)
    told, small = (
        replace(asked, beats=(Beat(text("Asuna falls"), weight=weight),)) for weight in (2, 1)
    )
    over = replace(told, lamp=False, parts=(Ending(text("You win!"), text("The boss fell")),))
    for view in (asked, small, told, told, over, over):
        asyncio.run(lamp.show(view))
    assert calls == [1, 2, 3]
    lamp.close()


def test_the_buzzer_has_a_pattern_for_dice_at_rest_and_for_a_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[tuple[float, int]] = []
    monkeypatch.setattr(Buzzer, "beep", lambda _self, on, _off, n: calls.append((on, n)))
    lamp = Lamp(0, 20, buzzer=21, factory=MockFactory())
    for call in ("", "dice 3", "dice 3", "dice 4", "asked", "asked", ""):
        asyncio.run(lamp.show(replace(menu("Roll"), call=call)))
    assert calls == [REST, REST, ASKED]
    lamp.close()


def test_the_buzzer_sounds_on_its_pin() -> None:
    factory = MockFactory()
    lamp = Lamp(0, 20, buzzer=21, factory=factory)
    asyncio.run(lamp.show(replace(menu("Roll"), lamp=True)))
    lamp.close()  # joins gpiozero's background beep
    assert [bool(state) for _, state in factory.pin(21).states].count(True) == 1


def test_a_lamp_on_an_impossible_pin_is_lost_alone() -> None:
    with pytest.raises(DeviceLost, match="lamp 3"):
        asyncio.run(Lamp(2, "GPIO77", factory=MockFactory()).show(menu("Roll")))


def test_a_button_that_stays_down_is_told_and_its_release_too() -> None:
    async def scene(finger: Finger, told: Told) -> None:
        await finger.press(2, "select", hold=0.1)
        assert await told.wait(3) == [
            ButtonPressed(2, "select"),
            ButtonStuck(2, "select"),
            ButtonStuck(2, "select", over=True),
        ]

    at_the_table(scene, stuck=0.02)
