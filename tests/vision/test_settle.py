"""When a roll is a roll: rendered throws, read by an eye that knows the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion.events import DiceNudged, DiceSettled, Event, SeenDie, TrayDisturbed
from vision.picture import Image, bounded
from vision.read.reader import Hint, Reading
from vision.rendered.layout import Die, truth
from vision.rendered.render import Finish, Scene, Stage
from vision.rendered.scenes import place, some_scene
from vision.rendered.throw import Act, clip, cover, nudge, rest, take, throw
from vision.watch.settle import Pace, Settle

RATE = 15.0


class Play:
    """A tray, a perfect reader and a Settle; acts go in, events with times come out."""

    def __init__(self, seed: int = 1, bodies: int = 2) -> None:
        self.rng = np.random.default_rng(seed)
        kinds = ["black"] * bodies + ["white"] * bodies
        self.scene: Scene = replace(
            some_scene(self.rng, kinds, size=(320, 240), rim="none", stuff="felt"),
            finish=Finish(noise=2.0, jpeg=0),
        )
        scene = self.scene
        self.stage = Stage(scene.camera, scene.light, scene.ground, scene.finish)
        self.truth: tuple[SeenDie, ...] | None = None
        self.reads: list[tuple[Hint, bool]] = []
        self.settle = Settle(self.read)
        self.now = 0.0

    def read(self, _image: Image, hint: Hint) -> Reading:
        """The truth; while things move, nonsense that claims to be sure."""
        self.reads.append((hint, self.truth is not None))
        if self.truth is None:
            return Reading((SeenDie(3, "other", 1.0, (9.0, 9.0), 40.0),), accepted=True)
        return Reading(self.truth, accepted=True)

    def see(self, *acts: Act) -> list[Event]:
        heard: list[Event] = []
        start = self.now
        for frame in clip(self.stage, acts, self.rng, RATE):
            self.truth = frame.dice
            self.now = start + frame.time + 1 / RATE
            heard += self.settle.feed(frame.image, self.now)
        return heard


@pytest.fixture
def play() -> Play:
    return Play()


def rolls(events: Sequence[Event]) -> list[DiceSettled]:
    return [event for event in events if isinstance(event, DiceSettled)]


def rethrown(play: Play, dice: tuple[Die, ...], keep: int) -> tuple[Act, tuple[Die, ...]]:
    kept, gone = dice[:keep], dice[keep:]
    fresh = place([die.skin for die in gone], play.scene.ground.floor, play.rng, around=kept)
    return throw(kept, gone, fresh, play.rng), (*kept, *fresh)


def test_dice_that_lay_there_when_the_eye_opened_are_told_as_roll_zero(play: Play) -> None:
    (event,) = play.see(rest(play.scene.dice, 1.0))
    assert isinstance(event, DiceSettled)
    assert event.roll == 0
    assert event.accepted
    assert len(event.dice) == 4
    assert event.picture.startswith(b"\xff\xd8")


def test_an_empty_tray_says_nothing(play: Play) -> None:
    assert play.see(rest((), 3.0)) == []


@pytest.mark.slow
def test_a_throw_is_told_once_and_the_kept_dice_stayed(play: Play) -> None:
    play.see(rest(play.scene.dice, 1.0))
    act, after = rethrown(play, play.scene.dice, keep=1)
    heard = play.see(act, rest(after, 1.5))
    assert isinstance(heard[0], TrayDisturbed)
    (roll,) = rolls(heard)
    assert len(heard) == 2
    assert roll.roll == 1
    assert sorted(die.value for die in roll.dice) == sorted(die.value for die in after)
    assert sum(not die.moved for die in roll.dice) == 1
    stayed = next(die for die in roll.dice if not die.moved)
    assert stayed.value == play.scene.dice[0].value
    assert len({die.track for die in roll.dice}) == 4


@pytest.mark.slow
def test_two_equal_rolls_in_a_row_are_two_rolls(play: Play) -> None:
    play.see(rest(play.scene.dice, 1.0))
    numbers = []
    dice = play.scene.dice
    for _ in range(2):
        _, after = rethrown(play, dice, keep=0)
        after = tuple(replace(die, value=4) for die in after)
        heard = play.see(throw((), dice, after, play.rng), rest(after, 1.5))
        numbers += [(roll.roll, [die.value for die in roll.dice]) for roll in rolls(heard)]
        dice = after
    assert numbers == [(1, [4, 4, 4, 4]), (2, [4, 4, 4, 4])]


def test_the_other_dice_lie_where_they_lay_while_one_is_pushed(play: Play) -> None:
    dice = play.scene.dice
    now = nudge(dice, 2, play.rng).course(0.1)
    still = [die.pose().centre.tolist() for die in (*dice[:2], *dice[3:])]
    assert [pose.centre.tolist() for pose in now.lying] == still
    assert len(now.flying) == 1


@pytest.mark.slow
def test_a_pushed_die_is_noticed_as_a_nudge_and_no_roll(play: Play) -> None:
    (first,) = rolls(play.see(rest(play.scene.dice, 1.0)))
    act = nudge(play.scene.dice, 2, play.rng, by=0.6)
    heard = play.see(act, rest(act.after, 1.0))
    (nudged,) = [event for event in heard if isinstance(event, DiceNudged)]
    assert rolls(heard) == []
    assert nudged.changed == (first.dice[2].track,)


@pytest.mark.slow
def test_a_throw_that_nobody_asked_for_is_a_nudge(play: Play) -> None:
    play.see(rest(play.scene.dice, 1.0))
    play.settle.expect(asked=False)
    act, after = rethrown(play, play.scene.dice, keep=2)
    heard = play.see(act, rest(after, 1.5))
    assert rolls(heard) == []
    (nudged,) = [event for event in heard if isinstance(event, DiceNudged)]
    assert len(nudged.changed) == 2


@pytest.mark.slow
def test_a_hand_that_only_hovers_leaves_the_roll_as_it_was(play: Play) -> None:
    play.see(rest(play.scene.dice, 1.0))
    heard = play.see(cover(play.scene.dice, 2.5, play.rng), rest(play.scene.dice, 1.0))
    assert isinstance(heard[0], TrayDisturbed)
    (again,) = rolls(heard)
    assert again.roll == 0
    assert not any(die.moved for die in again.dice)


@pytest.mark.slow
def test_dice_still_in_a_hand_are_waited_for(play: Play) -> None:
    """Two dice are taken up, two lie on: that is no roll of two, even when it rests a while."""
    play.see(rest(play.scene.dice, 1.0))
    kept, gone = play.scene.dice[:2], play.scene.dice[2:]
    away = take(kept, gone, play.rng)
    assert rolls(play.see(away, rest(kept, 0.8))) == []
    fresh = place([die.skin for die in gone], play.scene.ground.floor, play.rng, around=kept)
    heard = play.see(throw(kept, (), fresh, play.rng), rest((*kept, *fresh), 1.0))
    (roll,) = rolls(heard)
    assert len(roll.dice) == 4


@pytest.mark.slow
def test_when_four_dice_are_asked_for_three_are_waited_for_longer(play: Play) -> None:
    play.see(rest((), 1.0))
    play.settle.expect(asked=True, wanted=4)
    three = play.scene.dice[:3]
    assert rolls(play.see(throw((), (), three, play.rng), rest(three, 3.0))) == []
    (late,) = rolls(play.see(rest(three, 2.0)))
    assert len(late.dice) == 3


@pytest.mark.slow
def test_rest_is_told_within_four_frames(play: Play) -> None:
    play.see(rest((), 1.0))
    act = throw((), (), play.scene.dice, play.rng)
    assert rolls(play.see(act)) == []
    ended = play.now
    (_,) = rolls(play.see(rest(play.scene.dice, 4.01 / RATE)))
    assert play.now - ended < 0.4


@pytest.mark.slow
def test_only_what_changed_is_read_again(play: Play) -> None:
    play.see(rest(play.scene.dice, 1.0))
    play.reads.clear()
    act = nudge(play.scene.dice, 0, play.rng)
    play.see(act, rest(act.after, 1.0))
    assert play.reads
    width, height = play.scene.camera.size
    for hint, _ in play.reads:
        assert hint.changed
        assert sum(w * h for _, _, w, h in hint.changed) < 0.4 * width * height
        assert hint.die_px == pytest.approx(play.scene.camera.die, rel=0.15)


@pytest.mark.slow
def test_nothing_is_read_while_nothing_changes(play: Play) -> None:
    play.see(rest(play.scene.dice, 1.0))
    play.reads.clear()
    assert play.see(rest(play.scene.dice, 5.0)) == []
    assert play.reads == []


@pytest.mark.slow
def test_light_that_dims_is_no_roll(play: Play) -> None:
    play.see(rest(play.scene.dice, 1.0))
    poses = [die.pose() for die in play.scene.dice]
    for step in range(20):
        frame = play.stage.frame(poses, play.rng)
        dimmed = (frame * (1 - 0.012 * step)).astype(np.uint8)
        play.now += 1 / RATE
        assert play.settle.feed(dimmed, play.now) == ()


@pytest.mark.slow
def test_a_doubtful_reading_is_told_as_doubtful_after_a_few_looks(play: Play) -> None:
    looks: list[Reading] = []

    def unsure(_image: Image, _hint: Hint) -> Reading:
        dice = tuple(replace(die, sure=0.6, second=6) for die in play.truth or ())
        if not dice:
            return Reading((), accepted=True)
        looks.append(Reading(dice, accepted=False, doubts=("glare",)))
        return looks[-1]

    play.settle = Settle(unsure, pace=Pace(most=3))
    play.see(rest((), 1.0))
    act = throw((), (), play.scene.dice, play.rng)
    (event,) = rolls(play.see(act, rest(play.scene.dice, 2.0)))
    assert len(looks) == 3
    assert not event.accepted


@pytest.mark.slow
def test_quick_readings_with_doubts_give_way_to_thorough_ones(play: Play) -> None:
    def hasty(_image: Image, hint: Hint) -> Reading:
        dice = play.truth or ()
        if dice and not hint.thorough:
            wrong = replace(dice[0], value=dice[0].value % 6 + 1)
            return Reading((wrong, *dice[1:]), accepted=False, doubts=("unsure value",))
        return Reading(dice, accepted=True)

    play.settle = Settle(hasty)
    play.see(rest((), 1.0))
    act = throw((), (), play.scene.dice, play.rng)
    (event,) = rolls(play.see(act, rest(play.scene.dice, 2.0)))
    assert event.accepted
    assert [die.value for die in event.dice] == [die.value for die in play.truth or ()]


@pytest.mark.slow
def test_doubts_about_what_lay_there_before_bother_nobody(play: Play) -> None:
    ghost = SeenDie(3, "other", 0.4, (9.0, 9.0), 40.0)
    play.settle = Settle(lambda _image, _hint: Reading((ghost,), accepted=False))
    assert play.see(rest((), 2.0)) == []
    assert play.settle.state == "rest"


@pytest.mark.slow
def test_a_frame_of_another_size_starts_afresh(play: Play) -> None:
    play.see(rest(play.scene.dice, 1.0))
    small = np.zeros((120, 160, 3), np.uint8)
    assert play.settle.feed(small, play.now + 1) == (TrayDisturbed(),)
    assert play.settle.feed(small, play.now + 2) == ()
    (event,) = rolls(play.see(rest(play.scene.dice, 1.0)))
    assert len(event.dice) == 4


@pytest.mark.slow
def test_dice_taken_away_are_told_when_some_are_left(play: Play) -> None:
    (first,) = rolls(play.see(rest(play.scene.dice, 1.0)))
    kept, gone = play.scene.dice[:3], play.scene.dice[3:]
    heard = play.see(take(kept, gone, play.rng), rest(kept, 2.5))
    (nudged,) = [event for event in heard if isinstance(event, DiceNudged)]
    assert nudged.changed == (first.dice[3].track,)


def test_sixteen_bit_and_grey_frames_are_seen_like_any_other(play: Play) -> None:
    poses = [die.pose() for die in play.scene.dice]
    play.truth = truth(play.scene.dice, play.scene.camera)
    heard: list[Event] = []
    for _ in range(6):
        frame = play.stage.frame(poses, play.rng)
        deep = frame[:, :, 1].astype(np.uint16) * 257
        play.now += 1 / RATE
        heard += play.settle.feed(bounded(deep)[0], play.now)
    (event,) = rolls(heard)
    assert len(event.dice) == 4
