"""What changed since the tray lay still."""

from __future__ import annotations

import numpy as np
import pytest

from companion.events import SeenDie
from vision.picture import Image
from vision.watch.background import (
    Noise,
    boxes,
    change,
    hand_in,
    patched,
    relit,
    shrunk,
    slack,
    within,
)


def grey(level: int = 100, size: tuple[int, int] = (120, 160)) -> Image:
    return np.full(size, level, np.uint8)


def test_a_frame_shrinks_to_about_160_wide_whatever_it_was() -> None:
    for width, height in ((640, 480), (1296, 972), (1920, 1080), (160, 120), (90, 70)):
        small, step = shrunk(np.zeros((height, width, 3), np.uint8))
        assert small.ndim == 2
        assert 80 <= small.shape[1] <= 200
        assert small.shape[1] * step <= width
    assert shrunk(np.zeros((1, 1, 3), np.uint8))[0].shape == (1, 1)
    assert shrunk(np.zeros((4000, 3, 3), np.uint8))[0].shape == (4000, 3)


def test_noise_is_no_change_and_a_pip_is() -> None:
    rng = np.random.default_rng(0)
    base = grey()
    noisy = np.clip(base + rng.normal(0, 1.5, base.shape), 0, 255).astype(np.uint8)
    assert not change(base, noisy, Noise().bound)
    noisy[50:52, 60:62] += 60
    assert change(base, noisy, Noise().bound)


def test_noisy_cameras_raise_the_bound_to_a_limit() -> None:
    rng = np.random.default_rng(1)
    noise = Noise()
    before = noise.bound
    for _ in range(3):
        one, two = (
            np.clip(grey() + rng.normal(0, 3, grey().shape), 0, 255).astype(np.uint8)
            for _ in range(2)
        )
        two[:50] = 200  # a hand over a good third of the picture
        noise.learn(one, two)
    assert noise.level is not None
    assert 4 < noise.level < 11  # 3 times the root of 2, and some for the hand
    assert before < noise.bound <= 40
    assert not change(one[50:], two[50:], noise.bound)
    level = noise.level
    noise.learn(grey(100), grey(140))  # the lamp was switched on
    assert noise.level == level


def test_an_edge_may_tremble_but_a_moved_edge_is_seen() -> None:
    base = grey()
    base[:, 80:] = 200
    trembling = base.copy()
    trembling[:, 79:81] = np.array([110, 188], np.uint8)
    assert int(slack(base)[0, 80]) == pytest.approx(25)
    assert not change(base, trembling, 8)
    moved = grey()
    moved[:, 78:] = 200
    assert change(base, moved, 8)


def test_dimmer_light_is_no_change_once_relit() -> None:
    rng = np.random.default_rng(0)
    base = rng.integers(30, 250, (120, 160)).astype(np.uint8)
    dim = (base * 0.7).astype(np.uint8)
    assert change(base, dim, 12)
    assert not change(relit(base, dim), dim, 12)
    dark = grey(3)
    assert relit(dark, dark) is dark


def mask_with(*parts: tuple[int, int, int, int]) -> Image:
    mask = np.zeros((120, 160), np.uint8)
    for x, y, w, h in parts:
        mask[y : y + h, x : x + w] = 255
    return mask


def test_a_hand_reaches_over_the_edge_and_is_bigger_than_dice() -> None:
    arm = mask_with((60, 70, 50, 50))
    inside = mask_with((60, 40, 50, 50))
    die_at_the_edge = mask_with((0, 50, 10, 12))
    assert hand_in(arm, 4, 50.0)
    assert not hand_in(inside, 4, 50.0)
    assert not hand_in(die_at_the_edge, 4, 50.0)
    shadow_over_the_edge = mask_with((40, 60, 60, 50), (50, 110, 14, 10))
    assert not hand_in(shadow_over_the_edge, 4, 50.0)


def test_boxes_hold_the_change_and_the_whole_of_dice_they_touch() -> None:
    near = SeenDie(3, "white", 1.0, (110.0, 100.0), 50.0)
    far = SeenDie(3, "white", 1.0, (500.0, 400.0), 50.0)
    (box,) = boxes(mask_with((30, 24, 3, 3)), 4, (640, 480), (near, far), 50.0)
    x, y, w, h = box
    assert x <= 120 - 40
    assert y <= 96 - 40
    assert x <= 110 - 47
    assert y + h >= 100 + 47
    assert within(near, (box,))
    assert not within(far, (box,))
    assert w * h < 200 * 200


def test_boxes_of_no_change_are_none() -> None:
    assert boxes(mask_with(), 4, (640, 480), (), None) == ()


def test_boxes_never_leave_the_picture_nor_overlap() -> None:
    rng = np.random.default_rng(3)
    mask = (rng.random((120, 160)) > 0.995).astype(np.uint8) * 255
    found = boxes(mask, 4, (640, 480), (), 30.0)
    for i, (x, y, w, h) in enumerate(found):
        assert x >= 0
        assert y >= 0
        assert x + w <= 640
        assert y + h <= 480
        for a, b, c, d in found[:i]:
            assert x >= a + c or a >= x + w or y >= b + d or b >= y + h


def test_the_empty_tray_is_renewed_where_no_die_lies() -> None:
    old = np.full((100, 100, 3), 50, np.uint8)
    new = np.full((100, 100, 3), 60, np.uint8)
    die = SeenDie(3, "white", 1.0, (30.0, 30.0), 10.0)
    renewed = patched(old, new, (die,))
    assert renewed is not None
    assert renewed[30, 30, 0] == 50
    assert renewed[80, 80, 0] == 60
    assert patched(None, new, (die,)) is None
    assert patched(None, new, ()) is not None
