"""The judge of Kiri-ai's table: the most that anybody can win against it, worked out apart.

It knows the player only by the rows that it draws from, and the game only by its own moves: every
pair of cards is laid and opened by `KIRIAI.apply`. The opponent is told the player's memory before
each round, which can only help him; so his best play is a decision process over position and memory
for each special that he may hold, and what it wins is an upper bound of what anybody wins.
A position that the table has no row for counts as lost.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain, product
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.bots.kiriai_table import Entry, Table, layer_number
from companion.games.kiriai import KIRIAI
from companion.games.kiriai.cards import BASIC_CARDS, BASICS, FACES, SPECIALS, STANCES
from companion.games.kiriai.duel import Stand
from companion.games.kiriai.state import SIZES, Fighter, Options, Pick, Seal, State

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
FACES_HERE = (*BASICS, *SPECIALS)
RESTS = ("", *BASIC_CARDS)
WON, LOST = -1, -2
ALL = 7


@dataclass(frozen=True)
class Place:
    """Where both stand, how, and with how many wounds; I am Blue."""

    spaces: tuple[int, int]
    stances: tuple[str, str]
    wounds: tuple[int, int]


class Ground:
    """A row of spaces: its places, and what every pair of faces does there."""

    def __init__(self, spaces: int) -> None:
        self.spaces = spaces
        every = range(1, spaces + 1)
        self.places = [
            Place((me, him), stances, wounds)
            for me in every
            for him in range(me, spaces + 1)
            for stances in product(STANCES, STANCES)
            for wounds in product((0, 1), (0, 1))
        ]
        self.number = {place: number for number, place in enumerate(self.places)}

    @staticmethod
    @cache
    def of(spaces: int) -> Ground:
        """The row of so many spaces, played through once."""
        return Ground(spaces)

    def place_of(self, state: State) -> int:
        """The number of the place where a duel stands; or WON, LOST."""
        blue, red = state.fighters
        if 2 in (blue.wounds, red.wounds):
            return WON if red.wounds == 2 else LOST
        spaces = (blue.stand.space, red.stand.space)
        stances = (blue.stand.stance, red.stand.stance)
        return self.number[Place(spaces, stances, (blue.wounds, red.wounds))]

    def opened(self, place: Place, one: str, two: str) -> int:
        """The place after both open these faces, by the game's own moves; or WON, LOST."""
        if one == two and one in SPECIALS:
            return 0  # there is one of each: never asked for
        state = self.duel(place, one, two)
        for seat, face in enumerate((one, two)):
            other = next(card for card in ("high", "low") if card != face)
            state = KIRIAI.apply(state, Pick(seat, face))
            state = KIRIAI.apply(state, Pick(seat, other))
        return self.place_of(KIRIAI.apply(KIRIAI.apply(state, Seal(0)), Seal(1)))

    @cached_property
    def step(self) -> Ints:
        """`opened` for every place and pair of faces."""
        found = [self.opened(*each) for each in product(self.places, FACES_HERE, FACES_HERE)]
        return np.array(found).reshape(len(self.places), len(FACES_HERE), len(FACES_HERE))

    def after_round(self, place: Any, mine: tuple[Any, Any], his: tuple[int, int]) -> Ints:
        """Both cards, one after the other (K-R13); the second are void when the duel is over."""
        first = self.step[place, mine[0], his[0]]
        return np.where(first < 0, first, self.step[np.maximum(first, 0), mine[1], his[1]])

    def duel(self, place: Place, one: str, two: str) -> State:
        """A duel at this place in which each may lay this face."""
        spare = [special for special in SPECIALS if special not in (one, two)]
        fighters = []
        for n, face in enumerate((one, two)):
            special = face if face in SPECIALS else spare.pop()
            stand = Stand(place.spaces[n], place.stances[n])  # type: ignore[arg-type]
            fighters.append(Fighter(stand, place.wounds[n], special))
        field = next(name for name, spaces in SIZES.items() if spaces == self.spaces)
        return State(Options(battlefield=field), (fighters[0], fighters[1]), "choose")

    def turned(self, place: Place) -> Place:
        """The same position from the other end."""
        me, him = place.spaces
        far = self.spaces + 1
        return replace(
            place,
            spaces=(far - him, far - me),
            stances=place.stances[::-1],
            wounds=place.wounds[::-1],
        )


@cache
def plans(rest: str, special: str = "") -> dict[tuple[str, str], tuple[int, int]]:
    """What a hand may lay: two different cards, not the one that rests (K-R11)."""
    faces = [face for face in (*BASICS, special) if face and FACES[face].card != rest]
    return {
        (one, two): (FACES_HERE.index(one), FACES_HERE.index(two))
        for one, two in product(faces, faces)
        if FACES[one].card != FACES[two].card
    }


@cache
def resting(second: int) -> int:
    """The card set aside by a second card; a special leaves none (K-R39)."""
    card = FACES[FACES_HERE[second]].card
    return RESTS.index(card) if card in RESTS else 0


@dataclass(frozen=True)
class Kind:
    """What lies open of both specials, and what my memory leaves open: bits of SPECIALS."""

    mine: int
    his: int
    memory: int

    def next(self, entry: Entry, shown: int) -> Kind:
        """After my entry and his special, if he shows one."""
        mine = entry.special if entry.special >= 0 else self.mine
        his = shown if shown >= 0 else self.his
        if mine >= 0:
            return Kind(0, 0, 0) if his >= 0 else Kind(mine, -1, 0)
        return Kind(-1, his, entry.memory & ~(1 << shown) if shown >= 0 else entry.memory)

    def open_to(self, his: int) -> int:
        """How many specials I may still hold, while he holds `his`."""
        left = self.memory & ~(1 << his) if his >= 0 else self.memory
        return left.bit_count() if self.memory else 1

    def weight(self, entry: Entry, his: int) -> int:
        """How many of my specials play this entry while he holds `his`."""
        if not self.memory:
            return 1
        kept = 1 << entry.special if entry.special >= 0 else entry.memory
        return (kept & ~(1 << his)).bit_count() if his >= 0 else kept.bit_count()


def kinds() -> list[Kind]:
    """Every kind of position, those that come last in a duel first."""
    found = [Kind(0, 0, 0), *(Kind(mine, -1, 0) for mine in range(3))]
    for his in range(3):
        left = ALL & ~(1 << his)
        found += [Kind(-1, his, memory) for memory in (1, 2, 4, left) if memory & left == memory]
    return found + [Kind(-1, -1, memory) for memory in (1, 2, 4, ALL)]


@dataclass(frozen=True)
class Rows:
    """The entries of all rows of one kind where he rests one card, one after the other."""

    owners: Ints  # the first entry of each row
    places: Ints  # of each row
    own: Ints  # my resting card, of each row
    of: Ints  # the row of each entry
    first: Ints
    second: Ints
    rests: Ints
    units: Floats
    groups: Ints  # which of `entries` says memory and special
    entries: list[Entry]


def rows_of(table: Table, left: int, kind: Kind, rest: int) -> Rows:
    """Ask the table for every row; without a row a position is left out, and so is lost."""
    layer = layer_number(kind.mine, kind.his, kind.memory)
    places, own, counts = [], [], []
    entries: list[tuple[int, int, int, int]] = []
    units: list[float] = []
    groups: dict[tuple[int, int], int] = {}
    kept: list[Entry] = []
    for number, place in enumerate(Ground.of(table.board.spaces).places):
        for mine, card in enumerate(RESTS):
            at = table.board.slot(place.spaces, place.stances, place.wounds, (card, RESTS[rest]))
            found = table.row(left, layer, at)
            if not found:
                continue
            whole = _whole(kind, card, found)
            units += [one.units / whole for one in found]
            places.append(number)
            own.append(mine)
            counts.append(len(found))
            for one in found:
                key = (one.memory, one.special)
                if key not in groups:
                    groups[key] = len(kept)
                    kept.append(one)
                first, second = (FACES_HERE.index(face) for face in one.plan)
                entries.append((first, second, resting(second), groups[key]))
    columns = np.array(entries, np.int64).reshape(-1, 4).T
    many = np.array(counts, np.int64)
    starts = np.cumsum(many) - many
    return Rows(
        starts,
        np.array(places, np.int64),
        np.array(own, np.int64),
        np.repeat(np.arange(len(many)), many),
        *columns[:3],
        np.array(units),
        columns[3],
        kept,
    )


def _whole(kind: Kind, rest: str, found: tuple[Entry, ...]) -> int:
    """The units of each special, which are the same for all; each plays only what it may."""
    wholes = set()
    for special in range(3) if kind.memory else (-1,):
        if special >= 0 and not kind.memory >> special & 1:
            continue
        own = [e for e in found if special < 0 or special == e.special or e.memory >> special & 1]
        wholes.add(sum(one.units for one in own))
        may = plans(rest, SPECIALS[special] if special >= 0 else "")
        assert all(one.plan in may for one in own), "a plan that the hand does not allow"
        assert all(one.memory & ~kind.memory == 0 for one in own), "a memory grows"
    assert len(wholes) == 1, "the chances of a special are no whole"
    return wholes.pop()


def types(kind: Kind) -> list[int]:
    """The specials that he may hold; -1: his is spent."""
    if kind.his >= 0:
        return [-1]
    return [b for b in range(3) if b != kind.mine and kind.memory != 1 << b]


@dataclass(frozen=True)
class Case:
    """Rows that he answers out of the same plans."""

    into: Ints  # where the values of the rows stand
    owners: Ints
    units: Floats
    leads: list[npt.NDArray[np.int32]]  # for each of his plans: where each entry's value stands


DECIDED = np.arange(-2.0, 3.0)  # what a duel that is over is worth, for up to two of my specials


class Judge:
    """Backward over the rounds; `kinds` may be fewer, if they lead to no others."""

    def __init__(self, table: Table, kinds: list[Kind]) -> None:
        self._table, self._kinds, self.left = table, kinds, 0
        self._ground = Ground.of(table.board.spaces)
        self._block = {key: n for n, key in enumerate((k, b) for k in kinds for b in types(k))}
        self._cases: dict[Kind, list[Case]] = {}
        self._lost = np.repeat(
            [-float(kind.open_to(b)) for kind, b in self._block], self._at(1, 0, 0, 0)
        )
        self.values = np.concatenate([np.zeros(len(self._lost)), DECIDED])

    def _at(self, block: Any, place: Any, mine: Any, his: Any) -> Any:
        """Where a value stands: by kind and his special, place, my resting card and his."""
        return ((block * len(self._ground.places) + place) * len(RESTS) + mine) * len(RESTS) + his

    def go_back(self) -> None:
        """One round more is left."""
        self.left += 1
        for kind in self._kinds:
            if self._other_rows(kind):
                self._cases[kind] = [
                    self._case(kind, b, rest, rows)
                    for rest in range(len(RESTS))
                    if len((rows := rows_of(self._table, self.left, kind, rest)).places)
                    for b in types(kind)
                ]
        new = np.concatenate([self._lost, DECIDED])
        for case in chain(*self._cases.values()):
            worst = np.full(len(case.into), np.inf)
            for leads in case.leads:
                worth = np.add.reduceat(self.values[leads] * case.units, case.owners)
                np.minimum(worst, worth, out=worst)
            new[case.into] = worst
        self.values = new

    def _other_rows(self, kind: Kind) -> bool:
        """Are they others than with one round less? Between bands with both spent always."""
        if kind == Kind(0, 0, 0):
            return self.left <= self._table.spent[-1]
        return self.left in self._table.bands

    def _case(self, kind: Kind, b: int, rest: int, rows: Rows) -> Case:
        sizes = np.array([kind.weight(one, b) for one in rows.entries])[rows.groups]
        found = []
        for his in plans(RESTS[rest], SPECIALS[b] if b >= 0 else "").values():
            shown = b if any(FACES_HERE[face] in SPECIALS for face in his) else -1
            then = self._ground.after_round(rows.places[rows.of], (rows.first, rows.second), his)
            blocks = []
            for one in rows.entries:
                follows = kind.next(one, shown)
                blocks.append(self._block.get((follows, -1 if follows.his >= 0 else b), -1))
            at = self._at(np.array(blocks)[rows.groups], then, rows.rests, resting(his[1]))
            over = len(self._lost) + 2 + np.where(then == WON, sizes, -sizes)
            found.append(np.where((then >= 0) & (sizes > 0), at, over).astype(np.int32))
        into = self._at(self._block[kind, b], rows.places, rows.own, rest)
        return Case(into, rows.owners, rows.units, found)

    def wins(self) -> float:
        """What the best answer wins from the start of a duel: +1 a duel won, -1 a duel lost."""
        starts = self._table.starts
        own = np.array([units for *_, units in starts]) / sum(units for *_, units in starts)
        loses = 0.0
        for b in range(3):
            block = self._block[Kind(-1, -1, ALL), b]
            loses -= min(
                own @ [self.values[self._at(block, self._start(one, his), 0, 0)] for one in starts]
                for his in self._homes()
            )
        return float(loses) / 6

    def _homes(self) -> list[tuple[int, str]]:
        """Where he may begin, from his own end, by the game's own rules (K-R6, K-R7)."""
        if self._ground.spaces == SIZES["standard"]:
            return [(1, "heaven")]
        state = State(Options("advanced"), (Fighter(Stand(0, "heaven")),) * 2, "place")
        return [(move.space, move.stance) for move in KIRIAI.legal(state, 0)]

    def _start(self, mine: tuple[int, str, int], his: tuple[int, str]) -> int:
        spaces = (mine[0], self._ground.spaces + 1 - his[0])
        return self._ground.number[Place(spaces, (mine[1], his[1]), (0, 0))]

    def gap(self) -> float:
        """The most that a seat loses on average over both sides of a position, specials spent."""
        ground = self._ground
        shape = (len(ground.places), len(RESTS), len(RESTS))
        start = self._at(self._block[Kind(0, 0, 0), -1], 0, 0, 0)
        block = slice(start, start + math.prod(shape))
        value = self.values[block].reshape(shape)
        other = [ground.number[ground.turned(place)] for place in ground.places]
        both = value + value[other].transpose(0, 2, 1)
        known = np.zeros(len(self.values), bool)
        for case in self._cases[Kind(0, 0, 0)]:
            known[case.into] = True
        return -float(both[known[block].reshape(shape)].min()) / 2


def judged(table: Table, rounds: int = 100, say: Any = lambda _line: None) -> float:
    """The bound of a table over a whole duel."""
    judge = Judge(table, kinds())
    for left in range(1, rounds + 1):
        judge.go_back()
        say(f"{left} rounds left: the best answer wins {judge.wins():.4f}")
    return judge.wins()
