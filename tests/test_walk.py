"""The walk of one evening: from the edge on a pin to the letters on the glass, through a cut."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from companion.events import DeviceDown, DeviceUp, DiceSettled
from companion.plain import plain
from tests.daemon.house import House, open_house
from tests.games.pig import PIG
from tests.table.evening import TWO_SEATS


async def _sit_down(house: House) -> None:
    await house.choose(0, "Join")
    await house.choose(1, "Join")
    await house.choose(0, "Start")


async def _blue_wins(house: House) -> None:
    """Worked out on the board: Blue wounds by High Strike two apart, then by Balanced at none."""
    await house.plan(0, "Charge", "High Strike")  # 1 to 3; Red stays on 5: two apart
    await house.plan(1, "Retreat", "Low Strike")
    await house.choose(1, "Go on")
    assert house.table.play.line.state.fighters[1].wounds == 1
    await house.plan(0, "Charge", "Balanced Strike")  # 3 to 5: the same space
    await house.plan(1, "Change Stance", "High Strike")
    await house.choose(0, "Go on")


@pytest.mark.slow
def test_a_whole_duel_through_mock_pins_is_read_off_the_glass_of_both_seats_and_the_table(
    tmp_path: Path,
) -> None:
    async def evening() -> None:
        async with open_house(tmp_path) as house:
            assert "Join" in house.glass("one")
            await _sit_down(house)
            assert house.glass("table")[0] == "Both lay two cards"
            await _blue_wins(house)
            await house.wait()
            assert "Red is defeated" in " ".join(house.glass("table"))
            await house.press(0, "select")  # read what the last cards led to
            await house.press(1, "select")
            assert "You win!" in house.glass("one")
            assert "You lose." in house.glass("two")

    asyncio.run(evening())


@pytest.mark.slow
def test_a_duel_goes_on_where_it_was_cut(tmp_path: Path) -> None:
    async def before() -> list[str]:
        async with open_house(tmp_path) as house:
            await _sit_down(house)
            await house.choose(0, "Charge")
            return house.glass("table")

    async def after() -> tuple[list[str], list[str]]:
        async with open_house(tmp_path, seed=99) as house:
            said = house.glass("one")
            await house.press(0, "next")  # the notice goes with the next press
            return said, house.glass("table")

    shown = asyncio.run(before())
    said, again = asyncio.run(after())
    assert again == shown
    assert "Restored" in " ".join(said)


@pytest.mark.slow
def test_a_pulled_wire_is_told_on_the_other_glasses_and_heals_by_itself(tmp_path: Path) -> None:
    async def evening() -> None:
        async with open_house(tmp_path) as house:
            bus = house.devices.buses["two"]
            bus.pulled = True
            await house.press(0, "select")
            await house.daemon.hears(DeviceDown)
            assert "two is lost" in " ".join(house.glass("table"))
            await house.press(0, "next")  # the others play on
            bus.heal()
            await house.daemon.hears(DeviceUp)
            assert "is lost" not in " ".join(house.glass("table"))
            assert "Join" in house.glass("two")

    asyncio.run(evening())


@pytest.mark.slow
def test_the_display_of_a_seat_without_a_panel_shows_what_all_may_see(tmp_path: Path) -> None:
    more = '[[display]]\nname = "five"\nseats = [5]\nport = 27\n'

    async def evening() -> None:
        async with open_house(tmp_path, settings=TWO_SEATS + more) as house:
            assert house.glass("five") == house.glass("table") != []

    asyncio.run(evening())


WITH_EYE = TWO_SEATS.replace("[hardware]", '[eye]\ncamera = "twin"\n[hardware]')


@pytest.mark.slow
def test_dice_thrown_into_the_rendered_tray_are_read_by_the_eye_and_stand_on_the_glass(
    tmp_path: Path,
) -> None:
    """Frames, with tumbling, blur and rest, through the eye in its own process to the letters."""

    async def evening() -> None:
        async with open_house(tmp_path, settings=WITH_EYE, game=PIG) as house:
            await _sit_down(house)
            assert house.devices.eye is not None
            await asyncio.wait_for(house.devices.eye.alive.wait(), 60)
            house.daemon.events.clear()
            assert await house.daemon.throw() is None
            await asyncio.wait_for(house.daemon.hears(DiceSettled), 60)
            (roll,) = (one for one in house.daemon.events if isinstance(one, DiceSettled))
            (die,) = roll.dice
            assert (die.body, roll.accepted) == ("black", True)
            state = house.table.play.line.state
            assert state.pot == (0 if die.value == 1 else die.value)
            assert house.journal.readings(2)[0][2].startswith(b"\xff\xd8")  # its picture is kept
            assert f"Pot {state.pot}" in "\n".join(plain(house.table.view("table")))
            await house.wait()
            assert house.glass("table")[0] == f"{('Blue', 'Red')[state.turn]} throws the die"

    asyncio.run(evening())
