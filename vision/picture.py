"""Pictures of every kind made into the one kind that the eye works on, at a bounded size."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import BadState

Image: TypeAlias = NDArray[np.uint8]

LONGEST = 1296
"""Longest side that is ever worked on, that of a Pi camera's half size: no more is needed."""


def bounded(image: NDArray[Any], longest: int = LONGEST) -> tuple[Image, float]:
    """The picture as 8-bit BGR no longer than `longest`, and how much it was shrunk (1: not)."""
    if image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[2] not in (1, 3, 4)):
        raise BadState(f"not a picture: an array of shape {image.shape}")
    if image.dtype.kind not in "uifb":
        raise BadState(f"not a picture: numbers of type {image.dtype}")
    tall, wide = image.shape[:2]
    if tall == 0 or wide == 0:
        return np.zeros((0, 0, 3), np.uint8), 1.0
    scale = min(1.0, longest / max(tall, wide))
    if scale < 1:
        step = int(1 / scale / 2)
        if step > 1:  # a huge picture is thinned first, so that memory stays small
            image = image[::step, ::step]
        size = (max(1, round(wide * scale)), max(1, round(tall * scale)))
        image = cv2.resize(np.ascontiguousarray(_bytes(image)), size, interpolation=cv2.INTER_AREA)
    return _coloured(_bytes(image)), scale


def thinned(image: Image, step: int) -> Image:
    """The picture with squares of `step` pixels made one; what is left over is lost."""
    whole, size = _in_steps(image, step)
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)


def halved(image: Image, step: int) -> Image:
    """The same many times faster, good to a level or two: halving is fast, other steps are not."""
    small, (wide, tall) = _in_steps(image, step)
    while step > 1:
        half, odd = divmod(step, 2)
        step = 2 if odd else half
        # of an odd step at least the four pixels nearest to each quarter's middle are seen
        how = cv2.INTER_LINEAR if odd else cv2.INTER_AREA
        small = np.asarray(cv2.resize(small, (wide * step, tall * step), interpolation=how))
    return small


def _in_steps(image: Image, step: int) -> tuple[Image, tuple[int, int]]:
    """The part of a picture that divides into whole steps, and how many across and down."""
    size = (max(1, image.shape[1] // step), max(1, image.shape[0] // step))
    return image[: size[1] * step, : size[0] * step], size


def load(path: Path) -> Image:
    """A picture file as BGR; a clear error where it is none."""
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as why:
        raise BadState(f"{path}: {why.strerror or why}") from why
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    except cv2.error as why:
        raise BadState(f"{path} is not a picture") from why
    if image is None:
        raise BadState(f"{path} is not a picture")
    return np.asarray(image, np.uint8)


def _bytes(image: NDArray[Any]) -> Image:
    if image.dtype == np.uint8:
        return np.asarray(image, np.uint8)
    if image.dtype == np.bool_:
        return np.where(image, np.uint8(255), np.uint8(0))
    if image.dtype.kind == "f":
        finite = np.nan_to_num(image.astype(np.float32), posinf=255.0, neginf=0.0)
        top = 255.0 if float(finite.max(initial=0.0)) <= 1.0 else 1.0
        return np.asarray(np.clip(finite * top, 0, 255), np.uint8)
    most = int(image.max())
    if most <= 255:
        return np.asarray(np.clip(image, 0, 255), np.uint8)
    # deeper than a byte: 10-, 12- and 16-bit pictures keep their brightness
    bits = next(b for b in (10, 12, 14, 16, 63) if most < 1 << b)
    return np.asarray(np.clip(image, 0, None) >> (bits - 8), np.uint8)


def _coloured(image: Image) -> Image:
    if image.ndim == 2 or image.shape[2] == 1:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
    if image.shape[2] == 4:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGRA2BGR), np.uint8)
    return np.ascontiguousarray(image)
