"""What lies in the picture: the one door into the eye. An array goes in, a reading comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import cos, hypot, pi, sin, sqrt

import cv2
import numpy as np

from companion.events import Body, Point, SeenDie
from vision.picture import LONGEST, Image, bounded, halved
from vision.read import bodies, confidence, paint, pips
from vision.read.face import judge, patch
from vision.read.find import BEST, Box, Floats, Found, distinct, find, find_in, overlap
from vision.read.flaws import flaws

__all__ = ["NO_HINT", "Box", "Hint", "Image", "Reading", "candidates", "examine", "read"]

BODIES: tuple[Body, ...] = ("black", "white", "blue", "other")
BLUE = 2
COARSE = 640  # longest side of the first look at a picture of unknown scale
SMALL = 400  # pictures shorter than this are looked at enlarged, too
KEPT = 0.5  # a face is a die from this chance on
HUNCH = 0.45  # and a doubt from this
FAINT = 0.35  # where nothing is read, from this already
FINDER_VOICE, PIPS_VOICE, PAINT_VOICE = 0.5, 3.0, 2.0  # beside the face reader, whose voice is 1
GLINT_VOICE = 4.0  # against a middle pip that is a lamp's reflection
ODD = (0.55, 1.8)  # edges this far from that of the surest die need to be very sure themselves
PART = (1.15, 2.6, 8.0)  # how much bigger a face is than some of its pips; than one; at most
FAR = 1.6  # a clear face is part of one so much bigger only if that one's pips are counted, too
PLAIN_HEAT = 0.4  # a face that the finder is so much for needs no other to propose it
PLAIN = 0.7  # a die that the finder is this sure of is never a pip of a bigger one
OTHER_SIZES = (0.8, 0.9, 1.12, 1.25)  # in which an unclear face is looked at again
PRINT = 0.33  # paint is measured where the finder is so much for a blue face without pips
SETTLED = 0.975  # chance of being right from which the face reader need not be asked
UNCOUNTED = pips.Pips()
ENOUGH = 45.0  # edge at which a die is read as well as in a bigger picture
CROWD = 60  # more faces than this are not looked at closely


@dataclass(frozen=True, slots=True, eq=False)
class Hint:
    """What is known of the tray beforehand; every part may be missing. Pixels of the picture."""

    die_px: float | None = None  # edge of a die
    tray: tuple[Point, ...] | None = None  # polygon; dice outside it do not count
    circle: tuple[float, float, float] | None = None  # x, y, radius; likewise
    background: Image | None = None  # the empty tray, same size as the picture
    changed: tuple[Box, ...] | None = None  # look only here
    thorough: bool = False  # look at the whole tray, not only at what differs from the empty one


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


NO_HINT = Hint()


@dataclass(frozen=True, eq=False)
class Judged:
    """A face with everything that was found out about it."""

    found: Found
    face: Floats  # chances of 0..6 by the face reader
    body: Floats
    pips: pips.Pips
    look: Image  # the upright face
    blue: float = 0.0  # how well it is a light-blue square, measured plainly

    @cached_property
    def settled(self) -> bool:
        """Whether finder and plain count agree so well that nobody else need be asked."""
        agreed = 0 < self.pips.value == int(np.argmax(self.found.values))
        if not agreed or float(self.found.bodies.max()) < 0.8:
            return False
        return confidence.sure(self.signs(self.found.edge), confidence.weights()) > SETTLED

    @cached_property
    def worth(self) -> Floats:
        """Chances of 0..6, both networks and the plain count heard."""
        told = np.log(self.face + 1e-4) + FINDER_VOICE * np.log(self.found.values + 1e-3)
        print_like = self.pips.value <= 2 and int(np.argmax(self.hue)) == BLUE
        if self.pips.value and not print_like:
            told[self.pips.value] += PIPS_VOICE * self.pips.clear
            if self.pips.glint and self.pips.value % 2 == 0 and self.pips.value < 6:
                told[self.pips.value + 1] -= GLINT_VOICE  # networks count it
        told[0] += PAINT_VOICE * self.blue
        both = np.exp(told - told.max())
        return np.asarray(both / both.sum(), np.float32)

    @cached_property
    def hue(self) -> Floats:
        """Chances of the four body colours, both networks and the plain measure heard."""
        told = self.body + self.found.bodies
        told[BLUE] += PAINT_VOICE * self.blue
        return np.asarray(told / told.sum(), np.float32)

    @cached_property
    def light(self) -> bool | None:
        """Whether the pips are light, where the body's colour tells."""
        return {0: True, 1: False}.get(int(np.argmax(self.hue)))

    @cached_property
    def printed(self) -> bool:
        """Whether this is a character die: light blue, with print instead of pips."""
        return bool(np.argmax(self.hue) == BLUE and self.worth[0] > 0.5)

    @cached_property
    def value(self) -> int:
        """The likeliest value; 0 for print."""
        return 0 if self.printed else int(np.argmax(self.worth[1:])) + 1

    @cached_property
    def chance(self) -> float:
        """The chance that this is a face of a die at all."""
        heat = max(self.found.heat, min(2 * self.found.heat, self.blue * self.face[0]))
        return float(np.sqrt(heat * self._faced))

    @cached_property
    def _faced(self) -> float:
        """The chance that pips or print are here, where something is."""
        printed = max(self.body[BLUE] * self.found.bodies[BLUE], self.blue)
        return float(1 - self.face[0] * (1 - printed))

    @cached_property
    def weight(self) -> float:
        """How much this is a die, of that value, and just here: paint tells no place."""
        worth = self.worth[self.value] * (self.hue[BLUE] if self.printed else 1)
        return float(np.sqrt(self.found.heat * self._faced) * worth)

    @cached_property
    def harmony(self) -> float:
        """How well face reader and plain count agree."""
        agreed = self.pips.clear if self.pips.value == self.value else -self.pips.clear
        return float(self.face[self.value]) + 0.5 * agreed

    @cached_property
    def clear(self) -> bool:
        """Whether all three say the same, without hesitation."""
        if self.printed and self.blue > 0.5:
            return True
        agreed = self.pips.value == self.value == int(np.argmax(self.found.values))
        return agreed and self.pips.clear > 0.5 and float(self.face[self.value]) > 0.8

    def signs(self, middle: float) -> Floats:
        """The signs of confidence; `middle` is the edge of its fellows."""
        f = self.found
        seen = pips.Pips(0, self.blue) if self.printed else self.pips  # print has none to count
        return confidence.signs(self.value, f.heat, self.face, f.values, seen, f.edge / middle)


def read(image: Image, hint: Hint = NO_HINT) -> Reading:
    """The dice in `image` (BGR, BGRA or grey, any depth)."""
    return examine(image, hint)[0]


def examine(image: Image, hint: Hint = NO_HINT) -> tuple[Reading, list[Floats]]:
    """The reading, and for each of its dice the signs that its confidence rests on."""
    work, shrunk = _worked(image, hint)
    if min(work.shape[:2]) < 8:
        return Reading(doubts=("picture too small",)), []
    fitting = _shrunk_hint(hint, shrunk)
    changed = _changes(work, fitting)
    judged = candidates(work, fitting, changed)
    kept = fellows([one for one in judged if one.chance >= KEPT])
    dice, signs = _dice(work, kept)
    found = [one.found for one in kept]
    left = bodies.unread(work, found) if changed is None else changed.unread(found)
    left = tuple(spot for spot in left if _inside(*spot, fitting))
    doubts = _doubts(dice, _hunches(judged, kept), len(left))
    reading = Reading(tuple(_at_full_size(die, shrunk) for die in dice), not doubts, doubts)
    return reading, signs


def candidates(image: Image, hint: Hint, changed: bodies.Changes | None = None) -> list[Judged]:
    """Every face that might be one, in a picture of bounded size."""
    seen = _seen(image, hint, changed)
    if changed is None or paint.tinted(changed.colours, changed.edge):
        seen = _with_blue(image, hint, seen)
    seen = [one for one in seen if _inside(one.x, one.y, hint)][:CROWD]
    first = [Judged(one, one.values, one.bodies, UNCOUNTED, _upright(image, one)) for one in seen]
    if changed is not None:  # a faint face that is none leaves a body unread, if there is one
        first = _counted([one for one in first if one.chance >= HUNCH or one.hue[BLUE] > 0.1])
    judged = [one for one in first if one.settled]
    judged = resolved(judged + _heard(image, [one for one in first if not one.settled]))
    unclear = [one for one in judged if one.chance >= KEPT and not (one.clear or one.settled)]
    if unclear:
        sizes = [_resized(image, one, part) for one in unclear for part in OTHER_SIZES]
        others = _heard(image, sizes)
        judged = resolved([_best(one, others) for one in judged])
    return judged


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
    return [replace(one, pips=next(told)) if one.pips is UNCOUNTED else one for one in some]


def _resized(image: Image, one: Judged, part: float) -> Judged:
    found = replace(one.found, edge=one.found.edge * part)
    return replace(one, found=found, look=_upright(image, found), pips=UNCOUNTED)


def _best(one: Judged, others: Sequence[Judged]) -> Judged:
    """The same die in the size in which it reads best."""
    same = [o for o in others if (o.found.x, o.found.y) == (one.found.x, one.found.y)]
    best = max([one, *same], key=lambda o: o.harmony)
    more = [o for o in same if o.pips.value == o.value and _part_of(best, o)]
    return max(more, key=lambda o: o.harmony, default=best)


def resolved(judged: Sequence[Judged]) -> list[Judged]:
    """One answer for each die."""
    faces = [one for one in judged if not any(_lies_in(other, one) for other in judged)]
    whole = [one for one in faces if not any(_part_of(one, other) for other in faces)]
    kept: list[Judged] = []
    for one in sorted(whole, key=lambda o: -o.weight):
        if not any(overlap(one.found, other.found) for other in kept):
            kept.append(one)
    return kept


def _lies_in(one: Judged, other: Judged) -> bool:
    """Whether this is a die of several that lie like the pips of the other, which is none then."""
    grown = other.found.edge / one.found.edge
    several = one.value != 1 and one.weight > other.weight  # no pip shows so many
    return several and grown > PART[1] and overlap(one.found, other.found)


def _part_of(one: Judged, other: Judged) -> bool:
    """Whether this is only some pips of the other face: four of a six look like a four."""
    grown = other.found.edge / one.found.edge
    fits = PART[0] < grown < PART[2] and other.value > one.value and not one.printed
    if grown > PART[1]:  # one glinting pip; but dice may lie like pips, too
        fits = fits and one.value == 1 and one.found.heat < PLAIN
    elif grown > FAR and one.clear:  # as big as two dice: only where its own pips are counted
        fits = fits and other.pips.value == other.value
    return fits and other.weight > 0.62 * one.weight and overlap(one.found, other.found)


def fellows(kept: Sequence[Judged]) -> list[Judged]:
    """Those that are about as big as the surest: carpets and print show dice of other sizes."""
    low, high = _sizes(kept)
    return [one for one in kept if low < one.found.edge < high or one.weight > 0.95]


def _sizes(kept: Sequence[Judged]) -> tuple[float, float]:
    """Between which edges the fellows of the surest die lie; without any die, everything."""
    surest = max(kept, key=lambda one: one.weight, default=None)
    if surest is None:
        return 0.0, float("inf")
    return surest.found.edge * ODD[0], surest.found.edge * ODD[1]


def _hunches(judged: Sequence[Judged], kept: Sequence[Judged]) -> int:
    """How many more might be dice: of the fellows' size, but not likely enough to be read."""
    low, high = _sizes(kept)
    limit = HUNCH if kept else FAINT
    others = [one for one in judged if one not in kept and low < one.found.edge < high]
    return sum(one.chance >= limit for one in others)


def _upright(image: Image, one: Found) -> Image:
    return patch(image, one, 0.0, pips.SIDE, pips.REACH)


def _changes(image: Image, hint: Hint) -> bodies.Changes | None:
    if hint.background is None or not hint.die_px or hint.die_px < 4:
        return None
    return bodies.changes(image, hint.background, hint.die_px)


def _seen(image: Image, hint: Hint, changed: bodies.Changes | None) -> list[Found]:
    """Faces in the part of the picture that the hint leaves."""
    tall, wide = image.shape[:2]
    edge = hint.die_px if hint.die_px and 4 <= hint.die_px <= LONGEST else None
    if changed is not None and edge and not hint.thorough:
        rooms = [_clipped(room, wide, tall) for room in changed.rooms()]
        rooms = [room for room in rooms if min(room[2:]) >= 8 and _touches(room, hint)]
        if sum(w * h for _, _, w, h in rooms) < 0.7 * wide * tall:
            return [one for one in find_in(image, rooms, edge) if changed.share(one) > 0]
    if hint.changed is not None:
        boxes = [_clipped(_widened(box, (edge or 40) * 0.1), wide, tall) for box in hint.changed]
        boxes = [box for box in boxes if min(box[2:]) >= 8]
        if edge and sum(w * h for _, _, w, h in boxes) < 0.7 * wide * tall:
            return find_in(image, boxes, edge)
    elif hint.circle is not None:
        x, y, r = hint.circle
        boxes = [_clipped((int(x - r), int(y - r), int(2 * r), int(2 * r)), wide, tall)]
    elif hint.tray:
        x0, y0, w, h = cv2.boundingRect(np.array(hint.tray, np.float32))
        boxes = [_clipped((x0, y0, w, h), wide, tall)]
    else:
        boxes = [(0, 0, wide, tall)]
    found: list[Found] = []
    for left, top, w, h in boxes:
        if min(w, h) >= 8:
            here = _search(image[top : top + h, left : left + w], edge)
            found += [replace(one, x=one.x + left, y=one.y + top) for one in here]
    return distinct(found)


def _search(part: Image, edge: float | None) -> list[Found]:
    if edge:
        return find(part, [BEST / edge])
    longest = max(part.shape[:2])
    top = min(1.0, COARSE / longest) if longest >= SMALL else 2.0
    scales = [top / 2**k for k in range(5) if k == 0 or longest * top / 2**k > 40]
    found = find(part, scales)
    sizes = [one.edge * top for one in found if one.heat > 0.2]
    if top < 1 and (not sizes or min(sizes) < 21):  # perhaps dice too small for the first look
        found = distinct(found + find(part, [min(1.0, top * 2)]))
    return found


def _with_blue(image: Image, hint: Hint, seen: list[Found]) -> list[Found]:
    """The same, and light-blue squares of a die's size that the finder overlooked."""
    sure = [one for one in seen if one.heat > PLAIN_HEAT]
    edge = hint.die_px or (float(np.median([one.edge for one in sure])) if sure else 0.0)
    if edge < 4:
        return seen
    squares = paint.squares(image, edge)
    return seen + [one for one in squares if not any(overlap(one, other) for other in sure)]


def _touches(box: Box, hint: Hint) -> bool:
    """Whether a box lies, at least in part, where dice are looked for."""
    x, y, w, h = box
    near = hint.changed
    return near is None or any(
        x < a + c and a < x + w and y < b + d and b < y + h for a, b, c, d in near
    )


def _clipped(box: Box, wide: int, tall: int) -> Box:
    x, y, w, h = box
    x0, y0, x1, y1 = max(0, x), max(0, y), min(wide, x + w), min(tall, y + h)
    return x0, y0, max(0, x1 - x0), max(0, y1 - y0)


def _widened(box: Box, by: float) -> Box:
    x, y, w, h = box
    return int(x - by), int(y - by), int(w + 2 * by), int(h + 2 * by)


def _inside(x: float, y: float, hint: Hint) -> bool:
    """Whether a point counts: in the tray, and where something changed."""
    if hint.circle is not None:
        left, top, radius = hint.circle
        if hypot(x - left, y - top) > radius:
            return False
    if hint.changed is not None and not any(
        a <= x < a + w and b <= y < b + h for a, b, w, h in hint.changed
    ):
        return False
    if hint.tray:
        outline = np.array(hint.tray, np.float32)
        return bool(cv2.pointPolygonTest(outline, (x, y), False) >= 0)
    return True


def _dice(image: Image, kept: Sequence[Judged]) -> tuple[list[SeenDie], list[Floats]]:
    """The dice as one reads, and the signs that their confidence rests on."""
    found = [one.found for one in kept]
    middle = _middle(kept)
    given = confidence.weights()
    dice: list[SeenDie] = []
    told: list[Floats] = []
    for one in _in_order(kept):
        f = one.found
        told.append(one.signs(middle))
        second = next(int(v) for v in np.argsort(-one.worth) if v not in (0, one.value))
        body = BODIES[int(np.argmax(one.hue))]
        wrong = flaws(f, one.look, body, found, image.shape[:2])
        if one.worth[0] > 0.5 and not one.printed:
            wrong = (*wrong, "cocked")
        dice.append(
            SeenDie(
                value=one.value,
                body=body,
                sure=round(confidence.sure(told[-1], given), 4),
                centre=(f.x, f.y),
                size=f.edge,
                outline=_square(f),
                second=second if one.worth[second] > 0.01 else 0,
                wrong=wrong,
            )
        )
    return dice, told


def _middle(kept: Sequence[Judged]) -> float:
    return float(np.median([one.found.edge for one in kept])) if kept else 1.0


def _in_order(kept: Sequence[Judged]) -> list[Judged]:
    """As one reads: row by row, a die's edge to a row."""
    row = max(1.0, _middle(kept))
    return sorted(kept, key=lambda one: (one.found.y // row, one.found.x))


def _doubts(dice: Sequence[SeenDie], hunches: int, left: int) -> tuple[str, ...]:
    """Why the reading cannot be accepted without asking; none: it can."""
    doubts = []
    limit = confidence.weights().accept
    if any(die.sure < limit for die in dice):
        doubts.append("unsure value")
    if any("cocked" in die.wrong or "stacked" in die.wrong for die in dice):
        doubts.append("die not flat")
    if hunches:
        doubts.append("perhaps another die")
    if left:
        doubts.append("a body without a face")
    return tuple(doubts)


def _square(f: Found) -> tuple[Point, ...]:
    # from the middle to a corner, and the same turned by a quarter again and again
    along, across = (f.edge / sqrt(2) * way(f.turn + pi / 4) for way in (cos, sin))
    corners = ((along, across), (-across, along), (-along, -across), (across, -along))
    return tuple((f.x + x, f.y + y) for x, y in corners)


def _worked(image: Image, hint: Hint) -> tuple[Image, float]:
    """The picture as it is worked on, and how much it was shrunk."""
    work, shrunk = bounded(image)
    if hint.die_px and hint.die_px * shrunk >= 2 * ENOUGH:
        return halved(work, 2), shrunk / 2
    return work, shrunk


def _shrunk_hint(hint: Hint, shrunk: float) -> Hint:
    if hint is NO_HINT or shrunk == 1:
        return hint
    circle = hint.circle
    background = hint.background
    return Hint(
        hint.die_px * shrunk if hint.die_px else None,
        tuple((x * shrunk, y * shrunk) for x, y in hint.tray) if hint.tray else None,
        (circle[0] * shrunk, circle[1] * shrunk, circle[2] * shrunk) if circle else None,
        _worked(background, hint)[0] if background is not None else None,
        tuple(
            (int(x * shrunk), int(y * shrunk), int(w * shrunk) + 1, int(h * shrunk) + 1)
            for x, y, w, h in hint.changed
        )
        if hint.changed is not None
        else None,
        hint.thorough,
    )


def _at_full_size(die: SeenDie, shrunk: float) -> SeenDie:
    if shrunk == 1:
        return die
    return replace(
        die,
        centre=(die.centre[0] / shrunk, die.centre[1] / shrunk),
        size=die.size / shrunk,
        outline=tuple((x / shrunk, y / shrunk) for x, y in die.outline),
    )
