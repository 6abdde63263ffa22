"""The twin as the daemon starts it: a child that throws real physics at the real firmware."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from companion.errors import DeviceLost
from companion.events import CharacterDie, Event
from firmware.feel import RATE
from hardware.dice.hub import Dice
from hardware.twins import tumble
from hardware.twins.hub import Console, Hand, HubTwin, dealt
from hardware.twins.radio import NAMES, Link
from hardware.twins.tumble import Motion
from tests.patience import within


async def _child(tmp_path: Path) -> None:
    """Never leaves the child behind, whatever fails."""
    link = tmp_path / "ttyDICE"
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "hardware.twins.hub", str(link), "--seed", "5"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        await _thrown_in(child, link)
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()


async def _thrown_in(child: asyncio.subprocess.Process, link: Path) -> None:
    assert child.stdin is not None
    assert child.stdout is not None
    async with asyncio.timeout(within(200)):  # the machine may be busy
        assert json.loads(await child.stdout.readline()) == {"did": "plug", "port": str(link)}
        events: asyncio.Queue[Event] = asyncio.Queue()

        async def keep_hearing() -> None:
            dice = Dice(lambda: [str(link)])
            while True:
                try:
                    await dice.run(events.put_nowait)
                except DeviceLost:
                    await asyncio.sleep(0.1)

        hearing = asyncio.create_task(keep_hearing())
        child.stdin.write(b"throw asuna\n")
        truth = json.loads(await child.stdout.readline())
        assert truth["lean"] < 1
        told: list[tuple[str, int]] = []
        while not (told and told[-1][0] == "rest" and "rolling" in dict(told)):
            event = await events.get()
            if isinstance(event, CharacterDie) and event.die == "asuna":
                told.append((event.state, event.face))
        assert told[-2:] == [("rolling", 0), ("rest", truth["face"])]
        child.stdin.write(b"dance\n")
        assert "help" in json.loads(await child.stdout.readline())
        hearing.cancel()
        child.stdin.close()
        assert await child.wait() == 0


@pytest.mark.slow
def test_a_die_thrown_in_the_child_is_reported_with_the_face_that_physics_gave(
    tmp_path: Path,
) -> None:
    asyncio.run(_child(tmp_path))
    assert not (tmp_path / "ttyDICE").is_symlink()  # and its port is gone with it


async def _obeyed(console: Console, *lines: str) -> list[dict[str, object]]:
    return [await console.obey(line) for line in lines]


def test_the_console_can_break_everything_that_can_break(tmp_path: Path) -> None:
    hand = Hand(1)
    twin = HubTwin(tmp_path / "tty", dealt(hand))
    console = Console(twin, hand)
    before = twin.box.hub
    asyncio.run(_obeyed(console, "flat klein", "reset", "faults 20", "unplug"))
    assert twin.box.flat == [twin.box.registry["klein"]]
    assert twin.box.hub is not before
    assert twin.box.radio.faults == 20
    assert not twin.link.is_symlink()
    asyncio.run(_obeyed(console, "charge klein", "plug", "faults 0"))
    assert twin.box.flat == []
    assert twin.link.exists()
    answers = asyncio.run(_obeyed(console, "flat yui", "faults 101", "", "throw"))
    assert all("help" in answer for answer in answers)
    twin.unplug()


def test_every_die_of_the_box_has_its_own_faulty_sensor_and_knows_it() -> None:
    hand = Hand(2)
    box = dealt(hand)
    zeros = {tuple(box.die(name).feel.zero) for name in NAMES}
    assert len(zeros) == 6
    assert all(max(map(abs, zero)) < 250 for zero in zeros)


def test_a_perfect_link_delivers_each_packet_once_in_order() -> None:
    link = Link(seed=3, faults=0)
    for i in range(50):
        link.send("a", "b", bytes([i]), i)
    assert [body for _, _, _, body in link.arrive(1000)] == [bytes([i]) for i in range(50)]


def test_a_bad_link_loses_doubles_delays_and_spoils_a_fifth_each() -> None:
    link, count = Link(seed=3, faults=20), 5000
    for i in range(count):
        link.send("a", "b", i.to_bytes(4, "big"), i)
    arrived = sorted(link.arrive(count + 100))
    bodies = [body for _, _, _, body in arrived]
    numbers = [int.from_bytes(body, "big") for body in bodies]
    assert abs(len(bodies) / count - 0.8 * 1.2) < 0.03  # a fifth lost, a fifth of the rest twice
    assert abs(sum(number >= count for number in numbers) / len(numbers) - 0.2 * 0.75) < 0.06
    late = sum(when - number > 2 for (when, *_), number in zip(arrived, numbers, strict=True))
    assert late / len(numbers) > 0.15


def test_a_die_let_go_falls_as_galileo_says_and_feels_nothing_on_the_way() -> None:
    level = np.eye(3)[None]
    height = 0.1
    start = Motion(np.array([[0, 0, height + 0.015]]), np.zeros((1, 3)), level, np.zeros((1, 3)))
    end = tumble.fall(start)
    strength = np.linalg.norm(end.felt[:, 0], axis=1)
    hit = int(np.argmax(strength > 0.5))
    assert strength[: hit - 1].max() < 0.01
    assert abs(hit / RATE - (2 * height / 9.81) ** 0.5) < 0.006  # 143 ms
    assert tumble.face(end.up)[0] == 1
    assert tumble.lean(end.up)[0] < 0.1
    assert abs(np.linalg.norm(end.felt[-1, 0]) - 1) < 0.02  # at rest it feels its weight


def test_a_die_slides_as_far_as_friction_lets_it() -> None:
    speed = 0.6
    start = Motion(
        np.array([[0, 0, 0.015]]), np.array([[speed, 0, 0]]), np.eye(3)[None], np.zeros((1, 3))
    )
    end = tumble.fall(start)
    slowing = -end.felt[20:40, 0, 0].mean()
    assert abs(slowing - tumble.FRICTION) < 0.1  # in g: Coulomb's share of the weight
    assert end.settled[0]


def test_a_die_on_a_small_die_leans_by_what_geometry_says() -> None:
    # its lower edge on the table, its lower face on an edge 8 mm high and 25 mm away: 17.7 degrees
    tilt = np.arcsin(0.008 / 0.0263)
    turn = tumble.rotation(np.array([[0, tilt, 0]]))
    corner = np.array([0.008 + np.sqrt(0.0263**2 - 0.008**2), 0, 0])
    place = corner + turn[0] @ np.array([-0.015, 0, 0.015])
    start = Motion(place[None], np.zeros((1, 3)), turn, np.zeros((1, 3)))
    end = tumble.fall(start, np.array([0.008]))
    assert end.settled[0]
    assert abs(tumble.lean(end.up)[0] - np.degrees(tilt)) < 3
