"""Setting up, drawing, the one play of a turn, limits, and how a game of .hack//ENEMY ends."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion.games.hack import HACK
from companion.games.hack import actions as do
from companion.games.hack.cards import shipped
from companion.games.hack.kinds import CLASSES, ELEMENTS, KIND_NAMES, PC
from companion.games.hack.state import Hero, Options, State
from tests.games.hack_table import A, B, Lay, after, board, legal, refused

FIVE = ("mistral", "elk", "air_wand", "gladiator", "juk_rom")


def started(cards: str = "companion", first: tuple[str, str] = ("tetra_armor", "crim")) -> State:
    """Cut, shuffle and deal; by house destinies deck B begins here."""
    state = HACK.new(2, Options(cards=cards))
    if cards == "table":
        state = after(state, do.Destiny(A, 2), do.Destiny(B, 5))
    else:
        state = after(state, do.Cut(first))
    rng = random.Random(1)
    while HACK.waiting(state).chance:
        assert HACK.chance is not None
        state = after(state, HACK.chance(state, rng.randrange))
    return state


@pytest.mark.rule("hack", "R1")
def test_both_decks_have_forty_cards_in_the_copies_of_the_rulebook() -> None:
    decks = {key: Counter(cards) for key, cards in shipped().decks.items()}
    assert decks["a"] == {
        "adians_rod": 2, "air_wand": 3, "bt": 3, "elk": 3, "general_armor": 4, "gladiator": 3,
        "heavy_metal": 4, "juk_rom": 3, "la_repth": 1, "mistral": 3, "noble_cloak": 2,
        "ochimusha": 4, "swordmanoid": 4, "tetra_armor": 1,
    }  # fmt: skip
    assert decks["b"] == {
        "alpha_ichigoro": 3, "baby_worm": 2, "chicken_hand": 3, "crim": 3, "ectoplasm": 2,
        "fiend_menhir": 3, "firedrake_mail": 1, "gardenia": 3, "lavaman_spear": 3,
        "magical_goblin": 4, "noisy_wisp": 3, "parasite_dragon": 2, "water_spear": 3,
        "wood_harpy": 2, "wyrm_hide": 3,
    }  # fmt: skip
    assert decks["a"].total() == decks["b"].total() == 40


@pytest.mark.rule("hack", "R2", "R3", "R4")
def test_every_card_is_of_one_kind_has_one_element_or_none_and_every_pc_a_class() -> None:
    for card in shipped().cards.values():
        assert card.kind in KIND_NAMES
        assert card.element in ("", *ELEMENTS)
        assert (card.pc_class in CLASSES) == (card.kind == PC)
    assert (len(ELEMENTS), len(CLASSES)) == (6, 6)


@pytest.mark.rule("hack", "R8")
def test_the_higher_cut_begins_and_a_tie_cuts_again() -> None:
    start = HACK.new(2, Options(cards="table"))
    tied = after(start, do.Destiny(A, 3), do.Destiny(B, 3))
    assert (tied.phase, tied.cut) == ("cut", (-1, -1))
    assert refused(after(tied, do.Destiny(A, 3)), do.Destiny(A, 4), "R10")
    assert after(tied, do.Destiny(A, 3), do.Destiny(B, 4)).mover == B
    assert after(tied, do.Destiny(A, 4), do.Destiny(B, 3)).mover == A
    refused(tied, do.Destiny(A, 10), "R8")
    own = HACK.new(2, Options())
    refused(own, do.Cut(("crim", "crim")), "R8")  # no card of deck A
    refused(own, do.Cut(("elk",)), "R8")


@pytest.mark.rule("hack", "R9", "R10", "R11", "R12")
@pytest.mark.parametrize("cards", ["companion", "table"])
def test_each_draws_four_and_the_first_player_draws_up_to_five(cards: str) -> None:
    state = started(cards)
    mover = state.mover
    assert (state.phase, state.turns) == ("play", 1)
    assert len(state.sides[mover].hand) == 5
    assert len(state.sides[1 - mover].hand) == 4
    assert len(state.sides[mover].deck) == 35
    state = after(state, do.Hide(mover, state.sides[mover].hand[0]))
    assert (state.mover, len(state.sides[1 - mover].hand)) == (1 - mover, 5)


@pytest.mark.rule("hack", "R12", "R14")
def test_t5_the_first_hand_may_be_discarded_and_the_next_draw_gives_five() -> None:
    state = started("table")
    first = state.mover
    state = after(state, do.DiscardHand(first))
    assert (len(state.sides[first].hand), len(state.sides[first].discard)) == (0, 5)
    state = after(state, do.Hide(1 - first, "?"))
    assert (state.mover, len(state.sides[first].hand)) == (first, 5)
    refused(state, do.DiscardHand(first), "R14")


@pytest.mark.rule("hack", "R12")
def test_t6_six_cards_after_the_draw_are_reconciled_to_five_before_the_play() -> None:
    state = board(Lay(hand=FIVE), Lay(hand=("crim",)), mover=B, phase="play")
    state = after(state, do.Hide(B, "crim"))
    assert (state.phase, len(state.sides[A].hand)) == ("draw", 6)
    assert "down to 5" in refused(state, do.Hide(A, "elk"), "R12")
    refused(state, do.Discard(A, "crim"), "R12")
    state = after(state, do.Discard(A, "elk"))
    assert (state.phase, len(state.sides[A].hand)) == ("play", 5)
    assert state.sides[A].discard == ("elk",)


@pytest.mark.rule("hack", "R11", "R12")
@pytest.mark.parametrize("held", range(5))
def test_whatever_is_held_a_turn_begins_with_five_cards(held: int) -> None:
    state = board(Lay(hand=FIVE[:held]), Lay(hand=("crim",)), mover=B, phase="play")
    state = after(state, do.Hide(B, "crim"))
    assert (state.phase, state.mover, len(state.sides[A].hand)) == ("play", A, 5)


@pytest.mark.rule("hack", "R13")
def test_an_empty_deck_is_made_of_the_discard_pile_before_play_goes_on() -> None:
    state = board(Lay(hand=("elk",)), Lay(hand=("crim",), deck=0), phase="play")
    state = after(state, do.Hide(A, "elk"))
    assert HACK.waiting(state).chance
    pile = state.sides[B].discard
    assert "shuffled first" in refused(state, do.Hide(B, "crim"), "R13")
    refused(state, do.Shuffled(A, pile), "R13")
    refused(state, do.Shuffled(B, pile[:-1]), "R13")
    refused(state, do.Shuffled(B, (*pile[:-1], pile[0])), "R13")
    state = after(state, do.Shuffled(B, tuple(reversed(pile))))
    assert state.sides[B].hand[1:] == tuple(reversed(pile))[:4]
    assert state.sides[B].discard == ()
    refused(state, do.Shuffled(B, pile), "R13")


@pytest.mark.rule("hack", "R14", "H5")
def test_exactly_one_card_is_played_and_nobody_passes_with_a_card_in_hand() -> None:
    state = board(Lay(hand=FIVE))
    refused(state, do.Pass(A), "R14")
    state = after(state, do.PlayPC(A, "mistral"))
    assert (state.mover, state.phase) == (B, "play")
    refused(state, do.PlayPC(A, "elk"), "R10")
    empty = board(Lay(hand=()), Lay(hand=("crim",)))
    assert legal(empty, A) == [do.Pass(A)]
    assert after(empty, do.Pass(A)).mover == B


@pytest.mark.rule("hack", "R14")
def test_a_card_is_played_only_as_what_it_is_and_from_the_own_hand() -> None:
    state = board(Lay(hand=FIVE, heroes=(Hero("bt"),)))
    refused(state, do.PlayPC(A, "gladiator"), "R14")
    refused(state, do.Attack(A, "mistral"), "R14")
    refused(state, do.PlayItem(A, "gladiator", "bt"), "R14")
    refused(state, do.PlayPC(A, "crim"), "R14")
    refused(state, do.Attack(A, "ochimusha"), "R14")


@pytest.mark.rule("hack", "R16", "R17", "R25")
def test_t8_a_fourth_pc_replaces_one_and_fitting_items_move() -> None:
    heroes = (Hero("mistral", ("air_wand", "noble_cloak")), Hero("elk"), Hero("bt"))
    fix = (("noble_cloak", "bearer", "heavy blade"), ("elk", "class", "wavemaster"))
    state = board(Lay(hand=("mistral",), heroes=heroes), fix=fix)
    assert "replace" in refused(state, do.PlayPC(A, "mistral"), "R16")
    refused(state, do.PlayPC(A, "mistral", "elk"), "R16")
    refused(state, do.PlayPC(A, "mistral", "crim"), "R17")
    state = after(state, do.PlayPC(A, "mistral", "mistral"))
    assert state.sides[A].heroes[0] == Hero("mistral", ("air_wand",))
    assert state.sides[A].discard == ("mistral", "noble_cloak")


@pytest.mark.rule("hack", "R20")
def test_items_that_the_new_pc_cannot_bear_are_sacrificed_too() -> None:
    heroes = (Hero("mistral", ("air_wand", "noble_cloak")),)
    fix = (("noble_cloak", "bearer", ""), ("bt", "class", "twin blade"))
    state = board(Lay(hand=("bt",), heroes=heroes), fix=fix)
    state = after(state, do.PlayPC(A, "bt", "mistral"))
    assert state.sides[A].heroes == (Hero("bt", ("noble_cloak",)),)
    assert state.sides[A].discard == ("mistral", "air_wand")


@pytest.mark.rule("hack", "R18")
def test_both_players_may_have_the_same_pc() -> None:
    state = board(Lay(hand=("elk",)), Lay(heroes=(Hero("elk"),)), decks="aa")
    assert after(state, do.PlayPC(A, "elk")).hero(A, "elk") == Hero("elk")


@pytest.mark.rule("hack", "R19", "R24")
def test_a_new_pc_is_healthy_also_as_another_copy_of_a_wounded_one() -> None:
    state = board(Lay(hand=("elk",), heroes=(Hero("elk", ("air_wand",), wounded=True),)))
    state = after(state, do.PlayPC(A, "elk", "elk"))
    assert state.sides[A].heroes == (Hero("elk", ("air_wand",)),)


@pytest.mark.rule("hack", "R16", "R17", "R26")
def test_a_second_weapon_takes_the_place_of_the_first_which_is_sacrificed() -> None:
    state = board(Lay(hand=("adians_rod",), heroes=(Hero("elk", ("air_wand", "noble_cloak")),)))
    state = after(state, do.PlayItem(A, "adians_rod", "elk"))
    assert state.sides[A].heroes == (Hero("elk", ("noble_cloak", "adians_rod")),)
    assert state.sides[A].discard == ("air_wand",)


@pytest.mark.rule("hack", "R15", "R26", "R27")
def test_an_item_needs_a_pc_that_may_bear_it_before_its_text_counts() -> None:
    fix = (
        ("noble_cloak", "bearer", "long arm"), ("noble_cloak", "text", "played: heal 1"),
        ("air_wand", "text", "played: heal 1"),
    )  # fmt: skip
    heroes = (Hero("elk", wounded=True),)
    state = board(Lay(hand=("noble_cloak", "air_wand"), heroes=heroes), fix=fix)
    assert "Long Arm" in refused(state, do.PlayItem(A, "noble_cloak", "elk"), "R15")
    refused(state, do.PlayItem(A, "air_wand", "crim"), "R26")
    state = after(state, do.PlayItem(A, "air_wand", "elk"))
    assert state.sides[A].heroes == (Hero("elk", ("air_wand",)),)


@pytest.mark.rule("hack", "R22")
def test_only_a_wounded_pc_is_healed_and_the_owner_chooses_among_several() -> None:
    fix = (("noble_cloak", "text", "played: heal 1"),)
    heroes = (Hero("elk", wounded=True), Hero("bt"), Hero("mistral", wounded=True))
    state = board(Lay(hand=("noble_cloak",), heroes=heroes), fix=fix)
    state = after(state, do.PlayItem(A, "noble_cloak", "bt"))
    assert legal(state, A) == [do.Target(A, "elk"), do.Target(A, "mistral")]
    refused(state, do.Target(A, "bt"), "H4")
    refused(state, do.Hide(B, "crim"), "H4")
    state = after(state, do.Target(A, "mistral"))
    assert [hero.wounded for hero in state.sides[A].heroes] == [True, False, False]
    assert state.mover == B


@pytest.mark.rule("hack", "R28", "R29")
@pytest.mark.parametrize("cards", ["companion", "table"])
def test_t7_for_a_sixth_hidden_card_one_of_the_five_is_sacrificed(cards: str) -> None:
    five = ("juk_rom", "elk", "gladiator", "air_wand", "bt")
    lay = Lay(hand=("mistral",), hidden=five) if cards == "companion" else Lay(hand=1, hidden=5)
    state = board(lay, cards=cards)
    six = "mistral" if cards == "companion" else "?"
    state = after(state, do.Hide(A, six))
    assert state.phase == "room"
    assert len(legal(state, A)) == 5
    refused(state, do.Sacrifice(A, 5), "R29")
    refused(state, do.Hide(A, six), "R29")
    state = after(state, do.Sacrifice(A, 2))
    assert len(state.sides[A].hidden) == 5
    assert state.sides[A].hidden[-1] == six
    assert state.sides[A].discard == (("gladiator",) if cards == "companion" else ("?",))


@pytest.mark.rule("hack", "R28")
def test_any_card_may_be_hidden_and_an_action_cannot_be_played_otherwise() -> None:
    state = board(Lay(hand=FIVE, heroes=(Hero("elk"),)))
    assert {action.card for action in legal(state, A, do.Hide)} == set(FIVE)
    assert {type(a) for a in legal(state, A) if getattr(a, "card", "") == "juk_rom"} == {do.Hide}


@pytest.mark.rule("hack", "R31", "R32")
def test_a_storable_monster_may_go_to_the_portal_another_only_attacks() -> None:
    fix = (("heavy_metal", "storable", 1), ("gladiator", "storable", 0))
    state = board(Lay(hand=("heavy_metal", "gladiator")), fix=fix)
    refused(state, do.Store(A, "gladiator"), "R31")
    state = after(state, do.Store(A, "heavy_metal"))
    assert (state.sides[A].portal, state.mover) == (("heavy_metal",), B)


@pytest.mark.rule("hack", "R33")
@pytest.mark.parametrize("where", ["score", "portal"])
def test_t9_a_unique_monster_in_anybodys_pile_bars_every_copy(where: str) -> None:
    fix = (("parasite_dragon", "needs", ""),)
    there = Lay(**{where: ("parasite_dragon",)})  # type: ignore[arg-type]
    state = board(Lay(hand=("parasite_dragon",)), there, decks="bb", fix=fix)
    assert "unique" in refused(state, do.Attack(A, "parasite_dragon"), "R33")
    free = board(Lay(hand=("parasite_dragon",)), decks="bb", fix=fix)
    assert after(free, do.Attack(A, "parasite_dragon")).phase == "stand"


@pytest.mark.rule("hack", "R15", "R55", "R56", "R57", "R58")
def test_t16_four_fire_icons_are_spotted_on_both_sides_but_not_in_hands_piles_or_hidden() -> None:
    fix = (
        ("air_wand", "element", "fire"), ("elk", "element", "water"),
        ("mistral", "element", "fire"),
        ("ochimusha", "element", "fire"), ("magical_goblin", "element", "fire"),
        ("crim", "element", "fire"), ("gladiator", "text", "fights: strength +2 if against fire"),
        ("gladiator", "element", ""),
    )  # fmt: skip
    mine = Lay(
        hand=("tetra_armor", "mistral"), hidden=("mistral",), discard=("mistral",),
        heroes=(Hero("elk", ("air_wand",)),), score=("ochimusha", "gladiator"),
    )  # fmt: skip
    three = Lay(portal=("magical_goblin",), hand=("crim",))
    assert "4 Fire" in refused(board(mine, three, fix=fix), do.Attack(A, "tetra_armor"), "R15")
    four = three._replace(heroes=(Hero("crim"),), hand=())
    assert after(board(mine, four, fix=fix), do.Attack(A, "tetra_armor")).attackers


@pytest.mark.rule("hack", "R57")
def test_a_hidden_card_is_spotted_only_where_hidden_cards_are_asked_for() -> None:
    fix = (("tetra_armor", "needs", "spot 2 hidden card"),)
    one = board(Lay(hand=("tetra_armor",), hidden=("elk",)), fix=fix)
    refused(one, do.Attack(A, "tetra_armor"), "R15")
    two = board(Lay(hand=("tetra_armor",), hidden=("elk",)), Lay(hidden=("crim",)), fix=fix)
    assert after(two, do.Attack(A, "tetra_armor")).attackers == ("tetra_armor",)


@pytest.mark.rule("hack", "R6")
@pytest.mark.parametrize(("points", "winners"), [(3, ()), (2, (B,)), (4, (A,))])
def test_t15_the_last_card_ends_the_game_after_that_turn(points: int, winners: tuple[int]) -> None:
    state = board(
        Lay(hand=("elk",) * 1, deck=1, extra=points), Lay(hand=("crim",), extra=3), mover=B
    )
    state = after(state, do.Hide(B, "crim"))
    assert state.last  # A took its last card, and plays on
    while HACK.waiting(state).chance:
        state = after(state, do.Shuffled(A, state.sides[A].discard))
    assert state.phase == "play"
    state = after(state, do.Hide(A, state.sides[A].hand[0]))
    result = HACK.result(state)
    assert result is not None
    assert result.winners == winners
    refused(state, do.Hide(B, "gardenia"), "R6")


@pytest.mark.rule("hack", "R5", "R6")
def test_after_the_end_a_refusal_cites_the_rule_that_ended_the_game() -> None:
    mine, other = Lay(hand=("gladiator",), score=("ochimusha",)), Lay(score=("noisy_wisp",))
    drawn = after(board(mine, other, last=True), do.Hide(A, "gladiator"))
    assert refused(drawn, do.Hide(B, "crim"), "R6") == "The game is over"
    won = after(board(mine._replace(extra=5), phase="stand", attackers=("gladiator",)), do.Avoid(B))
    assert refused(won, do.Hide(B, "crim"), "R5") == "The game is over"
