"""The shutdown button is held, not brushed; then every glass says goodbye before the power goes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.events import DeviceUp, Event, ShutdownAsked
from hardware.panel.debounce import Hold
from hardware.panel.off_switch import OffSwitch
from hardware.twins.finger import Finger
from tests.daemon.house import open_house
from tests.patience import within


def test_it_counts_once_when_it_was_down_for_long_enough() -> None:
    hold = Hold(3)
    hold.press(10.0)
    assert not hold.poll(True, 12.9)
    assert hold.waiting
    assert hold.poll(True, 13.0)
    assert not hold.poll(True, 20.0)
    assert not hold.waiting


def test_let_go_for_an_instant_it_begins_anew() -> None:
    hold = Hold(3)
    hold.press(10.0)
    assert not hold.poll(False, 12.0)
    assert not hold.poll(True, 14.0)
    hold.press(15.0)
    assert not hold.poll(True, 17.9)
    assert hold.poll(True, 18.0)


def test_it_counts_from_the_edge_however_late_a_busy_loop_hears_of_it() -> None:
    async def scene() -> None:
        finger, asked = Finger({(0, "select"): 15}), asyncio.Event()

        def emit(event: Event) -> None:
            if isinstance(event, ShutdownAsked):
                asked.set()
            else:
                down = [(time.monotonic() - 60.0, False)]
                finger.factory.pin(15).play(down, lambda _seconds: None)

        running = asyncio.create_task(OffSwitch(15, 60.0, factory=finger.factory).run(emit))
        await asyncio.wait_for(asked.wait(), within(5))
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(scene())


def pushed(push: Callable[[Finger], None], hold: float) -> list[Event]:
    """What a shutdown button on pin 15 tells while a finger does this."""

    async def scene() -> list[Event]:
        told: list[Event] = []
        finger = Finger({(0, "select"): 15})
        up = asyncio.Event()

        def emit(event: Event) -> None:
            told.append(event)
            up.set()

        running = asyncio.create_task(OffSwitch(15, hold, factory=finger.factory).run(emit))
        await up.wait()
        await asyncio.to_thread(push, finger)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return told

    return asyncio.run(scene())


@pytest.mark.slow
def test_a_held_button_asks_for_the_end_and_a_short_press_does_not() -> None:
    up = DeviceUp("shutdown button")
    assert pushed(lambda finger: finger.push(0, "select", 0.04), hold=20) == [up]
    assert pushed(lambda finger: finger.push(0, "select", 0.8), hold=0.05) == [up, ShutdownAsked()]


@pytest.mark.slow
def test_every_glass_says_goodbye_before_the_power_is_asked_to_go(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_house(tmp_path) as house:
            seen: dict[str, Any] = {}
            off = asyncio.Event()

            def power_off() -> None:
                seen.update({name: " ".join(house.glass(name)) for name in ("table", "one", "two")})
                off.set()

            house.devices.power_off = power_off
            house.daemon.emit(ShutdownAsked())
            async with asyncio.timeout(within(20)):
                await off.wait()
            for words in seen.values():
                assert "Goodbye" in words
                assert "The game is kept" in words

    asyncio.run(scene())
