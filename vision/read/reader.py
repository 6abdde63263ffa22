"""What lies in the picture: the one door into the eye. An array goes in, a reading comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import cos, pi, sin, sqrt

import numpy as np

from companion.events import Point, SeenDie
from vision.picture import Image
from vision.read import bodies, confidence, lean, outline, paint, pips
from vision.read.face import judge, patch
from vision.read.find import Box, Floats, Found
from vision.read.flaws import flaws
from vision.read.judged import BLUE, BODIES, FAINT, OTHER, Judged
from vision.read.resolve import HUNCH, KEPT, fellows, joined, missing, part_of, resolved
from vision.read.where import NO_HINT, Hint, changes, inside, seen, shrunk_hint, with_blue, worked

__all__ = [
    "NO_HINT", "Box", "Hint", "Image", "Judged", "Reading", "because", "candidates", "examine",
    "read",
]  # fmt: skip

OTHER_SIZES = (0.8, 0.9, 1.12, 1.25)  # in which an unclear face is looked at again
UNLIKELY = 0.6  # sureness; of photographs' phantoms most lie below, of their dice hardly one
PAST = 0.57  # edges from the middle of a face to beyond its end
PRINT = 0.33  # paint is measured where the finder is so much for a blue face without pips
ASKED = {  # flaws that keep a reading from being accepted
    "stacked": "die not flat",
    "cocked": "die not flat",
    "cut": "die cut by the border",
    "unclear colour": "unsure colour",
    "round": "round like a token",
    "joined": "two faces of one piece",
    "printed": "printed on something bigger",
}
UNCOUNTED = pips.Pips()
CROWD = 60  # more faces than this are not looked at closely


@dataclass(frozen=True, slots=True)
class Reading:
    """The dice of one picture, and whether the eye would stake the game on them."""

    dice: tuple[SeenDie, ...] = ()
    accepted: bool = False
    doubts: tuple[str, ...] = ()  # why not, in short words; empty when accepted

    @property
    def values(self) -> tuple[int, ...]:
        """The values in rising order."""
        return tuple(sorted(die.value for die in self.dice))


def read(image: Image, hint: Hint = NO_HINT) -> Reading:
    """The dice in `image` (BGR, BGRA or grey, any depth)."""
    return examine(image, hint)[0]


def examine(image: Image, hint: Hint = NO_HINT) -> tuple[Reading, list[Floats]]:
    """The reading, and for each of its dice the signs that its confidence rests on."""
    if hint.die_px and not 4 <= hint.die_px <= min(image.shape[:2]):
        hint = replace(hint, die_px=None)  # no die of this picture
    work, shrunk = worked(image, hint)
    if min(work.shape[:2]) < 8:
        return Reading(doubts=("picture too small",)), []
    fitting = shrunk_hint(hint, shrunk)
    changed = changes(work, fitting)
    judged, once = considered(work, fitting, changed)
    kept = fellows([one for one in judged if one.chance >= KEPT], fitting.die_px)
    if changed is None:
        kept = [one for one in kept if not phantom(one, _middle(kept))]
    dice, signs = _dice(work, kept, changed)
    found = [one.found for one in kept]
    left = bodies.unread(work, found) if changed is None else changed.unread(found)
    left = tuple(spot for spot in left if inside(*spot, fitting))
    doubts = _doubts(dice, missing(once, kept, fitting.die_px), len(left))
    reading = Reading(tuple(_at_full_size(die, shrunk) for die in dice), not doubts, doubts)
    return reading, signs


def phantom(one: Judged, middle: float) -> bool:
    """Whether this is rather a pattern of the ground: a doubt, where no empty tray is known.

    Print must be a face to the finder, too: of 37 such dice of composed trays it was sure by 0.63
    and more, of nine bluish things by 0.4 at most. Dice of other colours are seldom sure; networks
    know too few of them.
    """
    if one.printed:
        return one.found.heat < KEPT
    if int(np.argmax(one.hue)) == OTHER:
        return False
    return confidence.sure(one.signs(middle), confidence.weights()) < UNLIKELY


def candidates(image: Image, hint: Hint) -> list[Judged]:
    """Every face that might be one, in a picture of bounded size."""
    return considered(image, hint, None)[0]


def considered(
    image: Image, hint: Hint, changed: bodies.Changes | None
) -> tuple[list[Judged], list[Judged]]:
    """Every face that might be one, and all that were looked at before one answer was left."""
    proposed = seen(image, hint, changed)
    if changed is None or paint.tinted(changed.colours, changed.edge):
        proposed = with_blue(image, hint, proposed, changed)
    if changed is not None:  # a face where nothing differs is part of the tray
        proposed = [one for one in proposed if changed.differs(one)]
    proposed = [one for one in proposed if inside(one.x, one.y, hint)][:CROWD]
    first = [
        Judged(one, one.values, one.bodies, UNCOUNTED, _upright(image, one)) for one in proposed
    ]
    if changed is not None:  # a faint face that is none leaves a body unread, if there is one
        first = _counted([one for one in first if one.chance >= HUNCH or one.hue[BLUE] > 0.1])
    judged = [one for one in first if one.settled]
    once = judged + _heard(image, [one for one in first if not one.settled])
    judged = resolved(once, hint.die_px)
    unclear = [one for one in judged if one.chance >= KEPT and not (one.clear or one.settled)]
    if unclear:
        sizes = [_resized(image, one, part) for one in unclear for part in OTHER_SIZES]
        others = _heard(image, sizes)
        judged = resolved([_best(one, others) for one in judged], hint.die_px)
    return judged, once


def _heard(image: Image, asked: Sequence[Judged]) -> list[Judged]:
    """What the face reader and the plain count say to these."""
    faces, hues = judge(image, [one.found for one in asked])
    heard = []
    for first, face, hue in zip(asked, faces, hues, strict=True):
        one = replace(first, face=face, body=hue)
        told = first.found.values[0] + first.found.bodies[BLUE]
        if first.found.heat * told > PRINT:
            one = replace(one, blue=paint.light_blue(image, one.found))
        if one.light != first.light:
            one = replace(one, pips=UNCOUNTED)
        if one.chance >= FAINT:  # for the rest the count would change nothing
            heard.append(one)
    return _counted(heard)


def _counted(some: Sequence[Judged]) -> list[Judged]:
    """The same with their pips counted, where they are not yet."""
    left = [one for one in some if one.pips is UNCOUNTED]
    told = iter(pips.counts([one.look for one in left], [one.light for one in left]))
    return [_with_ace(replace(one, pips=next(told))) if one in left else one for one in some]


def _with_ace(one: Judged) -> Judged:
    """The same, its big ace counted where nothing else was."""
    if one.pips.value or one.light or one.blue > 0.5:
        return one
    big = outline.ace(one.look, one.rim)
    return one if big is None else replace(one, pips=big, ace=True)


def _resized(image: Image, one: Judged, part: float) -> Judged:
    found = replace(one.found, edge=one.found.edge * part)
    return replace(one, found=found, look=_upright(image, found), pips=UNCOUNTED)


def _best(one: Judged, others: Sequence[Judged]) -> Judged:
    """The same die in the size in which it reads best."""
    same = [o for o in others if (o.found.x, o.found.y) == (one.found.x, one.found.y)]
    best = max([one, *same], key=lambda o: o.harmony)
    more = [o for o in same if o.pips.value == o.value and part_of(best, o)]
    return max(more, key=lambda o: o.harmony, default=best)


def _upright(image: Image, one: Found) -> Image:
    return patch(image, one, 0.0, pips.SIDE, pips.REACH)


def _dice(
    image: Image, kept: Sequence[Judged], changed: bodies.Changes | None
) -> tuple[list[SeenDie], list[Floats]]:
    """The dice as one reads, and the signs that their confidence rests on."""
    found = [one.found for one in kept]
    middle = _middle(kept)
    given = confidence.weights()
    dice: list[SeenDie] = []
    told: list[Floats] = []
    rig = changed is not None
    leans = lean.leaning(found, lean.sides(image, found), image.shape[:2], rig)
    leaning = [found[k] for k in leans]
    for one in _in_order(kept):
        f = one.found
        told.append(one.signs(middle))
        second = next(int(v) for v in np.argsort(-one.worth) if v not in (0, one.value))
        body = BODIES[int(np.argmax(one.hue))]
        wrong = list(flaws(f, one.look, body, found, image.shape[:2]))
        if any(f is each for each in leaning) or (one.worth[0] > 0.5 and not one.printed):
            wrong.append("cocked")
        if not one.coloured:
            wrong.append("unclear colour")
        if one.value == 1 and outline.is_round(image, f, one.rim):
            wrong.append("round")
        if any(joined(one, other) for other in kept):
            wrong.append("joined")
        if changed is not None and _on_paper(one, changed):
            wrong.append("printed")
        dice.append(
            SeenDie(
                value=one.value,
                body=body,
                sure=round(confidence.sure(told[-1], given), 4),
                centre=(f.x, f.y),
                size=f.edge,
                outline=_square(f),
                second=second if one.worth[second] > 0.01 else 0,
                wrong=tuple(wrong),
            )
        )
    return dice, told


def _on_paper(one: Judged, changed: bodies.Changes) -> bool:
    """Whether the paint of a face goes on beyond its end: a die ends there, a card does not.

    Of black it is not said: the sides of a black die, and its shadow, are as black.
    """
    if one.paint == "black":
        return False
    f, sides = one.found, outline.goes_on(one.look, one.rim)
    turns = (f.turn + side * pi / 2 for side in range(4))
    return any(
        on and changed.at(f.x + PAST * f.edge * cos(turn), f.y + PAST * f.edge * sin(turn))
        for on, turn in zip(sides, turns, strict=True)
    )


def _middle(kept: Sequence[Judged]) -> float:
    return float(np.median([one.found.edge for one in kept])) if kept else 1.0


def _in_order(kept: Sequence[Judged]) -> list[Judged]:
    """As one reads: row by row, a die's edge to a row."""
    row = max(1.0, _middle(kept))
    return sorted(kept, key=lambda one: (one.found.y // row, one.found.x))


def _doubts(dice: Sequence[SeenDie], missed: int, left: int) -> tuple[str, ...]:
    """Why the reading cannot be accepted without asking; none: it can."""
    doubts = list(dict.fromkeys(why for die in dice for why in _objections(die)))
    if missed:
        doubts.append("perhaps another die")
    if left:
        doubts.append("a body without a face")
    return tuple(doubts)


def _objections(die: SeenDie) -> list[str]:
    """What speaks against one die."""
    unsure = ["unsure value"] if die.sure < confidence.weights().accept else []
    return unsure + [why for flaw, why in ASKED.items() if flaw in die.wrong]


def because(die: SeenDie) -> str:
    """Why this die was accepted, or is asked about, in one line."""
    limit, against = confidence.weights().accept, _objections(die)
    if against:
        return f"asked: {', '.join(dict.fromkeys(against))} (sure {die.sure:.3f}, limit {limit})"
    return f"accepted: sure {die.sure:.3f} of at least {limit}, no objection"


def _square(f: Found) -> tuple[Point, ...]:
    # from the middle to a corner, and the same turned by a quarter again and again
    along, across = (f.edge / sqrt(2) * way(f.turn + pi / 4) for way in (cos, sin))
    corners = ((along, across), (-across, along), (-along, -across), (across, -along))
    return tuple((f.x + x, f.y + y) for x, y in corners)


def _at_full_size(die: SeenDie, shrunk: float) -> SeenDie:
    if shrunk == 1:
        return die
    return replace(
        die,
        centre=(die.centre[0] / shrunk, die.centre[1] / shrunk),
        size=die.size / shrunk,
        outline=tuple((x / shrunk, y / shrunk) for x, y in die.outline),
    )
