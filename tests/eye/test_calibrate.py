"""Calibrating: from the empty tray to a stored record, at the panel and at the terminal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import companion.eye.program as eye
from companion.cli.window import calibrate
from companion.errors import BadState, CompanionError
from companion.events import CameraAsked, CameraTold, DiceSettled, Event, Point, SeenDie
from companion.eye.calibrating import Calibrating, unclear
from companion.eye.calibration_file import NAME, Calibration, load, store
from companion.eye.heard import decode
from companion.eye.protocol import (
    Beat,
    Calibrate,
    Expect,
    Glance,
    Heard,
    Render,
    Simple,
    decode_order,
    encode_order,
)
from companion.eye.twin import TwinCamera
from companion.plain import plain
from companion.table.calibration_talk import CameraTalk
from companion.words import Text, text
from tests.daemon.house import House, open_house
from tests.eye.test_eye import _Silence
from tests.table.evening import TWO_SEATS
from vision.picture import Image
from vision.read.reader import Hint, Reading
from vision.rendered.layout import truth
from vision.rendered.tray import Tray
from vision.watch.sight import Straight

Answer = Callable[[CameraTold], list[str]]
THROW = encode_order(Render(throw=(("black", 3), ("white", 5))))
RIGHT, WRONG = encode_order(Calibrate(word="right")), encode_order(Calibrate(word="wrong"))


class Bench:
    """The eye over the twin's tray, with a reader that knows the truth and a clock of its own."""

    def __init__(self, patch: pytest.MonkeyPatch, kept: Path, answer: Answer) -> None:
        self.now, self.said, self._answer = 0.0, list[Heard](), answer
        self.hints: list[Hint] = []  # what each reading was made with
        patch.setattr(eye, "read", self.read)
        self.child = eye.Child(
            eye.TWIN, (320, 240), None, 7, self._say, lambda: self.now, self._sleep, kept=kept
        )
        self.plan: list[tuple[float, str | None]] = []

    def read(self, image: Image, hint: Hint) -> Reading:
        self.hints.append(hint)
        tray = self.child.tray
        assert tray is not None
        dice = () if tray.busy else truth(tray.dice, tray.camera)
        work = self.child._calibrating
        how = work._straight if work else self.child.fit._straight
        if how is not None and image.shape[:2] == how.size[::-1]:
            dice = tuple(replace(die, centre=placed(how, die.centre)) for die in dice)
        return Reading(dice, True)

    def _say(self, line: str) -> None:
        told = decode(line)
        if not isinstance(told, Beat):
            self.said.append(told)
        if isinstance(told, CameraTold):
            for given in self._answer(told):
                self.child.orders.put(given)

    def _sleep(self, seconds: float) -> None:
        self.now += seconds
        while self.plan and self.plan[0][0] <= self.now:
            self.child.orders.put(self.plan.pop(0)[1])

    def run(self, *plan: tuple[float, str | None]) -> list[str]:
        """Give orders at their times; what was said about the camera."""
        self.plan = list(plan)
        self.child.run(_Silence())
        return [told.step for told in self.said if isinstance(told, CameraTold)]


def placed(how: Straight, point: Point) -> Point:
    """Where a point of the camera's picture lies in the straightened one."""
    x, y, scale = how.matrix @ np.array([*point, 1.0])
    return float(x / scale), float(y / scale)


def willing(told: CameraTold) -> list[str]:
    """Somebody who does what he is asked, at once, and finds every reading right."""
    if told.step == "clear" and told.dice:
        return [encode_order(Render(clear=True))]
    return {"throw": [THROW], "again": [THROW], "check": [RIGHT]}.get(told.step, [])


@pytest.mark.slow
def test_one_button_finds_the_tray_learns_the_die_and_stores_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dice lie there at first; then it is bumped, put back, and dimmed."""
    monkeypatch.setattr("companion.eye.fit.EVERY", 1.0)
    monkeypatch.setattr("companion.eye.fit.SOON", 0.5)
    kept = tmp_path / NAME
    bench = Bench(monkeypatch, kept, willing)
    steps = bench.run(
        (0.5, THROW), (4.0, encode_order(Calibrate())),
        (22.0, encode_order(Render(bump=1.0))), (33.0, encode_order(Render(bump=0.0))),
        (44.0, encode_order(Render(light=0.35))), (52.0, None),
    )  # fmt: skip
    told = [step for step in steps if step != "again"]
    assert told == ["clear", "clear", "learn", "throw", "check", "done", "moved", "fits", "light"]
    found = load(kept)
    assert found is not None
    assert (found.camera, found.size, found.tray) == ("twin", (320, 240), "round")
    assert found.die == pytest.approx(0.075 * 320, rel=0.2)
    assert found.look == {"gain": 1.0}
    assert len(found.corners) == 4


@pytest.mark.slow
@pytest.mark.parametrize("bump", [0.3, 0.6])
def test_a_bump_is_told_within_a_second_also_while_the_eye_waits_for_dice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bump: float
) -> None:
    bench = Bench(monkeypatch, tmp_path / NAME, willing)
    heard: list[tuple[str, float]] = []

    def hear(told: CameraTold) -> list[str]:
        heard.append((told.step, bench.now))
        return willing(told)

    bench._answer = hear
    more = encode_order(Expect(asked=True, wanted=8))
    bench.run(
        (0.5, encode_order(Calibrate())), (9.0, THROW), (14.0, more),
        (14.5, encode_order(Render(bump=bump))), (18.0, None),
    )  # fmt: skip
    assert [step for step, _ in heard][-1] == "moved"
    assert heard[-1][1] < 14.5 + 1.2  # a frame or two see it move


@pytest.mark.slow
def test_a_calibration_is_used_by_the_next_reading_not_only_after_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(monkeypatch, tmp_path / NAME, willing)
    steps = bench.run((0.5, encode_order(Calibrate())), (9.0, THROW), (12.0, None))
    assert steps[-1] == "done"
    found = load(tmp_path / NAME)
    assert found is not None
    used = bench.hints[-1]  # of the throw after it
    assert used.circle is not None
    assert used.circle == bench.child.fit.hint.circle
    assert used.die_px in (found.die, pytest.approx(found.die * 0.87))  # or the closer look


@pytest.mark.slow
def test_what_was_stored_is_used_at_the_next_start_by_the_same_camera_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / NAME
    Bench(monkeypatch, kept, willing).run((0.5, encode_order(Calibrate())), (9.0, None))
    again = Bench(monkeypatch, kept, willing)
    assert again.run((1.0, None)) == []
    assert again.child.fit.in_use
    assert again.child.settle.hint.die_px == pytest.approx(24, rel=0.2)
    found = load(kept)
    assert found is not None
    store(kept, replace(found, camera="another"))
    other = Bench(monkeypatch, kept, willing)
    assert other.run((1.0, None)) == ["other"]
    assert not other.child.fit.in_use
    kept.write_text("{")
    assert Bench(monkeypatch, kept, willing).run((1.0, None)) == ["unreadable"]


@pytest.mark.slow
def test_a_reading_that_is_wrong_three_times_stores_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unhappy(told: CameraTold) -> list[str]:
        return [WRONG] if told.step == "check" else willing(told)

    bench = Bench(monkeypatch, tmp_path / NAME, unhappy)
    steps = bench.run((0.5, encode_order(Calibrate())), (50.0, None))
    done = [step for step in steps if step != "again"]  # dice that came to lie at the edge
    assert done == ["clear", "learn", *["throw", "check"] * 3, "failed"]
    assert not (tmp_path / NAME).exists()


def test_one_that_was_forgotten_ends_and_one_in_the_dark_waits_for_light() -> None:
    tray = Tray(np.random.default_rng(1), (160, 120))
    camera = TwinCamera(tray)
    work = Calibrating(camera, lambda _i, _h: Reading((), True), 0.0)
    black = np.full((120, 160, 3), 10, np.uint8)
    told = [told.step for now in range(8) for told in work.feed(black, now / 2)]
    assert told == ["clear", "dark"]
    assert [told.step for told in work.feed(black, 301.0)] == ["stopped"]
    assert work.over
    assert work.found is None


DIE = SeenDie(4, "black", 0.99, (50.0, 50.0), 40.0)


@pytest.mark.parametrize(
    ("dice", "why"),
    [
        ((DIE, DIE), ""),
        ((DIE,), "few"),
        ((DIE, replace(DIE, wrong=("glare",))), "glare"),
        ((DIE, replace(DIE, wrong=("blurred", "dark"))), "dark"),
        ((DIE, replace(DIE, size=70.0)), "uneven"),
    ],
)
def test_a_throw_that_teaches_nothing_says_why(dice: tuple[SeenDie, ...], why: str) -> None:
    assert unclear(DiceSettled(dice, 1, True)) == why
    assert unclear(DiceSettled((DIE, DIE), 1, False)) == "unsure"


GOOD = Calibration(
    1, "twin", (320, 240), 1.0, {"gain": 1.0}, "round", ((0.0, 0.0),) * 4, 24.0, 0.9, "AAAA"
)


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2}, {"format": "x"}, {"die": -1}, {"size": [0, 5]}, {"look": {"gain": "much"}},
        {"background": "not base64!"}, {"tray": "oval"}, {"more": 1}, {"camera": None},
    ],
)  # fmt: skip
def test_a_file_that_is_no_calibration_is_refused_by_name(
    tmp_path: Path, change: dict[str, object]
) -> None:
    path = tmp_path / NAME
    store(path, GOOD)
    assert load(path) == GOOD
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(BadState, match=r"camera\.json"):
        load(path)


def test_a_calibration_that_cannot_be_kept_says_where_and_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadState, match=r"camera\.json cannot be written: (Not a dir|File exists)"):
        store(tmp_path / "file" / NAME, GOOD)


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff\xfe", b"null", b"[" * 50_000])
def test_babble_is_no_calibration(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    with pytest.raises(BadState, match=r"camera\.json"):
        load(tmp_path / NAME)
    assert load(tmp_path / "none.json") is None


# -- at the table


class Scripted:
    """An eye that is only spoken to: it keeps the orders, a test says what it tells."""

    def __init__(self, house: House) -> None:
        self.house, self.orders = house, list[object]()
        self.there = True
        self.refuses: list[Text] = []  # why it does not carry out the next orders

    def order(self, given: object) -> bool:
        self.orders.append(given)
        return self.there

    async def carry_out(self, given: object) -> Text | None:
        self.order(given)
        return self.refuses.pop(0) if self.refuses else None

    async def tells(self, *events: Event) -> None:
        for event in events:
            self.house.daemon.emit(event)
        await self.house.daemon.settled()


def words(house: House, panel: int = 0) -> str:
    view = house.table.panel(panel)
    return " / ".join([*plain(view), view.notice.show(view.names)])


SEEN = (DIE, replace(DIE, value=2, body="white"))


@pytest.mark.slow
def test_the_tables_own_menu_calibrates_and_the_others_see_that(tmp_path: Path) -> None:
    async def evening() -> None:
        async with open_house(tmp_path) as house:
            house.devices.eye = scripted = Scripted(house)  # type: ignore[assignment]
            house.table.camera.there = True
            await house.press(0, "back", "back")  # a look at the table, then its menu
            await house.choose(0, "Calibrate the camera")
            assert Calibrate(word="start", number=1) in scripted.orders
            assert "Take all dice out" in words(house)
            assert "being calibrated" in " ".join(house.glass("table"))
            await house.daemon.throw()  # t in the terminal: the twins' dice are taken away
            assert scripted.orders[-1] == Render(clear=True)
            await scripted.tells(CameraTold("throw"))
            assert "Throw two or more dice" in words(house)
            assert "Join" in words(house, 1)  # the others are not held up
            await scripted.tells(CameraTold("again", SEEN, "glare"))
            assert "A lamp mirrors in the dice. Throw again." in words(house)
            await scripted.tells(CameraTold("check", SEEN))
            assert "b4 w2" in words(house)
            await house.choose(0, "Yes, rightly read")
            assert scripted.orders[-1] == Calibrate(word="right", number=1)
            await scripted.tells(CameraTold("done"))
            assert "The camera is calibrated." in words(house)

    asyncio.run(evening())


def test_a_calibration_that_no_longer_fits_is_told_until_it_does(tmp_path: Path) -> None:
    async def evening() -> None:
        async with open_house(tmp_path) as house:
            scripted = Scripted(house)
            await scripted.tells(CameraTold("moved"))
            assert "camera has moved" in " ".join(house.glass("table"))
            await house.press(0, "next")
            assert "camera has moved" in " ".join(house.glass("table"))
            await scripted.tells(CameraTold("fits"))
            assert "camera" not in " ".join(house.glass("table"))

    asyncio.run(evening())


def test_the_terminal_leads_through_it_and_says_why_it_failed(tmp_path: Path) -> None:
    async def evening() -> None:
        async with open_house(tmp_path) as house:
            house.devices.eye = scripted = Scripted(house)  # type: ignore[assignment]
            scripted.refuses = [text("The dice are moving.")]
            said: list[str] = []

            async def yes(_question: str) -> bool:
                return True

            async def answer() -> None:
                while Calibrate(number=1) not in scripted.orders:
                    await house.daemon.drained()
                    await asyncio.sleep(0)
                await scripted.tells(CameraTold("throw"))
                while sum(isinstance(given, Render) for given in scripted.orders) < 2:
                    await house.daemon.drained()  # refused, told why, asked again, thrown
                    await asyncio.sleep(0)
                await scripted.tells(CameraTold("check", SEEN))
                while Calibrate(word="right", number=1) not in scripted.orders:
                    await house.daemon.drained()
                    await asyncio.sleep(0)
                await scripted.tells(CameraTold("done"))

            window = tmp_path / "window.sock"
            leading = asyncio.create_task(calibrate(window, True, said.append, yes))
            await answer()
            await leading
            throw = "3 of 4: Throw two or more dice into the tray."
            assert said[-5:] == [
                throw, "The dice are moving.", throw,
                "4 of 4: Are these the dice? Seen: black 4, white 2.", "The camera is calibrated."
            ]  # fmt: skip
            scripted.there = False
            with pytest.raises(CompanionError, match=r"Not calibrated\. The camera is lost\."):
                await calibrate(window, True, said.append, yes)

    asyncio.run(evening())


def test_a_calibration_ends_with_whoever_led_it(tmp_path: Path) -> None:
    async def evening() -> None:
        async with open_house(tmp_path) as house:
            house.devices.eye = scripted = Scripted(house)  # type: ignore[assignment]

            async def nobody(_question: str) -> bool:
                raise BadState("this needs somebody who answers")

            window = tmp_path / "window.sock"
            leading = asyncio.create_task(calibrate(window, True, lambda _: None, nobody))
            while Calibrate(number=1) not in scripted.orders:
                await house.daemon.drained()
                await asyncio.sleep(0)
            await scripted.tells(CameraTold("throw"))
            with pytest.raises(BadState, match="somebody"):
                await leading
            for _ in range(1000):
                await asyncio.sleep(0)  # until the word has come through the window
            assert Calibrate(word="stop", number=1) in scripted.orders

    asyncio.run(evening())


def test_the_late_end_of_a_calibration_does_not_end_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped and begun again at once: only then does the eye come to obey the first words."""
    talk = CameraTalk()
    bench = Bench(monkeypatch, tmp_path / NAME, lambda _told: [])
    for word in ("start", "stop", "start"):
        talk.ask(word, 0)
    orders = [
        encode_order(Calibrate(word=word, number=number)) for word, number in talk.drain_words()
    ]
    assert bench.run(*((0.5, line) for line in orders), (1.5, None)) == ["stopped", "clear"]
    told = [one for one in bench.said if isinstance(one, CameraTold)]
    said = [talk.hear(one)[0] for one in told]
    assert said == [None, None]  # nobody is told that it was stopped
    assert talk.asks is not None
    assert talk.asks.title.show() == "Take all dice out of the tray."
    bench.child.obey(Calibrate(word="stop", number=1))  # nor does a late word
    assert bench.child._calibrating is not None


def test_the_late_end_of_a_calibration_does_not_turn_the_terminal_away(tmp_path: Path) -> None:
    async def evening() -> None:
        async with open_house(tmp_path) as house:
            house.devices.eye = scripted = Scripted(house)  # type: ignore[assignment]
            window = tmp_path / "window.sock"
            said: list[str] = []

            async def yes(_question: str) -> bool:
                return True

            for word in ("start", "stop"):
                house.daemon.emit(CameraAsked(word))
            leading = asyncio.create_task(calibrate(window, True, said.append, yes))
            while Calibrate(number=2) not in scripted.orders:
                await house.daemon.drained()
                await asyncio.sleep(0)
            await scripted.tells(CameraTold("stopped", calibration=1))
            await scripted.tells(CameraTold("done", calibration=2))
            await leading
            assert said == ["The camera is calibrated."]

    asyncio.run(evening())


def test_whoever_looks_sees_the_tray_while_it_is_calibrated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(monkeypatch, tmp_path / NAME, lambda _told: [])
    orders = (0.5, encode_order(Calibrate())), (1.0, encode_order(Simple("glance"))), (1.5, None)
    assert bench.run(*orders) == ["clear"]
    (seen,) = [told for told in bench.said if isinstance(told, Glance)]
    assert seen.picture[:2] == b"\xff\xd8"


def test_an_order_to_calibrate_is_a_plain_line() -> None:
    assert decode_order('{"do": "calibrate"}') == Calibrate()
    with pytest.raises(BadState, match="not an order"):
        decode_order('{"do": "calibrate", "word": "please"}')


WITH_EYE = TWO_SEATS.replace("[hardware]", '[eye]\ncamera = "99"\n[hardware]')


@pytest.mark.slow
def test_a_camera_that_does_not_exist_is_a_sentence_and_the_rest_works(tmp_path: Path) -> None:
    """The real program of the eye; the table plays on."""
    from companion.events import DeviceDown

    async def evening() -> None:
        async with open_house(tmp_path, settings=WITH_EYE) as house:
            await house.daemon.hears(DeviceDown)
            (down,) = (e for e in house.daemon.events if isinstance(e, DeviceDown))
            assert "camera 99: no /dev/video99" in str(down.why)
            assert "The eye is lost" in " ".join(house.glass("table"))
            await house.choose(0, "Join")
            assert house.table.play.line.seq == 1

    asyncio.run(evening())
