"""The bench prints what the games measure: every row is made of words."""

from __future__ import annotations

import pytest

from tests import bench, bench_eye, bench_hack, bench_sainome, bench_sao, bench_swords, bench_wire
from vision.bench_frames import Row


@pytest.mark.slow
def test_every_row_of_the_games_fits_the_table_of_the_bench() -> None:
    rows = [
        bench_sao.assignments(5),
        bench_sao.odds(3, rolls=1),
        bench_sao.odds_at_first(),
        bench_sao.playouts(1),
        *bench_hack.rows(1),
        bench_swords.reader(1),
        bench_swords.playouts(0.0),
        bench_sainome.playouts("companion", 0.001),
        bench_wire.latency(3),
        bench_wire.decode("here", 1e6),
        bench_eye.told(Row("a frame", 2.0, 4.0, worst=3.0, beside="recipe")),
    ]
    table = bench.table()
    for row in rows:
        table.add_row(*row)  # refuses what is no word
    assert table.row_count == len(rows)
