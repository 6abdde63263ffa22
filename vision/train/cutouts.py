"""Real dice cut out of photographs, and real grounds without dice: made when they are needed.

Parts for *fitting* come from pictures whose licence permits it; parts for *measuring* from all
others and from those that nothing was learned from, so that no picture serves both.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import Body
from vision.picture import Image, load
from vision.read.find import Found
from vision.read.reader import Hint, Judged, candidates
from vision.train.photos import FREE, learned

Use: TypeAlias = Literal["fitting", "measuring"]
Floats: TypeAlias = NDArray[np.float32]

EDGE = 56.0  # pixels of a die's edge in every part
SIDE = 136  # of a cut-out: the die, its visible sides, and some ground
_WIDEST = 1100  # pixels of a photograph that is searched, dice of EDGE pixels in it
_SKIPPED = {"epanemu", "fudw", "tai"}  # stretched; faces with a logo; dice pushed together
_LEAST_GROUND = 200  # pixels on the shorter side of a piece of ground


@dataclass(frozen=True, eq=False)
class Cut:
    """A die, its upper face upright in the middle of a square of SIDE pixels."""

    image: Floats  # (SIDE, SIDE, 3), 0..255
    cover: Floats  # (SIDE, SIDE), 0..1
    value: int
    body: Body
    source: str
    off: tuple[float, float] = (0.0, 0.0)  # of the face from its body's middle, in edges


@dataclass(eq=False)
class Parts:
    """What trays are composed of."""

    cuts: list[Cut] = field(default_factory=list)
    grounds: list[Image] = field(default_factory=list)

    def of(self, body: Body, value: int = 0) -> list[Cut]:
        """The cut-outs of this body, of any or of one value."""
        return [c for c in self.cuts if c.body == body and value in (0, c.value)]


def use_of(record: dict[str, Any]) -> Use:
    """What a labelled picture serves for."""
    free = str(record["licence"]).startswith(FREE)
    return "fitting" if free and (learned(record) or record["source"] == "kamil") else "measuring"


def parts(folder: Path, use: Use, most: int | None = None) -> Parts:
    """All parts for this use, from at most so many pictures of each source."""
    made, taken = Parts(), dict[str, int]()
    lines = (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines if line.strip()]
    for record in sorted(records, key=lambda one: hashlib.sha1(one["file"].encode()).digest()):
        kinds = {die["colour"] for die in record["dice"]}
        source = record["source"] + (" black" if "black" in kinds else "")
        if use_of(record) != use or record["source"] in _SKIPPED:
            continue
        if most is not None and taken.get(source, 0) >= most:
            continue
        if _add(made, folder, record):
            taken[source] = taken.get(source, 0) + 1
    return made


def _add(made: Parts, folder: Path, record: dict[str, Any]) -> bool:
    """Take the dice and the ground of one picture; False: it has none that fit."""
    image = load(folder / record["file"])
    edge = record["die_px"]
    if not record["dice"]:
        made.grounds += _ground(image, [])
        return True
    if not edge:
        return False
    scale = min(EDGE / edge, _WIDEST / max(image.shape[:2]), 2.0)
    small = np.asarray(
        cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
    )
    seen = sorted(candidates(small, Hint(die_px=edge * scale)), key=lambda one: -one.weight)
    rows = _placed(record["dice"], seen, scale)
    if not rows:
        return False
    for one, colour in rows:
        body = _body(colour)
        if body is not None and record["tier"] == "A":
            cut = cut_out(small, one.found, one.value, body, record["source"])
            made.cuts += [cut] if cut is not None else []
    if not record.get("roi_circle"):  # else dice may lie there that nobody labelled
        made.grounds += _ground(small, [one.found for one in seen if one.chance > 0.2])
    return True


def _placed(
    dice: list[dict[str, Any]], seen: list[Judged], scale: float
) -> list[tuple[Judged, str | None]]:
    """The labelled dice where the eye sees them; none where it and the label differ."""
    if all(die["box"] for die in dice):
        rows = []
        for die in dice:
            x, y, w, h = (n * scale for n in die["box"])
            for one in seen:
                off = max(abs(one.found.x - x - w / 2), abs(one.found.y - y - h / 2))
                if off < 0.2 * w and one.value == die["value"] and one.chance > 0.3:
                    rows.append((one, die["colour"]))
                    break
        return rows
    best = seen[: len(dice)]
    if sorted(one.value for one in best) != sorted(die["value"] for die in dice):
        return []
    colours = {one.value: {d["colour"] for d in dice if d["value"] == one.value} for one in best}
    # where two dice of one value differ in colour, which is which is not known
    only = {v: next(iter(some)) if len(some) == 1 else None for v, some in colours.items()}
    return [(one, only[one.value]) for one in best]


def _body(colour: str | None) -> Body | None:
    if colour is None or colour in ("yellow", "orange"):  # ivory is often labelled so
        return None
    return colour if colour in ("black", "white") else "other"  # type: ignore[return-value]


def cut_out(image: Image, one: Found, value: int, body: Body, source: str) -> Cut | None:
    """The die without its ground; None where its outline is not plain."""
    scale = EDGE / one.edge
    c, s = np.cos(-one.turn) * scale, np.sin(-one.turn) * scale
    half = SIDE / 2
    move = np.array([[c, -s, half - c * one.x + s * one.y], [s, c, half - s * one.x - c * one.y]])
    tall, wide = image.shape[:2]
    reach = one.edge * 0.9
    if not (reach < one.x < wide - reach and reach < one.y < tall - reach):
        return None
    upright = cv2.warpAffine(image, move, (SIDE, SIDE), flags=cv2.INTER_LINEAR,
                             borderMode=cv2.BORDER_REFLECT_101)  # fmt: skip
    mask = _outlined(np.asarray(upright, np.uint8))
    if mask is None or (body == "black" and _glares(np.asarray(upright, np.uint8))):
        return None
    soft = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 0.8)
    shape = cv2.moments(mask, binaryImage=True)
    # a visible side moves the middle of the outline by half of what the face lies off
    off = [2 * (half - shape[axis] / shape["m00"]) / EDGE for axis in ("m10", "m01")]
    image = upright.astype(np.float32)
    return Cut(image, np.asarray(soft, np.float32), value, body, source, (off[0], off[1]))


def _glares(upright: Image) -> bool:
    """Whether a lamp's reflection lies over a dark face, so that people hesitate, too."""
    low, high = int(SIDE / 2 - 0.42 * EDGE), int(SIDE / 2 + 0.42 * EDGE)
    grey = cv2.cvtColor(upright[low:high, low:high], cv2.COLOR_BGR2GRAY)
    dark, light = np.percentile(grey, [10, 98])
    return bool(
        ((grey > dark + 0.2 * (light - dark)) & (grey < dark + 0.7 * (light - dark))).mean() > 0.26
    )


def _outlined(upright: Image) -> NDArray[np.uint8] | None:
    """Where the die is: what belongs to its middle rather than to the ground around."""
    mask = np.full((SIDE, SIDE), cv2.GC_BGD, np.uint8)
    middle = (SIDE // 2, SIDE // 2)
    cv2.circle(mask, middle, int(0.98 * EDGE), cv2.GC_PR_BGD, -1)
    low, high = (int(SIDE / 2 + sign * 0.52 * EDGE) for sign in (-1, 1))
    mask[low:high, low:high] = cv2.GC_PR_FGD
    low, high = (int(SIDE / 2 + sign * 0.38 * EDGE) for sign in (-1, 1))
    mask[low:high, low:high] = cv2.GC_FGD
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.setRNGSeed(1)
    cv2.grabCut(upright, mask, None, *models, 3, cv2.GC_INIT_WITH_MASK)
    inside = np.asarray((mask == cv2.GC_FGD) | (mask == cv2.GC_PR_FGD), np.uint8)
    inside = np.asarray(cv2.morphologyEx(inside, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)))
    shapes, _ = cv2.findContours(inside, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not shapes:
        return None
    shape = max(shapes, key=cv2.contourArea)
    hull = cv2.convexHull(shape)
    area, full = cv2.contourArea(shape), cv2.contourArea(hull)
    _, _, w, h = cv2.boundingRect(hull)
    wide, tall = cv2.minAreaRect(hull)[1]
    plain = area > 0.94 * full > 0.82 * wide * tall and 0.85 < area / EDGE**2 < 1.6
    if not plain or min(w, h) < 0.9 * EDGE or max(w, h) > 1.6 * EDGE:
        return None
    return np.asarray(cv2.fillConvexPoly(np.zeros_like(inside), hull, 1), np.uint8)


def _ground(image: Image, dice: list[Found]) -> list[Image]:
    """The biggest piece of a picture in which no die lies."""
    tall, wide = image.shape[:2]
    free = np.ones((tall, wide), np.uint8)
    for die in dice:
        cv2.circle(free, (round(die.x), round(die.y)), round(1.5 * die.edge), 0, -1)
    best: tuple[int, int, int, int] = (0, 0, 0, 0)
    step = 16
    rows = free[: tall // step * step, : wide // step * step]
    cells = rows.reshape(tall // step, step, -1, step).min((1, 3))
    for top in range(len(cells)):
        columns = np.ones(cells.shape[1], bool)
        for bottom in range(top, len(cells)):
            columns &= cells[bottom] > 0
            run = start = 0
            for k, open_ in enumerate([*columns.tolist(), False]):
                run = run + 1 if open_ else 0
                start = k + 1 - run
                height = bottom + 1 - top
                if min(run, height) > min(best[2:]):
                    best = (start, top, run, height)
    x, y, w, h = (n * step for n in best)
    if min(w, h) < _LEAST_GROUND:
        return []
    return [image[y : y + h, x : x + w].copy()]


def blanked(cut: Cut) -> Cut:
    """The same body without pips."""
    look = np.clip(cut.image, 0, 255).astype(np.uint8)
    grey = cv2.cvtColor(look, cv2.COLOR_BGR2GRAY).astype(np.float32)
    low, high = int(SIDE / 2 - 0.46 * EDGE), int(SIDE / 2 + 0.46 * EDGE)
    face = np.s_[low:high, low:high]
    body = float(np.median(grey[face]))
    spots = np.zeros((SIDE, SIDE), np.uint8)
    spots[face] = np.abs(grey[face] - body) > 0.16 * max(body, 60.0)
    spots = np.asarray(cv2.dilate(spots, np.ones((5, 5), np.uint8)))
    clean = cv2.inpaint(look, spots, 5, cv2.INPAINT_TELEA).astype(np.float32)
    return replace(cut, image=np.asarray(clean, np.float32), value=0)
