"""How a network of ours is loaded: which of OpenCV's engines runs it is a matter of speed."""

from __future__ import annotations

from pathlib import Path

import cv2


def load(name: str) -> cv2.dnn.Net:
    """The network in this file of `vision/`."""
    path = str(Path(__file__).with_name(name))
    # OpenCV 5 has several engines; its classic one, all that there was before, is the fastest
    # for pictures as small as a die, and gives their memory back.
    engine: int | None = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    if engine is None:
        return cv2.dnn.readNetFromONNX(path)
    return cv2.dnn.readNetFromONNX(path, engine=engine)
