"""The attack of Sainome Colosseum: slots, sixes, duplicates, Charge, damage, counter cards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.sainome import SAINOME
from companion.games.sainome import actions as do
from companion.games.sainome.state import IN_HAND, State
from tests.games.sainome_table import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    A,
    B,
    Lay,
    after,
    board,
    hp,
    legal,
    refused,
    thrown,
    with_its_six,
    worn,
)

MAGICIAN, PRINCESS = Lay("magician"), Lay("princess")


def attack(mine: Lay, theirs: Lay, *dice: int) -> State:
    """A attacks and throws these."""
    return after(board(mine, theirs), do.Strike(A), thrown(*dice))


@pytest.mark.rule("sainome", "R22", "R23", "R31")
def test_the_card_of_the_rolled_number_acts_hurts_and_is_discarded() -> None:
    theirs = PRINCESS._replace(top=("saw", "longsword", "sai", "ray"))
    state = attack(MAGICIAN._replace(right="claymore", up="dagger"), theirs, 3)
    assert hp(state) == (10, 7)
    assert state.sides[B].hand == ("saw", "longsword", "sai")  # from the HP stack into the hand
    assert (worn(state, A), state.discard) == ({"up": "dagger"}, ("claymore",))
    stays = attack(MAGICIAN._replace(down="crossbow"), PRINCESS, 5)
    assert (hp(stays), worn(stays, A)) == ((10, 9), {"down": "crossbow"})


@pytest.mark.rule("sainome", "R24")
@pytest.mark.parametrize("die", [1, 4])
def test_an_empty_slot_or_a_number_without_one_is_a_miss(die: int) -> None:
    state = attack(MAGICIAN._replace(up="dagger"), PRINCESS, die)
    assert (hp(state), worn(state, A)) == ((10, 10), {"up": "dagger"})
    assert state.report is not None
    assert state.report.end == "miss"


@pytest.mark.rule("sainome", "R25", "R26", "R37", "R38")
def test_t15_a_six_uses_one_card_with_the_6_from_hand_or_slot_or_none() -> None:
    mine = MAGICIAN._replace(hand=("fireball", "claymore"), up="saw", left="runesword")
    state = attack(mine, PRINCESS, 6)
    assert legal(state, A) == [
        do.Use(A, "saw", UP), do.Use(A, "fireball", IN_HAND), do.GoOn(A),
    ]  # fmt: skip
    passed = after(state, do.GoOn(A))
    assert (passed.discard, hp(passed)) == ((), (10, 10))
    out = after(state, do.Use(A, "fireball", IN_HAND))
    assert (out.discard, hp(out), worn(out, A)["up"]) == (("fireball",), (10, 9), "saw")
    there = after(state, do.Use(A, "saw", UP))
    assert (there.discard, hp(there)) == (("saw",), (10, 8))
    refused(there, do.Use(A, "fireball", IN_HAND), "R37")  # one at a time
    assert "has no 6" in refused(state, do.Use(A, "claymore", IN_HAND), "R37")
    assert "has no 6" in refused(state, do.Use(A, "runesword", LEFT), "R37")


@pytest.mark.rule("sainome", "R37")
def test_a_6_card_when_no_6_was_rolled_is_refused() -> None:
    state = board(MAGICIAN._replace(hand=("fireball",)), PRINCESS, chain="press")
    assert (
        refused(state, do.Use(A, "fireball", IN_HAND), "R37")
        == "A card with the 6 is used when a 6 is rolled"
    )
    missed = after(state, do.Strike(A), thrown(4))
    assert (
        refused(missed, do.Use(A, "fireball", IN_HAND), "R37")
        == "A card with the 6 is used when a 6 is rolled"
    )


@pytest.mark.rule("sainome", "R27", "R30", "R47", "R39")
def test_t14_two_fives_are_two_hits_and_one_armor_stops_one_of_them() -> None:
    mine = Lay("princess", up="battle_axe", down="cyclone", hand=("sai", "saw"))
    fix = (("cyclone", "damage", 3), ("cyclone", "catalyst", 0))
    theirs = MAGICIAN._replace(hand=("steel_armor",))
    state = board(mine, theirs, fix=fix)
    state = after(state, do.Strike(A), thrown(5), do.GoOn(B))
    assert [a.place for a in legal(state, A, do.Next)] == [UP, DOWN]
    refused(state, do.Next(A, LEFT), "R27")
    state = after(state, do.Next(A, DOWN))
    assert state.hit is not None
    assert state.hit.amount == 3
    state = after(state, do.Counter(B, "steel_armor"))
    assert hp(state) == (10, 9)  # 3 became 1, and then the axe by itself
    assert state.hit is not None
    assert state.hit.amount == 2
    refused(state, do.Counter(B, "steel_armor"), "R39")  # it is gone
    state = after(state, do.GoOn(B))
    assert (hp(state), worn(state, A)) == ((10, 7), {})


@pytest.mark.rule("sainome", "R23", "R27")
@pytest.mark.parametrize("first", [UP, DOWN])
def test_a_card_that_stays_acts_by_itself_too_when_a_charge_has_set_it_off(first: int) -> None:
    mine = Lay("princess", up="charge", down="crossbow")
    state = after(board(mine, MAGICIAN), do.Strike(A), thrown(5), do.Next(A, first), do.GoOn(B))
    assert (hp(state), worn(state, A)) == ((10, 6), {"down": "crossbow"})  # 1 + 2, and 1


@pytest.mark.rule("sainome", "R27")
def test_what_takes_the_place_of_a_card_that_a_charge_used_up_does_not_act() -> None:
    mine = Lay("princess", up="charge", down="sickle_and_chain")
    state = after(board(mine, MAGICIAN._replace(down="dagger")), do.Strike(A), thrown(5))
    state = after(state, do.Next(A, UP), do.Target(A, "2 2"))
    assert (state.phase, hp(state), worn(state, A)) == ("act", (10, 6), {"down": "dagger"})


@pytest.mark.rule("sainome", "R41")
def test_t6_charge_alone_is_the_only_card_lost() -> None:
    state = attack(MAGICIAN._replace(up="charge"), PRINCESS, 2)
    assert (hp(state), state.discard, worn(state, A)) == ((10, 10), ("charge",), {})


@pytest.mark.rule("sainome", "R42")
def test_t5_charge_on_charge_on_dagger_is_five_and_three_cards_go() -> None:
    mine = MAGICIAN._replace(up="charge", right="charge", left="dagger")
    state = attack(mine, PRINCESS, 2)
    assert [a.place for a in legal(state, A, do.Next)] == [LEFT, RIGHT]
    refused(state, do.Next(A, UP), "R41")
    state = after(state, do.Next(A, RIGHT))  # the second Charge has one card left to act with
    assert hp(state) == (10, 5)
    assert sorted(state.discard) == ["charge", "charge", "dagger"]
    plain = after(attack(mine, PRINCESS, 2), do.Next(A, LEFT))
    assert (hp(plain), worn(plain, A)) == ((10, 7), {"right": "charge"})


@pytest.mark.rule("sainome", "R39", "R47")
@pytest.mark.parametrize(("card", "damage", "taken"), [("chainsaw", 4, 2), ("cyclone", 5, 3)])
def test_t7_t8_one_shield_halves_and_a_second_one_is_refused(
    card: str, damage: int, taken: int
) -> None:
    mine = MAGICIAN._replace(down=card) if card == "cyclone" else MAGICIAN._replace(left=card)
    theirs = PRINCESS._replace(hand=("wooden_buckler", "wooden_buckler"))
    fix = (("cyclone", "damage", 5),)
    state = after(board(mine, theirs, fix=fix, chain="press"), do.Strike(A))
    state = after(state, thrown(5 if card == "cyclone" else 4), do.GoOn(B))
    assert state.hit is not None
    assert state.hit.amount == damage
    refused(state, do.Counter(B, "substitution"), "R39")
    state = after(state, do.Counter(B, "wooden_buckler"))
    assert hp(state) == (10, 10 - taken)
    assert "wooden_buckler" in state.sides[B].hand
    refused(state, do.Counter(B, "wooden_buckler"), "R11")  # the damage is done


@pytest.mark.rule("sainome", "R47")
def test_two_counters_at_once_are_refused_while_the_damage_is_open() -> None:
    theirs = Lay("sister", hand=("wooden_buckler", "steel_armor"), up="dagger")
    state = after(board(MAGICIAN._replace(left="chainsaw"), theirs), do.Strike(A), thrown(4))
    state = after(state, do.GoOn(B), do.Counter(B, "wooden_buckler"))
    assert refused(state, do.Counter(B, "steel_armor"), "R47") == "One counter card for each damage"
    assert do.Guard(B, UP) in legal(state, B)  # her skill is not a counter card


@pytest.mark.rule("sainome", "R39")
def test_a_counter_out_of_time_or_of_the_wrong_kind_is_refused() -> None:
    state = board(MAGICIAN._replace(hand=("steel_armor",), up="dagger"), PRINCESS._replace(
        hand=("steel_armor", "weighted_dice", "saw")[1:]))  # fmt: skip
    assert "waits for damage" in refused(state, do.Counter(A, "steel_armor"), "R39")
    state = after(state, do.Strike(A), thrown(2))
    assert state.phase == "dodge"
    state = after(state, do.GoOn(B))
    assert "does not stop" in refused(state, do.Counter(B, "weighted_dice"), "R39")
    assert "does not stop" in refused(state, do.Counter(B, "saw"), "R39")
    refused(state, do.Strike(B), "R30")


@pytest.mark.rule("sainome", "R32", "R31")
def test_t13_two_hp_and_three_damage_take_two_and_lose() -> None:
    state = attack(MAGICIAN._replace(right="claymore"), PRINCESS._replace(hp=2), 3)
    assert (hp(state), len(state.sides[B].hand)) == ((10, 0), 2)
    result = SAINOME.result(state)
    assert result is not None
    assert result.winners == (A,)
    assert not SAINOME.waiting(state)
    refused(state, do.GoOn(A), "R32")


@pytest.mark.rule("sainome", "H3")
def test_catalysts_are_paid_when_the_card_acts_and_without_them_nothing_happens() -> None:
    fix = (("magician", "text", ""),)
    poor = MAGICIAN._replace(up="earthquake", hand=("saw",))
    state = after(board(poor, PRINCESS, fix=fix), do.Strike(A), thrown(2))
    assert (hp(state), worn(state, A)) == ((10, 10), {"up": "earthquake"})  # N-A12
    assert state.report is not None
    assert state.report.end == "unpaid"
    rich = poor._replace(hand=("saw", "sai", "dagger"))
    state = after(board(rich, PRINCESS, fix=fix), do.Strike(A), thrown(2))
    refused(state, do.Discard(A, "claymore"), "H3")
    refused(state, do.GoOn(A), "H3")
    state = after(state, do.Discard(A, "saw"), do.Discard(A, "dagger"))
    assert (hp(state), state.sides[A].hand) == ((10, 6), ("sai",))
    from_hand = board(MAGICIAN._replace(hand=("ray",)), PRINCESS, fix=fix)
    state = after(from_hand, do.Strike(A), thrown(6))
    assert "lacks catalysts" in refused(state, do.Use(A, "ray", IN_HAND), "H3")


@pytest.mark.rule("sainome", "H4")
def test_each_effect_stands_on_the_glass_until_it_is_pressed_away_or_goes_on_by_itself() -> None:
    mine = Lay("princess", up="battle_axe", down="sickle_and_chain")
    state = after(board(mine, MAGICIAN, chain="press"), do.Strike(A), thrown(5), do.Next(A, UP))
    assert (state.phase, hp(state)) == ("pause", (10, 8))
    shown = [part.text.show() for part in SAINOME.view(state, None).parts[:2]]
    assert shown == ["Seat 2: 2 damage", "Battle Axe 2"]
    refused(state, do.Strike(A), "H4")
    state = after(state, do.GoOn(A), do.GoOn(B))
    assert (state.phase, hp(state)) == ("pause", (10, 6))
    assert after(state, do.GoOn(A)).phase == "act"
    flow = after(board(mine, MAGICIAN), do.Strike(A), thrown(5), do.Next(A, UP), do.GoOn(B))
    assert (flow.phase, hp(flow)) == ("act", (10, 6))


@pytest.mark.rule("sainome", "H4")
def test_the_victim_is_asked_whatever_the_hand_holds_as_long_as_a_counter_may_be_there() -> None:
    for card in ("saw", "steel_armor"):
        mine = MAGICIAN._replace(right="claymore")
        state = attack(mine, PRINCESS._replace(hand=(card,)), 3)
        assert (state.phase, SAINOME.waiting(state).seats) == ("dodge", (B,))
        state = after(state, do.GoOn(B))
        assert state.hit is not None
        assert SAINOME.waiting(state).seats == (B,)
    gone = ("wooden_buckler", "wooden_buckler", "steel_armor", "weighted_dice", "guts",
            "substitution")  # fmt: skip
    state = board(MAGICIAN._replace(right="claymore"), PRINCESS._replace(hand=("saw",)),
                  discard=gone)  # fmt: skip
    state = after(state, do.Strike(A), thrown(3))
    assert hp(state) == (10, 7)  # every counter card lies open: nobody is asked


@pytest.mark.rule("sainome", "H10")
@pytest.mark.parametrize(
    ("card", "left"),
    [("wooden_buckler", 8), ("steel_armor", 9), ("substitution", 10), ("guts", 7)],
)
def test_a_counter_card_used_by_its_6_lies_open_and_answers_the_next_damage_it_can(
    card: str, left: int
) -> None:
    state = with_its_six(card, PRINCESS._replace(up="claymore", hand=("dagger",)))
    assert (state.sides[A].ready, card in state.discard) == ((card,), False)
    state = after(state, do.End(A), do.Strike(B), thrown(5))
    assert hp(state)[A] == left
    used = card != "guts"  # that is for deadly damage alone
    assert (state.sides[A].ready, card in state.discard) == (() if used else (card,), used)


@pytest.mark.rule("sainome", "R47", "H10")
def test_what_lies_open_is_the_one_counter_card_of_that_damage_and_is_gone_after_it() -> None:
    theirs = PRINCESS._replace(up="claymore", down="longsword", hand=("dagger",))
    state = with_its_six("steel_armor", theirs, "substitution")
    state = after(state, do.End(A), do.GoOn(A), do.Strike(B), thrown(5), do.GoOn(A))
    state = after(state, do.Next(B, UP))
    assert (hp(state)[A], state.hit is not None) == (9, True)  # the second blow asks the hand
    assert hp(after(state, do.Counter(A, "substitution")))[A] == 9


@pytest.mark.rule("sainome", "H10")
def test_weighted_dice_used_by_their_6_answer_the_next_roll() -> None:
    state = with_its_six("weighted_dice", PRINCESS._replace(up="claymore", hand=("dagger",)))
    state = after(state, do.End(A), do.Strike(B), thrown(5))
    assert state.throw == "weigh"
    assert hp(after(state, thrown(1, 2), do.Pick(A, 1)))[A] == 10


@pytest.mark.rule("sainome", "H10")
def test_a_game_begun_under_older_rules_discards_a_counter_card_used_by_its_6() -> None:
    state = board(
        MAGICIAN._replace(hand=("steel_armor",)), PRINCESS, fix=(("steel_armor", "six", 1),)
    )
    state = replace(state, options=replace(state.options, rules=2))
    state = after(state, do.Strike(A), thrown(6), do.Use(A, "steel_armor", IN_HAND))
    assert (state.sides[A].ready, "steel_armor" in state.discard) == ((), True)
