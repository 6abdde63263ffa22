"""The odds of a throw: against full enumeration where that is small, else against simulation."""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations, product
from math import sqrt
from random import Random

import pytest

from companion.games.sao.assign import Arms, Dice, arms, plans
from companion.games.sao.cards import shipped
from companion.games.sao.kinds import Step
from companion.games.sao.odds import Faces, Line, lines, promise

STEP = Step("", 50, 5)
PLAIN: Faces = ()
NO_FACES = tuple((value,) for value in range(1, 7))


def of(key: str, level: int = 2, step: Step = STEP) -> Arms:
    skills = shipped().characters[key].skills
    return arms([(n, skill) for n, skill in enumerate(skills) if skill.level <= level], step)


def plain(values: str) -> Dice:
    return tuple((int(value),) for value in values)


def score(mine: Arms, dice: Dice) -> tuple[int, bool]:
    found = plans(mine, dice)
    return found[0].damage, any(plan.complete for plan in found)


def enumerated(
    mine: Arms, dice: Dice, faces: tuple[Faces, ...], throws: int, aim: int
) -> dict[tuple[int, ...], float]:
    """What each set of dice to throw promises, by trying every fall of the dice."""
    places = range(len(dice))
    sets = list(chain.from_iterable(combinations(places, n) for n in range(len(dice) + 1)))

    @cache
    def value(lying: Dice, left: int) -> float:
        stand = float(score(mine, lying)[aim])
        return stand if not left else max(stand, *(mean(lying, some, left) for some in sets[1:]))

    @cache
    def mean(lying: Dice, thrown: tuple[int, ...], left: int) -> float:
        falls = list(product(*(faces[i] or NO_FACES for i in thrown)))
        total = 0.0
        for fall in falls:
            after = list(lying)
            for place, face in zip(thrown, fall, strict=True):
                after[place] = face
            total += value(tuple(after), left - 1)
        return total / len(falls)

    found = {some: mean(dice, some, throws) for some in sets[1:]}
    return {(): float(score(mine, dice)[aim]), **found}


@pytest.mark.parametrize("throws", [1, 2])
@pytest.mark.parametrize(
    ("key", "values", "blue"),
    [("kirito", "26", ""), ("kirito", "26", "kirito"), ("agil", "55", ""), ("klein", "13", "klein"),
     ("asuna", "24", "asuna"), ("lisbeth", "14", "lisbeth"), ("silica", "22", "")],
)  # fmt: skip
def test_small_throws_are_exactly_as_enumerated(
    key: str, values: str, blue: str, throws: int
) -> None:
    mine, dice, faces = of(key), plain(values), (PLAIN,) * len(values)
    if blue:
        die = shipped().characters[blue].faces
        dice, faces = (*dice, die[1]), (*faces, die)
    else:
        dice, faces = (*dice, (5,)), (*faces, PLAIN)
    damage = enumerated(mine, dice, faces, throws, 0)
    switch = enumerated(mine, dice, faces, throws, 1)
    found = lines(mine, dice, faces, throws, tuple(range(len(dice))))
    for line in found:
        assert line.damage == pytest.approx(damage[line.thrown], abs=1e-12)
        assert line.switch == pytest.approx(switch[line.thrown], abs=1e-12)
    for thrown in damage:
        if thrown:  # any set can be asked for, sensible or not
            asked = promise(mine, dice, faces, throws, thrown)
            assert asked.damage == pytest.approx(damage[thrown], abs=1e-12)
            assert asked.switch == pytest.approx(switch[thrown], abs=1e-12)
    assert found[0].damage == pytest.approx(max(damage.values()), abs=1e-12)
    assert max(line.switch for line in found) == pytest.approx(max(switch.values()), abs=1e-12)


def test_one_die_by_hand() -> None:
    # Rage Spike: a single 6 does 1. With one throw 1/6, with two 1 - (5/6)^2 = 11/36.
    (once,) = lines(of("kirito"), plain("2"), (PLAIN,), 1, (0,))
    assert once == Line((0,), pytest.approx(1 / 6), pytest.approx(1 / 6))
    (twice,) = lines(of("kirito"), plain("2"), (PLAIN,), 2, (0,))
    assert twice.damage == pytest.approx(11 / 36)
    (stand,) = lines(of("kirito"), plain("6"), (PLAIN,), 2, (0,))
    assert stand == Line((), 1.0, 1.0)


def test_dice_that_may_not_be_thrown_are_never_thrown() -> None:
    found = lines(of("kirito"), plain("123456"), (PLAIN,) * 6, 1, (3, 4, 5))
    assert all(set(line.thrown) <= {3, 4, 5} for line in found)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["kirito", "asuna", "agil", "klein", "lisbeth", "silica"])
def test_eight_dice_agree_with_a_simulation_within_four_standard_errors(key: str) -> None:
    rng = Random(key)
    mine, tries = of(key), 4000
    cards = shipped().characters
    for blue in ((), ("kirito",), ("kirito", "silica")):
        faces: tuple[Faces, ...] = (*(cards[who].faces for who in blue), *((PLAIN,) * 8))[:8]
        dice = tuple(rng.choice(die) if die else (rng.randrange(1, 7),) for die in faces)
        best = lines(mine, dice, faces, 1, tuple(range(8)))[0]
        samples = []
        for _ in range(tries):
            lying = list(dice)
            for i in best.thrown:
                lying[i] = rng.choice(faces[i] or NO_FACES)
            samples.append(score(mine, tuple(lying)))
        for aim, told in ((0, best.damage), (1, best.switch)):
            seen = [float(sample[aim]) for sample in samples]
            mean = sum(seen) / tries
            error = sqrt(sum((x - mean) ** 2 for x in seen) / tries / (tries - 1))
            assert abs(mean - told) <= 4 * error + 1e-9, (dice, mean, told, error)


@pytest.mark.slow
def test_two_throws_are_worth_the_mean_of_the_best_second_throw() -> None:
    rng = Random(2)
    mine, dice, free = of("kirito"), plain("12245663"), tuple(range(8))
    best = lines(mine, dice, (PLAIN,) * 8, 2, free)[0]
    seen = []
    for _ in range(1500):
        lying = list(dice)
        for i in best.thrown:
            lying[i] = (rng.randrange(1, 7),)
        seen.append(lines(mine, tuple(lying), (PLAIN,) * 8, 1, free)[0].damage)
    mean = sum(seen) / len(seen)
    error = sqrt(sum((x - mean) ** 2 for x in seen) / len(seen) / (len(seen) - 1))
    assert abs(mean - best.damage) <= 4 * error
