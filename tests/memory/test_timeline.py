"""What a timeline says of its last state: worked out once, and anew after every move."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from companion.games import GAMES
from companion.games.kiriai import KIRIAI
from companion.games.kiriai.state import Pick, State
from companion.memory.timeline import Move, Ruling, Timeline, fold
from companion.views import View

SWORDS = GAMES["swordcrafters"]


def _counted() -> tuple[Timeline, Counter[Any]]:
    """A duel whose game counts how often it is asked for a seat's view."""
    asked: Counter[Any] = Counter()

    def view(state: State, seat: int | None) -> View:
        asked[seat] += 1
        return KIRIAI.view(state, seat)

    game = replace(KIRIAI, view=view)
    return Timeline(game, (), (game.new(2, game.options()),)), asked


def test_a_view_is_worked_out_once_for_each_seat_however_often_it_is_looked_at() -> None:
    line, asked = _counted()
    for seat in (0, 1, None, 1, 0, None):
        assert line.view(seat) == KIRIAI.view(line.state, seat)
    assert asked == {0: 1, 1: 1, None: 1}


def test_after_every_move_all_that_is_said_of_the_game_is_of_the_new_state() -> None:
    line, _ = _counted()
    seen = [line.view(0)]
    assert KIRIAI.chance is not None
    dealt = KIRIAI.chance(line.state, lambda _n: 0)
    for action in (dealt, Pick(0, "approach"), Pick(0, "high")):
        line = line.played(Move(line.seq + 1, action))
        assert line.view(0) == KIRIAI.view(line.state, 0)
        assert line.waiting == KIRIAI.waiting(line.state)
        assert line.result == KIRIAI.result(line.state)
        assert line.view(0) not in seen
        seen.append(line.view(0))
    back = line.without([line.seq])
    assert back.view(0) == seen[-2]


def test_timelines_are_equal_whether_or_not_they_were_looked_at() -> None:
    line, _ = _counted()
    same = replace(line)
    line.view(0)
    assert line.waiting
    assert line == same


@pytest.mark.parametrize("drop", range(8))
def test_taking_back_judges_only_what_comes_after_it_and_gives_what_folding_all_gives(
    drop: int,
) -> None:
    judged: list[object] = []

    def overrule(state: Any, counter: str, value: int) -> Any:
        judged.append(value)
        return SWORDS.rulings.overrule and SWORDS.rulings.overrule(state, counter, value)

    game = replace(SWORDS, rulings=replace(SWORDS.rulings, overrule=overrule))
    start = game.new(2, game.options())
    moves = [Move(n, Ruling("word0", n)) for n in range(1, 8)]
    line = fold(game, start, moves)
    judged.clear()
    back = line.without([drop])
    assert judged == [n for n in range(1, 8) if 0 < drop < n]
    whole = fold(game, start, [move for move in moves if move.seq != drop])
    assert (back.moves, back.states, back.seq) == (whole.moves, whole.states, 8)
    corrected, late, why = line.corrected(drop, Ruling("word0", 9))
    other = [replace(m, what=Ruling("word0", 9)) if m.seq == drop else m for m in moves]
    whole = fold(game, start, other)
    assert (corrected.moves, corrected.states, corrected.seq) == (whole.moves, whole.states, 8)
    assert (late, why) == (None, None)
