"""Swordcrafters at a real table: tiles told, read by the eye, or swords entered at the end."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from companion.errors import Illegal
from companion.events import GridRead
from companion.games.swordcrafters import SWORDCRAFTERS
from companion.games.swordcrafters.actions import (
    Add,
    Card,
    Craft,
    Drawn,
    First,
    Guard,
    Laid,
    Next,
    Pick,
    Printed,
    Tile,
    Undo,
    Untold,
)
from companion.games.swordcrafters.state import Options, State
from companion.table.grids import marked
from companion.table.table import Seating
from companion.views import Grid, Line
from hardware.glass.draw import image
from tests.games import contract
from tests.games.shelf import walk
from tests.games.swords import SMALL, TILE, apply, grid, legal, new, on, sword
from tests.table.desk import Desk

TWO = Seating(2, ("Ann", "Bob"), {"table": (), "one": (0,), "two": (1,)})


def entering(seats: int = 2, **options: Any) -> State:
    """A game that is only scored, ready for the swords."""
    state = new(seats, Options(way="score", **options))
    for key in ("1a", "2a", "3a"):
        state = apply(state, Card(0, key))
    for seat in range(seats):
        for gem in ("red", "blue") if seat % 2 else ("green", "yellow"):
            state = apply(state, Guard(seat, gem))
    return state


def enter(state: State, seat: int, sides: str) -> State:
    """`RRB/R/R/R`: a colour per press, the next side at the stroke."""
    for side in sides.split("/"):
        for letter in side:
            state = apply(state, Add(seat, TILE[letter]))
        state = apply(state, Next(seat))
    return state


@pytest.mark.rule("swordcrafters", "S-H2")
def test_swords_are_entered_side_by_side_and_scored() -> None:
    state = enter(enter(entering(), 0, "RRB/RR/RR/GG"), 1, "BB/B/B/B")
    assert state.phase == "over"
    assert state.smiths[0].swords[0] == sword("RRB/RR/RR/GG", guards="GY")
    result = SWORDCRAFTERS.result(state)
    assert result is not None
    # length 9 to 5; a run of 2 on every side; red 6 to 1, blue 1 to 6, green 3 to 0
    assert result.scores[0].total == 6 + 4 * 4 + 6 + 3 + 6
    # runs: BB on side 1, guard and tile on side 3
    assert result.scores[1].total == 0 + 2 * 4 + 3 + 6 + 3


@pytest.mark.rule("swordcrafters", "S-R23", "S-H2")
def test_an_entered_sword_has_no_open_space() -> None:
    state = entering()
    for _ in range(3):
        state = apply(state, Add(0, "red"))
    state = apply(apply(state, Next(0)), Add(0, "red"))
    with pytest.raises(Illegal, match="S-R23: Side 2 needs 2 tiles, not 1: leave no hole"):
        apply(state, Next(0))
    for _ in range(3):
        state = apply(state, Add(0, "red"))
    with pytest.raises(Illegal, match="S-R23: At most 4 tiles on side 2"):
        apply(state, Add(0, "red"))
    state = apply(state, Next(0))  # sides of 3 and 4: the others have 3 or 4
    for _ in range(2):
        state = apply(state, Add(0, "red"))
    with pytest.raises(Illegal, match="S-R23: Side 3 needs 3 tiles, not 2"):
        apply(state, Next(0))
    with pytest.raises(Illegal, match="S-R23: Name one of the six gems"):
        apply(state, Add(0, "pink"))


@pytest.mark.rule("swordcrafters", "S-H2")
def test_every_entry_can_be_undone_back_to_the_beginning() -> None:
    start = entering()
    state = start
    for action in (Add(0, "red"), Add(0, "blue"), Next(0), Add(0, "green")):
        state = apply(state, action)
    for _ in range(4):
        state = apply(state, Undo(0))
    assert state.smiths[0].swords == start.smiths[0].swords
    assert state.smiths[0].entered == 0
    with pytest.raises(Illegal, match="Nothing is entered yet"):
        apply(state, Undo(0))
    assert Undo(0) not in list(legal(state, 0))


@pytest.mark.rule("swordcrafters", "S-H2", "S-R6")
def test_real_cards_and_guards_are_told_and_checked() -> None:
    state = new(2, Options())
    with pytest.raises(Illegal, match="S-R4: Enter the three cards first"):
        apply(state, Guard(0, "red"))
    state = apply(state, Card(0, "1a"))
    with pytest.raises(Illegal, match="S-R4: Card 1 lies there already"):
        apply(state, Card(0, "1a"))
    with pytest.raises(Illegal, match="S-R4: No such card on the chosen side"):
        apply(state, Card(0, "2b"))
    state = apply(apply(state, Card(0, "2a")), Card(0, "3a"))
    for seat, gem in ((0, "red"), (1, "red")):
        state = apply(state, Guard(seat, gem))
    with pytest.raises(Illegal, match="S-R6: Both Red guards are entered already"):
        apply(state, Guard(0, "red"))
    state = apply(apply(state, Guard(0, "blue")), Guard(1, "blue"))
    assert apply(state, First(1)).first == 1
    with pytest.raises(Illegal, match="S-R7: First say who begins"):
        apply(state, Drawn("1"))


@pytest.mark.rule("swordcrafters", "S-H3", "S-R30")
def test_a_printed_card_is_told_word_by_word_and_must_pay_somebody() -> None:
    state = new(2, Options())
    for word in ("pairs", "red", "blue"):
        state = apply(state, Printed(0, word))
    for none in ("0", "done"):
        with pytest.raises(Illegal, match="S-R30: A card pays at least the 1st place"):
            apply(state, Printed(0, none))
    with pytest.raises(Illegal, match="S-R4: First finish the printed card"):
        apply(state, Card(0, "1a"))
    state = apply(apply(state, Printed(0, "7")), Printed(0, "4"))
    with pytest.raises(Illegal, match="S-R30: A later place pays 4 at most"):
        apply(state, Printed(0, "5"))
    state = apply(state, Printed(0, "done"))
    card = state.magic[0]
    assert (card.method, card.gems, card.pays) == ("pairs", ("red", "blue"), (7, 4))
    assert card.source == "owner"
    for word in ("most", "green", "done", "6", "3", "1"):  # a third place ends it
        state = apply(state, Printed(0, word))
    assert state.magic[1].pays == (6, 3, 1)
    with pytest.raises(Illegal, match="S-R30: There is no such method"):
        apply(state, Printed(0, "best"))


def waiting_for_grid(seats: int = 2) -> State:
    return on(new(seats, Options()), seed=3, until="lay")


@pytest.mark.rule("swordcrafters", "S-R10", "S-H2")
def test_a_grid_is_told_tile_by_tile_from_the_left() -> None:
    state = waiting_for_grid()
    seat = state.first
    for row in SMALL:
        for tile in row:
            if tile != "forge":
                state = apply(state, Tile(seat, tile))
    assert state.phase == "slice"
    assert state.rows == SMALL


@pytest.mark.rule("swordcrafters", "S-H2")
def test_what_nobody_told_is_named_when_it_is_forged() -> None:
    state = waiting_for_grid()
    state = apply(apply(state, Tile(state.first, "red")), Untold(state.first))
    assert state.rows[0] == ("red", "?", "?", "?")
    state = on(state, seed=1, until="craft")
    seat = next(n for n, smith in enumerate(state.smiths) if "?" in smith.hands[0])
    assert len([a for a in legal(state, seat) if isinstance(a, Pick)]) == 7
    state = apply(state, Pick(seat, "orange"))
    before = state.smiths[seat].hands[0].count("?")
    state = apply(state, Craft(seat, 2))
    assert state.smiths[seat].swords[0].sides[2] == ("orange",)
    assert before - 1 == sum(hand.count("?") for hand in state.smiths[seat].hands)


@pytest.mark.rule("swordcrafters", "S-R9")
def test_a_grid_read_upside_down_is_turned_by_its_forge() -> None:
    state = waiting_for_grid()
    assert SWORDCRAFTERS.grid_action is not None
    turned = tuple(row[::-1] for row in SMALL[::-1])
    assert SWORDCRAFTERS.grid_action(state, turned) == Laid(SMALL)
    quarter = tuple(zip(*SMALL[::-1], strict=True))
    assert SWORDCRAFTERS.grid_action(state, quarter) == Laid(SMALL)
    assert SWORDCRAFTERS.grid_action(on(state, seed=1, until="craft"), SMALL) is None


def test_doubtful_tiles_are_marked_and_of_a_doubtful_picture_at_least_one() -> None:
    sure = GridRead((("red", "blue"),), ((0.99, 0.95),), True)
    assert marked(sure) == (("red", "blue"),)
    two = GridRead((("red", "blue", "green"),), ((0.99, 0.4, 0.85),), False)
    assert marked(two) == (("red", "blue?", "green?"),)
    assert marked(GridRead((("red", "blue"),), ((0.99, 0.95),), False)) == (("red", "blue?"),)


def tracked(tmp_path: Path) -> Desk:
    """A table with a tracked game that waits for its first grid; panel 1 begins."""
    desk = Desk(tmp_path, TWO, shelf={"swordcrafters": SWORDCRAFTERS})
    desk.start()
    for card in ("most of them", "Red", "Most Red", "most of them", "Blue", "Most Blue",
                 "most of them", "Green", "Most Green"):  # fmt: skip
        desk.choose(0, card)
    for panel, gem in ((0, "Red"), (0, "Blue"), (1, "Green"), (1, "Orange")):
        desk.choose(panel, gem)
    desk.choose(1, "I begin")
    return desk


def seen(rows: tuple[tuple[str, ...], ...], doubtful: tuple[tuple[int, int], ...] = ()) -> GridRead:
    sure = tuple(
        tuple(0.6 if (r, c) in doubtful else 0.99 for c in range(len(row)))
        for r, row in enumerate(rows)
    )
    return GridRead(rows, sure, not doubtful, b"a picture")


@pytest.mark.rule("swordcrafters", "S-H2")
def test_a_sure_grid_from_the_camera_is_taken_and_its_picture_kept(tmp_path: Path) -> None:
    desk = tracked(tmp_path)
    assert desk.table.watched.wants_grid
    desk.table.handle(seen(SMALL))
    assert not desk.table.watched.wants_grid
    state = desk.table.play.line.state
    assert state.phase == "slice"
    assert state.rows == SMALL
    last = desk.journal.last()
    assert last is not None
    assert desk.journal.readings(last.id)[-1][2] == b"a picture"
    desk.cut()
    assert desk.table.play.line.state.rows == SMALL


@pytest.mark.rule("swordcrafters", "S-H2")
def test_doubtful_tiles_are_asked_on_the_panel_the_likeliest_first(tmp_path: Path) -> None:
    desk = tracked(tmp_path)
    desk.table.handle(seen(SMALL, ((0, 1), (2, 3))))
    assert desk.table.play.line.state.phase == "lay"
    view = desk.table.panel(1)
    assert view.waiting.show() == "Tile in row 1, column 2?"
    assert desk.labels(1)[0] == "Blue"
    part = view.parts[0]
    assert isinstance(part, Grid)
    assert [cell.sign for cell in part.rows[0]] == ["R", "b", "G", "P"]
    assert part.rows[0][1].lit
    desk.choose(1, "Green")
    desk.table.handle(seen(SMALL, ((0, 1), (2, 3))))  # a second look changes nothing
    assert desk.table.panel(1).waiting.show() == "Tile in row 3, column 4?"
    desk.choose(1, "Purple")
    state = desk.table.play.line.state
    assert state.phase == "slice"
    assert state.rows[0] == ("red", "green", "green", "purple")


@pytest.mark.rule("swordcrafters", "S-R9")
def test_twelve_tiles_in_the_picture_are_refused_and_play_goes_on(tmp_path: Path) -> None:
    desk = tracked(tmp_path)
    many = (*SMALL, ("red", "", "", ""))
    desk.table.handle(seen(many))
    assert desk.notice(0) == "12 tiles lie there, 11 belong there (S-R9)"
    assert desk.notice(1) == desk.notice(0)
    desk.table.handle(seen(SMALL, ((1, 2),)))  # unsure of the forge only: it lies where it belongs
    assert desk.table.play.line.state.phase == "slice"
    desk.table.handle(seen(grid("RRRR RRFR RRRR")))  # nobody asked for a grid now
    assert desk.table.play.line.state.rows == SMALL


@pytest.mark.rule("swordcrafters", "S-R13")
def test_four_buttons_slice_with_the_line_on_the_glass_before_it_is_confirmed(
    tmp_path: Path,
) -> None:
    desk = tracked(tmp_path)
    desk.table.handle(seen(SMALL))
    desk.read(1)
    desk.press(1, "select")  # the only group is chosen, the finger is on the most even line
    before = image(desk.table.panel(1))
    part = desk.table.panel(1).parts[0]
    assert isinstance(part, Grid)
    assert part.cut == ((0, 2), (3, 2))
    assert desk.labels(1) == ["Cut here", "Undo"]
    desk.choose(1, "Undo")
    assert image(desk.table.panel(1)).tobytes() != before.tobytes()
    desk.choose(1, "Column 2|3")
    desk.choose(1, "Cut here")
    assert desk.labels(0) == ["A: 6 tiles", "B: 5+forge"]
    lettered = desk.table.panel(0).parts[0]
    assert isinstance(lettered, Grid)
    assert [cell.mark for cell in lettered.rows[0]] == ["A", "", "B", ""]
    assert not any(cell.mark for cell in lettered.rows[1])
    pointed = image(desk.table.panel(0)).crop((75, 12, 128, 64))
    desk.press(0, "next")  # the finger goes to B: another group is lit
    assert image(desk.table.panel(0)).crop((75, 12, 128, 64)).tobytes() != pointed.tobytes()
    desk.choose(0, "B")
    lit = desk.table.panel(0).parts[0]
    assert isinstance(lit, Grid)
    assert [cell.lit for cell in lit.rows[0]] == [False, False, True, True]
    desk.choose(0, "Row 1|2")
    desk.choose(0, "Cut here")
    groups = desk.table.play.line.state.groups
    assert [group.size for group in groups] == [6, 2, 4]


def test_the_grid_stands_on_the_glass_beside_the_choices(tmp_path: Path) -> None:
    desk = tracked(tmp_path)
    without = image(desk.table.panel(0)).crop((76, 14, 128, 64))
    desk.table.handle(seen(SMALL))
    beside = image(desk.table.panel(1)).crop((76, 14, 128, 64))
    assert sum(beside.getdata()) > 2_000 > 0
    assert beside.tobytes() != without.tobytes()


@pytest.mark.rule("swordcrafters", "S-H2")
@pytest.mark.rule("swordcrafters", "S-H3")
def test_a_printed_card_is_written_to_the_owners_file_and_offered_next_time(
    tmp_path: Path,
) -> None:
    desk = Desk(tmp_path, TWO, shelf={"swordcrafters": SWORDCRAFTERS})
    desk.start()
    for word in ("pairs", "Red", "Blue", "9 VP", "5 VP", "That is all"):
        desk.choose(0, word)
    assert [card.pays for card in desk.table.play.line.state.magic] == [(9, 5)]
    desk.menu(0)
    desk.choose(0, "Give up")
    desk.choose(1, "Agree")
    desk.start()
    assert "Pairs Red+Blue" not in desk.labels(0)  # a ring of 24 cards is no list
    desk.choose(0, "pairs")
    desk.choose(0, "Pairs Red+Blue")
    assert [card.pays for card in desk.table.play.line.state.magic] == [(9, 5)]


def test_points_by_the_tables_word_count_and_are_shown() -> None:
    state = enter(entering(), 0, "R/R/R/R")
    assert SWORDCRAFTERS.rulings.overrule is not None
    state = SWORDCRAFTERS.rulings.overrule(state, "word1", 5)
    state = enter(state, 1, "B/B/B/B")
    result = SWORDCRAFTERS.result(state)
    assert result is not None
    assert result.scores[1].breakdown[-1][0].show() == "The table's word"
    assert result.scores[1].breakdown[-1][1] == 5


def test_more_tiles_than_a_game_has_are_noticed() -> None:
    sides = "/".join(["R" * 16] * 4)
    state = enter(enter(entering(), 0, sides), 1, sides)
    parts = SWORDCRAFTERS.view(state, None).parts
    shown = [part.text.show() for part in parts if isinstance(part, Line)]
    assert "128 tiles entered, only 66 are laid" in shown


TABLES = [
    (2, Options(variant="dual", way=way, dual=dual))
    for way in ("tracked", "virtual", "score")
    for dual in ("each", "together")
] + [
    (3, Options(way="virtual", least=2)),
    (5, Options(way="virtual", faces="mixed", positive=True)),
    (3, Options(way="score", variant="light")),
    (1, Options(way="virtual", least=2, opponents=4)),
]


@pytest.mark.slow
@pytest.mark.parametrize("promise", contract.PROMISES, ids=lambda promise: promise.__name__)
def test_every_promise_holds_for_mixtures_of_options_as_well(promise: contract.Promise) -> None:
    for seats, options in TABLES:
        moments = tuple(walk(SWORDCRAFTERS, seats, options, 7))
        promise(SWORDCRAFTERS, moments, seats, random.Random(7))
