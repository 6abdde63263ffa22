"""The solver of Kiri-ai and its judge, which share no line but the numbering, say the same."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from companion.bots.kiriai_table import BOARDS, PLANS, STANDARD, Table, pack, transitions
from companion.bots.train.kiriai_solve import Solver, with_special, without
from companion.games.kiriai.cards import SPECIALS
from tests.bots.kiriai_judge import FACES_HERE, Ground, Judge, Kind


@pytest.mark.slow
@pytest.mark.parametrize("spaces", [5, 7])
def test_the_rounds_of_the_solver_are_those_of_the_game(spaces: int) -> None:
    ground = Ground.of(spaces)
    faces = np.array([[FACES_HERE.index(face) for face in plan] for plan in PLANS])
    places = np.arange(len(ground.places))[:, None]
    solved = transitions(BOARDS[spaces])
    for number, his in enumerate(PLANS):
        special = next((face for face in his if face in SPECIALS), None)
        mine = [n for n, plan in enumerate(PLANS) if special not in plan]  # there is one of each
        cards = (FACES_HERE.index(his[0]), FACES_HERE.index(his[1]))
        played = ground.after_round(places, (faces[mine, 0], faces[mine, 1]), cards)
        assert (solved[:, mine, number] == played).all()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="the solver is compiled")
def test_the_solver_and_the_judge_agree_on_the_file_to_the_last_digit(tmp_path: Path) -> None:
    solver = Solver()
    solver.rows[:-1] = 0  # both specials spent: a game of its own
    values, found, spent = solver.nothing(), [], {}
    for left in (1, 2, 3):
        values = solver.round(2 if left < 3 else 0, values)
        found.append(values[-1, 0][solver.rows[-1] > 0])
        if left < 3:
            spent[left] = solver.spent()
    pack(tmp_path / "table", STANDARD, ((1,), (1, 2)), [with_special(solver), without(spent)], 0.5)
    judge = Judge(Table(tmp_path / "table"), [Kind(0, 0, 0)])
    for ours in found:
        assert not judge.left or judge.gap() < 0.01  # what rounding costs where nothing is kept
        judge.go_back()
        theirs = judge.values[: STANDARD.slots][solver.rows[-1] > 0]
        assert np.abs(theirs - ours).max() < 1e-9
    assert np.abs(found[-1]).max() == 1  # somebody is lost already
    assert judge.gap() > 0.1  # the table of two rounds left is not for three
