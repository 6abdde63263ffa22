"""The diagram of sureness: how often dice were right that the eye was so sure of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import sqrt

import cv2
import numpy as np

from vision.picture import Image

BINS = (0.0, 0.5, 0.8, 0.9, 0.96, 0.98, 0.99, 1.001)
INKS = ((180, 110, 20), (40, 90, 220))
HIGH, WIDE, LEFT, TOP = 400, 640, 70, 40
_FONT = cv2.FONT_HERSHEY_SIMPLEX

Dice = Sequence[tuple[float, bool]]
"""For each die how sure the eye was of it, and whether it was right."""


def interval(right: int, whole: int, z: float = 1.96) -> tuple[float, float]:
    """Between which shares the true one lies, 19 times in 20 (Wilson)."""
    share, part = right / whole, z * z / whole
    middle, half = share + part / 2, z * sqrt(share * (1 - share) / whole + part / whole / 4)
    return (middle - half) / (1 + part), (middle + half) / (1 + part)


def bins(dice: Dice) -> list[tuple[int, int, float] | None]:
    """For each bin the dice, the right ones, and how sure the eye said they were together."""
    found: list[tuple[int, int, float] | None] = []
    for low, high in pairwise(BINS):
        here = [(sure, right) for sure, right in dice if low <= sure < high]
        told = sum(sure for sure, _ in here) / max(1, len(here))
        found.append((len(here), sum(right for _, right in here), told) if here else None)
    return found


def diagram(kinds: Mapping[str, Dice]) -> Image:
    """For each bin a line where the eye's own sureness lies, and a mark for what was right."""
    sheet = np.full((HIGH + TOP + 70, WIDE + LEFT + 20, 3), 255, np.uint8)
    step = WIDE / (len(BINS) - 1)

    def level(share: float) -> int:
        return TOP + round(HIGH * (1 - share))

    def write(text: str, x: float, y: float, ink: tuple[int, ...] = (60, 60, 60)) -> None:
        cv2.putText(sheet, text, (round(x), round(y)), _FONT, 0.42, ink, 1, cv2.LINE_AA)

    for tenth in range(0, 11, 2):
        cv2.line(sheet, (LEFT, level(tenth / 10)), (LEFT + WIDE, level(tenth / 10)), (225,) * 3)
        write(f"{10 * tenth} %", 20, level(tenth / 10) + 4)
    for k, (low, high) in enumerate(pairwise(BINS)):
        write(f"{low:g} to {min(high, 1):g}", LEFT + k * step + 4, TOP + HIGH + 20)
    for n, (name, dice) in enumerate(kinds.items()):
        ink = INKS[n % len(INKS)]
        write(f"{name}: {len(dice)} dice", LEFT + 270 * n, 22, ink)
        for k, one in enumerate(bins(dice)):
            if one is None:
                continue
            count, right, told = one
            x = round(LEFT + (k + (n + 1) / (len(kinds) + 1)) * step)
            low, high = interval(right, count)
            cv2.line(sheet, (x - 14, level(told)), (x + 14, level(told)), (150,) * 3, 1)
            cv2.line(sheet, (x, level(low)), (x, level(high)), ink, 2, cv2.LINE_AA)
            cv2.circle(sheet, (x, level(right / count)), 5, ink, -1, cv2.LINE_AA)
            write(str(count), x - 12, TOP + HIGH + 40 + 16 * n, ink)
    return sheet
