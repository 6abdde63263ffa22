"""Setting up a game of Sainome Colosseum, the action phase, the trash phase, and bad input."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice, permutations
from typing import Any

import pytest

from companion.errors import Illegal
from companion.games.api import Die, Rolled
from companion.games.sainome import SAINOME
from companion.games.sainome import actions as do
from companion.games.sainome.cards import shipped
from companion.games.sainome.state import Options, State
from companion.games.sainome.turn import ANSWER, answering
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
from tests.games.shelf import walk

MAGICIAN, PRINCESS = Lay("magician"), Lay("princess")
FIVE = ("claymore", "runesword", "crossbow", "large_sack", "saw")


def started(what: str = "first", **options: Any) -> State:
    """A won the roll-off; characters are chosen, the cards are dealt."""
    state = after(SAINOME.new(2, Options(**options)), thrown(5), thrown(2), do.Take(A, what))
    for key in ("swordsman", "princess"):
        (seat,) = SAINOME.waiting(state).seats
        state = after(state, do.Choose(seat, key))
        while state.learning:
            state = after(state, do.Agreed(seat))
    assert SAINOME.chance is not None
    return after(state, SAINOME.chance(state, random.Random(1).randrange))


@pytest.mark.rule("sainome", "R1", "R2")
def test_two_play_with_four_characters_fifty_cards_and_two_dice() -> None:
    with pytest.raises(Illegal, match="Two play"):
        SAINOME.new(3, Options())
    cards = shipped()
    kinds = Counter(cards[card].kind for card in cards.deck)
    assert kinds == {"weapon": 10, "magic": 10, "item": 13, "skill": 17}
    assert set(cards.characters) == {"swordsman", "magician", "sister", "princess"}
    state = SAINOME.new(2, Options())
    refused(after(state, thrown(4), thrown(3), do.Take(A, "first")), do.Choose(B, "king"), "R2")


@pytest.mark.rule("sainome", "R3", "R4")
def test_the_higher_roll_takes_one_right_and_the_other_gets_the_other() -> None:
    state = SAINOME.new(2, Options())
    wanted = SAINOME.waiting(state).dice
    assert wanted is not None
    assert (wanted.bodies, wanted.by) == (("black",), (A,))
    refused(state, do.Take(A, "first"), "R3")
    state = after(state, thrown(3), thrown(3))  # N-A1: a tie is thrown again
    assert state.off == (0, 0)
    state = after(state, thrown(2), thrown(6))
    assert SAINOME.waiting(state).seats == (B,)
    refused(state, do.Take(B, "everything"), "R3")
    refused(state, do.Take(A, "first"), "R11")
    first = after(state, do.Take(B, "first"))
    assert (first.chooser, first.mover) == (A, B)
    choosing = after(state, do.Take(B, "character"))
    assert (choosing.chooser, choosing.mover) == (B, A)
    choosing = after(choosing, do.Choose(B, "sister"))
    refused(choosing, do.Choose(A, "sister"), "R2")
    refused(choosing, do.Draw(A), "R4")
    both = SAINOME.apply(choosing, do.Choose(A, "princess"))
    assert not any(side.awakened for side in both.sides)
    assert SAINOME.waiting(both).chance


@pytest.mark.rule("sainome", "R5", "R6", "R7", "R9")
@pytest.mark.parametrize(("size", "left"), [(10, 20), (7, 26), (5, 30)])
def test_hp_stacks_hands_of_five_and_the_rest_is_the_common_deck(size: int, left: int) -> None:
    state = started(hp=size)
    assert hp(state) == (size, size)
    assert [len(side.hand) for side in state.sides] == [5, 5]
    assert (len(state.deck), state.discard) == (left, ())
    with pytest.raises(Illegal, match="HP can be"):
        SAINOME.new(2, Options(hp=0))


@pytest.mark.rule("sainome", "R8", "H5")
def test_each_attaches_freely_from_the_first_hand_which_is_not_refilled() -> None:
    state = started()
    assert (state.phase, state.fitting) == ("equip", A)  # who begins attaches first
    refused(state, do.GoOn(B), "R11")
    refused(state, do.Attach(A, "nothing", UP), "R8")
    attach = legal(state, A, do.Attach)[0]
    state = after(state, attach)
    assert state.sides[A].worn[attach.place] == attach.card
    off = after(state, do.Detach(A, attach.place))
    assert attach.card in off.sides[A].hand
    state = after(state, do.GoOn(A), do.GoOn(B))
    assert (state.phase, state.mover, state.turns) == ("act", A, 1)
    assert len(state.sides[A].hand) == 4  # N-A3
    refused(off, do.Detach(A, attach.place), "R8")


@pytest.mark.rule("sainome", "R10", "H9")
def test_a_draft_passes_the_packs_until_both_stacks_are_whole_first_pick_on_top() -> None:
    state = started(draft="yes", hp=5)
    packs = [side.pack for side in state.sides]
    assert [len(pack) for pack in packs] == [5, 5]
    assert SAINOME.waiting(state).seats == (A, B)
    refused(state, do.Draft(A, "nothing"), "R10")
    refused(state, do.Draw(A), "R10")
    state = after(state, do.Draft(B, packs[B][0]))
    assert SAINOME.waiting(state).seats == (A,)
    assert state.sides[A].pack == packs[A]  # nothing passed on yet
    refused(state, do.Draft(B, packs[B][1]), "R11")
    state = after(state, do.Draft(A, packs[A][0]))
    assert state.sides[A].pack == packs[B][1:]
    picks: list[list[str]] = [[packs[A][0]], [packs[B][0]]]
    while state.phase == "draft":
        for seat in (A, B):
            card = state.sides[seat].pack[-1]
            picks[seat].append(card)
            state = after(state, do.Draft(seat, card))
    assert [list(side.stack) for side in state.sides] == picks  # N-A2: the first pick on top
    own = SAINOME.view(state, A).parts
    assert any("top first" in getattr(p, "label", p).__repr__() for p in own)


@pytest.mark.rule("sainome", "R11", "R12", "R13")
def test_t4_none_one_or_two_actions_in_any_order_then_the_trash_phase() -> None:
    state = board(MAGICIAN._replace(hand=("claymore",)), PRINCESS)
    nothing = after(state, do.End(A))
    assert nothing.phase == "trash"
    after_trash = after(nothing, do.GoOn(A))
    assert (after_trash.mover, after_trash.phase) == (B, "act")
    one = after(state, do.Draw(A))
    assert (one.phase, one.allowed()) == ("act", 1)
    two = after(one, do.Reequip(A), do.GoOn(A))
    assert two.phase == "trash"
    other_way = after(state, do.Reequip(A), do.GoOn(A), do.Draw(A))
    assert other_way.phase == "trash"
    refused(state, do.Draw(B), "R11")


def test_who_draws_is_said_to_the_other_at_once() -> None:
    state = board(MAGICIAN, PRINCESS)
    drawn = after(state, do.Draw(A))
    for viewer, weight in ((A, 0), (B, 1), (None, 1)):
        first = next(iter(SAINOME.story.beats(state, do.Draw(A), drawn, viewer)))
        assert (first.says.template, first.weight) == ("{who} draws", weight)


@pytest.mark.rule("sainome", "R12", "R14")
def test_t3_t4_no_action_twice_and_no_third_one() -> None:
    state = board(MAGICIAN._replace(hand=("claymore",)), PRINCESS)
    drawn = after(state, do.Draw(A))
    assert "once" in refused(drawn, do.Draw(A), "R14")
    struck = after(state, do.Strike(A), thrown(1))
    assert "once" in refused(struck, do.Strike(A), "R14")
    fitted = after(state, do.Reequip(A), do.GoOn(A))
    refused(fitted, do.Reequip(A), "R14")
    both = after(drawn, do.Strike(A), thrown(1))
    assert both.phase == "trash"  # a third action: the phase is over
    refused(both, do.Reequip(A), "R28")
    bound = board(MAGICIAN._replace(fewer=1, hand=("claymore",)), PRINCESS)
    assert after(bound, do.Draw(A)).phase == "trash"
    labels = {c.label.show(): c.barred for c in SAINOME.view(drawn, A).choices}
    assert (labels["Draw"], labels["Attack"]) == ("R14", "")


@pytest.mark.rule("sainome", "R12")
def test_a_third_action_is_refused_with_rule_and_reason() -> None:
    state = board(MAGICIAN._replace(hand=("treasure_search", "claymore")), PRINCESS,
                  discard=("dagger", "sai"), done=("draw",))  # fmt: skip
    busy = SAINOME.apply(state, do.Play(A, "treasure_search"))  # the second one is under way
    assert "Treasure Search" in refused(busy, do.Strike(A), "H3")
    done = after(busy, do.Target(A, "sai"))
    assert "are over" in refused(done, do.Strike(A), "R28")
    full = board(MAGICIAN._replace(hand=FIVE), PRINCESS, phase="equip", fitting=A,
                 done=("draw", "equip"))  # fmt: skip
    assert "attach" in refused(full, do.Strike(A), "R18")
    assert after(full, do.GoOn(A)).phase == "trash"


@pytest.mark.rule("sainome", "R16")
def test_drawing_fills_the_hand_up_to_five_and_not_beyond() -> None:
    state = board(MAGICIAN._replace(hand=("claymore", "saw")), PRINCESS, deck_top=("dagger",))
    drawn = after(state, do.Draw(A))
    assert drawn.sides[A].hand[:3] == ("claymore", "saw", "dagger")
    assert len(drawn.sides[A].hand) == 5
    full = board(MAGICIAN._replace(hand=FIVE), PRINCESS)
    assert refused(full, do.Draw(A), "R16") == "Your hand is full: 5 of 5"
    sack = board(MAGICIAN._replace(hand=FIVE[:3], up="large_sack"), PRINCESS)
    assert len(after(sack, do.Draw(A)).sides[A].hand) == 7


@pytest.mark.rule("sainome", "R17")
def test_a_short_deck_is_drawn_out_before_the_discards_are_shuffled() -> None:
    state = board(MAGICIAN, PRINCESS, deck_top=("dagger",))
    gone = state.deck[2:]
    from dataclasses import replace

    state = replace(state, deck=state.deck[:2], discard=gone)
    state = SAINOME.apply(state, do.Draw(A))
    assert len(state.sides[A].hand) == 2  # N-A11
    assert SAINOME.waiting(state).chance
    refused(state, do.End(A), "R17")
    refused(state, do.Shuffled(gone[1:]), "R17")
    state = after(state, do.Shuffled(gone))
    assert (len(state.sides[A].hand), len(state.deck), state.discard) == (5, len(gone) - 3, ())
    refused(state, do.Shuffled(()), "R17")


@pytest.mark.rule("sainome", "R18", "R19", "R20", "R36")
def test_re_equipping_takes_everything_off_and_only_links_hold() -> None:
    lay = MAGICIAN._replace(hand=("claymore", "wooden_buckler"), up="dagger", left="ice_edge")
    state = after(board(lay, PRINCESS), do.Reequip(A))
    assert (worn(state, A), len(state.sides[A].hand)) == ({}, 4)
    no_link = refused(state, do.Attach(A, "claymore", LEFT), "R36")
    assert no_link == "Claymore has no link for left"
    refused(state, do.Attach(A, "wooden_buckler", UP), "R19")
    refused(state, do.Attach(A, "claymore", 4), "R20")
    state = after(state, do.Attach(A, "claymore", RIGHT))
    assert "take it off" in refused(state, do.Attach(A, "dagger", RIGHT), "R20")
    state = after(state, do.Attach(A, "dagger", DOWN), do.GoOn(A))
    assert worn(state, A) == {"right": "claymore", "down": "dagger"}


@pytest.mark.rule("sainome", "R21", "R40")
def test_instants_are_for_the_instant_action_only_once_and_by_their_text() -> None:
    state = board(
        MAGICIAN._replace(hand=("bartering", "treasure_search", "aimless_barrage", "dagger")),
        PRINCESS, discard=("sai",),
    )  # fmt: skip
    assert "no instant" in refused(state, do.Play(A, "dagger"), "R40")
    assert "less HP" in refused(state, do.Play(A, "aimless_barrage"), "R21")
    refused(state, do.Play(A, "steal"), "R21")
    found = after(state, do.Play(A, "treasure_search"))
    assert ("sai" in found.sides[A].hand, found.discard) == (True, ("treasure_search",))
    refused(found, do.Play(A, "bartering"), "R14")
    refused(after(state, do.End(A)), do.Play(A, "bartering"), "R40")


@pytest.mark.rule("sainome", "R15")
@pytest.mark.parametrize("card", ["quick_change", "choice_of_two"])
def test_t1_t2_an_instant_with_an_attack_and_the_attack_action_in_both_orders(card: str) -> None:
    state = board(MAGICIAN._replace(hand=(card, "dagger", "saw")), PRINCESS)

    def instant(now: State) -> State:
        now = SAINOME.apply(now, do.Play(A, card))
        if card == "quick_change":
            return after(now, do.Attach(A, "dagger", UP), do.GoOn(A), thrown(2))
        return after(now, thrown(1, 1))

    first = instant(after(state, do.Strike(A), thrown(1)))
    second = after(instant(state), do.Strike(A), thrown(1))
    if second.phase == "dodge":  # the hurt one has cards now, and may have an answer
        second = after(second, do.GoOn(B))
    for end in (first, second):
        assert set(end.done) == {"attack", "instant"}
        assert end.phase == "trash"
    assert hp(first)[B] == (9 if card == "quick_change" else 10)


@pytest.mark.rule("sainome", "R28", "R29")
def test_t12_seven_cards_must_come_down_to_five_three_may_stay_or_go() -> None:
    seven = after(board(MAGICIAN._replace(hand=(*FIVE, "dagger", "sai")), PRINCESS), do.End(A))
    assert refused(seven, do.GoOn(A), "R28") == "First discard down to your limit: 2 more"
    assert SAINOME.view(seven, A).choices[-1].barred == "R28"
    six = after(seven, do.Discard(A, "sai"))
    refused(six, do.GoOn(A), "R28")
    refused(six, do.Discard(A, "sai"), "R29")
    assert after(six, do.Discard(A, "saw"), do.GoOn(A)).mover == B
    three = after(board(MAGICIAN._replace(hand=FIVE[:3]), PRINCESS), do.End(A))
    assert after(three, do.GoOn(A)).mover == B
    none = after(three, *(do.Discard(A, card) for card in FIVE[:3]))
    assert (none.mover, none.discard) == (B, FIVE[:3])


@pytest.mark.parametrize(
    ("dice", "why"),
    [
        ((Die("black", 7),), "A die shows 1 to 6, not 7"),
        ((Die("black", 0),), "A die shows 1 to 6, not 0"),
        ((Die("black", 3), Die("black", 3)), "Dice to throw: 1, not 2"),
        ((), "Dice to throw: 1, not 0"),
        ((Die("white", 3),), "Throw black dice only"),
    ],
)
@pytest.mark.rule("sainome", "R22")
def test_a_die_that_cannot_be_is_refused(dice: tuple[Die, ...], why: str) -> None:
    state = SAINOME.apply(board(MAGICIAN, PRINCESS), do.Strike(A))
    assert refused(state, Rolled(dice), "R22") == why
    refused(state, do.End(A), "R22")
    refused(board(MAGICIAN, PRINCESS), thrown(3), "R22")


@pytest.mark.parametrize(
    "pair", list(permutations(("swordsman", "magician", "sister", "princess"), 2))
)
def test_every_pair_of_characters_can_be_chosen(pair: tuple[str, str]) -> None:
    state = after(SAINOME.new(2, Options()), thrown(6), thrown(1), do.Take(A, "character"))
    state = SAINOME.apply(after(state, do.Choose(A, pair[0])), do.Choose(B, pair[1]))
    assert tuple(side.character for side in state.sides) == pair


def test_the_table_may_set_hp_hands_sides_and_actions_and_bring_a_game_back() -> None:
    state = board(MAGICIAN._replace(hand=3), PRINCESS._replace(hand=2), cards="table")
    assert SAINOME.rulings.overrule is not None
    assert len(SAINOME.rulings.overrule(state, "hand1", 4).sides[B].hand) == 4
    assert SAINOME.rulings.overrule(state, "awake0", 1).sides[A].awakened
    assert SAINOME.rulings.overrule(state, "fewer1", 1).sides[B].fewer == 1
    lost = SAINOME.rulings.overrule(state, "hp1", 0)
    result = SAINOME.result(lost)
    assert result is not None
    assert result.winners == (A,)
    back = SAINOME.rulings.overrule(lost, "hp1", 3)
    assert (SAINOME.result(back), hp(back)) == (None, (10, 3))
    both = SAINOME.result(SAINOME.rulings.overrule(lost, "hp0", 0))
    assert both is not None
    assert both.winners == ()


@pytest.mark.rule("sainome", "H4")
def test_who_is_attacked_has_the_same_time_whatever_the_hand_holds() -> None:
    seen = set()
    for moment in islice(walk(SAINOME, 2, Options(), seed=0), 400):
        state, waiting = moment.state, SAINOME.waiting(moment.state)
        if not answering(state):
            continue
        (victim,) = waiting.seats
        first, *others = SAINOME.legal(state, victim)
        assert (waiting.moment, first) == (ANSWER, do.GoOn(victim))
        assert SAINOME.wanted(state, victim) == first  # the clock runs while the finger is there
        seen.add(bool(others))
    assert seen == {False, True}
