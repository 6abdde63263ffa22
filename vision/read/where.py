"""Where to look: what is known of the tray beforehand, and the faces that somebody proposes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot

import cv2
import numpy as np

from companion.events import Point
from vision.picture import LONGEST, Image, bounded, halved
from vision.read import bodies, paint
from vision.read.find import BEST, Box, Found, distinct, find, find_in, overlap
from vision.read.judged import BLUE, FAINT

COARSE = 640  # longest side of the first look at a picture of unknown scale
SMALL = 400  # pictures shorter than this are looked at enlarged, too
PLAIN_HEAT = 0.4  # a face that the finder is so much for needs no other to propose it
DIFFERS = 0.6  # share of a light-blue square that differs from the empty tray
ENOUGH = 45.0  # edge at which a die is read as well as in a bigger picture


@dataclass(frozen=True, slots=True, eq=False)
class Hint:
    """What is known of the tray beforehand; every part may be missing. Pixels of the picture."""

    die_px: float | None = None  # edge of a die
    tray: tuple[Point, ...] | None = None  # polygon; dice outside it do not count
    circle: tuple[float, float, float] | None = None  # x, y, radius; likewise
    background: Image | None = None  # the empty tray, same size as the picture
    changed: tuple[Box, ...] | None = None  # look only here
    thorough: bool = False  # look at the whole tray, not only at what differs from the empty one


NO_HINT = Hint()


def changes(image: Image, hint: Hint) -> bodies.Changes | None:
    if hint.background is None or not hint.die_px or hint.die_px < 4:
        return None
    return bodies.changes(image, hint.background, hint.die_px)


def seen(image: Image, hint: Hint, changed: bodies.Changes | None) -> list[Found]:
    """Faces in the part of the picture that the hint leaves."""
    tall, wide = image.shape[:2]
    edge = hint.die_px if hint.die_px and 4 <= hint.die_px <= LONGEST else None
    if changed is not None and edge and not hint.thorough:
        rooms = [_clipped(room, wide, tall) for room in changed.rooms()]
        rooms = [room for room in rooms if min(room[2:]) >= 8 and _touches(room, hint)]
        if sum(w * h for _, _, w, h in rooms) < 0.7 * wide * tall:
            return find_in(image, rooms, edge)
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


def with_blue(
    image: Image, hint: Hint, seen: list[Found], changed: bodies.Changes | None
) -> list[Found]:
    """The same, and light-blue squares of a die's size that the finder hardly noticed.

    Paint alone proves nothing: the finder has a hunch there, or it differs from the empty tray.
    """
    sure = [one for one in seen if one.heat > PLAIN_HEAT]
    edge = hint.die_px or (float(np.median([one.edge for one in sure])) if sure else 0.0)
    if edge < 4:
        return seen
    squares = [
        one
        for one in paint.squares(image, edge)
        if not any(overlap(one, other) for other in sure)
        and (changed.share(one) > DIFFERS if changed else _hinted(one, seen))
    ]
    return seen + squares


def _hinted(one: Found, seen: Sequence[Found]) -> bool:
    """Whether the finder takes this for a light-blue face, too, though a faint one."""
    return any(
        overlap(one, o)
        and o.heat > FAINT
        and o.bodies[BLUE] > 0.5
        and 0.6 < o.edge / one.edge < 1.6
        for o in seen
    )


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


def inside(x: float, y: float, hint: Hint) -> bool:
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


def worked(image: Image, hint: Hint) -> tuple[Image, float]:
    """The picture as it is worked on, and how much it was shrunk."""
    work, shrunk = bounded(image)
    if hint.die_px and hint.die_px * shrunk >= 2 * ENOUGH:
        return halved(work, 2), shrunk / 2
    return work, shrunk


def shrunk_hint(hint: Hint, shrunk: float) -> Hint:
    if hint is NO_HINT or shrunk == 1:
        return hint
    circle = hint.circle
    background = hint.background
    return Hint(
        hint.die_px * shrunk if hint.die_px else None,
        tuple((x * shrunk, y * shrunk) for x, y in hint.tray) if hint.tray else None,
        (circle[0] * shrunk, circle[1] * shrunk, circle[2] * shrunk) if circle else None,
        worked(background, hint)[0] if background is not None else None,
        tuple(
            (int(x * shrunk), int(y * shrunk), int(w * shrunk) + 1, int(h * shrunk) + 1)
            for x, y, w, h in hint.changed
        )
        if hint.changed is not None
        else None,
        hint.thorough,
    )
