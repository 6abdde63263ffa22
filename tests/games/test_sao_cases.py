"""The cases with exact numbers: the rulebook's worked turn, its examples, the publisher's FAQ."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.sao.actions import (
    Again,
    Chain,
    Drawn,
    Finish,
    Mark,
    Play,
    Stand,
    Strike,
    Trigger,
)
from companion.games.sao.assign import arms, fits, plans
from companion.games.sao.kinds import Skill, Step
from companion.games.sao.play import new, waiting
from companion.games.sao.possible import possible
from companion.games.sao.state import Options, Owned
from companion.games.sao.view import view
from tests.games.sao_table import done, fight, hp, refused, strike, throw, token


def dealt(*damages: int, piercing: int = 0, defense: int = 0, times: int = 1, plus: int = 0) -> int:
    """What skills of these damages do together: the first is paid with a 1, the next with a 2 …"""
    skills = [
        Skill("x", 0, 1, f"= {value}", damage, piercing)
        for value, damage in enumerate(damages, start=1)
    ]
    mine = arms(enumerate(skills), Step("", 20, 3, defense), times=times, plus=plus)
    (best,) = plans(mine, tuple((value,) for value in range(1, len(damages) + 1)))
    assert best.complete
    return best.damage


@pytest.mark.rule("sao", "R4", "R12", "R15", "R19", "R20", "R21", "R25", "R26", "R27", "R28", "R29",
                  "R31", "R32", "R37", "R38")  # fmt: skip
def test_t1_the_rulebooks_worked_turn_has_exactly_its_numbers() -> None:
    state = done(
        new(3, Options()),
        Play(0, "kirito"), Play(1, "asuna"), Play(2, "lisbeth"), Drawn("pkguild"), Chain(0, 1),
    )  # fmt: skip
    wanted = waiting(state).dice
    assert wanted is not None
    assert wanted.bodies == ("black",) * 3 + ("white",) * 3
    assert wanted.by == (0, 1)

    state = throw(state, "256", "123")
    assert [die.face for die in state.dice] == [2, 5, 6, 1, 2, 3]

    state = done(state, Again(0, (1, 3, 5)))
    wanted = waiting(state).dice
    assert wanted is not None
    assert wanted.bodies == ("black", "white", "white")
    assert [(die.body, die.value) for die in wanted.kept] == [
        ("black", 2), ("black", 6), ("white", 2),
    ]  # fmt: skip
    state = throw(state, "3", "44")
    assert [die.face for die in state.dice] == [2, 3, 6, 4, 2, 4]

    state = throw(done(state, Again(0, (1,))), "3")
    assert sorted(die.face for die in state.dice) == [2, 2, 3, 4, 4, 6]
    assert refused(state, Again(0, (1,))) == "R20"

    best = view(state, 0).choices[0]
    assert best.label.show() == "9 damage"
    assert best.detail.show() == "3 unused: counterattack 3 to all"
    # Vertical Arc with the twos, Vertical Arc with the fours, Rage Spike with the six.
    assert best.action == Strike(0, ((0, (2,)), (1, (0, 4)), (1, (3, 5))))

    state = done(state, best.action)
    assert state.damage == 9
    assert state.now.hp == 20
    assert hp(state) == (7, 5, 5)
    assert [one.exhausted for one in state.heroes] == [True, False, False]
    assert state.turn == 1


def test_t1_gives_the_same_when_the_player_builds_it_skill_by_skill() -> None:
    state = throw(done(fight("kirito", "asuna", "lisbeth"), Chain(0, 1)), "236", "424")
    # white dice lie at places 3, 4, 5 and show 4, 2, 4
    state = done(
        state, Stand(0), Mark(0, 0), Mark(1, 4), Trigger(0, 1, (0, 4)), Trigger(0, 1, (3, 5)),
        Trigger(0, 0, (2,)),
    )  # fmt: skip
    assert state.unspent() == (1,)
    state = done(state, Finish(0))
    assert (state.damage, hp(state), state.turn) == (9, (7, 5, 5), 1)


@pytest.mark.rule("sao", "R65", "R79")
def test_t2_a_token_plus_two_changes_each_of_two_skills() -> None:
    assert dealt(3, 1, plus=2) == 8


@pytest.mark.rule("sao", "R71", "R72")
def test_t3_defense_takes_all_of_three_but_piercing_five_ignores_it() -> None:
    assert dealt(3, defense=3) == 0
    assert dealt(3, piercing=5, defense=3) == 3


@pytest.mark.rule("sao", "R71")
def test_t4_piercing_below_the_defense_is_worth_nothing() -> None:
    assert dealt(6, piercing=5, defense=8) == 0


@pytest.mark.rule("sao", "R72", "R79")
def test_t5_each_of_two_blows_is_lessened() -> None:
    assert dealt(8, 3, defense=3) == 5


@pytest.mark.rule("sao", "R77")
def test_t6_times_two_comes_before_the_dark_repulser() -> None:
    assert dealt(4, times=2, plus=1) == 9
    state = fight("kirito", "lisbeth", kit=(Owned("repulser", 0),))
    state = throw(token(state, "x2", "kirito", "lisbeth"), "224", "135")
    assert state.plans()[0].damage == 9


@pytest.mark.rule("sao", "R78")
def test_t7_the_coat_lessens_what_kuradeel_does_at_each_turns_start() -> None:
    state = fight("kirito", "asuna", scenario="kuradeel")
    assert hp(state)[0] == 15 - 4
    coated = fight("kirito", "asuna", scenario="kuradeel", kit=(Owned("coat", 0),))
    assert hp(coated)[0] == 15 - 3
    # no skill fits 1 2 3 5: the counterattack of 1 is stopped by the coat, then Asuna's turn hurts
    after = done(throw(coated, "1235", "123"), Stand(0), Finish(0))
    assert after.turn == 1
    assert hp(after)[0] == 15 - 3 - 3


@pytest.mark.rule("sao", "R33", "R34", "R35")
def test_t8_twenty_one_damage_on_twenty_hp_is_struck_back_first_and_nothing_carries_over() -> None:
    state = replace(fight("kirito", "asuna"), corrections=(("kirito", "skill2.damage", 21),))
    state = strike(throw(state, "223", "465"), 21 + 1)
    assert hp(state) == (7, 5)
    assert (state.step, state.damage) == (1, 0)


@pytest.mark.rule("sao", "R30", "R34")
def test_t9_with_all_dice_used_there_is_no_counterattack() -> None:
    state = replace(fight("kirito", "asuna"), corrections=(("kirito", "skill2.damage", 7),))
    state = strike(throw(state, "223", "344"), 21)
    assert hp(state) == (10, 8)
    assert (state.step, state.damage) == (1, 0)


@pytest.mark.rule("sao", "R15", "R16", "R38")
def test_t10_exhaustion_goes_round_and_refreshes_when_all_others_are_tired() -> None:
    state = done(fight("kirito", "asuna", "lisbeth"), Chain(0, 1))
    state = done(throw(state, "123", "456"), Stand(0), Finish(0))
    assert [one.exhausted for one in state.heroes] == [True, False, False]
    assert state.turn == 1
    assert refused(state, Chain(1, 0)) == "R15"
    state = done(throw(done(state, Chain(1, 2)), "123", "456"), Stand(1), Finish(1))
    assert state.turn == 2
    assert not any(one.exhausted for one in state.heroes)
    assert done(state, Chain(2, 0)).partner == 0
    assert done(state, Chain(2, 1)).partner == 1


@pytest.mark.rule("sao", "R49")
def test_t11_asunas_symbol_counts_as_two_in_a_run() -> None:
    symbol = fight("kirito", "asuna").cards.characters["asuna"].faces[1]
    assert symbol == (1, 2)
    assert fits((symbol, (3,), (4,)), "run")
    assert fits((symbol, (2,), (3,)), "run")
    assert not fits((symbol, (4,), (5,)), "run")


@pytest.mark.rule("sao", "R8", "R43", "R45")
def test_t12_two_players_have_three_uses_at_level_eighty() -> None:
    state = fight("kirito", "asuna")
    assert [one.uses for one in state.heroes] == [1, 1]
    state = fight("kirito", "asuna", scenario="twins")
    assert [one.uses for one in state.heroes] == [3, 3]
    assert fight("kirito", "asuna", "agil", scenario="twins").heroes[0].uses == 2
    assert fight("kirito", "asuna", "agil", "klein", scenario="twins").most() == 1


def test_a_changed_copy_is_noticed_by_the_sound_check() -> None:
    state = fight("kirito", "asuna")
    with pytest.raises(ValueError, match="HP"):
        possible(replace(state, heroes=(replace(state.heroes[0], hp=11), state.heroes[1])))
