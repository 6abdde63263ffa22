"""The real eye over rendered trays: most are read exactly, hardly one is accepted wrongly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.events import DiceSettled, SeenDie
from tests.bench.rendered import Tally, mistakes, run, spread, tray
from vision.read.reader import Hint, Reading, read
from vision.rendered.tray import Tray
from vision.watch.settle import Settle

# Trays of the short run that may be misread, and that may be accepted so; the long run asks for the
# whole promise.
MISREAD = {"calibrated tray": (1, 0), "without any hint": (1, 0)}


def die(value: int, body: str, x: float) -> SeenDie:
    return SeenDie(value, body, 1.0, (x, 50.0), 40.0)  # type: ignore[arg-type]  # a test's body


TRUTH = (die(3, "black", 50), die(5, "white", 150), die(0, "blue", 250))


@pytest.mark.parametrize(
    ("dice", "words"),
    [
        (TRUTH, ()),
        ((TRUTH[0], TRUTH[1], die(4, "blue", 252)), ()),
        (TRUTH[:2], ("missed",)),
        ((*TRUTH, die(1, "white", 400)), ("out of nothing",)),
        ((die(3, "white", 50), *TRUTH[1:]), ("seen as white",)),
        ((die(2, "black", 50), *TRUTH[1:]), ("read as 2",)),
    ],
)
def test_mistakes_are_told_in_words(dice: tuple[SeenDie, ...], words: tuple[str, ...]) -> None:
    told = mistakes(TRUTH, Reading(dice, True))
    assert len(told) == len(words)
    assert all(word in line for word, line in zip(words, told, strict=True))


def test_the_tally_counts_what_was_accepted_wrongly() -> None:
    tally = Tally()
    tally.count(1, TRUTH, Reading(TRUTH, True))
    tally.count(2, TRUTH, Reading((die(3, "white", 50), *TRUTH[1:]), True))
    tally.count(3, TRUTH, Reading(TRUTH[:2], False))
    assert (tally.trays, tally.exact, tally.accepted) == (3, 1, 2)
    assert (tally.accepted_wrong, tally.colours_confused) == (1, 1)
    assert set(tally.failures) == {2, 3}


KNOWN: dict[int, tuple[tuple[int, str], ...]] = {
    2_200_000: ((2, "black"), (2, "white"), (3, "black"), (3, "black"), (3, "white"), (5, "white")),
    2_200_003: ((0, "blue"), (0, "blue"), (2, "black"), (3, "white"), (5, "black"), (6, "black"),
                (6, "white"), (6, "white")),
}  # fmt: skip


@pytest.mark.parametrize("seed", KNOWN)
def test_every_opencv_reads_alike(seed: int) -> None:
    """`make lowest` runs this with the oldest; the readings were the newest one's."""
    thrown = tray(seed)
    for hint in (Hint(die_px=thrown.die_px, background=thrown.empty), Hint()):
        reading = read(thrown.image, hint)
        assert reading.accepted
        assert tuple(sorted((die.value, die.body) for die in reading.dice)) == KNOWN[seed]
        assert min(die.sure for die in reading.dice) > 0.99


@pytest.mark.slow
def test_rendered_trays_are_read_and_calibrated_none_is_accepted_wrongly() -> None:
    for name, tally in run(range(1_000_000, 1_000_060)).items():
        misread, accepted = MISREAD[name]
        assert tally.accepted_wrong <= accepted, (name, tally.failures)
        assert tally.exact >= tally.trays - misread, (name, tally.failures)
        assert tally.accepted >= 0.9 * tally.trays, name


@pytest.mark.slow
def test_failures_are_kept_as_pictures(tmp_path: Path) -> None:
    tallies = run(range(1), read=lambda _image, _hint: Reading(accepted=True), failures=tmp_path)
    assert all(tally.accepted_wrong <= 1 for tally in tallies.values())
    assert (tmp_path / "0-without-any-hint.png").stat().st_size > 1000


@pytest.mark.soak
def test_five_thousand_rendered_trays_keep_the_whole_promise() -> None:
    way = "calibrated tray"
    tally = spread(range(2_000_000, 2_005_000), ways=(way,))[way]
    print(tally)
    assert tally.exact >= 0.998 * tally.trays, tally.failures
    assert tally.accepted_wrong <= 0.0005 * tally.trays, tally.failures
    assert tally.colours_confused == 0, tally.failures


@pytest.mark.slow
@pytest.mark.parametrize("look", [11, 7, 4])
def test_throws_into_the_virtual_tray_are_told_by_the_real_eye(look: int) -> None:
    """Six dice, then three of them again; frame by frame, as the virtual table does it."""
    tray = Tray(np.random.default_rng(look), look=look)
    settle = Settle(read)
    now, told = 0.0, []
    for plan in (None, ([("black", 0)] * 3 + [("white", 0)] * 3, ()), "again"):
        if plan == "again":
            kept = [(d.skin.body, d.value) for d in tray.dice[:3]]
            tray.throw([("white", 0)] * 3, kept)
        elif plan:
            tray.throw(*plan)
        for _ in range(90):
            now += 1 / 12
            told += [
                (e, tray.dice)
                for e in settle.feed(tray.frame(now), now)
                if isinstance(e, DiceSettled)
            ]
    assert [event.roll for event, _ in told] == [1, 2]
    for event, dice in told:
        assert event.accepted
        assert sorted((d.body, d.value) for d in event.dice) == sorted(
            (d.skin.body, d.value) for d in dice
        )
    assert sum(not d.moved for d in told[1][0].dice) == 3
