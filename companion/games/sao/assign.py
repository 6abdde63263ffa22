"""The best uses of the dice: every way to spend them on sword skills that is worth a thought."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from companion.games.sao.kinds import ADDITIONS, Skill, Step
from companion.games.sao.patterns import Block, blocks

Dice = tuple[tuple[int, ...], ...]
"""A pool: for each die the values that it may count as, one for a plain die."""
Use = tuple[int, tuple[int, ...]]
"""A sword skill (by its place on the card), and the dice (by their place in the pool) it takes."""
Uses = tuple[Use, ...]


@dataclass(frozen=True, slots=True)
class Blow:
    """A skill as it counts this turn. `sure` is damage past any Defense, `plain` is before it."""

    skill: int
    dice: int
    pattern: str
    plain: int
    sure: int
    healing: int = 0
    addition: str = ""


@dataclass(frozen=True, slots=True)
class Arms:
    """All that the turn player can do now; `defense` is taken off the sum of what is plain."""

    blows: tuple[Blow, ...]
    defense: int = 0

    def damage(self, plain: int, sure: int) -> int:
        """What the enemy suffers."""
        return sure + max(0, plain - self.defense)


@dataclass(frozen=True, slots=True)
class Plan:
    """A use of the dice: which dice (by place in the pool) pay for which skill."""

    damage: int
    left: tuple[int, ...]
    uses: Uses
    healing: int = 0
    additions: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Every die is used: a switch, where the step knows one."""
        return not self.left


def arms(
    skills: Iterable[tuple[int, Skill]], step: Step, *, times: int = 1, plus: int = 0,
    summed: bool = False,
) -> Arms:  # fmt: skip
    """The skills with their modifiers: times first, then plus, then Defense (R77, R79).

    In the last step of the game damage is summed before Defense is taken off once (R55).
    """
    blows = []
    for number, skill in skills:
        damage = skill.damage * times + plus
        pierced = skill.piercing >= step.defense  # all or nothing (R71, R72)
        plain = damage if summed and not pierced else 0
        sure = damage if pierced else 0 if summed else max(0, damage - step.defense)
        blows.append(
            Blow(number, skill.dice, skill.pattern, plain, sure, skill.healing, skill.addition)
        )
    return Arms(tuple(blows), step.defense if summed else 0)


@lru_cache(maxsize=1024)
def plans(arms: Arms, dice: Dice) -> tuple[Plan, ...]:
    """The plans that no other beats in every respect, best first: damage, then a switch."""
    book = Book.of(arms)
    found: list[tuple[tuple[int, int, int, int], tuple[int, ...], _Way]] = []
    for values in {tuple(sorted(some)): some for some in product(*dice)}.values():
        for way in book.front(code_of(values)):
            worth = (arms.damage(way[0], way[1]), way[2] == 0, way[3], way[4])
            if not any(_covers(other, worth) for other, _, _ in found):
                found = [entry for entry in found if not _covers(worth, entry[0])]
                found.append((worth, values, way))
    found.sort(key=lambda entry: (-entry[0][0], -entry[0][1], -entry[0][2], -entry[0][3]))
    return tuple(_plan(arms, values, way) for _, values, way in found)


_Way = tuple[int, int, int, int, int, tuple[tuple[int, Block], ...]]
"""plain, sure, unused, healing, additions (bits), uses: a way to spend some values."""

_WIDTH = 5
_GUARD = sum(16 << _WIDTH * place for place in range(6))
_UNIT = (0, *(1 << _WIDTH * place for place in range(6)))


def code_of(values: Iterable[int]) -> int:
    """Values without order as one number: five bits count each value."""
    return sum(_UNIT[value] for value in values)


class Book:
    """All ways worth keeping, by the values that lie there; filled as far as it is asked."""

    __slots__ = ("_by_top", "_fronts", "arms")

    def __init__(self, arms: Arms) -> None:
        self.arms = arms
        self._fronts: dict[int, tuple[_Way, ...]] = {0: ((0, 0, 0, 0, 0, ()),)}
        self._by_top: dict[int, list[tuple[int, Blow, int, tuple[int, Block]]]] = {}
        for blow in arms.blows:
            bits = 1 << ADDITIONS.index(blow.addition) if blow.addition else 0
            for block in blocks(blow.pattern, blow.dice):
                entry = (code_of(block), blow, bits, (blow.skill, block))
                self._by_top.setdefault(block[-1], []).append(entry)

    @staticmethod
    @lru_cache(maxsize=8)  # up to 1.6 MB each
    def of(arms: Arms) -> Book:
        """The book of these arms, kept for as long as they are in use."""
        return Book(arms)

    def front(self, code: int) -> tuple[_Way, ...]:
        """The ways to spend these values that no other beats in every respect."""
        known = self._fronts.get(code)
        if known is None:
            known = self._fronts[code] = self._find(code)
        return known

    def _find(self, code: int) -> tuple[_Way, ...]:
        # The highest die is either left or part of a block whose highest value it is.
        top = (code.bit_length() - 1) // _WIDTH + 1
        ways = [
            (plain, sure, left + 1, healing, bits, uses)
            for plain, sure, left, healing, bits, uses in self.front(code - _UNIT[top])
        ]
        for block, blow, more, use in self._by_top.get(top, ()):
            if (code + _GUARD - block) & _GUARD == _GUARD:  # no value runs short
                ways += [
                    (plain + blow.plain, sure + blow.sure, left, healing + blow.healing,
                     bits | more, (*uses, use))
                    for plain, sure, left, healing, bits, uses in self.front(code - block)
                ]  # fmt: skip
        return _best(ways)


def _best(ways: list[_Way]) -> tuple[_Way, ...]:
    if len(ways) == 1:
        return tuple(ways)
    ways.sort(key=lambda w: (-w[0] - w[1], w[2], -w[3]))
    kept: list[_Way] = []
    for way in ways:
        plain, sure, left, healing, bits, _ = way
        for a in kept:
            if (a[0] >= plain and a[1] >= sure and (a[2] == 0 or left > 0)
                    and a[3] >= healing and a[4] & bits == bits):  # fmt: skip
                break
        else:
            kept.append(way)
    return tuple(kept)


def _covers(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> bool:
    return a[0] >= b[0] and a[1] >= b[1] and a[2] >= b[2] and a[3] & b[3] == b[3]


def _plan(arms: Arms, values: tuple[int, ...], way: _Way) -> Plan:
    """A way over values as a plan over the dice that show them."""
    plain, sure, _, healing, bits, uses = way
    places: dict[int, list[int]] = {}
    for place, value in enumerate(values):
        places.setdefault(value, []).append(place)
    paid = []
    for skill, block in uses:
        taken = [places[value].pop(0) for value in block]
        paid.append((skill, tuple(sorted(taken))))
    left = tuple(sorted(place for rest in places.values() for place in rest))
    additions = tuple(a for n, a in enumerate(ADDITIONS) if a and bits >> n & 1)
    return Plan(arms.damage(plain, sure), left, tuple(sorted(paid)), healing, additions)


@lru_cache(maxsize=256)
def payments(arms: Arms, dice: Dice) -> tuple[Use, ...]:
    """Each skill with any dice that make it."""
    places = range(len(dice))
    return tuple(
        (blow.skill, paid)
        for blow in arms.blows
        for paid, shown in zip(
            combinations(places, blow.dice), combinations(dice, blow.dice), strict=True
        )
        if fits(shown, blow.pattern)
    )


def every_use(arms: Arms, dice: Dice) -> Iterator[Uses]:
    """Every use of the dice, none at all first; lazily, for many dice have very many."""
    single = sorted(payments(arms, dice))

    def ways(at: int, uses: Uses, taken: frozenset[int]) -> Iterator[Uses]:
        yield uses
        for n, use in enumerate(single[at:], start=at + 1):
            if taken.isdisjoint(use[1]):
                yield from ways(n, (*uses, use), taken.union(use[1]))

    return ways(0, (), frozenset())


@lru_cache(maxsize=1024)
def fits(dice: Dice, pattern: str) -> bool:
    """Can these dice show the pattern, each counted as one of its values?"""
    fitting = blocks(pattern, len(dice))
    return any(tuple(sorted(values)) in fitting for values in product(*dice))
