"""The minds of die and hub, each alone: numbers, repeats, pairing, calibration, commands, sleep."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from firmware import VERSION
from firmware.die import BLINK, ROOM, SLEEPY, SPARE, STUBBORN, Die, blank
from firmware.feel import NOMINAL
from firmware.hub import PAIRING, PATIENCE, SILENT, Hub
from firmware.outbox import FIRST, LONGEST, WINDOW, Outbox
from firmware.sleeping import notes, recall
from firmware.wire import PROTOCOL, Decoder, decode, encode

REST = ("rest", 5, 90)


def paired(**more: Any) -> Die:
    memory = {**blank(), "name": "asuna", "hub": "hub0", **more}
    return Die("d1", memory, lambda _memory: None)


def said(die: Die, now: int) -> list[Any]:
    return [decode(line) for _, line in die.tick(now)]


def hub(**dice: str) -> Hub:
    one = Hub("hub0", "b1", dict(dice), lambda _dice: None)
    one.tick(0)
    one.to_host.clear()
    return one


def to_host(one: Hub) -> list[Any]:
    lines, one.to_host = one.to_host, []
    return Decoder().feed(b"".join(lines))


def to_dice(one: Hub) -> list[Any]:
    lines, one.to_dice = one.to_dice, []
    return [(to, decode(line)) for to, line in lines]


# the outbox


def test_events_wait_in_order_and_each_names_the_one_before() -> None:
    box = Outbox(10)
    for number in (5, 6, 9):
        box.add(number, REST)
    assert [(number, before) for number, before, _ in box.due(0)] == [(5, 0), (6, 5), (9, 6)]
    assert box.due(FIRST - 1) == []


def test_what_is_not_acknowledged_is_said_again_ever_slower() -> None:
    box, times = Outbox(10), []
    box.add(1, REST)
    for now in range(0, 10_000):
        if box.due(now):
            times.append(now)
    gaps = [b - a for a, b in pairwise(times)]
    assert gaps[:4] == [60, 120, 240, 480]
    assert max(gaps) == LONGEST


def test_an_acknowledgement_clears_all_up_to_its_number() -> None:
    box = Outbox(10)
    for number in (1, 2, 3):
        box.add(number, REST)
    assert box.ack(2)
    assert not box.ack(2)
    assert [number for number, _ in box.items()] == [3]
    assert [(number, before) for number, before, _ in box.due(0)] == [(3, 0)]


def test_only_so_many_are_under_way_at_once() -> None:
    box = Outbox(10)
    for number in range(1, 9):
        box.add(number, REST)
    assert len(box.due(0)) == WINDOW
    box.ack(1)
    assert [number for number, _, _ in box.due(1)] == [WINDOW + 1]


def test_without_room_the_oldest_is_given_up() -> None:
    box = Outbox(3)
    for number in range(1, 6):
        box.add(number, REST)
    assert [number for number, _ in box.items()] == [3, 4, 5]
    assert box.due(0)[0][:2] == (3, 0)


# the die


def test_a_die_tells_what_it_feels_until_it_is_acknowledged() -> None:
    die = paired()
    for _ in range(400):
        die.sample(0, 0, 1000, 10)
    assert said(die, 10)[0] == ("event", "asuna", 1, 0, "rest", 1, 100)
    assert said(die, 11) == []
    assert said(die, 10 + FIRST)[0][:3] == ("event", "asuna", 1)
    die.hear(encode("ack", "klein", 1), 80)  # not for us
    assert len(die.outbox) == 1
    die.hear(encode("ack", "asuna", 1), 80)
    assert len(die.outbox) == 0


def test_no_event_number_is_used_twice_over_any_number_of_flat_batteries() -> None:
    memory, numbers = {**blank(), "name": "asuna", "hub": "hub0"}, []
    for life in range(5):
        die = Die("d1", memory, lambda kept: memory.update(kept))
        for _ in range(7 if life % 2 else SPARE + 3):
            die.note("handled", 0, 0)
            numbers.append(die.outbox.items()[-1][0])
    assert numbers == sorted(set(numbers))


def test_a_die_without_a_hub_seeks_one_while_it_is_moved_and_takes_the_first() -> None:
    kept: list[Any] = []
    die = Die("d1", blank(), lambda memory: kept.append(dict(memory)))
    assert die.tick(0) == [("", encode("seek", "d1", PROTOCOL, VERSION))]
    assert die.tick(500) == []
    die.hear(encode("take", "asuna", "hub0"), 600)
    assert (kept[-1]["name"], kept[-1]["hub"]) == ("asuna", "hub0")
    [(to, line)] = die.tick(601)
    assert to == "hub0"
    assert decode(line) == ("die", "asuna", "d1", PROTOCOL, VERSION, "handled", 0, 100, 0)


def test_a_die_that_nobody_answers_seeks_a_new_hub() -> None:
    die, sought = paired(), []
    die.note("handled", 0, 0)
    for now in range(0, 40_000, 20):
        sought += [now for message in said(die, now) if message[0] == "seek"]
    assert sought
    assert sought[0] > 5000  # not at the first lost packet


@pytest.mark.parametrize("what", ["identify", "sleep", "forget"])
def test_a_command_is_done_once_and_answered_each_time(what: str) -> None:
    die = paired()
    die.tick(0)
    for now in (10, 20):
        die.hear(encode("do", 7, "asuna", what, 0), now)
        assert ("done", 7) in said(die, now + 1)
    die.hear(encode("do", 8, "klein", what, 0), 30)
    assert said(die, 31) == []


def test_identify_blinks_the_lamp_for_some_seconds() -> None:
    die = paired()
    die.hear(encode("do", 7, "asuna", "identify", 0), 0)
    lit = []
    for now in range(0, BLINK + 2000, 50):
        die.tick(now)
        lit.append(die.lamp)
    assert 0.45 < sum(lit[: BLINK // 50]) / (BLINK // 50) < 0.55
    assert not any(lit[BLINK // 50 :])


def test_a_still_die_with_nothing_to_tell_goes_to_sleep_and_says_so() -> None:
    die = paired()
    assert not die.asleep
    die.tick(0)
    die.tick(SLEEPY - 1)
    assert not die.asleep
    goodbyes = said(die, SLEEPY + 1)[-3:]  # more than one: who goes without counts as lost
    assert [message[5] for message in goodbyes] == ["asleep"] * 3
    assert die.asleep


def test_a_die_with_something_to_tell_stays_awake_for_ten_minutes_then_takes_it_along() -> None:
    die = paired()
    die.note("rest", 3, 0)
    for now in range(0, STUBBORN, 1000):
        die.tick(now)
    assert not die.asleep
    die.tick(STUBBORN + 1)
    assert die.asleep
    later = paired(next=2000)
    recall(later, notes(die))
    later.note("handled", 0, 0)
    assert later.outbox.items() == [(1, ("rest", 3, 100)), (2000, ("handled", 0, 100))]


def test_notes_of_a_full_outbox_fit_the_memory_that_outlives_sleep() -> None:
    die = paired(next=999_000_000)
    for _ in range(ROOM):
        die.note("handled", 0, 0)
    assert len(notes(die)) <= 2048


def rested(die: Die, sample: tuple[int, int, int]) -> None:
    for _ in range(200):
        die.sample(*sample, 0)


def calibrated(die: Die, face: int, number: int) -> Any:
    die.hear(encode("do", number, "asuna", "calibrate", face), 0)
    return decode(die._answer)


def test_calibration_learns_six_faces_checks_them_and_keeps_them() -> None:
    die = paired()
    odd = [(z, x + 40, y - 30) for x, y, z in NOMINAL]  # mounted another way round, and off
    assert calibrated(die, 1, 1) == ("failed", 1, "moving")
    for face in range(1, 7):
        rested(die, odd[face - 1])
        assert calibrated(die, face, 10 + face) == ("done", 10 + face)
        if face < 6:
            assert calibrated(die, 0, 20 + face) == ("failed", 20 + face, "incomplete")
    assert die.memory["faces"] == [list(face) for face in NOMINAL]
    assert calibrated(die, 0, 30) == ("done", 30)
    assert die.memory["faces"] == [list(face) for face in odd]
    rested(die, odd[3])
    rested(die, odd[3])
    assert (die.feel.state, die.feel.face) == ("rest", 4)


def test_a_calibration_that_is_no_cube_is_refused_and_the_old_one_stays() -> None:
    die = paired()
    for face in range(1, 7):
        rested(die, NOMINAL[0])  # never turned
        calibrated(die, face, face)
    assert calibrated(die, 0, 30) == ("failed", 30, "no-cube")
    assert die.memory["faces"] == [list(face) for face in NOMINAL]


def test_unknown_commands_and_noise_do_no_harm() -> None:
    die = paired()
    die.hear(encode("do", 7, "asuna", "dance", 0), 0)
    assert said(die, 0)[0] == ("failed", 7, "unknown")
    for noise in (b"", b"$", bytes(range(256)), encode("hello", 1, "1", "h", "b", 0)):
        die.hear(noise, 0)


# the hub


def test_the_hub_tells_all_when_it_is_asked() -> None:
    one = hub(asuna="d1", klein="d2")
    one.hear_host(encode("ask", PROTOCOL), 1)
    hello, *dice = to_host(one)
    assert hello == ("hello", PROTOCOL, VERSION, "hub0", "b1", 2)
    assert [die[1:3] for die in dice] == [("asuna", "d1"), ("klein", "d2")]


def test_events_go_to_the_host_in_order_and_are_acknowledged_to_the_die_only_then() -> None:
    one = hub(asuna="d1")
    one.hear_die("d1", encode("event", "asuna", 6, 5, "rest", 2, 90), 1)  # overtook its forerunner
    one.tick(2)
    assert [message for message in to_host(one) if message[0] == "event"] == []
    one.hear_die("d1", encode("event", "asuna", 5, 0, "rolling", 0, 90), 3)
    one.hear_die("d1", encode("event", "asuna", 6, 5, "rest", 2, 90), 4)
    one.hear_die("d1", encode("event", "asuna", 6, 5, "rest", 2, 90), 5)
    one.tick(6)
    events = [message for message in to_host(one) if message[0] == "event"]
    assert [message[2:4] for message in events] == [(5, 0), (6, 5)]
    assert to_dice(one) == []
    one.hear_host(encode("ack", "asuna", 5), 7)
    assert to_dice(one) == [("d1", ("ack", "asuna", 5))]
    one.hear_die("d1", encode("event", "asuna", 5, 0, "rolling", 0, 90), 8)  # the ack was lost
    assert to_dice(one) == [("d1", ("ack", "asuna", 5))]


def test_the_hub_takes_nothing_from_strangers() -> None:
    one = hub(asuna="d1")
    one.hear_die("d9", encode("event", "asuna", 5, 0, "rest", 2, 90), 1)
    one.hear_die("d1", encode("event", "klein", 5, 0, "rest", 2, 90), 1)
    one.hear_die("d9", encode("seek", "d9", 1, "1.0.0"), 1)
    one.tick(2)
    assert not [message for message in to_host(one) if message[0] == "event"]
    assert to_dice(one) == []


def test_when_its_queue_is_full_the_hub_leaves_events_in_the_die() -> None:
    one = hub(asuna="d1")
    for number in range(1, 41):
        before = number - 1
        one.hear_die("d1", encode("event", "asuna", number, before, "handled", 0, 90), number)
    assert len(one.dice["asuna"].outbox) == 24
    one.hear_host(encode("ack", "asuna", 24), 100)
    one.hear_die("d1", encode("event", "asuna", 25, 0, "handled", 0, 90), 101)
    assert one.dice["asuna"].last == 25


def test_a_die_is_paired_by_name_and_the_registry_is_kept() -> None:
    kept: list[Any] = []
    one = Hub("hub0", "b1", {"asuna": "old"}, lambda dice: kept.append(dict(dice)))
    one.hear_host(encode("pair", 3, "asuna"), 0)
    one.hear_die("d7", encode("seek", "d7", PROTOCOL, VERSION), 10)
    assert to_dice(one) == [("d7", ("take", "asuna", "hub0"))]
    assert kept == [{"asuna": "d7"}]
    one.to_host.clear()
    one.hear_die("d7", encode("die", "asuna", "d7", PROTOCOL, VERSION, "rest", 2, 88, 0), 20)
    assert ("done", 3) in to_host(one)
    one.hear_die("d8", encode("seek", "d8", PROTOCOL, VERSION), 30)  # pairing is over
    assert to_dice(one) == []


def test_pairing_ends_when_nobody_comes() -> None:
    one = hub()
    one.hear_host(encode("pair", 3, "asuna"), 0)
    one.tick(PAIRING)
    assert ("failed", 3, "nobody") in to_host(one)


def test_a_command_is_repeated_to_the_die_and_answered_to_the_host_once_and_on_demand() -> None:
    one = hub(asuna="d1")
    line = encode("do", 9, "asuna", "identify", 0)
    one.hear_host(line + line, 0)
    for now in range(0, 350, 10):
        one.tick(now)
    assert to_dice(one) == [("d1", ("do", 9, "asuna", "identify", 0))] * 4
    one.hear_die("d1", encode("done", 9), 360)
    one.hear_die("d1", encode("done", 9), 361)
    assert [m for m in to_host(one) if m[0] == "done"] == [("done", 9)]
    one.hear_host(line, 400)  # the host did not hear it
    assert [m for m in to_host(one) if m[0] == "done"] == [("done", 9)]
    one.tick(500)
    assert to_dice(one) == []


def test_a_command_that_no_die_answers_fails_in_the_end() -> None:
    one = hub(asuna="d1")
    one.hear_host(encode("do", 9, "asuna", "sleep", 0) + encode("do", 10, "yui", "sleep", 0), 0)
    one.tick(PATIENCE)
    answers = [message for message in to_host(one) if message[0] == "failed"]
    assert answers == [("failed", 10, "unknown"), ("failed", 9, "silent")]


def test_a_forgotten_die_leaves_the_registry() -> None:
    kept: list[Any] = []
    one = Hub("hub0", "b1", {"asuna": "d1"}, lambda dice: kept.append(dict(dice)))
    one.hear_host(encode("do", 9, "asuna", "forget", 0), 0)
    one.hear_die("d1", encode("done", 9), 10)
    assert kept == [{}]


def test_a_silent_die_is_away_and_a_sleeping_one_is_not() -> None:
    one = hub(asuna="d1", klein="d2")
    one.hear_die("d1", encode("die", "asuna", "d1", 1, VERSION, "rest", 2, 4, 8), 1)
    one.hear_die("d2", encode("die", "klein", "d2", 1, VERSION, "asleep", 0, 90, 8), 1)
    to_host(one)
    one.tick(SILENT + 5)
    states = {message[1]: message[5] for message in to_host(one) if message[0] == "die"}
    assert states["asuna"] == "away"
    assert one.dice["klein"].state() == "asleep"


def test_update_is_answered_before_the_hub_stops() -> None:
    one = hub()
    one.hear_host(encode("update", 4), 0)
    assert to_host(one) == [("done", 4)]
    assert one.updating
