"""A character die counts as rolled only when the table asked for it."""

from __future__ import annotations

from companion.events import CharacterDie
from companion.table.witness import AwaitedDice


def report(die: str, state: str, face: int = 0, number: int = 1) -> CharacterDie:
    assert state in ("handled", "rolling", "crooked", "rest")
    return CharacterDie(die, state, face, number)  # type: ignore[arg-type]  # narrowed above


ROLLED = (report("asuna", "handled"), report("asuna", "rolling", 0, 2))


def rolls(gate: AwaitedDice, *reports: CharacterDie) -> list[int]:
    faces = []
    for one in reports:
        gate, rolled = gate.hear(one)
        faces += [rolled.face] if rolled else []
    return faces


def test_a_roll_counts_once_and_only_when_asked_for() -> None:
    whole = (*ROLLED, report("asuna", "rest", 4))
    assert rolls(AwaitedDice().ask("asuna"), *whole) == [4]
    assert rolls(AwaitedDice(), *whole) == []
    assert rolls(AwaitedDice().ask("klein"), *whole) == []
    assert rolls(AwaitedDice().ask("asuna"), *whole, *whole) == [4]


def test_what_began_before_the_question_does_not_count() -> None:
    gate, _ = AwaitedDice().ask("asuna").hear(report("asuna", "rolling"))
    gate = gate.ask("asuna")
    assert rolls(gate, report("asuna", "rest", 4)) == []


def test_put_down_is_not_rolled_and_neither_is_a_crooked_die_set_straight() -> None:
    ask = AwaitedDice().ask("asuna")
    assert rolls(ask, report("asuna", "handled"), report("asuna", "rest", 4)) == []
    straightened = (report("asuna", "crooked"), report("asuna", "handled"))
    assert rolls(ask, *ROLLED, *straightened, report("asuna", "rest", 4)) == []
    assert rolls(ask, *ROLLED, report("asuna", "handled"), report("asuna", "rest", 4)) == []
    assert rolls(ask, *ROLLED, report("asuna", "crooked"), *ROLLED, report("asuna", "rest", 2)) == [
        2
    ]


def test_each_of_several_dice_counts_for_itself() -> None:
    ask = AwaitedDice().ask("asuna", "klein")
    klein = (report("klein", "rolling"), report("klein", "rest", 6))
    assert rolls(ask, *ROLLED, *klein, report("asuna", "rest", 1)) == [6, 1]
