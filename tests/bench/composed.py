"""Composed trays through the real eye: real dice on real grounds, counted by kind and by cause.

    python -m tests.bench.composed DICE_FOLDER [TRAYS] [FIRST SEED] [FOLDER FOR FAILURES]

Only parts for measuring are used: nothing was learned from them. Each tray is seen as the product
sees it: calibrated, the empty tray first, then several frames of the dice.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path

import cv2
import numpy as np

from tests.bench.rendered import AFTER, BEFORE, Thrown, calibrated, mistakes
from vision.draw import draw
from vision.read.reader import Reading
from vision.train.compose import MIX, THINGS, Composed, Kind, compose
from vision.train.cutouts import Parts, parts

KINDS: tuple[Kind, ...] = (*dict.fromkeys(MIX), "other", "sun", *THINGS)
CAUSES = ("missed", "seen as", "read as", "out of nothing")


@dataclass
class Row:
    """What came of the trays of one kind."""

    trays: int = 0
    exact: int = 0
    accepted: int = 0
    wrong: int = 0  # accepted, and not exact
    uncaught: int = 0  # of these, with the bodies that the table waits for
    causes: Counter[str] = field(default_factory=Counter)
    doubts: Counter[str] = field(default_factory=Counter)

    def count(self, tray: Composed, reading: Reading) -> tuple[str, ...]:
        """Take in one tray; what was wrong with its reading."""
        told = mistakes(tray.dice, reading)
        self.trays += 1
        self.exact += not told
        self.accepted += reading.accepted
        self.doubts.update(reading.doubts if not told else ())
        if told:
            self.causes.update(cause for cause in CAUSES for word in told if cause in word)
        if told and reading.accepted:
            self.wrong += 1
            bodies = [Counter(die.body for die in some) for some in (tray.dice, reading.dice)]
            self.uncaught += bodies[0] == bodies[1]
        return told

    def __add__(self, other: Row) -> Row:
        return Row(
            self.trays + other.trays,
            self.exact + other.exact,
            self.accepted + other.accepted,
            self.wrong + other.wrong,
            self.uncaught + other.uncaught,
            self.causes + other.causes,
            self.doubts + other.doubts,
        )

    def __str__(self) -> str:
        whole = max(1, self.trays)
        causes = ", ".join(f"{cause} {n}" for cause, n in self.causes.most_common())
        asked = ", ".join(f"{doubt} {n}" for doubt, n in self.doubts.most_common())
        return (
            f"{self.trays:5} trays  exact {100 * self.exact / whole:6.2f} %  "
            f"accepted {100 * self.accepted / whole:6.2f} %  wrong {self.wrong} "
            f"({self.uncaught} with the right bodies)  [{causes}]  asked though exact: [{asked}]"
        )


def thrown(tray: Composed, seed: int) -> Thrown:
    """The frames of a composed tray; a few are shown over and over, to save time."""
    rng = np.random.default_rng((seed, 9))
    empty = [tray.empty(rng) for _ in range(3)]
    full = [tray.frame(rng) for _ in range(4)]
    before, after = islice(cycle(empty), BEFORE), islice(cycle(full[1:]), AFTER)
    return Thrown(tray.dice, empty[0], before, tray.die_px, after, full[0])


def run(
    seeds: Iterable[int],
    pool: Parts,
    kinds: Sequence[Kind | None] = (None,),
    failures: Path | None = None,
) -> dict[str, Row]:
    """Read one tray of each kind for each seed; pictures of failures into a folder."""
    rows: dict[str, Row] = {}
    for seed, kind in ((seed, kind) for seed in seeds for kind in kinds):
        tray = compose(seed, pool, kind)
        shown = thrown(tray, seed)
        reading = calibrated(shown)
        told = rows.setdefault(tray.kind, Row()).count(tray, reading)
        if failures and told:
            mark = "ACCEPTED " if reading.accepted else ""
            failures.mkdir(parents=True, exist_ok=True)
            name = f"{mark.strip()}{tray.kind}-{seed}.png".replace(" ", "-")
            cv2.imwrite(str(failures / name), draw(shown.image, reading, mark + "; ".join(told)))
            print(tray.kind, seed, mark, *told, *reading.doubts, sep="; ", flush=True)
    return rows


def lines(rows: dict[str, Row]) -> Iterator[str]:
    """The figures: what a table's own dice show together, then each kind."""
    own = [row for kind, row in rows.items() if kind in MIX]
    if own:
        yield f"{'own dice':10} {sum(own, Row())}"
    for kind in KINDS:
        if kind in rows:
            yield f"{kind:10} {rows[kind]}"


def main(folder: Path, count: int = 500, first: int = 0, failures: Path | None = None) -> None:
    """Prints the figures: the mix of a table's own dice, a tenth as many of other kinds."""
    cv2.setNumThreads(1)
    pool = parts(folder, "measuring")
    rows = run(range(first, first + count), pool, failures=failures)
    others: tuple[Kind, ...] = ("other", "sun", *THINGS)
    rows |= run(range(first, first + max(1, count // 10)), pool, others, failures)
    print(*lines(rows), sep="\n")


if __name__ == "__main__":
    given, trays, start, pictures, *_ = (*sys.argv[1:], *("", "500", "0", "")[len(sys.argv) - 1 :])
    main(Path(given), int(trays), int(start), Path(pictures) if pictures else None)
