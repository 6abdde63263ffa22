"""What a die takes along into sleep: the events that nobody has heard yet."""

from firmware.die import Die
from firmware.wire import decode, encode

ROOM = 2048  # bytes of the chip's memory that outlive deep sleep


def notes(die: Die) -> bytes:
    """The events that wait, as lines; the newest, if not all of them fit."""
    lines = b""
    for number, what in reversed(die.outbox.items()):
        line = encode("event", "me", number, 0, *what)
        if len(lines) + len(line) > ROOM:
            break
        lines = line + lines
    return lines


def recall(die: Die, memory: bytes) -> None:
    """Take up the events of before the sleep again."""
    for line in memory.split(b"\n"):
        message = decode(line)
        if message is not None and message[0] == "event":
            die.outbox.add(message[2], message[4:])
