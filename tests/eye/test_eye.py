"""The eye's own program: alone on pictures and clips, and as the daemon's child."""

from __future__ import annotations

import asyncio
import io
import json
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

import companion.cli.look as look
import companion.eye.program as eye
from companion.errors import DeviceLost
from companion.events import DiceNudged, DiceSettled, Event, SeenDie, TrayDisturbed
from companion.eye.child import THRIFTY, EyeChild
from companion.eye.heard import decode
from companion.eye.protocol import (
    Answer,
    Beat,
    Expect,
    Fault,
    Glance,
    Heard,
    Render,
    Simple,
    Tiles,
    encode_order,
)
from companion.words import text
from tests.bench.speed import frames
from tests.bench.thrift import measured
from tests.patience import within
from vision.picture import Image
from vision.read.reader import Hint, Reading
from vision.rendered.layout import truth
from vision.rendered.render import render
from vision.rendered.scenes import some_scene


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    path = tmp_path / "photo.jpg"
    cv2.imwrite(str(path), render(some_scene(rng, ["white", "black"], size=(320, 240)), rng).image)
    return path


def see(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(look.app, list(arguments))
    return done.exit_code, done.output


@pytest.mark.slow
def test_a_photograph_is_told_as_a_table_and_drawn(photo: Path, tmp_path: Path) -> None:
    out = tmp_path / "seen.jpg"
    code, told = see(str(photo), "--draw", str(out))
    assert code == 0
    assert "value" in told
    assert "sum" in told
    assert cv2.imread(str(out)) is not None


def test_a_photograph_as_json_is_one_line(photo: Path) -> None:
    code, told = see(str(photo), "--json")
    assert code == 0
    (line,) = told.strip().splitlines()
    assert isinstance(decode(line), DiceSettled)


def test_a_folder_is_watched_picture_by_picture(photo: Path) -> None:
    code, told = see(str(photo.parent), "--watch", "--json")
    assert code == 0
    assert len(told.strip().splitlines()) == 1


@pytest.mark.parametrize("name", ["missing.jpg", "broken.jpg", "broken.mp4"])
def test_what_cannot_be_seen_is_a_clear_sentence(tmp_path: Path, name: str) -> None:
    if name.startswith("broken"):
        (tmp_path / name).write_bytes(b"\xff\xd8\xff\xe0 cut off")
    done = CliRunner().invoke(look.app, [str(tmp_path / name), "--watch"])
    assert done.exit_code == 1
    assert "companion-eye: " in done.stderr
    assert "Traceback" not in done.stderr


class Played:
    """A child over the tray that is not there, with a clock that only moves when it sleeps."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = self.read_at = 0.0
        self.said: list[Heard] = []
        monkeypatch.setattr(eye, "read", self.read)
        self.child = eye.Child(
            eye.TWIN, (320, 240), None, 7, self._say, lambda: self.now, self._sleep
        )
        self.plan: list[tuple[float, str | None]] = []

    def read(self, _image: Image, _hint: Hint) -> Reading:
        tray = self.child.tray
        assert tray is not None
        self.read_at = self.now
        return Reading(() if tray.busy else truth(tray.dice, tray.camera), True)

    def _say(self, line: str) -> None:
        self.said.append(decode(line))

    def _sleep(self, seconds: float) -> None:
        self.now += seconds
        while self.plan and self.plan[0][0] <= self.now:
            self.child.orders.put(self.plan.pop(0)[1])

    def play(self, *plan: tuple[float, Expect | Render | Simple | Tiles]) -> Sequence[Heard]:
        """Give the orders at their times and end a while after the last."""
        self.plan = [(at, encode_order(given)) for at, given in plan]
        self.plan.append((plan[-1][0] + 6.0, None))
        self.child.run(_Silence())
        return self.said


class _Silence(io.StringIO):
    """A standard input on which nothing is ever said."""

    def __iter__(self) -> _Silence:
        return self

    def __next__(self) -> str:
        threading.Event().wait()
        raise StopIteration


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Played:
    return Played(monkeypatch)


def rolls(said: Sequence[object]) -> list[DiceSettled]:
    return [each for each in said if isinstance(each, DiceSettled)]


def faces(dice: Sequence[SeenDie]) -> list[tuple[str, int]]:
    return sorted((die.body, die.value) for die in dice)


@pytest.mark.slow
def test_the_twin_is_thrown_into_and_seen(played: Played) -> None:
    said = played.play(
        (2.0, Render(throw=(("black", 3), ("white", 5)))),
        (8.0, Render(throw=(("black", 6),), keep=(("white", 5),))),
    )
    first, second = rolls(said)
    assert (first.roll, faces(first.dice)) == (1, [("black", 3), ("white", 5)])
    assert (second.roll, faces(second.dice)) == (2, [("black", 6), ("white", 5)])
    assert [die.body for die in second.dice if not die.moved] == ["white"]
    assert any(isinstance(each, TrayDisturbed) for each in said)
    assert first.picture.startswith(b"\xff\xd8")


@pytest.mark.slow
def test_signs_of_life_come_at_least_every_second(played: Played) -> None:
    said = played.play((1.0, Simple("glance")), (2.0, Render(throw=(("black", 1),))))
    beats = [each for each in said if isinstance(each, Beat)]
    assert len(beats) >= 8  # in eight seconds
    assert [each for each in said if isinstance(each, Glance)]


@pytest.mark.slow
def test_a_nudge_in_the_twin_is_a_nudge_to_the_eye(played: Played) -> None:
    said = played.play(
        (2.0, Render(throw=(("black", 3), ("white", 5)))), (8.0, Render(nudge=("white", 5)))
    )
    assert len(rolls(said)) == 1
    (nudged,) = [each for each in said if isinstance(each, DiceNudged)]
    assert len(nudged.changed) == 1


@pytest.mark.slow
def test_an_order_that_cannot_be_carried_out_is_answered_and_life_goes_on(played: Played) -> None:
    said = played.play(
        (1.0, Render(number=4, take=(("black", 3),))), (1.5, Tiles(colours="nowhere.json")),
        (2.0, Render(number=5, throw=(("white", 2),))), (2.5, Render(number=6, throw=())),
    )  # fmt: skip
    none, unread, done, late = [each for each in said if isinstance(each, Answer)]
    assert none == Answer(4, text("No such die lies in the tray."))
    assert unread.order == 0
    assert "nowhere.json" in str(unread.why)
    assert [done, late] == [Answer(5), Answer(6, text("The dice are moving."))]
    assert len(rolls(said)) == 1


@pytest.mark.slow
def test_dice_that_the_game_has_changed_are_turned_by_hand_and_that_is_no_roll(
    played: Played,
) -> None:
    """Kirito sets a 3 to a 1 and a 5 lies there by correction, then the black die stays."""
    said = played.play(
        (1.0, Expect(asked=True, wanted=3)),
        (2.0, Render(number=1, throw=(("black", 3), ("white", 4), ("blue", 2)))),
        (8.0, Expect(asked=True, wanted=3, lying=(("black", 1), ("white", 5), ("blue", 6)))),
        (14.0, Expect(asked=True, wanted=3, lying=(("black", 1), ("blue", 6)))),
        (15.0, Render(number=2, throw=(("white", 6),), keep=(("black", 1), ("blue", 6)))),
    )
    first, turned, second = rolls(said)
    assert (first.roll, faces(first.dice)) == (1, [("black", 3), ("blue", 0), ("white", 4)])
    assert (turned.roll, faces(turned.dice)) == (0, [("black", 1), ("blue", 0), ("white", 5)])
    assert second.roll > 1
    assert {die.body: die.moved for die in second.dice} == {
        "black": False, "blue": False, "white": True,
    }  # fmt: skip
    assert [each for each in said if isinstance(each, Answer)] == [Answer(1), Answer(2)]


def test_a_clip_that_ends_is_a_lost_source(tmp_path: Path) -> None:
    path = tmp_path / "short.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 50.0, (64, 48))
    writer.write(np.zeros((48, 64, 3), np.uint8))
    writer.release()
    slept: list[float] = []
    child = eye.Child(str(path), say=lambda _line: None, sleep=slept.append)
    with pytest.raises(DeviceLost, match="no more frames"):
        child.run(_Silence())
    assert slept[-1] == 1.0  # not restarted at full speed


@pytest.mark.slow
def test_a_frozen_eye_is_killed_by_its_deadline() -> None:
    """The real program, the real pipe: it lives, it freezes, it is killed."""
    source = EyeChild([eye.TWIN], deadline=within(2), start=within(60))
    events: list[Event] = []

    async def freeze() -> None:
        running = asyncio.create_task(source.run(events.append))
        await source.alive.wait()
        assert source.order(Fault(kind="stalls"))
        await running

    with pytest.raises(DeviceLost, match="no sign of life for 2 s"):
        asyncio.run(freeze())


@pytest.mark.slow
def test_what_a_roll_took_is_given_back_each_time_the_dice_rest(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    calm: list[float] = []  # seconds since a picture was last read
    monkeypatch.setattr(eye, "give_back", lambda: calm.append(played.now - played.read_at))
    throw = Render(throw=(("black", 0),))
    played.play((1.0, Expect(asked=True, wanted=1)), (4.0, throw), (10.0, throw))
    assert len(calm) == 3  # the tray was opened, and two rolls
    assert min(calm) > 1.5  # dice that are thrown at once find the memory still there


@pytest.mark.slow
def test_a_reading_takes_next_to_no_pages_anew(tmp_path: Path) -> None:
    """12,000 faults a reading made it so slow on a small machine that the camera looked dead."""
    kept = tmp_path / "frames"
    kept.write_bytes(pickle.dumps(list(frames((640, 480), 6, 2))))
    faults, first, held, rest = measured(str(kept), THRIFTY)
    assert faults < 300
    assert first > faults  # what was given back is taken anew
    assert rest < held


SLOW_READING = """
import time, companion.eye.program as program
from companion.events import SeenDie
from vision.read.reader import Reading
die = SeenDie(4, "black", 1.0, (90.0, 90.0), 40.0, (), 0, (), False, 0)
calls = 0
def read(image, hint):
    global calls
    calls += 1
    if calls == 3:  # two opened the tray
        end = time.thread_time() + {seconds}
        while time.thread_time() < end: pass
    return Reading((die,), True)
program.read = read
program.main()
"""


@pytest.mark.slow
def test_an_eye_that_reads_for_longer_than_its_deadline_is_not_lost() -> None:
    program = SLOW_READING.format(seconds=2.5)
    source = EyeChild([eye.TWIN], 1.0, within(60), (sys.executable, "-c", program))
    told: asyncio.Queue[Event] = asyncio.Queue()

    async def play() -> None:
        running = asyncio.create_task(source.run(told.put_nowait))
        await source.alive.wait()
        assert source.order(Render(throw=(("black", 0),)))
        rolls = 0
        while rolls < 2:  # what lay there, and the throw
            event = asyncio.create_task(told.get())
            await asyncio.wait({running, event}, return_when=asyncio.FIRST_COMPLETED)
            assert not running.done(), running.exception()
            rolls += isinstance(event.result(), DiceSettled)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(asyncio.wait_for(play(), within(60)))


@pytest.mark.slow
def test_the_eye_does_without_what_only_the_daemon_and_people_need() -> None:
    """These would take a sixth of its memory, for as long as it runs."""
    code = (
        "import sys, companion.eye.program; print({'pydantic', 'typer', 'rich'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.slow
def test_the_lines_are_plain_json(played: Played) -> None:
    played.child.say = lambda line: lines.append(json.loads(line))
    lines: list[dict[str, object]] = []
    played.play((1.0, Expect(asked=True, wanted=1)), (2.0, Render(throw=(("blue", 0),))))
    (settled,) = [line for line in lines if line.get("event") == "DiceSettled"]
    assert settled["roll"] == 1


@pytest.mark.slow
def test_an_eye_whose_daemon_died_ends_even_when_its_camera_hangs(tmp_path: Path) -> None:
    """A pipe that nobody writes into blocks whoever opens it, as a broken camera does."""
    hung = tmp_path / "hung.mp4"
    os.mkfifo(hung)
    command = [sys.executable, "-m", "companion.eye.program", str(hung)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert b"beat" in process.stdout.readline()  # it lives, and opens the camera next
        process.stdin.close()
        assert process.wait(timeout=within(60)) == 1
