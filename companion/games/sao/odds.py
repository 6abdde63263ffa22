"""What a throw is worth before it is made: exact expectations over every way the dice can fall.

A set of plain dice is a multiset of values. The worth of keeping some and throwing the rest is the
mean over one more die of any value, so that one walk over all multisets, the big ones first, gives
every keep at once. Character dice are few: each of their faces (or "in the hand") has its own walk.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product

from companion.games.sao.assign import Arms, Book, Dice, code_of
from companion.games.sao.patterns import VALUES

Faces = tuple[tuple[int, ...], ...]
Worth = list[float]
"""A number for every multiset of a lattice, by its place there."""


@dataclass(frozen=True, slots=True)
class Line:
    """Throw these dice again (by place in the pool): what to expect if play is best from there."""

    thrown: tuple[int, ...]
    damage: float  # expected, going for damage
    switch: float  # chance, going for it


@dataclass(frozen=True, slots=True)
class _Lattice:
    """All multisets of up to `size` values: small ones first, with their neighbours."""

    codes: tuple[int, ...]
    place: dict[int, int]
    up: tuple[tuple[int, ...], ...]  # with one more die of each value; () for full ones
    down: tuple[tuple[int, ...], ...]  # with one die less
    full: int  # the place of the first full one


def lines(
    arms: Arms, dice: Dice, faces: tuple[Faces, ...], throws: int, free: tuple[int, ...]
) -> tuple[Line, ...]:
    """Every sensible set of dice to throw again, the most damage first.

    `faces[i]` are the faces of die i if it is a character die, () for a plain one; `throws` is how
    often the pair may still throw; only dice in `free` may be thrown. A set is sensible if no other
    one, and not standing still, promises as much damage and as good a chance of a switch.
    """
    plain = tuple(i for i, die in enumerate(faces) if not die)
    special = tuple(i for i, die in enumerate(faces) if die)
    solved = _solved(arms, len(plain), tuple(faces[i] for i in special))
    found: dict[tuple[object, ...], Line] = {}
    for kept in _keeps(dice, plain, free):
        code = code_of(tuple(dice[i][0] for i in kept))
        for held in product(*((True, False) if i in free else (True,) for i in special)):
            state = tuple(dice[i] if hold else None for i, hold in zip(special, held, strict=True))
            loose = tuple(i for i in plain if i not in kept)
            loose += tuple(i for i, hold in zip(special, held, strict=True) if not hold)
            if not loose:
                damage, switch = solved.now(state, code)
            else:
                damage, switch = solved.promise(throws, state, code)
            found[code, held] = Line(tuple(sorted(loose)), damage, switch)
    every = sorted(found.values(), key=lambda line: (-line.damage, -line.switch, line.thrown))
    best: list[Line] = []
    for line in every:
        if not best or line.switch > max(other.switch for other in best) + 1e-9:
            best.append(line)
    return tuple(best)


def promise(
    arms: Arms, dice: Dice, faces: tuple[Faces, ...], throws: int, thrown: tuple[int, ...]
) -> Line:
    """What to expect of throwing exactly these dice, if play is best from there."""
    plain = tuple(i for i, die in enumerate(faces) if not die)
    special = tuple(i for i, die in enumerate(faces) if die)
    solved = _solved(arms, len(plain), tuple(faces[i] for i in special))
    state = tuple(None if i in thrown else dice[i] for i in special)
    code = code_of(dice[i][0] for i in plain if i not in thrown)
    return Line(thrown, *solved.promise(throws, state, code))


def _keeps(dice: Dice, plain: tuple[int, ...], free: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Which plain dice to keep: one choice for each distinct set of values kept."""
    fixed = tuple(i for i in plain if i not in free)
    by_value: dict[int, list[int]] = {}
    for i in plain:
        if i in free:
            by_value.setdefault(dice[i][0], []).append(i)
    groups = [[tuple(same[:n]) for n in range(len(same) + 1)] for same in by_value.values()]
    return [(*fixed, *(i for part in parts for i in part)) for parts in product(*groups)]


class _Solved:
    """The promises of every keep for some arms and dice; worked out when first asked."""

    def __init__(self, arms: Arms, plain: int, special: tuple[Faces, ...]) -> None:
        self._book = Book.of(arms)
        self._plain = plain
        self._special = special
        self._known: dict[tuple[int, tuple[object, ...], int], Worth] = {}

    def now(self, state: tuple[tuple[int, ...] | None, ...], code: int) -> tuple[float, float]:
        """Standing still: damage that can be done, and whether a switch can."""
        lattice = _lattice(self._plain)
        at = lattice.place[code]
        return self._value(0, state, 0)[at], self._value(0, state, 1)[at]

    def promise(
        self, throws: int, state: tuple[tuple[int, ...] | None, ...], code: int
    ) -> tuple[float, float]:
        """Keeping these values and faces, throwing the rest, with `throws` throws to go."""
        at = _lattice(self._plain).place[code]
        return self._mean(throws, state, 0)[at], self._mean(throws, state, 1)[at]

    def _value(self, throws: int, state: tuple[tuple[int, ...] | None, ...], aim: int) -> Worth:
        """With all dice lying and `throws` throws to go, by full multiset."""
        key = (2 * throws, state, aim)
        if key not in self._known:
            self._known[key] = (
                self._best_keep(throws, state, aim) if throws else self._stand(state, aim)
            )
        return self._known[key]

    def _mean(self, throws: int, state: tuple[tuple[int, ...] | None, ...], aim: int) -> Worth:
        """The mean over the throw of all dice that are not kept, by multiset kept."""
        key = (2 * throws - 1, state, aim)
        if key in self._known:
            return self._known[key]
        lattice = _lattice(self._plain)
        if None in state:
            hand = state.index(None)
            faces = Counter(self._special[hand])
            worth = [0.0] * len(lattice.codes)
            for face, n in faces.items():
                lying = (*state[:hand], face, *state[hand + 1 :])
                part = self._mean(throws, lying, aim)
                worth = [w + p * n / 6 for w, p in zip(worth, part, strict=True)]
        else:
            worth = list(self._value(throws - 1, state, aim))
            up = lattice.up
            for at in range(lattice.full - 1, -1, -1):
                a, b, c, d, e, f = up[at]
                worth[at] = (worth[a] + worth[b] + worth[c] + worth[d] + worth[e] + worth[f]) / 6
        self._known[key] = worth
        return worth

    def _stand(self, state: tuple[tuple[int, ...] | None, ...], aim: int) -> Worth:
        """No throw left: the best count of each character die, then the best plan."""
        lattice = _lattice(self._plain)
        worth = [0.0] * len(lattice.codes)
        shown = [face for face in state if face is not None]
        ways = {code_of(values) for values in product(*shown)}
        score = self._book.score
        for at in range(lattice.full, len(lattice.codes)):
            code = lattice.codes[at]
            worth[at] = float(max(score(code + way)[aim] for way in ways))
        return worth

    def _best_keep(self, throws: int, state: tuple[tuple[int, ...] | None, ...], aim: int) -> Worth:
        """The best of all keeps that this roll allows, none thrown again among them."""
        best = [-1.0] * len(_lattice(self._plain).codes)
        for held in product((True, False), repeat=len(state)):
            kept = tuple(f if hold else None for f, hold in zip(state, held, strict=True))
            best = list(map(max, best, self._mean(throws, kept, aim)))
        for at, down in enumerate(_lattice(self._plain).down):
            for less in down:
                if best[less] > best[at]:
                    best[at] = best[less]
        return best


@lru_cache(maxsize=32)
def _solved(arms: Arms, plain: int, special: tuple[Faces, ...]) -> _Solved:
    return _Solved(arms, plain, special)


@cache
def _lattice(size: int) -> _Lattice:
    codes = [
        code_of(values)
        for n in range(size + 1)
        for values in combinations_with_replacement(VALUES, n)
    ]
    place = {code: at for at, code in enumerate(codes)}
    units = [code_of((value,)) for value in VALUES]
    up = tuple(
        tuple(place[code + unit] for unit in units if code + unit in place) for code in codes
    )
    down = tuple(
        tuple(place[code - unit] for unit in units if code - unit in place) for code in codes
    )
    return _Lattice(tuple(codes), place, up, down, next(at for at, n in enumerate(up) if not n))
