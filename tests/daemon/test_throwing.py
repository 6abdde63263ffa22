"""*Roll* on a table of twins throws whatever became of the dice, or a sentence says why not."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.events import Chosen, DiceNudged, DiceSettled, Misread
from companion.eye.protocol import Render
from companion.games.sao import SAO
from companion.games.sao.actions import Ability, Again, Mark
from companion.games.sao.state import State
from tests.daemon.house import House, open_house
from tests.patience import within
from tests.test_walk import WITH_EYE
from vision.rendered.tray import MOVING


class Fellows:
    """Kirito and Asuna at a rendered tray that the real eye looks at."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.told: DiceSettled | DiceNudged | None = None

    @property
    def state(self) -> State:
        now: State = self.house.table.play.line.state
        return now

    async def begin(self, start: str = "Start") -> None:
        """Until the first throw is asked for, and the eye has seen the empty tray."""
        for panel in (0, 1):
            await self.house.choose(panel, "Join")
        await self.house.choose(0, start)
        await self.house.choose(0, "Kirito")
        await self.house.choose(1, "Asuna")
        assert self.house.devices.eye is not None
        await asyncio.wait_for(self.house.devices.eye.alive.wait(), within(60))

    async def pick(self, kind: type, fits: Callable[[Any], bool] = lambda _: True) -> Any:
        """Either player takes a choice that does this."""
        for panel in (0, 1):
            view = self.house.table.panel(panel)
            for n, choice in enumerate(view.choices):
                if isinstance(choice.action, kind) and fits(choice.action):
                    self.house.daemon.emit(Chosen(panel, n, view.seq))
                    await self.house.daemon.settled()
                    return choice.action
        raise AssertionError(f"no {kind.__name__} is offered")

    async def until(self, so: Callable[[], bool]) -> None:
        """Until this is so; what stands in its way is in the message."""
        daemon = self.house.daemon
        try:
            async with asyncio.timeout(within(90)):  # a busy eye reads slowly
                while not so():
                    daemon.heard.clear()
                    await daemon.heard.wait()
                    await daemon.settled()
        except TimeoutError:
            heard = [type(event).__name__ for event in daemon.events]
            raise AssertionError(f"{self.state.dice} {heard}") from None

    async def roll(self) -> None:
        """Press *Roll* until it counts, as people do: in doubt, or where dice still move, again."""
        for _ in range(5):
            if self.state.phase != "roll":
                return
            assert await self.house.daemon.throw() in (None, MOVING)
            await self.until(self.seen_anew)
        assert self.state.phase != "roll", self.asks  # kept dice lie still while the others fly

    def seen_anew(self) -> bool:
        """The eye has told of dice since this was asked last."""
        told = [e for e in self.house.daemon.events if isinstance(e, DiceSettled | DiceNudged)]
        before, self.told = self.told, told[-1] if told else None
        return self.told is not before

    @property
    def asks(self) -> str:
        """What the table asks about the dice that it sees."""
        question = self.house.table.scene.question
        return question.why.show() if question and question.why else ""

    async def shows(self) -> None:
        """Until the eye sees in the tray what the game believes; it may have seen it already."""
        believed = Counter((die.body, die.face) for die in self.state.dice)

        def newest() -> Counter[tuple[str, int]]:
            told = (getattr(event, "dice", ()) for event in reversed(self.house.daemon.events))
            return Counter((die.body, die.value) for die in next(filter(None, told), ()))

        await self.until(lambda: newest() == believed)

    async def set_to_one(self) -> None:
        """Kirito's ability changes a die."""
        await self.pick(Mark, lambda action: self.state.dice[action.die].face != 1)
        await self.pick(Ability, lambda action: action.to == 1)

    async def again(self) -> None:
        """Throw one regular die again, press *Roll*, and see the others unchanged."""
        marked = await self.pick(Mark, lambda action: self.state.dice[action.die].face != 1)
        await self.pick(Again, lambda action: action.dice == (marked.die,))
        kept = [die.face for n, die in enumerate(self.state.dice) if n != marked.die]
        rounds = self.state.rerolls
        await self.roll()
        assert [die.face for n, die in enumerate(self.state.dice) if n != marked.die] == kept
        assert self.state.rerolls == rounds


def evening(folder: Path, play: Callable[[Fellows], Any]) -> None:
    async def whole() -> None:
        async with open_house(folder, settings=WITH_EYE, game=SAO) as house:
            fellows = Fellows(house)
            await fellows.begin()
            await play(fellows)

    asyncio.run(whole())


@pytest.mark.slow
@pytest.mark.parametrize("real", [False, True])
def test_a_lesson_arranges_the_throws_of_a_rendered_tray_and_says_so(
    tmp_path: Path, real: bool
) -> None:
    async def whole() -> None:
        async with open_house(tmp_path, settings=WITH_EYE, game=SAO) as house:
            house.table.watched.real_dice = real
            fellows = Fellows(house)
            await fellows.begin("Teach me")
            play = house.table.play
            told = play.course.roll(play.line)
            assert told is not None
            await fellows.roll()
            believed = Counter((die.body, die.face) for die in fellows.state.dice)
            assert believed == Counter((die.body, die.value) for die in told.dice)
            rolls = [e.body for e in house.journal.entries(play.number) if "roll" in e.body]
            assert rolls[-1].get("arranged") == (None if real else {"lesson": 1})

    asyncio.run(whole())


@pytest.mark.slow
def test_after_an_ability_changed_a_die_roll_throws_the_others_again_and_counts(
    tmp_path: Path,
) -> None:
    async def play(fellows: Fellows) -> None:
        await fellows.roll()
        await fellows.set_to_one()
        await fellows.again()  # at once: the twin's hand still turns the die
        assert fellows.state.rerolls == 1

    evening(tmp_path, play)


@pytest.mark.slow
def test_after_a_turned_die_a_corrected_roll_a_dead_eye_and_a_cleared_tray_roll_still_rolls(
    tmp_path: Path,
) -> None:
    async def play(fellows: Fellows) -> None:
        house = fellows.house
        eye = house.devices.eye
        assert eye is not None
        await fellows.roll()
        await fellows.set_to_one()
        await fellows.shows()  # the eye has seen it turned: that was no throw
        assert (fellows.state.phase, fellows.state.rerolls) == ("dice", 0)
        seen = next(e for e in reversed(house.daemon.events) if isinstance(e, DiceSettled))
        die = next(die for die in seen.dice if die.value != 1)
        house.daemon.emit(Misread(0, seen, die.track, die.value % 6 + 1))  # told on /eye
        await house.daemon.settled()
        await house.choose(1, "Agree")
        await fellows.shows()
        assert fellows.state.rerolls == 0  # no hand threw it
        eye.kill()  # the next one's tray is empty
        eye.alive.clear()
        await asyncio.wait_for(eye.alive.wait(), within(60))
        assert fellows.state.rerolls == 0
        await fellows.again()
        await eye.carry_out(Render(clear=True))
        marked = await fellows.pick(Mark)
        await fellows.pick(Again, lambda action: action.dice == (marked.die,))
        assert await house.daemon.throw() is None  # the kept dice are laid in again before it
        await fellows.until(lambda: fellows.state.phase == "dice" or fellows.asks)

    evening(tmp_path, play)
