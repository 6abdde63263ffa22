"""Is it the roll that was asked for: kept dice, counts, doubts; corrections; rolls by hand."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from companion import events as ev
from companion.games.api import DiceWanted, Die, Rolled
from companion.table.rolls import judge, reported_alone, rethrown
from companion.table.table import Seating
from companion.views import Ending, Meter
from tests.games.pig import PIG
from tests.table.desk import Desk

TWO = Seating(2, ("Red", "Blue"), {"table": (), "one": (0,), "two": (1,)})


def seen(body: ev.Body, value: int, x: float = 0, **more: object) -> ev.SeenDie:
    return ev.SeenDie(value, body, 0.99, (x, 0), 40, **more)  # type: ignore[arg-type]  # test data


def settled(*dice: ev.SeenDie, accepted: bool = True, roll: int | None = None) -> ev.DiceSettled:
    return ev.DiceSettled(dice, next(ROLLS) if roll is None else roll, accepted, b"jpeg")


ROLLS = count(1)


WANTED = DiceWanted(("black", "black", "white"))


def test_a_plain_roll_is_taken_in_the_order_of_the_wanted_bodies() -> None:
    dice = (seen("white", 2, 5), seen("black", 6, 30), seen("black", 1, 10))
    verdict = judge(WANTED, dice, accepted=True, reported={})
    assert verdict.rolled == Rolled((Die("black", 1), Die("black", 6), Die("white", 2)))


@pytest.mark.parametrize(
    ("dice", "why"),
    [
        ((), "Wanted: 2 black, 1 white. I see: no dice."),
        (
            (seen("black", 1), seen("white", 1)),
            "Wanted: 2 black, 1 white. I see: 1 black, 1 white.",
        ),
        (
            (seen("black", 1), seen("blue", 0), seen("white", 1)),
            "Wanted: 2 black, 1 white. I see: 1 black, 1 white, 1 light-blue.",
        ),
    ],
)
def test_a_wrong_number_of_dice_is_told_with_the_figures(
    dice: tuple[ev.SeenDie, ...], why: str
) -> None:
    verdict = judge(WANTED, dice, accepted=True, reported={})
    assert verdict.rolled is None
    assert verdict.why is not None
    assert verdict.why.show() == why


def test_kept_dice_must_lie_where_they_lay_with_what_they_showed() -> None:
    wanted = DiceWanted(("black",), kept=(Die("white", 5),))
    still = seen("white", 5, moved=False)
    assert judge(wanted, (still, seen("black", 3)), accepted=True, reported={}).rolled == Rolled(
        (Die("black", 3),)
    )
    moved = judge(wanted, (seen("white", 5), seen("black", 3)), accepted=True, reported={})
    assert moved.why is not None
    assert moved.why.show() == "The white 5 should stay, but it moved or changed."
    turned = judge(
        wanted, (seen("white", 4, moved=False), seen("black", 3)), accepted=True, reported={}
    )
    assert turned.rolled is None


def test_of_two_equal_dice_one_that_lies_still_does_not_stand_for_both() -> None:
    threes = DiceWanted((), kept=(Die("black", 3), Die("black", 3)))
    still, other = seen("black", 3, moved=False), seen("black", 3, 200, moved=False)
    assert rethrown(threes, (still, seen("black", 5, 200)), threes.kept) == (1,)
    assert rethrown(threes, (still, other), threes.kept) == ()


def test_a_die_that_lies_as_it_was_read_was_not_thrown_again_whatever_it_counts_as_now() -> None:
    counts = DiceWanted((), kept=(Die("black", 1), Die("black", 4)))
    read = (Die("black", 2), Die("black", 4))
    two, four = seen("black", 2, moved=False), seen("black", 4, 200, moved=False)
    assert rethrown(counts, (two, four), read) == ()
    assert rethrown(counts, (two, seen("black", 6, 200)), read) == (1,)
    assert rethrown(counts, (seen("black", 2), four), read) == (0,)  # thrown, the same again
    assert rethrown(counts, (seen("black", 1), four), read) == ()  # turned by hand


def test_a_die_that_counts_as_its_neighbour_shows_does_not_take_its_place() -> None:
    counts = DiceWanted((), kept=(Die("white", 5), Die("white", 5), Die("white", 6)))
    read = (Die("white", 4), Die("white", 5), Die("white", 4))
    four, five = seen("white", 4, moved=False), seen("white", 5, 200, moved=False)
    assert rethrown(counts, (four, five, seen("white", 4, 400, moved=False)), read) == ()
    assert rethrown(counts, (five, seen("white", 5, moved=False), four), read) == ()
    assert rethrown(counts, (four, five, seen("white", 3, 400)), read) == (2,)


def test_a_doubtful_reading_offers_the_two_likeliest_and_never_guesses() -> None:
    dice = (seen("black", 6, 0, second=5), seen("black", 1, 9), seen("white", 2, 20))
    verdict = judge(WANTED, dice, accepted=False, reported={})
    assert verdict.rolled is None
    values = [[die.value for die in guess.dice] for guess in verdict.guesses]
    assert values == [[6, 1, 2], [5, 1, 2]]
    assert verdict.doubtful == (dice[0],)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path, TWO, shelf={"pig": PIG})
    desk.start()
    return desk


def test_a_roll_that_was_asked_for_is_taken_and_its_picture_kept(desk: Desk) -> None:
    desk.table.handle(settled(seen("black", 4)))
    assert desk.table.play.line.state.pot == 4
    last = desk.journal.last()
    assert last is not None
    ((seq, dice, picture),) = desk.journal.readings(last.id)
    assert (seq, dice[0]["value"], picture) == (1, 4, b"jpeg")


def how_known(desk: Desk) -> list[object]:
    """What the journal notes beside each roll of the newest game."""
    last = desk.journal.last()
    assert last is not None
    return [entry.body["roll"] for entry in desk.journal.entries(last.id) if "dice" in entry.body]


def test_the_journal_notes_how_each_roll_was_known(desk: Desk) -> None:
    desk.table.handle(settled(seen("black", 4)))
    desk.choose(0, "Enter by hand")
    desk.choose(0, "6")
    desk.choose(0, "Yes, that is the roll")
    desk.table.handle(settled(seen("black", 3, second=5), accepted=False))
    desk.choose(0, "It is 5")
    assert how_known(desk) == [{"how": "eye"}, {"how": "hand"}, {"how": "eye"}]


def test_a_doubtful_roll_that_is_thrown_again_is_counted_as_declined(desk: Desk) -> None:
    for _ in range(2):
        desk.table.handle(settled(seen("black", 6, second=5), accepted=False))
        desk.table.handle(ev.TrayDisturbed())
    desk.table.handle(settled(seen("black", 2)))
    desk.table.handle(settled(seen("black", 3)))
    assert how_known(desk) == [{"how": "eye", "declined": 2}, {"how": "eye"}]


def test_dice_of_a_twin_are_no_throws_of_real_dice(tmp_path: Path) -> None:
    desk = Desk(tmp_path, TWO, shelf={"pig": PIG})
    desk.table.watched.real_dice = False
    desk.start()
    desk.table.handle(settled(seen("black", 4)))
    assert how_known(desk) == [{"how": "twin"}]


def test_two_equal_rolls_are_two_rolls(desk: Desk) -> None:
    desk.table.handle(settled(seen("black", 4), roll=1))
    desk.table.handle(settled(seen("black", 4), roll=2))
    assert desk.table.play.line.state.pot == 8


def test_a_hand_that_only_hovered_makes_no_second_roll(desk: Desk) -> None:
    desk.table.handle(settled(seen("black", 4), roll=900))
    desk.table.handle(ev.TrayDisturbed())
    desk.table.handle(settled(seen("black", 4, moved=False), roll=900))
    assert desk.table.play.line.state.pot == 4


def test_dice_that_lay_there_when_the_eye_opened_are_no_roll(desk: Desk) -> None:
    desk.table.handle(settled(seen("black", 4), roll=0))
    assert desk.table.play.line.state.pot == 0


def test_a_wrong_roll_is_asked_about_and_by_hand_is_one_press_away(desk: Desk) -> None:
    desk.table.handle(settled(seen("black", 4), seen("black", 3)))
    assert desk.table.play.line.state.pot == 0
    assert "I see: 2 black" in desk.text("one")
    desk.choose(0, "Enter by hand")
    desk.choose(0, "6")
    desk.choose(0, "Yes, that is the roll")
    assert desk.table.play.line.state.pot == 6
    assert "I see" not in desk.text("one")


def test_a_roll_that_is_seen_while_it_is_told_by_hand_leads_back_to_the_game(desk: Desk) -> None:
    desk.choose(0, "Enter by hand")
    desk.table.handle(settled(seen("black", 4)))
    assert desk.table.play.line.state.pot == 4
    assert "Enter by hand" in desk.labels(0)


def test_the_doubtful_die_is_settled_by_the_one_who_threw_it(desk: Desk) -> None:
    desk.table.handle(settled(seen("black", 6, second=5), accepted=False))
    assert desk.labels(0) == ["It is 6", "It is 5", "None of these: by hand"]
    assert desk.labels(1) == []
    desk.choose(0, "It is 5")
    assert desk.table.play.line.state.pot == 5


def test_a_die_told_rightly_before_the_roll_counts_is_that_roll_and_needs_no_agreement(
    desk: Desk,
) -> None:
    doubtful = settled(seen("black", 3, track=7), accepted=False)
    desk.table.handle(doubtful)
    desk.table.handle(ev.Misread(0, doubtful, 7, 5))
    assert desk.table.play.line.state.pot == 5
    assert [desk.notice(panel) for panel in (0, 1)] == ["", ""]
    assert "Agree" not in desk.labels(1)


def test_a_hand_in_the_tray_withdraws_the_question(desk: Desk) -> None:
    desk.table.handle(settled(seen("black", 6, second=5), accepted=False))
    desk.table.handle(ev.TrayDisturbed())
    assert "It is 6" not in desk.labels(0)


def test_a_roll_that_nobody_asked_for_does_not_count(tmp_path: Path) -> None:
    desk = Desk(tmp_path)  # Kiri-ai wants no dice
    desk.start()
    state = desk.table.play.line.state
    desk.table.handle(settled(seen("black", 6)))
    assert desk.table.play.line.state is state


def test_a_roll_is_corrected_with_its_consequences_shown_first(desk: Desk) -> None:
    desk.table.handle(settled(seen("black", 4)))
    desk.table.handle(settled(seen("black", 3)))
    desk.choose(0, "Hold")
    desk.menu(1)
    desk.choose(1, "Correct a roll")
    desk.choose(1, "Roll 1: 4")
    desk.choose(1, "Die 1: 4")
    desk.choose(1, "It was a 6")
    assert "Red throws 6" in desk.text("one")
    assert "Until now: Red throws 4" in desk.text("one")
    assert "Red: 7, now 9" in desk.text("one")
    assert desk.table.play.line.state.scores == (7, 0)
    desk.choose(0, "Agree")
    assert desk.table.play.line.state.scores == (9, 0)
    desk.cut()
    assert desk.table.play.line.state.scores == (9, 0)


def test_a_correction_that_makes_a_later_move_illegal_names_it_and_play_resumes_there(
    desk: Desk,
) -> None:
    desk.table.handle(settled(seen("black", 4)))
    desk.choose(0, "Hold")
    desk.menu(1)
    desk.choose(1, "Correct a roll")
    desk.choose(1, "Roll 1")
    desk.choose(1, "Die 1")
    desk.choose(1, "It was a 1")
    assert "No longer legal: Red holds 4" in desk.text("one")
    assert "P1" in desk.text("one")
    desk.choose(0, "Agree")
    state = desk.table.play.line.state
    assert (state.scores, state.turn) == ((0, 0), 1)
    desk.table.handle(settled(seen("black", 2)))
    assert desk.table.play.line.state.pot == 2


def test_dice_that_moved_without_a_roll_are_asked_about(desk: Desk) -> None:
    desk.table.handle(ev.DiceNudged((seen("black", 4),), (1,)))
    assert desk.notice(0) == "A die moved without a roll. Put it back."


BLUE = DiceWanted(("black", "blue"), characters=("asuna",))


def test_a_character_die_tells_its_own_face_and_the_camera_that_it_lies_there() -> None:
    dice = (seen("blue", 0, 50), seen("black", 4))
    verdict = judge(BLUE, dice, accepted=True, reported={"asuna": 5})
    assert verdict.rolled == Rolled((Die("black", 4), Die("blue", 5)))


def test_a_die_that_lies_there_but_is_silent_is_asked_about() -> None:
    verdict = judge(BLUE, (seen("blue", 0, 50), seen("black", 4)), accepted=True, reported={})
    assert verdict.rolled is None
    assert verdict.why is not None
    assert verdict.why.show() == "asuna's die lies there but is silent."


def test_two_witnesses_who_differ_are_both_offered() -> None:
    dice = (seen("blue", 2, 50), seen("black", 4))
    verdict = judge(BLUE, dice, accepted=True, reported={"asuna": 5})
    assert verdict.rolled is None
    assert [guess.dice[1].value for guess in verdict.guesses] == [5, 2]
    cocked = (seen("blue", 0, 50, wrong=("cocked",)), seen("black", 4))
    crooked = judge(BLUE, cocked, accepted=True, reported={"asuna": 5})
    assert crooked.why is not None
    assert "crooked" in crooked.why.show()


def test_a_kept_character_die_is_known_by_lying_still() -> None:
    wanted = DiceWanted(("black",), kept=(Die("blue", 3),))
    dice = (seen("blue", 0, 50, moved=False), seen("black", 4))
    assert judge(wanted, dice, accepted=True, reported={}).rolled == Rolled((Die("black", 4),))


def test_character_dice_alone_need_no_camera() -> None:
    wanted = DiceWanted(("blue", "blue"), characters=("asuna", "klein"))
    assert reported_alone(wanted, {"asuna": 5}) is None
    assert reported_alone(wanted, {"asuna": 5, "klein": 1}) == Rolled(
        (Die("blue", 5), Die("blue", 1))
    )
    assert reported_alone(BLUE, {"asuna": 5}) is None  # a black die is thrown, too


def test_the_points_at_the_end_are_said_once(desk: Desk) -> None:
    for _ in range(17):  # 102 points
        desk.table.handle(settled(seen("black", 6)))
    desk.choose(0, "Hold")
    ending, *rest = desk.table.view("table").parts
    assert isinstance(ending, Ending)
    assert [tally.total for tally in ending.tallies] == [102, 0]
    assert not any(isinstance(part, Meter) for part in rest)
