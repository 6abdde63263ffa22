"""Fair dice are rarely accused however often one looks, loaded ones are found, doubt is silent."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from companion.games.api import Die, Rolled
from companion.memory.codec import action_to_json
from companion.memory.fairness import ENOUGH, Evidence, Roll, Throw, rolls, weigh
from companion.memory.journal import Journal

LOADED = (0.15, 0.15, 0.15, 0.15, 0.15, 0.25)


def thrown(faces: Sequence[int], dice: str = "black", how: str = "eye") -> Evidence:
    evidence = Evidence(dice)
    for face in faces:
        evidence.take(Throw(dice, face, how))
    return evidence


def faces(seed: int, count: int, weights: Sequence[float] = (1,) * 6) -> list[int]:
    return random.Random(seed).choices(range(1, 7), weights, k=count)


def accused(seeds: range, count: int, weights: Sequence[float] = (1,) * 6) -> float:
    """The share of tables whose dice are called loaded at some look, one after every throw."""
    found = [thrown(faces(seed, count, weights)).verdict == "loaded" for seed in seeds]
    return sum(found) / len(found)


def test_the_evidence_is_what_the_bet_would_have_won() -> None:
    evidence = thrown([6, 6])
    assert evidence.strength == pytest.approx(math.log(6 * 50 / 300 * 6 * 51 / 301))


def test_fair_dice_are_seldom_accused_though_one_looks_after_every_throw() -> None:
    assert accused(range(40), 600) <= 0.05


def test_a_face_at_a_quarter_is_found_within_450_throws() -> None:
    assert accused(range(60), 450, LOADED) >= 0.7


@pytest.mark.soak
def test_of_2000_fair_tables_at_most_one_in_twenty_is_accused_within_6000_throws() -> None:
    share = accused(range(2000), 6000)
    found = accused(range(2000, 4000), 450, LOADED)
    print(f"\nfair and accused: {share:.2%}; a face at 1/4 found within 450 throws: {found:.1%}")
    assert share <= 0.06  # 5 % and its interval over 2,000 tables
    assert found >= 0.8


def test_an_alarm_stays_whatever_is_thrown_after_it() -> None:
    evidence = thrown([6] * 100 + faces(1, 2000))
    assert evidence.strength < evidence.most
    assert evidence.verdict == "loaded"
    assert "6 came" in evidence.says().show()


def test_nothing_is_said_of_fewer_than_300_throws() -> None:
    assert thrown([6] * (ENOUGH - 1)).verdict == "few"


def test_a_table_that_throws_doubtful_sixes_again_is_told_why_nothing_is_said() -> None:
    kept = [Roll(0.0, (Throw("white", face, "eye"),)) for face in faces(3, 400)]
    again = [Roll(0.0, (Throw("white", 1, "eye"),), declined=1)] * 45
    (evidence,) = weigh(kept + again)
    assert evidence.verdict == "declined"
    assert "9 per cent of the rolls" in evidence.says().show()


def test_a_table_that_throws_one_six_in_ten_again_is_silent_with_the_reason() -> None:
    chance, kept, declined = random.Random(4), list[Roll](), 0
    while len(kept) < 200:  # six dice at a time, as Sword of Fellows throws them
        fell = chance.choices(range(1, 7), k=6)
        if any(face == 6 and chance.random() < 0.1 for face in fell):
            declined += 1
            continue
        kept.append(Roll(0.0, tuple(Throw("black", face, "eye") for face in fell), declined))
        declined = 0
    (evidence,) = weigh(kept)
    assert evidence.verdict == "declined"
    assert "doubtful and thrown again" in evidence.says().show()


def test_each_kind_of_dice_is_weighed_apart_black_and_white_first() -> None:
    one = Roll(
        0.0, (Throw("asuna", 2, "dice"), Throw("white", 3, "eye"), Throw("black", 1, "hand"))
    )
    assert [(e.dice, e.throws, e.by_hand) for e in weigh([one, one])] == [
        ("black", 2, 2),
        ("white", 2, 0),
        ("asuna", 2, 0),
    ]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    kept = Journal(tmp_path / "journal.db", lambda: 5.0)
    yield kept
    kept.close()


def enter(journal: Journal, game: int, seq: int, *dice: Die, **note: object) -> None:
    body = {**action_to_json(Rolled(dice)), **({"roll": note} if note else {})}
    journal.append(game, seq, None, "do", body)


def test_the_journal_gives_real_throws_as_corrected_and_no_twins(journal: Journal) -> None:
    game = journal.begin("sao", 1, [], {}, "00")
    enter(journal, game, 1, Die("black", 4), Die("blue", 2), how="eye", declined=2, of=["asuna"])
    enter(journal, game, 2, Die("black", 6), how="twin")
    enter(journal, game, 3, Die("white", 1))  # of before throws were noted
    enter(journal, game, 4, Die("white", 3), how="hand")
    fixed = action_to_json(Rolled((Die("white", 5),)))
    journal.append(game, 5, None, "fix", {"seq": 4, "action": fixed})
    assert list(rolls(journal)) == [
        Roll(5.0, (Throw("black", 4, "eye"), Throw("asuna", 2, "dice")), 2),
        Roll(5.0, (Throw("white", 5, "hand"),)),
    ]
    assert list(rolls(journal, since=6.0)) == []
