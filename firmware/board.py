"""The board under a die or the hub: radio, cable, clock, memory."""

import binascii
import json
import os
import select
import sys
import time

import espnow
import machine
import micropython
import network

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CHANNEL = 1
EVERYBODY = b"\xff" * 6
HANG = 8000  # ms without a sign of the program: the board starts anew
UPDATE = b"update"


class Radio:
    """ESP-NOW: short packets between boards, without a network."""

    def __init__(self) -> None:
        air = network.WLAN(network.WLAN.IF_STA)
        air.active(True)
        air.config(channel=CHANNEL, pm=network.WLAN.PM_NONE)  # with power saving it misses packets
        self.me = binascii.hexlify(air.config("mac")).decode()
        self._air = air
        self._now = espnow.ESPNow()
        self._now.active(True)
        self._peers = []  # type: list[bytes]

    def send(self, to: str, line: bytes) -> None:
        """Send to a board, or to all when `to` is empty; whether it arrives, acks tell."""
        mac = binascii.unhexlify(to) if to else EVERYBODY
        try:
            if mac not in self._peers:
                self._now.add_peer(mac)
                self._peers.append(mac)
            self._now.send(mac, line, False)
        except OSError:  # no room for it now: it will be said again
            pass

    def receive(self) -> "list[tuple[str, bytes]]":
        """What has come in: who sent it, what."""
        heard = []  # type: list[tuple[str, bytes]]
        while True:
            sender, line = self._now.recv(0)
            if sender is None:
                return heard
            heard.append((binascii.hexlify(sender).decode(), bytes(line)))

    def off(self) -> None:
        """Before sleep."""
        self._now.active(False)
        self._air.active(False)


class Cable:
    """The USB port as a stream of bytes: no prompt, and no byte of it stops the program."""

    def __init__(self) -> None:
        micropython.kbd_intr(-1)
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def read(self) -> bytes:
        """What has come, at most 256 bytes."""
        data = b""
        while len(data) < 256 and self._poll.poll(0):
            data += sys.stdin.buffer.read(1)  # more at once would wait for all of it
        return data

    def write(self, data: bytes) -> None:
        """Send."""
        sys.stdout.buffer.write(data)


class Clock:
    """Milliseconds since the start, without the chip's wrap-around."""

    def __init__(self) -> None:
        self._last = time.ticks_ms()
        self._now = 0

    def now(self) -> int:
        """Milliseconds."""
        ticks = time.ticks_ms()
        self._now += time.ticks_diff(ticks, self._last)
        self._last = ticks
        return self._now


class Store:
    """One JSON file that is whole before and after a power cut."""

    def __init__(self, name: str) -> None:
        self._name = name

    def load(self, otherwise: "Any") -> "Any":
        """What was kept, or `otherwise`."""
        try:
            with open(self._name) as file:  # noqa: PTH123  (MicroPython has no pathlib)
                return json.load(file)
        except (OSError, ValueError):
            return otherwise

    def keep(self, what: "Any") -> None:
        """Write it beside the old one, then take its place."""
        with open(self._name + ".new", "w") as file:  # noqa: PTH123  (likewise)
            json.dump(what, file)
        os.rename(self._name + ".new", self._name)  # noqa: PTH104  (likewise)


def update_wanted() -> bool:
    """Was the board started to take new files? Asked once: the next start is a normal one."""
    if machine.RTC().memory() != UPDATE:
        return False
    machine.RTC().memory(b"")
    return True


def start_for_update() -> None:
    """Start anew without the program: only so the watchdog lets go."""
    machine.RTC().memory(UPDATE)
    machine.reset()


def watchdog() -> "Any":
    """Must be fed every few seconds from now on, or the board starts anew."""
    return machine.WDT(timeout=HANG)


def random_word() -> str:
    """Tells one start from another."""
    return binascii.hexlify(os.urandom(3)).decode()
