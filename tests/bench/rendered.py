"""Rendered trays through the real eye: how many it reads exactly, and what it accepts wrongly.

    python -m tests.bench.rendered [TRAYS] [FIRST SEED] [FOLDER FOR PICTURES OF FAILURES]

Each tray is read twice: as the product does it (calibrated: the empty tray and about the size of a
die are known, several frames are seen), and as one picture of which nothing is known.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
from rich.progress import track

from companion.events import Body, DiceSettled, SeenDie
from vision.draw import draw
from vision.picture import Image
from vision.read.reader import NO_HINT, Hint, Reading, read
from vision.rendered.layout import truth
from vision.rendered.render import Stage
from vision.rendered.scenes import some_scene
from vision.watch.settle import Read, Settle

MIXES: tuple[tuple[int, int], ...] = ((3, 3), (4, 3), (4, 4))  # black and white dice
_MOST_BLUE = 2
_OFF = 0.12  # how far off a calibration may measure a die
BEFORE = 7  # frames of the empty tray
AFTER = 48  # until the eye must have spoken: what may be a hand is waited for, three seconds long
_RATE = 12.0  # frames a second


@dataclass(frozen=True, eq=False)
class Thrown:
    """A rendered tray before and after a throw."""

    dice: tuple[SeenDie, ...]
    empty: Image
    before: Iterator[Image]  # frames of the empty tray, each with its own noise
    die_px: float  # as a calibration would measure it
    frames: Iterator[Image]  # of the resting dice, each with its own noise
    image: Image  # the first of these


def tray(seed: int) -> Thrown:
    """The rendered tray of this seed: black, white and up to two light-blue dice in some light."""
    rng = np.random.default_rng(seed)
    black, white = MIXES[int(rng.integers(len(MIXES)))]
    blue = int(rng.integers(_MOST_BLUE + 1))
    counts: dict[Body, int] = {"black": black, "white": white, "blue": blue}
    bodies = [body for body, count in counts.items() for _ in range(count)]
    touching = 0.25 if rng.random() < 0.5 else 0.0
    scene = some_scene(rng, bodies, touching=touching)
    stage = Stage(scene.camera, scene.light, scene.ground, scene.finish)
    light = stage.linear([die.pose() for die in scene.dice])
    image = stage.develop(light, rng)
    bare = stage.linear([])
    empty = stage.develop(bare, rng)
    die_px = scene.camera.die * float(np.exp(rng.uniform(-_OFF, _OFF)))
    frames = (stage.develop(light, rng) for _ in range(AFTER))
    grain = np.random.default_rng((seed, 1))
    before = (stage.develop(bare, grain) for _ in range(BEFORE))
    return Thrown(truth(scene.dice, scene.camera), empty, before, die_px, frames, image)


def calibrated(thrown: Thrown, read: Read = read) -> Reading:
    """What the eye tells of a tray that it knows: frames of the empty one, then of the dice."""
    settle = Settle(read, Hint(die_px=thrown.die_px, background=thrown.empty))
    for number, frame in enumerate(chain(thrown.before, [thrown.image], thrown.frames)):
        for event in settle.feed(frame, number / _RATE):
            if isinstance(event, DiceSettled):
                return Reading(event.dice, event.accepted)
    return Reading(doubts=("never came to rest",))


def blind(thrown: Thrown, read: Read = read) -> Reading:
    """What the eye tells of one picture, without any hint."""
    return read(thrown.image, NO_HINT)


Way: TypeAlias = Callable[[Thrown, Read], Reading]
WAYS: dict[str, Way] = {"calibrated tray": calibrated, "without any hint": blind}


def mistakes(truth: tuple[SeenDie, ...], reading: Reading) -> tuple[str, ...]:
    """What is wrong with a reading, in words; none: it is exactly right.

    A light-blue die has a printed face: only its colour and place count.
    """
    wrong, left = [], list(reading.dice)
    for die in truth:
        near = min(left, key=lambda seen: _apart(seen, die), default=None)
        if near is None or _apart(near, die) > 0.5:
            wrong.append(f"{die.body} {die.value} missed at {_place(die)}")
            continue
        left.remove(near)
        if near.body != die.body:
            wrong.append(f"{die.body} {die.value} seen as {near.body} at {_place(die)}")
        elif die.value and near.value != die.value:
            wrong.append(f"{die.body} {die.value} read as {near.value} at {_place(die)}")
    wrong += [f"{seen.body} {seen.value} out of nothing at {_place(seen)}" for seen in left]
    return tuple(wrong)


@dataclass
class Tally:
    """What came of many trays."""

    trays: int = 0
    exact: int = 0
    accepted: int = 0
    accepted_wrong: int = 0
    colours_confused: int = 0  # in accepted readings
    failures: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def count(self, seed: int, truth: tuple[SeenDie, ...], reading: Reading) -> None:
        """Take in one tray."""
        wrong = mistakes(truth, reading)
        self.trays += 1
        self.exact += not wrong
        self.accepted += reading.accepted
        if wrong:
            mark = ("ACCEPTED",) if reading.accepted else ()
            self.failures[seed] = (*mark, *wrong)
            self.accepted_wrong += reading.accepted
            self.colours_confused += reading.accepted and any("seen as" in word for word in wrong)

    def __str__(self) -> str:
        return (
            f"{self.trays} trays: {100 * self.exact / max(1, self.trays):.2f} % exactly right, "
            f"{100 * self.accepted / max(1, self.trays):.2f} % accepted, "
            f"{self.accepted_wrong} accepted and wrong, {self.colours_confused} of these by colour"
        )

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.trays + other.trays,
            self.exact + other.exact,
            self.accepted + other.accepted,
            self.accepted_wrong + other.accepted_wrong,
            self.colours_confused + other.colours_confused,
            {**self.failures, **other.failures},
        )


Tallies: TypeAlias = dict[str, Tally]


def run(
    seeds: Sequence[int],
    read: Read = read,
    failures: Path | None = None,
    ways: Sequence[str] = tuple(WAYS),
) -> Tallies:
    """Read the trays of these seeds in each of the ways; pictures of failures into a folder."""
    tallies = {name: Tally() for name in ways}
    for seed in seeds:
        thrown = tray(seed)
        for name in ways:
            reading = WAYS[name](thrown, read)
            tallies[name].count(seed, thrown.dice, reading)
            if failures and seed in tallies[name].failures:
                shown = draw(thrown.image, reading, "; ".join(tallies[name].failures[seed]))
                failures.mkdir(parents=True, exist_ok=True)
                cv2.imwrite(str(failures / f"{seed}-{name.replace(' ', '-')}.png"), shown)
    return tallies


def spread(
    seeds: Sequence[int],
    cores: int | None = None,
    failures: Path | None = None,
    ways: Sequence[str] = tuple(WAYS),
) -> Tallies:
    """The same on several cores, with a bar that shows how far it is."""
    parts = [seeds[i : i + 10] for i in range(0, len(seeds), 10)]
    total = {name: Tally() for name in ways}
    some = partial(run, failures=failures, ways=ways)
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
        for part in track(pool.map(some, parts), "trays", total=len(parts)):
            total = {name: total[name] + part[name] for name in ways}
    return total


def _apart(one: SeenDie, two: SeenDie) -> float:
    way = np.hypot(one.centre[0] - two.centre[0], one.centre[1] - two.centre[1])
    return float(way) / max(1.0, two.size)


def _place(die: SeenDie) -> str:
    return f"{die.centre[0]:.0f},{die.centre[1]:.0f}"


def main(count: int = 500, first: int = 0, failures: Path | None = None) -> None:
    """Prints both tallies and every failure with its seed."""
    for name, tally in spread(range(first, first + count), failures=failures).items():
        for seed, wrong in sorted(tally.failures.items()):
            print(seed, "; ".join(wrong))
        print(f"{name}: {tally}")


if __name__ == "__main__":
    trays, start, folder, *_ = (*sys.argv[1:], *("500", "0", "")[len(sys.argv) - 1 :])
    main(int(trays), int(start), Path(folder) if folder else None)
