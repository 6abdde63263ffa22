"""Dice that tumble: what moves in the rendered tray, as functions of time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from companion.events import SeenDie
from vision.rendered.hand import Hand, draw_hand
from vision.rendered.layout import Die, moved, truth
from vision.rendered.optics import Floats, Image, floats, turned
from vision.rendered.render import Stage
from vision.rendered.trace import Pose

SHUTTER = 1 / 70  # seconds of light in a frame
_REACH = 0.5  # seconds that a hand takes into the tray, and out again


@dataclass(frozen=True, eq=False)
class Moment:
    """What the tray holds at one time: dice that lie, dice that move (as one exposure), a hand."""

    lying: tuple[Pose, ...] = ()
    flying: tuple[tuple[Pose, ...], ...] = ()
    hand: Hand | None = None


Course: TypeAlias = Callable[[float], Moment]


@dataclass(frozen=True, eq=False)
class Act:
    """Something that happens in the tray, and the dice that lie there afterwards."""

    seconds: float
    course: Course
    after: tuple[Die, ...]
    kind: Literal["thrown", "placed", "shown", ""] = ""  # placed by hand; shown until it was seen


@dataclass(frozen=True, eq=False)
class Frame:
    """A frame of a clip. `dice` are the truth when the tray rests, else None."""

    time: float
    image: Image
    dice: tuple[SeenDie, ...] | None


def throw(
    kept: Sequence[Die],
    gone: Sequence[Die],
    thrown: Sequence[Die],
    rng: np.random.Generator,
    side: float | None = None,
) -> Act:
    """A hand takes the `gone` dice up, then `thrown` tumble in and rest beside the `kept` ones."""
    side = float(rng.uniform(0, 2 * np.pi)) if side is None else side
    still = tuple(die.pose() for die in kept)
    taken = take(kept, gone, rng, side) if gone else None
    start = taken.seconds if taken else 0.0
    door = 14.0 * floats([np.cos(side), np.sin(side)])
    flights = [_flight(die, door, still, rng) for die in thrown]
    ends = [delay + seconds for delay, seconds, _ in flights]
    skin = _some_skin(rng)
    rest = tuple(die.pose() for die in thrown)

    def course(now: float) -> Moment:
        if taken and now < start:
            return taken.course(now)
        now -= start
        flying, lying = [], list(still)
        for (delay, seconds, pose), final in zip(flights, rest, strict=True):
            if now >= delay + seconds:
                lying.append(final)
            elif now > delay:
                flying.append(_exposed(pose, (now - delay), seconds))
        shown = _swing(now, 0.35)
        hand = Hand(_along(side, 12.5 - 4 * shown), side, False, skin) if shown > 0 else None
        return Moment(tuple(lying), tuple(flying), hand)

    seconds = start + max([0.4, *ends]) + 0.02
    return Act(seconds, course, (*kept, *thrown), "thrown" if thrown else "")


def take(
    kept: Sequence[Die], gone: Sequence[Die], rng: np.random.Generator, side: float | None = None
) -> Act:
    """A hand reaches in and takes dice away."""
    side = float(rng.uniform(0, 2 * np.pi)) if side is None else side
    still = tuple(die.pose() for die in kept)
    skin = _some_skin(rng)
    stops = [die.at for die in gone] or [(0.0, 0.0)]
    each = 0.22
    seconds = 2 * _REACH + each * len(stops)
    poses = [die.pose() for die in gone]

    def course(now: float) -> Moment:
        lying = [p for i, p in enumerate(poses) if now < _REACH + each * (i + 0.5)]
        path = [_along(side, 16.0), *stops, _along(side, 16.0)]
        times = [0.0, *(_REACH + each * i for i in range(len(stops))), seconds]
        at = (
            float(np.interp(now, times, [p[0] for p in path])),
            float(np.interp(now, times, [p[1] for p in path])),
        )
        return Moment((*still, *lying), (), Hand(at, side, now > _REACH + each * 0.5, skin))

    return Act(seconds, course, tuple(kept))


def nudge(
    dice: Sequence[Die],
    which: int,
    rng: np.random.Generator,
    by: float = 0.8,
    turn: float = 0.4,
    way: float | None = None,
) -> Act:
    """A die is pushed along the floor; no hand is seen, a sleeve or the table's shake will do."""
    way = float(rng.uniform(0, 2 * np.pi)) if way is None else way
    final = moved(dice[which], (by * float(np.cos(way)), by * float(np.sin(way))), turn)
    still = tuple(die.pose() for i, die in enumerate(dice) if i != which)
    seconds = 0.25
    begin, end = dice[which].pose(), final.pose()

    def pose(now: float, length: float) -> Pose:
        done = float(np.clip(now / length, 0, 1)) ** 0.6
        spin = turned((0, 0, 1), turn * done) @ begin.attitude
        place = begin.centre * (1 - done) + end.centre * done
        return Pose(begin.skin, floats(place), floats(spin))

    def course(now: float) -> Moment:
        return Moment(still, (_exposed(pose, now, seconds),))

    after = tuple(final if i == which else die for i, die in enumerate(dice))
    return Act(seconds, course, after)


def carry(dice: Sequence[Die], which: int, put: Die, rng: np.random.Generator) -> Act:
    """A hand takes a die and puts it down elsewhere, as `put` says, the same face up."""
    side, skin, held = float(rng.uniform(0, 2 * np.pi)), _some_skin(rng), 0.6
    still = tuple(die.pose() for i, die in enumerate(dice) if i != which)
    begin, end = dice[which].pose(), put.pose()
    times = [0.0, _REACH, _REACH + held, 2 * _REACH + held]
    path = [_along(side, 16.0), dice[which].at, put.at, _along(side, 16.0)]

    def course(now: float) -> Moment:
        at = (
            float(np.interp(now, times, [p[0] for p in path])),
            float(np.interp(now, times, [p[1] for p in path])),
        )
        done = float(np.clip((now - _REACH) / held, 0, 1))
        place = begin.centre * (1 - done) + end.centre * done
        place = place + floats([0, 0, 1.2 * np.sin(np.pi * done)])
        carried = Pose(begin.skin, floats(place), begin.attitude if done < 1 else end.attitude)
        return Moment((*still, carried), (), Hand(at, side, 0 < done < 1, skin))

    after = tuple(put if i == which else die for i, die in enumerate(dice))
    return Act(times[-1], course, after)


def cover(dice: Sequence[Die], seconds: float, rng: np.random.Generator) -> Act:
    """A hand lies over the tray for a while and goes away; the dice stay as they were."""
    side, skin = float(rng.uniform(0, 2 * np.pi)), _some_skin(rng)
    still = tuple(die.pose() for die in dice)

    def course(now: float) -> Moment:
        far = float(np.interp(now, [0, _REACH, seconds - _REACH, seconds], [16, 2, 2, 16]))
        return Moment(still, (), Hand(_along(side, far), side, False, skin))

    return Act(seconds, course, tuple(dice))


def rest(dice: Sequence[Die], seconds: float) -> Act:
    """Nothing happens."""
    still = Moment(tuple(die.pose() for die in dice))
    return Act(seconds, lambda _now: still, tuple(dice))


def shot(stage: Stage, moment: Moment, rng: np.random.Generator) -> Image:
    """A frame of the moment."""
    hand = draw_hand(moment.hand, stage.camera, stage.light) if moment.hand else None
    return stage.frame(moment.lying, rng, moment.flying, hand)


def clip(
    stage: Stage, acts: Sequence[Act], rng: np.random.Generator, rate: float = 15.0
) -> Iterator[Frame]:
    """The frames of one act after another."""
    number, begun = 0, 0.0
    for act in acts:
        still = not act.course(0.0).flying and not act.course(0.0).hand
        resting = truth(act.after, stage.camera) if still and act.seconds else None
        while number / rate < begun + act.seconds:
            now = number / rate
            moment = act.course(now - begun)
            calm = not moment.flying and moment.hand is None
            yield Frame(now, shot(stage, moment, rng), resting if calm else None)
            number += 1
        begun += act.seconds


Flight: TypeAlias = tuple[float, float, Callable[[float, float], Pose]]


def _flight(die: Die, door: Floats, still: Sequence[Pose], rng: np.random.Generator) -> Flight:
    """Delay, seconds and course of a die from the door to its rest."""
    delay, seconds = float(rng.uniform(0.05, 0.25)), float(rng.uniform(0.7, 1.2))
    final = die.pose()
    start = door + rng.normal(0, 0.8, 2)
    way = final.centre[:2] - start
    far = float(np.linalg.norm(way)) + 1e-6
    bend = float(rng.normal(0, 1.2))
    across = np.array([-way[1], way[0]]) / far
    roll = far * float(rng.uniform(1.0, 1.5)) + float(rng.uniform(0, 3))
    axis = (-float(way[1]) + float(rng.normal(0, 1)), float(way[0]), float(rng.normal(0, 2)))
    bounce = float(rng.uniform(1.5, 3.0))

    def pose(now: float, length: float) -> Pose:
        done = float(np.clip(now / length, 0, 1))
        left = 1 - done
        moving = Pose(final.skin, final.centre, turned(axis, -roll * left**1.7) @ final.attitude)
        flat = final.centre[:2] - way * left**2.2 + across * (bend * left * done * 2)
        hop = bounce * left**2 * abs(float(np.cos(7.5 * done**0.8)))
        over = max((1.2 - float(np.linalg.norm(p.centre[:2] - flat)) for p in still), default=0.0)
        clear = float(np.clip(over * 3, 0, 1)) * min(1.0, 4 * left)
        place = floats([flat[0], flat[1], die.level + moving.lowest() + max(hop, clear)])
        return Pose(moving.skin, place, moving.attitude)

    return delay, seconds, pose


def _exposed(pose: Callable[[float, float], Pose], now: float, length: float) -> tuple[Pose, ...]:
    """The poses of one exposure: one when the die hardly moves, else three."""
    first, last = pose(now - SHUTTER / 2, length), pose(now + SHUTTER / 2, length)
    slow = float(np.abs(first.centre - last.centre).max()) < 0.03
    if slow and float(np.abs(first.attitude - last.attitude).max()) < 0.06:
        return (pose(now, length),)
    return (first, pose(now, length), last)


def _swing(now: float, seconds: float) -> float:
    return max(0.0, 1 - abs(now - seconds / 2) / seconds * 2)


def _along(side: float, far: float) -> tuple[float, float]:
    return far * float(np.cos(side)), far * float(np.sin(side))


def _some_skin(rng: np.random.Generator) -> tuple[float, float, float]:
    tone = float(rng.uniform(0.25, 1.1))
    return (0.22 * tone**1.2, 0.33 * tone**1.1, 0.55 * tone)


def lifted(dice: Sequence[Die], which: int, onto: int) -> tuple[Die, ...]:
    """The same dice, one put on top of another."""
    base = dice[onto]
    top = replace(dice[which], at=base.at, level=base.level + base.skin.edge, turn=base.turn + 0.3)
    return tuple(top if i == which else die for i, die in enumerate(dice))
