"""A stand-in for the eye's program: lives, and fails as it is told; no camera to wait for."""

from __future__ import annotations

import json
import os
import select
import sys

WHY = {
    "freezes": "the camera gives the same picture again and again",
    "black": "the camera sees only black",
    "unplugged": "camera twin stopped giving pictures: check its cable",
}


def main() -> None:
    """Beat until an order makes it ill, or standard input ends."""
    beat, stalled = 0, False
    while True:
        if not stalled:
            beat += 1
            print(json.dumps({"beat": beat, "state": "rest", "ms": 0.1}), flush=True)
        ready, _, _ = select.select([sys.stdin], [], [], 0.05)
        if not ready:
            continue
        heard = os.read(0, 1 << 16)
        if not heard:
            return
        for line in heard.splitlines():
            kind = json.loads(line).get("kind", "")
            stalled = kind == "stalls"
            if kind in WHY:
                print(json.dumps({"error": WHY[kind]}), flush=True)
                return


if __name__ == "__main__":
    main()
