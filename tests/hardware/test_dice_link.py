"""Host, hub and dice over links that lose, repeat, delay and spoil: every roll counts once."""

from __future__ import annotations

import binascii

import pytest

from companion.errors import DeviceLost
from companion.events import CharacterDie, DeviceDown, DeviceUp, Event
from companion.words import text
from firmware import wire
from firmware.die import blank
from hardware.dice.link import HANDSHAKE, SILENT, HubLink, Known
from hardware.twins.radio import NAMES, Box

Report = tuple[str, int]  # state, face


class Play:
    """A box of dice and a host, ten milliseconds at a time, without a clock."""

    def __init__(self, box: Box, known: Known | None = None) -> None:
        self.box = box
        self.known = known or Known()
        self.now = 0
        self.link = HubLink(self.known, 0.0)
        self.thrown: dict[str, list[Report]] = {name: [] for name in box.registry}
        self.counted: dict[str, list[Report]] = {name: [] for name in box.registry}
        self.told: list[Event] = []

    def reconnect(self) -> None:
        """The cable was pulled and plugged in again: the host begins anew, with its memory."""
        self.link.leave()
        self.link = HubLink(self.known, self.now / 1000)

    def step(self, seconds: float = 0.01) -> None:
        for _ in range(round(seconds * 100)):
            self.now += 10
            for event in self.link.feed(self.box.step(self.now), self.now / 1000):
                if isinstance(event, CharacterDie):
                    self.counted[event.die].append((event.state, event.face))
                else:
                    self.told.append(event)
            if out := self.link.tick(self.now / 1000):
                self.box.feed(out, self.now)

    def roll(self, name: str, face: int) -> None:
        if self.box.die(name).asleep:  # the hand wakes it
            me = self.box.registry[name]
            self.box.plug_in_die(me, self.box.memory[me])
        for report in (("handled", 0), ("rolling", 0), ("rest", face)):
            self.box.die(name).note(*report, self.now)
            self.thrown[name].append(report)

    def settle(self, seconds: float) -> None:
        """Wait until all has arrived, at most so long."""
        end = self.now + seconds * 1000
        while self.counted != self.thrown and self.now < end:
            self.step()


def play_on(play: Play, rolls: int) -> None:
    """Throw all dice as fast as their queues allow."""
    made = 0
    while made < rolls:
        play.step(0.1)
        for name in play.box.registry:
            if len(play.box.die(name).outbox) < 30 and made < rolls:
                made += 1
                play.roll(name, made % 6 + 1)
    play.settle(60)


@pytest.mark.slow
def test_ten_thousand_rolls_arrive_once_and_in_order_over_a_fifth_of_every_fault() -> None:
    play = Play(Box(seed=20, faults=20))
    play_on(play, 10_000)
    assert play.counted == play.thrown
    assert sum(map(len, play.counted.values())) == 30_000


def test_rolls_survive_resets_of_the_hub_and_pulled_cables() -> None:
    play = Play(Box(seed=7, faults=20))
    for round_ in range(12):
        for name in NAMES:
            play.roll(name, round_ % 6 + 1)
        play.step(0.05 * (round_ % 4))
        play.box.reset()
        play.step(0.03)
        play.reconnect()
    play.settle(60)
    assert play.counted == play.thrown


def test_a_new_host_without_memory_still_gets_what_no_host_has_heard() -> None:
    play = Play(Box())
    play.step(1)
    play.roll("asuna", 3)
    play.settle(5)
    for name in ("asuna", "klein"):
        play.roll(name, 4)  # nobody listens: the old host is gone
    for _ in range(100):
        play.now += 10
        play.box.step(play.now)
    heard = play.counted["asuna"]
    play.known = Known()
    play.reconnect()
    play.settle(5)
    assert play.counted == play.thrown
    assert heard[:3] == [("handled", 0), ("rolling", 0), ("rest", 3)]


def test_a_die_out_of_battery_is_told_and_what_it_reported_before_is_not_lost() -> None:
    play = Play(Box())
    play.step(1)
    asuna = play.box.die("asuna")
    asuna.battery = 3
    play.roll("asuna", 5)
    play.step(0.05)
    play.box.flat.append(asuna.me)
    play.step(25)
    assert play.counted == play.thrown
    [down] = [event for event in play.told if isinstance(event, DeviceDown)]
    assert down == DeviceDown(
        "die asuna",
        text("{who}'s die ran out of battery: charge it, or enter its face by hand.", who="Asuna"),
    )
    play.roll("klein", 2)  # the others play on
    play.settle(5)
    play.box.flat.clear()
    charged = play.box.plug_in_die(asuna.me, play.box.memory[asuna.me])
    charged.battery = 80
    play.roll("asuna", 6)
    play.settle(10)
    assert play.counted == play.thrown
    assert DeviceUp("die asuna") in play.told


def test_the_same_die_heard_through_two_hubs_counts_once() -> None:
    known = Known()
    first, second = HubLink(known, 0.0), HubLink(known, 0.0)
    hello = wire.encode("hello", 1, "1.0.0", "h", "b", 1)
    about = wire.encode("die", "asuna", "d1", 1, "1.0.0", "rest", 2, 90, 6)
    event = wire.encode("event", "asuna", 7, 0, "rest", 3, 90)
    assert first.feed(hello + about + event, 0.1) == [CharacterDie("asuna", "rest", 3, 7, 90)]
    assert second.feed(hello + about + event, 0.2) == []
    assert wire.encode("ack", "asuna", 7) in second.tick(0.2)  # or that hub would go on for ever


def test_two_dice_of_one_name_are_told_and_only_the_first_counts() -> None:
    known = Known()
    links = [HubLink(known, 0.0), HubLink(known, 0.0)]
    told: list[Event] = []
    for i, link in enumerate(links):
        link.feed(wire.encode("hello", 1, "1.0.0", f"h{i}", "b", 1), 0.1)
        told += link.feed(wire.encode("die", "asuna", f"d{i}", 1, "1.0.0", "rest", 2, 90, 6), 0.1)
        told += link.feed(wire.encode("event", "asuna", 7, 0, "rest", 3 + i, 90), 0.2)
    assert told[0] == CharacterDie("asuna", "rest", 3, 7, 90)
    assert isinstance(told[1], DeviceDown)
    assert "Two dice are called asuna" in told[1].why.show()
    assert len(told) == 2
    links[0].leave()  # the first hub is unplugged: now there is only one
    back = links[1].feed(wire.encode("die", "asuna", "d1", 1, "1.0.0", "rest", 2, 90, 7), 0.3)
    assert back == [DeviceUp("die asuna")]


def spoken(body: bytes) -> bytes:
    return b"$" + body + b"*%08x\n" % binascii.crc32(body)


@pytest.mark.parametrize(
    ("protocol", "cure"), [(2, "update the companion"), (0, ": companion dice flash hub")]
)
def test_another_protocol_is_said_plainly_and_still_lets_the_hub_be_updated(
    protocol: int, cure: str
) -> None:
    link = HubLink(Known(), 0.0)
    hello = spoken(b"hello %d 7.0.0 hub0 b1 6 something new" % protocol)
    # in that protocol an event may mean anything: it is not believed
    strange = wire.encode("event", "asuna", 7, 0, "rest", 3, 90)
    assert link.feed(hello + strange, 0.1) == []
    assert link.mismatch.startswith(f"the dice hub speaks protocol {protocol}, the companion 1")
    assert cure in link.mismatch
    number = link.command("update")
    assert wire.encode("update", number) in link.tick(0.2)
    link.feed(wire.encode("done", number), 0.3)
    assert link.answers == {number: ""}


def test_a_die_with_another_protocol_is_told() -> None:
    link = HubLink(Known(), 0.0)
    link.feed(wire.encode("hello", 1, "1.0.0", "h", "b", 1), 0.1)
    [told] = link.feed(wire.encode("die", "asuna", "d1", 2, "2.0.0", "rest", 2, 90, 6), 0.1)
    assert isinstance(told, DeviceDown)
    assert "companion dice flash asuna" in told.why.show()


def test_a_port_that_says_nothing_is_no_hub_and_a_hub_that_falls_silent_is_lost() -> None:
    link = HubLink(Known(), 0.0)
    assert link.tick(0.0) == wire.encode("ask", 1)
    assert link.tick(0.4) == b""
    assert link.tick(0.6) == wire.encode("ask", 1)
    with pytest.raises(DeviceLost, match="does not answer"):
        link.tick(HANDSHAKE + 0.1)
    link = HubLink(Known(), 0.0)
    link.feed(wire.encode("hello", 1, "1.0.0", "h", "b", 0), 1.0)
    link.tick(1.0 + SILENT)
    with pytest.raises(DeviceLost, match="fell silent"):
        link.tick(1.1 + SILENT)


def test_the_hub_is_asked_until_every_die_is_known() -> None:
    link = HubLink(Known(), 0.0)
    link.tick(0.0)
    link.feed(wire.encode("hello", 1, "1.0.0", "h", "b", 2), 0.1)
    link.feed(wire.encode("die", "asuna", "d1", 1, "1.0.0", "rest", 2, 90, 6), 0.1)
    assert not link.ready  # one line was lost
    assert link.tick(0.6) == wire.encode("ask", 1)
    link.feed(wire.encode("die", "klein", "d2", 1, "1.0.0", "rest", 2, 90, 6), 0.7)
    assert link.ready
    assert link.tick(1.5) == b""
    link.feed(wire.encode("hello", 1, "1.0.0", "h", "b2", 2), 2.0)  # the hub was reset
    assert link.tick(2.0) == wire.encode("ask", 1)


def test_a_command_is_repeated_until_it_is_answered() -> None:
    play = Play(Box(seed=3, faults=20))
    play.step(2)
    number = play.link.command("do", "asuna", "identify", 0)
    play.step(5)
    assert play.link.answers == {number: ""}
    assert play.box.die("asuna").memory["name"] == "asuna"


def test_a_die_is_given_a_name_over_the_wire() -> None:
    play = Play(Box(names=("kirito",)))
    play.step(1)
    new = play.box.plug_in_die("d9", blank())
    number = play.link.command("pair", "asuna")
    play.step(3)
    assert play.link.answers == {number: ""}
    assert new.memory["name"] == "asuna"
    assert play.box.registry == {"kirito": "d-hub0-kirito", "asuna": "d9"}
    assert play.link.dice["asuna"].id == "d9"


def test_a_sleeping_die_is_woken_by_motion_and_its_numbers_go_on() -> None:
    play = Play(Box(names=("asuna",)))
    play.step(1)
    play.roll("asuna", 2)
    play.settle(5)
    play.step(70)
    assert play.box.die("asuna").asleep
    assert play.link.dice["asuna"].state == "asleep"
    play.box.feel("asuna", [(0, 0, 1000)] * 500)
    play.step(3)
    play.thrown["asuna"].append(("rest", 1))
    play.settle(5)
    assert play.counted == play.thrown
