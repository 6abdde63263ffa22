"""A die's mind, without pins: samples and radio lines in, radio lines out; time is handed in."""

from firmware import VERSION
from firmware.feel import NOMINAL, Feel, good_faces
from firmware.outbox import Outbox
from firmware.wire import PROTOCOL, decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ROOM = 48
BEAT = 5000  # ms between signs of life
SEEK = 1000  # ms between calls for a hub
LOST = 12  # tries without an answer: the hub is gone
BLINK = 8000  # ms that the lamp blinks when it is asked who it is
SLEEPY = 20000  # ms without any change: time to sleep; the radio drinks a cell empty in an hour
STUBBORN = 600000  # ms that events without a listener keep it awake
GOODBYES = 3  # times that a die says it goes to sleep: some are lost
SPARE = 1000  # event numbers taken out of memory at once, so that none is ever used twice


def blank() -> "dict[str, Any]":
    """The memory of a die that has never been paired."""
    return {"name": "", "hub": "", "faces": [list(face) for face in NOMINAL], "next": 1}


class Die:
    """`memory` outlives the battery: `keep(memory)` is called whenever it changes."""

    def __init__(self, me: str, memory: "dict[str, Any]", keep: "Any") -> None:
        self.me = me
        self.memory = memory
        self.feel = Feel(memory["faces"])
        self.outbox = Outbox(ROOM)
        self.battery = 100
        self.faulty = self._was_faulty = False  # the sensor does not answer
        self.lamp = False
        self.asleep = False  # the board may sleep now
        self._keep = keep
        self._number = memory["next"]
        self._spare()
        self._new = [None] * 6  # type: list[Any]  # faces of a calibration under way
        self._command = -1
        self._answer = self._say = b""
        self._beat = self._seek = 0
        self._changed = self._blink = self._nap = -1

    def sample(self, x: int, y: int, z: int, now: int) -> None:
        """One reading of the sensor in mg; 400 of them make a second."""
        if self.feel.feed(x, y, z):
            self.note(self.feel.state, self.feel.face, now)

    def note(self, state: str, face: int, now: int) -> None:
        """Something happened to the die: number it and keep it until the host has it."""
        if self._number >= self.memory["next"]:
            self._spare()
        self.outbox.add(self._number, (state, face, self.battery))
        self._number += 1
        self._changed = now

    def hear(self, line: bytes, now: int) -> None:
        """A packet of the radio, whatever is in it."""
        message = decode(line)
        if message is None:
            return
        kind = message[0]
        if kind == "take":
            self.memory["name"], self.memory["hub"] = message[1], message[2]
            self._keep(self.memory)
            self._beat = now
        elif kind == "ack" and message[1] == self.memory["name"]:
            self.outbox.ack(message[2])
        elif kind == "do" and message[1] == self._command:  # a repeat: it is done already
            self._say = self._answer
        elif kind == "do" and message[2] == self.memory["name"]:
            self._command = message[1]
            self._say = self._answer = self._do(message[3], message[4], now)
        self._stay(now)

    def tick(self, now: int) -> "list[tuple[str, bytes]]":
        """What to send now: (to whom, line); to "" means to everybody near."""
        if self._changed < 0:
            self._stay(now)
        out = []
        hub, name = self.memory["hub"], self.memory["name"]
        if self._say:
            out.append((hub, self._say))
            self._say = b""
        if name:
            for number, before, what in self.outbox.due(now):
                out.append((hub, encode("event", name, number, before, *what)))
            if now >= self._beat or self.faulty != self._was_faulty:
                self._beat, self._was_faulty = now + BEAT, self.faulty
                out.append((hub, self.status(self._state())))
        moved = self.feel.state == "handled" or self.feel.state == "rolling"
        if moved and now >= self._seek and (not name or self.outbox.tries > LOST):
            self._seek = now + SEEK
            out.append(("", encode("seek", self.me, PROTOCOL, VERSION)))
        self.lamp = now < self._blink and now // 250 % 2 == 0
        quiet = now - self._changed
        if quiet > STUBBORN or (quiet > SLEEPY and not len(self.outbox)) or 0 <= self._nap < now:
            self.asleep = True
            if name:  # nobody asks for a lost goodbye, and who goes without one counts as gone
                out += [(hub, self.status("asleep"))] * GOODBYES
        return out

    def status(self, state: str) -> bytes:
        """The line that says who and how this die is."""
        face = self.feel.face if state == "rest" else 0
        last = self._number - 1
        name = self.memory["name"]
        return encode("die", name, self.me, PROTOCOL, VERSION, state, face, self.battery, last)

    def _state(self) -> str:
        return "faulty" if self.faulty else self.feel.state

    def _stay(self, now: int) -> None:
        self._changed = now

    def _spare(self) -> None:
        self.memory["next"] = self._number + SPARE
        self._keep(self.memory)

    def _do(self, what: str, argument: int, now: int) -> bytes:
        """Carry out a command; the line that answers it."""
        why = ""
        if what == "identify":
            self._blink = now + BLINK
        elif what == "sleep":
            self._nap = now + 300  # the answer goes first
        elif what == "calibrate":
            why = self._calibrate(argument)
        elif what == "forget":
            self.memory["name"] = ""
            self._keep(self.memory)
        else:
            why = "unknown"
        if why:
            return encode("failed", self._command, why)
        return encode("done", self._command)

    def _calibrate(self, face: int) -> str:
        """Learn how `face` on top feels; 0: check all six and keep them. Says what is wrong."""
        feel = self.feel
        if 1 <= face <= 6:
            if feel.still < 20:
                return "moving"
            self._new[face - 1] = [feel.mean[i] + feel.zero[i] for i in range(3)]
            return ""
        if face or None in self._new:
            return "incomplete"
        if not good_faces(self._new):
            return "no-cube"
        self.memory["faces"], self._new = self._new, [None] * 6
        self._keep(self.memory)
        feel.learn(self.memory["faces"])
        return ""
