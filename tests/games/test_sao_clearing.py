"""Clearing a scenario: loot, levels, healing; and how the game is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.sao.actions import (
    Chain,
    Consume,
    Drawn,
    Exchange,
    Finish,
    Forgo,
    Give,
    Onward,
    Stand,
    Target,
    Trigger,
)
from companion.games.sao.ledger import result
from companion.games.sao.legal import legal
from companion.games.sao.play import waiting
from companion.games.sao.state import Owned, State, hero
from companion.games.sao.view import view
from tests.games.sao_table import done, fight, hp, refused, strike, throw, token


def beaten(*party: str, scenario: str, kit: tuple[Owned, ...] = (), partner: int = 1) -> State:
    """The scenario's last blow has landed: the loot is next."""
    state = fight(*party, scenario=scenario, kit=kit)
    scene = state.scene
    state = replace(state, step=len(scene.steps) - 1, damage=scene.steps[-1].hp)
    if state.phase == "chain":
        state = done(state, Chain(0, partner))
    main, support = scene.main, scene.support
    state = throw(state, "66666"[:main], "66666"[:support])
    state = done(state, Stand(0), Finish(0)) if not state.plans()[0].complete else strike(state)
    assert state.phase == "loot"
    return state


@pytest.mark.rule("sao", "R39", "R40")
def test_the_turn_player_reveals_an_item_and_names_the_owner_of_equipment() -> None:
    state = beaten("kirito", "asuna", "agil", scenario="traproom")
    assert waiting(state).chance
    state = done(state, Drawn("coat"))
    assert (state.phase, waiting(state).seats) == ("give", (0,))
    assert refused(state, Give(0, "ring", 2)) == "R40"
    state = done(state, Give(0, "coat", 2))
    assert state.kit == (Owned("coat", 2),)
    assert (state.section, state.level) == (1, 1)


@pytest.mark.rule("sao", "R40")
def test_equipment_changes_hands_only_after_a_scenario_and_once() -> None:
    state = beaten("kirito", "asuna", scenario="giant", kit=(Owned("coat", 0),))
    assert refused(state, Give(0, "coat", 1)) == "R40"
    state = done(state, Drawn("potion"))
    assert state.phase == "pack"
    assert refused(state, Give(0, "coat", 0)) == "R40"
    assert refused(state, Give(0, "coat", 5)) == "R40"
    assert refused(state, Onward(1)) == "R46"
    moved = done(state, Give(0, "coat", 1))
    assert moved.kit == (Owned("coat", 1), Owned("potion"))
    assert moved.section == 2
    assert done(state, Onward(0)).kit == (Owned("coat", 0), Owned("potion"))
    fresh = fight("kirito", "asuna", kit=(Owned("coat", 0),))
    assert refused(fresh, Give(0, "coat", 1)) == "R40"


@pytest.mark.rule("sao", "H6")
def test_only_holder_or_turn_player_hands_equipment_over() -> None:
    kit = (Owned("coat", 1),)
    state = done(beaten("kirito", "asuna", "agil", scenario="giant", kit=kit), Drawn("potion"))
    assert refused(state, Give(2, "coat", 2)) == "H6"
    assert done(state, Give(1, "coat", 2)).kit[0] == Owned("coat", 2)


@pytest.mark.rule("sao", "R41")
def test_a_consumable_may_be_used_by_anybody_and_is_gone() -> None:
    kit = (Owned("potion"), Owned("tonic"))
    state = fight("kirito", "asuna", "agil", kit=kit)
    state = hero(hero(state, 1, hp=1), 0, uses=0)
    assert refused(state, Consume(2, "potion", 2)) == "R41"
    assert refused(state, Consume(2, "tonic", 1)) == "R41"
    assert refused(state, Consume(2, "relic", 1)) == "R41"  # nobody has one
    assert refused(state, Consume(2, "potion", 7)) == "R41"
    state = done(state, Consume(2, "potion", 1))
    assert hp(state) == (10, 8, 12)
    state = done(state, Consume(1, "tonic", 0))
    assert state.heroes[0].uses == 1
    assert state.kit == ()
    assert refused(state, Consume(1, "tonic", 0)) == "R41"


@pytest.mark.rule("sao", "H10")
def test_a_consumable_may_be_used_until_the_counterattack_lands() -> None:
    kit = (Owned("potion"), Owned("potion"), Owned("tonic"))
    state = fight("kirito", "silica", "agil", turn="silica", scenario="twins", kit=kit, yui=1)
    state = hero(hero(state, 2, uses=0), 1, hp=3)
    state = done(throw(done(state, Chain(1, 2)), "5551", "1235"), Stand(1))
    drink, learn = Consume(2, "potion", 1), Consume(0, "tonic", 2)
    assert {drink, learn} <= {*legal(state, 0), *legal(state, 2)}
    assert {drink, learn} <= {choice.action for n in (0, 2) for choice in view(state, n).choices}
    assert done(state, learn).heroes[2].uses == 1
    state = done(state, Trigger(1, 3, (0, 1, 2)), Finish(1))
    assert state.phase == "effect"  # Healing 3: Silica is hurt
    assert done(state, Target(1, 1), drink).phase == "counter"
    assert hp(done(state, Target(1, 1), drink, Forgo(1))) == (15, 11, 19)
    healed = done(state, drink)
    assert (hp(healed), healed.phase) == ((20, 16, 24), "counter")  # nobody is left to heal


@pytest.mark.rule("sao", "R42", "R45", "R9")
def test_after_the_lower_section_level_fifty_brings_hp_skills_and_character_dice() -> None:
    state = done(beaten("kirito", "asuna", scenario="traproom"), Drawn("potion"), Drawn("giant"))
    assert state.level == 1
    assert hp(state) == (15, 12)
    assert [one.uses for one in state.heroes] == [2, 2]
    assert len(state.arms().blows) == 5  # Asuna's runs of 2, 3, 4, 5 and now of 6
    assert Exchange(1, 1) in list(legal(state, 1))


@pytest.mark.rule("sao", "R43", "R45")
def test_after_the_middle_section_level_eighty_brings_uses_and_yui() -> None:
    state = beaten("kirito", "asuna", "agil", scenario="giant")
    assert state.yui == 0
    state = done(state, Drawn("potion"), Drawn("twins"))
    assert (state.level, state.yui) == (2, 1)
    assert hp(state) == (20, 16, 24)
    assert [one.uses for one in state.heroes] == [2, 2, 2]


@pytest.mark.rule("sao", "R44", "R45")
def test_after_the_upper_section_the_level_stays_but_all_are_healed() -> None:
    state = hero(beaten("kirito", "asuna", scenario="twins"), 1, hp=1)
    state = done(replace(state, yui=1), Drawn("potion"))
    assert (state.level, state.yui, state.scenario) == (2, 1, "final")
    assert hp(state) == (20, 16)


@pytest.mark.rule("sao", "R45")
def test_healing_removes_damage_exhaustion_and_tokens_and_fills_the_uses() -> None:
    state = beaten("kirito", "silica", "agil", scenario="traproom")
    state = hero(hero(state, 0, hp=2, uses=0), 2, exhausted=True)
    state = done(token(state, "shield", "agil", "silica"), Drawn("potion"), Drawn("giant"))
    assert hp(state) == (15, 12, 18)
    assert [one.uses for one in state.heroes] == [1, 1, 1]
    assert not any(one.exhausted for one in state.heroes)
    assert [one.holder for one in state.tokens] == [-1]


@pytest.mark.rule("sao", "R46")
def test_the_last_chaining_partner_starts_the_next_scenario() -> None:
    state = beaten("kirito", "asuna", "agil", scenario="traproom", partner=2)
    assert done(state, Drawn("potion"), Drawn("giant")).turn == 2


@pytest.mark.rule("sao", "R50")
def test_one_character_at_zero_is_the_end_at_once() -> None:
    state = hero(fight("kirito", "asuna"), 1, hp=3)
    state = done(throw(state, "123", "123"), Stand(0), Finish(0))
    assert state.outcome == "lost"
    ended = result(state)
    assert ended is not None
    assert ended.winners == ()
    assert ended.why.show() == "Asuna fell. The game is lost."
    assert not waiting(state)
    assert refused(state, Stand(0)) == "R50"
    assert list(legal(state, 0)) == []


@pytest.mark.rule("sao", "R33", "R50")
def test_a_death_in_the_counterattack_loses_although_the_step_was_beaten() -> None:
    state = replace(hero(fight("kirito", "asuna"), 0, hp=3), step=1, damage=20)
    assert done(throw(state, "123", "123"), Stand(0), Finish(0)).outcome == "lost"


@pytest.mark.rule("sao", "H3", "R50")
def test_the_revival_item_saves_one_who_fell() -> None:
    state = hero(fight("kirito", "asuna", kit=(Owned("relic"),)), 1, hp=3)
    assert refused(state, Consume(0, "relic", 1)) == "H3"
    state = done(throw(state, "123", "123"), Stand(0), Finish(0))
    assert state.phase == "fallen"
    assert refused(state, Consume(1, "relic", 0)) == "H3"
    assert refused(state, Forgo(1)) == "H3"
    saved = done(state, Consume(1, "relic", 1))
    assert hp(saved) == (7, 1)
    assert (saved.kit, saved.turn) == ((), 1)
    assert done(state, Forgo(0)).outcome == "lost"


@pytest.mark.rule("sao", "R50")
def test_one_relic_does_not_save_two() -> None:
    state = hero(hero(fight("kirito", "asuna", kit=(Owned("relic"),)), 1, hp=3), 0, hp=3)
    state = done(throw(state, "123", "123"), Stand(0), Finish(0), Consume(0, "relic", 1))
    assert state.outcome == "lost"


def test_what_bleeds_by_itself_is_beaten_at_a_turns_start_and_nobody_is_struck() -> None:
    state = fight("kirito", "asuna", scenario="scythe")
    assert state.damage == 1
    state = throw(state, "1122", "3344")
    assert state.plans()[0].damage == 0  # Defense 99
    state = strike(replace(state, damage=5))  # all dice used: a switch
    assert state.phase == "loot"
    assert hp(state) == (20, 16)
    # the turn had just begun for Asuna, who was the last chaining partner
    assert state.turn == 1
    assert done(state, Drawn("potion")).turn == 1


def test_what_bleeds_through_several_steps_loses_them_one_by_one() -> None:
    state = fight("kirito", "asuna", scenario="twins", corrections=(("twins", "bleeds", 60),))
    assert (state.step, state.damage) == (1, 0)  # the first step fell as the turn began
    state = done(throw(state, "1235", "1346"), Stand(0), Finish(0))
    assert (state.phase, state.turn) == ("loot", 1)


def test_kuradeel_may_kill_at_the_start_of_a_turn() -> None:
    state = hero(fight("kirito", "asuna", scenario="kuradeel"), 0, hp=4)
    state = done(throw(state, "1235", "123"), Stand(0), Finish(0))
    assert hp(state) == (0, 12)
    assert state.outcome == "lost"
