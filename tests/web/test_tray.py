"""The eye's page and the tray by their API: looked at by all, moved and corrected by seats."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.events import CameraTold, DiceNudged, DiceSettled, SeenDie, TrayDisturbed
from companion.eye.for_pages import EyeForPages
from companion.eye.protocol import Beat, Calibrate, Glance
from companion.words import text
from tests.games.pig import PIG
from tests.web.house import PAGES, PICTURE, VIRTUAL, WITH_EYE, Browser, PageHouse, Still, open_pages
from vision.score import labels


@asynccontextmanager
async def at_the_tray(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A house with such an eye, in which Blue and Red play Pig by their phones."""
    monkeypatch.setattr("companion.daemon.devices.EyeChild", lambda _: Still())
    pages = open_pages(folder, settings=VIRTUAL + WITH_EYE, game=PIG)
    async with pages as house, Browser(house) as blue, Browser(house) as red:
        for panel, who in enumerate((blue, red)):
            await who.claim(panel)
            await who.choose(panel, "Join")
        yield house, blue, red


def lying(*dice: SeenDie, roll: int = 1, accepted: bool = True) -> DiceSettled:
    return DiceSettled(dice, roll, accepted, PICTURE)


def black(value: int, sure: float = 1.0, **more: Any) -> SeenDie:
    return SeenDie(value, "black", sure, (200.0, 100.0), 50.0, track=7, **more)


async def seen(
    house: PageHouse, event: CameraTold | DiceSettled | DiceNudged | TrayDisturbed
) -> None:
    house.daemon.emit(event)
    await house.daemon.settled()


@pytest.mark.slow
def test_everybody_may_look_and_all_who_ask_at_once_get_one_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look() -> None:
        async with at_the_tray(tmp_path, monkeypatch) as (house, _, _), Browser(house) as tv:
            answers = await asyncio.gather(*(tv.get("/api/eye/picture") for _ in range(5)))
            assert {(a.status_code, a.content) for a in answers} == {(200, PICTURE)}
            house.devices.eye.beaten(Beat(12, "rest", 0.5))
            told = (await tv.get("/api/eye")).json()
            assert (told["state"], told["size"], told["twin"]) == ("rest", [1280, 960], True)
            assert (await tv.snapshot("public"))["eye"]["state"] == "rest"
            house.devices.eye.asleep = True
            assert (await tv.get("/api/eye/picture")).status_code == 503

    asyncio.run(look())


def test_a_picture_waits_for_a_long_reading_but_for_no_eye_that_is_lost_or_silent(
    tmp_path: Path,
) -> None:
    async def look() -> None:
        eye = Still()
        for_pages = EyeForPages(eye, tmp_path, lambda: asyncio.sleep(0), twin=True)
        glanced, eye.glance = eye.glance, lambda _: None  # it reads, and answers afterwards
        asked = asyncio.create_task(for_pages.picture())
        await asyncio.sleep(0)
        glanced(Glance(PICTURE, (1280, 960)))
        assert await asked == PICTURE
        asked = asyncio.create_task(for_pages.picture())
        await asyncio.sleep(0)
        glanced(None)
        assert await asked is None
        eye.start = 0.01
        assert await for_pages.picture() is None
        eye.glance = glanced
        assert await for_pages.picture() == PICTURE

    asyncio.run(look())


@pytest.mark.slow
def test_a_doubtful_die_that_is_named_becomes_the_roll(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def correct() -> None:
        async with at_the_tray(tmp_path, monkeypatch) as (house, blue, _):
            await blue.choose(0, "Start")
            doubtful = black(3, 0.5, second=5, wrong=("glare",))
            await seen(house, lying(doubtful, accepted=False))
            assert house.table.play.line.state.pot == 0
            body = {"id": "one", "track": 7, "value": 5}
            for _ in range(2):  # sent twice, done once
                answer = await blue.post("/api/eye/correct", body)
                assert answer.status_code == 200, answer.text
            assert house.table.play.line.state.pot == 5
            tray = (await blue.snapshot("public"))["tray"]
            assert (tray["dice"][0]["value"], tray["told"]) == (5, [7])

    asyncio.run(correct())


@pytest.mark.slow
def test_a_die_of_a_roll_that_counts_is_corrected_only_if_all_agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def correct() -> None:
        async with at_the_tray(tmp_path, monkeypatch) as (house, blue, red):
            await blue.choose(0, "Start")
            await seen(house, lying(black(3)))
            assert house.table.play.line.state.pot == 3
            await red.post("/api/eye/correct", {"id": "one", "track": 7, "value": 6})
            assert house.table.play.line.state.pot == 3
            assert "Agree" in json.dumps((await blue.snapshot("seat"))["choices"])
            second = await red.post("/api/eye/correct", {"id": "two", "track": 7, "value": 2})
            assert "First answer" in second.json()["notice"]
            await blue.choose(0, "Agree")
            assert house.table.play.line.state.pot == 6
            gone = await red.post("/api/eye/correct", {"id": "three", "track": 99, "value": 2})
            assert gone.status_code == 409
            await seen(house, TrayDisturbed())
            moved = await red.post("/api/eye/correct", {"id": "four", "track": 7, "value": 2})
            assert moved.status_code == 409

    asyncio.run(correct())


@pytest.mark.slow
def test_an_example_is_kept_as_the_bench_of_the_eye_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def keep() -> None:
        async with at_the_tray(tmp_path, monkeypatch) as (house, blue, _):
            early = await blue.post("/api/eye/keep", {"id": "early"})
            assert early.status_code == 409
            await seen(house, lying(black(3)))
            await blue.post("/api/eye/correct", {"id": "fix", "track": 7, "value": 4})
            for name in ("one", "one", "two"):
                answer = await blue.post("/api/eye/keep", {"id": name})
                assert answer.status_code == 200, answer.text
            assert answer.json() == {"kept": 2}

    asyncio.run(keep())
    first, second = labels(tmp_path / "examples")
    assert (first.file, first.values, first.colours) == ("0001.jpg", (4,), ("black",))
    assert first.boxes == second.boxes == ((85.0, 35.0, 30.0, 30.0),)  # half of the frame's size
    assert (tmp_path / "examples" / "0002.jpg").read_bytes() == PICTURE


@pytest.mark.slow
def test_the_rendered_tray_is_thrown_into_dragged_covered_and_cleared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def move() -> None:
        async with at_the_tray(tmp_path, monkeypatch) as (house, blue, _):
            eye = house.devices.eye
            for n, (verb, body) in enumerate(
                [
                    ("throw", {}),  # before a game: to try
                    ("drag", {"start": [0.25, 0.5], "end": [1, 0]}),
                    ("cover", {}),
                    ("clear", {}),
                ]
            ):
                answer = await blue.post(f"/api/tray/{verb}", {"id": str(n), **body})
                assert answer.json() == {"done": True}, answer.text
            assert [len(eye.rendered[0].throw or ()), eye.rendered[1].drag] == [
                5,
                ((0.25, 0.5), (1.0, 0.0)),
            ]
            assert eye.rendered[2].cover
            assert eye.rendered[3].throw == ()
            await blue.choose(0, "Start")
            await blue.post("/api/tray/throw", {"id": "asked"})
            assert eye.rendered[-1].throw == (("black", 0),)
            eye.asleep = True
            for verb in ("cover", "throw"):
                answer = await blue.post(f"/api/tray/{verb}", {"id": f"{verb} again"})
                assert answer.status_code == 503
                assert answer.json() == {"detail": "The eye does not answer."}

    asyncio.run(move())


@pytest.mark.slow
def test_an_order_that_the_tray_cannot_carry_out_is_answered_in_the_players_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def move() -> None:
        settings = VIRTUAL.replace("[table]", '[table]\nlanguage = "ja"') + WITH_EYE
        monkeypatch.setattr("companion.daemon.devices.EyeChild", lambda _: Still())
        async with open_pages(tmp_path, settings=settings) as house, Browser(house) as blue:
            house.devices.eye.refuses = text("The dice are moving.")
            for n, verb in enumerate(("throw", "throw", "cover", "clear")):
                answer = await blue.post(f"/api/tray/{verb}", {"id": str(n)})
                assert answer.status_code == 409
                assert answer.json() == {"detail": "ダイスが動いています。"}
            house.devices.eye.refuses = None
            answer = await blue.post("/api/tray/throw", {"id": "later"})
            assert answer.json() == {"done": True}

    asyncio.run(move())


@pytest.mark.slow
def test_nothing_is_thrown_while_something_is_proposed_or_the_eye_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def move() -> None:
        async with at_the_tray(tmp_path, monkeypatch) as (house, blue, red):
            eye = house.devices.eye
            await blue.choose(0, "Start")
            await seen(house, lying(black(3)))
            await red.post("/api/eye/correct", {"id": "one", "track": 7, "value": 6})
            answer = await blue.post("/api/tray/throw", {"id": "proposed"})
            assert answer.json() == {"detail": "First answer what is proposed."}
            await blue.choose(0, "Agree")
            eye._process, _ = object(), eye.alive.clear()  # it runs, and has seen no rest yet
            answer = await blue.post("/api/tray/throw", {"id": "opens"})
            assert answer.json() == {"detail": "The eye opens."}
            assert eye.rendered == []
            eye._process, _ = None, eye.alive.set()
            answer = await blue.post("/api/tray/throw", {"id": "now"})
            assert answer.json() == {"done": True}

    asyncio.run(move())


@pytest.mark.slow
def test_nothing_is_thrown_when_no_roll_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def throw() -> None:
        monkeypatch.setattr("companion.daemon.devices.EyeChild", lambda _: Still())
        async with (
            open_pages(tmp_path, settings=VIRTUAL + WITH_EYE) as house,
            Browser(house) as blue,
            Browser(house) as red,
        ):
            for panel, who in enumerate((blue, red)):
                await who.claim(panel)
                await who.choose(panel, "Join")
            await blue.choose(0, "Start")
            answer = await blue.post("/api/tray/throw", {"id": "x"})
            assert answer.status_code == 409
            assert answer.json() == {"detail": "No roll is asked for now."}

    asyncio.run(throw())


@pytest.mark.parametrize("verb", ["throw", "drag", "cover", "clear"])
@pytest.mark.slow
def test_real_dice_are_not_thrown_by_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    async def throw() -> None:
        monkeypatch.setattr("companion.daemon.devices.EyeChild", lambda _: Still())
        settings = VIRTUAL + WITH_EYE.replace("twin", "0")
        body = {"start": [0, 0], "end": [1, 1]} if verb == "drag" else {}
        async with open_pages(tmp_path, settings=settings) as house, Browser(house) as one:
            answer = await one.post(f"/api/tray/{verb}", {"id": "x", **body})
            assert answer.status_code == 403
            assert "real" in answer.json()["detail"]

    asyncio.run(throw())


@pytest.mark.slow
def test_a_tray_that_was_only_pushed_or_disturbed_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def push() -> None:
        async with at_the_tray(tmp_path, monkeypatch) as (house, blue, _):
            await seen(house, lying(black(3)))
            await seen(house, TrayDisturbed())
            assert (await blue.snapshot("public"))["tray"]["state"] == "moving"
            await seen(house, DiceNudged((black(3),), (7,)))
            tray = (await blue.snapshot("public"))["tray"]
            assert (tray["state"], tray["changed"], tray["roll"]) == ("nudged", [7], 1)
            assert (await blue.snapshot("seat"))["notice"] == ""  # before a game dice are free

    asyncio.run(push())


@pytest.mark.slow
def test_a_phone_enters_dice_by_hand_and_two_phones_agree_on_a_ruling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with at_the_tray(tmp_path, monkeypatch) as (house, blue, red):
            await blue.choose(0, "Start")
            for label in ("Enter by hand", "4", "Yes, that is the roll"):
                assert (await blue.choose(0, label)).status_code == 200
            assert house.table.play.line.state.pot == 4
            await red.send(1, "menu", opened=True)
            for label in ("Set a number", "Blue", "9"):
                assert (await red.choose(1, label)).status_code == 200, label
            assert house.table.play.line.state.scores == (0, 0)
            assert (await blue.choose(0, "Agree")).status_code == 200
            assert house.table.play.line.state.scores == (9, 0)
            assert "Ruling" in json.dumps((await red.snapshot("public"))["log"])

    asyncio.run(play())


@pytest.mark.slow
def test_a_calibration_is_led_by_a_seat_step_by_step_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def calibrate() -> None:
        async with at_the_tray(tmp_path, monkeypatch) as (house, blue, red):
            eye = house.devices.eye

            async def camera() -> Any:
                return (await red.snapshot("public"))["camera"]

            async def say(who: Browser, word: str, number: int = 0) -> int:
                body = {"id": f"{word} {number}", "word": word, "number": number}
                return (await who.post("/api/eye/calibrate", body)).status_code

            assert await camera() is None
            assert await say(blue, "right") == 409  # nothing is under way
            assert await say(blue, "start") == 200
            assert eye.orders[-1] == Calibrate(word="start", number=1)
            told = await camera()
            assert (told["step"], told["at"], told["of"]) == ("clear", 1, 4)
            assert told["says"] == "Take all dice out of the tray."
            assert [one["word"] for one in told["answers"]] == ["stop"]
            assert "Take all dice" in house.table.panel(0).waiting.show()  # on Blue's glass, too
            assert await say(red, "start", 1) == 409  # one is under way
            await seen(house, CameraTold("throw"))
            assert await say(blue, "right", (await camera())["number"]) == 409  # not asked for
            await seen(house, CameraTold("check", (black(3), black(5))))
            told = await camera()
            assert [one["value"] for one in told["dice"]] == [3, 5]
            assert [one["word"] for one in told["answers"]] == ["right", "wrong", "stop"]
            assert await say(red, "right", told["number"] - 1) == 409  # an older step was meant
            assert await say(red, "right", told["number"]) == 200  # any seat may answer
            assert eye.orders[-1] == Calibrate(word="right", number=1)
            await seen(house, CameraTold("done"))
            told = await camera()
            assert (told["step"], told["at"], told["answers"]) == ("done", 0, [])
            assert told["says"] == "The camera is calibrated."

    asyncio.run(calibrate())


@pytest.mark.slow
def test_a_calibration_that_fails_or_is_stopped_says_why_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def calibrate() -> None:
        async with at_the_tray(tmp_path, monkeypatch) as (house, blue, _), Browser(house) as tv:

            async def ended() -> tuple[str, str]:
                told = (await tv.snapshot("public"))["camera"]
                return told["step"], told["says"]

            start = {"word": "start"}
            await blue.post("/api/eye/calibrate", {"id": "one", **start})
            await seen(house, CameraTold("failed", why="wrong"))
            assert await ended() == ("failed", "Not calibrated. The dice were read wrongly.")
            await blue.post("/api/eye/calibrate", {"id": "two", **start})
            assert (await ended())[0] == "clear"
            await blue.post("/api/eye/calibrate", {"id": "three", "word": "stop"})
            await seen(house, CameraTold("stopped"))
            assert await ended() == ("stopped", "Calibration stopped. Nothing changed.")
            house.devices.eye.asleep = True
            await blue.post("/api/eye/calibrate", {"id": "four", **start})
            await house.daemon.settled()
            assert await ended() == ("failed", "Not calibrated. The camera is lost.")

    asyncio.run(calibrate())


@pytest.mark.parametrize("word", ["start", "empty", "right", "wrong", "stop"])
@pytest.mark.slow
def test_a_stranger_can_neither_begin_nor_answer_nor_end_a_calibration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    async def knock() -> None:
        monkeypatch.setattr("companion.daemon.devices.EyeChild", lambda _: Still())
        settings = PAGES + WITH_EYE
        async with (
            open_pages(tmp_path, settings=settings) as house,
            Browser(house) as blue,
            Browser(house) as stranger,
        ):
            await blue.claim(0)
            await blue.post("/api/eye/calibrate", {"id": "x", "word": "start"})
            before = list(house.devices.eye.orders)
            number = (await stranger.snapshot("public"))["camera"]["number"]
            body = {"id": "y", "word": word, "number": number}
            answer = await stranger.post("/api/eye/calibrate", body)
            assert (answer.status_code, house.devices.eye.orders) == (403, before)
            assert house.table.camera.under_way is not None

    asyncio.run(knock())
