"""The finder of best plans against a search that knows no shortcut."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from random import Random

import pytest

from companion.games.sao.assign import Arms, Dice, Plan, arms, plans
from companion.games.sao.cards import shipped
from companion.games.sao.kinds import ADDITIONS, Skill, Step

Outcome = tuple[int, bool, int, int]
"""damage, all dice used, healing, additions as bits"""


def shows(pattern: str, values: tuple[int, ...]) -> bool:
    """Do these values show the pattern? Written anew from the words on the cards."""
    word, *rest = pattern.split()
    counts = Counter(values)
    if word == "=":
        return counts == Counter(map(int, rest))
    if word == "from":
        return all(str(value) in rest for value in values)
    if word == "same":
        return len(counts) == 1
    if word == "run":
        return len(counts) == len(values) and max(values) - min(values) == len(values) - 1
    if word == "sum":
        return sum(values) >= int(rest[1]) if rest[0] == ">=" else sum(values) <= int(rest[1])
    assert word == "sets"
    # all groups of a card are of one size: alike in groups means each count is a multiple of it
    (size,) = set(map(int, rest))
    return all(n % size == 0 for n in counts.values())


def brute(mine: Arms, dice: Dice) -> set[Outcome]:
    """Every outcome of every way to lay out the dice, less those that another one beats."""
    n = len(dice)
    fitting: dict[int, list[int]] = {}
    for mask in range(1, 1 << n):
        some = [dice[i] for i in range(n) if mask >> i & 1]
        for place, blow in enumerate(mine.blows):
            if blow.dice == len(some) and any(shows(blow.pattern, v) for v in product(*some)):
                fitting.setdefault(mask, []).append(place)

    @cache
    def ways(mask: int) -> frozenset[tuple[int, int, int, int, int]]:
        """plain, sure, unused, healing, additions of all ways to use the dice of the mask."""
        if not mask:
            return frozenset({(0, 0, 0, 0, 0)})
        low = mask & -mask
        found = {(p, s, left + 1, h, b) for p, s, left, h, b in ways(mask ^ low)}
        part = mask
        while part:
            if part & low:
                for place in fitting.get(part, ()):
                    blow = mine.blows[place]
                    bits = 1 << ADDITIONS.index(blow.addition) if blow.addition else 0
                    found |= {
                        (p + blow.plain, s + blow.sure, left, h + blow.healing, b | bits)
                        for p, s, left, h, b in ways(mask ^ part)
                    }
            part = (part - 1) & mask
        return frozenset(found)

    every = {(mine.damage(p, s), left == 0, h, b) for p, s, left, h, b in ways((1 << n) - 1)}
    return {one for one in every if not any(_beats(other, one) for other in every - {one})}


def _beats(a: Outcome, b: Outcome) -> bool:
    return a[0] >= b[0] and a[1] >= b[1] and a[2] >= b[2] and a[3] & b[3] == b[3]


def outcome(plan: Plan) -> Outcome:
    bits = sum(1 << ADDITIONS.index(side) for side in plan.additions)
    return plan.damage, plan.complete, plan.healing, bits


def is_paid(skills: tuple[Skill, ...], dice: Dice, plan: Plan) -> bool:
    """Every skill of the plan gets dice that show it, each die once."""
    taken = [die for _, some in plan.uses for die in some]
    assert sorted((*taken, *plan.left)) == list(range(len(dice)))
    return all(
        any(shows(skills[number].pattern, values) for values in product(*(dice[i] for i in some)))
        and skills[number].dice == len(some)
        for number, some in plan.uses
    )


def pool(rng: Random, size: int) -> Dice:
    """Random dice: some of them are portraits, some Asuna's symbol."""
    wild = (tuple(range(1, 7)), (1, 2), (3,), (5, 6))
    blue = rng.choice((0, 0, 1, 1, 2, 3))
    plain = [(rng.randrange(1, 7),) for _ in range(size)]
    for at in rng.sample(range(size), min(blue, size)):
        plain[at] = rng.choice(wild)
    return tuple(plain)


def check(rng: Random, size: int) -> None:
    characters = list(shipped().characters.values())
    character = rng.choice(characters)
    level = rng.randrange(3)
    step = Step("", 50, 5, rng.choice((0, 0, 3, 5, 8)))
    known = [(n, skill) for n, skill in enumerate(character.skills) if skill.level <= level]
    mine = arms(known, step, times=rng.choice((1, 1, 2)), plus=rng.choice((0, 0, 1, 2, 3)),
                summed=rng.random() < 0.3)  # fmt: skip
    dice = pool(rng, size)
    found = plans(mine, dice)
    assert {outcome(plan) for plan in found} == brute(mine, dice), (character.key, level, dice)
    assert len({outcome(plan) for plan in found}) == len(found)
    assert all(is_paid(character.skills, dice, plan) for plan in found)
    assert found[0].damage == max(plan.damage for plan in found)


@pytest.mark.slow
def test_the_finder_agrees_with_brute_force_on_ten_thousand_pools() -> None:
    rng = Random(20220)
    for number in range(10_000):
        check(rng, rng.randrange(1, 7) if number % 25 else rng.choice((7, 8)))


def test_the_finder_agrees_with_brute_force_on_some_pools_of_eight_and_nine() -> None:
    rng = Random(9)
    for size in (8,) * 6 + (9, 9):
        check(rng, size)


def test_an_empty_tray_has_the_empty_plan() -> None:
    kirito = shipped().characters["kirito"]
    mine = arms(enumerate(kirito.skills), Step("", 1, 1))
    assert plans(mine, ()) == (Plan(0, (), ()),)


def test_a_switch_for_less_damage_is_offered_beside_the_most_damage() -> None:
    skills = (Skill("three", 0, 3, "same", 9), Skill("pair", 0, 2, "same", 2))
    mine = arms(enumerate(skills), Step("", 50, 5))
    found = plans(mine, ((4,), (4,), (4,), (4,)))
    assert [(plan.damage, plan.complete) for plan in found] == [(9, False), (4, True)]
