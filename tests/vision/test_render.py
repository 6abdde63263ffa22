"""The rendered tray shows what its truth says."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.errors import BadState
from companion.events import Body
from vision.picture import Image
from vision.rendered.dieface import FACES, face_up, sign, skin
from vision.rendered.layout import Die, gap, truth
from vision.rendered.optics import Camera, Light
from vision.rendered.render import Finish, Picture, Scene, Stage, render
from vision.rendered.scenes import cocked, place, some_ground, some_scene
from vision.rendered.throw import SHUTTER, clip, cover, rest, throw
from vision.rendered.trace import draw_die
from vision.rendered.tray import Tray

PLAIN = Finish(blur=0, vignette=0, noise=0, jpeg=0)


def shown(body: Body, value: int, seed: int = 3, turn: float = 0.3) -> Picture:
    """One big die of this value under even light."""
    rng = np.random.default_rng(seed)
    camera = Camera(size=(160, 160), die=90, tilt=0.05)
    light = Light(lamp=(2, 3, 40), strength=0.5, room=(0.5, 0.5, 0.5), window=0, radius=3)
    die = Die(value, replace(skin(body, rng), gloss=0.02, bevel=0.12), (0, 0), turn)
    return render(
        Scene((die,), camera, light, some_ground(camera, rng, "plain", "none"), PLAIN), rng
    )


def upright(picture: Picture) -> Image:
    """The upper face, cut out along its true outline."""
    corners = np.asarray(picture.dice[0].outline, np.float32)
    flat = np.array([[0, 0], [119, 0], [119, 119], [0, 119]], np.float32)
    warp = cv2.getPerspectiveTransform(corners, flat)
    return np.asarray(cv2.warpPerspective(picture.image, warp, (120, 120)), np.uint8)


def stacked(scene: Scene, rng: np.random.Generator) -> Scene:
    """The same tray, its last die on top of its first."""
    below, top = scene.dice[0], scene.dice[-1]
    shift = rng.uniform(-0.3, 0.3, 2)
    place_at = (below.at[0] + float(shift[0]), below.at[1] + float(shift[1]))
    top = replace(top, at=place_at, level=below.level + below.skin.edge)
    return replace(scene, dice=(*scene.dice[:-1], top))


def cut_off(scene: Scene) -> Scene:
    """The same tray, its last die half outside the picture."""
    width = scene.camera.size[0] / scene.camera.die / 2
    die = replace(scene.dice[-1], at=(width * 1.0, scene.dice[-1].at[1]))
    return replace(scene, dice=(*scene.dice[:-1], die))


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("body", ["black", "white"])
def test_the_upper_face_shows_as_many_pips_as_the_truth_says(body: Body, value: int) -> None:
    face = cv2.cvtColor(upright(shown(body, value)), cv2.COLOR_BGR2GRAY)[10:-10, 10:-10]
    middle = (int(face.max()) + int(face.min())) // 2
    pips = face > middle if body == "black" else face < middle
    _, _, stats, _ = cv2.connectedComponentsWithStats(pips.astype(np.uint8))
    assert sum(area > 60 for area in stats[1:, 4]) == value


def test_bodies_have_their_colours() -> None:
    black, white, blue = (
        upright(shown(body, 1))[15:35].mean((0, 1)) for body in ("black", "white", "blue")
    )
    assert black.max() < 90 < 150 < white.min()
    assert blue[0] > blue[1] > blue[2] + 25


def test_a_printed_die_has_no_value_to_read() -> None:
    assert shown("blue", 4).dice[0].value == 0


def test_each_face_of_a_character_die_has_a_sign_of_its_own() -> None:
    signs = [sign(value) for value in range(1, 7)]
    assert all(0.05 < float(one.mean()) < 0.5 for one in signs)
    assert len({one.tobytes() for one in signs}) == 6


def test_a_die_over_the_edge_is_drawn_up_to_the_first_row_and_column() -> None:
    camera, light = Camera(size=(160, 160), die=90, tilt=0.05), Light()
    die = Die(3, skin("white", np.random.default_rng(3)), (-0.9, 0.9), 0.3)
    patch = draw_die(die.pose(), camera, light)
    assert patch is not None
    assert (patch.left, patch.top) == (0, 0)


def test_opposite_faces_add_up_to_seven() -> None:
    assert all(one + two == 7 for one, two in FACES)
    for value in range(1, 7):
        up = face_up(value, 0.7)[2]  # the world's up, seen by the die
        axis = int(np.abs(up).argmax())
        assert FACES[axis][0 if up[axis] > 0 else 1] == value


@pytest.mark.slow
def test_the_same_seed_gives_the_same_picture() -> None:
    one, two = (
        render(some_scene(rng, ["black", "white"], size=(320, 240)), rng)
        for rng in (np.random.default_rng(5), np.random.default_rng(5))
    )
    assert np.array_equal(one.image, two.image)
    assert one.dice == two.dice


@pytest.mark.slow
def test_fourteen_dice_find_room_and_never_overlap() -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        scene = some_scene(rng, ["black"] * 7 + ["white"] * 7, size=(320, 240), touching=0.5)
        assert len(scene.dice) == 14
        pairs = [(a, b) for i, a in enumerate(scene.dice) for b in scene.dice[:i]]
        assert min(gap(a, b) for a, b in pairs) >= 0


def test_truth_tells_what_is_wrong_with_a_die() -> None:
    rng = np.random.default_rng(2)
    scene = some_scene(rng, ["black", "white", "white"], size=(320, 240), rim="none")
    assert [die.wrong for die in truth(scene.dice, scene.camera)] == [(), (), ()]
    above = stacked(scene, rng)
    assert [die.wrong for die in truth(above.dice, above.camera)] == [
        ("stacked",),
        (),
        ("stacked",),
    ]
    leaning = cocked(scene, rng)
    assert truth(leaning.dice, leaning.camera)[2].wrong == ("cocked",)
    out = cut_off(scene)
    assert truth(out.dice, out.camera)[2].wrong == ("cut",)
    edge = scene.dice[0].skin.edge
    close = tuple(replace(scene.dice[0], at=(x, 0.0), turn=0.0) for x in (0.0, edge + 0.03))
    assert [die.wrong for die in truth(close, scene.camera)] == [("touching",), ("touching",)]


@pytest.fixture(scope="module")
def scene() -> Scene:
    rng = np.random.default_rng(8)
    made = some_scene(rng, ["black"] * 2 + ["white"] * 2, size=(320, 240), rim="none")
    return replace(made, finish=replace(PLAIN, noise=1.0))


@pytest.mark.slow
def test_a_throw_ends_at_its_truth_and_the_kept_dice_never_move(scene: Scene) -> None:
    rng = np.random.default_rng(1)
    stage = Stage(scene.camera, scene.light, scene.ground, scene.finish)
    kept, gone = scene.dice[:2], scene.dice[2:]
    fresh = place([die.skin for die in gone], scene.ground.floor, rng, around=kept)
    act = throw(kept, gone, fresh, rng)
    after = (*kept, *fresh)
    frames = list(clip(stage, [rest(scene.dice, 0.2), act, rest(after, 0.3)], rng, 15))
    assert frames[0].dice == truth(scene.dice, scene.camera)
    assert frames[-1].dice == truth(after, scene.camera)
    assert sum(frame.dice is None for frame in frames) > 15
    still = render(replace(scene, dice=after), rng).image
    assert np.abs(frames[-1].image.astype(int) - still).mean() < 3
    for now in np.arange(0, act.seconds, 0.05):
        places = {tuple(np.round(pose.centre, 4)) for pose in act.course(float(now)).lying}
        assert {tuple(np.round(die.pose().centre, 4)) for die in kept} <= places


def test_a_throw_lasts_until_its_last_die_rests(scene: Scene) -> None:
    for seed in range(5):
        act = throw(scene.dice[:2], scene.dice[2:], scene.dice[2:], np.random.default_rng(seed))
        assert act.course(act.seconds - 0.1).flying
        end = act.course(act.seconds)
        assert not end.flying
        assert [pose.centre.tolist() for pose in end.lying] == [
            die.pose().centre.tolist() for die in act.after
        ]


def test_flying_dice_never_sink_into_the_floor(scene: Scene) -> None:
    rng = np.random.default_rng(4)
    act = throw((), (), scene.dice, rng)
    for now in np.arange(0, act.seconds, SHUTTER):
        for streak in act.course(float(now)).flying:
            pose = streak[len(streak) // 2]
            assert pose.centre[2] >= pose.lowest() - 1e-3
            assert pose.lowest() >= 0.45 * pose.skin.edge


def test_dice_in_flight_are_smeared(scene: Scene) -> None:
    rng = np.random.default_rng(4)
    stage = Stage(scene.camera, scene.light, scene.ground, replace(scene.finish, noise=0))
    die = (replace(scene.dice[2], at=(0.0, 0.0)),)
    act = throw((), (), die, rng)
    frames = list(clip(stage, [act, rest(die, 0.2)], rng, 20))
    sharp = [float(cv2.Laplacian(frame.image, cv2.CV_32F).std()) for frame in frames]
    moving = [
        sharpness
        for sharpness, frame in zip(sharp, frames, strict=True)
        if len((act.course(frame.time).flying or ((),))[0]) == 3 and 0.3 < frame.time < 0.6
    ]
    assert moving
    assert max(moving) < 0.8 * sharp[-1]


def test_a_hand_covers_the_tray_with_skin(scene: Scene) -> None:
    rng = np.random.default_rng(4)
    stage = Stage(scene.camera, scene.light, scene.ground, scene.finish)
    empty, covered = (
        frame.image for frame in clip(stage, [rest((), 0.1), cover((), 1.9, rng)], rng, 1.0)
    )
    changed = np.abs(covered.astype(int) - empty).max(2) > 25
    assert 0.15 < changed.mean() < 0.95
    blue, green, red = covered[changed].mean(0)
    assert red > green > blue


def test_the_virtual_tray_does_what_it_is_told() -> None:
    tray = Tray(np.random.default_rng(0), size=(320, 240))
    tray.throw([("black", 3), ("white", 5), ("white", 0)], [])
    tray.frame(0.0)
    assert tray.busy
    tray.frame(60.0)
    assert not tray.busy
    assert [(die.skin.body, die.value) for die in tray.dice[:2]] == [("black", 3), ("white", 5)]
    tray.throw([("black", 6)], [("white", 5)])
    tray.nudge(("black", 6))
    tray.stack(("black", 6), ("white", 5))
    tray.frame(100.0)
    tray.frame(200.0)
    assert sorted((die.skin.body, die.value, die.level > 0.5) for die in tray.dice) == [
        ("black", 6, True),
        ("white", 5, False),
    ]
    with pytest.raises(ValueError, match="No such die"):
        tray.take([("black", 2)])
    tray.take([("black", 6)])
    tray.cock(("white", 5))
    tray.cover(1.0)
    tray.frame(300.0)
    tray.frame(400.0)
    assert [(die.value, die.tilt > 0) for die in tray.dice] == [(5, True)]


def test_a_die_is_dragged_pushed_put_onto_another_and_never_out_of_the_tray() -> None:
    tray = Tray(np.random.default_rng(0), size=(320, 240))
    tray.throw([("black", 3), ("white", 5)], [])
    tray.frame(0.0)
    tray.frame(60.0)

    def spot(die: int) -> tuple[float, float]:
        x, y = truth(tray.dice, tray.camera)[die].centre
        return x / 319, y / 239

    black, white = tray.dice
    (x, y), floor = spot(0), tray.dice[0].at
    tray.drag((x, y), (x + 0.03, y))
    tray.frame(61.0)
    assert tray.frame(62.0).shape == (240, 320, 3)
    assert 0 < np.hypot(*np.subtract(tray.dice[0].at, floor)) < 1.5
    assert tray.dice[1] == white
    tray.drag(spot(0), (0.0, 0.0))
    tray.frame(70.0)
    tray.frame(80.0)
    assert np.hypot(*tray.dice[0].at) <= tray.floor.reach[0] + 0.01
    assert (tray.dice[0].value, tray.dice[0].level) == (black.value, 0)
    tray.drag(spot(0), spot(1))
    tray.frame(90.0)
    tray.frame(99.0)
    assert [die.level > 0.5 for die in tray.dice] == [True, False]
    with pytest.raises(ValueError, match="No such die"):
        tray.drag((0.01, 0.99), (0.5, 0.5))


def thrown(*dice: tuple[Body, int]) -> Tray:
    """A tray in which these dice have come to rest."""
    tray = Tray(np.random.default_rng(0), size=(80, 60))
    tray.throw(dice, [])
    played(tray)
    return tray


def played(tray: Tray) -> None:
    """Until everything that was asked for has happened."""
    now = 0.0
    while tray.busy:
        tray.frame(now)
        now += 60.0


def lying(tray: Tray) -> list[tuple[str, int]]:
    return sorted((die.skin.body, die.value) for die in tray.dice)


def test_a_kept_die_stays_in_its_place_whatever_the_game_has_made_of_its_value() -> None:
    tray = thrown(("black", 3), ("black", 4), ("white", 5))
    places = {die.value: die.at for die in tray.dice}
    tray.arrange([("black", 1), ("black", 4), ("white", 5)])
    assert not tray.placed
    played(tray)
    assert tray.placed
    assert lying(tray) == [("black", 1), ("black", 4), ("white", 5)]
    assert {die.at for die in tray.dice} == set(places.values())
    tray.arrange([("black", 1), ("white", 5)])
    assert not tray.busy  # they lie there so
    tray.throw([("black", 2)], [("black", 1), ("white", 6)])  # nobody turned the white one yet
    played(tray)
    assert not tray.placed
    assert lying(tray) == [("black", 1), ("black", 2), ("white", 6)]
    assert {places[3], places[5]} < {die.at for die in tray.dice}


def test_dice_that_the_game_believes_in_and_nobody_threw_are_laid_in() -> None:
    tray = thrown(("white", 2), ("black", 3))
    tray.arrange([("white", 6), ("white", 6), ("blue", 4)])
    played(tray)
    assert lying(tray) == [("black", 3), ("blue", 4), ("white", 6), ("white", 6)]
    tray.clear()
    played(tray)
    tray.throw([("black", 1)], [("white", 6), ("white", 6)])
    played(tray)
    assert lying(tray) == [("black", 1), ("white", 6), ("white", 6)]


def test_the_print_of_a_character_die_has_no_value_that_must_be_found_again() -> None:
    tray = thrown(("blue", 2), ("black", 3))
    blue = tray.dice[0]
    tray.arrange([("blue", 5)])
    assert not tray.busy
    tray.throw([("black", 1)], [("blue", 5)])
    played(tray)
    assert blue in tray.dice


def test_a_leaning_die_is_set_straight_and_one_on_top_comes_down_with_what_it_stood_on() -> None:
    tray = thrown(("black", 3), ("white", 5), ("white", 2))
    tray.cock(("white", 2))
    tray.stack(("black", 3), ("white", 5))
    tray.arrange([("white", 2)])
    played(tray)
    assert [die.tilt for die in tray.dice] == [0.0] * 3
    tray.throw([("white", 6)], [("black", 3), ("white", 2)])
    played(tray)
    assert {die.level for die in tray.dice} == {0.0}
    tray.stack(("black", 3), ("white", 2))
    tray.throw([("white", 1)], [("black", 3), ("white", 2)])
    played(tray)
    assert sorted(die.level > 0.5 for die in tray.dice) == [False, False, True]


def test_a_throw_while_one_tumbles_and_more_than_can_happen_soon_are_refused() -> None:
    tray = Tray(np.random.default_rng(0), size=(80, 60))
    tray.throw([("black", 3)], [])
    with pytest.raises(BadState, match="The dice are moving"):
        tray.throw([("black", 4)], [])
    tray.cover(2.0)
    tray.cover(2.0)
    with pytest.raises(BadState, match="The dice are moving"):
        tray.cover(2.0)
    tray.arrange([("black", 1)])  # what the game says is never refused
    played(tray)
    assert lying(tray) == [("black", 1)]


@pytest.mark.slow
def test_a_tray_without_room_for_one_more_die_says_so() -> None:
    tray = Tray(np.random.default_rng(0), size=(320, 240))
    with pytest.raises(BadState, match="The tray is full"):
        tray.arrange([("black", 1)] * 400)


@pytest.mark.slow
def test_a_stage_that_remembers_a_resting_tray_still_shows_what_changes() -> None:
    rng = np.random.default_rng(4)
    scene = some_scene(rng, ["black", "white"], size=(320, 240))
    still = replace(scene.finish, noise=0)

    def stage() -> Stage:
        return Stage(scene.camera, scene.light, scene.ground, still)

    both = [die.pose() for die in scene.dice]
    used = stage()
    for poses in (both, both, both[:1], [], both):
        assert np.array_equal(used.frame(poses, rng), stage().frame(poses, rng))
