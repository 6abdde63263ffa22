"""The words that die, hub and host speak: one file for every end, told in docs/wire.md."""

# In the subset that MicroPython shares with CPython. A message is a tuple: its kind, its fields.
import binascii

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Message = tuple[Any, ...]

PROTOCOL = 1
LONGEST = 200  # bytes of a line; a packet of the radio carries 250

STATES = ("handled", "rolling", "crooked", "rest")

# n is a number, w a word. `hello` and `update` keep their first fields in every protocol to come.
SHAPES = {
    "ask": "n",  # host -> hub: protocol
    "hello": "nwwwn",  # hub -> host: protocol, firmware, hub, boot, how many dice
    "die": "wwnwwnnn",  # name, id, protocol, firmware, state, face, battery, last event number
    "event": "wnnwnn",  # die, number, number before it, state, face, battery
    "ack": "wn",  # die, number: it and all before it have arrived
    "do": "nwwn",  # command number, die, what, argument
    "pair": "nw",  # command number, name for the next die that seeks a hub
    "update": "n",  # command number: stop and let new files in
    "done": "n",  # command number
    "failed": "nw",  # command number, why
    "seek": "wnw",  # die without hub -> any hub: id, protocol, firmware
    "take": "ww",  # hub -> die: the die's name, the hub's id
}


def encode(*message: "Any") -> bytes:
    """The line of a message; ValueError when the message has not the shape of its kind."""
    body = (" ".join([str(part) for part in message])).encode()
    line = b"$" + body + b"*" + _sum(body) + b"\n"
    if decode(line) != message:
        raise ValueError("no such message: " + repr(message))
    return line


def decode(line: bytes) -> "Message | None":
    """The message of one line, None for anything else; never raises."""
    for end in (b"\n", b"\r"):
        if line[-1:] == end:
            line = line[:-1]
    if len(line) < 11 or len(line) >= LONGEST or line[:1] != b"$" or line[-9:-8] != b"*":
        return None
    body = line[1:-9]
    if _sum(body) != line[-8:]:
        return None
    parts = body.split(b" ")
    for part in parts:
        if not _is_word(part):
            return None
    kind = parts[0].decode()
    shape = SHAPES.get(kind)
    if shape is None or len(parts) <= len(shape):
        return None
    if len(parts) > len(shape) + 1 and kind != "hello":  # a later hello may say more
        return None
    message = [kind]  # type: list[Any]
    for i in range(len(shape)):
        part = parts[i + 1]
        if shape[i] == "w":
            message.append(part.decode())
        elif _is_number(part):
            message.append(int(part))
        else:
            return None
    return tuple(message)


class Decoder:
    """Bytes in, messages out, however the stream is cut; counts what it could not read."""

    def __init__(self) -> None:
        self.bad = 0
        self._rest = b""

    def feed(self, data: bytes) -> "list[Message]":
        """The messages that these bytes complete."""
        # Both marks end a line: so a lost end costs its own line only, not the next one too.
        lines = (self._rest + bytes(data)).replace(b"$", b"\n$").split(b"\n")
        self._rest = lines.pop()
        if len(self._rest) > LONGEST:
            self._rest = b""
            self.bad += 1
        messages = []
        for line in lines:
            message = decode(line)
            if message is not None:
                messages.append(message)
            elif line:
                self.bad += 1
        return messages


def _sum(body: bytes) -> bytes:
    return b"%08x" % (binascii.crc32(body) & 0xFFFFFFFF)


def _is_word(part: bytes) -> bool:
    for c in part:
        if not (97 <= c <= 122 or 48 <= c <= 57 or c == 45 or c == 46):  # a-z 0-9 - .
            return False
    return 0 < len(part) <= 24


def _is_number(part: bytes) -> bool:
    return part.isdigit() and len(part) <= 9 and (part[:1] != b"0" or part == b"0")
