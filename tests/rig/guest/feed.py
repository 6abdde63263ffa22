"""Inside the rig: the lens. Gives the pictures of a folder to the camera, twelve a second.

`feed.py DEVICE FOLDER`: FOLDER/now names the scene. A scene is a folder of pictures: those named
`moving…` are given once, those named `rest…` again and again.
"""

from __future__ import annotations

import fcntl
import struct
import sys
import time
from itertools import chain, cycle
from pathlib import Path

VIDIOC_S_FMT = 0xC0D05605
OUTPUT, MJPG, PROGRESSIVE = 2, int.from_bytes(b"MJPG", "little"), 1
WIDE, HIGH, RATE = 640, 480, 12.0


def main(device: Path, folder: Path) -> None:
    with device.open("r+b", buffering=0) as lens:
        wanted = struct.pack("=II6I", OUTPUT, 0, WIDE, HIGH, MJPG, PROGRESSIVE, 0, WIDE * HIGH)
        fcntl.ioctl(lens, VIDIOC_S_FMT, wanted.ljust(208, b"\0"))
        now, due, pictures = "", time.monotonic(), iter(())
        while True:
            scene = (folder / "now").read_text()
            if scene != now:
                now = scene
                files = sorted((folder / scene).iterdir())
                moving = [one.read_bytes() for one in files if one.name.startswith("moving")]
                rest = [one.read_bytes() for one in files if one.name.startswith("rest")]
                pictures = chain(moving, cycle(rest))
            lens.write(next(pictures))
            due = max(due + 1 / RATE, time.monotonic())
            time.sleep(max(0.0, due - time.monotonic()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
