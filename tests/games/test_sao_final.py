"""The second step of the final battle and its own rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.api import Die, Rolled
from companion.games.sao.actions import Chain, Drawn, Exchange, Finish, Forgo, Lay, Mark, Stand, Yui
from companion.games.sao.ledger import overrule, result
from companion.games.sao.legal import legal
from companion.games.sao.play import waiting
from companion.games.sao.possible import possible
from companion.games.sao.state import Owned, State, hero
from tests.games.sao_table import done, fight, hp, refused, strike, throw, token


def last(*party: str, **settings: object) -> State:
    """Kirito before the last enemy (60 HP, damage 10, Defense 5: house values)."""
    return fight(*party, scenario="final", step=1, **settings)  # type: ignore[arg-type]


def nothing(state: State) -> State:
    """Kirito hits nothing."""
    return done(state, Stand(state.kirito()), Finish(state.kirito()))


@pytest.mark.rule("sao", "R52", "R53")
def test_at_its_start_all_are_refreshed_tokens_go_home_and_kirito_has_the_turn() -> None:
    state = fight("kirito", "silica", "agil", scenario="final", turn="silica")
    state = hero(token(state, "shield", "agil", "silica"), 2, exhausted=True)
    state = done(replace(state, damage=60), Chain(1, 0))
    state = done(throw(state, "1135", "1135"), Stand(1), Finish(1))
    assert (state.step, state.turn, state.damage) == (1, 0, 0)
    assert not any(one.exhausted for one in state.heroes)
    assert state.tokens[0].holder == -1
    state = nothing(throw(done(state, Chain(0, 2)), "1135", "1135", "6"))
    assert (state.turn, state.phase) == (0, "chain")
    assert not any(one.exhausted for one in state.heroes)


@pytest.mark.rule("sao", "R54")
def test_kirito_throws_four_black_dice_and_his_own() -> None:
    assert refused(last("kirito", "asuna"), Rolled((Die("black", 1),) * 4)) == "R54"
    wanted = waiting(last("kirito", "asuna")).dice
    assert wanted is not None
    assert wanted.bodies == ("black",) * 4 + ("blue",) + ("white",) * 4
    three = waiting(last("kirito", "asuna", corrections=(("final", "main", 3),))).dice
    assert three is not None
    assert three.bodies[:4] == ("black",) * 4  # whatever the card says of its first step
    bare = waiting(last("kirito", "asuna", difficulty="nodice")).dice
    assert bare is not None
    assert bare.bodies == ("black",) * 4 + ("white",) * 4


@pytest.mark.rule("sao", "R55", "R79")
def test_damage_is_summed_before_defense_is_taken_off_once() -> None:
    state = throw(last("kirito", "asuna"), "2244", "1135", "2")
    # Vertical Arc for 2 2, 4 4, 1 1: 4 each, Rage Spike for the blue 6: 13 - 5
    assert state.plans()[0].damage == 13 - 5


@pytest.mark.rule("sao", "R51", "R56", "R11")
def test_it_is_won_the_moment_the_enemy_has_no_hp_left() -> None:
    state = replace(hero(last("kirito", "asuna"), 1, hp=1), damage=52)
    state = strike(throw(state, "2244", "1135", "2"))
    assert state.outcome == "won"
    assert hp(state) == (20, 1)
    ended = result(state)
    assert ended is not None
    assert ended.winners == (0, 1)
    assert refused(state, Stand(0)) == "R51"


@pytest.mark.rule("sao", "R57", "R58")
def test_there_is_no_switch_and_the_partner_is_struck() -> None:
    state = throw(last("kirito", "asuna"), "2244", "1155", "2")
    assert state.plans()[0].complete
    state = strike(state)
    assert hp(state) == (20, 6)


@pytest.mark.rule("sao", "R59", "R60")
def test_the_partners_death_goes_on_and_then_kirito_is_struck() -> None:
    state = hero(last("kirito", "asuna"), 1, hp=10)
    state = nothing(throw(state, "1135", "1135", "6"))
    assert state.outcome == ""
    assert state.heroes[1].dead
    assert state.phase == "lay"
    state = done(state, *(Lay(0, 1) for _ in range(4)))
    state = nothing(throw(state, "1235", "", "6"))
    assert hp(state) == (10, 0)
    state = done(state, *(Lay(0, 1) for _ in range(4)))
    assert nothing(throw(state, "1235", "", "6")).outcome == "lost"


@pytest.mark.rule("sao", "R61")
def test_kirito_may_throw_the_die_of_one_who_died_for_a_black_one() -> None:
    state = hero(last("kirito", "asuna", "agil"), 1, hp=10)
    state = nothing(throw(done(state, Chain(0, 1)), "1135", "1135", "6"))
    assert state.phase == "roll"
    assert state.partner == 2
    assert refused(state, Exchange(1, 1)) == "R47"
    assert Exchange(0, 1) in list(legal(state, 0))
    state = done(state, Exchange(0, 1))
    wanted = waiting(state).dice
    assert wanted is not None
    assert wanted.bodies == ("blue", "black", "black", "black", "blue") + ("white",) * 4
    state = throw(state, "135", "1135", "21")
    assert state.pool[0] == (1, 2)  # Asuna's symbol
    assert len(state.pool[4]) == 6  # Kirito's portrait


@pytest.mark.rule("sao", "H5")
def test_only_one_die_of_the_dead_at_a_time() -> None:
    state = last("kirito", "asuna", "agil", "klein")
    state = hero(hero(state, 1, hp=0, dead=True), 2, hp=0, dead=True)
    state = done(replace(state, phase="chain"), Chain(0, 3), Exchange(0, 1))
    assert refused(state, Exchange(0, 2)) == "H5"


@pytest.mark.rule("sao", "R62")
def test_kirito_alone_starts_with_support_dice_of_his_choice() -> None:
    state = hero(last("kirito", "asuna"), 1, hp=10)
    state = nothing(throw(state, "1135", "1135", "6"))
    assert refused(state, Lay(0, 7)) == "R62"
    assert refused(state, Lay(1, 6)) == "R62"
    state = done(state, Lay(0, 6), Lay(0, 6), Lay(0, 6), Lay(0, 6))
    assert refused(state, Lay(0, 6)) == "R62"
    wanted = waiting(state).dice
    assert wanted is not None
    assert wanted.bodies == ("black",) * 4 + ("blue",)
    assert [die.value for die in wanted.kept] == [6, 6, 6, 6]
    state = throw(state, "6612", "", "1")
    # six sixes 16, of 1, 2 and the portrait a pair 4: 20 - 5
    assert state.plans()[0].damage == 15


@pytest.mark.rule("sao", "R56", "H2")
def test_yui_may_strike_the_last_blow() -> None:
    state = replace(last("kirito", "asuna", yui=1), damage=55)
    state = nothing(throw(state, "1135", "1135", "6"))
    assert done(state, Yui(0)).outcome == "won"
    assert hp(done(state, Forgo(0))) == (20, 6)


@pytest.mark.rule("sao", "R60", "H3")
def test_a_partner_may_be_revived_or_left() -> None:
    state = hero(last("kirito", "asuna", kit=(Owned("relic"),)), 1, hp=5)
    state = nothing(throw(state, "1135", "1135", "6"))
    assert state.phase == "fallen"
    assert done(state, Forgo(0)).heroes[1].dead


@pytest.mark.rule("sao", "R32", "R58")
def test_an_aoe_in_the_last_step_would_strike_all_who_stand() -> None:
    state = last("kirito", "asuna", corrections=(("final", "step2.aoe", 1),))
    assert hp(nothing(throw(state, "1135", "1135", "6"))) == (10, 6)


@pytest.mark.rule("sao", "R11")
def test_the_upper_section_leads_to_the_final_battle_without_a_draw() -> None:
    state = replace(fight("kirito", "asuna", scenario="twins"), phase="loot", dice=(), partner=1)
    state = done(state, Drawn("potion"))
    assert (state.scenario, state.step, state.phase) == ("final", 0, "roll")


@pytest.mark.rule("sao", "R50", "R60")
def test_it_is_kiritos_fall_that_loses_the_last_step_whoever_falls_with_him() -> None:
    state = last("asuna", "kirito", corrections=(("final", "step2.aoe", 1),))
    state = hero(hero(state, 0, hp=1), 1, hp=1)
    state = nothing(throw(state, "1135", "1135", "6"))
    ended = result(state)
    assert ended is not None
    assert ended.why.show() == "Kirito fell. The game is lost."


@pytest.mark.rule("sao", "R56")
def test_the_tables_word_may_end_it_with_a_finger_on_a_die() -> None:
    state = done(throw(last("kirito", "asuna"), "2244", "1135", "2"), Mark(0, 1))
    state = overrule(state, "enemy", 0)
    possible(state)
    assert state.outcome == "won"
