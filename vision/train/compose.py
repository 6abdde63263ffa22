"""Trays composed of real dice on real grounds: light, shadows, lens and file are laid over them.

The dice, their wear and the grounds are photographs; what the collection lacks is made of them:
light-blue bodies with print, big red aces, faded pips, sixes with close rows. Things of a table
that are no dice (tokens, coins, dominoes, cubes, cards) are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import cv2
import numpy as np

from companion.events import Body, SeenDie
from vision.picture import Image
from vision.rendered.dieface import sign
from vision.train.cutouts import EDGE, SIDE, Cut, Floats, Parts, blanked

Kind: TypeAlias = Literal[
    "plain", "blue", "touching", "red aces", "faded", "close rows", "other",
    "token", "coin", "domino", "cube", "card", "sun",
]  # fmt: skip
THINGS: tuple[Kind, ...] = ("token", "coin", "domino", "cube", "card")
MIX: tuple[Kind, ...] = ("plain", "plain", "blue", "blue", "touching", "red aces", "faded",
                         "close rows", "plain", "blue")  # fmt: skip
"""What a throw of the table's own dice may be like, in these shares."""

Random: TypeAlias = np.random.Generator


@dataclass(frozen=True, eq=False)
class Piece:
    """Something that lies in the tray: a picture with its cover, and where it goes."""

    image: Floats
    cover: Floats
    reach: float  # half of what it takes, in edges
    off: tuple[float, float] = (0.0, 0.0)  # of a face from its body's middle
    die: tuple[Body, int] | None = None  # None: it is no die
    at: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    edge: float = EDGE


@dataclass(frozen=True, eq=False)
class Composed:
    """A tray before and after a throw, with its truth."""

    kind: Kind
    dice: tuple[SeenDie, ...]
    die_px: float  # as a calibration would measure it
    empty: Callable[[Random], Image]  # frames, each with its own noise
    frame: Callable[[Random], Image]
    things: tuple[tuple[float, float, float], ...] = field(default=())  # x, y, reach in pixels


def compose(seed: int, parts: Parts, kind: Kind | None = None) -> Composed:
    """The tray of this seed, of this kind or of one that a table's own dice show."""
    rng = np.random.default_rng(seed)
    kind = kind or MIX[int(rng.integers(len(MIX)))]
    size = (640, 480)
    edge = float(rng.uniform(40, 60))
    pieces = [
        replace(one, edge=edge * float(rng.uniform(0.96, 1.04)))
        for one in _pieces(rng, parts, kind)
    ]
    laid = _laid(rng, pieces, size, 0.6 if kind == "touching" else 0.0)
    bare = _ground(rng, parts.grounds, size)
    lamp = _Lamp.some(rng, size, kind == "sun")
    under, over = lamp.shown(bare), lamp.shown(_pasted(bare, laid, lamp))
    look = _Finish.some(rng)
    dice = tuple(_seen(one) for one in laid if one.die is not None)
    things = tuple((*one.at, one.reach * one.edge) for one in laid if one.die is None)
    px = edge * float(np.exp(rng.uniform(-0.1, 0.1)))
    return Composed(
        kind, dice, px, lambda r: look.file(under, r), lambda r: look.file(over, r), things
    )


def _seen(one: Piece) -> SeenDie:
    assert one.die is not None
    return SeenDie(one.die[1], one.die[0], 1.0, one.at, one.edge)


# -- what lies there ----------------------------------------------------------------------------


def _pieces(rng: Random, parts: Parts, kind: Kind) -> list[Piece]:
    """The dice of one throw, and things beside them; dice of one body are of one set."""
    counts: dict[Body, int] = {"white": int(rng.integers(1, 5)), "black": int(rng.integers(0, 5))}
    if kind == "other":
        counts["other"] = 1
    made = []
    for body, count in counts.items():
        sources = sorted({cut.source for cut in parts.of(body)})
        source = sources[int(rng.integers(len(sources)))]
        tint = _paint(rng, body)
        some = [cut for cut in parts.of(body) if cut.source == source]
        for k in range(count):
            cut = some[int(rng.integers(len(some)))]
            if body == "white":
                cut = _varied(rng, cut, kind, first=k == 0)
            made.append(_piece(_toned(cut, tint)))
    if kind == "blue":
        plain = parts.of("white")
        shade = _paint(rng, "blue")
        ink = 235.0 if rng.random() < 0.5 else 30.0
        for _ in range(int(rng.integers(1, 3))):
            cut = blanked(plain[int(rng.integers(len(plain)))])
            made.append(_piece(_printed(rng, _toned(cut, shade), ink)))
    if kind in THINGS:
        made += [_thing(rng, kind) for _ in range(int(rng.integers(1, 3)))]
    return made


def _piece(cut: Cut) -> Piece:
    return Piece(cut.image, cut.cover, 0.72, cut.off, (cut.body, cut.value))


def _paint(rng: Random, body: Body) -> Floats:
    """How bright each colour of a body is: its tint is the set's, not the photograph's."""
    if body == "white":
        ivory = rng.uniform(0.82, 1.0)
        return np.array([ivory, 0.5 + 0.5 * ivory, 1.0], np.float32) * rng.uniform(165, 245)
    if body == "black":
        return np.array([1.0, 1.0, 1.0], np.float32) * rng.uniform(18, 50)
    level = rng.uniform(175, 235)
    return np.array([1.0, rng.uniform(0.8, 0.88), rng.uniform(0.46, 0.58)], np.float32) * level


def _toned(cut: Cut, paint: Floats) -> Cut:
    """The same die with this paint on its body; shading and wear stay."""
    face = cut.image[int(SIDE / 2 - 0.4 * EDGE) : int(SIDE / 2 + 0.4 * EDGE)]
    face = face[:, int(SIDE / 2 - 0.4 * EDGE) : int(SIDE / 2 + 0.4 * EDGE)].reshape(-1, 3)
    grey = face.mean(1)
    if cut.body == "other":
        return cut
    if cut.body == "black":
        body = np.median(face[grey <= np.percentile(grey, 60)], 0)
        shift = paint - body
        return replace(cut, image=np.clip(cut.image + shift * (1 - cut.image / 255), 0, 255))
    body = np.median(face[grey >= np.percentile(grey, 50)], 0)
    blue = "blue" if paint[2] < 0.65 * paint[0] else cut.body
    return replace(cut, image=np.clip(cut.image / np.maximum(body, 30) * paint, 0, 255), body=blue)


def _varied(rng: Random, cut: Cut, kind: Kind, first: bool) -> Cut:
    """A die as some sets have it; the first one always, so that every tray of a kind shows it."""
    if kind == "red aces" and (first or rng.random() < 0.3):
        return _pipped(rng, cut, 1, float(rng.uniform(0.3, 0.5)), (35.0, 35.0, 190.0))
    if kind == "close rows" and (first or rng.random() < 0.3):
        value = 6 if rng.random() < 0.6 else 2
        return _pipped(rng, cut, value, float(rng.uniform(0.13, 0.18)), (30.0, 30.0, 30.0),
                       narrow=float(rng.uniform(0.5, 0.75)))  # fmt: skip
    if kind == "faded":
        plain = blanked(cut).image
        return replace(cut, image=plain + (cut.image - plain) * float(rng.uniform(0.35, 0.7)))
    return cut


def _pipped(
    rng: Random, cut: Cut, value: int, wide: float, ink: tuple[float, ...], narrow: float = 1.0
) -> Cut:
    """The same body with other pips; `wide` and `narrow` are in edges and parts of the usual."""
    bare = blanked(cut)
    spread = 0.25 * float(rng.uniform(0.95, 1.1))
    near = spread * narrow
    places = {
        1: [(0.0, 0.0)],
        2: [(near, near), (-near, -near)],
        6: [(x, y) for x in (-near, near) for y in (-spread, 0.0, spread)],
    }[value]
    fine = 4
    sheet = np.zeros((SIDE * fine, SIDE * fine), np.uint8)
    for x, y in places:
        at = (round((SIDE / 2 + x * EDGE) * fine), round((SIDE / 2 + y * EDGE) * fine))
        cv2.circle(sheet, at, round(wide / 2 * EDGE * fine), 255, -1)
    cover = cv2.resize(sheet, (SIDE, SIDE), interpolation=cv2.INTER_AREA)[..., None] / 255.0
    level = bare.image.mean(2, keepdims=True) / 230
    ys = np.linspace(0.85, 1.15, SIDE, dtype=np.float32)[:, None, None]  # a dent is shaded
    image = bare.image * (1 - cover) + np.array(ink, np.float32) * level * ys * cover
    return replace(cut, image=np.asarray(image, np.float32), value=value)


def _printed(rng: Random, cut: Cut, ink: float) -> Cut:
    """A character die: a sign where others have pips; it has no value for the eye."""
    flat = sign(int(rng.integers(1, 7)))
    side = round(EDGE * float(rng.uniform(0.6, 0.78)))
    small = cv2.resize(flat, (side, side), interpolation=cv2.INTER_AREA)
    cover = np.zeros((SIDE, SIDE, 1), np.float32)
    low = (SIDE - side) // 2
    cover[low : low + side, low : low + side, 0] = small
    return replace(cut, image=cut.image * (1 - cover) + ink * cover, body="blue", value=0)


def _thing(rng: Random, kind: Kind) -> Piece:
    """Something of a die's size that is none, seen from above."""
    side = SIDE * 2 if kind in ("domino", "card") else SIDE
    fine = 2
    sheet = np.zeros((side * fine, side * fine, 3), np.float32)
    mask = np.zeros((side * fine, side * fine), np.uint8)
    mid, unit = side * fine // 2, EDGE * fine
    pale = bool(rng.random() < 0.55)
    base = rng.uniform(175, 240, 3) if pale else rng.uniform(15, 60, 3)
    if rng.random() < 0.4:
        base = np.array([rng.uniform(40, 220), rng.uniform(40, 220), rng.uniform(40, 220)])
    ink = tuple(float(n) for n in ((20, 20, 20) if base.mean() > 110 else (225, 225, 225)))
    paint = tuple(float(n) for n in base)
    reach = 0.7
    if kind in ("token", "coin"):
        radius = int(unit * rng.uniform(0.42, 0.62))
        cv2.circle(mask, (mid, mid), radius, 255, -1)
        sheet[:] = paint if kind == "token" else rng.uniform(0.8, 1.1) * np.array([120, 160, 180])
        if kind == "token":
            cv2.circle(sheet, (mid, mid), int(unit * rng.uniform(0.08, 0.2)), ink, -1, cv2.LINE_AA)
        else:
            grain = rng.normal(0, 1, (40, 40)).astype(np.float32)
            sheet += cv2.resize(grain, sheet.shape[1::-1])[..., None] * 14
        ring = tuple(0.75 * n for n in paint) if kind == "token" else (90.0, 120.0, 140.0)
        if kind == "coin" or rng.random() < 0.5:
            cv2.circle(sheet, (mid, mid), int(radius * 0.86), ring, fine * 2, cv2.LINE_AA)
    elif kind == "cube":
        half = int(unit * rng.uniform(0.42, 0.55))
        cv2.rectangle(mask, (mid - half, mid - half), (mid + half, mid + half), 255, -1)
        wood = np.array([110, 160, 200]) * rng.uniform(0.6, 1.1)
        sheet[:] = wood if rng.random() < 0.6 else paint
        grain = rng.normal(0, 1, (60, 4)).astype(np.float32)
        sheet += cv2.resize(grain, sheet.shape[1::-1])[..., None] * 9
    elif kind == "domino":
        half, reach = int(unit * rng.uniform(0.45, 0.55)), 1.2
        cv2.rectangle(mask, (mid - half, mid - 2 * half), (mid + half, mid + 2 * half), 255, -1)
        sheet[:] = paint
        cv2.line(sheet, (mid - half, mid), (mid + half, mid), ink, fine * 2)
        for way in (-1, 1):
            for x, y in _pips(int(rng.integers(1, 7))):
                at = (int(mid + x * unit), int(mid + way * half + y * unit))
                cv2.circle(sheet, at, int(0.08 * unit), ink, -1, cv2.LINE_AA)
    else:
        wide, tall, reach = int(unit * 0.85), int(unit * 1.2), 1.5
        cv2.rectangle(mask, (mid - wide, mid - tall), (mid + wide, mid + tall), 255, -1)
        sheet[:] = (240.0, 243.0, 243.0)
        hue = (40.0, 40.0, 200.0) if rng.random() < 0.5 else (25.0, 25.0, 25.0)
        for x, y in _pips(int(rng.integers(1, 7))):
            at = (int(mid + 1.4 * x * unit), int(mid + 2.2 * y * unit))
            cv2.circle(sheet, at, int(0.1 * unit), hue, -1, cv2.LINE_AA)
    image = cv2.resize(sheet, (side, side), interpolation=cv2.INTER_AREA)
    cover = cv2.resize(mask, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    return Piece(np.clip(image, 0, 255), cv2.GaussianBlur(cover, (0, 0), 0.8), reach)


def _pips(value: int) -> list[tuple[float, float]]:
    s = 0.25
    if value == 6:
        return [(x, y) for x in (-s, s) for y in (-s, 0.0, s)]
    corners = [(s, s), (-s, -s), (s, -s), (-s, s)]
    return ([(0.0, 0.0)] if value % 2 else []) + corners[: value - value % 2]


# -- where it lies, and in what light -----------------------------------------------------------


def _laid(
    rng: Random, pieces: Sequence[Piece], size: tuple[int, int], touching: float
) -> list[Piece]:
    """The pieces in the tray as one camera sees them; those that find no room stay away.

    Their photographs show more or less of a side: those that show more lie farther from the middle
    of the tray, and the sides look there.
    """
    laid: list[Piece] = []
    high = float(rng.uniform(28, 40))  # edges from the camera to the dice
    for piece in pieces:
        rim = (piece.reach + 0.1) * piece.edge
        side = float(np.hypot(*piece.off))
        for _ in range(60):
            far = max(0.0, side + float(rng.normal(0, 0.04))) * high * piece.edge
            way = float(rng.uniform(0, 2 * np.pi))
            x, y = size[0] / 2 + far * np.cos(way), size[1] / 2 + far * np.sin(way)
            turn = way - float(np.arctan2(piece.off[1], piece.off[0]))
            if piece.die is None:
                x, y = rng.uniform(rim, size[0] - rim), rng.uniform(rim, size[1] - rim)
            near = 1.02
            if laid and rng.random() < touching:
                other, side = laid[int(rng.integers(len(laid)))], int(rng.integers(4)) * np.pi / 2
                way = other.turn + side
                turn = way + float(rng.normal(0, 0.12))
                far = (other.edge + piece.edge) * 0.5 * float(rng.uniform(1.04, 1.12))
                aside = other.edge * float(rng.uniform(-0.6, 0.6))
                x = other.at[0] + far * np.cos(way) - aside * np.sin(way)
                y = other.at[1] + far * np.sin(way) + aside * np.cos(way)
                near = 0.68
            apart = [(o.reach * o.edge + piece.reach * piece.edge) * near for o in laid]
            free = all(
                np.hypot(x - o.at[0], y - o.at[1]) >= least
                for o, least in zip(laid, apart, strict=True)
            )
            fresh = replace(piece, at=(float(x), float(y)), turn=turn)
            inside = rim < x < size[0] - rim and rim < y < size[1] - rim
            if free and inside and not any(_hides(fresh, other) for other in laid):
                laid.append(fresh)
                break
    return laid


def _hides(upper: Piece, lower: Piece) -> bool:
    """Whether the cover of one, its visible sides included, lies over the face of the other."""
    if np.hypot(upper.at[0] - lower.at[0], upper.at[1] - lower.at[1]) > 2 * EDGE:
        return False
    here = replace(lower, at=(SIDE / 2, SIDE / 2))
    moved = (upper.at[0] - lower.at[0] + SIDE / 2, upper.at[1] - lower.at[1] + SIDE / 2)
    face = np.zeros((SIDE, SIDE), np.float32)
    low, high = int(SIDE / 2 - 0.46 * EDGE), int(SIDE / 2 + 0.46 * EDGE)
    face[low:high, low:high] = 1
    over = _placed(replace(upper, at=moved), upper.cover, SIDE, SIDE)
    return float((over * _placed(here, face, SIDE, SIDE)).sum()) > 0.01 * face.sum()


def _ground(rng: Random, grounds: Sequence[Image], size: tuple[int, int]) -> Floats:
    """A piece of real ground made as big as the tray."""
    some = grounds[int(rng.integers(len(grounds)))]
    scale = float(rng.uniform(0.8, 1.3))
    some = np.asarray(cv2.resize(some, None, fx=scale, fy=scale), np.uint8)
    right, below = max(0, size[0] - some.shape[1]), max(0, size[1] - some.shape[0])
    whole = cv2.copyMakeBorder(some, 0, below, 0, right, cv2.BORDER_REFLECT_101)
    x, y = (
        rng.integers(0, whole.shape[1] - size[0] + 1),
        rng.integers(0, whole.shape[0] - size[1] + 1),
    )
    return whole[y : y + size[1], x : x + size[0]].astype(np.float32)


@dataclass(frozen=True, eq=False)
class _Lamp:
    """What light does to a picture: a field over it, and the shadows' way and depth."""

    field: Floats  # (h, w, 3), how much light falls
    way: tuple[float, float]  # of shadows, in edges
    depth: float
    soft: float

    @classmethod
    def some(cls, rng: Random, size: tuple[int, int], sun: bool) -> _Lamp:
        ys, xs = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
        turn = float(rng.uniform(0, 2 * np.pi))
        along = (xs / size[0] - 0.5) * np.cos(turn) + (ys / size[1] - 0.5) * np.sin(turn)
        plane = 1 + float(rng.uniform(0, 0.5)) * along
        if sun:  # bright light over a part of the tray, with a sharp border
            edge = float(rng.uniform(-0.2, 0.2))
            plane = plane * (1 + float(rng.uniform(0.4, 1.2)) / (1 + np.exp(-(along - edge) * 120)))
            plane /= np.float32(1.3)
        warm = float(rng.uniform(-0.18, 0.22))  # below zero: a cold lamp
        cast = np.array([1 - warm, 1 - 0.3 * abs(warm), 1 + 0.3 * warm], np.float32)
        far, depth = float(rng.uniform(0.08, 0.4)), float(rng.uniform(0.2, 0.65))
        field = plane[..., None] * cast * float(rng.uniform(0.75, 1.15))
        way = (-far * float(np.cos(turn)), -far * float(np.sin(turn)))
        return cls(np.asarray(field, np.float32), way, depth, float(rng.uniform(0.05, 0.2)))

    def shown(self, picture: Floats) -> Floats:
        """The picture in this light; light is linear, pictures are not."""
        bright = (picture / 255) ** 2.2 * self.field
        return np.asarray(255 * np.clip(bright, 0, 1) ** (1 / 2.2), np.float32)


def _pasted(ground: Floats, laid: Sequence[Piece], lamp: _Lamp) -> Floats:
    """The pieces on the ground, each with the shadow that it throws."""
    picture = ground.copy()
    tall, wide = picture.shape[:2]
    covers = [_placed(one, one.cover, wide, tall) for one in laid]
    shade = np.zeros((tall, wide), np.float32)
    for one, cover in zip(laid, covers, strict=True):
        flat = 0.25 if one.die is None and one.reach != 0.7 else 1.0
        move = np.array(
            [[1, 0, lamp.way[0] * one.edge * flat], [0, 1, lamp.way[1] * one.edge * flat]]
        )
        cast = cv2.warpAffine(cover, move, (wide, tall))
        shade = np.maximum(shade, cv2.GaussianBlur(cast, (0, 0), lamp.soft * one.edge))
    picture *= (1 - lamp.depth * shade[..., None]) ** np.float32(1 / 2.2)
    for one, cover in zip(laid, covers, strict=True):
        look = _placed(one, one.image, wide, tall)
        picture = picture * (1 - cover[..., None]) + look * cover[..., None]
    return np.asarray(picture, np.float32)


def _placed(one: Piece, plane: Floats, wide: int, tall: int) -> Floats:
    scale = one.edge / EDGE
    c, s, half = np.cos(one.turn) * scale, np.sin(one.turn) * scale, plane.shape[0] / 2
    x, y = one.at
    move = np.array([[c, -s, x - c * half + s * half], [s, c, y - s * half - c * half]])
    edges = cv2.BORDER_CONSTANT if plane.ndim == 2 else cv2.BORDER_REPLICATE
    return np.asarray(cv2.warpAffine(plane, move, (wide, tall), borderMode=edges), np.float32)


@dataclass(frozen=True, slots=True)
class _Finish:
    """Lens, sensor and file."""

    blur: float
    noise: float
    quality: int

    @classmethod
    def some(cls, rng: Random) -> _Finish:
        return cls(
            float(rng.uniform(0.3, 0.9)), float(rng.uniform(0.5, 4)), int(rng.integers(70, 97))
        )

    def file(self, picture: Floats, rng: Random) -> Image:
        """One frame, as it comes from the camera."""
        soft = cv2.GaussianBlur(picture, (0, 0), self.blur)
        soft = soft + rng.standard_normal(soft.shape, np.float32) * np.float32(self.noise)
        image = np.clip(soft + 0.5, 0, 255).astype(np.uint8)
        _, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
