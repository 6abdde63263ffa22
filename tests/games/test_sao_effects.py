"""Special effects: addition tokens, healing, piercing, the enemy's tricks, items, difficulty."""

from __future__ import annotations

import pytest

from companion.games.api import cited
from companion.games.sao.actions import (
    Ability,
    Again,
    Chain,
    Consume,
    Control,
    Exchange,
    Finish,
    Forgo,
    Stand,
    Target,
    Trigger,
    Yui,
)
from companion.games.sao.course import hurt
from companion.games.sao.game import SAO
from companion.games.sao.legal import legal
from companion.games.sao.play import force
from companion.games.sao.possible import possible
from companion.games.sao.state import Owned, hero
from tests.games.sao_table import done, fight, hp, refused, strike, throw, token

WEAK = (("giant", "step1.defense", 0),)


@pytest.mark.rule("sao", "R65")
def test_a_token_counts_in_its_holders_next_turn_only_and_then_goes_home() -> None:
    state = fight("kirito", "lisbeth", scenario="illfang", step=3)
    state = throw(token(state, "+2", "kirito", "lisbeth"), "226", "135")
    # Vertical Arc 4 + 2, Rage Spike 1 + 2
    assert state.plans()[0].damage == 9
    state = strike(state)
    assert state.damage == 9
    assert state.tokens[0].holder == -1


@pytest.mark.rule("sao", "R65")
def test_a_token_waits_through_the_turns_of_others() -> None:
    state = fight("kirito", "lisbeth", "agil", turn="agil", scenario="illfang")
    state = token(state, "x2", "kirito", "lisbeth")
    state = done(throw(done(state, Chain(2, 0)), "123", "123"), Stand(2), Finish(2))
    assert state.turn == 0
    assert state.tokens[0].holder == 0
    state = throw(done(state, Chain(0, 1)), "223", "145")
    assert state.plans()[0].damage == 8


@pytest.mark.rule("sao", "R65", "R68", "R69")
def test_lisbeth_gives_her_one_token_to_another() -> None:
    state = fight("kirito", "lisbeth", turn="lisbeth", scenario="illfang", step=3)
    # three odd (+2) and three even (x2): there is but one token
    state = done(throw(state, "135", "246"), Stand(1), Trigger(1, 2, (0, 1, 2)))
    state = done(state, Trigger(1, 3, (3, 4, 5)), Finish(1))
    assert (state.phase, state.asks) == ("effect", (("+2", 0), ("x2", 0)))
    assert refused(state, Target(1, 1)) == "R69"
    assert refused(state, Target(0, 0)) == "R69"
    assert refused(state, Forgo(0)) == "R65"
    given = done(state, Target(1, 0))
    assert given.tokens[0].side == "+2"
    assert given.turn == 0
    other = done(state, Forgo(1), Target(1, 0))
    assert other.tokens[0].side == "x2"


@pytest.mark.rule("sao", "R68")
def test_a_token_that_lies_with_somebody_cannot_be_given_again() -> None:
    state = fight("kirito", "lisbeth", turn="lisbeth", scenario="illfang", step=3)
    state = token(state, "x2", "kirito", "lisbeth")
    state = done(throw(state, "135", "666"), Stand(1), Trigger(1, 2, (0, 1, 2)), Finish(1))
    assert (state.turn, state.tokens[0].side) == (0, "x2")


@pytest.mark.rule("sao", "R66")
def test_the_shield_stops_the_next_damage_and_goes_home() -> None:
    state = token(fight("kirito", "silica"), "shield", "kirito", "silica")
    state = done(throw(state, "123", "123"), Stand(0), Finish(0))
    assert hp(state) == (10, 5)
    assert state.tokens[0].holder == -1


@pytest.mark.rule("sao", "R66")
def test_the_shield_stays_until_there_is_damage() -> None:
    state = token(fight("kirito", "silica", scenario="illfang"), "shield", "kirito", "silica")
    state = throw(state, "223", "366")
    assert state.plans()[0].complete
    assert strike(state).tokens[0].holder == 0
    # Kuradeel's counterattack of 1 is stopped by the coat: nothing is left for the shield
    state = fight("kirito", "agil", "silica", scenario="kuradeel", kit=(Owned("coat", 1),),
                  turn="agil")  # fmt: skip
    state = throw(done(token(state, "shield", "agil", "silica"), Chain(1, 2)), "1235", "345")
    state = done(state, Stand(1), Finish(1))
    assert (hp(state)[1], state.tokens[0].holder) == (18, 1)


@pytest.mark.rule("sao", "R67")
def test_die_control_sets_one_of_the_holders_dice_once() -> None:
    state = token(fight("kirito", "silica"), "control", "kirito", "silica")
    state = throw(state, "123", "456")
    assert refused(state, Control(0, 3, 6)) == "R67"
    assert refused(state, Control(0, 0, 7)) == "R67"
    assert refused(state, Control(0, 0, 1)) == "R67"
    assert refused(state, Control(1, 3, 6)) == "R67"
    state = done(state, Control(0, 0, 6))
    assert state.dice[0].face == 6
    assert state.tokens[0].holder == -1
    assert refused(state, Control(0, 1, 6)) == "R67"


@pytest.mark.rule("sao", "R67")
def test_die_control_also_counts_on_the_holders_character_die_and_is_lost_unused() -> None:
    state = token(fight("kirito", "silica", scenario="giant"), "control", "kirito", "silica")
    state = throw(done(state, Exchange(0, 0)), "123", "456", "2")
    turned = done(state, Control(0, 0, 3))
    assert turned.pool[0] == (3,)
    assert done(state, Stand(0), Finish(0)).tokens[0].holder == -1


@pytest.mark.rule("sao", "R70")
def test_healing_takes_damage_off_one_character_but_not_beyond_its_hp() -> None:
    state = fight("kirito", "silica", turn="silica", scenario="illfang", step=3)
    state = hero(hero(state, 0, hp=9), 1, hp=4)
    # three alike: 5 damage and Healing 3
    state = done(throw(state, "555", "124"), Stand(1), Trigger(1, 3, (0, 1, 2)), Finish(1))
    assert state.asks == (("heal", 3),)
    assert refused(state, Target(0, 0)) == "R70"
    assert refused(state, Target(1, 4)) == "R70"
    assert refused(state, Forgo(0)) == "R70"
    assert hp(done(state, Target(1, 0))) == (10, 0)
    assert hp(done(state, Target(1, 1))) == (9, 2)


@pytest.mark.rule("sao", "R70")
def test_healing_asks_nobody_when_nobody_is_hurt() -> None:
    state = fight("kirito", "silica", turn="silica", scenario="illfang", step=3)
    state = done(throw(state, "555", "124"), Stand(1), Trigger(1, 3, (0, 1, 2)), Finish(1))
    assert state.turn == 0


@pytest.mark.rule("sao", "R71", "R72")
def test_klein_pierces_the_dragons_defense_of_five() -> None:
    state = fight("kirito", "klein", turn="klein", scenario="dragon", step=2)
    state = throw(state, "1666", "155")
    # 1 and 1: sum 2, damage 3, Piercing 5 against Defense 5; a single 5 or 6 is stopped
    assert state.plans()[0].damage == 3
    shut = fight("kirito", "klein", turn="klein", scenario="dragon", step=2,
                 corrections=(("dragon", "step3.defense", 6),))  # fmt: skip
    assert throw(shut, "1666", "155").plans()[0].damage == 0


@pytest.mark.rule("sao", "R73", "R74")
def test_a_step_may_allow_one_round_or_none_also_for_the_ring() -> None:
    state = throw(fight("kirito", "asuna", scenario="traproom"), "123", "456")
    state = throw(done(state, Again(0, (0,))), "1")
    assert refused(state, Again(0, (0,))) == "R73"
    none = (("traproom", "step1.rerolls", 0),)
    state = fight("kirito", "asuna", scenario="traproom", corrections=none, kit=(Owned("ring", 0),))
    state = throw(state, "123", "456")
    assert refused(state, Again(0, (0,))) == "R74"
    assert not any(isinstance(action, Again) for action in legal(state, 0))
    state = fight("kirito", "asuna", scenario="traproom", kit=(Owned("ring", 0),))
    state = throw(done(throw(state, "123", "456"), Again(0, (0, 3))), "1", "1")
    assert done(state, Again(0, (0,))).ring


@pytest.mark.rule("sao", "R75")
def test_a_step_may_forbid_abilities() -> None:
    state = throw(fight("kirito", "asuna", scenario="dragon", step=1), "1234", "123")
    assert refused(state, Ability(0, 0, (0,), 6)) == "R75"
    assert not any(isinstance(action, Ability) for action in legal(state, 0))


@pytest.mark.rule("sao", "R76")
def test_a_step_may_forbid_consumables_but_equipment_works() -> None:
    kit = (Owned("potion"), Owned("relic"), Owned("coat", 0), Owned("repulser", 0))
    state = fight("kirito", "asuna", scenario="kuradeel", kit=kit)
    assert hp(state)[0] == 12
    assert refused(state, Consume(0, "potion", 0)) == "R76"
    assert not any(isinstance(action, Consume) for action in legal(state, 0))
    assert throw(state, "2213", "415").plans()[0].damage == 5 + 5
    dying = hero(state, 0, hp=1)
    dying = done(throw(dying, "1235", "123"), Stand(0), Finish(0))
    assert dying.outcome == "lost"


@pytest.mark.rule("sao", "R77", "R79")
def test_times_two_then_plus_then_defense_for_each_skill() -> None:
    state = fight("kirito", "lisbeth", scenario="giant", kit=(Owned("repulser", 0),))
    state = throw(token(state, "x2", "kirito", "lisbeth"), "2266", "135")
    # Vertical Arc twice: (4 x 2) + 1 - 3 = 6 each
    assert state.plans()[0].damage == 12
    assert strike(state).damage == 12


@pytest.mark.rule("sao", "R78")
def test_the_coat_lessens_each_blow_by_one() -> None:
    state = fight("kirito", "asuna", kit=(Owned("coat", 1),))
    assert hp(done(throw(state, "123", "123"), Stand(0), Finish(0))) == (7, 6)
    assert hp(hurt(state, 1, 0)) == hp(state)  # it stops damage, it does not heal


@pytest.mark.rule("sao", "R63")
def test_easy_both_may_use_their_ability_once_a_turn_for_nothing() -> None:
    state = throw(fight("kirito", "klein", difficulty="easy"), "345", "345")
    state = done(state, Ability(0, 0, (0,), 6), Ability(1, 1, (1, 2), 2))
    assert [one.uses for one in state.heroes] == [1, 1]
    state = done(state, Ability(0, 0, (3,), 6))
    assert [one.uses for one in state.heroes] == [0, 1]
    assert refused(state, Ability(0, 0, (4,), 6)) == "R24"
    state = throw(done(state, Stand(0), Finish(0)), "345", "345")
    assert done(state, Ability(0, 0, (0,), 6)).heroes[0].uses == 0


@pytest.mark.rule("sao", "R63")
def test_easy_does_not_help_where_abilities_are_forbidden() -> None:
    state = fight("kirito", "asuna", scenario="dragon", step=1, difficulty="easy")
    assert refused(throw(state, "1234", "123"), Ability(0, 0, (0,), 6)) == "R75"


@pytest.mark.rule("sao", "R64", "R24")
def test_hard_takes_a_use_or_the_character_dice_or_both() -> None:
    fewer = throw(fight("kirito", "asuna", difficulty="fewer"), "123", "456")
    assert refused(fewer, Ability(0, 0, (0,), 6)) == "R24"
    assert fight("kirito", "asuna", scenario="twins", difficulty="fewer").heroes[0].uses == 2
    bare = fight("kirito", "asuna", scenario="giant", difficulty="nodice")
    assert refused(bare, Exchange(0, 0)) == "R64"
    assert bare.heroes[0].uses == 2
    both = fight("kirito", "asuna", scenario="giant", difficulty="both")
    assert refused(both, Exchange(0, 0)) == "R64"
    assert both.heroes[0].uses == 1


@pytest.mark.rule("sao", "H2")
def test_yui_turns_a_counterattack_back_once() -> None:
    state = fight("kirito", "asuna", scenario="twins", yui=1)
    state = done(throw(state, "1235", "1235"), Stand(0), Finish(0))
    assert state.phase == "counter"
    assert refused(state, Yui(1)) == "H2"
    assert refused(state, Forgo(1)) == "H2"
    helped = done(state, Yui(0))
    assert hp(helped) == (20, 16)
    assert (helped.damage, helped.yui) == (5, 0)
    assert hp(done(state, Forgo(0))) == (15, 11)
    again = done(throw(helped, "1111", "1111"), Stand(1), Finish(1))
    assert again.phase == "roll"
    assert refused(helped, Yui(0)) == "H2"


@pytest.mark.rule("sao", "H2", "R72")
def test_what_yui_turns_back_meets_the_defense() -> None:
    state = fight("kirito", "asuna", scenario="reaper", yui=1)
    state = done(throw(state, "1235", "1235"), Stand(0), Finish(0), Yui(0))
    assert state.damage == 8 - 3


def test_the_dark_repulser_is_for_its_holder_only() -> None:
    state = fight(
        "kirito", "asuna", kit=(Owned("repulser", 1),), scenario="giant", corrections=WEAK
    )
    assert throw(state, "2213", "415").plans()[0].damage == 4 + 4


@pytest.mark.rule("sao", "R63", "R18")
def test_easy_gives_a_free_ability_to_the_pair_only_even_against_the_rule_of_chaining() -> None:
    state = fight("kirito", "asuna", "agil", difficulty="easy")
    state = throw(done(state, Chain(0, 1)), "123", "456")
    forced = force(state, Ability(2, 2, (0,), 5))  # soft mode: Agil is not chained
    possible(forced)
    assert forced.heroes[2].uses == 0
    assert cited(SAO, state, Ability(2, 2, (0,), 5)) == "R23"


@pytest.mark.rule("sao", "R20", "H1", "H4")
def test_a_ring_that_is_told_to_give_two_rounds_gives_two() -> None:
    state = fight("kirito", "asuna", kit=(Owned("ring", 0),), corrections=(("ring", "amount", 2),))
    state = throw(state, "123", "456")
    for _ in range(2):
        state = throw(done(state, Again(0, (0, 3))), "1", "1")
    state = throw(done(state, Again(0, (0,))), "1")
    assert state.throws() == (0, 0)
    state = throw(done(state, Again(0, (0,))), "1")
    assert state.throws() == (0, -1)
    assert refused(state, Again(0, (0,))) == "R20"
