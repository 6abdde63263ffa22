"""One answer for each die: which faces are parts of others, strangers, missing or joined."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin

import numpy as np

from vision.read import confidence
from vision.read.find import overlap
from vision.read.judged import FAINT, SETTLED, Judged

KEPT = 0.5  # a face is a die from this chance on
HUNCH = 0.45  # and a doubt from this
ODD = (0.55, 1.8)  # edges this far from that of the surest die need to be very sure themselves
PART = (1.15, 2.6, 8.0)  # how much bigger a face is than some of its pips; than one; at most
FAR = 1.6  # a clear face is part of one so much bigger only if that one's pips are counted, too
JOINED = 1.17  # edges between the halves of a domino at most; composites show up to 1.13
PLAIN = 0.7  # a die that the finder is this sure of is never a pip of a bigger one
SIDE = 0.9  # a visible side looks so much smaller than its die: photographs


def resolved(judged: Sequence[Judged], known: float | None = None) -> list[Judged]:
    """One answer for each die; what is no fellow of the dice for its size has no parts."""
    faces = [one for one in judged if not any(_lies_in(other, one) for other in judged)]
    wholes = fellows(faces, known)
    whole = [one for one in faces if not any(part_of(one, other) for other in wholes)]
    kept: list[Judged] = []
    for one in sorted(whole, key=lambda o: -o.weight):
        if not any(overlap(one.found, other.found) or _side_of(one, other) for other in kept):
            kept.append(one)
    return kept


def _side_of(one: Judged, other: Judged) -> bool:
    """Whether this is a visible side of the other: two dice lie at least an edge apart."""
    a, b = one.found, other.found
    near = hypot(a.x - b.x, a.y - b.y) < (a.edge + b.edge) / 2
    if not near or a.edge > SIDE * b.edge:
        return False
    return confidence.sure(one.signs(b.edge), confidence.weights()) < SETTLED


def _lies_in(one: Judged, other: Judged) -> bool:
    """Whether this is a die of several that lie like the pips of the other, which is none then."""
    grown = other.found.edge / one.found.edge
    several = one.value != 1 and one.weight > other.weight  # no pip shows so many
    return several and grown > PART[1] and overlap(one.found, other.found)


def part_of(one: Judged, other: Judged) -> bool:
    """Whether this is only some pips of the other face: four of a six look like a four."""
    grown = other.found.edge / one.found.edge
    fits = PART[0] < grown < PART[2] and other.value > one.value and not one.printed
    if grown > PART[1]:  # one glinting pip; but dice may lie like pips, too
        fits = fits and one.value == 1 and one.found.heat < PLAIN
    elif grown > FAR and one.clear:  # as big as two dice: only where its own pips are counted
        fits = fits and other.pips.value == other.value
    return fits and other.weight > 0.62 * one.weight and overlap(one.found, other.found)


def fellows(kept: Sequence[Judged], known: float | None = None) -> list[Judged]:
    """Those of about one size: carpets and print show dice of other sizes.

    `known` is the calibrated edge of a die; without it the surest die tells.
    """
    low, high = _sizes(kept, known)
    return [one for one in kept if low < one.found.edge < high or one.weight > 0.95]


def _sizes(kept: Sequence[Judged], known: float | None) -> tuple[float, float]:
    """Between which edges fellows lie; where nothing is known, everything."""
    surest = max(kept, key=lambda one: one.weight, default=None)
    if surest is not None and known is None:
        known = surest.found.edge
    return (known * ODD[0], known * ODD[1]) if known else (0.0, float("inf"))


def missing(once: Sequence[Judged], kept: Sequence[Judged], known: float | None = None) -> int:
    """How many were likely, at any time, and are not in the reading, nor a die in their place.

    One of another size than the dice must have been sure to be one.
    """
    low, high = _sizes(kept, known)
    limit, given = HUNCH if kept else FAINT, confidence.weights()
    count = 0
    for one in once:
        if one.chance >= limit and not any(overlap(one.found, die.found) for die in kept):
            fits = low < one.found.edge < high
            count += fits or confidence.sure(one.signs(one.found.edge), given) > KEPT
    return count


def joined(one: Judged, other: Judged) -> bool:
    """Whether two faces lie like the halves of a domino: edge to edge, and in one line."""
    a, b = one.found, other.found
    edge = (a.edge + b.edge) / 2
    x, y = (b.x - a.x) / edge, (b.y - a.y) / edge
    if one is other or hypot(x, y) > JOINED:
        return False
    off = (a.turn - b.turn + pi / 4) % (pi / 2) - pi / 4
    if abs(off) > 0.13:
        return False
    turn = a.turn - off / 2
    along, across = x * cos(turn) + y * sin(turn), y * cos(turn) - x * sin(turn)
    same = int(np.argmax(one.hue)) == int(np.argmax(other.hue))
    return same and min(abs(along), abs(across)) < 0.1
