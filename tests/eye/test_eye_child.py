"""The eye as a child: heard, ordered, killed when it stalls, not believed when it babbles."""

from __future__ import annotations

import asyncio
import json
import sys
from itertools import count
from pathlib import Path

import pytest

from companion.errors import BadState, DeviceLost
from companion.events import (
    DeviceUp,
    DiceNudged,
    DiceSettled,
    Event,
    SeenDie,
    TrayDisturbed,
    Unwell,
)
from companion.eye.child import NO_ANSWER, EyeChild
from companion.eye.heard import decode
from companion.eye.protocol import (
    Answer,
    Beat,
    Expect,
    Glance,
    Render,
    Tiles,
    Trouble,
    decode_order,
    encode,
    encode_order,
)
from companion.eye.pulse import Pulse
from companion.words import Text, text
from tests.patience import within

DIE = SeenDie(
    4, "black", 0.97, (10.5, 20.25), 40.0, ((1.0, 2.0), (3.0, 4.0)), 6, ("touching",), False, 7
)
SAID = [
    DiceSettled((DIE, DIE), 3, True, b"\xff\xd8picture"),
    DiceNudged((DIE,), (7, 8)),
    TrayDisturbed(),
    Beat(12, "rest", 0.5),
    Trouble("camera 0 stopped giving pictures"),
    Glance(b"\xff\xd8", (640, 480)),
    Trouble(text("{n} s of {what}", n=3, what=text("black pictures"))),
    Answer(3),
    Answer(0, text("No such die lies in the tray.")),
]


@pytest.mark.parametrize("thing", SAID, ids=lambda thing: type(thing).__name__)
def test_what_is_told_is_heard_again(thing: Event) -> None:
    line = encode(thing)
    assert "\n" not in line
    assert decode(line) == thing


@pytest.mark.parametrize(
    "line",
    [
        "",
        "no json",
        "[]",
        "3",
        "{}",
        '{"event":"Unknown"}',
        '{"event":"DiceSettled"}',
        '{"event":"DiceSettled","dice":[{"value":"x"}],"roll":1,"accepted":true}',
        '{"beat":"often","state":"rest","ms":1}',
        '{"picture":"not base64!"}',
        b"\xff\xfe\x00",
        "[" * 100_000,
    ],
)
def test_babble_is_no_event(line: str | bytes) -> None:
    with pytest.raises(BadState):
        decode(line)


@pytest.mark.parametrize(
    "given", [Expect(asked=True, wanted=5), Render(throw=(("black", 3),), keep=(("white", 0),))]
)
def test_an_order_is_read_as_it_was_given(given: Expect | Render) -> None:
    assert decode_order(encode_order(given)) == given


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("", "Expecting value"),
        ("{}", "'do'"),
        ('{"do":"dance"}', "do: 'dance' is not known"),
        ('{"do":"render","throw":[["pink",1]]}', "pink"),
        ('{"do":"expect","aked":true}', "aked"),
        ('{"do":"render","throw":[["black",7]]}', "7"),
    ],
)
def test_a_wrong_order_says_what_is_wrong(line: str, wrong: str) -> None:
    with pytest.raises(BadState, match=f"not an order: .*{wrong}"):
        decode_order(line)


def child(program: str, deadline: float = 0.5) -> EyeChild:
    """A child that runs a few lines of Python instead of the eye."""
    return EyeChild([], within(deadline), within(10), (sys.executable, "-u", "-c", program))


BEAT = encode(Beat(1, "rest", 0.1))


def run(source: EyeChild) -> tuple[list[Event], str]:
    """What it emits until it is lost, and why it was."""
    events: list[Event] = []
    with pytest.raises(DeviceLost) as lost:
        asyncio.run(source.run(events.append))
    return events, str(lost.value)


def test_events_come_through_until_the_child_ends() -> None:
    lines = [BEAT, encode(SAID[2]), encode(SAID[0])]
    events, why = run(child(f"import sys\nfor l in {lines!r}: print(l)\nsys.exit('lens cap on')"))
    assert events == [SAID[2], SAID[0]]
    assert why == "it ended: lens cap on"


@pytest.mark.slow
@pytest.mark.parametrize("state", ["rest", "opening"])
def test_a_child_that_stalls_after_its_first_picture_is_killed_in_time(state: str) -> None:
    beat = Beat(1, state, 0.1)
    source = child(f"import time\nprint({encode(beat)!r})\nwhile True: time.sleep(9)", deadline=0.3)
    events, why = run(source)
    assert events == []
    assert why.startswith(f"no sign of life for {source.deadline:g} s: check the camera's cable")
    assert source.beat == beat


def test_a_child_that_babbles_is_lost() -> None:
    _, why = run(child("print('segmentation soup')"))
    assert "unreadable" in why
    _, why = run(child("print('x' * 3_000_000)"))
    assert "endless" in why


def test_a_child_that_cannot_start_is_lost() -> None:
    _, why = run(EyeChild([], command=("/nowhere/python",)))
    assert "cannot be started" in why


def test_trouble_is_told_in_its_own_words() -> None:
    _, why = run(child(f"print({encode(SAID[4])!r})"))
    assert why == "camera 0 stopped giving pictures"


def test_a_reason_comes_through_as_a_text_that_can_be_translated() -> None:
    with pytest.raises(DeviceLost) as lost:
        asyncio.run(child(f"print({encode(SAID[6])!r})").run(lambda _: None))
    assert lost.value.why == text("{n} s of {what}", n=3, what=text("black pictures"))


def test_the_next_child_knows_that_the_camera_gave_pictures() -> None:
    source = child(f"import sys; print({BEAT!r}); print(sys.argv[1:], file=sys.stderr)")
    assert [run(source)[1] for _ in range(2)] == ["it ended: []", "it ended: ['--seen']"]


def test_rolls_keep_rising_when_the_child_is_started_again() -> None:
    lines = [encode(DiceSettled((), number, True)) for number in (0, 1, 2)]
    source = child(f"for l in {lines!r}: print(l)")
    numbers = []
    for _ in range(2):
        events, _ = run(source)
        numbers += [event.roll for event in events if isinstance(event, DiceSettled)]
    assert numbers == [0, 1, 2, 0, 3, 4]  # 0: they lay there, whichever child looks first


def test_what_to_look_for_is_told_again_to_the_next_child() -> None:
    echo = "import sys, json\nr = sys.stdin.readline\nprint(json.dumps({'error': r() + r()}))"
    source = child(echo)
    assert source.order(Expect(asked=True, wanted=6)) is False
    source.order(Tiles(colours="old.json"))
    source.order(Tiles(colours="colours.json"))
    for _ in range(2):
        _, why = run(source)
        assert list(map(json.loads, why.splitlines())) == [
            {"do": "expect", "asked": True, "wanted": 6, "bodies": [], "lying": []},
            {"do": "tiles", "colours": "colours.json"},
        ]


ANSWERS = f"""
import json, sys
print({BEAT!r})
for line in sys.stdin:
    number = json.loads(line).get("number", 0)
    if number == 3:
        break  # it dies and answers no more
    print(json.dumps({{"order": number, "why": ["what is it?", "", "no die"][number]}}))
"""


def test_whoever_gives_an_order_hears_what_came_of_it_or_that_the_eye_is_gone() -> None:
    source, events = child(ANSWERS, deadline=9.0), list[Event]()

    async def ask() -> list[Text | None]:
        heard = [await source.carry_out(Render(cover=0.0))]  # it does not run: number 1 is spent
        source._numbers = count(1)
        running = asyncio.create_task(source.run(events.append))
        await source.alive.wait()
        heard += [await source.carry_out(Render(cover=1.0)) for _ in range(2)]
        source.order(Tiles(colours="none"))  # nobody waits for what comes of it
        heard += [await source.carry_out(Render(cover=1.0)) for _ in range(2)]
        await asyncio.gather(running, return_exceptions=True)
        return heard

    assert asyncio.run(ask()) == [
        NO_ANSWER, None, text("{why}", why="no die"), NO_ANSWER, NO_ANSWER,
    ]  # fmt: skip
    assert events == [Unwell(text("{why}", why="what is it?"))]


def test_an_order_that_is_never_answered_is_given_up() -> None:
    source = child(f"import time\nprint({BEAT!r})\nwhile True: time.sleep(9)", deadline=0.1)

    async def ask() -> Text | None:
        running = asyncio.create_task(source.run(lambda _: None))
        await source.alive.wait()
        why = await source.carry_out(Render(clear=True))
        await asyncio.gather(running, return_exceptions=True)  # lost, for it says nothing more
        return why

    assert asyncio.run(ask()) == NO_ANSWER


PATIENT = f"""
import sys, time
sys.stdin.readline()
for _ in range(12):
    print({BEAT!r})
    time.sleep(0.05)
print('{{"order":1,"why":""}}')
sys.stdin.readline()
"""


@pytest.mark.slow
def test_an_order_that_is_given_during_a_long_reading_is_answered_after_it() -> None:
    source = child("print(" + repr(BEAT) + ")" + PATIENT, deadline=0.3)

    async def ask() -> Text | None:
        running = asyncio.create_task(source.run(lambda _: None))
        await source.alive.wait()
        why = await source.carry_out(Render(clear=True))
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return why

    assert asyncio.run(ask()) is None


SPOKE = """
import pathlib, sys
print({beat!r})
sys.stdin.readline()
print({event!r})
pathlib.Path({mark!r}).touch()
sys.stdin.readline()
"""


def test_what_an_eye_said_in_time_counts_though_the_daemon_was_late_to_hear_it(
    tmp_path: Path,
) -> None:
    mark, deadline = tmp_path / "spoke", 0.1
    source = child(SPOKE.format(beat=BEAT, event=encode(SAID[2]), mark=str(mark)), deadline)
    heard: asyncio.Queue[Event] = asyncio.Queue()

    async def held_up() -> Event:
        loop = asyncio.get_running_loop()
        running = asyncio.create_task(source.run(heard.put_nowait))
        await source.alive.wait()
        await asyncio.sleep(0)
        source.order(Expect())
        late = loop.time() + 2 * source.deadline
        while not mark.exists() or loop.time() < late:
            pass  # the loop has other work
        said = await asyncio.wait_for(heard.get(), within(5))
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return said

    assert asyncio.run(held_up()) == SAID[2]


def test_the_same_frame_read_for_long_does_not_prove_a_camera() -> None:
    source = child(f"for _ in range(9): print({BEAT!r})", deadline=9.0)
    source.proven = 1e-9  # seconds
    assert run(source)[0] == []
    beats = [BEAT, encode(Beat(2, "rest", 0.1))]
    source = child(f"for line in {beats!r}: print(line)", deadline=9.0)
    source.proven = 1e-9
    assert run(source)[0] == [DeviceUp("eye")]


def test_an_eye_beats_while_it_works_on_a_frame_but_not_for_ever_and_not_while_it_waits() -> None:
    frames, worked = [1], [0.0]
    pulse = Pulse(lambda: frames[0], lambda: worked[0])

    def after(now: float, work: float) -> bool:
        worked[0] += work
        return pulse.beats(now)

    assert after(0.5, 0.4)
    assert not after(1.0, 0.0001)  # it waits for the camera
    assert after(1.5, 0.01)  # a busy machine leaves it little
    assert not after(61.0, 0.5)  # stuck
    frames[0] += 1
    assert after(61.5, 0.5)


def test_a_glance_goes_where_it_was_asked_for_and_so_does_the_loss_of_the_eye() -> None:
    seen: list[Glance | None] = []
    source = child(f"print({encode(SAID[5])!r})")
    source.glance = seen.append
    run(source)
    assert seen == [Glance(b"\xff\xd8", (640, 480)), None]


def test_a_cancelled_source_leaves_no_child_behind() -> None:
    source = child(f"import time\nprint({BEAT!r})\nwhile True: time.sleep(9)", deadline=30.0)

    async def cut_short() -> int | None:
        task = asyncio.create_task(source.run(lambda _event: None))
        await source.alive.wait()
        process = source._process
        assert process is not None
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return process.returncode

    assert asyncio.run(cut_short()) == -9
