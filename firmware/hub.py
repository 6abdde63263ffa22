"""The hub's mind, without pins: bytes of the cable and packets of the radio in and out."""

from firmware import VERSION
from firmware.outbox import Outbox
from firmware.wire import PROTOCOL, Decoder, decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ROOM = 24  # events kept for each die; what does not fit waits in the die itself
BEAT = 2000  # ms between the hub's own signs of life
RECALL = 10000  # ms between repeats of what is known of each die
SILENT = 20000  # ms without a sign of a die: it is away (flat, broken, or out of reach)
RETRY = 100  # ms between tries to tell a die a command
PATIENCE = 20000  # ms until a command is given up
PAIRING = 60000  # ms that the hub waits for a die that seeks it
ANSWERS = 8  # answers remembered for repeated questions


class Paired:
    """What the hub knows of one die."""

    def __init__(self, name: str, me: str) -> None:
        self.name = name
        self.me = me
        # protocol, firmware, state, face, battery, number: as the die said last
        self.about = [0, "0", "away", 0, 0, 0]  # type: list[Any]
        self.heard = None  # type: int | None  # when
        self.last = 0  # newest event number taken
        self.acked = 0  # newest event number that the host has
        self.outbox = Outbox(ROOM)
        self.command = None  # type: Any  # the message, and when to give up
        self.again = 0

    def line(self) -> bytes:
        """The line that tells the host."""
        return encode("die", self.name, self.me, *self.about)

    def state(self) -> str:
        """The die's state as the host knows it."""
        return str(self.about[2])


class Hub:
    """`dice` maps names to ids and outlives power: `keep(dice)` is called when it changes."""

    def __init__(self, me: str, boot: str, dice: "dict[str, str]", keep: "Any") -> None:
        self.me = me
        self.boot = boot
        self.dice = {name: Paired(name, dice[name]) for name in dice}
        self.updating = False  # stop, and let new files in
        self.to_host = []  # type: list[bytes]
        self.to_dice = []  # type: list[tuple[str, bytes]]
        self._keep = keep
        self._ears = Decoder()
        self._beat = self._recall = 0
        self._answers = []  # type: list[tuple[int, bytes]]
        self._pairing = None  # type: tuple[int, str, int] | None

    def hear_host(self, data: bytes, now: int) -> None:
        """Bytes from the cable, cut anywhere."""
        for message in self._ears.feed(data):
            kind = message[0]
            if kind == "ask":
                self._introduce()
                for die in self._all():
                    die.outbox.hurry()
            elif kind == "ack" and message[1] in self.dice:
                die = self.dice[message[1]]
                die.outbox.ack(message[2])
                die.acked = max(die.acked, message[2])
                self._acknowledge(die)
            elif kind == "do" or kind == "pair" or kind == "update":
                self._command(message, now)

    def hear_die(self, sender: str, line: bytes, now: int) -> None:
        """A packet of the radio and who sent it."""
        message = decode(line)
        if message is None:
            return
        if message[0] == "seek":
            self._found(sender, now)
            return
        die = self._who(sender)
        if die is None:
            return
        new = die.heard is None or die.state() == "away"
        die.heard = now
        kind = message[0]
        if kind == "die" and message[1] == die.name:
            new = new or list(message[3:7]) != die.about[:4]
            die.about = list(message[3:])
            self._paired(die)
        elif kind == "event" and message[1] == die.name:
            self._note_event(die, message)
        elif kind == "done" or kind == "failed":
            self._die_answered(die, message)
        if new:
            self.to_host.append(die.line())

    def tick(self, now: int) -> None:
        """Let time pass; then send what stands in `to_host` and `to_dice`."""
        if now >= self._beat:
            self._beat = now + BEAT
            self._hello()
        if now >= self._recall:
            self._recall = now + RECALL
            for die in self._all():
                self.to_host.append(die.line())
        for die in self._all():
            here = die.state() not in ("away", "asleep")
            if here and die.heard is not None and now - die.heard > SILENT:
                die.about[2:4] = ["away", 0]
                self.to_host.append(die.line())
            for number, before, what in die.outbox.due(now):
                self.to_host.append(encode("event", die.name, number, before, *what))
            if die.command is not None:
                message, end = die.command
                if now >= end:
                    die.command = None
                    self._answer(message[1], encode("failed", message[1], "silent"))
                elif now >= die.again:
                    die.again = now + RETRY
                    self.to_dice.append((die.me, encode(*message)))
        if self._pairing is not None and now >= self._pairing[2]:
            self._answer(self._pairing[0], encode("failed", self._pairing[0], "nobody"))
            self._pairing = None

    def _hello(self) -> None:
        line = encode("hello", PROTOCOL, VERSION, self.me, self.boot, len(self.dice))
        self.to_host.append(line)

    def _introduce(self) -> None:
        self._hello()
        for die in self._all():
            self.to_host.append(die.line())

    def _all(self) -> "list[Paired]":
        return [self.dice[name] for name in sorted(self.dice)]  # dicts have no order here

    def _who(self, sender: str) -> "Paired | None":
        for die in self.dice.values():
            if die.me == sender:
                return die
        return None

    def _note_event(self, die: Paired, message: "Any") -> None:
        """Take an event in its order; the die repeats what is not taken."""
        _, _, number, before, state, face, battery = message
        if number <= die.acked:
            self._acknowledge(die)
        elif number > die.last and before <= die.last and not die.outbox.full():
            die.last = number
            die.outbox.add(number, (state, face, battery))
            die.about[2:] = [state, face, battery, number]

    def _acknowledge(self, die: Paired) -> None:
        self.to_dice.append((die.me, encode("ack", die.name, die.acked)))

    def _command(self, message: "Any", now: int) -> None:
        """A command of the host: once each, however often it is repeated."""
        kind, number = message[0], message[1]
        for known, line in self._answers:
            if known == number:
                self.to_host.append(line)
                return
        if kind == "update":
            self.updating = True
            self._answer(number, encode("done", number))
        elif kind == "pair":
            if self._pairing is None or self._pairing[0] != number:
                self._pairing = (number, message[2], now + PAIRING)
        else:
            die = self.dice.get(message[2])
            if die is None:
                self._answer(number, encode("failed", number, "unknown"))
            elif die.command is None:
                die.command = (message, now + PATIENCE)
                die.again = now
            elif die.command[0][1] != number:
                self._answer(number, encode("failed", number, "busy"))

    def _die_answered(self, die: Paired, message: "Any") -> None:
        """A die answers a command."""
        if die.command is None or die.command[0][1] != message[1]:
            return
        what, die.command = die.command[0][3], None
        if what == "forget" and message[0] == "done":
            del self.dice[die.name]
            self._remember()
        self._answer(message[1], encode(*message))

    def _answer(self, number: int, line: bytes) -> None:
        self._answers.append((number, line))
        if len(self._answers) > ANSWERS:
            self._answers.pop(0)
        self.to_host.append(line)

    def _found(self, sender: str, now: int) -> None:
        """A die seeks a hub: if one is wanted, it is this one. It gets the name, and says so."""
        if self._pairing is None:
            return
        name = self._pairing[1]
        old = self._who(sender)
        if old is None or old.name != name:
            if old is not None:
                del self.dice[old.name]
            self.dice[name] = Paired(name, sender)
            self._remember()
        self.dice[name].heard = now
        self.to_dice.append((sender, encode("take", name, self.me)))

    def _remember(self) -> None:
        self._keep({die.name: die.me for die in self.dice.values()})

    def _paired(self, die: Paired) -> None:
        if self._pairing is not None and self._pairing[1] == die.name:
            number = self._pairing[0]
            self._pairing = None
            self._answer(number, encode("done", number))
