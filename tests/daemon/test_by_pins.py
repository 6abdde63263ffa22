"""Rethrow, correction and the end of a game by gpiozero's mock pins, read off the glass."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from companion.events import DiceSettled, SeenDie
from companion.games.sao import SAO
from tests.daemon.house import House, open_house
from tests.games.pig import PIG

pytestmark = pytest.mark.slow


async def throw(house: House, roll: int, *dice: tuple[str, int, bool]) -> None:
    """The eye reports dice at rest: body, value, and whether it moved."""
    seen = tuple(
        SeenDie(value, body, 1.0, (40.0 * n, 10.0), 20, moved=moved, track=n)  # type: ignore[arg-type]
        for n, (body, value, moved) in enumerate(dice, 1)
    )
    house.daemon.events.clear()
    house.daemon.emit(DiceSettled(seen, roll, accepted=True))
    await house.daemon.hears(DiceSettled)


async def sit_down(house: House) -> None:
    for panel in (0, 1):
        await house.choose(panel, "Join")


async def menu(house: House, panel: int) -> None:
    if house.table.panel(panel).leaf is not None:
        await house.press(panel, "select")
    while house.table.panel(panel).waiting.template != "The table's menu":
        await house.press(panel, "back")


def test_dice_are_picked_by_one_press_each_and_thrown_again(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_house(tmp_path, game=SAO) as house:
            await sit_down(house)
            await house.choose(0, "Start")
            await house.choose(0, "Kirito")
            await house.choose(1, "Asuna")
            if house.table.play.line.state.phase == "chain":
                await house.choose(0, "Chain")
            wanted = house.table.play.line.waiting.dice
            assert wanted is not None
            values = [1, 1, 2, 3, 4, 6][: len(wanted.bodies)]
            first = [(body, v, True) for body, v in zip(wanted.bodies, values, strict=True)]
            await throw(house, 1, *first)
            state = house.table.play.line.state
            assert state.phase == "dice"
            for label in ("Pick black 2", "Pick white 3"):
                await house.choose(0, label)
            assert house.table.play.line.state.marks == (2, 3)
            await house.press(0, "select")  # the finger stayed: the same press lets it lie
            assert house.table.play.line.state.marks == (2,)
            await house.choose(0, "Throw 1 again")
            assert "Throw" in " ".join(house.glass("one"))
            again = [(b, 5 if n == 2 else v, n == 2) for n, (b, v, _) in enumerate(first)]
            await throw(house, 2, *again)
            assert [die.face for die in house.table.play.line.state.dice].count(5) == 1

    asyncio.run(scene())


def test_a_roll_is_corrected_and_the_game_ends_in_a_picture_that_still_has_the_menu(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        async with open_house(tmp_path, game=PIG) as house:
            await sit_down(house)
            await house.choose(0, "Goal")
            await house.choose(0, "Start")
            for roll in range(1, 10):
                await throw(house, roll, ("black", 6, True))
            await menu(house, 0)
            for label in ("Correct a roll", "Roll 9", "Die 1", "It was a 5"):
                await house.choose(0, label)
            await house.choose(1, "Agree")
            assert house.table.play.line.state.pot == 53
            await house.choose(0, "Hold")
            await house.press(0, "select")
            assert house.table.play.over
            assert "You win!" in " ".join(house.glass("one"))
            await menu(house, 0)
            await house.choose(0, "Take back")
            assert not house.table.play.over
            await house.choose(0, "Hold")
            await house.choose(1, "Play again")
            assert house.table.play.in_lobby

    asyncio.run(scene())
