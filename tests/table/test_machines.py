"""The table's small machines, each alone, and how often an offer is worked out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.errors import Illegal
from companion.events import ButtonPressed, CharacterDie, DiceSettled, SeenDie
from companion.games.api import DiceWanted, Die
from companion.table import table as table_module
from companion.table.agreement import Agreement, Proposal
from companion.table.fingers import STALE, Finger, Fingers
from companion.table.tray import Tray
from companion.views import BLANK, Choice, View
from companion.words import text
from tests.table.desk import Desk

NAMES = [text("a"), text("b"), text("c")]
ROWS = tuple(Choice(label, number) for number, label in enumerate(NAMES))
OFFER = View(text("Pick"), text("Yours"), choices=ROWS)


def test_a_finger_goes_round_its_choices_and_stays_when_one_row_changes() -> None:
    finger = Finger()
    assert finger.offered(OFFER, first=1, seq=7, read_first=False)
    finger.step(1)
    finger.step(1)
    assert finger.cursor == 0  # from the second of three, round the end
    finger.step(-1)
    other = replace(OFFER, choices=(*ROWS[:2], Choice(text("d"), 9)))
    assert finger.offered(other, first=0, seq=8, read_first=False)
    assert (finger.cursor, finger.seq) == (2, 8)
    assert not finger.offered(other, first=0, seq=9, read_first=False)  # the same: the number stays
    assert finger.seq == 8


def test_back_from_the_first_choice_leads_to_the_last_that_is_not_barred() -> None:
    finger = Finger()
    barred = Choice(text("d"), 4, barred="R1")
    finger.offered(replace(OFFER, choices=(*ROWS, barred)), first=0, seq=1, read_first=False)
    finger.step(-1)
    assert finger.cursor == 2
    finger.step(1)
    assert finger.cursor == 3  # why it is barred can be read, a step further
    finger.step(1)
    assert finger.cursor == 0


def test_a_finger_does_not_pick_from_an_offer_that_has_changed() -> None:
    finger = Finger()
    finger.offered(OFFER, first=0, seq=3, read_first=False)
    assert finger.select(offered=2) is None
    assert finger.notice == STALE
    assert finger.select(offered=3) == ROWS[0]
    assert finger.pick(5, offered=3) is None


def test_a_shared_display_is_not_taken_from_a_seat_that_is_waited_for() -> None:
    fingers = Fingers(2, {"both": (0, 1)})
    assert fingers.claim_display(0, waited_for=lambda _: False)
    assert not fingers.claim_display(0, waited_for=lambda _: False)  # his already: the press counts
    assert fingers.claim_display(1, waited_for=lambda who: who == 0)
    assert fingers.looking("both") == 0
    assert fingers[0].notice != BLANK
    fingers.leave_display(0)
    assert fingers.claim_display(1, waited_for=lambda who: who == 0)
    assert fingers.looking("both") == 1


def test_what_was_said_in_passing_is_cleared_by_the_next_move_and_other_notices_stay() -> None:
    fingers = Fingers(2, {})
    fingers.announce(NAMES[0], passing=True)
    fingers[1].notice = NAMES[1]
    fingers.clear_notices()
    assert [fingers[0].notice, fingers[1].notice] == [BLANK, NAMES[1]]


def test_an_agreement_is_made_by_the_last_seat_and_ended_by_one_no() -> None:
    proposal = Proposal("stop", 0, {}, None, (text("stop"),))
    agreement = Agreement()
    with pytest.raises(Illegal):
        agreement.agreed(0, seats=2)
    agreement.proposal = proposal
    assert agreement.agreed(0, seats=2) is None
    done = agreement.agreed(1, seats=2)
    assert done is not None
    assert done.agreed == {0, 1}
    assert agreement.proposal is None
    agreement.proposal = proposal
    assert "does not agree" in agreement.declined(1).show()
    assert agreement.proposal is None


def seen(*values: int, roll: int = 1) -> DiceSettled:
    dice = tuple(
        SeenDie(value, "black", 1.0, (float(n), 0.0), 20.0) for n, value in enumerate(values)
    )
    return DiceSettled(dice, roll, accepted=True)


def test_the_tray_forgets_what_was_seen_and_reported_when_another_roll_is_asked_for() -> None:
    wanted = DiceWanted(("black",), characters=("asuna",))
    tray = Tray().asked("1/1", wanted, None)
    tray, _, rolled = tray.heard(CharacterDie("asuna", "rolling", 0, 1))
    assert not rolled
    tray, _, rolled = tray.heard(CharacterDie("asuna", "rest", 5, 2))
    assert rolled
    tray = replace(tray, seen=seen(3))
    assert tray.asked("1/1", wanted, None) == tray
    fresh = tray.asked("1/2", wanted, None)
    assert (fresh.reported, fresh.seen) == ({}, None)


def test_dice_that_lay_there_at_the_start_and_a_roll_already_taken_do_not_count() -> None:
    tray = replace(Tray().asked("1/1", DiceWanted(("black",)), None), seen=seen(4, roll=2))
    verdict = tray.verdict()
    assert verdict.rolled is not None
    assert verdict.rolled.dice == (Die("black", 4),)
    tray = tray.judged(verdict)
    assert not tray.counts(seen(4, roll=2))
    assert not tray.counts(seen(4, roll=0))
    assert tray.counts(seen(4, roll=3))


def test_every_offer_is_worked_out_once_an_event_and_looking_works_out_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    real = table_module.offer

    def counted(scene: Any, panel: int, path: Any) -> Any:
        made.append(panel)
        return real(scene, panel, path)

    monkeypatch.setattr(table_module, "offer", counted)
    desk = Desk(tmp_path)
    made.clear()
    desk.table.handle(ButtonPressed(0, "next"))
    assert sorted(made) == [0, 1]
    before = [desk.table.panel(panel) for panel in (0, 1)]
    for _ in range(3):
        for name in desk.seating.displays:
            desk.table.view(name)
        assert [desk.table.panel(panel) for panel in (0, 1)] == before
        desk.table.public()
        desk.table.moment()
    assert sorted(made) == [0, 1]
