"""The solved table of Kiri-ai: how duels are numbered, what a round does to them, and how the file
is packed and read.

A *memory* is the set of specials (one bit each) that the player's moves still leave open. A row
belongs to a public position, a memory and a band of rounds left. Each entry of a row is a plan, the
memory after it, and its weight in units; for every special of the memory the weights of the entries
that keep it, or play it, add up to the same. With both specials spent nothing is hidden: that layer
has bands of its own, and between two of them both are mixed, which loses a tenth of keeping one.
"""

from __future__ import annotations

import json
import lzma
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.games.kiriai.cards import BASIC_CARDS, BASICS, FACES, SPECIALS, STANCES
from companion.games.kiriai.duel import BLUE, NOBODY, Stand, resolve

Bytes = npt.NDArray[np.uint8]
Plan = tuple[str, str]

MASKED = 7  # every special is still possible
HORIZONS = (1, 3, 9, 40)  # rounds left for which the values of all rows are kept
STEPS = 63  # into which a value of 1 is cut; a row of two specials is worth -2 to 2
ASIDES = ("", *BASIC_CARDS)
WIN, LOSS = -1, -2
FACES_ALL = (*BASICS, *SPECIALS)


class Board:
    """A row of spaces, and the numbers of the public positions on it."""

    def __init__(self, spaces: int) -> None:
        self.spaces = spaces
        every = range(1, spaces + 1)
        self.pairs = tuple((me, him) for me in every for him in every if me <= him)
        self.cores = len(self.pairs) * 4 * 4
        self.slots = self.cores * len(ASIDES) ** 2

    def slot(
        self,
        spaces: tuple[int, int],
        stances: tuple[str, str],
        wounds: tuple[int, int] = (0, 0),
        asides: tuple[str, str] = ("", ""),
    ) -> int:
        """The number of a position, mine first; spaces count from my own end."""
        core = self.pairs.index(spaces)
        for stance in stances:
            core = core * 2 + STANCES.index(stance)
        core = (core * 2 + wounds[0]) * 2 + wounds[1]
        rest = ASIDES.index(asides[0]) * len(ASIDES) + ASIDES.index(asides[1])
        return core * len(ASIDES) ** 2 + rest


STANDARD, ADVANCED = Board(5), Board(7)
BOARDS = {board.spaces: board for board in (STANDARD, ADVANCED)}
BASIC_PLANS: tuple[Plan, ...] = tuple(
    (one, two) for one in BASICS for two in BASICS if FACES[one].card != FACES[two].card
)
SPECIAL_PLANS: tuple[tuple[Plan, ...], ...] = tuple(
    (*((special, face) for face in BASICS), *((face, special) for face in BASICS))
    for special in SPECIALS
)
PLANS: tuple[Plan, ...] = (*BASIC_PLANS, *(plan for plans in SPECIAL_PLANS for plan in plans))


@dataclass(frozen=True, slots=True)
class Layer:
    """Which specials lie open, and what the player's memory is: `mine`, `his` are -1 if held."""

    mine: int
    his: int
    memory: int


def _layers() -> Iterator[Layer]:
    """Nobody has spent; I have; he has; both have (which ones no longer matters)."""
    yield from (Layer(-1, -1, memory) for memory in (MASKED, 1, 2, 4))
    yield from (Layer(mine, -1, 0) for mine in range(3))
    for his in range(3):
        rest = MASKED & ~(1 << his)
        yield from (Layer(-1, his, memory) for memory in (rest, 1, 2, 4) if memory & rest)
    yield Layer(0, 0, 0)


LAYERS = tuple(_layers())
SPENT = len(LAYERS) - 1  # the layer with both specials spent
_NUMBERS = {layer: number for number, layer in enumerate(LAYERS)}


def layer_number(mine: int, his: int, memory: int) -> int:
    """The layer of what lies open; a spent special leaves nothing to remember."""
    if mine >= 0:
        return _NUMBERS[Layer(0, 0, 0) if his >= 0 else Layer(mine, -1, 0)]
    return _NUMBERS[Layer(-1, his, memory)]


def next_memories(memory: int) -> tuple[int, ...]:
    """What a memory may become by a plan without a special: itself, or one special laid bare."""
    if memory.bit_count() < 2:
        return (memory,)
    return (memory, *(1 << special for special in range(3) if memory >> special & 1))


@dataclass(frozen=True, slots=True)
class Entry:
    """One way to go on: the plan, the memory after it, the weight in units."""

    plan: Plan
    memory: int  # 0: the special is played
    special: int  # the special that the plan plays, or -1
    units: int


def entry(memory: int, column: int, units: int) -> Entry:
    """A column of a row: plans without a special for each next memory, then plans with one."""
    basics = len(BASIC_PLANS)
    if column < 4 * basics:
        return Entry(
            BASIC_PLANS[column % basics], next_memories(memory)[column // basics], -1, units
        )
    special, number = divmod(column - 4 * basics, len(SPECIAL_PLANS[0]))
    return Entry(SPECIAL_PLANS[special][number], 0, special, units)


def around(bands: Sequence[int], left: int) -> tuple[tuple[int, int], ...]:
    """The numbers of the bands below and above, each with its share: the nearer, the greater."""
    above = bisect_left(bands, left)
    if above == len(bands) or bands[above] == left:
        return ((min(above, len(bands) - 1), 1),)
    return (above - 1, bands[above] - left), (above, left - bands[above - 1])


@dataclass(frozen=True, slots=True)
class Band:
    """The rows of each layer in turn, by slot; or, with both specials spent, of each band."""

    starts: npt.NDArray[np.int64]
    columns: Bytes
    units: npt.NDArray[np.uint16]


Start = tuple[int, str, int]
"""Where one may stand at first, how, and how often, in units of 255."""


class Table:
    """A packed file; a band is read when it is first asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            facts: dict[str, Any] = json.loads(file.readline())
            self._body = file.tell()
        self.board = BOARDS[facts["spaces"]]
        self.bands: list[int] = facts["bands"]
        self.spent: list[int] = facts["spent"]  # bands of the layer with both specials spent
        self.bound: float = facts["bound"]
        self.starts: list[Start] = [(space, stance, n) for space, stance, n in facts["starts"]]
        self._ends: list[int] = facts["ends"]
        self.band = lru_cache(3)(self._band)

    def row(self, left: int, layer: int, number: int) -> tuple[Entry, ...]:
        """The entries of a row with so many rounds left; none where no play leads."""
        slots, found = self.board.slots, list[Entry]()
        if layer == SPENT:
            band = self.band(len(self.bands))
            rows = [(n * slots + number, share) for n, share in around(self.spent, left)]
        else:
            band = self.band(max(0, bisect_right(self.bands, left) - 1))
            rows = [(layer * slots + number, 1)]
        for row, share in rows:
            one, end = int(band.starts[row]), int(band.starts[row + 1])
            pairs = zip(band.columns[one:end].tolist(), band.units[one:end].tolist(), strict=True)
            found += [entry(LAYERS[layer].memory, column, n * share) for column, n in pairs]
        return tuple(found)

    def values(self, left: int) -> npt.NDArray[np.int8]:
        """By layer, his special and slot: STEPS times what the rows are worth if he answers best,
        with so many rounds left, or as many as are kept."""
        at = max(n for n, first in enumerate(HORIZONS) if first <= left)
        found: npt.NDArray[np.int8] = self._values[at]
        return found

    @cached_property
    def _values(self) -> npt.NDArray[np.int8]:
        raw = lzma.decompress(self.path.with_suffix(".values").read_bytes())
        return np.frombuffer(raw, np.int8).reshape(-1, len(LAYERS), 3, self.board.slots)

    def _band(self, number: int) -> Band:
        one, end = (0, *self._ends)[number : number + 2]
        with self.path.open("rb") as file:
            file.seek(self._body + one)
            raw = np.frombuffer(lzma.decompress(file.read(end - one)), np.uint8)
        rows = self.board.slots * (SPENT if number < len(self.bands) else len(self.spent))
        counts, (columns, low, high) = raw[:rows], raw[rows:].reshape(3, -1)
        starts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
        return Band(starts, columns, low + 256 * high.astype(np.uint16))


def transitions(board: Board) -> np.ndarray[Any, Any]:
    """The core after a round by core, my plan and his, or WIN, LOSS; I am Blue."""
    count = len(board.pairs) * 4
    step = np.zeros((count, 10, 10), np.int32)  # stand after a step
    hurt = np.zeros((count, 10, 10), np.int32)
    for stand in range(count):
        me, him = board.pairs[stand // 4]
        mine, his = Stand(me, STANCES[stand // 2 % 2]), Stand(him, STANCES[stand % 2])
        for one, face in enumerate(FACES_ALL):
            for two, other in enumerate(FACES_ALL):
                done = resolve(board.spaces, mine, his, face, other)
                pair = board.pairs.index((done.after[0].space, done.after[1].space))
                stances = [STANCES.index(after.stance) for after in done.after]
                step[stand, one, two] = (pair * 2 + stances[0]) * 2 + stances[1]
                wounded = 0 if done.hurt == NOBODY else 2 if done.hurt == BLUE else 1
                hurt[stand, one, two] = wounded  # his wound adds 1 to the core, mine 2
    core: Any = np.arange(board.cores)[:, None, None]
    first, second = (np.array([FACES_ALL.index(plan[n]) for plan in PLANS]) for n in (0, 1))
    over: Any = np.zeros((board.cores, 80, 80), np.int16)
    for faces in (first, second):
        stands, wounds = core // 4, core % 4
        at = (stands, faces[None, :, None], faces[None, None, :])
        wound = hurt[at]
        fatal = wound & wounds
        over = np.where(over, over, np.where(fatal == 1, WIN, np.where(fatal == 2, LOSS, 0)))
        core = step[at] * 4 + (wounds | wound)
    return np.ascontiguousarray(np.where(over, over, core).astype(np.int16))


def may_lay() -> np.ndarray[Any, Any]:
    """Which plans each card set aside leaves."""
    return np.array(
        [[all(FACES[face].card != aside for face in plan) for plan in PLANS] for aside in ASIDES],
        np.uint8,
    )


@cache
def rests() -> np.ndarray[Any, Any]:
    """Which card each plan sets aside."""
    second = [FACES[plan[1]].card for plan in PLANS]
    return np.array([ASIDES.index(card) if card in ASIDES else 0 for card in second], np.uint8)


Packed = tuple[Bytes, Bytes, npt.NDArray[np.uint16]]
"""Counts of all rows, then columns and units of all entries."""


def pack(
    path: Path,
    board: Board,
    bands: tuple[Sequence[int], Sequence[int]],
    rows: Sequence[Packed],
    bound: float,
    starts: Sequence[Start] = (),
) -> None:
    """Write the file: a line of JSON, then each part: counts, columns, low and high bytes."""
    chunks = []
    for counts, columns, units in rows:
        parts = (counts, columns, (units & 255).astype(np.uint8), (units >> 8).astype(np.uint8))
        raw = b"".join(part.tobytes() for part in parts)
        chunks.append(lzma.compress(raw, preset=9 | lzma.PRESET_EXTREME))
    ends = [sum(len(chunk) for chunk in chunks[: n + 1]) for n in range(len(chunks))]
    facts = {"spaces": board.spaces, "bands": bands[0], "spent": bands[1], "bound": round(bound, 5)}
    head = json.dumps({**facts, "starts": list(starts), "ends": ends})
    path.write_bytes(head.encode() + b"\n" + b"".join(chunks))
