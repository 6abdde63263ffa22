"""Every character and every card text of Sainome Colosseum does what it says."""

from __future__ import annotations

import pytest

from companion.games.sainome import SAINOME
from companion.games.sainome import actions as do
from companion.games.sainome.state import State
from companion.memory.codec import redacted
from companion.plain import plain
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
    worn,
)

SWORDSMAN, MAGICIAN = Lay("swordsman"), Lay("magician")
SISTER, PRINCESS = Lay("sister"), Lay("princess")


def struck(mine: Lay, theirs: Lay, *dice: int) -> State:
    """A attacks and throws these."""
    return after(board(mine, theirs), do.Strike(A), thrown(*dice))


# --- characters -----------------------------------------------------------------------------------


@pytest.mark.rule("sainome", "R30", "R33", "R34")
def test_the_swordsman_adds_one_to_weapons_and_awakened_two_names_a_star_and_picks_a_die() -> None:
    state = struck(SWORDSMAN._replace(up="dagger", left="saw"), PRINCESS, 2)
    assert hp(state) == (10, 8)
    assert hp(struck(SWORDSMAN._replace(left="saw"), PRINCESS, 4)) == (10, 8)  # no weapon
    mine = SWORDSMAN._replace(up="dagger", left="longsword", awake=True)
    state = after(board(mine, PRINCESS), do.Strike(A))
    assert state.phase == "declare"  # before the roll
    refused(state, thrown(4), "R22")
    assert "2 to 5" in refused(state, do.Name(A, 6), "R34")
    state = after(state, do.Name(A, 4))
    dice = SAINOME.waiting(state).dice
    assert dice is not None
    assert dice.bodies == ("black", "black")
    state = after(state, thrown(1, 4))
    refused(state, do.Pick(A, 5), "R22")
    state = after(state, do.Pick(A, 4))  # the star slot and the left one
    state = after(state, do.Next(A, UP), do.GoOn(B))
    assert hp(state) == (10, 10 - 3 - 5)


@pytest.mark.rule("sainome", "R33")
@pytest.mark.parametrize("character", ["swordsman", "princess"])
def test_three_hp_awaken_the_swordsman_and_the_princess(character: str) -> None:
    theirs = Lay(character, hp=5)
    four = struck(MAGICIAN._replace(up="dagger"), theirs, 2)
    assert (hp(four)[B], four.sides[B].awakened) == (4, False)
    three = struck(MAGICIAN._replace(right="thunderbolt"), theirs, 3)
    assert (hp(three)[B], three.sides[B].awakened) == (3, True)
    before = board(MAGICIAN._replace(right="thunderbolt"), theirs)
    before = after(before, do.Strike(A))
    assert "awakens" in SAINOME.tell(before, thrown(3), None).show()


@pytest.mark.rule("sainome", "R33", "R35", "R45")
def test_the_magician_awakens_by_discarding_and_turns_back_by_the_draw_action() -> None:
    state = after(board(MAGICIAN._replace(hand=("saw", "sai")), PRINCESS), do.End(A))
    assert not after(state, do.GoOn(A)).sides[A].awakened
    assert after(state, do.Discard(A, "saw")).sides[A].awakened
    awake = board(MAGICIAN._replace(hand=("steal", "restart"), awake=True),
                  PRINCESS._replace(hand=("saw", "dagger")))  # fmt: skip
    stolen = after(awake, do.Play(A, "steal"), do.Target(A, "saw"))  # T10
    assert (stolen.sides[A].awakened, stolen.sides[A].hand) == (True, ("restart", "saw"))
    again = SAINOME.apply(awake, do.Play(A, "restart"))
    assert SAINOME.chance is not None
    again = after(again, SAINOME.chance(again, lambda n: n - 1))
    assert again.sides[A].awakened
    assert not after(awake, do.Draw(A)).sides[A].awakened


@pytest.mark.rule("sainome", "R44", "R34")
def test_t9_the_boost_is_for_magic_without_catalysts_too() -> None:
    state = struck(MAGICIAN._replace(up="fireball", awake=True), PRINCESS, 2)
    assert hp(state) == (10, 8)
    normal = struck(MAGICIAN._replace(up="earthquake"), PRINCESS, 2)
    assert hp(normal) == (10, 6)  # no catalysts either way
    weapon = struck(MAGICIAN._replace(up="dagger", awake=True), PRINCESS, 2)
    assert hp(weapon) == (10, 9)


@pytest.mark.rule("sainome", "R34")
def test_the_awakened_magician_rolls_again_for_a_card_as_often_as_he_has_cards() -> None:
    mine = MAGICIAN._replace(right="thunderbolt", hand=("saw", "sai"), awake=True)
    state = struck(mine, PRINCESS, 1)
    refused(state, do.Again(A, "dagger"), "R34")
    state = after(state, do.Again(A, "saw"), thrown(1), do.Again(A, "sai"), thrown(3))
    assert (hp(state), state.sides[A].hand) == ((10, 7), ())
    kept = after(struck(mine, PRINCESS, 1), do.GoOn(A))
    assert hp(kept) == (10, 10)


@pytest.mark.rule("sainome", "R30", "R33", "R35")
def test_the_sister_guards_with_attached_cards_awakens_when_hurt_and_turns_back() -> None:
    theirs = SISTER._replace(up="dagger", left="ice_edge")
    state = struck(MAGICIAN._replace(right="claymore"), theirs, 3)
    assert legal(state, B) == [do.GoOn(B), do.Guard(B, UP), do.Guard(B, LEFT)]
    refused(state, do.Guard(B, DOWN), "R30")
    state = after(state, do.Guard(B, UP), do.GoOn(B))
    assert (hp(state), worn(state, B)) == ((10, 8), {"left": "ice_edge"})
    assert state.sides[B].awakened
    state = after(state, do.End(A), do.End(B))
    state = after(state, do.GoOn(B))
    assert (state.mover, state.sides[B].awakened) == (A, False)
    whole = struck(MAGICIAN._replace(up="dagger"), SISTER._replace(up="dagger"), 2)
    safe = after(whole, do.Guard(B, UP))
    assert (hp(safe), safe.sides[B].awakened) == ((10, 10), False)  # nothing taken


@pytest.mark.rule("sainome", "R34")
def test_the_awakened_sister_triples_saws_and_with_two_empty_slots_forbids_counters() -> None:
    mine = SISTER._replace(left="saw", awake=True)
    theirs = PRINCESS._replace(hand=("substitution", "weighted_dice"))
    state = struck(mine, theirs, 4)
    assert hp(state) == (10, 4)
    full = mine._replace(up="dagger", right="claymore")
    state = struck(full, theirs, 4)
    assert state.phase == "dodge"
    state = after(state, do.GoOn(B), do.Counter(B, "substitution"))
    assert hp(state) == (10, 10)


@pytest.mark.rule("sainome", "R30", "R34", "R27")
def test_the_princess_adds_one_on_a_six_and_awakened_stings_on_a_miss() -> None:
    state = struck(PRINCESS._replace(hand=("dagger",)), MAGICIAN, 6)
    assert hp(after(state, do.Use(A, "dagger", 4))) == (10, 8)
    awake = PRINCESS._replace(awake=True, up="battle_axe")
    assert hp(struck(awake, MAGICIAN, 2)) == (10, 8)
    assert hp(struck(awake, MAGICIAN, 4)) == (10, 10)  # an empty slot of hers is a plain miss
    assert hp(struck(awake, MAGICIAN, 6)) == (10, 10)
    assert hp(struck(awake, MAGICIAN, 5)) == (10, 8)


# --- the cards ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("die", "left"), [(2, 7), (4, 7), (5, 9), (1, 9)])
def test_the_longbow_rolls_for_one_more_or_one_less(die: int, left: int) -> None:
    state = struck(MAGICIAN._replace(right="longbow"), PRINCESS, 3)
    assert state.throw == "luck"
    assert hp(after(state, thrown(die))) == (10, left)


def test_the_sickle_takes_an_attached_card_and_attaches_it_at_once() -> None:
    mine = MAGICIAN._replace(up="sickle_and_chain")
    theirs = PRINCESS._replace(left="dagger", right="claymore")
    state = struck(mine, theirs, 2)
    targets = [a.what for a in legal(state, A)]
    assert targets == [*(f"{LEFT} {mine}" for mine in range(4)), f"{RIGHT} {RIGHT}"]
    state = after(state, do.Target(A, f"{LEFT} {UP}"))
    assert (worn(state, A), worn(state, B)) == ({"up": "dagger"}, {"right": "claymore"})
    assert state.discard == ("sickle_and_chain",)


def test_meteor_storm_does_as_much_as_is_really_discarded() -> None:
    mine = MAGICIAN._replace(down="meteor_storm", hand=("saw", "sai", "dagger", "ray", "bomb"))
    state = struck(mine, PRINCESS, 5)
    assert hp(after(state, do.GoOn(A))) == (10, 10)
    for card in ("saw", "sai", "dagger", "ray"):
        state = after(state, do.Discard(A, card))
    assert (hp(state), state.sides[A].hand) == ((10, 6), ("bomb",))  # four at most


@pytest.mark.rule("sainome", "R12")
def test_shadow_bind_takes_one_action_of_the_next_turn() -> None:
    state = struck(MAGICIAN._replace(up="shadow_bind"), PRINCESS, 2)
    state = after(state, do.End(A))
    assert (state.mover, state.allowed()) == (B, 1)
    state = after(state, do.Strike(B), thrown(1))
    assert state.phase == "trash"
    state = after(state, do.GoOn(B), do.End(A))
    assert (state.mover, state.allowed()) == (B, 2)


def test_the_bomb_discards_an_attached_card_and_knives_one_of_the_hand_at_random() -> None:
    theirs = PRINCESS._replace(left="dagger", right="claymore")
    state = after(struck(MAGICIAN._replace(up="bomb"), theirs, 2), do.Target(A, str(RIGHT)))
    assert (worn(state, B), state.discard) == ({"left": "dagger"}, ("bomb", "claymore"))
    knives = MAGICIAN._replace(up="throwing_knives")
    state = struck(knives, PRINCESS._replace(top=("saw", "sai")), 2)
    assert state.discard == ("throwing_knives", "saw")  # one card, no chance needed
    state = struck(knives, PRINCESS._replace(hand=("ray", "longbow"), top=("saw",)), 2)
    state = SAINOME.apply(after(state, do.GoOn(B)), do.GoOn(B))
    assert SAINOME.waiting(state).chance
    assert SAINOME.chance is not None
    fated = SAINOME.chance(state, lambda n: n - 2)
    assert fated == do.Fated("1")
    refused(state, do.Fated("7"), "H3")
    refused(state, do.GoOn(A), "R11")
    assert after(state, fated).sides[B].hand == ("ray", "saw")
    refused(after(state, fated), do.Fated("0"), "H3")


def test_playing_cards_count_what_is_attached_themselves_included_and_stay() -> None:
    mine = MAGICIAN._replace(up="playing_cards", left="dagger", right="claymore")
    state = struck(mine, PRINCESS, 2)
    assert (hp(state), worn(state, A)["up"]) == ((10, 7), "playing_cards")  # N-A13


@pytest.mark.rule("sainome", "R28")
def test_the_large_sack_does_no_damage_and_raises_the_limit_by_two() -> None:
    hand = ("saw", "sai", "dagger", "ray", "bomb", "longbow", "crossbow")
    state = struck(MAGICIAN._replace(up="large_sack", hand=hand), PRINCESS, 2)
    assert (hp(state), worn(state, A)) == ((10, 10), {"up": "large_sack"})
    assert after(state, do.End(A), do.GoOn(A)).mover == B


@pytest.mark.rule("sainome", "R39")
@pytest.mark.parametrize(("card", "left"), [("steel_armor", 9), ("substitution", 10)])
def test_armor_leaves_one_and_a_substitution_nothing(card: str, left: int) -> None:
    state = struck(MAGICIAN._replace(right="claymore"), PRINCESS._replace(hand=(card,)), 3)
    assert hp(after(state, do.GoOn(B), do.Counter(B, card))) == (10, left)


@pytest.mark.rule("sainome", "R22", "H6")
def test_weighted_dice_replace_the_roll_by_one_of_two() -> None:
    theirs = PRINCESS._replace(hand=("weighted_dice", "saw", "steel_armor"))
    state = struck(MAGICIAN._replace(right="claymore"), theirs, 3)
    assert "change a roll" in refused(state, do.Counter(B, "saw"), "R39")
    state = after(state, do.Counter(B, "weighted_dice"))
    dice = SAINOME.waiting(state).dice
    assert dice is not None
    assert (dice.bodies, dice.by) == (("black", "black"), (B,))
    state = after(state, thrown(3, 1))
    assert (state.phase, SAINOME.waiting(state).seats) == ("weigh", (B,))
    assert hp(after(state, do.Pick(B, 1))) == (10, 10)
    hit = after(state, do.Pick(B, 3))
    assert hit.hit is not None
    assert hp(after(hit, do.Counter(B, "steel_armor"))) == (10, 9)  # one for roll, one for damage


@pytest.mark.rule("sainome", "R39")
@pytest.mark.parametrize(("dice", "left"), [((4, 1), 1), ((1, 4), 1), ((2, 3), 0)])
def test_guts_keeps_one_hp_if_a_named_number_falls(dice: tuple[int, int], left: int) -> None:
    theirs = PRINCESS._replace(hand=("guts",), hp=3)
    state = after(struck(MAGICIAN._replace(right="claymore"), theirs, 3), do.GoOn(B))
    state = after(state, do.Counter(B, "guts"))
    refused(state, do.GoOn(B), "H3")
    refused(state, do.Name(B, 7), "H3")
    state = after(state, do.Name(B, 4), thrown(*dice))
    assert hp(state)[B] == left
    mild = struck(MAGICIAN._replace(right="claymore"), theirs._replace(hp=4), 3)
    assert "not for this" in refused(after(mild, do.GoOn(B)), do.Counter(B, "guts"), "R39")


@pytest.mark.rule("sainome", "R43", "R46", "H5")
def test_t11_a_time_bomb_goes_off_first_and_then_the_sister_turns_back() -> None:
    mine, theirs = MAGICIAN._replace(hand=("time_bomb",)), SISTER._replace(awake=True)
    state = after(board(mine, theirs), do.Play(A, "time_bomb"), do.Target(A, str(LEFT)))
    assert (worn(state, B), hp(state)) == ({"left": "time_bomb"}, (10, 10))
    state = after(state, do.End(A))
    assert state.mover == B
    state = after(state, do.End(B))
    assert (hp(state), worn(state, B), state.sides[B].awakened) == ((10, 8), {}, True)
    assert state.phase == "trash"
    state = after(state, do.GoOn(B))
    assert not state.sides[B].awakened
    assert "time_bomb" in state.discard
    normal = after(board(mine, SISTER), do.Play(A, "time_bomb"), do.Target(A, "0"), do.End(A))
    normal = after(normal, do.End(B))
    assert normal.sides[B].awakened  # N-A14
    full = PRINCESS._replace(up="saw", left="dagger", down="bomb", right="claymore")
    refused(board(mine, full), do.Play(A, "time_bomb"), "R21")


@pytest.mark.rule("sainome", "R43", "R18")
@pytest.mark.parametrize("how", ["reequip", "quick_change", "restart"])
def test_a_time_bomb_comes_off_by_re_equipping_quick_change_or_restart(how: str) -> None:
    mine = MAGICIAN._replace(up="time_bomb", right="claymore", hand=("quick_change", "restart"))
    state = board(mine, PRINCESS)
    assert hp(after(state, do.Strike(A), thrown(2))) == (10, 10)  # a bomb is no weapon of mine
    if how == "reequip":
        state = after(state, do.Reequip(A))
    else:
        state = SAINOME.apply(state, do.Play(A, how))
    if how == "restart":
        assert SAINOME.chance is not None
        state = after(state, SAINOME.chance(state, lambda n: n - 1))
    assert "time_bomb" not in worn(state, A).values()
    if how != "restart":
        assert "time_bomb" in state.discard  # N-A15
        assert "claymore" in state.sides[A].hand
        state = after(state, do.GoOn(A))
    if how == "quick_change":
        state = after(state, thrown(1))
    state = after(state, do.End(A)) if state.phase == "act" else state
    assert hp(state) == (10, 10)


def test_a_time_bomb_of_an_owner_who_says_it_is_a_counter_is_attached_to_the_attacker() -> None:
    fix = (("time_bomb", "use", "counter"), ("time_bomb", "text", "counter: plant; trash: blast 2"))
    theirs = PRINCESS._replace(hand=("time_bomb",))
    state = board(MAGICIAN._replace(up="dagger"), theirs, fix=fix)
    state = after(state, do.Strike(A), thrown(2), do.GoOn(B), do.Counter(B, "time_bomb"))
    state = after(state, do.Target(B, str(LEFT)))
    assert (worn(state, A), hp(state)) == ({"left": "time_bomb"}, (10, 9))
    state = after(state, do.End(A))
    assert hp(state) == (8, 9)


@pytest.mark.rule("sainome", "R21")
def test_aimless_barrage_throws_everything_attached_when_behind() -> None:
    mine = MAGICIAN._replace(hand=("aimless_barrage",), up="dagger", left="saw", hp=4)
    state = after(board(mine, PRINCESS), do.Play(A, "aimless_barrage"))
    assert (hp(state), worn(state, A), len(state.discard)) == ((4, 8), {}, 3)


def test_bartering_swaps_hands_and_hypnotism_returns_an_attached_card() -> None:
    mine = MAGICIAN._replace(hand=("bartering", "saw"))
    state = after(board(mine, PRINCESS._replace(hand=("sai", "ray"))), do.Play(A, "bartering"))
    assert [side.hand for side in state.sides] == [("sai", "ray"), ("saw",)]
    mine = MAGICIAN._replace(hand=("hypnotism",))
    state = after(board(mine, PRINCESS._replace(up="saw")), do.Play(A, "hypnotism"))
    assert (worn(state, B), state.sides[B].hand) == ({}, ("saw",))


@pytest.mark.rule("sainome", "R15")
def test_choice_of_two_attacks_with_either_die() -> None:
    mine = MAGICIAN._replace(hand=("choice_of_two",), right="claymore")
    state = after(board(mine, PRINCESS), do.Play(A, "choice_of_two"), thrown(1, 3), do.Pick(A, 3))
    assert (hp(state), state.done) == ((10, 7), ("instant",))


@pytest.mark.rule("sainome", "R33", "R35")
def test_overdrive_awakens_until_the_own_trash_phase() -> None:
    mine = SWORDSMAN._replace(hand=("overdrive",), up="dagger")
    state = after(board(mine, PRINCESS), do.Play(A, "overdrive"))
    assert state.sides[A].awakened
    state = after(state, do.Strike(A), do.Name(A, 2), thrown(2, 2))
    assert hp(state) == (10, 7)
    assert not state.sides[A].awakened  # the trash phase began
    low = after(board(mine._replace(awake=True), PRINCESS), do.Play(A, "overdrive"), do.End(A))
    assert low.sides[A].awakened


def test_reckless_assault_rolls_a_die_for_each_card_two_at_a_time() -> None:
    hand = ("reckless_assault", "saw", "sai", "dagger")
    refused(board(MAGICIAN._replace(hand=hand), PRINCESS), do.Play(A, "reckless_assault"), "R21")
    state = board(MAGICIAN._replace(hand=hand, hp=1), PRINCESS)
    state = after(state, do.Play(A, "reckless_assault"), thrown(4, 3))
    dice = SAINOME.waiting(state).dice
    assert dice is not None
    assert len(dice.bodies) == 1
    state = after(state, thrown(6))
    assert (hp(state), state.sides[A].hand, len(state.discard)) == ((1, 8), (), 4)


def test_restart_shuffles_all_but_hp_and_deals_five_each() -> None:
    mine = MAGICIAN._replace(hand=("restart", "saw"), up="dagger")
    state = SAINOME.apply(board(mine, PRINCESS._replace(left="sai")), do.Play(A, "restart"))
    assert (len(state.discard), state.deck) == (30, ())
    assert SAINOME.chance is not None
    state = after(state, SAINOME.chance(state, lambda n: n - 1))
    assert ([len(s.hand) for s in state.sides], worn(state, A), worn(state, B)) == ([5, 5], {}, {})
    assert (hp(state), len(state.deck)) == ((10, 10), 20)


def test_steal_shows_the_other_hand_to_the_thief_alone_and_takes_a_card() -> None:
    mine, theirs = MAGICIAN._replace(hand=("steal",)), PRINCESS._replace(hand=("saw", "ray"))
    state = after(board(mine, theirs), do.Play(A, "steal"))
    assert [c.label.show() for c in SAINOME.view(state, A).choices] == ["Saw", "Ray"]
    assert "Ray" not in str(SAINOME.view(state, None))
    assert SAINOME.tell(state, do.Target(A, "ray"), None).show() == "Seat 1 takes a card"
    assert redacted(do.Target(A, "ray"))["what"] is None  # nor does an export say which
    state = after(state, do.Target(A, "ray"))
    assert [side.hand for side in state.sides] == [("ray",), ("saw",)]
    refused(board(mine, PRINCESS), do.Play(A, "steal"), "R21")


@pytest.mark.rule("sainome", "R9", "R31")
def test_while_restart_shuffles_nobody_reads_hands_or_deck_off_the_pile() -> None:
    mine = MAGICIAN._replace(hand=("restart", "dagger"))
    state = after(board(mine, SISTER._replace(hand=("guts", "saw"))), do.Play(A, "restart"))
    assert SAINOME.waiting(state).chance
    for seat in (None, A, B):
        shown = "\n".join(plain(SAINOME.view(state, seat)))
        assert "newest first" not in shown
        assert "Guts" not in shown
        assert "Dagger" not in shown
