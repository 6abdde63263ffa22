"""The tray's edge on rendered trays, its straightening, and a calibration that no longer fits."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.events import SeenDie
from vision.calibrate.drift import Drift, drift
from vision.calibrate.outline import _rounded, outline, straightening
from vision.picture import Image
from vision.rendered.ground import Rim, Stuff
from vision.rendered.layout import truth
from vision.rendered.optics import Camera
from vision.rendered.render import Stage
from vision.rendered.scenes import some_finish, some_ground, some_light
from vision.rendered.tray import Tray
from vision.watch.sight import Sight


def empty(seed: int, rim: Rim, tilt: float = 0.15) -> tuple[Image, np.ndarray]:
    """An empty tray, and where the edge of its floor is."""
    rng = np.random.default_rng(seed)
    camera = Camera(die=48, tilt=tilt, towards=float(rng.uniform(0, 6)), height=28)
    ground = some_ground(camera, rng, ("felt", "plain", "weave")[seed % 3], rim)
    image = Stage(camera, some_light(rng), ground, some_finish(rng)).frame((), rng)
    x, y = ground.floor.reach[0] + 0.95, ground.floor.reach[1] + 0.95
    edge = np.array([[-x, y, 0], [x, y, 0], [x, -y, 0], [-x, -y, 0]])
    if rim == "round":
        turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
        edge = np.stack([x * np.cos(turn), x * np.sin(turn), 0 * turn], 1)
    return image, camera.project(edge)


def shared(one: np.ndarray, two: np.ndarray) -> float:
    """How much of two outlines is the same, 0 to 1."""
    masks = []
    for points in (one, two):
        mask = np.zeros((480, 640), np.uint8)
        cv2.fillPoly(mask, [np.round(points).astype(np.int32)], 1)
        masks.append(mask)
    return float((masks[0] & masks[1]).sum() / (masks[0] | masks[1]).sum())


@pytest.mark.parametrize("seed", [0, 1, 2, 4])
@pytest.mark.parametrize("rim", ["round", "box"])
@pytest.mark.slow
def test_the_edge_of_a_tray_is_found(rim: Rim, seed: int) -> None:
    image, edge = empty(seed, rim)
    found = outline(image)
    assert found is not None
    assert found.kind == rim
    assert shared(np.array(found.points), edge) > 0.92
    upper_left, upper_right, lower_right, lower_left = found.corners  # else it is shown mirrored
    assert max(upper_left[0], lower_left[0]) < min(upper_right[0], lower_right[0])
    assert max(upper_left[1], upper_right[1]) < min(lower_left[1], lower_right[1])


def test_a_corner_is_rounded_within_an_eighth_of_a_side() -> None:
    corners = np.array([[0, 0], [100, 0], [100, 60], [0, 60]], np.float32)  # 80 on average
    edge = np.array([[0, 9], [9, 0], [0, 10], [91, 0], [90, 60], [50, 0]], np.float32)
    assert _rounded(edge, corners).tolist() == [True, True, False, True, False, False]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_where_there_is_no_rim_none_is_found(seed: int) -> None:
    assert outline(empty(seed, "none")[0]) is None


@pytest.mark.slow
def test_a_slanting_tray_becomes_straight() -> None:
    """A square of the floor, seen at a slant, has four equal sides once it is straightened."""
    image, _ = empty(0, "box", tilt=0.35)
    found = outline(image)
    assert found is not None
    how = straightening(found, (640, 480))
    towards = float(np.random.default_rng(0).uniform(0, 6))
    camera = Camera(die=48, tilt=0.35, towards=towards, height=28)
    square = camera.project(np.array([[-2, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]], float))
    flat = cv2.perspectiveTransform(square[None].astype(np.float64), how.matrix)[0]
    sides = np.linalg.norm(flat - np.roll(flat, 1, 0), axis=1)
    slanting = np.linalg.norm(square - np.roll(square, 1, 0), axis=1)
    assert sides.max() / sides.min() < 1.05
    assert sides.max() / sides.min() < slanting.max() / slanting.min()


@pytest.mark.slow
def test_the_small_picture_is_straightened_like_the_whole_one() -> None:
    image, _ = empty(1, "round")
    found = outline(image)
    assert found is not None
    sight = Sight.of(image).straightened(straightening(found, (640, 480)))
    assert sight.small.shape == tuple(side // sight.step for side in sight.shape[:2])
    grey = cv2.cvtColor(sight.whole, cv2.COLOR_BGR2GRAY)
    again = cv2.resize(grey, sight.small.shape[::-1], interpolation=cv2.INTER_AREA)
    assert float(np.abs(sight.small.astype(int) - again).mean()) < 3


def frames(tray: Tray) -> Image:
    return np.mean([tray.frame(20.0) for _ in range(4)], axis=0).astype(np.uint8)


def shifted(image: Image, x: int, y: int) -> Image:
    """What a camera sees that was turned a little."""
    move = np.array([[1, 0, x], [0, 1, y]], np.float32)
    size = (image.shape[1], image.shape[0])
    return np.asarray(cv2.warpAffine(image, move, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


TRAYS: list[tuple[Stuff, Rim]] = [("felt", "round"), ("wood", "box"), ("felt", "none")]


@pytest.mark.parametrize(("stuff", "rim"), TRAYS)
@pytest.mark.slow
def test_moves_and_light_are_told_apart_from_dice_and_noise(stuff: Stuff, rim: Rim) -> None:
    tray = Tray(np.random.default_rng(1), (640, 480), stuff, rim)
    before = frames(tray)

    def now(image: Image, dice: tuple[SeenDie, ...] = ()) -> Drift:
        return drift(before, image, dice)

    assert now(tray.frame(20.0)).verdict == "fits"
    assert now(shifted(before, 3, 2)).verdict == "fits"  # half a per cent: nothing for a die
    bumped = now(shifted(before, 40, -25))
    assert bumped.verdict == "moved"
    assert 0.5 < bumped.shift / (np.hypot(40, 25) / 640) < 2  # of the worst corner
    tray.throw((("black", 3), ("white", 5), ("white", 1)), ())
    tray.frame(0.0)
    assert now(tray.frame(9.0), truth(tray.dice, tray.camera)).verdict == "fits"
    tray.take((("black", 0), ("white", 0), ("white", 0)))
    tray.frame(10.0)
    tray.frame(19.0)
    for light, verdict in ((0.85, "fits"), (0.35, "light")):
        tray.set_up(light)
        assert now(frames(tray)).verdict == verdict
    warm = np.clip(before * np.array([0.75, 1.0, 1.15]), 0, 255).astype(np.uint8)
    assert now(warm).verdict == "light"


@pytest.mark.slow
def test_another_tray_is_not_the_calibrated_one() -> None:
    one = frames(Tray(np.random.default_rng(1), (640, 480), "felt", "round"))
    other = frames(Tray(np.random.default_rng(1), (640, 480), "wood", "none", look=4))
    assert drift(one, other).verdict in ("covered", "moved")
