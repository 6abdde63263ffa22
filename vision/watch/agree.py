"""Several readings of the same resting dice made into one, each frame with a vote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.events import Body, SeenDie
from vision.read.reader import Reading

_SAME = 0.35  # edges: readings of one die lie no farther apart


def agree(readings: Sequence[Reading]) -> Reading:
    """What the readings say together: values by weight, doubtful where they differ."""
    if len(readings) == 1:
        return readings[0]
    groups: list[list[SeenDie]] = []
    for reading in readings:
        free = list(groups)
        for die in reading.dice:
            near = min(free, key=lambda group: _apart(group[-1], die), default=None)
            if near is not None and _apart(near[-1], die) < _SAME:
                near.append(die)
                free = [group for group in free if group is not near]
            else:
                groups.append([die])
    kept = [group for group in groups if 2 * len(group) > len(readings)]
    dice = tuple(_one(group, len(readings)) for group in kept)
    doubts = [doubt for reading in readings for doubt in reading.doubts]
    if any(len(reading.dice) != len(dice) for reading in readings):
        doubts.append("frames differ in number")
    steady = all(_same(group) for group in kept)
    if not steady:
        doubts.append("frames differ in value")
    yes = sum(reading.accepted for reading in readings)
    counted = all(len(reading.dice) == len(dice) for reading in readings)
    accepted = steady and counted and 3 * yes >= 2 * len(readings)
    return Reading(dice, accepted, () if accepted else tuple(dict.fromkeys(doubts)))


def alike(one: Reading, two: Reading) -> bool:
    """Whether two readings show the same dice in the same places: nothing creeps."""
    if len(one.dice) != len(two.dice):
        return False
    left = list(two.dice)
    for die in one.dice:
        near = min(left, key=lambda other: _apart(other, die))
        if _apart(near, die) > 0.12 or near.value != die.value or near.body != die.body:
            return False
        left.remove(near)
    return True


def _one(group: Sequence[SeenDie], frames: int) -> SeenDie:
    """The die of several frames; they see nearly the same, so sureness is averaged, not raised."""
    votes: dict[int, float] = {}
    bodies: dict[Body, float] = {}
    for die in group:
        votes[die.value] = votes.get(die.value, 0.0) + die.sure
        bodies[die.body] = bodies.get(die.body, 0.0) + die.sure
        if die.second and die.second != die.value:
            votes[die.second] = votes.get(die.second, 0.0) + (1 - die.sure) * 0.5
    ranked = sorted(votes, key=lambda value: (-votes[value], value))
    # A value that every frame held for the second only stays the second, however many they are.
    value = next(each for each in ranked if any(die.value == each for die in group))
    best = max((die for die in group if die.value == value), key=lambda die: die.sure)
    centre = np.median([die.centre for die in group], axis=0)
    body = max(bodies, key=lambda each: bodies[each])
    return replace(
        best,
        body=body,
        sure=min(1.0, votes[value] / frames),
        second=next((each for each in ranked if each != value), 0),
        centre=(float(centre[0]), float(centre[1])),
        wrong=tuple(sorted({word for die in group for word in die.wrong})),
    )


def _same(group: Sequence[SeenDie]) -> bool:
    return len({(die.value, die.body) for die in group}) == 1


def _apart(one: SeenDie, two: SeenDie) -> float:
    way = np.hypot(one.centre[0] - two.centre[0], one.centre[1] - two.centre[1])
    return float(way) / max(1e-6, one.size)
