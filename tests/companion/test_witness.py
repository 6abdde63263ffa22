"""Two witnesses of a character die: agreement is noted, disagreement asks the table."""

from __future__ import annotations

from typing import Literal

import pytest

from companion.events import CharacterDie, DeviceUp, DiceSettled, Event, SeenDie, TrayDisturbed
from companion.witness import PATIENCE, Agreed, Doubt, Finding, Gate, Witness, witness

State = Literal["handled", "rolling", "crooked", "rest"]


def report(die: str, state: State, face: int = 0, number: int = 1) -> CharacterDie:
    return CharacterDie(die, state, face, number)


def blue(value: int = 0, *wrong: str) -> SeenDie:
    return SeenDie(value, "blue", 0.9, (10.0, 10.0), 20.0, wrong=wrong)


def tray(*dice: SeenDie) -> DiceSettled:
    white = SeenDie(3, "white", 0.99, (50.0, 50.0), 16.0)
    return DiceSettled((white, *dice), roll=1, accepted=True)


def found(one: Witness, *events: Event, late: float | None = None) -> tuple[Finding, ...]:
    """What the witnesses come to, a tenth of a second between the events."""
    findings: tuple[Finding, ...] = ()
    for i, event in enumerate(events):
        assert findings == ()  # nothing before the last word
        one, findings = one.hear(event, i / 10)
    if late is not None:
        assert findings == ()
        one, findings = one.late(late)
    return findings


ROLLED = (report("asuna", "handled"), report("asuna", "rolling", 0, 2))


@pytest.mark.parametrize("value", [0, 4])
def test_both_saying_the_same_is_agreement_in_whichever_order(value: int) -> None:
    rest, seen = report("asuna", "rest", 4, 3), tray(blue(value))
    assert found(witness("asuna"), *ROLLED, rest, seen) == (Agreed("asuna", 4),)
    assert found(witness("asuna"), *ROLLED, seen, rest) == (Agreed("asuna", 4),)


def test_two_dice_asked_for_are_both_waited_for() -> None:
    first, second = report("asuna", "rest", 4), report("klein", "rest", 2)
    agreed = (Agreed("asuna", 4), Agreed("klein", 2))
    assert found(witness("asuna", "klein"), first, tray(blue(), blue()), second) == agreed


def doubt(*events: Event, late: float | None = None) -> Doubt:
    [finding] = found(witness("asuna"), *events, late=late)
    assert isinstance(finding, Doubt)
    return finding


def test_a_die_that_rests_outside_the_tray_is_asked_about() -> None:
    one = doubt(*ROLLED, report("asuna", "rest", 4), tray(), late=0.2 + PATIENCE + 0.01)
    assert (one.kind, one.faces) == ("unseen", (4,))
    assert one.why.show() == "asuna's die rests outside the tray"


def test_a_die_seen_but_silent_is_asked_about_with_every_face() -> None:
    one = doubt(tray(blue()), late=PATIENCE)
    assert (one.kind, one.faces) == ("unheard", (1, 2, 3, 4, 5, 6))


def test_a_die_that_says_it_moves_while_the_tray_is_still_is_asked_about() -> None:
    one = doubt(*ROLLED, tray(blue()), late=0.2 + PATIENCE)
    assert (one.kind, one.faces) == ("moving", ())


def test_a_crooked_die_gives_no_face_to_take() -> None:
    one = doubt(*ROLLED, report("asuna", "crooked"), tray(blue()))
    assert (one.kind, one.faces) == ("crooked", ())


def test_a_die_that_says_rest_while_the_camera_sees_it_cocked_is_asked_about() -> None:
    one = doubt(*ROLLED, report("asuna", "rest", 4), tray(blue(0, "cocked")))
    assert (one.kind, one.faces) == ("crooked", (4,))


def test_two_different_faces_are_both_offered() -> None:
    one = doubt(*ROLLED, report("asuna", "rest", 4), tray(blue(2)))
    assert (one.kind, one.faces) == ("face", (4, 2))
    assert one.why.show() == "asuna says 4, the camera sees 2"


def test_more_blue_dice_than_asked_are_asked_about() -> None:
    one = doubt(*ROLLED, report("asuna", "rest", 4), tray(blue(), blue()))
    assert one.kind == "strangers"


def test_without_a_camera_the_die_alone_is_believed_after_a_while() -> None:
    one = witness("asuna", eye=False)
    assert found(one, report("asuna", "rest", 4), late=PATIENCE) == (Agreed("asuna", 4, True),)


def test_a_hand_in_the_tray_takes_back_what_the_camera_said() -> None:
    one = witness("asuna")
    events = (tray(blue()), TrayDisturbed(), report("asuna", "rest", 4))
    assert found(one, *events, late=0.5) == ()


def test_patience_starts_with_the_first_witness_and_is_not_renewed() -> None:
    one, _ = witness("asuna").hear(tray(blue()), 0.0)
    one, _ = one.hear(tray(blue()), 1.9)
    assert one.late(PATIENCE)[1] != ()


def test_what_was_found_is_told_once_and_dice_nobody_asked_for_say_nothing() -> None:
    one, findings = witness("asuna").hear(report("asuna", "rest", 4), 0.0)
    one, findings = one.hear(tray(blue()), 0.1)
    assert findings == (Agreed("asuna", 4),)
    for event in (report("asuna", "rest", 5), tray(blue()), DeviceUp("dice")):
        one, findings = one.hear(event, 0.2)
        assert findings == ()
    assert one.late(99.0) == (one, ())


def rolls(gate: Gate, *reports: CharacterDie) -> list[int]:
    faces = []
    for one in reports:
        gate, rolled = gate.hear(one)
        faces += [rolled.face] if rolled else []
    return faces


def test_a_roll_counts_once_and_only_when_asked_for() -> None:
    whole = (*ROLLED, report("asuna", "rest", 4))
    assert rolls(Gate().ask("asuna"), *whole) == [4]
    assert rolls(Gate(), *whole) == []
    assert rolls(Gate().ask("klein"), *whole) == []
    assert rolls(Gate().ask("asuna"), *whole, *whole) == [4]


def test_what_began_before_the_question_does_not_count() -> None:
    gate, _ = Gate().ask("asuna").hear(report("asuna", "rolling"))
    gate = gate.ask("asuna")
    assert rolls(gate, report("asuna", "rest", 4)) == []


def test_put_down_is_not_rolled_and_neither_is_a_crooked_die_set_straight() -> None:
    ask = Gate().ask("asuna")
    assert rolls(ask, report("asuna", "handled"), report("asuna", "rest", 4)) == []
    straightened = (report("asuna", "crooked"), report("asuna", "handled"))
    assert rolls(ask, *ROLLED, *straightened, report("asuna", "rest", 4)) == []
    assert rolls(ask, *ROLLED, report("asuna", "handled"), report("asuna", "rest", 4)) == []
    assert rolls(ask, *ROLLED, report("asuna", "crooked"), *ROLLED, report("asuna", "rest", 2)) == [
        2
    ]


def test_each_of_several_dice_counts_for_itself() -> None:
    ask = Gate().ask("asuna", "klein")
    klein = (report("klein", "rolling"), report("klein", "rest", 6))
    assert rolls(ask, *ROLLED, *klein, report("asuna", "rest", 1)) == [6, 1]
