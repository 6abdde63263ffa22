"""A turn: partner, throws, abilities, sword skills, counterattack, resolve."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import Illegal
from companion.games.api import Die, Rolled, cited
from companion.games.sao.actions import (
    Ability,
    Again,
    Chain,
    Exchange,
    Finish,
    Mark,
    Stand,
    Strike,
    Trigger,
)
from companion.games.sao.game import SAO
from companion.games.sao.legal import legal
from companion.games.sao.play import apply, waiting
from companion.games.sao.state import Owned, State
from tests.games.sao_table import done, fight, hp, refused, strike, throw


def faces(state: State) -> str:
    return "".join(str(die.face) for die in state.dice)


@pytest.mark.rule("sao", "R17")
def test_two_characters_are_always_chained() -> None:
    state = fight("kirito", "asuna")
    assert (state.phase, state.partner) == ("roll", 1)
    assert refused(state, Chain(0, 1)) == "R17"


@pytest.mark.rule("sao", "R15")
def test_a_partner_is_somebody_else_and_is_named_by_the_turn_player() -> None:
    state = fight("kirito", "asuna", "agil")
    assert refused(state, Chain(0, 0)) == "R15"
    assert refused(state, Chain(0, 3)) == "R15"
    assert refused(state, Chain(1, 2)) == "R15"
    assert waiting(state).seats == (0,)


@pytest.mark.rule("sao", "R18")
def test_only_the_chained_pair_may_use_abilities_or_decide_about_dice() -> None:
    state = throw(done(fight("kirito", "agil", "klein"), Chain(0, 1)), "123", "123")
    assert refused(state, Ability(2, 2, (0,), 2)) == "R18"
    assert refused(state, Ability(0, 1, (0,), 5)) == "R18"
    assert refused(state, Again(2, (0,))) == "R20"
    assert refused(state, Mark(2, 0)) == "R21"
    assert faces(done(state, Ability(1, 1, (0, 3), 5))) == "523523"


@pytest.mark.rule("sao", "R19")
@pytest.mark.parametrize(
    ("dice", "rule"),
    [
        ("bbwww", "R19"),
        ("bbbbwww", "R19"),
        ("bbbbww", "R19"),
        ("bbbwww?", "R19"),
        ("bbbwwwu", "R19"),
        ("", "R19"),
    ],
)
def test_a_roll_with_too_few_too_many_or_wrong_dice_is_refused(dice: str, rule: str) -> None:
    bodies = {"b": "black", "w": "white", "u": "blue", "?": "other"}
    state = fight("kirito", "asuna")
    assert refused(state, Rolled(tuple(Die(bodies[d], 3) for d in dice))) == rule
    with pytest.raises(Illegal, match=r"wanted|colour"):
        apply(state, Rolled(tuple(Die(bodies[d], 3) for d in dice)))


@pytest.mark.rule("sao", "R19")
@pytest.mark.parametrize("value", [0, 7, -1])
def test_a_die_that_shows_what_no_die_can_is_refused(value: int) -> None:
    dice = [Die("black", 1)] * 3 + [Die("white", 1)] * 2 + [Die("white", value)]
    assert refused(fight("kirito", "asuna"), Rolled(tuple(dice))) == "R19"


@pytest.mark.rule("sao", "R19")
def test_the_number_of_dice_is_that_of_the_scenario_card() -> None:
    wanted = waiting(fight("kirito", "asuna", scenario="giant")).dice
    assert wanted is not None
    assert wanted.bodies == ("black",) * 4 + ("white",) * 3


@pytest.mark.rule("sao", "R21")
def test_exactly_the_agreed_dice_are_thrown_again_and_a_roll_unasked_for_is_refused() -> None:
    state = throw(fight("kirito", "asuna"), "123", "456")
    assert refused(state, Rolled((Die("black", 2),))) == "R21"
    assert refused(state, Again(0, ())) == "R21"
    assert refused(state, Again(0, (0, 9))) == "R21"
    assert refused(state, Again(0, (0, 0))) == "R21"
    state = done(state, Mark(0, 1), Mark(1, 4))
    assert done(state, Mark(1, 4)).marks == (1,)  # the same press lets it lie again
    state = done(state, Again(0, (1, 4)))
    assert refused(state, Rolled((Die("black", 2),))) == "R21"
    assert refused(state, Rolled((Die("black", 2), Die("black", 2)))) == "R21"
    assert faces(throw(state, "6", "1")) == "163416"


@pytest.mark.rule("sao", "R20", "R22")
def test_two_rounds_and_the_second_may_take_dice_that_were_kept() -> None:
    state = throw(fight("kirito", "asuna"), "123", "456")
    state = throw(done(state, Again(0, (0,))), "6")
    state = throw(done(state, Again(0, (1, 2))), "66")
    assert faces(state) == "666456"
    assert refused(state, Again(0, (0,))) == "R20"


@pytest.mark.rule("sao", "R23", "R24")
def test_an_ability_costs_a_use_and_may_be_repeated_while_some_are_left() -> None:
    state = throw(fight("kirito", "klein", scenario="twins"), "1234", "5555")
    state = done(state, Ability(1, 1, (0, 4), 2), Ability(1, 1, (5, 6), 2), Ability(1, 1, (7,), 2))
    assert faces(state) == "22342222"
    assert state.heroes[1].uses == 0
    assert refused(state, Ability(1, 1, (2,), 2)) == "R24"


@pytest.mark.rule("sao", "R23")
@pytest.mark.parametrize(
    ("key", "dice", "to", "after"),
    [
        ("kirito", (2,), 6, "126456"),
        ("kirito", (2,), 1, "121456"),
        ("asuna", (0, 5), 0, "623451"),
        ("asuna", (2,), 0, "124456"),
        ("agil", (0, 1), 5, "553456"),
        ("klein", (0, 5), 2, "223452"),
        ("silica", (1,), 1, "133456"),
        ("silica", (1,), -1, "113456"),
    ],
)
def test_each_ability_changes_the_dice_as_its_card_says(
    key: str, dice: tuple[int, ...], to: int, after: str
) -> None:
    party = ("kirito", "asuna" if key == "kirito" else key)
    state = throw(fight(*party), "123", "456")
    who = party.index(key)
    assert faces(done(state, Ability(who, who, dice, to))) == after


@pytest.mark.rule("sao", "R23")
def test_silicas_ability_moves_every_die_of_the_value() -> None:
    state = throw(fight("kirito", "silica"), "122", "256")
    assert faces(done(state, Ability(1, 1, (2,), 1))) == "133356"
    assert refused(state, Ability(1, 1, (0,), -1)) == "R23"
    assert refused(state, Ability(1, 1, (5,), 1)) == "R23"
    assert refused(state, Ability(1, 1, (5,), 2)) == "R23"
    assert refused(state, Ability(1, 1, (0, 1), 1)) == "R23"


@pytest.mark.rule("sao", "R23")
def test_lisbeth_restores_a_use_of_another_but_not_above_the_maximum() -> None:
    state = throw(fight("kirito", "lisbeth"), "123", "456")
    assert refused(state, Ability(1, 1, (), 0)) == "R23"
    state = done(state, Ability(0, 0, (0,), 6))
    assert refused(state, Ability(1, 1, (), 1)) == "R23"
    state = done(state, Ability(1, 1, (), 0))
    assert [one.uses for one in state.heroes] == [1, 0]


@pytest.mark.rule("sao", "R23")
def test_an_ability_that_changes_too_many_dice_or_nothing_is_refused() -> None:
    state = throw(fight("kirito", "klein"), "126", "456")
    assert refused(state, Ability(0, 0, (0, 1), 6)) == "R23"
    assert refused(state, Ability(0, 0, (0,), 5)) == "R23"
    assert refused(state, Ability(0, 0, (2,), 6)) == "R23"
    assert refused(state, Ability(0, 0, (), 6)) == "R23"
    assert refused(state, Ability(1, 1, (1,), 2)) == "R23"


@pytest.mark.rule("sao", "R25")
def test_a_skill_not_yet_learnt_not_shown_or_not_ones_own_is_refused() -> None:
    state = done(throw(fight("kirito", "asuna", scenario="giant"), "6666", "663"), Stand(0))
    assert refused(state, Trigger(0, 4, (0, 1, 2, 3, 4, 5))) == "R25"
    lower = done(throw(fight("kirito", "asuna"), "666", "666"), Stand(0))
    assert refused(lower, Trigger(0, 3, (0, 1, 2, 3, 4, 5))) == "R25"
    assert refused(lower, Trigger(0, 9, (0,))) == "R25"
    assert refused(state, Trigger(0, 1, (0, 6))) == "R25"
    assert refused(state, Trigger(0, 1, (0,))) == "R25"
    assert refused(state, Trigger(1, 1, (0, 1))) == "R25"
    assert done(state, Trigger(0, 3, (0, 1, 2, 3, 4, 5))).spent == ((3, (0, 1, 2, 3, 4, 5)),)


@pytest.mark.rule("sao", "R26", "R27")
def test_a_die_counts_once_but_a_skill_may_come_again() -> None:
    state = done(throw(fight("kirito", "asuna"), "666", "661"), Stand(0), Trigger(0, 1, (0, 1)))
    assert refused(state, Trigger(0, 0, (1,))) == "R26"
    assert refused(state, Mark(0, 1)) == "R26"
    three = throw(done(fight("kirito", "asuna", "agil"), Chain(0, 1)), "666", "661")
    assert refused(done(three, Stand(0)), Mark(2, 1)) == "R25"
    state = done(state, Trigger(0, 1, (2, 3)), Trigger(0, 0, (4,)))
    assert [skill for skill, _ in state.spent] == [1, 1, 0]
    assert done(state, Finish(0)).damage == 4 + 4 + 1


@pytest.mark.rule("sao", "R25", "R26")
def test_a_plan_out_of_nowhere_is_refused() -> None:
    state = throw(fight("kirito", "asuna"), "223", "456")
    assert refused(state, Strike(0, ((1, (0, 2)),))) == "R25"
    assert refused(state, Strike(0, ((1, (0, 1)), (0, (1,))))) == "R25"
    assert refused(state, Strike(0, ((1, (0, 1)), (1, (0, 1))))) == "R26"
    taken = done(state, Strike(0, ((1, (1, 0)), (0, (5,)))))  # named in whatever order
    assert taken == done(state, Strike(0, ((0, (5,)), (1, (0, 1)))))
    assert refused(state, Strike(1, state.plans()[0].uses)) == "R25"


@pytest.mark.rule("sao", "R25", "R29")
def test_any_use_of_the_dice_is_a_plan_although_only_the_best_are_offered() -> None:
    state = throw(fight("kirito", "asuna"), "224", "446")
    assert [plan.damage for plan in state.plans()] == [9]  # 2 2, 4 4 and the 6
    pairs = [(), ((1, (0, 1)),), *(((1, two),) for two in ((2, 3), (2, 4), (3, 4)))]
    pairs += [((1, (0, 1)), (1, two)) for two in ((2, 3), (2, 4), (3, 4))]
    every = {*pairs, *(((0, (5,)), *pair) for pair in pairs)}
    assert {a.uses for a in legal(state, 0) if isinstance(a, Strike)} == every
    assert done(state, Strike(0, ((1, (3, 4)),))).damage == 4
    first = next(iter(legal(state, 0)))
    assert first == Strike(0, state.plans()[0].uses)


@pytest.mark.rule("sao", "R25")
def test_a_strike_still_counts_when_an_unused_die_was_misread() -> None:
    struck = throw(fight("kirito", "asuna"), "223", "156").plans()[0].uses
    state = throw(fight("kirito", "asuna"), "225", "156")  # now two fives could strike, too
    assert state.plans()[0].uses != struck
    assert done(state, Strike(0, struck)).damage == 5


@pytest.mark.rule("sao", "R28", "R29")
def test_damage_adds_up_on_the_card_and_what_is_unused_stays() -> None:
    state = fight("kirito", "asuna", scenario="giant", corrections=(("giant", "step1.defense", 0),))
    state = done(throw(state, "2214", "135"), Stand(0), Trigger(0, 1, (0, 1)))
    assert state.unspent() == (2, 3, 4, 5, 6)
    state = done(state, Finish(0))
    assert state.damage == 4
    state = strike(throw(state, "1234", "666"))
    assert state.damage == 4 + 5


@pytest.mark.rule("sao", "R30")
def test_all_dice_used_is_a_switch_even_against_an_aoe() -> None:
    state = throw(done(fight("kirito", "asuna", "agil"), Chain(0, 1)), "223", "366")
    assert state.plans()[0].complete
    assert hp(strike(state)) == (10, 8, 12)


@pytest.mark.rule("sao", "R31")
def test_without_aoe_only_the_turn_player_is_struck() -> None:
    state = fight("kirito", "asuna", scenario="illfang")
    state = done(throw(state, "123", "123"), Stand(0), Finish(0))
    assert hp(state) == (7, 8)
    state = done(throw(state, "123", "123"), Stand(1), Finish(1))
    assert hp(state) == (7, 5)


@pytest.mark.rule("sao", "R32")
def test_aoe_strikes_everybody_also_those_who_are_not_chained() -> None:
    state = throw(done(fight("kirito", "asuna", "agil", "klein"), Chain(0, 2)), "123", "123")
    assert hp(done(state, Stand(0), Finish(0))) == (7, 5, 9, 7)


@pytest.mark.rule("sao", "R36", "R37", "R46")
def test_the_last_step_clears_the_scenario_and_the_turn_passes_to_the_partner() -> None:
    state = fight("kirito", "asuna", "agil", scenario="illfang", step=3)
    state = throw(done(replace(state, damage=24), Chain(0, 2)), "116", "345")
    state = strike(state)
    assert state.phase == "loot"
    assert state.turn == 0
    state = done(throw(done(fight("kirito", "asuna", "agil"), Chain(0, 2)), "123", "123"), Stand(0))
    assert done(state, Finish(0)).turn == 2


@pytest.mark.rule("sao", "R47")
def test_character_dice_come_with_level_fifty_and_may_replace_a_regular_die_at_every_throw() -> (
    None
):
    assert refused(fight("kirito", "asuna"), Exchange(0, 0)) == "R47"
    state = done(fight("kirito", "asuna", scenario="giant"), Exchange(0, 0))
    wanted = waiting(state).dice
    assert wanted is not None
    assert wanted.bodies == ("blue", "black", "black", "black", "white", "white", "white")
    assert refused(state, Exchange(0, 0)) == "R47"
    assert refused(state, Exchange(0, 1)) == "R47"
    state = throw(state, "123", "456", "2")
    assert state.pool[0] == (6,)
    state = done(state, Again(0, (4, 5)), Exchange(1, 1))
    assert refused(state, Exchange(1, 1)) == "R47"
    state = throw(state, "", "6", "2")
    assert state.pool[4] == (1, 2)
    assert len(state.dice) == 7


@pytest.mark.rule("sao", "R47")
def test_one_who_throws_nothing_now_cannot_exchange() -> None:
    state = throw(fight("kirito", "asuna", scenario="giant"), "1234", "123")
    state = done(state, Again(0, (0,)))
    assert refused(state, Exchange(1, 1)) == "R47"
    three = done(fight("kirito", "asuna", "agil", scenario="giant"), Chain(0, 1))
    assert refused(three, Exchange(2, 2)) == "R47"
    assert refused(three, Exchange(2, 7)) == "R47"


@pytest.mark.rule("sao", "R48")
def test_the_portrait_counts_as_whatever_is_best() -> None:
    state = done(fight("kirito", "asuna", scenario="giant"), Exchange(0, 0))
    state = throw(state, "555", "123", "1")
    assert state.pool[0] == (1, 2, 3, 4, 5, 6)
    # four fives (10 - 3) and no more: 1, 2, 3 are left
    assert state.plans()[0].damage == 7
    assert state.plans()[0].uses == ((2, (0, 1, 2, 3)),)


@pytest.mark.rule("sao", "H9", "R48")
def test_abilities_leave_character_dice_alone() -> None:
    state = throw(
        done(fight("kirito", "asuna", scenario="giant"), Exchange(0, 0)), "555", "123", "1"
    )
    assert refused(state, Ability(0, 0, (0,), 6)) == "H9"


@pytest.mark.rule("sao", "R20")
def test_the_ring_of_one_who_is_not_chained_helps_nobody() -> None:
    state = fight("kirito", "asuna", "agil", kit=(Owned("ring", 2),))
    state = throw(done(state, Chain(0, 1)), "123", "456")
    state = throw(done(state, Again(0, (0,))), "1")
    state = throw(done(state, Again(0, (0,))), "1")
    assert state.throws() == (0, -1)
    assert refused(state, Again(0, (0,))) == "R20"


@pytest.mark.rule("sao", "H4")
def test_the_ring_gives_its_holder_one_more_round_with_his_own_dice() -> None:
    state = throw(fight("kirito", "asuna", kit=(Owned("ring", 1),)), "123", "456")
    state = throw(done(state, Again(0, (0,))), "1")
    state = throw(done(state, Again(0, (0,))), "1")
    assert refused(state, Again(0, (0, 3))) == "H4"
    assert cited(SAO, state, Again(1, (3,))) == "H4"
    dice = {action.dice for action in legal(state, 0) if isinstance(action, Again)}
    assert dice == {(3,), (4,), (5,), (3, 4), (3, 5), (4, 5), (3, 4, 5)}
    state = throw(done(state, Again(1, (3,))), "", "1")
    assert refused(state, Again(1, (3,))) == "R20"
