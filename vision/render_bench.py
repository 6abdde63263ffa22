"""Rendered trays through the real eye: how many it reads exactly, and what it accepts wrongly.

python -m vision.render_bench [TRAYS] [FIRST SEED]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context

import numpy as np
from rich.progress import track

from companion.events import Body, SeenDie
from vision.read import Hint, Reading, read
from vision.render import Picture, render
from vision.scenes import some_scene
from vision.settle import Read

MIXES: tuple[tuple[int, int], ...] = ((3, 3), (4, 3), (4, 4))  # black and white dice
_MOST_BLUE = 2


def tray(seed: int) -> Picture:
    """The rendered tray of this seed: black, white and up to two light-blue dice in some light."""
    rng = np.random.default_rng(seed)
    black, white = MIXES[int(rng.integers(len(MIXES)))]
    blue = int(rng.integers(_MOST_BLUE + 1))
    counts: dict[Body, int] = {"black": black, "white": white, "blue": blue}
    bodies = [body for body, count in counts.items() for _ in range(count)]
    touching = 0.25 if rng.random() < 0.5 else 0.0
    return render(some_scene(rng, bodies, touching=touching), rng)


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


def run(seeds: Sequence[int], read: Read = read) -> Tally:
    """Read the trays of these seeds without any hint."""
    tally = Tally()
    for seed in seeds:
        picture = tray(seed)
        tally.count(seed, picture.dice, read(picture.image, Hint()))
    return tally


def spread(seeds: Sequence[int], cores: int | None = None) -> Tally:
    """The same on several cores, with a bar that shows how far it is."""
    parts = [seeds[i : i + 10] for i in range(0, len(seeds), 10)]
    total = Tally()
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
        for part in track(pool.map(run, parts), "trays", total=len(parts)):
            total += part
    return total


def _apart(one: SeenDie, two: SeenDie) -> float:
    way = np.hypot(one.centre[0] - two.centre[0], one.centre[1] - two.centre[1])
    return float(way) / max(1.0, two.size)


def _place(die: SeenDie) -> str:
    return f"{die.centre[0]:.0f},{die.centre[1]:.0f}"


def main(count: int = 500, first: int = 0) -> None:
    """Prints the tally and every failure with its seed."""
    tally = spread(range(first, first + count))
    for seed, wrong in sorted(tally.failures.items()):
        print(seed, "; ".join(wrong))
    print(tally)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3]))
