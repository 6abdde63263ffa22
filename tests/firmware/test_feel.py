"""What a die feels, against a tumbling cube of physics and against samples worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest

from firmware.battery import per_cent
from firmware.feel import BLOCK, LEANING, NOMINAL, RATE, Feel, good_faces
from hardware.twins import accelerometer, tumble

Sample = tuple[int, int, int]


def told(feel: Feel, samples: list[Sample]) -> list[tuple[int, str, int]]:
    """What the die says while it feels these: (sample, state, face)."""
    changes = (feel.feed(*sample) for sample in samples)
    return [(at, feel.state, feel.face) for at, changed in enumerate(changes) if changed]


def seconds(sample: Sample, length: float) -> list[Sample]:
    return [sample] * round(length * RATE)


@dataclass
class Tally:
    """How a die did over many throws."""

    faces: dict[int, int] = field(default_factory=dict)  # flat landings by face
    right: int = 0
    wrong: list[object] = field(default_factory=list)
    crooked: int = 0  # leaning landings, called crooked
    leaning_rest: list[object] = field(default_factory=list)  # "at rest" while it leant too much
    missed: int = 0  # turned over, but no roll was felt
    rolls: int = 0


def judge(tally: Tally, landing: accelerometer.Landing, chance: np.random.Generator) -> Tally:
    """Let a die with its own faulty sensor feel each landing and compare with the truth."""
    dice = landing.felt.shape[1]
    sensors = accelerometer.sensors(chance, dice)
    samples = sensors.read(landing.felt, chance)
    learnt = sensors.faces(chance)
    faces, leans = tumble.face(landing.up), tumble.lean(landing.up)
    for i in range(dice):
        feel = Feel(learnt[i])
        said = told(feel, [tuple(one) for one in samples[:, i].tolist()])
        for at, state, face in said:
            if state == "rest":
                up = landing.ups[at, i][None]
                if tumble.lean(up)[0] > LEANING or tumble.face(up)[0] != face:
                    tally.leaning_rest.append((i, at, face))
        if not landing.settled[i]:
            continue
        end, lean = (feel.state, feel.face), leans[i]
        wanted = []
        if lean <= LEANING:
            wanted.append(("rest", faces[i]))
        if lean > 5:
            wanted.append(("crooked", 0))
        if end in wanted:
            tally.right += 1
        else:
            tally.wrong.append((end, int(faces[i]), float(lean)))
        if lean <= 5:
            tally.faces[int(faces[i])] = tally.faces.get(int(faces[i]), 0) + 1
        tally.crooked += lean > LEANING and end == ("crooked", 0)
        if tipped(landing)[i] >= 80:
            tally.rolls += 1
            tally.missed += not any(state == "rolling" for _, state, _ in said)
    return tally


def tipped(landing: accelerometer.Landing) -> tumble.Array:
    """The widest angle (degrees) between up in the hand and up on the way, of each die."""
    widest = np.min(np.sum(landing.ups * landing.ups[0], axis=2), axis=0)
    return np.asarray(np.degrees(np.arccos(np.clip(widest, -1, 1))))


def throws(chance: np.random.Generator, kind: str, count: int) -> Iterator[accelerometer.Landing]:
    for start in range(0, count, 500):
        dice = min(500, count - start)
        if kind == "drop":
            yield accelerometer.drop(chance, dice)
        else:
            yield accelerometer.landing(chance, dice, gentle=kind == "gentle")


def tallied(seed: int, kind: str, count: int) -> Tally:
    chance, tally = np.random.default_rng(seed), Tally()
    for landing in throws(chance, kind, count):
        judge(tally, landing, chance)
    return tally


def check_throws(seed: int, count: int, each: int) -> None:
    tally = tallied(seed, "throw", count)
    assert min(tally.faces.values()) >= each
    assert len(tally.faces) == 6
    assert tally.right >= 0.999 * (tally.right + len(tally.wrong)), tally.wrong
    assert tally.leaning_rest == []
    assert tally.missed <= 0.001 * tally.rolls


def check_leaning(count: int) -> None:
    tally = tallied(15, "drop", count)
    assert tally.leaning_rest == []
    assert tally.crooked >= 0.04 * count  # the model does make dice lean
    assert tally.right >= 0.999 * (tally.right + len(tally.wrong)), tally.wrong


def check_gentle(count: int) -> None:
    tally = tallied(4, "gentle", count)
    assert tally.rolls >= 0.3 * count
    assert tally.missed <= 0.001 * tally.rolls
    assert tally.right >= 0.999 * (tally.right + len(tally.wrong)), tally.wrong


def check_carries(count: int) -> None:
    chance, bad = np.random.default_rng(9), []
    for start in range(0, count, 100):  # each hundred walks at another pace
        pulls, faces = accelerometer.carry(chance, min(100, count - start))
        sensors = accelerometer.sensors(chance, pulls.shape[1])
        samples, learnt = sensors.read(pulls, chance), sensors.faces(chance)
        landed = pulls.shape[0] - RATE * 3 // 2  # it lies again from here on
        for i, face in enumerate(faces):
            said = told(Feel(learnt[i]), [tuple(one) for one in samples[:, i].tolist()])
            states = [(state, shown) for _, state, shown in said]
            early = [at for at, state, _ in said[1:] if state == "rest" and at < landed]
            if early or states != [("rest", face), ("handled", 0), ("rest", face)]:
                bad.append((states, early))
    assert bad == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [6, 7, 8])  # three parts, about three hundred of each face in all
def test_a_hundred_tumbles_of_each_face_are_read_right(seed: int) -> None:
    check_throws(seed, 650, 75)


@pytest.mark.soak
def test_five_thousand_tumbles_of_each_face_are_read_right() -> None:
    check_throws(9, 31_500, 5000)


@pytest.mark.slow
def test_a_die_that_leans_is_crooked_and_never_at_rest() -> None:
    check_leaning(250)


@pytest.mark.soak
def test_thousands_of_leaning_dice_are_never_at_rest() -> None:
    check_leaning(6000)


@pytest.mark.slow
def test_a_gentle_roll_is_not_missed() -> None:
    check_gentle(400)


@pytest.mark.soak
def test_thousands_of_gentle_rolls_are_not_missed() -> None:
    check_gentle(10_000)


@pytest.mark.slow
def test_a_thousand_level_carries_are_no_roll_and_no_rest_in_the_air() -> None:
    check_carries(1000)


def test_a_die_at_rest_says_so_after_eight_tenths_of_a_second_and_once() -> None:
    said = told(Feel(), seconds((0, 0, 1000), 3))
    # the first block is no stillness yet: forty more make 0.8 s
    assert said == [(41 * BLOCK - 1, "rest", 1)]


@pytest.mark.parametrize("face", range(1, 7))
def test_each_face_is_known_by_where_up_is(face: int) -> None:
    assert told(Feel(), seconds(NOMINAL[face - 1], 1))[-1][1:] == ("rest", face)


@pytest.mark.parametrize(
    ("sample", "wanted"),
    [
        ((139, 0, 990), ("rest", 1)),  # 8 degrees
        ((259, 0, 966), ("crooked", 0)),  # 15 degrees
        ((707, 0, 707), ("crooked", 0)),  # on an edge
        ((577, 577, 577), ("crooked", 0)),  # on a corner
    ],
)
def test_beyond_ten_degrees_a_die_is_crooked(sample: Sample, wanted: tuple[str, int]) -> None:
    assert told(Feel(), seconds(sample, 1))[-1][1:] == wanted


def test_calibration_takes_away_what_the_sensor_is_off_by() -> None:
    off = (90, -150, 150)
    faces = [tuple(a + b for a, b in zip(face, off, strict=True)) for face in NOMINAL]
    feel = Feel(faces)
    assert feel.zero == off
    assert told(feel, seconds(faces[2], 1))[-1][1:] == ("rest", 3)
    assert told(Feel(), seconds(faces[2], 1))[-1][1:] == ("crooked", 0)  # 212 mg aside: 11 degrees


def test_a_knock_on_the_table_wakes_nobody() -> None:
    knock = [(30, 0, 1200)] * 2 * BLOCK  # 40 ms
    lying = seconds((0, 0, 1000), 1)
    assert len(told(Feel(), lying + knock + lying)) == 1


def test_a_die_turned_over_in_the_hand_and_laid_down_is_handled_but_not_rolled() -> None:
    steps = range(0, 91, 1)
    turning = [
        (round(1000 * np.sin(np.radians(a))), 0, round(1000 * np.cos(np.radians(a))))
        for a in steps
        for _ in range(4)
    ]
    lying = seconds((0, 0, 1000), 1)
    said = told(Feel(), lying + turning + seconds((1000, 0, 0), 1))
    assert [change[1:] for change in said] == [("rest", 1), ("handled", 0), ("rest", 3)]


def test_shaken_in_the_hand_and_held_again_it_does_not_count_as_rolled_for_ever() -> None:
    chance = np.random.default_rng(2)
    feel = Feel()
    flight = seconds((0, 0, 0), 0.1) + seconds((0, 3000, 500), 0.05)
    told(feel, flight)
    assert feel.state == "rolling"
    tremor = chance.normal(0, 40, (RATE * 3, 3))
    said = told(feel, [(int(x), int(y), 1000 + int(z)) for x, y, z in np.repeat(tremor, 8, 0)])
    assert [change[1:] for change in said] == [("handled", 0)]


def test_faces_that_no_cube_has_are_refused() -> None:
    assert good_faces(NOMINAL)
    assert good_faces([(30, -20, 1040), *NOMINAL[1:]])
    assert not good_faces([NOMINAL[1], NOMINAL[0], *NOMINAL[2:]])  # 1 and 6 no longer opposite
    assert not good_faces([NOMINAL[0]] * 6)
    assert not good_faces([(0, 0, 0), *NOMINAL[1:5], (0, 0, 0)])


@pytest.mark.parametrize(
    ("millivolts", "left"),
    [(4300, 100), (4180, 100), (3860, 57), (3740, 25), (3590, 6), (3300, 0), (0, 0)],
)
def test_the_battery_is_read_off_the_curve(millivolts: int, left: int) -> None:
    # 3860 is half way between 3800 (45) and 3920 (70); 3590 half way between 3500 (3) and 3680 (10)
    assert per_cent(millivolts) == left
