"""The attack of .hack//ENEMY: joining, avoiding, assigning, flipping, destiny, rewards, points."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.hack import HACK
from companion.games.hack import actions as do
from companion.games.hack.kinds import WORDS
from companion.games.hack.state import Battle, Hero, State
from companion.plain import plain
from tests.games.hack_table import NOTHING, A, B, Lay, after, board, legal, refused

HAND = Lay(hand=("crim",))


def attack(
    *monsters: str, heroes: tuple[Hero, ...] = (), mine: Lay = NOTHING, hidden: int = 0, **more: Any
) -> State:
    """Deck A attacks with these; deck B has these PCs. Cardboard: destinies are told."""
    return board(
        mine, Lay(hand=3, heroes=heroes, hidden=hidden), cards="table", phase="stand",
        attackers=monsters, **more,
    )  # fmt: skip


def fought(state: State, attacker: int, defender: int) -> State:
    """Both draw these destinies."""
    return after(state, do.Destiny(A, attacker), do.Destiny(B, defender))


def duel(hero: Hero, attacker: int, defender: int, **more: Any) -> State:
    """Gladiator (5) against one PC, with these destinies."""
    return fought(
        after(attack("gladiator", heroes=(hero,), **more), do.Fight(B)), attacker, defender
    )


@pytest.mark.rule("hack", "R47")
@pytest.mark.parametrize(("margin", "wounded"), [(1, False), (2, True)])
def test_t1_tolerance_one_spares_a_loss_by_one_but_not_by_two(margin: int, wounded: bool) -> None:
    state = duel(Hero("gardenia"), margin, 1)  # 5 + margin against 4 + 1
    assert state.sides[B].heroes == (Hero("gardenia", wounded=wounded),)
    assert state.phase == "score"  # the PC has lost all the same


@pytest.mark.rule("hack", "R47", "R48")
@pytest.mark.parametrize(("margin", "wounded"), [(2, False), (3, True)])
def test_t2_tolerance_adds_up_over_pc_and_items(margin: int, wounded: bool) -> None:
    hero = Hero("gardenia", ("wyrm_hide",))  # tolerance 1 + 1, strength 4 + 1
    state = duel(hero, margin, 0)
    assert state.sides[B].heroes == (Hero("gardenia", ("wyrm_hide",), wounded),)


@pytest.mark.rule("hack", "R46", "R21")
def test_t3_without_tolerance_a_tie_wounds() -> None:
    state = duel(Hero("crim"), 2, 2)  # 5 + 2 against 5 + 2
    assert state.sides[B].heroes == (Hero("crim", wounded=True),)
    assert "Seat 2: Crim 5, WOUNDED" in " ".join(plain(HACK.view(state, None)))


@pytest.mark.rule("hack", "R46", "R47", "R51")
def test_t4_with_tolerance_a_tie_does_not_wound_but_the_monster_wins_and_scores() -> None:
    state = duel(Hero("gardenia"), 0, 1)  # 5 against 4 + 1
    assert state.sides[B].heroes == (Hero("gardenia"),)
    state = after(state, do.Score(A, "gladiator"))
    assert (state.points(A), state.mover) == (1, B)


@pytest.mark.rule("hack", "R45", "R25", "R53")
def test_a_higher_pc_destroys_the_monster_and_the_turn_ends() -> None:
    state = duel(Hero("crim"), 1, 2)  # 6 against 7
    assert state.sides[A].discard == ("?", "gladiator")  # destiny, then the monster
    assert (state.sides[B].heroes, state.points(A), state.mover) == ((Hero("crim"),), 0, B)
    assert state.report is not None
    assert state.report.totals == (6, 7)


@pytest.mark.rule("hack", "R23", "R49")
def test_a_wounded_pc_that_loses_is_destroyed_with_its_items() -> None:
    state = duel(Hero("crim", ("wyrm_hide",), wounded=True), 9, 0)  # 14 against 6, tolerance 1
    assert state.sides[B].heroes == ()
    assert state.sides[B].discard == ("?", "crim", "wyrm_hide")


@pytest.mark.rule("hack", "R38", "R39", "R40", "R41")
def test_t10_three_monsters_against_two_pcs_make_two_fights_and_an_extra_attacker() -> None:
    heroes = (Hero("crim"), Hero("gardenia"))
    state = after(attack("gladiator", "ochimusha", "heavy_metal", heroes=heroes), do.Fight(B))
    assert "still free" in refused(state, do.Ready(B), "R38")
    refused(state, do.Assign(B, "swordmanoid", "crim"), "R39")
    refused(state, do.Assign(B, "gladiator", "elk"), "R38")
    state = after(state, do.Assign(B, "gladiator", "crim"))
    refused(state, do.Assign(B, "ochimusha", "crim"), "R39")
    refused(state, do.Ready(B), "R38")
    assert not HACK.secrets.reveals(
        state, do.Assign(B, "ochimusha", "gardenia")
    )  # may be moved again
    state = after(state, do.Assign(B, "ochimusha", "gardenia"), do.Ready(B))
    assert (state.phase, state.attackers) == ("extra", ("heavy_metal",))
    assert "every extra attacker" in refused(state, do.Ready(A), "R41")
    refused(state, do.Assign(A, "heavy_metal", "alpha_ichigoro"), "R41")
    refused(state, do.Assign(A, "gladiator", "crim"), "R41")
    state = after(state, do.Assign(A, "heavy_metal", "gardenia"), do.Ready(A))
    assert [(b.pc, b.monsters) for b in state.battles] == [
        ("crim", ("gladiator",)),
        ("gardenia", ("ochimusha", "heavy_metal")),
    ]


@pytest.mark.rule("hack", "R38")
def test_t11_one_monster_against_three_pcs_makes_one_fight() -> None:
    heroes = (Hero("crim"), Hero("gardenia"), Hero("alpha_ichigoro"))
    state = after(attack("gladiator", heroes=heroes), do.Fight(B))
    state = after(state, do.Assign(B, "gladiator", "gardenia"), do.Ready(B))
    assert (state.phase, state.battle.pc, len(state.battles)) == ("destiny", "gardenia", 1)


@pytest.mark.rule("hack", "R40", "R41")
def test_monsters_may_be_moved_until_the_fights_are_declared() -> None:
    heroes = (Hero("crim"), Hero("gardenia"))
    state = after(attack("gladiator", "ochimusha", "heavy_metal", heroes=heroes), do.Fight(B))
    state = after(state, do.Assign(B, "gladiator", "crim"))
    moved = after(state, do.Assign(B, "gladiator", "gardenia"))
    assert [(battle.pc, battle.monsters) for battle in moved.battles] == [
        ("gardenia", ("gladiator",))
    ]
    refused(state, do.Assign(B, "gladiator", "crim"), "R39")
    state = after(moved, do.Assign(B, "ochimusha", "crim"), do.Ready(B))
    state = after(state, do.Assign(A, "heavy_metal", "gardenia"))
    state = after(state, do.Assign(A, "heavy_metal", "crim"))
    assert {battle.pc: battle.monsters for battle in state.battles} == {
        "gardenia": ("gladiator",),
        "crim": ("ochimusha", "heavy_metal"),
    }
    refused(state, do.Assign(A, "gladiator", "crim"), "R41")


@pytest.mark.rule("hack", "R35", "R37", "R50")
def test_t12_avoiding_three_scores_every_monster_with_points_after_their_rewards() -> None:
    fix = (("heavy_metal", "text", "reward: draw 1"),)
    heroes = (Hero("crim"),)
    state = attack("gladiator", "heavy_metal", "swordmanoid", heroes=heroes, fix=fix)
    before = len(state.sides[A].hand)
    state = after(state, do.Avoid(B))
    assert legal(state, A) == [do.Reward(A, "heavy_metal"), do.Ready(A)]
    refused(state, do.Reward(A, "gladiator"), "R50")
    state = after(state, do.Reward(A, "heavy_metal"))
    assert len(state.sides[A].hand) == before + 1
    assert state.sides[A].score == ("gladiator", "heavy_metal")
    assert state.sides[A].discard == ("swordmanoid",)
    assert (state.points(A), state.mover) == (2, B)


@pytest.mark.rule("hack", "R35", "R36")
def test_without_a_pc_the_defender_must_avoid() -> None:
    state = attack("gladiator")
    assert legal(state, B) == [do.Avoid(B)]
    assert "must avoid" in refused(state, do.Fight(B), "R36")
    refused(state, do.Avoid(A), "R10")
    barred = [choice.barred for choice in HACK.view(state, B).choices if choice.barred]
    assert barred == ["R36"]


@pytest.mark.rule("hack", "R51", "R54")
def test_t13_of_two_winning_monsters_only_one_scores() -> None:
    state = after(attack("gladiator", "heavy_metal", heroes=(Hero("crim"),)), do.Fight(B))
    state = fought(state, 0, 0)  # 5 + 4 against 5
    assert set(legal(state, A)) == {
        do.Score(A, "gladiator"), do.Score(A, "heavy_metal"), do.Score(A, ""),
    }  # fmt: skip
    refused(state, do.Score(A, "ochimusha"), "R51")
    state = after(state, do.Score(A, "heavy_metal"))
    assert state.sides[A].score == ("heavy_metal",)
    assert "gladiator" in state.sides[A].discard


@pytest.mark.rule("hack", "H7")
def test_the_attacker_may_decline_to_score() -> None:
    state = after(duel(Hero("crim"), 5, 0), do.Score(A, ""))
    assert (state.points(A), state.sides[A].score) == (0, ())


@pytest.mark.rule("hack", "R52")
def test_winning_monsters_without_a_point_are_all_discarded() -> None:
    state = after(attack("swordmanoid", heroes=(Hero("crim"),)), do.Fight(B))
    state = fought(state, 9, 0)
    assert (state.mover, state.sides[A].score) == (B, ())
    assert state.sides[A].discard == ("?", "swordmanoid")


@pytest.mark.rule("hack", "R5")
def test_t14_the_seventh_point_wins_at_once_even_with_fights_to_come() -> None:
    heroes = (Hero("crim"), Hero("gardenia"))
    mine = Lay(extra=6)
    state = after(attack("gladiator", "ochimusha", heroes=heroes, mine=mine), do.Fight(B))
    state = after(state, do.Assign(B, "gladiator", "crim"), do.Assign(B, "ochimusha", "gardenia"))
    state = fought(after(state, do.Ready(B), do.Next(B, "crim")), 5, 0)
    state = after(state, do.Score(A, "gladiator"))
    result = HACK.result(state)
    assert result is not None
    assert (result.winners, result.scores[A].total) == ((A,), 7)
    assert not HACK.waiting(state)


@pytest.mark.rule("hack", "R42", "R53")
def test_the_defender_orders_the_fights_and_one_ends_before_the_next() -> None:
    heroes = (Hero("crim"), Hero("gardenia"))
    state = after(attack("gladiator", "heavy_metal", heroes=heroes), do.Fight(B))
    state = after(state, do.Assign(B, "gladiator", "crim"), do.Assign(B, "heavy_metal", "gardenia"))
    state = after(state, do.Ready(B))
    refused(state, do.Next(A, "crim"), "R10")
    refused(state, do.Next(B, "elk"), "R42")
    state = after(state, do.Next(B, "gardenia"))
    refused(state, do.Next(B, "crim"), "R43")
    state = fought(state, 0, 3)  # 4 against 7
    assert state.sides[A].discard == ("?", "heavy_metal")
    state = fought(state, 0, 3)  # the other by itself: 5 against 8
    assert (state.mover, state.sides[A].discard) == (B, ("?", "heavy_metal", "?", "gladiator"))


@pytest.mark.rule("hack", "R43")
def test_a_destiny_number_that_no_card_has_is_refused() -> None:
    state = after(attack("gladiator", heroes=(Hero("crim"),)), do.Fight(B))
    assert "10" in refused(state, do.Destiny(A, 10), "R43")
    refused(state, do.Destiny(A, -1), "R43")
    # once all printed destinies are told, only those that are left can be drawn
    cards = state.cards.cards
    told = tuple((card, "destiny", 2 + (card == "elk")) for card in cards)
    state = after(attack("gladiator", heroes=(Hero("crim"),), fix=told), do.Fight(B))
    assert legal(state, A) == [do.Destiny(A, 2), do.Destiny(A, 3)]
    assert legal(state, B) == [do.Destiny(B, 2)]
    refused(state, do.Destiny(A, 4), "R43")


@pytest.mark.rule("hack", "R43")
def test_destiny_is_revealed_from_the_top_added_and_discarded() -> None:
    fix = (("elk", "destiny", 4), ("bt", "destiny", 1), ("gardenia", "destiny", 3))
    mine = Lay(hand=("gladiator",), top=("elk", "bt"))
    theirs = Lay(hand=("wyrm_hide",), heroes=(Hero("crim"),), top=("gardenia",))
    state = after(board(mine, theirs, fix=fix), do.Attack(A, "gladiator"), do.Fight(B))
    assert state.report is not None
    assert state.report.totals == (9, 8)  # 5 + 4 against 5 + 3
    assert (state.sides[A].discard, state.sides[B].discard) == (("elk",), ("gardenia",))
    assert state.sides[A].deck[0] == "bt"


@pytest.mark.rule("hack", "R44", "R6")
def test_for_destiny_an_empty_deck_is_shuffled_anew_and_the_last_card_counts_as_drawn() -> None:
    mine = Lay(hand=("gladiator",), deck=0)
    state = after(board(mine, Lay(heroes=(Hero("crim"),), deck=1)), do.Attack(A, "gladiator"))
    state = after(state, do.Fight(B))
    assert HACK.waiting(state).chance
    refused(state, do.Ready(A), "R13")
    order = tuple(sorted(state.sides[A].discard))
    state = after(state, do.Shuffled(A, order))
    assert state.last  # B's destiny was its last card
    assert state.sides[A].discard[0] == order[0]


@pytest.mark.rule("hack", "R30", "R43", "R54", "H3")
def test_a_flipped_action_helps_in_that_fight_only_and_is_discarded() -> None:
    # deck A defends: it has the actions
    heroes = (Hero("mistral"), Hero("elk"))
    mine = Lay(hidden=("juk_rom", "gladiator"), heroes=heroes, top=("bt", "bt"))
    battles = (Battle("mistral", ("fiend_menhir",)), Battle("elk", ("chicken_hand",)))
    fix = (("bt", "destiny", 2), ("crim", "destiny", 2), ("fiend_menhir", "strength", 6),
           ("chicken_hand", "strength", 4), ("chicken_hand", "text", ""))  # fmt: skip
    theirs = Lay(top=("crim", "crim"))
    state = board(mine, theirs, mover=B, phase="order", battles=battles, fix=fix)
    state = after(state, do.Next(A, "mistral"))
    assert legal(state, A) == [do.Flip(A, 0, "juk_rom"), do.Ready(A)]
    refused(state, do.Flip(A, 1, "gladiator"), "R30")
    refused(state, do.Flip(A, 1, "juk_rom"), "R30")
    refused(state, do.Flip(A, 2, "juk_rom"), "R30")
    refused(state, do.Flip(B, 0, "juk_rom"), "R10")
    state = after(state, do.Flip(A, 0, "juk_rom"))
    assert state.battle.plus == (3, 0)
    assert state.sides[A].discard == ("juk_rom",)
    state = after(state, do.Ready(A))  # another action may still lie there: asked once more
    assert state.report is not None
    assert state.report.totals == (9, 8)  # 4 + 3 + 2 against 6 + 2
    assert state.battle.plus == (0, 0)  # the next fight begins without it


@pytest.mark.rule("hack", "R30", "H3")
def test_deck_b_has_no_action_and_is_never_asked_to_flip() -> None:
    state = after(attack("gladiator", heroes=(Hero("crim"),), hidden=3), do.Fight(B))
    assert state.phase == "destiny"


@pytest.mark.rule("hack", "H3", "R30")
def test_attacker_and_defender_flip_in_turns_until_both_are_done() -> None:
    battles = (Battle("mistral", ("gladiator",)),)
    state = board(
        Lay(hidden=("juk_rom", "juk_rom")), Lay(hidden=("juk_rom",), heroes=(Hero("mistral"),)),
        decks="aa", phase="flip", battles=battles,
    )  # fmt: skip
    state = after(state, do.Ready(B), do.Flip(A, 0, "juk_rom"))
    assert HACK.waiting(state).seats == (B,)  # may answer
    state = after(state, do.Flip(B, 0, "juk_rom"))
    assert HACK.waiting(state).seats == (A,)  # B has nothing hidden any more
    state = after(state, do.Flip(A, 0, "juk_rom"))
    assert state.report is not None
    parts = [dict(parts) for parts in state.report.sums]
    assert (parts[A]["actions"], parts[B]["actions"]) == (6, 3)


@pytest.mark.rule("hack", "R32", "R34")
def test_monsters_of_the_portal_join_by_their_text_before_the_defence() -> None:
    mine = Lay(hand=("gladiator",), portal=("heavy_metal", "general_armor", "swordmanoid"))
    fix = (("heavy_metal", "species", "armor"), ("gladiator", "species", "swordsman"))
    state = after(board(mine, HAND, fix=fix), do.Attack(A, "gladiator"))
    assert state.phase == "join"
    assert "move" in refused(state, do.Avoid(B), "R10")
    refused(state, do.Join(A, "ochimusha"), "R34")
    refused(state, do.Join(A, "general_armor"), "R32")  # no armor attacks yet
    state = after(state, do.Join(A, "heavy_metal"), do.Join(A, "general_armor"))
    assert state.attackers == ("gladiator", "heavy_metal", "general_armor")
    assert (state.phase, state.sides[A].portal) == ("stand", ("swordmanoid",))


@pytest.mark.rule("hack", "R50", "H4")
def test_rewards_are_optional_in_any_order_and_the_loser_chooses_what_to_discard() -> None:
    fix = (("ochimusha", "text", "reward: discard 1"), ("heavy_metal", "text", "reward: wound 1"))
    theirs = Lay(hand=("gardenia", "wyrm_hide"), heroes=(Hero("crim"), Hero("gardenia")))
    state = board(
        Lay(), theirs, phase="reward", battles=(Battle("crim", ("ochimusha", "heavy_metal")),),
        rewards=("ochimusha", "heavy_metal"), fix=fix,
    )  # fmt: skip
    state = after(state, do.Reward(A, "heavy_metal"))
    assert legal(state, A) == [do.Target(A, "crim"), do.Target(A, "gardenia")]
    state = after(state, do.Target(A, "gardenia"))
    assert state.hero(B, "gardenia") == Hero("gardenia", wounded=True)
    refused(state, do.Reward(A, "heavy_metal"), "R50")
    state = after(state, do.Reward(A, "ochimusha"))
    assert legal(state, B) == [do.Target(B, "gardenia"), do.Target(B, "wyrm_hide")]
    refused(state, do.Target(A, "wyrm_hide"), "R10")
    state = after(state, do.Target(B, "wyrm_hide"))
    assert state.sides[B].discard == ("wyrm_hide",)
    assert state.phase == "score"


@pytest.mark.rule("hack", "H4")
def test_a_pc_with_a_fight_to_come_is_no_target_of_a_text() -> None:
    fix = (("ochimusha", "text", "reward: wound 1"),)
    battles = (Battle("crim", ("ochimusha",)), Battle("gardenia", ("gladiator",)))
    theirs = Lay(heroes=(Hero("crim"), Hero("gardenia"), Hero("alpha_ichigoro")))
    state = board(Lay(), theirs, phase="reward", battles=battles, rewards=("ochimusha",), fix=fix)
    state = after(state, do.Reward(A, "ochimusha"))
    assert legal(state, A) == [do.Target(A, "crim"), do.Target(A, "alpha_ichigoro")]


@pytest.mark.rule("hack", "R50")
def test_every_word_of_the_vocabulary_does_something_when_played() -> None:
    for verb in ("draw", "score", "heal", "wound", "discard", "destroy"):
        assert verb in WORDS.verbs
        fix = (("bt", "text", f"played: {verb} 1"),)
        mine = Lay(hand=("bt",), heroes=(Hero("elk", wounded=True),))
        theirs = Lay(hand=("crim",), heroes=(Hero("gardenia", ("wyrm_hide",)),))
        plain = board(mine, theirs, fix=(("bt", "text", ""),))
        told = after(board(mine, theirs, fix=fix), do.PlayPC(A, "bt"))
        assert told.sides != after(plain, do.PlayPC(A, "bt")).sides, verb


@pytest.mark.rule("hack", "R54", "R55")
def test_strength_by_element_species_and_wound_counts_in_the_fight_where_it_holds() -> None:
    for text, bonus in [
        ("fights: strength +2 if against water", 2),
        ("fights: strength +2 if against fire", 0),
        ("fights: strength +2 if against wavemaster", 2),
        ("fights: strength -1", -1),
        ("fights: strength +3 if spot 2 water", 3),
        ("fights: strength +3 if spot 3 water", 0),
        ("fights: strength +1 if wounded and against water", 1),
    ]:
        fix = (
            ("gladiator", "text", text), ("gladiator", "element", ""), ("elk", "element", "water"),
            ("elk", "class", "wavemaster"), ("mistral", "element", "water"),
        )  # fmt: skip
        heroes = (Hero("elk", wounded=True), Hero("mistral"))
        state = board(
            Lay(), Lay(heroes=heroes), decks="aa", cards="table", phase="destiny",
            battles=(Battle("elk", ("gladiator",)),), fix=fix,
        )  # fmt: skip
        state = fought(state, 0, 9)  # the PC wins whatever happens
        assert state.report is not None
        assert state.report.totals == (5 + bonus, 13), text


@pytest.mark.rule("hack", "R32", "R34")
@pytest.mark.parametrize("whose", ["swordmanoid", "gladiator"])
def test_by_a_text_that_our_words_cannot_say_monsters_join_until_the_defender_answers(
    whose: str,
) -> None:
    """The stored monster's own text, or another card's: the players read it, we cannot."""
    mine = Lay(hand=("gladiator",), portal=("swordmanoid", "swordmanoid"))
    crim = Lay(heroes=(Hero("crim"),))
    state = after(board(mine, crim, fix=((whose, "text", "printed"),)), do.Attack(A, "gladiator"))
    assert HACK.waiting(state).seats == (B,)
    assert legal(state, A) == [do.Join(A, "swordmanoid")]
    joined = after(state, do.Join(A, "swordmanoid"))
    assert HACK.secrets.reveals(state, do.Join(A, "swordmanoid"))  # not taken back after the answer
    assert (joined.phase, joined.attackers) == ("stand", ("gladiator", "swordmanoid"))
    assert legal(joined, B) == legal(state, B) == [do.Fight(B), do.Avoid(B)]
    fights = after(joined, do.Fight(B))
    assert legal(fights, A, do.Join) == []
    plain_text = after(board(mine, crim), do.Attack(A, "gladiator"))
    assert legal(plain_text, A) == []
    refused(plain_text, do.Join(A, "swordmanoid"), "R32")
    refused(state, do.Join(B, "swordmanoid"), "R35")


@pytest.mark.rule("hack", "R30", "R54")
@pytest.mark.parametrize(("condition", "plus"), [
    ("against stone", 3), ("against bird", 0), ("wounded", 3), ("spot 1 earth", 3),
    ("with stone", 0),
])  # fmt: skip
def test_an_action_of_the_defender_knows_the_fight_that_it_is_flipped_in(
    condition: str, plus: int
) -> None:
    fix = (("juk_rom", "text", f"flip: strength +3 if {condition}"),
           ("fiend_menhir", "species", "stone"), ("fiend_menhir", "element", "earth"))  # fmt: skip
    mine = Lay(hidden=("juk_rom", "juk_rom"), heroes=(Hero("mistral", wounded=True),))
    fights = (Battle("mistral", ("fiend_menhir",)),)
    state = board(mine, Lay(), mover=B, phase="flip", battles=fights, fix=fix)
    assert after(state, do.Flip(A, 0, "juk_rom")).battle.plus == (plus, 0)


@pytest.mark.rule("hack", "R30", "R54")
@pytest.mark.parametrize(("condition", "plus"), [
    ("against long arm", 3), ("with swordsman", 3), ("against swordsman", 0),
])  # fmt: skip
def test_an_action_of_the_attacker_is_on_the_monsters_side(condition: str, plus: int) -> None:
    fix = (("juk_rom", "text", f"flip: strength +3 if {condition}"),
           ("crim", "class", "long arm"), ("gladiator", "species", "swordsman"))  # fmt: skip
    state = board(
        Lay(hidden=("juk_rom", "juk_rom")), Lay(heroes=(Hero("crim"),)), phase="flip", passed=1,
        battles=(Battle("crim", ("gladiator",)),), fix=fix,
    )  # fmt: skip
    assert after(state, do.Flip(A, 0, "juk_rom")).battle.plus == (plus, 0)


@pytest.mark.rule("hack", "R50")
@pytest.mark.parametrize(("condition", "drawn"), [
    ("against fire", 1), ("against water", 0), ("with swordsman", 1),
])  # fmt: skip
def test_a_reward_knows_the_fight_that_was_won(condition: str, drawn: int) -> None:
    fix = (("ochimusha", "text", f"reward: draw 1 if {condition}"), ("crim", "element", "fire"),
           ("gladiator", "species", "swordsman"))  # fmt: skip
    fights = (Battle("crim", ("ochimusha", "gladiator")),)  # Crim is destroyed already
    state = board(phase="reward", battles=fights, rewards=("ochimusha",), fix=fix)
    assert len(after(state, do.Reward(A, "ochimusha")).sides[A].hand) == drawn


@pytest.mark.rule("hack", "R55")
def test_a_monster_that_attacks_is_seen_by_its_own_text() -> None:
    fix = (("gladiator", "text", "played: draw 1 if spot 1 thunder"),
           ("gladiator", "element", "thunder"), ("gladiator", "storable", 1))  # fmt: skip
    state = board(Lay(hand=("gladiator",)), Lay(heroes=(Hero("crim"),)), fix=fix)
    assert len(after(state, do.Attack(A, "gladiator")).sides[A].hand) == 1
    assert len(after(state, do.Store(A, "gladiator")).sides[A].hand) == 1


@pytest.mark.rule("hack", "R30")
@pytest.mark.parametrize("cards", ["companion", "table"])
def test_an_action_whose_print_names_another_time_is_flipped_then(cards: str) -> None:
    fix = (("juk_rom", "text", "printed"), ("la_repth", "text", "flip: heal 1"))
    hidden: Any = ("la_repth", "juk_rom") if cards == "companion" else 2
    hand: Any = ("elk",) if cards == "companion" else 1
    mine = Lay(hand=hand, hidden=hidden, heroes=(Hero("mistral"),))
    turn = board(
        mine, HAND._replace(hand=1 if cards == "table" else ("crim",)), cards=cards, fix=fix
    )
    place = 1 if cards == "companion" else 0
    assert do.Flip(A, place, "juk_rom") in legal(turn, A)
    assert {flip.card for flip in legal(turn, A, do.Flip)} == {"juk_rom"}
    assert "flips at another time" in refused(turn, do.Flip(A, 0, "la_repth"), "R30")
    flipped = after(turn, do.Flip(A, place, "juk_rom"))
    assert (flipped.phase, flipped.sides[A].discard) == ("play", ("juk_rom",))
    assert len(flipped.sides[A].hidden) == 1
    attacked = board(
        mine, mover=B, phase="stand", attackers=("fiend_menhir",), cards=cards, fix=fix
    )
    assert after(attacked, do.Flip(A, place, "juk_rom")).phase == "stand"
