"""A turn solved: against every fall of the dice where these are few; all odds of one policy."""

from __future__ import annotations

import gc
import weakref
from functools import cache
from itertools import chain, combinations, product
from random import Random

import numpy as np
import pytest

from companion.bots.lattice import Floats, Places
from companion.bots.turn import Faces, Odds, Power, Turn
from companion.games.sao.assign import Arms, Dice, arms, plans
from companion.games.sao.cards import shipped
from companion.games.sao.kinds import Step

STEP = Step("", 50, 5)
PLAIN: Faces = tuple((value,) for value in range(1, 7))
A_SWITCH, A_USE = 2.7183, 0.37  # no two policies are worth the same by chance
SETS: Power = ("set", 1, (1, 6))


def worth(uses: int, damages: Places, switch: bool, _healing: int, _bits: int) -> Floats:
    return np.stack([damages + A_SWITCH * switch - A_USE * uses, damages >= 5])


def of(key: str, level: int = 2) -> Arms:
    skills = shipped().characters[key].skills
    return arms([(n, skill) for n, skill in enumerate(skills) if skill.level <= level], STEP)


def enumerated(
    mine: Arms, dice: Dice, faces: tuple[Faces, ...], throws: int, uses: int
) -> dict[tuple[int, ...], tuple[float, ...]]:
    """What each set of dice to throw promises: worth, damage, switch, beaten, uses."""
    places = range(len(dice))
    sets = list(chain.from_iterable(combinations(places, n) for n in range(1, len(dice) + 1)))

    @cache
    def settled(lying: Dice, used: int) -> tuple[float, ...]:
        ends = [
            (plan.damage + A_SWITCH * plan.complete - A_USE * used, float(plan.damage),
             float(plan.complete), float(plan.damage >= 5), float(used))
            for plan in plans(mine, lying)
        ]  # fmt: skip
        if used < uses:
            ends += [
                settled((*lying[:i], (to,), *lying[i + 1 :]), used + 1)
                for i in places
                if faces[i] is PLAIN
                for to in (1, 6)
                if lying[i] != (to,)
            ]
        return max(ends)

    @cache
    def value(lying: Dice, left: int) -> tuple[float, ...]:
        return max([settled(lying, 0), *(mean(lying, some, left) for some in sets if left)])

    @cache
    def mean(lying: Dice, thrown: tuple[int, ...], left: int) -> tuple[float, ...]:
        falls = list(product(*(faces[i] for i in thrown)))
        ends = []
        for fall in falls:
            after = list(lying)
            for place, face in zip(thrown, fall, strict=True):
                after[place] = face
            ends.append(value(tuple(after), left - 1))
        return tuple(sum(row) / len(falls) for row in zip(*ends, strict=True))

    return {some: mean(dice, some, throws) for some in sets}


def promised(turn: Turn, dice: Dice, blue: Faces | None, thrown: tuple[int, ...], n: int) -> Odds:
    plain = len(dice) - (blue is not None)
    kept = [dice[i][0] for i in range(plain) if i not in thrown]
    if blue is None:
        return turn.keep(kept, (), n)
    face = tuple(dict.fromkeys(blue)).index(dice[plain])
    return turn.keep(kept, (None if plain in thrown else face,), n)


@pytest.mark.slow
@pytest.mark.parametrize("throws", [1, 2])
@pytest.mark.parametrize("uses", [0, 1, 2])
@pytest.mark.parametrize(
    ("key", "values", "blue"),
    [("kirito", "26", ""), ("kirito", "26", "kirito"), ("agil", "555", ""),
     ("klein", "13", "klein"), ("asuna", "24", "asuna"), ("lisbeth", "14", "lisbeth"),
     ("silica", "225", "")],
)  # fmt: skip
def test_small_turns_are_exactly_as_enumerated(
    key: str, values: str, blue: str, uses: int, throws: int
) -> None:
    mine, dice = of(key), tuple((int(value),) for value in values)
    faces: tuple[Faces, ...] = (PLAIN,) * len(dice)
    die = shipped().characters[blue].faces if blue else None
    if die is not None:
        dice, faces = (*dice, die[1]), (*faces, die)
    turn = Turn(mine, len(values), (die,) if die else (), worth, ((SETS, uses),))
    for thrown, odds in enumerated(mine, dice, faces, throws, uses).items():
        found = promised(turn, dice, die, thrown, throws)
        assert (found.worth, found.damage, found.switch, found.beaten, found.uses) == (
            pytest.approx(odds, abs=1e-9)
        ), thrown


def test_one_die_by_hand() -> None:
    # Rage Spike: a single 6 does 1. With one throw 1/6, with two 1 - (5/6)^2 = 11/36.
    turn = Turn(of("kirito"), 1, (), worth)
    assert turn.keep((), (), 1).damage == pytest.approx(1 / 6)
    assert turn.keep((), (), 2).switch == pytest.approx(11 / 36)
    # With an ability that sets a die to 6 at the price of a use, all that did not fall so.
    able = Turn(of("kirito"), 1, (), worth, ((SETS, 1),))
    assert able.keep((), (), 2) == Odds(
        pytest.approx(1 + A_SWITCH - A_USE * 25 / 36), 1.0, 1.0, 0.0, pytest.approx(25 / 36)
    )


def test_without_its_odds_a_turn_is_worth_the_same() -> None:
    rng = Random(8)
    die = shipped().characters["asuna"].faces
    full = Turn(of("asuna"), 5, (die,), worth, ((("flip", 2, ()), 1),))
    bare = Turn(of("asuna"), 5, (die,), worth, ((("flip", 2, ()), 1),), told=False)
    for _ in range(20):
        kept = [rng.randrange(1, 7) for _ in range(rng.randrange(6))]
        assert bare.keep(kept, (None,), 2).worth == full.keep(kept, (None,), 2).worth


def test_a_turn_that_nobody_keeps_is_gone_at_once_for_it_holds_megabytes() -> None:
    gc.disable()
    try:
        turn = Turn(of("asuna"), 3, (PLAIN,), worth, ((SETS, 1),))
        turn.keep((), (None,), 1)
        kept = weakref.ref(turn)
        del turn
        assert kept() is None
    finally:
        gc.enable()
