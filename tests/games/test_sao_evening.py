"""The rulebook's worked turn at a real table: panels pressed, dice seen, glasses read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.bots.shelf import GAMES
from companion.events import DiceNudged, DiceSettled, SeenDie
from companion.games.sao import SAO
from companion.games.sao.actions import Ability
from companion.games.sao.state import State
from companion.table.table import Seating
from tests.games.sao_table import hp
from tests.table.desk import Desk

THREE = Seating(3, ("Red", "Blue", "Green"), {"table": (), "one": (0,), "two": (1,), "three": (2,)})


class Tray:
    """Dice in a tray as the eye would tell them: each keeps its place until it is thrown."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.rolls = desk, 0
        self.dice: dict[int, SeenDie] = {}

    def lie(self, thrown: dict[int, tuple[str, int]]) -> None:
        """These dice (by place) are thrown; the others lie still."""
        self.rolls += 1
        dice = {
            place: SeenDie(die.value, die.body, 0.99, die.centre, 40.0, moved=False)
            for place, die in self.dice.items()
        }
        for place, (body, value) in thrown.items():
            dice[place] = SeenDie(value, body, 0.99, (60.0 * place, 50.0), 40.0)  # type: ignore[arg-type]
        self.dice = dice
        self.desk.table.handle(DiceSettled(tuple(dice.values()), self.rolls, accepted=True))


def state(desk: Desk) -> State:
    now: State = desk.table.play.line.state
    return now


def chosen(desk: Desk) -> None:
    """Three players have joined, chosen, and the PK guild is before them."""
    desk.start()
    desk.choose(0, "Kirito")
    desk.choose(1, "Asuna")
    desk.choose(2, "Lisbeth")


def until_pk_guild(tmp_path: Path) -> Desk:
    """The companion draws at random: take the first seed that draws the worked example."""
    for seed in range(1, 30):
        folder = tmp_path / str(seed)
        folder.mkdir()
        desk = Desk(folder, THREE, shelf={"sao": GAMES["sao"]}, mode="coach", seed=seed)
        chosen(desk)
        if state(desk).scenario == "pkguild":
            return desk
    raise AssertionError("no seed draws the PK guild")


@pytest.mark.slow
def test_t1_plays_through_panels_dice_and_glass_with_exactly_its_numbers(tmp_path: Path) -> None:
    desk = until_pk_guild(tmp_path)
    tray = Tray(desk)
    assert "Kirito: chain with whom?" in desk.text("table")
    assert "damage, switch" in desk.text("one")  # the coach, of each partner
    desk.choose(0, "Chain Asuna")
    assert "Kirito throws 3, Asuna 3" in desk.text("table")

    tray.lie({0: ("black", 2), 1: ("black", 5), 2: ("black", 6),
              3: ("white", 1), 4: ("white", 2), 5: ("white", 3)})  # fmt: skip
    desk.choose(0, "Pick black 5")
    desk.choose(1, "Pick white 1")
    desk.choose(1, "Pick white 3")
    desk.choose(0, "Throw 3 again")
    tray.lie({1: ("black", 3), 3: ("white", 4), 5: ("white", 4)})
    assert [die.face for die in state(desk).dice] == [2, 3, 6, 4, 2, 4]

    assert "Throw unused again" in desk.labels(0)
    desk.choose(0, "Pick black 3")
    desk.choose(0, "Throw 1 again")
    tray.lie({1: ("black", 3)})
    assert "Throw unused again" not in desk.labels(0)

    desk.cut()  # the plug is pulled: nothing is lost
    assert [die.face for die in state(desk).dice] == [2, 3, 6, 4, 2, 4]
    stand = desk.labels(0).index("9 damage")  # below what the coach would rather do
    detail = desk.table.panel(0).choices[stand].detail.show()
    assert detail == "3 unused: counterattack 3 to all"
    desk.choose(0, "9 damage")

    assert state(desk).damage == 9
    assert hp(state(desk)) == (7, 5, 5)
    shown = desk.text("table")
    assert "Asuna: chain with whom?" in shown
    assert "Exhausted: Kirito" in shown
    assert "Fighting the Underlings" in shown
    assert "11" in shown  # 20 less 9
    assert "R15" in [choice.barred for choice in desk.table.panel(1).choices]


def test_a_kept_die_that_changed_is_asked_about_and_hand_entry_is_possible(tmp_path: Path) -> None:
    desk = until_pk_guild(tmp_path)
    tray = Tray(desk)
    desk.choose(0, "Chain Asuna")
    tray.lie({0: ("black", 2), 1: ("black", 5), 2: ("black", 6),
              3: ("white", 1), 4: ("white", 2), 5: ("white", 3)})  # fmt: skip
    desk.choose(0, "Pick black 5")
    desk.choose(0, "Throw 1 again")
    tray.dice[0] = SeenDie(4, "black", 0.99, (0.0, 50.0), 40.0)  # should have stayed a 2
    tray.lie({1: ("black", 3)})
    assert state(desk).phase == "roll"
    assert "Enter dice by hand" in desk.menu(0)


SIX = {0: ("black", 2), 1: ("black", 5), 2: ("black", 6),
       3: ("white", 1), 4: ("white", 2), 5: ("white", 3)}  # fmt: skip


def test_dice_that_the_pair_picks_up_and_throws_are_thrown_again_without_a_press(
    tmp_path: Path,
) -> None:
    desk = until_pk_guild(tmp_path)
    tray = Tray(desk)
    desk.choose(0, "Chain Asuna")
    tray.lie(SIX)
    tray.lie({1: ("black", 3), 3: ("white", 4), 5: ("white", 4)})
    assert [die.face for die in state(desk).dice] == [2, 3, 6, 4, 2, 4]
    assert [die.fresh for die in state(desk).dice] == [False, True, False, True, False, True]
    tray.lie({1: ("black", 3)})  # the same value again is a throw, too
    assert state(desk).rerolls == 2
    tray.lie({1: ("black", 1)})  # once too often
    assert [die.face for die in state(desk).dice] == [2, 3, 6, 4, 2, 4]
    assert "R20" in desk.notice(0)


def test_dice_in_a_hand_are_waited_for_and_dice_pushed_a_little_are_let_be(tmp_path: Path) -> None:
    desk = until_pk_guild(tmp_path)
    tray = Tray(desk)
    desk.choose(0, "Chain Asuna")
    tray.lie(SIX)
    lifted = tuple(replace(die, moved=False) for at, die in tray.dice.items() if at not in (1, 4))
    desk.table.handle(DiceNudged(lifted, (1, 4)))
    desk.table.handle(DiceSettled(lifted, 9, accepted=True))
    assert state(desk).rerolls == 0
    assert desk.notice(0) == ""


def test_turning_a_die_to_what_an_ability_made_of_it_is_no_throw(tmp_path: Path) -> None:
    desk = until_pk_guild(tmp_path)
    tray = Tray(desk)
    desk.choose(0, "Chain Asuna")
    tray.lie(SIX)
    before = state(desk)
    power = next(a for a in SAO.legal(before, 0) if isinstance(a, Ability))
    desk.table.play.act(power, 0)
    after = state(desk)
    turned = [at for at in range(6) if after.dice[at].face != before.dice[at].face]
    assert turned
    tray.lie({at: (after.dice[at].body, after.dice[at].face) for at in turned})
    assert state(desk) == after


def test_a_kept_die_that_was_pushed_but_shows_the_same_is_asked_with_an_answer_at_hand(
    tmp_path: Path,
) -> None:
    desk = until_pk_guild(tmp_path)
    tray = Tray(desk)
    desk.choose(0, "Chain Asuna")
    tray.lie(SIX)
    desk.choose(0, "Pick black 5")
    desk.choose(0, "Throw 1 again")
    tray.lie({0: ("black", 2), 1: ("black", 3)})  # the 2 was knocked aside
    assert state(desk).phase == "roll"
    assert "should stay, but it moved" in desk.text("one")
    desk.press(0, "select")
    assert [die.face for die in state(desk).dice] == [2, 3, 6, 1, 2, 3]
