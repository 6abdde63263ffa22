"""The same die from reading to reading: which stayed, which were thrown, which are gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.events import SeenDie

STAYED = 0.09  # edges that a die's centre may jitter while it lies still: twice what was seen
NUDGED = 1.0  # edges that a push moves a die at most; farther is a throw
_TURNED = 15.0  # degrees that it may seem turned meanwhile: more than was ever seen


@dataclass(frozen=True, slots=True)
class Followed:
    """A reading joined to the one before it."""

    dice: tuple[SeenDie, ...]  # with `track` and `moved`
    gone: tuple[int, ...]  # tracks that are no longer seen
    next: int  # the first unused track
    small: bool  # no more happened than pushes: same dice, same values, hardly any way

    @property
    def changed(self) -> tuple[int, ...]:
        """Tracks of the dice that moved, came or went."""
        return tuple(sorted([*(die.track for die in self.dice if die.moved), *self.gone]))


def follow(before: Sequence[SeenDie], dice: Sequence[SeenDie], next_track: int) -> Followed:
    """Give each die the track of the die it was, nearest pairs of one body first."""
    pairs = sorted(
        (_apart(old, new), i, j)
        for i, old in enumerate(before)
        for j, new in enumerate(dice)
        if old.body == new.body and 0.6 < old.size / max(new.size, 1e-6) < 1.67
    )
    was: dict[int, SeenDie] = {}
    taken: set[int] = set()
    for _, i, j in pairs:
        if i not in taken and j not in was:
            was[j] = before[i]
            taken.add(i)
    tracked, small = [], len(taken) == len(before) == len(dice)
    for j, die in enumerate(dice):
        old = was.get(j)
        if old is None:
            tracked.append(replace(die, track=next_track, moved=True))
            next_track += 1
            continue
        moved = has_moved(old, die)
        if moved and (_apart(old, die) > NUDGED or old.value != die.value):
            small = False
        tracked.append(replace(die, track=old.track, moved=moved))
    gone = tuple(old.track for i, old in enumerate(before) if i not in taken)
    return Followed(tuple(tracked), gone, next_track, small)


def has_moved(old: SeenDie, new: SeenDie) -> bool:
    """Whether the die lies otherwise than it lay."""
    if old.value != new.value or _apart(old, new) > STAYED:
        return True
    one, two = _angle(old), _angle(new)
    if one is None or two is None:
        return False
    turn = abs(one - two) % 90
    return min(turn, 90 - turn) > _TURNED


def _apart(old: SeenDie, new: SeenDie) -> float:
    way = np.hypot(old.centre[0] - new.centre[0], old.centre[1] - new.centre[1])
    return float(way) / max(1e-6, (old.size + new.size) / 2)


def _angle(die: SeenDie) -> float | None:
    """Direction of its sides in degrees, modulo a quarter turn; None without a clear square."""
    if len(die.outline) != 4:
        return None
    corners = np.asarray(die.outline, float)
    sides = np.roll(corners, -1, 0) - corners
    lengths = np.linalg.norm(sides, axis=1)
    if lengths.min() < 0.75 * lengths.max():
        return None
    # Four sides vote: an angle times four is the same for all sides of a square.
    votes = np.exp(4j * np.arctan2(sides[:, 1], sides[:, 0])).sum()
    return float(np.degrees(np.angle(votes)) / 4)
