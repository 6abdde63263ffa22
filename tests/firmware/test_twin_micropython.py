"""The twin under MicroPython: the firmware as the chip runs it, heard by the real adapter."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import subprocess
import tty
from collections.abc import Callable
from contextlib import suppress

import heap
import pytest
from on_board import FAKES, sources

from companion.errors import DeviceLost
from companion.events import CharacterDie, DeviceUp, Event
from firmware.feel import Feel
from hardware.dice.hub import Dice
from hardware.twins.hub import Hand
from tests.patience import within

Run = Callable[..., str]

ROLLS = """
from hardware.twins.radio import Box, NAMES
from firmware.wire import Decoder, encode

def play(rolls, faults):
    box, ears, now = Box(seed=8, faults=faults), Decoder(), 0
    last, thrown, counted, made = {}, {}, {}, 0
    for name in NAMES:
        last[name], thrown[name], counted[name] = 0, [], []
    while (made < rolls or thrown != counted) and now < 600000:
        now += 10
        for message in ears.feed(box.step(now)):
            if message[0] == "event":
                name, number, before = message[1:4]
                if number > last[name] and before <= last[name]:
                    last[name] = number
                    counted[name].append(message[4:6])
                if number <= last[name]:
                    box.feed(encode("ack", name, last[name]), now)
        if now % 100 == 0:
            for name in NAMES:
                if made < rolls and len(box.die(name).outbox) < 30:
                    made += 1
                    for report in (("handled", 0), ("rolling", 0), ("rest", made % 6 + 1)):
                        box.die(name).note(report[0], report[1], now)
                        thrown[name].append(report)
    total = sum([len(counted[name]) for name in NAMES])
    return total, thrown == counted, now
"""


@pytest.mark.slow
def test_the_lossy_box_plays_the_very_same_game_under_micropython(micropython: Run) -> None:
    space: dict[str, Callable[[int, int], tuple[int, bool, int]]] = {}
    exec(ROLLS, space)  # the same text on both interpreters
    here = space["play"](120, 20)
    assert here[:2] == (360, True)
    assert micropython(ROLLS + "print(play(120, 20))") == f"{here}\n"


@pytest.mark.soak
def test_thousands_of_rolls_arrive_once_and_in_order_under_micropython(micropython: Run) -> None:
    assert micropython(ROLLS + "print(play(3000, 20)[:2])") == "(9000, True)\n"


FEELS = """
import json
from firmware.feel import Feel
for faces, samples in json.loads(TRACES):
    feel, said = Feel(faces), []
    for i in range(0, len(samples), 3):
        if feel.feed(samples[i], samples[i + 1], samples[i + 2]):
            said.append([i // 3, feel.state, feel.face])
    print(json.dumps(said))
"""


@pytest.mark.slow
def test_a_die_feels_the_same_under_micropython(micropython: Run) -> None:
    hand, traces, wanted = Hand(3), [], []
    for how in ("throw", "gentle", "drop", "carry"):
        for name in ("asuna", "klein", "agil"):
            faces = hand.faces(name)
            samples = hand.throw(name, how)[0]
            traces.append((faces, [value for sample in samples for value in sample]))
            feel = Feel(faces)
            changes = ((at, feel.feed(*sample)) for at, sample in enumerate(samples))
            told = [[at, feel.state, feel.face] for at, changed in changes if changed]
            assert told
            wanted.append(json.dumps(told))
    program = f"TRACES = {json.dumps(traces)!r}" + FEELS
    assert micropython(program, heap=8192).splitlines() == wanted


BOX = """
import binascii, json
from hardware.twins.radio import Box
box, clock = Box(seed=4, faults=20), [0]
traces = json.loads(TRACES)
for name in traces:
    faces, samples = traces[name]
    memory = box.memory[box.registry[name]]
    memory["faces"] = faces
    box.plug_in_die(box.registry[name], memory)
    box.feel(name, [tuple(sample) for sample in samples])

def feed(text):
    box.feed(binascii.unhexlify(text), clock[0])

def step(now):
    passed, clock[0] = now - clock[0], now
    return binascii.hexlify(box.step(now, passed)).decode() if passed else ""
"""


async def heard(port: str, count: int) -> list[Event]:
    events: list[Event] = []
    done = asyncio.Event()

    def emit(event: Event) -> None:
        events.append(event)
        if sum(isinstance(one, CharacterDie) and one.state == "rest" for one in events) >= count:
            done.set()

    async def keep_trying() -> None:
        dice = Dice(lambda: [port])
        while True:
            with suppress(DeviceLost):  # the interpreter takes its time to start
                await dice.run(emit)

    task = asyncio.create_task(keep_trying())
    async with asyncio.timeout(within(60)):
        await done.wait()
    task.cancel()
    return events


@pytest.mark.slow
def test_dice_thrown_under_micropython_are_heard_by_the_real_adapter(node: list[str]) -> None:
    hand, traces, faces = Hand(11), {}, {}
    for name in ("asuna", "klein", "silica"):
        samples, faces[name], _ = hand.throw(name)
        traces[name] = (hand.faces(name), samples)
    program = f"TRACES = {json.dumps(traces)!r}" + BOX
    outer, inner = pty.openpty()
    tty.setraw(inner)
    os.set_blocking(outer, False)
    port = os.ttyname(inner)
    job = json.dumps({"files": sources(), "main": program})
    board = subprocess.Popen(
        [*node, "4096", str(outer)], stdin=subprocess.PIPE, text=True, pass_fds=(outer,)
    )
    try:
        assert board.stdin is not None
        board.stdin.write(job)
        board.stdin.close()
        events = asyncio.run(heard(port, 3))
    finally:
        board.kill()
        board.wait()
        os.close(outer)
        os.close(inner)
    assert DeviceUp("dice") in events
    reports = [event for event in events if isinstance(event, CharacterDie)]
    for name, face in faces.items():
        told = [(report.state, report.face) for report in reports if report.die == name]
        assert told == [("rolling", 0), ("rest", face)]


@pytest.mark.parametrize("work", [heap.HUB, heap.DIE], ids=["hub", "die"])
def test_each_board_keeps_below_64_kilobytes(micropython: Run, work: str) -> None:
    taken = int(micropython(heap.programs(work), files=FAKES))
    assert 10_000 < taken < 64_000
