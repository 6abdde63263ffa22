"""Inside the rig: the hub's twin at the far end of the USB cable. Lines of FOLDER/hub are orders.

Run by the companion's own Python: `hub.py DEVICE ORDERS`; what it did goes to standard output.
"""

from __future__ import annotations

import json
import os
import sys
import time
import tty
from contextlib import suppress
from pathlib import Path

from hardware.twins.hub import Hand, dealt


def main(device: str, orders: Path) -> None:
    hand = Hand(seed=int(time.time()))
    box = dealt(hand)
    cable = os.open(device, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    tty.setraw(cable)
    done, start = 0, time.monotonic()
    last = 0
    print("plugged in", flush=True)
    while True:
        now = int((time.monotonic() - start) * 1000)
        with suppress(OSError):
            box.feed(os.read(cable, 4096), now)
        if out := box.step(now, now - last):
            with suppress(OSError):
                os.write(cable, out)
        last = now
        lines = orders.read_text().splitlines() if orders.exists() else []
        for line in lines[done:]:
            how, name = line.split()
            samples, face, _ = hand.throw(name, how)
            box.feel(name, samples)
            print(json.dumps({"die": name, "face": face}), flush=True)
        done = len(lines)
        time.sleep(0.02)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
