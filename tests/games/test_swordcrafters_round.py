"""Swordcrafters: grids, slices, selections and crafting, rule by rule."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from companion.errors import BadState, Illegal
from companion.games.swordcrafters import SWORDCRAFTERS
from companion.games.swordcrafters.actions import (
    Aim,
    Craft,
    Cut,
    Dealt,
    Discard,
    Draw,
    Drawn,
    Icon,
    Laid,
    Pick,
    Take,
    Undo,
)
from companion.games.swordcrafters.gems import BLANK, FORGE, TILES, supply
from companion.games.swordcrafters.slices import GONE, NOBODY
from companion.games.swordcrafters.state import Options, State, open_groups
from tests.games.swords import (  # fmt: skip
    LARGE,
    SMALL,
    apply,
    forge_at,
    grid,
    laid,
    legal,
    new,
    on,
    slices,
    step,
    virtual,
)


def counted(seats: int, deep: int) -> tuple[list[int], list[int]]:
    """Ordered slices and distinct partitions after each slice."""
    states, ordered, distinct = [laid(seats)], [], []
    for _ in range(deep):
        states = [after for state in states for after in slices(state)]
        ordered.append(len(states))
        distinct.append(len({frozenset(state.groups) for state in states}))
    return ordered, distinct


@pytest.mark.rule("swordcrafters", "S-R12", "S-R13", "S-R14", "S-R15", "S-R34", "S-R35")
@pytest.mark.slow
def test_the_slices_of_a_small_grid_are_as_many_as_counted_by_hand() -> None:
    ordered, distinct = counted(2, 4)
    assert ordered == [5, 32, 210, 1352]
    assert distinct[3] == 301
    ordered, distinct = counted(3, 3)
    assert ordered == [5, 32, 210]
    assert distinct == [5, 28, 106]


@pytest.mark.rule("swordcrafters", "S-R12", "S-R13", "S-R14")
@pytest.mark.slow
def test_the_slices_of_a_large_grid_are_as_many_as_counted_by_hand() -> None:
    ordered, distinct = counted(4, 4)
    assert ordered == [6, 48, 408, 3552]
    assert distinct == [6, 42, 209, 840]


@pytest.mark.slow
@pytest.mark.rule("swordcrafters", "S-R13")
def test_five_slices_of_a_large_grid_are_as_many_as_counted_by_hand() -> None:
    ordered, distinct = counted(5, 5)
    assert ordered[-1] == 30624
    assert distinct[-1] == 2610


@pytest.mark.rule("swordcrafters", "S-R1")
def test_one_to_five_play() -> None:
    for seats in (0, 6):
        with pytest.raises(Illegal, match="S-R1"):
            new(seats, Options())
    assert [new(seats, Options()).seats for seats in SWORDCRAFTERS.seats] == [1, 2, 3, 4, 5]


@pytest.mark.rule("swordcrafters", "S-R3", "S-R35", "S-H12")
def test_two_or_three_take_out_three_of_each_colour() -> None:
    assert sum(supply(False, False)) == 91
    assert sum(supply(True, False)) == 91 - 18 == 73
    assert sum(supply(True, True)) == 91 - 21 == 70
    assert new(3, Options()).supply == (10,) * 6 + (13,)
    assert new(3, Options(blanks=True)).supply == (10,) * 7
    assert new(4, Options()).supply == (13,) * 7


@pytest.mark.rule("swordcrafters", "S-R8", "S-R9", "S-R10", "S-R11", "S-R26")
@pytest.mark.parametrize(
    ("seats", "used", "left"), [(4, 90, 1), (5, 90, 1), (3, 66, 7), (2, 66, 7), (1, 90, 1)]
)
def test_six_rounds_use_all_tiles_but_a_few(seats: int, used: int, left: int) -> None:
    """ST9 and ST10."""
    end = on(virtual(seats), seed=seats)
    assert end.phase == "over"
    assert end.round == 6
    assert sum(end.supply) == left
    assert sum(virtual(seats).supply) - left == used
    rows, columns = end.size
    assert left < rows * columns - 1  # not enough for another grid


@pytest.mark.rule("swordcrafters", "S-R8", "S-R9")
def test_a_grid_has_its_size_and_the_forge_its_place() -> None:
    for seats, size in ((2, (3, 4)), (3, (3, 4)), (4, (4, 4)), (5, (4, 4)), (1, (4, 4))):
        state = step(virtual(seats), random.Random(seats))
        assert (len(state.rows), len(state.rows[0])) == size
        assert forge_at(state.rows) == [(1, 2)]


@pytest.mark.rule("swordcrafters", "S-R2")
def test_tiles_come_in_any_order_and_never_more_than_there_are() -> None:
    start = virtual(4)
    assert SWORDCRAFTERS.chance is not None
    draws = [SWORDCRAFTERS.chance(start, random.Random(n).randrange) for n in range(200)]
    assert len(set(draws)) == 200
    seen = Counter(tile for draw in draws for row in draw.rows for tile in row)
    for tile in TILES:  # 200 grids of 15: some 428 of each kind
        assert 340 < seen[tile] < 520
    greedy = tuple(tuple("red" for _ in row) for row in LARGE)
    greedy = (greedy[0], ("red", "red", FORGE, "red"), *greedy[2:])
    with pytest.raises(Illegal, match="S-R2: The game has fewer tiles"):
        apply(start, Laid(greedy))


@pytest.mark.rule("swordcrafters", "S-R9", "S-R10")
@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (grid("RBGP YOF- RBGP R"), "12 tiles lie there, 11 belong there"),
        (grid("RBGP YOF- RBG"), "10 tiles lie there, 11 belong there"),
        (grid("RBGP YFO- RBGP"), "The forge must lie in row 2, column 3"),
        (grid("RBG YFB -PO YGR"), "Lay 3 rows of 4"),
        (grid("RBGP YOR- RBGP"), "12 tiles lie there, 11 belong there"),
    ],
)
def test_a_grid_that_is_none_is_refused_with_the_figures(
    rows: tuple[tuple[str, ...], ...], why: str
) -> None:
    for state in (virtual(3), told_table(3)):
        with pytest.raises(Illegal, match=why) as refusal:
            apply(state, Laid(rows))
        assert refusal.value.rule == "S-R9"
    with pytest.raises(Illegal, match="S-R8: 11 tiles lie there, 15"):
        apply(virtual(4), Laid(SMALL))


def told_table(seats: int) -> State:
    """A tracked game that waits for its first grid."""
    return on(new(seats, Options(way="tracked")), seed=3, until="lay")


@pytest.mark.rule("swordcrafters", "S-R12")
def test_each_slices_once_from_the_first_player_clockwise() -> None:
    for seats in (3, 4, 5):
        state, order = laid(seats, first=1), []
        while state.phase == "slice":
            order.append(state.mover)
            state = next(slices(state))
        assert order == [(1 + n) % seats for n in range(seats)]
        assert len(state.groups) == seats + 1
    with pytest.raises(Illegal, match="S-R12"):
        apply(laid(3), Draw(1, (0, 1), (3, 1)))


@pytest.mark.rule("swordcrafters", "S-R34")
def test_two_players_slice_and_take_in_turns_twice_each() -> None:
    state, order = laid(2, first=1), []
    while state.phase == "slice":
        order.append(state.mover)
        state = next(slices(state))
    assert order == [1, 0, 1, 0]
    assert len(state.groups) == 5
    order = []
    while state.phase == "select":
        order.append(state.mover)
        state = apply(state, next(iter(legal(state, state.mover))))
    assert order == [1, 0, 1, 0]


@pytest.mark.rule("swordcrafters", "S-R13", "S-R14")
@pytest.mark.parametrize(
    ("start", "end", "rule", "why"),
    [
        ((1, 0), (1, 1), "S-R14", "Group A stays whole: the line parts 1 of 2 cells"),  # partial
        ((1, 0), (1, 4), "S-R14", "The line runs on past group A"),  # through two groups
        ((0, 3), (3, 3), "S-R14", "The line does not part group A"),  # in another group
        ((0, 2), (3, 2), "S-R14", "The line does not part group A"),  # along the edge
        ((0, 5), (3, 5), "S-R13", "The slice leaves the grid of 3 by 4"),  # outside
        ((-1, 1), (3, 1), "S-R13", "The slice leaves the grid"),
        ((0, 0), (1, 2), "S-R13", "A slice must be straight"),  # a turn
        ((1, 1), (1, 1), "S-R13", "A slice must be straight"),  # a point
    ],
)
def test_an_illegal_slice_is_refused_with_rule_and_reason(
    start: tuple[int, int], end: tuple[int, int], rule: str, why: str
) -> None:
    state = laid(3)
    for action in (Draw(0, (0, 2), (3, 2)), Cut(0), Aim(1, 0)):
        state = apply(state, action)
    with pytest.raises(Illegal, match=why) as refusal:
        apply(state, Draw(1, start, end))
    assert refusal.value.rule == rule


@pytest.mark.rule("swordcrafters", "S-R13")
def test_a_line_may_be_drawn_either_way() -> None:
    state = laid(3)
    assert apply(state, Draw(0, (3, 2), (0, 2))) == apply(state, Draw(0, (0, 2), (3, 2)))


@pytest.mark.rule("swordcrafters", "S-R36")
def test_dual_swords_are_refused_to_three() -> None:
    with pytest.raises(Illegal, match="S-R36: Dual swords are for two players"):
        new(3, Options(variant="dual"))


def test_a_card_that_cannot_be_is_refused_before_the_game() -> None:
    for row in (("1a", "pays", 3), ("magic.1a", "pays", "3")):
        with pytest.raises(BadState):
            new(2, Options(corrections=(row,)))


@pytest.mark.rule("swordcrafters", "S-R14")
def test_a_single_cell_cannot_be_sliced() -> None:
    state = laid(4)
    for action in (Draw(0, (1, 0), (1, 4)), Cut(0), Aim(1, 0), Draw(1, (0, 1), (1, 1)), Cut(1)):
        state = apply(state, action)
    assert [group.size for group in state.groups] == [1, 3, 12]
    with pytest.raises(Illegal, match="S-R14: Group A cannot be cut in two"):
        apply(state, Aim(2, 0))


@pytest.mark.rule("swordcrafters", "S-R15")
def test_a_round_begins_with_one_group_forge_included() -> None:
    state = laid(4)
    assert [group.size for group in state.groups] == [16]
    assert state.aim == 0  # the only group need not be chosen


@pytest.mark.rule("swordcrafters", "S-R13")
def test_a_line_is_shown_before_it_is_cut_and_can_be_undone() -> None:
    state = apply(laid(3), Draw(0, (1, 0), (1, 4)))
    assert len(state.groups) == 1
    part = SWORDCRAFTERS.view(state, 0).parts[0]
    assert part.cut == ((1, 0), (1, 4))  # type: ignore[union-attr]  # a grid
    state = apply(state, Undo(0))
    assert state.line is None
    assert len(apply(apply(state, Draw(0, (2, 0), (2, 4))), Cut(0)).groups) == 2


@pytest.mark.rule("swordcrafters", "S-H1")
def test_with_the_option_no_group_of_one_is_left_where_another_slice_is_possible() -> None:
    ends = {3: 48, 2: 50}
    for seats, partitions in ends.items():
        states = [laid(seats, least=2)]
        for _ in range(4 if seats == 2 else 3):
            states = [after for state in states for after in slices(state)]
        shapes = {frozenset(state.groups) for state in states}
        whole = [shape for shape in shapes if all(group.size > 1 for group in shape)]
        assert len(whole) == partitions
    state = laid(4, least=2)
    for action in (Draw(0, (1, 0), (1, 4)), Cut(0), Aim(1, 0)):
        state = apply(state, action)
    with pytest.raises(Illegal, match="S-H1: A group of 1 is too small, 2 needed"):
        apply(state, Draw(1, (0, 1), (1, 1)))


@pytest.mark.rule("swordcrafters", "S-H1")
def test_where_every_slice_leaves_a_group_of_one_the_option_stands_back() -> None:
    state = selecting(2, least=2)  # four columns of three cells, and a slice still to make
    assert state.phase == "slice"
    state = apply(state, Aim(state.mover, 0))
    state = apply(apply(state, Draw(state.mover, (1, 0), (1, 1))), Cut(state.mover))
    assert sorted(group.size for group in state.groups) == [1, 2, 3, 3, 3]


def selecting(seats: int = 3, first: int = 0, **options: int) -> State:
    """Three columns cut off one by one: A, B, C, and the rest with the forge's column."""
    state = laid(seats, first, **options)
    for column, seat in enumerate((first + n) % seats for n in range(3)):
        if state.aim == NOBODY:
            state = apply(state, Aim(seat, len(state.groups) - 1))
        state = apply(apply(state, Draw(seat, (0, column + 1), (3, column + 1))), Cut(seat))
    return state


@pytest.mark.rule("swordcrafters", "S-R16")
def test_each_takes_one_whole_group_in_turn_and_none_twice() -> None:
    state = selecting()
    assert state.phase == "select"
    with pytest.raises(Illegal, match="S-R16: It is Seat 1's move"):
        apply(state, Take(1, 0))
    state = apply(state, Take(0, 1))
    with pytest.raises(Illegal, match="S-R16: Seat 1 has taken group B"):
        apply(state, Take(1, 1))
    assert state.smiths[0].hands == (("blue", "blue", "orange"),)
    with pytest.raises(Illegal, match="S-R16"):
        apply(state, Take(1, 9))


@pytest.mark.rule("swordcrafters", "S-R17", "S-R18", "S-R19")
def test_the_group_left_over_goes_to_the_box_and_the_forge_makes_the_first_player() -> None:
    state = selecting()
    for seat, group in ((0, 0), (1, 2), (2, 1)):  # column 3 holds the forge
        state = apply(state, Take(seat, group))
    assert state.phase == "craft"
    assert state.first == 1
    assert state.smiths[1].hands == (("green", "green"),)  # two tiles: the forge is none
    end = on(state, seed=1, until="lay", rounds=6)
    held = sum(one.length for smith in end.smiths for one in smith.swords)
    assert held == 11 - 3  # the last column went to the box
    again = step(end, random.Random(1))
    assert forge_at(again.rows) == [(1, 2)]


@pytest.mark.rule("swordcrafters", "S-R20", "S-R18")
def test_if_nobody_takes_the_forge_the_token_goes_on_clockwise() -> None:
    state = selecting(first=2)
    for seat, group in ((2, 0), (0, 1), (1, 3)):
        state = apply(state, Take(seat, group))
    assert state.first == 0
    state = on(state, seed=1, until="slice", rounds=6)
    assert state.mover == 0
    assert forge_at(state.rows) == [(1, 2)]


def crafting() -> State:
    state = selecting()
    for seat, group in ((0, 0), (1, 2), (2, 1)):
        state = apply(state, Take(seat, group))
    return state


@pytest.mark.rule("swordcrafters", "S-R21")
def test_no_tile_may_be_left_uncrafted() -> None:
    state = crafting()
    with pytest.raises(Illegal, match="S-R21: Seat 1 forges the tiles first: 3 left"):
        apply(state, Laid(SMALL))
    for side in range(3):
        state = apply(apply_pick(state, 0), Craft(0, side))
    with pytest.raises(Illegal, match="S-R21: Seat 2 forges the tiles first: 2 left"):
        apply(state, Laid(SMALL))
    with pytest.raises(Illegal, match="S-R21: All your tiles are forged"):
        apply(state, Pick(0, "red"))


def apply_pick(state: State, seat: int) -> State:
    """Pick the first tile of the hand, unless there is only one kind."""
    if state.smiths[seat].picked:
        return state
    return apply(state, next(iter(legal(state, seat))))


@pytest.mark.rule("swordcrafters", "S-R22")
def test_the_order_is_the_owners_choice_and_the_tiles_are_the_owners_own() -> None:
    state = crafting()
    assert list(legal(state, 0)) == [Pick(0, "red"), Pick(0, "yellow")]
    with pytest.raises(Illegal, match="S-R21: You took no such tile this round"):
        apply(state, Pick(0, "green"))
    with pytest.raises(Illegal, match="S-R22: Pick a tile first"):
        apply(state, Craft(0, 0))
    state = apply(state, Pick(0, "yellow"))
    with pytest.raises(Illegal, match="S-R22"):
        apply(state, Pick(0, "red"))
    state = apply(state, Craft(0, 3))
    assert state.smiths[0].swords[0].sides[3] == ("yellow",)
    assert state.smiths[0].picked == "red"  # two of a kind are left: no need to pick


@pytest.mark.rule("swordcrafters", "S-R23", "S-R24")
def test_a_hole_in_the_sword_is_refused_and_what_is_forged_stays() -> None:
    state = crafting()
    state = apply(apply(state, Pick(0, "yellow")), Craft(0, 1))
    with pytest.raises(Illegal, match="S-R23: Side 2 has 1 tiles, side 1 only 0: leave no gap"):
        apply(state, Craft(0, 1))
    with pytest.raises(Illegal, match="S-R23: Choose a side, 1 to 4"):
        apply(state, Craft(0, 4))
    for seed in range(20):
        before = crafting()
        rng = random.Random(seed)
        for _ in range(60):
            after = step(before, rng)
            for old, new_one in zip(before.smiths, after.smiths, strict=True):
                for was, now in zip(old.swords[0].sides, new_one.swords[0].sides, strict=True):
                    assert now[: len(was)] == was
            heights = [len(side) for smith in after.smiths for side in smith.swords[0].sides]
            for at in range(0, len(heights), 4):
                assert max(heights[at : at + 4]) - min(heights[at : at + 4]) <= 1
            before = after


@pytest.mark.rule("swordcrafters", "S-R4", "S-R6", "S-R7")
@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"magic": ("1a", "2a")}, "S-R4"),
        ({"magic": ("1a", "2a", "2a")}, "S-R4"),
        ({"magic": ("1a", "2a", "3b")}, "S-R4"),
        ({"magic": ("1a", "2a", "3a", "4a")}, "S-R4"),
        ({"guards": ("red", "red", "red", "blue")}, "S-R6"),
        ({"guards": ("red", "red", "blue")}, "S-R6"),
        ({"guards": ("red", "red", "blue", BLANK)}, "S-R6"),
        ({"first": 2}, "S-R7"),
        ({"rivals": ("1",)}, "S-R38"),
    ],
)
def test_a_deal_that_is_none_is_refused(change: dict[str, object], rule: str) -> None:
    good = Dealt(("1a", "2a", "3a"), ("red", "red", "blue", "green"), 1)
    state = new(2, Options(way="virtual"))
    assert apply(state, good).first == 1
    with pytest.raises(Illegal) as refusal:
        apply(state, replace(good, **change))  # type: ignore[arg-type]  # bent on purpose
    assert refusal.value.rule == rule


@pytest.mark.rule("swordcrafters", "S-R4", "S-R6", "S-R7")
def test_deals_are_fair_and_use_the_chosen_side_of_the_cards() -> None:
    assert SWORDCRAFTERS.chance is not None
    for faces, allowed in (("beginner", {"a"}), ("intermediate", {"b"}), ("mixed", {"a", "b"})):
        state = new(5, Options(way="virtual", faces=faces))
        deals = [SWORDCRAFTERS.chance(state, random.Random(n).randrange) for n in range(60)]
        assert {key[-1] for deal in deals for key in deal.magic} == allowed
        assert {deal.first for deal in deals} == set(range(5))
        for deal in deals:
            assert len({key[:-1] for key in deal.magic}) == 3
            assert max(Counter(deal.guards).values()) <= 2
            assert len(deal.guards) == 10


@pytest.mark.rule("swordcrafters", "S-R36")
def test_with_two_swords_each_gets_one_group_a_round_in_either_order() -> None:
    state = on(laid(2, variant="dual"), seed=2, until="select")
    seat = state.mover
    assert {action.sword for action in legal(state, seat)} == {0, 1}
    state = apply(state, Take(seat, open_groups(state)[0], 1))
    state = apply(state, next(iter(legal(state, 1 - seat))))
    assert {action.sword for action in legal(state, seat)} == {0}
    with pytest.raises(Illegal, match="S-R36: Sword 2 has its group: choose the other"):
        apply(state, Take(seat, open_groups(state)[0], 1))
    with pytest.raises(Illegal, match="S-R36: Choose a sword, 1 to 2"):
        apply(state, Take(seat, open_groups(state)[0], 2))
    end = on(state, seed=2)
    assert all(len(smith.swords) == 2 for smith in end.smiths)
    result = SWORDCRAFTERS.result(end)
    assert result is not None
    assert any(what.show().startswith("Sword 2:") for what, _ in result.scores[0].breakdown)


@pytest.mark.rule("swordcrafters", "S-R38", "S-R39", "S-R40", "S-R41")
def test_a_solo_round_slices_by_the_card_discards_half_and_forges_the_rest() -> None:
    state = laid(1)
    assert state.rivals[0].key == "1"
    assert SWORDCRAFTERS.chance is not None
    keys = {SWORDCRAFTERS.chance(state, random.Random(n).randrange).card for n in range(200)}
    assert keys == {str(n) for n in range(2, 11)}  # the opponent's card is not in the deck

    state = apply(state, Drawn("3"))  # H H V V
    with pytest.raises(Illegal, match="S-R39: The card asks for a horizontal slice"):
        apply(state, Draw(0, (0, 1), (4, 1)))
    state = apply(apply(state, Draw(0, (1, 0), (1, 4))), Cut(0))
    with pytest.raises(Illegal, match="S-H8: That makes a later slice of the card impossible"):
        apply(state, Discard(0, 1))  # the row that is left could not be cut across
    state = apply(state, Discard(0, 0))
    assert [group.owner for group in state.groups] == [GONE, NOBODY]
    for line, gone in (
        (((2, 0), (2, 4)), 1),  # keep the two rows at the bottom
        (((2, 2), (4, 2)), 3),  # of them the left half
        (((2, 1), (4, 1)), 2),  # of it the right column
    ):
        state = apply(apply(apply(state, Draw(0, *line)), Cut(0)), Discard(0, gone))
    assert state.phase == "craft"
    assert state.smiths[0].hands == (("blue", "orange"),)
    end = on(state, seed=1)
    result = SWORDCRAFTERS.result(end)
    assert result is not None
    assert "VP against" in result.why.show()
    assert len(end.drawn) == 6


@pytest.mark.rule("swordcrafters", "S-R39", "S-R40")
@pytest.mark.parametrize("least", [1, 2])
@pytest.mark.parametrize("key", [str(n) for n in range(2, 11)])
def test_every_solo_card_is_sliced_four_times_whatever_is_kept(key: str, least: int) -> None:
    rng = random.Random(key)
    for _ in range(20):
        state, cuts = apply(laid(1, least=least), Drawn(key)), 0
        while state.phase in ("slice", "discard"):
            action = rng.choice(list(legal(state, 0)))
            cuts += isinstance(action, Cut)
            state = apply(state, action)
        assert cuts == 4


@pytest.mark.rule("swordcrafters", "S-R39", "S-R40", "S-H8")
def test_a_slice_that_would_make_a_later_one_impossible_is_refused() -> None:
    state = apply(laid(1), Drawn("10"))  # V V V H
    with pytest.raises(Illegal, match="S-H8: That makes a later slice of the card impossible"):
        apply(state, Draw(0, (0, 2), (4, 2)))  # two columns are cut down once, not twice
    state = apply(apply(state, Draw(0, (0, 3), (4, 3))), Cut(0))
    with pytest.raises(Illegal, match="S-H8: That makes a later slice of the card impossible"):
        apply(state, Discard(0, 0))
    assert list(legal(state, 0)) == [Discard(0, 1)]


@pytest.mark.rule("swordcrafters", "S-R39")
def test_an_impossible_icon_of_a_real_card_is_skipped() -> None:
    """SA14: HHHH leaves a row after three slices."""

    state = on(new(1, Options()), seed=1, until="draw")
    for _ in range(4):
        state = apply(state, Icon(0, "H"))
    cuts = 0
    while state.phase in ("slice", "discard"):
        if state.phase == "slice":
            state = apply(next(s for s in [apply(state, a) for a in legal(state, 0)]), Cut(0))
            cuts += 1
        else:
            state = apply(state, next(a for a in legal(state, 0) if isinstance(a, Discard)))
    assert cuts <= 3
    assert state.phase == "craft"


@pytest.mark.rule("swordcrafters", "S-R38")
@pytest.mark.parametrize("opponents", [1, 2, 3, 4])
def test_solo_has_as_many_opponents_as_chosen_and_the_deck_lasts(opponents: int) -> None:
    end = on(virtual(1, opponents=opponents), seed=opponents)
    assert len(end.rivals) == opponents
    assert not {rival.key for rival in end.rivals} & set(end.drawn)
    assert len(end.drawn) == 6  # 4 opponents and 6 rounds: exactly ten cards
