"""Dice, hub, radio and cable without hardware: the firmware in a box, and links that fail."""

# In the subset that MicroPython shares with CPython: tests run this box under both.
from firmware.die import Die, blank
from firmware.hub import Hub

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

NAMES = ("kirito", "asuna", "lisbeth", "silica", "klein", "agil")


class Link:
    """Carries packets; loses, repeats, delays and spoils each with the given chance (per cent)."""

    def __init__(self, seed: int = 1, faults: int = 0, lag: int = 2) -> None:
        self.faults = faults
        self.lag = lag  # ms on the way; a late packet takes up to 30 ms more
        self._seed = seed * 2654435 % 2147483647 or 1
        self._flying = []  # type: list[tuple[int, str, str, bytes]]  # when, from, to, what

    def send(self, sender: str, to: str, body: bytes, now: int) -> None:
        """Put a packet on its way."""
        if self._happens():
            return
        for _ in range(2 if self._happens() else 1):
            spoilt = body
            if body and self._happens():
                at = self.pick(len(body))
                spoilt = body[:at] + bytes((body[at] ^ (1 + self.pick(255)),)) + body[at + 1 :]
            late = self.pick(30) if self._happens() else 0
            self._flying.append((now + self.lag + late, sender, to, spoilt))

    def arrive(self, now: int) -> "list[tuple[int, str, str, bytes]]":
        """The packets that are there by now, each once: (when, from, to, what)."""
        here = [one for one in self._flying if one[0] <= now]
        self._flying = [one for one in self._flying if one[0] > now]
        return here

    def pick(self, count: int) -> int:
        """0 to count-1; the same seed gives the same row on every interpreter."""
        self._seed = self._seed * 16807 % 2147483647
        return self._seed % count

    def _happens(self) -> bool:
        return self.pick(100) < self.faults


class Box:
    """A hub and its paired dice, the radio between them, the cable to the host."""

    def __init__(
        self, names: "tuple[str, ...]" = NAMES, seed: int = 1, faults: int = 0, me: str = "hub0"
    ) -> None:
        self.me = me
        self.radio = Link(seed, faults)
        self.up = Link(seed + 1, faults, 1)
        self.down = Link(seed + 2, faults, 1)
        self.registry = {}  # type: dict[str, str]
        self.memory = {}  # type: dict[str, dict[str, Any]]
        self.dice = {}  # type: dict[str, Die]  # by id
        self.flat = []  # type: list[str]  # ids of dice without power
        self.boots = 0
        self._felt = {}  # type: dict[str, list[Any]]  # samples still to be felt, by id
        for name in names:
            me = "d-" + self.me + "-" + name
            memory = blank()
            memory["name"], memory["hub"] = name, self.me
            self.registry[name] = me
            self.plug_in_die(me, memory)
        self.reset()

    def reset(self) -> None:
        """The hub starts anew: all it had in mind is gone, its registry is not."""
        self.boots += 1
        boot = f"b{self.boots}"
        self.hub = Hub(self.me, boot, self.registry, self._keep_registry)

    def plug_in_die(self, me: str, memory: "dict[str, Any]") -> Die:
        """A die starts with what its flash holds."""
        self.memory[me] = memory
        self.dice[me] = Die(me, memory, lambda kept: self.memory.update({me: kept}))
        return self.dice[me]

    def die(self, name: str) -> Die:
        """The die of that name."""
        return self.dice[self.registry[name]]

    def feel(self, name: str, samples: "list[tuple[int, int, int]]") -> None:
        """Let a die feel these samples, 400 a second, after those that wait."""
        self._felt.setdefault(self.registry[name], []).extend(reversed(samples))

    def feed(self, data: bytes, now: int) -> None:
        """Bytes from the host."""
        self.down.send("", "", data, now)

    def step(self, now: int, passed: int = 10) -> bytes:
        """Let `passed` milliseconds go by, until `now`; gives the bytes for the host."""
        hub = self.hub
        for _, _, _, data in self.down.arrive(now):
            hub.hear_host(data, now)
        for _, sender, to, line in self.radio.arrive(now):
            if to == self.me or (to == "" and sender != self.me):
                hub.hear_die(sender, line, now)
            elif to in self.dice and to not in self.flat and not self.dice[to].asleep:
                self.dice[to].hear(line, now)
        for me in sorted(self.dice):
            if me not in self.flat:
                self._live(self.dice[me], now, passed)
        hub.tick(now)
        for to, line in hub.to_dice:
            self.radio.send(self.me, to, line, now)
        for line in hub.to_host:
            self.up.send("", "", line, now)
        hub.to_dice, hub.to_host = [], []
        return b"".join([one[3] for one in self.up.arrive(now)])

    def _live(self, die: Die, now: int, passed: int) -> None:
        felt = self._felt.get(die.me)
        if felt and die.asleep:  # motion wakes it: the board starts anew
            die = self.plug_in_die(die.me, self.memory[die.me])
        if felt:
            for _ in range(min(len(felt), passed * 2 // 5)):
                x, y, z = felt.pop()
                die.sample(x, y, z, now)
        if not die.asleep:
            for to, line in die.tick(now):
                self.radio.send(die.me, to, line, now)

    def _keep_registry(self, registry: "dict[str, str]") -> None:
        self.registry = registry


def resting_samples(face: "tuple[int, int, int]", count: int) -> "Iterator[tuple[int, int, int]]":
    """Samples of a die that just lies there."""
    for i in range(count):
        yield face[0] + i % 3 - 1, face[1] - i % 2, face[2]
