"""What swords are worth: length, quality, magic; ties share and round down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.swordcrafters.cards import FEWEST, Magic, relevant
from companion.games.swordcrafters.gems import GEMS
from companion.games.swordcrafters.sword import SIDES, Run, Sword, best_run, gem_counts

LONGEST = 6
PER_GEM, PER_GEM_LIGHT = 2, 5
SHORTEST_RUN = 2


@dataclass(frozen=True, slots=True)
class Tally:
    """What is compared: a sword's tiles, the best run of each side, how many of each gem."""

    length: int
    runs: tuple[Run, ...]
    gems: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A place on a card or among the lengths: which, with whom it is shared, what it pays."""

    value: int
    place: int  # from 1; 0: none
    shared: tuple[int, ...]  # the others on the same place
    points: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """The points of one entrant, row by row."""

    length: Place
    quality: tuple[tuple[Run, int], ...]
    magic: tuple[Place, ...]

    @property
    def total(self) -> int:
        """All of them."""
        quality = sum(points for _, points in self.quality)
        return self.length.points + quality + sum(place.points for place in self.magic)


def tally(sword: Sword, *, guards: bool = True, breaks: bool = True) -> Tally:
    """A sword, counted."""
    runs = tuple(best_run(sword, side, guards=guards, breaks=breaks) for side in range(SIDES))
    return Tally(sword.length, runs, gem_counts(sword, guards=guards))


def joined(tallies: Sequence[Tally]) -> Tally:
    """Two swords that score as one (S-H13's other reading)."""
    runs = tuple(
        Run(run.side + SIDES * number, run.gem, run.start, run.length)
        for number, one in enumerate(tallies)
        for run in one.runs
    )
    gems = tuple(sum(one.gems[at] for one in tallies) for at in range(len(GEMS)))
    return Tally(sum(one.length for one in tallies), runs, gems)


def scored(
    tallies: Sequence[Tally], magic: Sequence[Magic], *, light: bool, positive: bool
) -> tuple[Sheet, ...]:
    """Every entrant's sheet."""
    lengths = _longest([one.length for one in tallies])
    cards = [_card(card, tallies, positive) for card in magic]
    return tuple(
        Sheet(lengths[at], _quality(one.runs, light), tuple(card[at] for card in cards))
        for at, one in enumerate(tallies)
    )


def _longest(lengths: Sequence[int]) -> list[Place]:
    """S-R27: the longest gets 6, and so does everyone who ties."""
    best = max(lengths)
    tied = [at for at, length in enumerate(lengths) if length == best]
    return [
        Place(length, 1, tuple(o for o in tied if o != at), LONGEST)
        if at in tied
        else Place(length, 0, (), 0)
        for at, length in enumerate(lengths)
    ]


def _quality(runs: Sequence[Run], light: bool) -> tuple[tuple[Run, int], ...]:
    """S-R28: two points a gem for each side's best run; S-R37: five for the best side alone."""
    scoring = [run for run in runs if run.length >= SHORTEST_RUN]
    if light:
        best = max(scoring, key=lambda run: run.length, default=None)
        return () if best is None else ((best, PER_GEM_LIGHT * best.length),)
    return tuple((run, PER_GEM * run.length) for run in scoring)


def _card(card: Magic, tallies: Sequence[Tally], positive: bool) -> list[Place]:
    """S-R30 to S-R32: who tie share the sum of the places they fill, rounded down."""
    values = [relevant(card, one.gems) for one in tallies]
    sunk = card.method not in FEWEST and positive
    running = [at for at, value in enumerate(values) if not sunk or value > 0]
    ranks = sorted({values[at] for at in running}, reverse=card.method not in FEWEST)
    found = {at: Place(value, 0, (), 0) for at, value in enumerate(values)}
    place = 1
    for rank in ranks:
        tied = [at for at in running if values[at] == rank]
        pot = sum(card.pays[place - 1 : place - 1 + len(tied)])
        for at in tied:
            others = tuple(other for other in tied if other != at)
            found[at] = Place(rank, place, others, pot // len(tied))
        place += len(tied)
    return [found[at] for at in range(len(tallies))]
