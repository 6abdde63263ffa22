"""The host's end of the wire, without a port: bytes in, Events out, acknowledgements back."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from typing import Any

from companion.errors import DeviceLost
from companion.events import CharacterDie, DeviceDown, DeviceUp, Event
from companion.words import Text, text
from firmware import wire

ASK = 0.5  # seconds between questions until the hub has told all
HANDSHAKE = 1.5  # seconds until a port that says nothing is no hub
SILENT = 7.0  # seconds without a readable line: the hub hangs
REPEAT = 0.5  # seconds between repeats of a command
LOW = 5  # per cent: so empty a die falls silent by itself


@dataclass(frozen=True, slots=True)
class DieStatus:
    """What the hub knows of a die."""

    name: str
    id: str
    protocol: int
    firmware: str
    state: str  # handled, rolling, crooked, rest; asleep, away, faulty
    face: int
    battery: int
    number: int  # of its last event


@dataclass
class Known:
    """What all conversations share and what outlives each: by it an event counts once only."""

    numbers: dict[str, int] = field(default_factory=dict)  # newest event number, by die id
    owners: dict[str, str] = field(default_factory=dict)  # which die id has a name


class HubLink:
    """One conversation with one hub."""

    def __init__(self, known: Known, now: float) -> None:
        self.known = known
        self.hub = self.boot = self.firmware = ""
        self.protocol = 0
        self.dice: dict[str, DieStatus] = {}
        self.answers: dict[int, str] = {}  # to commands: why one failed, "" when it is done
        self._owes = 0  # how many dice the hub wants to tell of
        self._started = now
        self._heard: float | None = None
        self._asked: float | None = None
        self._out = bytearray()
        self._ears = wire.Decoder()
        self._number = secrets.randbelow(900_000_000)  # no repeat of an earlier host's commands
        self._open: dict[int, tuple[bytes, float]] = {}  # commands without an answer

    @property
    def ready(self) -> bool:
        """Has the hub introduced itself and all its dice?"""
        return bool(self.hub) and len(self.dice) >= self._owes

    @property
    def mismatch(self) -> str:
        """What to do when hub and host speak different protocols; empty when they do not."""
        if not self.hub or self.protocol == wire.PROTOCOL:
            return ""
        cure = "companion dice flash hub"
        if self.protocol > wire.PROTOCOL:
            cure = f"update the companion, or give the hub its older firmware: {cure}"
        spoken = f"the dice hub speaks protocol {self.protocol}, the companion {wire.PROTOCOL}"
        return f"{spoken}: {cure}"

    def command(self, kind: str, *fields: Any) -> int:
        """Give a command (`do`, `pair`, `update`); its number finds its answer in `answers`."""
        self._number += 1
        line = wire.encode(kind, self._number, *fields)
        self._open[self._number] = (line, float("-inf"))
        return self._number

    def feed(self, data: bytes, now: float) -> list[Event]:
        """What these bytes of the hub mean."""
        events: list[Event] = []
        for message in self._ears.feed(data):
            self._heard = now
            kind = message[0]
            if kind == "hello":
                self._hello(message)
            elif kind in ("done", "failed"):
                if self._open.pop(message[1], None):
                    self.answers[message[1]] = message[2] if kind == "failed" else ""
            elif self.mismatch:
                continue  # the same words may mean something else
            elif kind == "die":
                events += self._die(DieStatus(*message[1:]))
            elif kind == "event":
                events += self._event(*message[1:])
        return events

    def tick(self, now: float) -> bytes:
        """The bytes for the hub; raises DeviceLost when it has been silent for too long."""
        if self._heard is None and now - self._started > HANDSHAKE:
            raise DeviceLost(text("the dice hub does not answer"))
        if self._heard is not None and now - self._heard > SILENT:
            raise DeviceLost(text("the dice hub fell silent"))
        if not self.ready and (self._asked is None or now - self._asked >= ASK):
            self._asked = now
            self._out += wire.encode("ask", wire.PROTOCOL)
        for number, (line, last) in self._open.items():
            if now - last >= REPEAT:
                self._open[number] = (line, now)
                self._out += line
        out = bytes(self._out)
        self._out.clear()
        return out

    def leave(self) -> None:
        """The conversation is over: its dice may come back through another hub."""
        for die in self.dice.values():
            if self._owns(die):
                del self.known.owners[die.name]

    def _owns(self, die: DieStatus) -> bool:
        return self.known.owners.get(die.name) == die.id

    def _hello(self, message: wire.Message) -> None:
        _, self.protocol, self.firmware, hub, boot, owes = message
        if (hub, boot) != (self.hub, self.boot):  # the hub was reset: it must tell all again
            self.hub, self.boot = hub, boot
            self._asked = None
            self.dice = {}
        self._owes = owes

    def _die(self, new: DieStatus) -> list[Event]:
        old = self.dice.get(new.name)
        before = self._trouble(old) if old else None
        if old and self._owns(old):
            self.known.owners[new.name] = new.id
        self.known.owners.setdefault(new.name, new.id)
        self.dice[new.name] = new
        why = self._trouble(new)
        if why and not before:
            return [DeviceDown(f"die {new.name}", why)]
        if before and not why:
            return [DeviceUp(f"die {new.name}")]
        return []

    def _trouble(self, die: DieStatus) -> Text | None:
        if self._owns(die):
            return trouble(die)
        return text(
            "Two dice are called {name}: give one of them away (companion dice forget).",
            name=die.name,
        )

    def _event(
        self, name: str, number: int, before: int, state: Any, face: int, battery: int
    ) -> list[Event]:
        die = self.dice.get(name)
        if die is None or state not in wire.STATES:
            self._owes = max(self._owes, len(self.dice) + 1)  # its introduction was lost: ask
            return []
        if not self._owns(die):
            return []  # which of two namesakes rolled is not for us to guess
        last = self.known.numbers.get(die.id, 0)
        if number > last and before > last:
            return []  # one before it is missing; the hub says all again
        self._out += wire.encode("ack", name, max(number, last))
        if number <= last:
            return []
        self.known.numbers[die.id] = number
        again = self._die(replace(die, state=state, face=face, battery=battery, number=number))
        return [*again, CharacterDie(name, state, face, number, battery)]


def trouble(die: DieStatus) -> Text | None:
    """What keeps a die from play, in a sentence; None when nothing does."""
    who = die.name.capitalize()
    if die.state == "faulty":
        return text("The sensor in {who}'s die does not answer.", who=who)
    if die.state == "away" and die.number > 0 and die.battery <= LOW:
        return text(
            "{who}'s die ran out of battery: charge it, or enter its face by hand.", who=who
        )
    if die.state == "away" and die.number:
        return text("{who}'s die is silent: out of reach, or its battery is flat.", who=who)
    if die.protocol not in (0, wire.PROTOCOL):
        return text(
            "{who}'s die speaks protocol {theirs}, the companion {ours}: "
            "companion dice flash {name}",
            who=who, theirs=die.protocol, ours=wire.PROTOCOL, name=die.name,
        )  # fmt: skip
    return None
