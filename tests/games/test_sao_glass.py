"""What the glass shows and offers, what the coach says, and the table's last word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import BadState, Illegal
from companion.games.api import Die, Rolled
from companion.games.sao import SAO
from companion.games.sao.actions import (
    Ability,
    Again,
    Chain,
    Consume,
    Correct,
    Exchange,
    Finish,
    Mark,
    Stand,
    Strike,
    Told,
    Trigger,
)
from companion.games.sao.fields import power
from companion.games.sao.ledger import counters, overrule
from companion.games.sao.phrases import pattern_name, power_name, skill_note
from companion.games.sao.play import force
from companion.games.sao.possible import possible
from companion.games.sao.state import Options, Owned, State, hero
from companion.games.sao.view import view
from companion.views import Cards, Choice, Dice, Line, Meter
from companion.words import Text
from hardware.glass.draw import pages
from hardware.glass.letters import width
from tests.games.sao_playout import start
from tests.games.sao_table import done, fight, hp, throw, token


def meters(state: State, seat: int | None) -> list[tuple[str, int, int | None]]:
    parts = view(state, seat).parts
    return [(p.label.show(), p.value, p.top) for p in parts if isinstance(p, Meter)]


def said(state: State, seat: int | None) -> list[str]:
    return [part.text.show() for part in view(state, seat).parts if isinstance(part, Line)]


def cards(state: State, seat: int | None, label: str) -> list[tuple[str, str]]:
    """The cards under this label, each with its note."""
    (found,) = (
        part.cards
        for part in view(state, seat).parts
        if isinstance(part, Cards) and part.label.show() == label
    )
    return [(name.show(), note.show()) for name, note in found]


def labels(state: State, seat: int) -> dict[str, str]:
    return {choice.label.show(): choice.barred for choice in view(state, seat).choices}


def strikes(state: State, seat: int) -> list[Choice]:
    return [choice for choice in view(state, seat).choices if isinstance(choice.action, Strike)]


def test_the_table_display_shows_the_enemy_its_step_and_everybodys_hp() -> None:
    state = done(fight("kirito", "asuna", "agil"), Chain(0, 1))
    state = replace(hero(state, 1, hp=3), damage=9)
    shown = view(state, None)
    assert shown.title.show() == "Lower, step 1"
    assert shown.choices == ()
    assert meters(state, None) == [
        ("Fighting the Underlings", 11, 20),
        ("> Kirito", 10, 10),
        ("+ Asuna", 3, 8),
        ("Agil", 12, 12),
    ]
    assert "Step 1 of 2" in said(state, None)
    assert "Strikes back at all: 3" in said(state, None)
    assert ("Kirito", "1 of 1") in cards(state, None, "Ability uses")
    assert meters(state, 2)[1][0] == "Agil"  # one's own bar comes first


def test_exhausted_and_dead_are_marked_on_the_bar_and_said_in_words() -> None:
    state = hero(fight("kirito", "asuna", "agil"), 1, exhausted=True)
    assert ("z Asuna", 8, 8) in meters(state, None)
    assert "Exhausted: Asuna" in said(state, None)
    state = fight("kirito", "asuna", "agil", scenario="final", step=1)
    state = hero(state, 1, hp=0, dead=True)
    assert ("x Asuna", 0, 16) in meters(state, None)
    assert ("Asuna", "dead") in cards(state, None, "Ability uses")


def test_how_often_the_pair_may_throw_stands_under_the_dice() -> None:
    def caption(now: State) -> str:
        (row,) = (part for part in view(now, 0).parts if isinstance(part, Dice))
        return row.label.show()

    state = throw(fight("kirito", "asuna", kit=(Owned("ring", 1),)), "123", "456")
    assert caption(state) == "2 throws left"
    state = throw(done(state, Again(0, (0,))), "1")
    assert caption(state) == "1 throw left"
    state = throw(done(state, Again(0, (0,))), "1")
    assert caption(state) == "Ring: Asuna throws"
    state = throw(done(state, Again(0, (3,))), "", "1")
    assert caption(state) == "0 throws left"
    assert view(state, 0).waiting.show() == "Kirito: strike"


@pytest.mark.parametrize("party", [("lisbeth", "kirito", "silica"),
                                   ("kirito", "lisbeth", "silica", "asuna")])  # fmt: skip
def test_on_the_glass_no_name_is_cut_and_no_skill_loses_its_numbers(party: tuple[str, ...]) -> None:
    state = hero(fight(*party, scenario="twins"), party.index("lisbeth"), exhausted=True)
    for seat in range(len(party)):
        shown = view(state, seat)
        drawn = [part for page in pages(shown, Text.show) for part in page.parts]
        for meter in (part for part in drawn if isinstance(part, Meter)):
            assert width(meter.label.show(), 10) <= 45 or meter.top == state.now.hp
        words = " ".join(part.text.show() for part in drawn if isinstance(part, Line))
        for skill in state.card(seat).skills:
            assert f"{skill.name}: {skill_note(skill).show()}" in words


def test_kept_and_thrown_dice_are_marked() -> None:
    state = throw(fight("kirito", "asuna"), "123", "456")

    def marks(now: State) -> str:
        (row,) = (part for part in view(now, None).parts if isinstance(part, Dice))
        return "".join(face.mark[:1] or "-" for face in row.dice)

    assert marks(state) == "------"
    assert marks(done(state, Mark(0, 1))) == "ktkkkk"
    again = done(state, Again(0, (1, 4)))
    assert marks(again) == "ktkktk"
    assert marks(throw(again, "1", "1")) == "ktkktk"


def test_a_blue_die_shows_what_it_counts_as_not_the_number_of_its_face() -> None:
    state = done(fight("kirito", "asuna", scenario="giant"), Exchange(0, 0), Exchange(1, 1))

    def shown(kirito: int, asuna: int) -> list[tuple[int, str]]:
        lying = throw(state, "123", "45", f"{kirito}{asuna}")
        (row,) = (part for part in view(lying, None).parts if isinstance(part, Dice))
        return [(face.value, face.sign) for face in row.dice if face.body == "blue"]

    assert shown(2, 4) == [(6, ""), (3, "")]
    assert shown(1, 2) == [(1, "*"), (1, "1/2")]
    thrown = Rolled((Die("black", 3), Die("blue", 1), Die("white", 4), Die("blue", 2)))
    assert SAO.tell(state, thrown, 0).show() == "Rolled 3 * 4 1/2"


def test_house_values_are_told() -> None:
    assert "House card: not the printed numbers" in said(
        fight("kirito", "asuna", scenario="final"), 0
    )
    assert "House card: not the printed numbers" not in said(fight("kirito", "asuna"), 0)
    state = fight("kirito", "lisbeth")
    assert "Partly house values: Kirito, Lisbeth" in said(state, 0)


def test_items_tokens_and_scenario_effects_are_shown() -> None:
    kit = (Owned("potion"), Owned("coat", 0))
    state = token(
        fight("kirito", "silica", scenario="kuradeel", kit=kit), "shield", "kirito", "silica"
    )
    assert "Each turn Kirito takes 4" in said(state, 0)
    assert "Kirito has token shield" in said(state, 0)
    assert cards(state, 0, "Items") == [
        ("Healing potion", "for anybody"), ("Coat of Midnight", "Kirito"),
    ]  # fmt: skip
    assert "Each turn the enemy loses 1" in said(fight("kirito", "asuna", scenario="scythe"), 0)


def test_a_seat_reads_its_own_skills_and_ability_in_words() -> None:
    state = fight("kirito", "lisbeth", scenario="giant")
    mine = said(state, 1)
    assert "A 3 or a 4: a 3/4, 1 damage" in mine
    assert "Three odd: 3 dice, each 1/3/5, 3 damage, token +2" in mine
    assert "Two threes: 3+3 alike, 12 damage, Piercing 10" in mine
    assert not any(line.startswith("Two fours") for line in mine)  # level 80
    assert "Ability: another regains an ability use" in mine
    assert "Ability: pick a die: set it to 1/6" in said(state, 0)
    assert not any("damage, token" in line for line in said(state, None))


@pytest.mark.parametrize(
    ("ability", "words"),
    [("set 1 to 1 6", "pick a die: set it to 1/6"),
     ("set 2 to 5", "pick up to 2 dice: set them to 5"),
     ("flip 1", "pick a die: turn it over"), ("flip 2", "pick up to 2 dice: turn them over"),
     ("shift", "pick a die: all of its value go 1 up or down"),
     ("restore", "another regains an ability use")],
)  # fmt: skip
def test_abilities_are_said_in_words(ability: str, words: str) -> None:
    assert power_name(power(ability)).show() == words


@pytest.mark.parametrize(
    ("pattern", "dice", "words"),
    [("same", 2, "2 alike"), ("run", 5, "a run of 5"), ("different", 4, "4 different"),
     ("= 6", 1, "a 6"), ("= 1 1 2", 3, "1 1 2"), ("sum >= 10", 2, "2 dice, sum 10 or more"),
     ("sum <= 4", 2, "2 dice, sum 4 or less"), ("from 5 6", 1, "a 5/6"),
     ("from 2 4 6", 3, "3 dice, each 2/4/6"), ("sets 2 2 2", 6, "2+2+2 alike")],
)  # fmt: skip
def test_patterns_are_said_in_words(pattern: str, dice: int, words: str) -> None:
    assert pattern_name(pattern, dice).show() == words


def test_plans_are_offered_best_first_with_what_each_leads_to() -> None:
    state = throw(fight("kirito", "silica", turn="silica"), "123", "556")
    first = view(state, 1).choices[0]
    assert first.label.show() == "7 damage, switch"
    assert first.detail.show() == "switch, no counterattack, token shield, token die control"
    state = fight("kirito", "asuna", scenario="illfang")
    first = view(throw(state, "224", "135"), 0).choices[0]
    assert first.detail.show() == "4 1 3 5 unused: counterattack 3 to Kirito"


@pytest.mark.rule("sao", "R66", "H2")
def test_yui_and_the_shield_are_marked_as_ours_while_they_are_in_play() -> None:
    state = fight("kirito", "silica", scenario="twins")
    assert "Partly house values: Kirito, Silica" in said(state, 0)
    state = token(replace(state, yui=1), "shield", "kirito", "silica")
    assert "Partly house values: Kirito, Silica, Yui, shield" in said(state, 0)
    told = (("yui", "uses", 1), ("shield", "absorbs", 4))
    state = fight("kirito", "silica", scenario="twins", yui=1, corrections=told)
    state = token(state, "shield", "kirito", "silica")
    assert "Partly house values: Kirito, Silica" in said(state, 0)


@pytest.mark.rule("sao", "R5", "H1")
def test_only_the_sides_of_ones_own_token_are_offered_for_a_skill() -> None:
    state = start(2, ("kirito", "lisbeth"), Options(cards="table"))
    state = done(state, Told(0, "pkguild"))
    asked = [c.action for c in view(state, 0).choices if isinstance(c.action, Correct)]
    of = {one.card for one in asked if one.field.endswith(".addition")}
    assert of == {"lisbeth"}  # Kirito has no token to give
    state = done(state, Correct(0, "lisbeth", "skill1.addition"))
    assert [c.label.show() for c in view(state, 0).choices] == ["none", "+2", "x2"]


@pytest.mark.rule("sao", "R56", "R57", "R58")
def test_in_the_last_step_a_plan_says_whom_the_enemy_strikes_or_that_it_is_won() -> None:
    state = throw(fight("kirito", "asuna", scenario="final", step=1), "2244", "1155", "2")
    assert [(c.label.show(), c.detail.show()) for c in strikes(state, 0)] == [
        ("12 damage", "counterattack 10 to Asuna")
    ]
    state = replace(state, damage=48)
    assert strikes(state, 0)[0].detail.show() == "the game is won"


@pytest.mark.rule("sao", "R57")
def test_in_the_last_step_using_up_all_dice_is_no_reason_for_less_damage() -> None:
    kirito = (("kirito", "skill4.pattern", "different"), ("kirito", "skill4.damage", 0))
    state = fight("kirito", "asuna", scenario="final", step=1, corrections=kirito)
    state = throw(state, "2123", "4526", "2")
    assert [plan.complete for plan in state.plans()] == [False, True]
    assert [c.label.show() for c in strikes(state, 0)] == ["3 damage"]


@pytest.mark.rule("sao", "R68", "R70")
def test_a_plan_promises_no_token_that_is_given_and_no_healing_of_the_unhurt() -> None:
    state = fight("kirito", "lisbeth", turn="lisbeth", scenario="illfang", step=3)
    state = throw(state, "135", "246")
    ready = "switch, no counterattack, token +2, token x2"
    assert [c.detail.show() for c in strikes(state, 1)] == [ready]
    given = token(state, "x2", "kirito", "lisbeth")
    assert [c.detail.show() for c in strikes(given, 1)] == ["switch, no counterattack"]
    state = throw(
        fight("kirito", "silica", turn="silica", scenario="illfang", step=3), "555", "124"
    )
    assert [c.label.show() for c in strikes(state, 1)] == ["6 damage", "5 damage"]
    assert strikes(state, 1)[0].detail.show() == "1 4 unused: counterattack 5 to Silica"
    assert strikes(state, 1)[1].detail.show().endswith("token shield")
    given = token(state, "control", "kirito", "silica")
    assert [c.label.show() for c in strikes(given, 1)] == ["6 damage"]
    hurt = hero(given, 0, hp=1)
    assert strikes(hurt, 1)[0].detail.show() == "1 4 unused: counterattack 5 to Silica, heals 3"


@pytest.mark.rule("sao", "R72", "R79")
def test_a_skill_of_its_own_says_the_damage_that_it_does_now() -> None:
    state = fight("kirito", "asuna", scenario="giant", kit=(Owned("repulser", 0),))
    state = done(throw(state, "2213", "415"), Stand(0), Mark(0, 0), Mark(0, 1))
    offered = {c.label.show(): c.detail.show() for c in view(state, 0).choices}
    assert offered["Vertical Arc"] == "2 damage"  # 4 + 1 - 3
    # in the last step Defense 5 is taken off the sum once, so the second skill counts whole
    state = throw(fight("kirito", "asuna", scenario="final", step=1), "2244", "1135", "2")
    state = done(state, Stand(0), Trigger(0, 1, (0, 1)), Mark(0, 2), Mark(0, 3))
    offered = {c.label.show(): c.detail.show() for c in view(state, 0).choices}
    assert offered["Vertical Arc"] == "3 damage"  # 8 - 5, after none for the first


@pytest.mark.rule("sao", "H2", "R72")
def test_yui_says_what_the_enemy_would_take() -> None:
    state = fight("kirito", "asuna", scenario="reaper", yui=1)
    state = done(throw(state, "1235", "1235"), Stand(0), Finish(0))
    assert view(state, 0).choices[0].detail.show() == "the enemy takes 5 instead"


@pytest.mark.rule("sao", "R63")
def test_an_ability_that_costs_nothing_this_turn_says_so() -> None:
    state = hero(throw(fight("kirito", "asuna", difficulty="easy"), "123", "456"), 0, uses=0)
    ability = Ability(0, 0, (1,), 6)
    offered = {c.action: c for c in view(done(state, Mark(0, 1)), 0).choices}
    assert (offered[ability].detail.show(), offered[ability].barred) == ("free this turn", "")
    later = done(state, ability, Mark(0, 0))
    offered = {c.action: c for c in view(later, 0).choices}
    used = offered[Ability(0, 0, (0,), 6)]
    assert (used.detail.show(), used.barred) == ("0 of 1 uses left", "R24")


def test_barred_choices_name_their_rule() -> None:
    state = hero(fight("kirito", "asuna", "agil"), 1, exhausted=True)
    assert labels(state, 0) == {"Chain Agil": "", "Chain Asuna": "R15"}
    state = throw(fight("kirito", "asuna", scenario="dragon", step=1), "1234", "123")
    assert labels(done(state, Mark(0, 0)), 0)["Set 1 to 6"] == "R75"
    state = done(hero(throw(fight("kirito", "asuna"), "123", "456"), 0, uses=0), Mark(0, 1))
    assert labels(state, 0)["Set 1 to 6"] == "R24"
    kit = (Owned("potion"),)
    state = hero(fight("kirito", "asuna", scenario="kuradeel", kit=kit), 1, hp=1)
    assert labels(state, 0)["Healing potion: Asuna"] == "R76"
    state = throw(fight("kirito", "asuna"), "666", "666")
    state = done(state, Stand(0), *(Mark(0, die) for die in range(6)))
    assert labels(state, 0)["Six alike"] == "R25"


def test_the_partner_is_offered_dice_and_his_ability_but_not_the_strike() -> None:
    state = done(throw(fight("kirito", "asuna"), "123", "456"), Mark(1, 0))
    offered = view(state, 1).choices
    assert not any(isinstance(choice.action, Strike | Stand) for choice in offered)
    assert Ability(1, 1, (0,), 0) in [choice.action for choice in offered]
    assert Again(1, (0,)) in [choice.action for choice in offered]


def test_labels_fit_a_small_display() -> None:
    for party in (("kirito", "asuna", "agil"), ("kirito", "lisbeth", "silica")):
        state = fight(*party, scenario="giant", kit=(Owned("tonic"), Owned("potion")))
        state = hero(hero(state, 0, uses=0, hp=1), 1, hp=1)
        states = [state, done(state, Chain(0, 1))]
        states.append(throw(states[-1], "1234", "456"))
        states.append(done(states[-1], Mark(0, 1), Mark(0, 2)))
        for one in states:
            for seat in range(3):
                long = [name for name in labels(one, seat) if len(name) > 24]
                assert not long


def test_alone_one_reads_which_skill_is_whose_and_choosing_one_reads_what_each_can() -> None:
    lines = said(fight("kirito", "silica", solo=True), 0)
    assert "Kirito, Vertical Arc: 2 alike, 4 damage" in lines
    assert "Silica, A single 2: a 2, 1 damage" in lines
    assert "Silica, Ability: pick a die: all of its value go 1 up or down" in lines
    offered = {c.label.show(): c.detail.show() for c in view(SAO.new(2, SAO.options()), 0).choices}
    assert offered["Asuna"] == "8 HP; pick up to 2 dice: turn them over"
    assert offered["Lisbeth"] == "8 HP; another regains an ability use"


def test_soft_mode_does_what_only_a_rule_forbids() -> None:
    state = hero(fight("kirito", "asuna", "agil"), 1, exhausted=True)
    assert force(state, Chain(0, 1)).partner == 1
    state = throw(fight("kirito", "asuna"), "666", "666")
    spent = hero(state, 0, uses=0)
    assert force(spent, Ability(0, 0, (0,), 1)).dice[0].face == 1
    thrice = replace(state, rerolls=2)
    assert force(thrice, Again(0, (0,))).phase == "roll"
    unlearnt = force(done(state, Stand(0)), Trigger(0, 3, (0, 1, 2, 3, 4, 5)))
    possible(unlearnt)
    assert done(unlearnt, Finish(0)).damage == 16
    dry = hero(fight("kirito", "asuna", scenario="kuradeel", kit=(Owned("potion"),)), 1, hp=1)
    assert hp(force(dry, Consume(0, "potion", 1)))[1] == 12
    early = force(fight("kirito", "asuna"), Exchange(0, 0))
    possible(early)
    with pytest.raises(Illegal):
        force(state, Chain(0, 9))


def test_the_table_has_the_last_word_on_every_number() -> None:
    state = done(fight("kirito", "lisbeth", "agil"), Chain(0, 1))
    keys = {counter.key for counter in counters(state)}
    assert keys == {"enemy", "rerolls", "hp0", "hp1", "hp2", "uses0", "uses1", "uses2",
                    "tired0", "tired1", "tired2", "token00", "token02"}  # fmt: skip
    assert overrule(state, "enemy", 5).damage == 15
    assert hp(overrule(state, "hp1", 2)) == (10, 2, 12)
    assert overrule(state, "token02", 2).tokens[0].side == "x2"
    assert overrule(state, "token02", 2).tokens[0].holder == 2
    assert overrule(overrule(state, "token02", 2), "token02", 0).tokens[0].holder == -1
    with pytest.raises(BadState, match="luck"):
        overrule(state, "luck", 3)
    with pytest.raises(Illegal, match="1 to 10, not 11"):
        overrule(state, "hp0", 11)


def test_a_ruling_that_tires_all_others_does_not_leave_the_turn_player_stuck() -> None:
    state = overrule(fight("kirito", "asuna", "agil"), "tired1", 1)
    state = overrule(state, "tired2", 1)
    assert not any(one.exhausted for one in state.heroes)


def test_moves_are_told_in_the_words_of_the_table() -> None:
    state = done(fight("kirito", "asuna", "agil"), Chain(0, 1))
    state = throw(state, "223", "446")
    plan = state.plans()[0]
    assert SAO.tell(state, Strike(0, plan.uses), None).show() == (
        "Kirito: Rage Spike, Vertical Arc, Vertical Arc: 9 damage"
    )
    assert SAO.tell(state, Again(0, (0, 2)), 1).show() == "Thrown again: 2 3"
    assert SAO.tell(state, Ability(1, 1, (0, 1), 0), 1).show() == "Asuna's ability on 2 2"
