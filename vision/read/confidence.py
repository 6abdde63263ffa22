"""How sure is a reading: a few plain signs, weighed by their worth on labelled pictures."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from math import exp, log
from pathlib import Path

import numpy as np

from vision.read.find import Floats
from vision.read.pips import Pips

SIGNS = ("heat", "face", "finder", "pips", "six", "size", "print")


@dataclass(frozen=True, slots=True)
class Weights:
    """Fitted on photographs, checked by train.calibrate, kept in confidence.json."""

    signs: tuple[float, ...]
    base: float
    accept: float  # every die of an accepted reading is at least this sure


@functools.cache
def weights() -> Weights:
    """The fitted weights that ship with the eye."""
    told = json.loads(Path(__file__).with_name("confidence.json").read_text(encoding="utf-8"))
    return Weights(tuple(told["signs"][name] for name in SIGNS), told["base"], told["accept"])


def signs(
    value: int, heat: float, face: Floats, finder: Floats, pips: Pips, size: float, printed: bool
) -> Floats:
    """The signs for one die read as `value`; `size` is its edge over that of its fellows."""
    agreed = pips.clear if pips.value == value else -pips.clear
    return np.array(
        [
            _odds(heat),
            _lead(face, value),
            _lead(finder, value),
            agreed,
            max(0.0, agreed) if value == 6 else 0.0,  # six spots are no part of any more
            abs(log(max(size, 1e-3))),
            float(printed),
        ],
        np.float32,
    )


def sure(signs: Floats, given: Weights) -> float:
    """The chance that the reading of this die is right."""
    z = float(np.dot(signs, given.signs)) + given.base
    return 1 / (1 + exp(-min(20.0, max(-20.0, z))))


def _odds(p: float) -> float:
    p = min(max(p, 1e-4), 1 - 1e-4)
    return log(p / (1 - p))


def _lead(chances: Floats, value: int) -> float:
    """How far the value leads the next likeliest, in log odds."""
    told = chances.tolist()
    own = told.pop(value)
    return min(8.0, max(-8.0, log((own + 1e-5) / (max(told) + 1e-5))))
