"""Does a die lie flat: the sides of flat dice all point to the foot of one camera."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import cv2
import numpy as np

from vision.picture import Image
from vision.read.face import patch
from vision.read.find import Floats, Found
from vision.read.net import load

PATCH, REACH = 48, 2.0  # pixels and edges of a patch: a die with its visible sides
LEANS = 0.19  # edges by which a face lies off its place over a flat body: sine of eleven degrees
SURELY = 3.0  # and so many times as far as the measure and its fellows' are good for
SCATTER = 4.0  # times as far off as the others are: else no one camera saw them all
_RIG = (0.036, 0.012)  # how much more of a side shows from edge to edge: 20 to 40 edges high
_HELD = (0.07, 0.04)  # a phone held over dice: 7 edges and more
_OBLIQUE = 0.2  # and how far it may show in the middle of the picture


@functools.cache
def _net() -> cv2.dnn.Net:
    return load("lean.onnx")


def sides(image: Image, found: Sequence[Found]) -> Floats:
    """For each die how far its face lies off its body (x, y in edges), and how far off that is."""
    if not found:
        return np.zeros((0, 3), np.float32)
    looks = [patch(image, one, 0.0, PATCH, REACH) for one in found]
    net = _net()
    told = []
    for look in looks:  # one by one: another number of looks takes it longer than a look
        net.setInput(cv2.dnn.blobFromImage(look, 1 / 64, mean=(128, 128, 128)))
        told.append(net.forward().reshape(3))
    out = np.array(told, np.float32)
    turns = np.array([one.turn for one in found], np.float32)
    x, y = out[:, 0], out[:, 1]
    across, down = x * np.cos(turns) - y * np.sin(turns), x * np.sin(turns) + y * np.cos(turns)
    return np.stack([across, down, np.exp(out[:, 2].clip(-5, 1))], 1)


def leaning(found: Sequence[Found], told: Floats, size: tuple[int, int], rig: bool) -> set[int]:
    """Which dice lean: those that no camera sees so that sees the others lie flat.

    `told` is what `sides` says of each, `size` the picture's height and width; `rig`: the camera
    hangs over a tray, it is no phone in a hand. The worst is taken out first, so that it does not
    make others look as if they leaned.
    """
    edge = float(np.median([one.edge for one in found])) if found else 1.0
    at = [((f.x - size[1] / 2) / edge, (f.y - size[0] / 2) / edge) for f in found]
    places = np.array(at, np.float32).reshape(-1, 2)
    left, high, out = list(range(len(found))), _RIG if rig else _HELD, set[int]()
    while len(left) > 1:
        off, good = _off(places[left], told[left], high)
        worst = int(np.argmax(off / good))
        rest = left[:worst] + left[worst + 1 :]
        others = float(np.median(_off(places[rest], told[rest], high)[0])) if rest[1:] else 0.0
        if off[worst] < max(LEANS, SURELY * good[worst], SCATTER * others):
            break
        out.add(left[worst])
        left = rest
    return out


def _off(places: Floats, told: Floats, high: tuple[float, float]) -> tuple[Floats, Floats]:
    """How far each die is from lying flat beside the others, in edges, and how good that is.

    A side shows by the camera's tilt and, the higher the camera the less, by the place of its die:
    three numbers, fitted to all dice but the one that is judged.
    """
    (x, y), (across, down, spread) = places.T, told.T
    one, none, worth = np.ones_like(x), np.zeros_like(x), 1 / spread**2
    rows = np.array([[one, none, x], [none, one, y], [x, y, x * x + y * y]]) * worth
    seen = np.array([across, down, across * x + down * y]) * worth
    known = np.diag([_OBLIQUE**-2, _OBLIQUE**-2, high[1] ** -2])
    bend = (known[..., None] + rows.sum(2, keepdims=True) - rows).transpose(2, 0, 1)
    wish = (known @ (0, 0, high[0]))[:, None] + seen.sum(1, keepdims=True) - seen
    back = np.linalg.inv(bend)
    tilt_x, tilt_y, grown = np.einsum("kij,jk->ik", back, wish)
    off = np.hypot(across - tilt_x - grown * x, down - tilt_y - grown * y)
    fitted = (back[:, 0, 0] + back[:, 1, 1] + (x * x + y * y) * back[:, 2, 2]) / 2
    fitted += x * back[:, 0, 2] + y * back[:, 1, 2]
    return np.asarray(off, np.float32), np.asarray(np.sqrt(spread**2 + fitted), np.float32)
