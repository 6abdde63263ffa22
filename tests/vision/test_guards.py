"""Guards of acceptance: each says when a die, or what looks like one, is asked about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.events import Body, SeenDie
from vision.picture import Image
from vision.read import bodies, confidence, outline, paint
from vision.read import pips as plain
from vision.read.find import Found
from vision.read.judged import Judged
from vision.read.reader import Hint, Reading, because, phantom, read
from vision.read.resolve import KEPT, fellows, joined, missing, resolved
from vision.watch.settle import Settle

VALUES = np.array([0.01, 0.94, *[0.01] * 5], np.float32)
WHITE = np.array([0.01, 0.97, 0.01, 0.01], np.float32)


def _found(x: float, y: float, edge: float = 50.0, turn: float = 0.0, heat: float = 0.9) -> Found:
    return Found(x, y, edge, turn, heat, VALUES, WHITE)


def _judged(found: Found, look: Image | None = None) -> Judged:
    look = np.full((plain.SIDE, plain.SIDE, 3), 220, np.uint8) if look is None else look
    return Judged(found, VALUES, WHITE, plain.Pips(1, 1.0), look)


def _body(shape: str) -> Image:
    image = np.full((160, 160, 3), (60, 90, 60), np.uint8)
    if shape == "round":
        cv2.circle(image, (80, 80), 26, (225, 225, 225), -1, cv2.LINE_AA)
    else:
        cv2.rectangle(image, (55, 55), (105, 105), (225, 225, 225), -1)
    cv2.circle(image, (80, 80), 5, (20, 20, 20), -1, cv2.LINE_AA)
    return image


@pytest.mark.parametrize("shape", ["round", "square"])
def test_a_token_is_told_from_a_die_by_its_outline(shape: str) -> None:
    body = np.array([225, 225, 225], np.float32)
    assert outline.is_round(_body(shape), _found(80, 80), body) == (shape == "round")


def test_paint_that_goes_on_past_a_face_is_a_card_and_paint_that_ends_is_a_die() -> None:
    card = np.full((plain.SIDE, plain.SIDE, 3), 240, np.uint8)
    assert all(outline.goes_on(card, outline.tint(card)))
    die = np.full((plain.SIDE, plain.SIDE, 3), 60, np.uint8)
    rim = round((plain.SIDE - plain.EDGE) / 2)
    die[rim:-rim, rim:-rim] = 240
    assert not any(outline.goes_on(die, outline.tint(die)))
    half = card.copy()
    half[:, -rim:] = 60
    assert outline.goes_on(half, outline.tint(half)) == (False, True, True, True)


def test_a_greyish_die_on_pale_ground_is_looked_at_though_it_dims_the_ground_like_a_shadow() -> (
    None
):
    empty = np.full((240, 320, 3), 220, np.uint8)
    image = empty.copy()
    image[60:108, 60:108] = 165  # a die, all colours dimmed alike
    image[60:108, 200:248] = 30
    image[60:108, 248:270] = 165  # the shadow of another
    found = bodies.changes(image, empty, 48.0)
    assert found is not None
    grey, black = (_found(x, 84.0, edge=46.0) for x in (84.0, 224.0))
    assert found.share(grey) == 0
    assert found.differs(grey)
    rooms = found.rooms()
    holding = [[x < one.x < x + w and y < one.y < y + h for x, y, w, h in rooms]
               for one in (grey, black)]  # fmt: skip
    assert [sum(each) for each in holding] == [1, 1]
    assert len(rooms) == 2


def _ace(wide: float, ink: tuple[int, int, int]) -> Image:
    look = np.full((plain.SIDE, plain.SIDE, 3), 220, np.uint8)
    middle = (plain.SIDE // 2, plain.SIDE // 2)
    cv2.circle(look, middle, round(wide / 2 * plain.EDGE), ink, -1, cv2.LINE_AA)
    return look


@pytest.mark.parametrize("wide", [0.3, 0.4, 0.5])
def test_a_big_ace_is_counted_and_its_body_is_white(wide: float) -> None:
    look = _ace(wide, (30, 30, 190))
    assert outline.ace(look, outline.tint(look)) == plain.Pips(1, 1.0)
    other = np.array([0.01, 0.05, 0.01, 0.93], np.float32)
    one = replace(_judged(_found(0, 0), look), body=other)
    one = replace(one, found=replace(one.found, bodies=other))
    assert int(np.argmax(one.hue)) == 1
    assert one.coloured


def test_a_bare_face_has_no_ace() -> None:
    look = _ace(0.0, (220, 220, 220))
    assert outline.ace(look, outline.tint(look)) is None


@pytest.mark.parametrize(
    ("rim", "body"),
    [
        ((20, 22, 25), "black"),
        ((200, 205, 210), "white"),
        ((215, 200, 195), "white"),  # under a cold lamp
        ((220, 185, 110), "blue"),
        ((40, 40, 180), "other"),
    ],
)
def test_paint_is_named_by_its_rim(rim: tuple[int, int, int], body: Body) -> None:
    assert paint.named(np.array(rim, np.float32)) == body


def test_a_colour_that_the_rim_contradicts_is_asked_about() -> None:
    blue = np.full((plain.SIDE, plain.SIDE, 3), (220, 185, 110), np.uint8)
    assert _judged(_found(0, 0)).coloured
    assert not _judged(_found(0, 0), blue).coloured


def test_a_dim_rim_contradicts_a_white_body_only_where_no_dark_pips_are_counted() -> None:
    dim = np.full((plain.SIDE, plain.SIDE, 3), (54, 66, 75), np.uint8)
    assert _judged(_found(0, 0), dim).coloured
    for counted in (plain.Pips(0, 0.0), plain.Pips(4, 0.3), plain.Pips(4, 1.0, light=True)):
        assert not replace(_judged(_found(0, 0), dim), pips=counted).coloured


def test_six_counted_pips_are_worth_more_than_four_which_may_be_a_part_of_them() -> None:
    def sign(value: int) -> float:
        told = confidence.signs(value, 0.7, VALUES, VALUES, plain.Pips(value, 1.0), 1.0, False)
        return float(told[confidence.SIGNS.index("six")])

    assert (sign(6), sign(4)) == (1.0, 0.0)


def test_halves_of_a_domino_are_joined_and_dice_that_merely_touch_are_not() -> None:
    one = _judged(_found(100, 100))
    assert joined(one, _judged(_found(150, 101)))
    assert not joined(one, _judged(_found(150, 120)))
    assert not joined(one, _judged(_found(150, 101, turn=0.4)))
    assert not joined(one, _judged(_found(180, 100)))
    assert not joined(one, one)


def test_a_die_dropped_for_its_size_leaves_a_doubt_unless_another_lies_there() -> None:
    big, small = _judged(_found(100, 100)), _judged(_found(200, 200, edge=20.0))
    faint = replace(small, face=np.full(7, 1 / 7, np.float32))
    kept = fellows([big, faint])
    assert kept == [big]
    assert missing([big, faint], kept) + missing([big, small], [big]) >= 1
    assert missing([big, small], [big]) == 1
    assert missing([big, replace(small, found=_found(105, 100, edge=20.0))], [big]) == 0


def test_a_visible_side_is_no_die_and_leaves_a_doubt_but_a_sure_die_that_touches_stays() -> None:
    die = _judged(_found(100, 100))
    side = replace(_judged(_found(140, 100, edge=40.0, heat=0.6)), pips=plain.Pips())
    assert resolved([die, side]) == [die]
    assert missing([die, side], [die]) == 1
    sure = _judged(_found(140, 100, edge=40.0))
    assert resolved([die, sure]) == [die, sure]


def test_dice_that_lie_like_pips_are_not_eaten_by_a_face_of_no_fellow_s_size() -> None:
    dice = [_judged(_found(x, 200.0, heat=0.95)) for x in (100.0, 300.0)]
    faint = _judged(_found(200.0, 240.0, heat=0.65))
    four = VALUES[[0, 2, 3, 4, 1, 5, 6]]
    big = replace(_found(200.0, 200.0, edge=380.0, heat=0.9), values=four)
    giant = replace(_judged(big), face=four, pips=plain.Pips(4, 0.7))
    assert giant.value == 4
    assert set(resolved([*dice, faint, giant])) >= {*dice, faint}


def test_a_big_ace_that_the_finder_hardly_noticed_is_a_die() -> None:
    faint = _judged(_found(0, 0, heat=0.22))
    assert faint.chance < KEPT
    assert replace(faint, ace=True).chance > KEPT


def test_print_needs_more_than_paint_where_no_empty_tray_is_known() -> None:
    blue, none = WHITE[[0, 2, 1, 3]], VALUES[[1, 0, 2, 3, 4, 5, 6]]
    one = replace(_judged(_found(0, 0, heat=0.4)), body=blue, face=none, blue=1.0)
    faint = replace(one, found=replace(one.found, bodies=blue, values=none))
    assert faint.printed
    assert phantom(faint, 50.0)
    assert not phantom(replace(faint, found=replace(faint.found, heat=0.7)), 50.0)


@pytest.mark.parametrize(
    "flaw", ["cut", "cocked", "stacked", "unclear colour", "round", "joined", "printed"]
)
def test_a_flaw_says_why_a_die_is_asked_about(flaw: str) -> None:
    die = SeenDie(3, "white", 0.999, (50.0, 50.0), 40.0)
    assert because(die).startswith("accepted")
    assert because(replace(die, wrong=(flaw,))).startswith("asked")
    assert "unsure value" in because(replace(die, sure=confidence.weights().accept - 0.01))


def _seeing(*bodies: Body) -> tuple[list[Hint], Callable[[Image, Hint], Reading]]:
    hints: list[Hint] = []
    dice = tuple(
        SeenDie(3, body, 1.0, (60.0 * k + 40, 60.0), 40.0) for k, body in enumerate(bodies)
    )

    def look(_image: Image, hint: Hint) -> Reading:
        hints.append(hint)
        return Reading(dice, True)

    return hints, look


@pytest.mark.parametrize(("second", "thorough"), [("white", False), ("blue", True)])
def test_other_bodies_than_expected_are_looked_at_thoroughly(second: Body, thorough: bool) -> None:
    hints, look = _seeing("black", second)
    settle = Settle(look, Hint(die_px=40.0))
    settle.expect(asked=True, wanted=2, bodies=("black", "white"))
    told = [e for n in range(20) for e in settle.feed(np.full((120, 160, 3), 90, np.uint8), n / 12)]
    assert len(told) == 1
    assert any(hint.thorough for hint in hints) == thorough


def test_an_empty_picture_has_nothing_to_ask() -> None:
    assert read(np.full((120, 160, 3), 90, np.uint8)) == Reading((), True)
