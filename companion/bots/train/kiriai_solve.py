"""Solve Kiri-ai: `python -m companion.bots.train.kiriai_solve FOLDER`; needs gcc.

Backward induction over the rounds left. At each band one linear programme a row (kiriai.c) finds
the mixture over plans and next memories that is worth most against the specials that the other may
hold, each weighed by how much his best mixtures lead there with it. He may be told the memory, so
his best answer is a plain decision process, and the same pass gives the most that anybody can win
against the table as it is rounded and packed.
"""

from __future__ import annotations

import ctypes
import lzma
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from companion.bots.kiriai_table import (
    ADVANCED,
    BASIC_PLANS,
    HORIZONS,
    LAYERS,
    MASKED,
    STANDARD,
    STEPS,
    Board,
    Packed,
    Start,
    Table,
    around,
    layer_number,
    may_lay,
    pack,
    rests,
    transitions,
)
from companion.games.kiriai.cards import HEAVEN, STANCES
from companion.games.kiriai.duel import BLUE
from companion.games.kiriai.state import own_spaces

BANDS = (1, 2, 3, 4, 5, 7, 9, 12, 17, 25, 40, 70)
SPENT_BANDS = (*range(1, 11), 12, 14, 16, 19, 22, 26, 31, 38, 48, 60, 75, 100)
FINE = 2047  # units with both specials spent; times the widest band it fits 16 bits
ROUNDS = 100
LEARNS = {5: 80, 7: 32}  # rounds over which the weights are learned, by spaces
UNWEIGHED = (1, 2, 3, 4, 6, 9, 13, 18)  # rounds that are solved before that
MOST, HIS = 96, 24  # entries of a row, replies of the other's mixture, as in kiriai.c
SLACK = 0.002  # a row is solved anew where it loses more than this to the best mixture
AHEAD = 25  # rounds over which the ways to a row are followed
FLOOR = 0.05  # of the mean weight: no special of his is ever left out of account
PRIOR = 3  # how many times all weights alike count in their mean
Bands = dict[int, Any]
"""Rows of a table, or mixtures with both specials spent, by the first round left that has them."""


def beginnings(board: Board) -> list[tuple[int, str]]:
    """Where a seat may stand at first, from its own end, and how."""
    if board is STANDARD:
        return [(1, HEAVEN)]
    return [(space, stance) for space in own_spaces(BLUE) for stance in STANCES]


def _pointers(*arrays: Any) -> list[Any]:
    return [array.ctypes.data_as(ctypes.c_void_p) for array in arrays]


class Solver:
    """The arrays, and the compiled passes over them."""

    def __init__(self, board: Board = STANDARD) -> None:
        self.board, slots = board, board.slots
        self.after, self.may, self.rest = transitions(board), may_lay(), rests()
        self.weight = np.ones((len(LAYERS), slots, 3), np.float32)
        self.layers = np.array([[la.mine, la.his, la.memory] for la in LAYERS], np.int32)
        begin = beginnings(board)
        self.roots = np.array(
            [[board.slot((me, board.spaces + 1 - him), (mine, his)) for him, his in begin]
             for me, mine in begin]
        )  # fmt: skip
        self.chances = np.full(len(begin), 1 / len(begin))  # of each beginning
        count, self.solved = len(LAYERS) * slots, 0
        self.table = (
            np.zeros(count, np.uint8),
            np.zeros((count, MOST), np.uint8),
            np.zeros((count, MOST), np.uint16),
        )
        self.duals = (
            np.zeros(count, np.uint8),
            np.zeros((count, HIS), np.uint8),
            np.zeros((count, HIS), np.float32),
        )
        self._shares, self._weighed = np.full((len(LAYERS), slots, 3), float(PRIOR)), PRIOR
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "kiriai.so"
            source = Path(__file__).with_name("kiriai.c")
            flags = ["-O3", "-march=native", "-shared", "-fPIC"]
            subprocess.run(["gcc", *flags, str(source), "-o", str(made)], check=True)
            self._made = ctypes.CDLL(str(made))
        self.rows = self.reached()

    def reached(self) -> Any:
        """The rows that some play leads to, for every memory."""
        start, seen = (
            np.zeros(self.board.slots, np.uint8),
            np.zeros((4, 4, self.board.slots), np.uint8),
        )
        start[self.roots] = 1
        moves = _pointers(self.after, self.may, self.rest, start, seen)
        self._made.reach(self.board.slots, *moves)
        both = [(1, 1) if la.mine == la.his == 0 else (la.mine + 1, la.his + 1) for la in LAYERS]
        return np.ascontiguousarray(np.stack([seen[pair] for pair in both]))

    def nothing(self) -> Any:
        """The values with no round left: a draw."""
        return np.zeros((len(LAYERS), 3, self.board.slots))

    def round(self, solve: int, values: Any, units: int = 65535) -> Any:
        """The values with one round more; the table is kept, or solved anew where it must be: the
        rows with a special in hand (1), those with both spent (2), which have these units."""
        new = np.zeros_like(values)
        arrays = (self.after, self.may, self.rest, self.layers, self.rows, self.weight, values, new)
        pointers = _pointers(*arrays, *self.table, *self.duals)
        slack = ctypes.c_double(SLACK)
        self.solved = self._made["pass"](self.board.slots, solve, units, slack, *pointers)
        if self.solved < 0:
            raise SystemExit(f"{-self.solved} programmes had no clean end")
        return new

    def spent(self) -> Any:
        """The mixtures with both specials spent: units by slot and plan."""
        counts, columns, units = (part[-self.board.slots :] for part in self.table)
        found = np.zeros((self.board.slots, len(BASIC_PLANS)), np.uint16)
        row, at = np.nonzero(np.arange(MOST) < counts[:, None])
        found[row, columns[row, at]] = units[row, at]
        return found

    def play_spent(self, mixtures: Any) -> None:
        """Put these into the table."""
        counts, columns, units = (part[-self.board.slots :] for part in self.table)
        order = np.argsort(mixtures == 0, axis=1, kind="stable")
        counts[:] = (mixtures > 0).sum(axis=1)
        columns[:, : order.shape[1]] = order
        units[:, : order.shape[1]] = np.take_along_axis(mixtures, order, axis=1)

    def weigh(self) -> None:
        """Weigh his specials in each row by how much his best mixtures so far lead there."""
        here = np.zeros_like(self._shares)
        masked = here[layer_number(-1, -1, MASKED)]
        np.add.at(masked, self.roots.ravel(), np.repeat(self.chances, len(self.chances))[:, None])
        there, total = np.zeros_like(here), here.copy()
        arrays = (self.after, self.may, self.rest, self.layers, self.rows)
        pointers = _pointers(*arrays, *self.table, *self.duals, here, there, total)
        self._made.flow(self.board.slots, AHEAD, *pointers)
        his = [[b != la.mine and la.memory != 1 << b for b in range(3)] for la in LAYERS]
        mean = total.sum(axis=2, keepdims=True) / np.sum(his, axis=1)[:, None, None]
        self._shares += np.divide(total, mean, out=np.ones_like(total), where=mean > 1e-9)
        self._weighed += 1
        hidden = np.array([la.his < 0 for la in LAYERS])[:, None, None]
        weight = np.where(hidden, FLOOR + (1 - FLOOR) * self._shares / self._weighed, 1.0)
        self.weight = np.ascontiguousarray(weight, np.float32)

    def loses(self, values: Any) -> float:
        """What the best answer wins from the start: the mean over both deals."""
        first = values[layer_number(-1, -1, MASKED)][:, self.roots]
        return -float(np.einsum("bij,i->bj", first, self.chances).min(axis=1).sum()) / 6

    def begin(self, values: Any, tries: int = 20000) -> list[Start]:
        """Learn how often to begin where, by regrets; the chances are rounded to units."""
        first = values[layer_number(-1, -1, MASKED)][:, self.roots]
        mine, his = np.zeros(len(self.roots)), np.zeros((3, len(self.roots)))
        total = np.zeros(len(self.roots))
        for turn in range(tries):
            x = _matched(mine)
            y = np.stack([_matched(row) for row in his])
            gain, loss = np.einsum("bij,bj->i", first, y), np.einsum("bij,i->bj", first, x)
            mine = np.maximum(0, mine + gain - gain @ x)
            his = np.maximum(0, his - loss + (loss * y).sum(axis=1, keepdims=True))
            total += x * turn
        units = np.floor(total / total.sum() * 255).astype(int)
        units[np.argmax(units)] += 255 - units.sum()
        self.chances = units / 255
        found = zip(beginnings(self.board), units.tolist(), strict=True)
        return [(space, stance, n) for (space, stance), n in found if n]


def _matched(regrets: Any) -> Any:
    total = regrets.sum()
    return regrets / total if total > 0 else np.full(len(regrets), 1 / len(regrets))


def with_special(solver: Solver) -> Packed:
    """The rows of a band with a special in hand, without the room that they did not need."""
    counts, columns, units = solver.table
    used = np.arange(MOST) < counts[: -solver.board.slots, None]
    return counts[: len(used)].copy(), columns[: len(used)][used], units[: len(used)][used]


def without(spent: Bands) -> Packed:
    """The rows of all bands with both specials spent."""
    units = np.concatenate([*spent.values()])
    counts, columns = (units > 0).sum(axis=1), np.nonzero(units)[1]
    return counts.astype(np.uint8), columns.astype(np.uint8), units[units > 0]


def learn(solver: Solver) -> None:
    """Find the weights, and with them a table for all rounds; tells how it goes."""
    values = solver.nothing()
    for left in range(1, LEARNS[solver.board.spaces] + 1):
        late = left > UNWEIGHED[-1] + 2
        values = solver.round(3 if late or left in UNWEIGHED else 0, values)
        if late:
            solver.begin(values, tries=500)
            solver.weigh()
        took = f"{solver.solved} rows solved, {time.process_time():.0f} s"
        print(f"{left} left: loses {solver.loses(values):.4f}, {took}", flush=True)


def both_spent(solver: Solver) -> Bands:
    """The mixtures of each band, solved with every round, for it takes little."""
    values, found = solver.nothing(), {}
    solver.play_spent(np.zeros_like(solver.spent()))
    for left in range(1, ROUNDS + 1):
        values = solver.round(2, values, FINE)
        if left in SPENT_BANDS:
            found[left] = solver.spent()
    return found


def play_mixed(solver: Solver, spent: Bands, left: int) -> int:
    """Put the mixtures of the bands around into the table; how many units they have."""
    firsts = tuple(spent)
    mixed: Any = sum(spent[firsts[n]] * np.uint16(share) for n, share in around(firsts, left))
    solver.play_spent(mixed)
    return int(mixed.sum(axis=1).max())


def induced(solver: Solver, bands: Sequence[int], spent: Bands) -> tuple[Bands, Any]:
    """The rows of the bands, and the values of all rounds with them and these mixtures."""
    values, found = solver.nothing(), {}
    for left in range(1, ROUNDS + 1):
        values = solver.round(int(left in bands), values, play_mixed(solver, spent, left))
        if left in bands:
            found[left] = with_special(solver)
            print(f"{left} left: loses {solver.loses(values):.4f}", flush=True)
    return found, values


def write(path: Path, solver: Solver, rows: Bands, spent: Bands, values: Any) -> None:
    """Pack a table with its bound."""
    starts, every = solver.begin(values), [*rows.values(), without(spent)]
    pack(path, solver.board, ([*rows], [*spent]), every, solver.loses(values), starts)
    print(f"{path.name}: loses {solver.loses(values):.4f}, {path.stat().st_size / 1e6:.2f} MB")


def write_values(table: Table) -> None:
    """Beside a packed table: what it is worth in each row, against each special of his."""
    solver, kept, spent = Solver(table.board), [], spent_of(table)
    values = solver.nothing()
    for left in range(1, max(HORIZONS) + 1):
        if left in table.bands:
            band = table.band(table.bands.index(left))
            counts, columns, units = (part[: -table.board.slots] for part in solver.table)
            counts[:] = np.diff(band.starts)
            used = np.arange(MOST) < counts[:, None]
            columns[used], units[used] = band.columns, band.units
        values = solver.round(0, values, play_mixed(solver, spent, left))
        if left in HORIZONS:
            kept.append(np.round(values * STEPS).astype(np.int8))
    raw = lzma.compress(np.stack(kept).tobytes(), preset=9 | lzma.PRESET_EXTREME)
    table.path.with_suffix(".values").write_bytes(raw)


def spent_of(table: Table) -> Bands:
    """The mixtures of a packed table with both specials spent, by band."""
    band, rows = table.band(len(table.bands)), table.board.slots * len(table.spent)
    mixtures = np.zeros((rows, len(BASIC_PLANS)), np.uint16)
    mixtures[np.repeat(np.arange(rows), np.diff(band.starts)), band.columns] = band.units
    return dict(zip(table.spent, np.split(mixtures, len(table.spent)), strict=True))


def main() -> None:
    """Both rows; each has a table for all rounds, the standard row one for each band as well."""
    folder, wanted = Path(sys.argv[1]), sys.argv[2:]
    if wanted == ["values"]:
        for path in folder.glob("*.table"):
            write_values(Table(path))
        return
    for name, board in (("kiriai-small", STANDARD), ("kiriai-advanced", ADVANCED)):
        if wanted and name not in wanted:
            continue
        solver = Solver(board)
        learn(solver)
        spent = {1: solver.spent()}
        _, values = induced(solver, (), spent)
        write(folder / f"{name}.table", solver, {1: with_special(solver)}, spent, values)
        if board is STANDARD:
            spent = both_spent(solver)
            rows, values = induced(solver, BANDS, spent)
            write(folder / "kiriai.table", solver, rows, spent, values)


if __name__ == "__main__":
    main()
