"""A frame as the eye takes it in: a little grey picture at once, the whole one when it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import Image
from vision.watch.background import shrunk

Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Straight:
    """How a picture is straightened: where each pixel goes, and the size of the outcome."""

    matrix: Matrix  # 3 by 3, from pixels of the picture to pixels of the straight one
    size: tuple[int, int]  # width, height

    def picture(self, image: Image, step: int = 1) -> Image:
        """The picture as if seen from straight above; `step` of its pixels went into each."""
        width, height = max(1, self.size[0] // step), max(1, self.size[1] // step)
        grown = np.array([[step, 0, (step - 1) / 2], [0, step, (step - 1) / 2], [0, 0, 1]])
        small = np.linalg.inv(grown) @ self.matrix @ grown
        turned = cv2.warpPerspective(image, small, (width, height), flags=cv2.INTER_LINEAR,
                                     borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
        return np.asarray(turned, np.uint8)


class Sight:
    """What Settle looks at. The whole picture is made only if somebody asks for it."""

    def __init__(
        self, small: Image, step: int, shape: tuple[int, ...], whole: Callable[[], Image]
    ) -> None:
        self.small, self.step, self.shape = small, step, shape
        self._make = whole

    @classmethod
    def of(cls, image: Image) -> Sight:
        """Of a whole picture."""
        small, step = shrunk(image)
        return cls(small, step, image.shape, lambda: image)

    @cached_property
    def whole(self) -> Image:
        """The whole picture, 8-bit BGR."""
        return self._make()

    def straightened(self, how: Straight) -> Sight:
        """The same through a calibrated eye."""
        shape = (how.size[1], how.size[0], 3)
        small = how.picture(self.small, self.step)
        return Sight(small, self.step, shape, lambda: how.picture(self.whole))
