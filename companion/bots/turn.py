"""One turn, exact over its throws: the best policy for one utility, with its odds of all it does.

An array has a row for what is maximised and rows for what is told beside it (`Odds`); whatever is
chosen is chosen by the first row, so all odds are those of one policy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from companion.bots.lattice import Floats, Level, Places, Values, changed, down, up
from companion.games.sao.assign import Arms, Book, code_of

Faces = tuple[Values, ...]
Power = tuple[str, int, Values]
"""An ability that changes dice, as `changed` wants it: kind, dice, values."""
Worth = Callable[[int, Places, bool, int, int], Floats]
"""(uses of abilities, damages, switch, healing, additions) -> utility and chance to beat it."""
MOST_USES = 2  # abilities of one turn that are foreseen together


@dataclass(frozen=True, slots=True)
class Odds:
    """What a policy leads to: its utility, and what is expected of it."""

    worth: float
    damage: float = 0.0
    switch: float = 0.0
    beaten: float = 0.0
    uses: float = 0.0


@dataclass(frozen=True, slots=True)
class Ways:
    """Every way worth keeping to spend each multiset of dice, as rows of equal length."""

    at: NDArray[np.int32]  # kind * (most + 1) + damage
    kinds: tuple[tuple[bool, int, int], ...]  # switch, healing, additions
    most: int  # damage


@lru_cache(maxsize=128)  # some 30 KB each; a party needs some 30
def ways(arms: Arms, size: int) -> Ways:
    """From the book of these arms."""
    book = Book.of(arms)
    rows = []
    for values in Level.of(size).every:
        front = book.front(code_of(values))
        rows.append([(arms.damage(w[0], w[1]), (w[2] == 0, w[3], w[4])) for w in front])
    kinds = sorted({kind for row in rows for _, kind in row})
    most = max(damage for row in rows for damage, _ in row)
    number = {kind: n * (most + 1) for n, kind in enumerate(kinds)}
    width = max(map(len, rows))
    places = [[number[kind] + damage for damage, kind in row] for row in rows]
    padded = [row + row[:1] * (width - len(row)) for row in places]
    return Ways(np.array(padded, np.int32), tuple(kinds), most)


def best(array: Floats) -> Floats:
    """Along the last axis, the column whose first row is the greatest."""
    at = array[0].argmax(axis=-1)
    return np.take_along_axis(array, at[None, ..., None], axis=-1)[..., 0]


def chosen(array: Floats, moves: Places) -> Floats:
    """From each place, the best of the places that `moves` leads to."""
    worth, (first, *columns) = array[:1], moves.T
    found: Floats = worth[..., first]
    if len(array) == 1:
        for column in columns:
            np.maximum(found, worth[..., column], out=found)
        return found
    to = np.empty(found.shape, np.intp)
    to[:] = first
    for column in columns:
        other = worth[..., column]
        np.copyto(to, column, where=other > found)
        np.maximum(found, other, out=found)
    return np.take_along_axis(array, to, axis=-1)


def better(one: Floats, other: Floats) -> Floats:
    """Place by place, the one whose first row is greater."""
    if len(one) == 1:
        return np.maximum(one, other)
    return np.where(other[0] > one[0], other, one)


def _odds(array: Floats, place: tuple[int, ...]) -> Odds:
    return Odds(*(float(row[place]) for row in array))


class Turn:
    """A turn with these dice: `plain` ones, and blue ones with their faces."""

    def __init__(
        self, arms: Arms, plain: int, blue: tuple[Faces, ...], worth: Worth,
        powers: tuple[tuple[Power, int], ...] = (), told: bool = True,
    ) -> None:  # fmt: skip
        self.plain, self.blue, self._rows = plain, blue, 5 if told else 1
        self._powers = [(changed(plain, *power), uses) for power, uses in powers if plain]
        self._arms, self._worth = arms, worth
        self._stood: dict[int, Floats] = {}  # no cache(self._stand): megabytes would await the gc
        start = tuple(0 for _ in self._powers)
        self._used: dict[tuple[int, ...], Floats] = {}
        self._value = [self._able(start)]
        self._kept: list[list[Floats]] = []

    def settle(
        self, values: Iterable[int], faces: tuple[int, ...], used: tuple[int, ...] = ()
    ) -> Odds:
        """No throw more, but whatever abilities are worth it; after these uses."""
        able = self._able(used or tuple(0 for _ in self._powers))
        return _odds(able, (*faces, Level.of(self.plain).at(values)))

    def keep(self, values: Iterable[int], faces: tuple[int | None, ...], throws: int) -> Odds:
        """Keep these and throw the rest (a blue die in the hand is None), `throws` to go."""
        while len(self._kept) < throws:
            self._kept.append(self._means(self._value[-1]))
            self._value.append(self._best_keep(self._kept[-1]))
        return self._look_up(self._kept[throws - 1], tuple(values), faces)

    def spread(self, values: Iterable[int], faces: tuple[int | None, ...], throws: int) -> float:
        """The standard deviation of the worth that such a throw brings."""
        have = tuple(values)
        mean = self.keep(have, faces, throws).worth
        squares = self._means(self._value[throws - 1][:1] ** 2)
        return math.sqrt(max(0.0, self._look_up(squares, have, faces).worth - mean**2))

    def _look_up(
        self, levels: list[Floats], have: tuple[int, ...], faces: tuple[int | None, ...]
    ) -> Odds:
        places = tuple(len(self._faces(n)) if f is None else f for n, f in enumerate(faces))
        return _odds(levels[len(have)], (*places, Level.of(len(have)).at(have)))

    def _faces(self, blue: int) -> tuple[Values, ...]:
        return tuple(dict.fromkeys(self.blue[blue]))

    def _standing(self, used: int) -> Floats:
        if used not in self._stood:
            self._stood[used] = self._stand(used)
        return self._stood[used]

    def _stand(self, used: int) -> Floats:
        """By blue faces and plain dice: the best way to spend them, after so many uses."""
        size = self.plain + len(self.blue)
        known = ways(self._arms, size)
        damages = np.arange(known.most + 1, dtype=np.intp)
        rows = np.concatenate([self._worth(used, damages, *kind) for kind in known.kinds], axis=1)
        if self._rows > 1:
            switch = np.repeat([kind[0] for kind in known.kinds], len(damages))
            every = np.tile(damages, len(known.kinds))
            rows = np.stack([rows[0], every, switch, rows[1]])
            found = best(rows[:, known.at])
        else:
            found = rows[:1, known.at].max(axis=-1)
        for n in reversed(range(len(self.blue))):
            size -= 1
            steps = up(size)
            found = np.stack(
                [chosen(found, steps[:, [v - 1 for v in face]]) for face in self._faces(n)],
                axis=1,
            )
        return found

    def _able(self, used: tuple[int, ...]) -> Floats:
        """The best of standing and of one more ability, after these uses of each."""
        if used not in self._used:
            found = self._standing(sum(used))
            if self._rows > 1:
                found = np.concatenate([found, np.full_like(found[:1], sum(used))])
            for n, (moves, uses) in enumerate(self._powers):
                if used[n] < uses and sum(used) < MOST_USES:
                    after = self._able((*used[:n], used[n] + 1, *used[n + 1 :]))
                    found = better(found, chosen(after, moves))
            self._used[used] = found
        return self._used[used]

    def _means(self, value: Floats) -> list[Floats]:
        """By size of what is kept: the mean over the throw of the rest; last blue place: thrown."""
        for n in range(len(self.blue)):
            faces = self._faces(n)
            weights = np.array([self.blue[n].count(face) for face in faces]) / len(self.blue[n])
            hand = np.tensordot(weights, np.moveaxis(value, n + 1, 0), axes=1)
            value = np.concatenate([value, np.expand_dims(hand, n + 1)], axis=n + 1)
        levels = [value]
        for size in reversed(range(self.plain)):
            above, steps = levels[-1], up(size)
            total = above[..., steps[:, 0]]
            for column in steps.T[1:]:
                total += above[..., column]
            total /= 6
            levels.append(total)
        return levels[::-1]

    def _best_keep(self, means: list[Floats]) -> Floats:
        """With all dice lying: the best of all keeps that they allow, all kept among them."""
        found = self._held(means[0])
        for size in range(1, self.plain + 1):
            found = better(self._held(means[size]), chosen(found, down(size)))
        return found

    def _held(self, level: Floats) -> Floats:
        """Each blue die held or thrown, whichever is better."""
        for n in range(len(self.blue)):
            faces = np.moveaxis(level, n + 1, -1)
            level = np.moveaxis(better(faces[..., :-1], faces[..., -1:]), -1, n + 1)
        return level
