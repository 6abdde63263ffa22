"""The bench prints what the games measure: every row is made of words."""

from __future__ import annotations

import pytest

from companion.bots.shelf import players
from tests.bench import __main__ as bench
from tests.bench import bots, engines, eye, hack, sao, swords, wire
from tests.bench.frames import Row


@pytest.mark.slow
def test_every_row_of_the_games_fits_the_table_of_the_bench() -> None:
    rows = [
        sao.assignments(5),
        sao.lines(6, rolls=1),
        sao.lines_at_first(),
        sao.playouts(1),
        *hack.rows(1),
        swords.reader(1),
        *engines.rows(0.001),
        bots.moves(players("swordcrafters")[-1], most=3),
        wire.latency(3),
        wire.decode("here", 1e6),
        eye.row_of(Row("a frame", 2.0, 4.0, worst=3.0, beside="recipe")),
    ]
    table = bench.table()
    for row in rows:
        table.add_row(*row)  # refuses what is no word
    assert table.row_count == len(rows)
