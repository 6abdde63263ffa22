"""The stages of the eye, one by one; nothing in is the first case of each."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.picture import Image
from vision.read import bodies, face, pips
from vision.read.confidence import Weights, signs, sure
from vision.read.find import FLOOR, SIDES, SMALLER, Found, distinct, find, find_in, peaks
from vision.read.flaws import flaws
from vision.read.paint import light_blue, squares, tinted
from vision.read.pips import EDGE, SIDE, Pips, pattern
from vision.rendered.render import Picture, render
from vision.rendered.scenes import some_scene

NONE = np.zeros(7, np.float32)
HUES = np.zeros(4, np.float32)
LIGHT_BLUE = (215, 190, 120)


@pytest.fixture(scope="module")
def tray() -> Picture:
    """Two black dice and a white one on felt."""
    random = np.random.default_rng(5)
    return render(some_scene(random, ("black", "white", "black"), stuff="felt"), random)


def _found(x: float, y: float, edge: float = 30.0, heat: float = 0.9) -> Found:
    return Found(x, y, edge, 0.0, heat, NONE, HUES)


def test_a_grey_field_holds_no_faces() -> None:
    assert find(np.full((64, 64, 3), 120, np.uint8), [1.0, 0.5]) == []


def test_peaks_of_a_cold_answer_are_none() -> None:
    assert peaks(np.full((15, 8, 8), -9, np.float32)) == []


def test_a_peak_is_told_in_pixels_with_its_size() -> None:
    out = np.full((15, 9, 9), -9, np.float32)
    out[1] = np.log(40 / 30)  # an edge of 40 pixels
    out[0, 4, 6] = 3.0
    (one,) = peaks(out)
    assert one.x == pytest.approx((6 + 0.5) * 4, abs=0.1)
    assert one.y == pytest.approx((4 + 0.5) * 4, abs=0.1)
    assert one.edge == pytest.approx(40, abs=0.5)
    assert one.heat == pytest.approx(1 / (1 + np.exp(-3)), abs=1e-6)
    assert one.heat > FLOOR


def test_of_two_answers_for_one_die_the_likelier_stays() -> None:
    strong, weak, other = _found(50, 50), _found(60, 50, heat=0.4), _found(81, 50, heat=0.3)
    assert distinct([weak, other, strong]) == [strong, other]
    part = _found(52, 50, edge=20, heat=0.5)  # another size: for the face reader to decide
    assert distinct([part, strong]) == [strong, part]


@pytest.mark.parametrize("side", [*SIDES, 2 * SIDES[-1]])
@pytest.mark.slow
def test_a_glance_reads_a_die_of_known_size_in_a_box_of_any_size(tray: Picture, side: int) -> None:
    assert len(tray.dice) == 3
    for die in tray.dice:
        wide = int(side * die.size / SMALLER)
        (x, y) = die.centre
        seen = find_in(tray.image, [(int(x) - wide // 2, int(y) - wide // 2, wide, wide)], die.size)
        here = [one for one in seen if np.hypot(one.x - x, one.y - y) < 0.15 * die.size]
        assert [int(np.argmax(one.values)) for one in here] == [die.value]
        assert here[0].edge == pytest.approx(die.size, rel=0.12)


def test_a_glance_tells_nothing_outside_of_its_box(tray: Picture) -> None:
    die = tray.dice[0]
    half = int(die.size / 2)
    left = (int(die.centre[0]) - 3 * half, int(die.centre[1]) - half, 2 * half, 2 * half)
    assert find_in(tray.image, [], die.size) == []
    for one in find_in(tray.image, [left], die.size):
        assert left[0] <= one.x < left[0] + left[2]


def test_a_face_is_looked_at_upright_and_turned_by_an_eighth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns = []

    def patch(_image: Image, _one: Found, turn: float) -> Image:
        turns.append(turn)
        return np.zeros((face.PATCH, face.PATCH, 3), np.uint8)

    monkeypatch.setattr(face, "patch", patch)
    face.judge(np.zeros((9, 9, 3), np.uint8), [_found(4, 4)])
    assert turns == [0, pytest.approx(np.pi / 4)]


def test_no_faces_are_judged_without_looking() -> None:
    values, hues = face.judge(np.zeros((9, 9, 3), np.uint8), [])
    assert values.shape == (0, 7)
    assert hues.shape == (0, 4)


def test_a_patch_stands_upright_whatever_the_turn_of_the_die() -> None:
    image = np.zeros((200, 200, 3), np.uint8)
    turn = 0.5
    box = cv2.boxPoints(((100.0, 100.0), (40.0, 40.0), float(np.degrees(turn))))
    cv2.fillConvexPoly(image, box.astype(np.int32), (255, 255, 255))
    one = Found(100, 100, 40, turn, 1.0, NONE, HUES)
    cut = face.patch(image, one, 0.0, 60, 1.5)  # an edge of 40 pixels again, between 10 and 50
    assert cut[14:46, 14:46].min() == 255
    assert cut[:7].max() == 0
    assert cut[:, :7].max() == 0


SPREAD = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, 1), (0, 0), (1, -1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)],
}


def _face(value: int, light: bool) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    body, ink = ((25, 25, 25), (235, 235, 235)) if light else ((235, 235, 235), (25, 25, 25))
    patch = np.full((SIDE, SIDE, 3), body, np.uint8)
    for x, y in SPREAD[value]:
        at = (round(SIDE / 2 + x * 0.25 * EDGE), round(SIDE / 2 + y * 0.25 * EDGE))
        cv2.circle(patch, at, round(0.09 * EDGE), ink, -1, cv2.LINE_AA)
    return patch


@pytest.mark.parametrize("light", [False, True])
@pytest.mark.parametrize("value", range(1, 7))
def test_drawn_pips_are_counted_dark_and_light(value: int, light: bool) -> None:
    counted = pips.count(_face(value, light))
    assert (counted.value, counted.light) == (value, light)
    assert counted.clear > 0.5


def test_a_blank_face_has_no_pips() -> None:
    assert pips.count(np.full((SIDE, SIDE, 3), 200, np.uint8)) == Pips()


def test_five_spots_askew_are_no_five() -> None:
    good = [(x * 0.25, y * 0.25) for x, y in SPREAD[5]]
    assert pattern(good) == 1.0
    assert pattern([*good[1:], (good[0][0] + 0.2, good[0][1])]) == 0.0
    assert pattern([]) == 0.0


def test_two_spots_near_the_middle_are_no_two() -> None:
    assert pattern([(-0.08, -0.08), (0.08, 0.08)]) == 0.0


def test_faces_counted_together_are_counted_as_each_alone() -> None:
    faces = [_face(value, light) for value in range(1, 7) for light in (False, True)]
    pales = [None, True, False] * 4
    alone = [pips.count(one, pale) for one, pale in zip(faces, pales, strict=True)]
    assert pips.counts(faces, pales) == alone


@pytest.mark.parametrize("value", [2, 4])
def test_a_lamp_that_glints_in_the_middle_of_a_dark_face_is_no_pip(value: int) -> None:
    middle = (SIDE // 2, SIDE // 2)
    for ink, counted in ((130, value), (235, value + 1)):  # a reflection; paint like the others
        patch = _face(value, light=True)
        cv2.circle(patch, middle, round(0.08 * EDGE), (ink,) * 3, -1, cv2.LINE_AA)
        seen = pips.count(patch, pale=True)
        assert (seen.value, seen.glint) == (counted, counted == value)


def test_a_middle_pip_that_a_lamp_glints_upon_stays_a_pip() -> None:
    patch = _face(5, light=True)
    glow = np.zeros((SIDE, SIDE), np.float32)
    cv2.circle(glow, (SIDE // 2, SIDE // 2), 9, 110.0, -1)
    patch = np.clip(patch + cv2.GaussianBlur(glow, (0, 0), 4)[..., None], 0, 240).astype(np.uint8)
    assert (seen := pips.count(patch, pale=True)).value == 5
    assert not seen.glint


def _squares(*places: tuple[int, int]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    image = np.full((200, 300, 3), 40, np.uint8)
    for x, y in places:
        cv2.rectangle(image, (x - 15, y - 15), (x + 15, y + 15), (230, 230, 230), -1)
    return image


def test_with_no_dice_read_there_are_no_bodies_to_compare() -> None:
    assert bodies.unread(_squares((50, 50)), []) == ()


def test_every_body_read_leaves_none() -> None:
    image = _squares((50, 50), (150, 100))
    assert bodies.unread(image, [_found(50, 50), _found(150, 100)]) == ()


def test_a_body_that_nobody_read_is_told() -> None:
    image = _squares((50, 50), (150, 100))
    ((x, y),) = bodies.unread(image, [_found(50, 50)])
    assert x == pytest.approx(150, abs=3)
    assert y == pytest.approx(100, abs=3)


def test_a_body_that_hardly_differs_from_its_ground_is_looked_for_nowhere() -> None:
    image = np.full((200, 300, 3), 120, np.uint8)
    image[35:65, 35:65] = 128
    image[:, 150:] = 250
    image[85:115, 200:230] = 128
    assert bodies.unread(image, [_found(50, 50)]) == ()


def test_a_light_blue_body_that_nobody_read_is_told_though_no_such_die_was_read() -> None:
    image = _squares((50, 50))
    image[85:115, 135:165] = (200, 180, 120)
    ((x, y),) = bodies.unread(image, [_found(50, 50)])
    assert (x, y) == pytest.approx((150, 100), abs=3)
    image[image.max(2) < 100] = (200, 180, 120)  # blue ground: no body stands out
    assert bodies.unread(image, [_found(50, 50)]) == ()


def test_of_a_black_die_on_black_cloth_the_pips_alone_make_room_for_it() -> None:
    empty = np.full((200, 300, 3), 25, np.uint8)
    image = empty.copy()
    for x, y in SPREAD[4]:
        cv2.circle(image, (150 + 10 * x, 100 + 10 * y), 4, (200, 200, 200), -1)
    seen = bodies.changes(image, empty, 40.0)
    assert seen is not None
    ((x, y, w, h),) = seen.rooms()
    assert (x + w / 2, y + h / 2) == pytest.approx((150, 100), abs=5)
    assert min(w, h) >= 1.7 * 40
    assert seen.share(_found(150, 100, 40)) > 0.05
    assert seen.share(_found(60, 60, 40)) == 0  # a mark on the tray: nothing changed there


def test_the_two_pips_of_a_black_die_on_black_cloth_lie_in_one_room() -> None:
    empty = np.full((200, 300, 3), 30, np.uint8)
    image = empty.copy()
    for x in (134, 166):  # a two seen corner on: as far apart as pips of one die ever lie
        cv2.circle(image, (x, 100), 4, (200, 200, 200), -1)
    seen = bodies.changes(image, empty, 40.0)
    assert seen is not None
    ((x, y, w, h),) = seen.rooms()
    assert (x + w / 2, y + h / 2) == pytest.approx((150, 100), abs=5)


def test_with_the_empty_tray_known_a_body_of_another_colour_is_told_too() -> None:
    empty = _squares()
    image = _squares((50, 50))
    cv2.rectangle(image, (135, 85), (165, 115), (120, 60, 20), -1)
    assert bodies.unread(image, [_found(50, 50)]) == ()
    changed = bodies.changes(image, empty, 30.0)
    assert changed is not None
    ((x, _),) = changed.unread([_found(50, 50)])
    assert x == pytest.approx(150, abs=3)


def test_a_new_light_over_the_whole_tray_tells_nothing() -> None:
    empty, image = _squares(), _squares((50, 50))
    same = bodies.changes(empty, empty, 30.0)
    assert same is not None
    assert same.unread([]) == ()
    assert bodies.changes(image, empty + np.uint8(60), 30.0) is None
    dimmed = bodies.changes(cv2.convertScaleAbs(empty, alpha=0.7), empty, 30.0)
    assert dimmed is not None
    assert not dimmed.mask.any()


def test_the_colours_of_what_changed_tell_whether_a_light_blue_die_may_be_there() -> None:
    empty = np.full((160, 200, 3), (60, 90, 70), np.uint8)
    empty[10:50, 10:50] = LIGHT_BLUE  # paint on the tray
    image = empty.copy()
    image[60:100, 40:80] = 230
    white = bodies.changes(image, empty, 40.0)
    image[60:100, 120:160] = LIGHT_BLUE
    blue = bodies.changes(image, empty, 40.0)
    assert white is not None
    assert blue is not None
    assert not tinted(white.colours, white.edge)
    assert tinted(blue.colours, blue.edge)
    assert len(blue.colours) == blue.mask.sum() > len(white.colours) > 0


def test_a_die_is_surer_the_more_agree_on_it() -> None:
    given = Weights((0.5, 0.5, 0.5, 1.0, 0.0, -1.0, 0.0), 0.0, 0.9)
    five = np.full(7, 0.01, np.float32)
    five[5] = 0.94
    agreed = signs(5, 0.9, five, five, Pips(5, 0.9), 1.0, False)
    alone = signs(5, 0.9, five, five, Pips(4, 0.9), 1.0, False)
    odd = signs(5, 0.9, five, five, Pips(5, 0.9), 1.6, False)
    assert sure(agreed, given) > sure(alone, given)
    assert sure(agreed, given) > sure(odd, given)
    assert 0 < sure(alone, given) < 1


def test_flaws_name_touching_cut_and_dark() -> None:
    bright = _face(5, light=False)
    one, beside, far = _found(50, 50), _found(80, 50), _found(180, 180)
    size = (200, 200)
    assert flaws(far, bright, "white", [one, beside, far], size) == ()
    assert flaws(one, bright, "white", [one, beside, far], size) == ("touching",)
    assert flaws(_found(8, 50), bright, "white", [], size) == ("cut",)
    assert flaws(far, bright // 10, "white", [far], size) == ("dark",)
    assert flaws(one, bright, "white", [one, _found(65, 50)], size) == ("stacked",)


def test_flaws_name_a_blurred_face() -> None:
    soft = np.asarray(cv2.GaussianBlur(_face(5, light=False), (0, 0), 8), np.uint8)
    assert flaws(_found(50, 50), soft, "white", [], (200, 200)) == ("blurred",)


def _printed(body: tuple[int, int, int], ground: tuple[int, int, int]) -> Image:
    """A die of 40 pixels with a white print, in the middle of 120."""
    image = np.full((120, 120, 3), ground, np.uint8)
    image[40:80, 40:80] = body
    image[52:68, 56:64] = 240
    return image


@pytest.mark.parametrize("ground", [(60, 70, 90), (20, 20, 20), (110, 100, 70)])
def test_a_light_blue_die_is_told_by_its_paint_on_any_ground(ground: tuple[int, int, int]) -> None:
    assert light_blue(_printed((200, 180, 120), ground), _found(60, 60, 40)) > 0.8


@pytest.mark.parametrize("body", [(225, 230, 230), (30, 30, 32), (160, 60, 30), (60, 70, 90)])
def test_no_other_body_passes_for_light_blue(body: tuple[int, int, int]) -> None:
    assert light_blue(_printed(body, (60, 70, 90)), _found(60, 60, 40)) < 0.2


def test_a_light_blue_square_is_proposed_with_its_place_size_and_turn() -> None:
    image = np.full((200, 300, 3), (70, 110, 140), np.uint8)
    corners = cv2.boxPoints(((180, 90), (42, 42), 30.0)).astype(np.int32)
    cv2.fillConvexPoly(image, corners, LIGHT_BLUE)
    cv2.circle(image, (180, 90), 8, (60, 30, 20), -1)  # its print
    image[104:150, 40:82] = LIGHT_BLUE  # a face
    image[120:134, 54:68] = (60, 30, 20)
    image[150:164, 40:82] = (140, 120, 78)  # and its side
    one, other = sorted(squares(image, 40.0), key=lambda found: found.y)
    assert (one.x, one.y, one.edge) == pytest.approx((180, 90, 42), abs=3)
    assert np.degrees(one.turn) % 90 == pytest.approx(30, abs=6)
    assert (other.x, other.y, other.edge) == pytest.approx((61, 127, 44), abs=3.5)


def test_no_square_is_proposed_that_is_blue_ground_or_of_another_size_or_shape() -> None:
    assert squares(np.full((200, 300, 3), LIGHT_BLUE, np.uint8), 40.0) == []
    image = np.full((200, 300, 3), (70, 110, 140), np.uint8)
    image[20:120, 20:44] = LIGHT_BLUE  # a strip
    image[150:165, 100:115] = LIGHT_BLUE  # too small
    image[20:120, 150:250] = LIGHT_BLUE  # too big
    image[140:180, 240:280] = LIGHT_BLUE  # without print
    assert squares(image, 40.0) == []


def test_a_die_that_touches_a_read_one_is_seen_as_unread_and_a_shadow_is_not() -> None:
    empty = np.full((160, 200, 3), (60, 90, 70), np.uint8)
    image = empty.copy()
    image[70:130, 20:100] = (36, 54, 42)  # the shadow of both
    image[60:90, 40:70] = 230
    image[60:90, 70:100] = 30
    seen = bodies.changes(image, empty, 30.0)
    assert seen is not None
    assert len(seen.unread([_found(55, 75)])) == 1
    assert seen.unread([_found(55, 75), _found(85, 75)]) == ()
