"""What a camera is: frames with their times, and controls that can be held still."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Picture: TypeAlias = NDArray[np.uint8]
Controls: TypeAlias = Mapping[str, float]
"""Whatever a camera would change by itself (exposure, white balance …), by its own names."""


class Shot:
    """One frame. A camera that makes two sizes gives the small grey one at once and the whole
    only when it is asked for, at the latest before the next frame."""

    def __init__(
        self,
        time: float,
        whole: Callable[[], Picture],
        size: tuple[int, int] | None = None,  # width and height of the whole, where it is known
        small: Picture | None = None,
    ) -> None:
        self.time, self.small = time, small
        self._make, self._size = whole, size

    @cached_property
    def whole(self) -> Picture:
        """The picture, 8-bit BGR."""
        return self._make()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the whole picture."""
        return self._size or (self.whole.shape[1], self.whole.shape[0])

    @property
    def glimpse(self) -> Picture:
        """Something of the picture that is cheap to compare."""
        return self.whole[::4, ::4] if self.small is None else self.small


class Camera(Protocol):
    """Gives frames until it is lost."""

    @property
    def identity(self) -> str:
        """The same after a restart, another for another camera; known once it is open."""

    @property
    def live(self) -> bool:
        """Whether this is a real tray now, not a recording: then a still picture is a fault."""

    def frames(self) -> Iterator[Shot]:
        """Open it and give its frames; DeviceLost says what to check."""

    def controls(self) -> Controls:
        """How it takes pictures at this moment; empty: it does not tell."""

    def lock(self, controls: Controls) -> None:
        """Take pictures like this from now on; none: by itself."""

    def hold(self, still: bool) -> None:
        """While `still`, nothing changes by itself: a roll is under way."""


class Recorded:
    """A clip or a folder of pictures in the place of a camera."""

    live = False

    def __init__(self, identity: str, frames: Iterator[tuple[float, Picture]]) -> None:
        self.identity = identity
        self._frames = frames

    def frames(self) -> Iterator[Shot]:
        """What was recorded, once."""
        for now, picture in self._frames:
            yield Shot(now, lambda picture=picture: picture)  # type: ignore[misc]  # mypy: defaults

    def controls(self) -> Controls:
        """It is as it is."""
        return {}

    def lock(self, controls: Controls) -> None:
        """It stays as it is."""

    def hold(self, still: bool) -> None:
        """It stays as it is."""
