"""Kiri-ai, one pair of cards: every worked case, and the rules of movement and blades."""

from __future__ import annotations

import pytest

from companion.games.kiriai.cards import BASICS, FACES, SPECIALS
from companion.games.kiriai.duel import NOBODY, Outcome, Stand, resolve
from tests.games.kiriai_table import begin, first, put, stands, where, wounds

BLUE, RED = 0, 1
CASES = {
    "KT1": ("B1H R4H", "charge", "charge", "B2H R3H", NOBODY),
    "KT2": ("B1H R5E", "approach", "charge", "B2H R3E", NOBODY),
    "KT3": ("B1H R3E", "approach", "charge", "B2H R2E", NOBODY),
    "KT4": ("B1H R5H", "charge", "charge", "B3H R3H", NOBODY),
    "KT5": ("B2E R4E", "charge", "charge", "B3E R3E", NOBODY),
    "KT6": ("B2H R3H", "charge", "charge", "B2H R3H", NOBODY),
    "KT7": ("B1H R4E", "charge", "charge", "B3H R3E", NOBODY),
    "KT8": ("B1E R4H", "charge", "charge", "B2E R2H", NOBODY),
    "KT9": ("B2H R3H", "approach", "approach", "B2H R3H", NOBODY),
    "KT10": ("B2H R3E", "approach", "approach", "B3H R3E", NOBODY),
    "KT11": ("B2H R3H", "charge", "retreat", "B3H R4H", NOBODY),
    "KT12": ("B2E R3H", "charge", "retreat", "B4E R4H", NOBODY),
    "KT13": ("B3H R3H", "approach", "retreat", "B4H R4H", NOBODY),
    "KT14": ("B3H R3E", "approach", "retreat", "B3H R4E", NOBODY),
    "KT15": ("B5H R5H", "approach", "retreat", "B5H R5H", NOBODY),
    "KT16": ("B1H R5H", "retreat", "retreat", "B1H R5H", NOBODY),
    "KT17": ("B3E R3E", "retreat", "retreat", "B2E R4E", NOBODY),
    "KT18": ("B1H R3H", "high", "high", "B1H R3H", NOBODY),
    "KT19": ("B1H R3E", "high", "high", "B1H R3E", RED),
    "KT20": ("B1H R5H", "high", "charge", "B1H R3H", RED),
    "KT21": ("B2E R3E", "low", "retreat", "B2E R4E", NOBODY),
    "KT22": ("B3H R3E", "balanced", "low", "B3H R3E", RED),
    "KT23": ("B2H R3E", "kesa", "low", "B2E R3E", NOBODY),
    "KT24": ("B2E R3H", "kesa", "retreat", "B2E R4H", NOBODY),
    "KT25": ("B1E R4H", "zantetsu", "high", "B1H R4H", RED),
    "KT26": ("B1E R4H", "zantetsu", "retreat", "B1H R5H", NOBODY),
    "KT27": ("B1H R3H", "counter", "high", "B1H R3H", RED),
    "KT28": ("B1H R3E", "counter", "high", "B1H R3E", NOBODY),
    "KT29": ("B1E R3E", "counter", "zantetsu", "B1E R3H", RED),
    "KT30": ("B1H R3H", "counter", "retreat", "B1H R4H", NOBODY),
    "KT31": ("B2H R3E", "kesa", "counter", "B2E R3E", BLUE),
}


def played(position: str, blues: str, reds: str, size: int = 5) -> Outcome:
    return resolve(size, *stands(position), blues, reds)


def spot(outcome: Outcome) -> str:
    blue, red = (f"{stand.space}{stand.stance[0].upper()}" for stand in outcome.after)
    return f"B{blue} R{red}"


@pytest.mark.parametrize("case", CASES)
def test_a_worked_case_comes_out_as_worked(case: str) -> None:
    before, blues, reds, after, hurt = CASES[case]
    outcome = played(before, blues, reds)
    assert (spot(outcome), outcome.hurt) == (after, hurt)


@pytest.mark.parametrize("case", CASES)
def test_a_worked_case_comes_out_the_same_with_the_colours_changed(case: str) -> None:
    before, blues, reds, after, hurt = CASES[case]

    def mirrored(position: str) -> str:
        blue, red = position.split()
        return f"B{6 - int(red[1])}{red[2]} R{6 - int(blue[1])}{blue[2]}"

    outcome = played(mirrored(before), reds, blues)
    assert (spot(outcome), outcome.hurt) == (mirrored(after), -1 if hurt < 0 else 1 - hurt)


@pytest.mark.parametrize("case", CASES)
def test_a_worked_case_comes_out_as_worked_when_it_is_laid_sealed_and_opened(case: str) -> None:
    before, blues, reds, after, hurt = CASES[case]
    held = [face if face in SPECIALS else "" for face in (blues, reds)]
    spare = [special for special in SPECIALS if special not in held]
    deal = [special or spare.pop() for special in held]
    # a second card that is surely another: whatever it does, it is not opened yet
    filler = ["low" if face != "low" else "high" for face in (blues, reds)]
    state = put(begin(*deal), before)
    state = first(state, f"{blues} {filler[0]}", f"{reds} {filler[1]}")
    assert where(state) == after
    assert wounds(state) == (int(hurt == BLUE), int(hurt == RED))


@pytest.mark.rule("kiriai", "K-R14")
def test_who_moves_into_reach_is_hit_in_the_same_action() -> None:
    assert played("B1H R5H", "high", "charge").hurt == RED
    assert played("B1H R3H", "high", "retreat").hurt == NOBODY


@pytest.mark.rule("kiriai", "K-R15")
def test_heaven_moves_before_earth_whatever_the_card() -> None:
    assert spot(played("B1H R3E", "approach", "charge")) == "B2H R2E"  # rulebook, example 2
    assert spot(played("B1E R3H", "approach", "charge")) == "B1E R1H"


@pytest.mark.rule("kiriai", "K-R15")
def test_within_a_stance_charge_goes_before_retreat() -> None:
    assert spot(played("B2H R3H", "charge", "retreat")) == "B3H R4H"


@pytest.mark.rule("kiriai", "K-R15")
def test_the_stance_at_the_start_of_the_action_counts() -> None:
    # Red turns to Heaven in this very action: Blue's Retreat in Earth is not disturbed by it
    assert spot(played("B3E R3E", "retreat", "stance")) == "B2E R3H"
    assert "K-R15" in played("B1E R3E", "approach", "stance").rules


@pytest.mark.rule("kiriai", "K-R16")
def test_the_same_rank_moves_at_the_same_time() -> None:
    assert spot(played("B3H R3H", "approach", "retreat")) == "B4H R4H"
    assert spot(played("B4E R5E", "approach", "retreat")) == "B5E R5E"  # Red is at the end
    assert spot(played("B2H R3H", "stance", "stance")) == "B2E R3E"


@pytest.mark.rule("kiriai", "K-R17")
@pytest.mark.parametrize(
    ("apart", "after"), [(0, 0), (1, 1), (2, 0), (3, 1), (4, 0), (5, 1), (6, 2)]
)
def test_two_charges_go_equally_far(apart: int, after: int) -> None:
    outcome = resolve(7, Stand(1, "heaven"), Stand(1 + apart, "heaven"), "charge", "charge")
    blue, red = outcome.after
    assert red.space - blue.space == after
    assert blue.space - 1 == 1 + apart - red.space


@pytest.mark.rule("kiriai", "K-R17")
@pytest.mark.parametrize(("apart", "after"), [(0, 0), (1, 1), (2, 0), (3, 1), (6, 4)])
def test_two_approaches_go_equally_far(apart: int, after: int) -> None:
    outcome = resolve(7, Stand(1, "earth"), Stand(1 + apart, "earth"), "approach", "approach")
    assert outcome.after[RED].space - outcome.after[BLUE].space == after


@pytest.mark.rule("kiriai", "K-R18")
@pytest.mark.parametrize(
    ("face", "after"),
    [
        ("approach", "B3H R7H"),
        ("retreat", "B1H R7H"),
        ("charge", "B4H R7H"),
        ("stance", "B2E R7H"),
    ],
)
def test_each_movement_goes_its_way(face: str, after: str) -> None:
    assert spot(played("B2H R7H", face, "low", size=7)) == after


@pytest.mark.rule("kiriai", "K-R19")
def test_nobody_passes_the_other() -> None:
    assert spot(played("B2H R3H", "charge", "low")) == "B3H R3H"
    assert spot(played("B3H R3H", "low", "charge")) == "B3H R3H"


@pytest.mark.rule("kiriai", "K-R20")
def test_nobody_leaves_the_row() -> None:
    assert spot(played("B1H R5H", "retreat", "retreat")) == "B1H R5H"
    assert spot(played("B1H R5H", "retreat", "retreat", size=7)) == "B1H R6H"


@pytest.mark.rule("kiriai", "K-R21")
def test_blades_count_places_after_movement_and_land_together() -> None:
    assert played("B1H R4H", "high", "approach").hurt == RED  # 3 apart, then 2
    both = played("B1H R3H", "high", "high")
    assert (both.hits, both.hurt) == ((True, True), NOBODY)


REACH = {  # by the rulebook's own sentences: stance needed, distances hit
    "high": ("H", {2}),
    "low": ("E", {1}),
    "balanced": ("HE", {0}),
    "kesa": ("H", {0, 1}),
    "zantetsu": ("E", {2, 3}),
}


@pytest.mark.parametrize(
    "face",
    [
        pytest.param("high", marks=pytest.mark.rule("kiriai", "K-R22")),
        pytest.param("low", marks=pytest.mark.rule("kiriai", "K-R23")),
        pytest.param("balanced", marks=pytest.mark.rule("kiriai", "K-R24")),
        pytest.param("kesa", marks=pytest.mark.rule("kiriai", "K-R25")),
        pytest.param("zantetsu", marks=pytest.mark.rule("kiriai", "K-R26")),
    ],
)
def test_an_attack_hits_in_its_stance_at_its_distances_and_nowhere_else(face: str) -> None:
    needed, distances = REACH[face]
    for stance in "HE":
        for apart in range(7):
            before = f"B1{stance} R{1 + apart}H"
            hits = played(before, face, "stance", size=7).hits[BLUE]
            assert hits == (stance in needed and apart in distances), f"{face} {before}"


@pytest.mark.rule("kiriai", "K-R25", "K-R26")
@pytest.mark.parametrize("stance", ["H", "E"])
@pytest.mark.parametrize("apart", [0, 1, 2, 3, 4])
def test_kesa_ends_in_earth_and_zantetsu_in_heaven_whether_they_hit_or_not(
    apart: int, stance: str
) -> None:
    before = f"B1{stance} R{1 + apart}H"
    assert played(before, "kesa", "low").after[BLUE].stance == "earth"
    assert played(before, "zantetsu", "low").after[BLUE].stance == "heaven"


@pytest.mark.rule("kiriai", "K-R27")
def test_an_attack_in_the_wrong_stance_is_a_feint() -> None:
    outcome = played("B1E R3H", "high", "stance")
    assert outcome.hurt == NOBODY
    assert "K-R27" in outcome.rules


@pytest.mark.rule("kiriai", "K-R28")
def test_one_hit_wounds_the_other_once() -> None:
    assert played("B2E R3H", "low", "high").hurt == RED


@pytest.mark.rule("kiriai", "K-R29")
@pytest.mark.parametrize(
    ("before", "blues", "reds"),
    [
        ("B1H R3H", "high", "high"),
        ("B3H R3E", "balanced", "balanced"),
        ("B2H R3E", "kesa", "low"),
        ("B1E R3H", "zantetsu", "high"),
        ("B3H R3E", "kesa", "balanced"),
    ],
)
def test_two_hits_clash_and_wound_nobody(before: str, blues: str, reds: str) -> None:
    outcome = played(before, blues, reds)
    assert (outcome.hits, outcome.hurt) == ((True, True), NOBODY)
    assert "K-R29" in outcome.rules


@pytest.mark.rule("kiriai", "K-R30")
@pytest.mark.parametrize("stance", ["H", "E"])
@pytest.mark.parametrize(
    ("red", "face", "hurt"),
    [
        ("R3H", "high", RED),
        ("R3E", "high", NOBODY),
        ("R2E", "low", RED),
        ("R1H", "balanced", RED),
        ("R2H", "kesa", RED),
        ("R4E", "zantetsu", RED),
        ("R3H", "charge", NOBODY),
    ],
)
def test_counterattack_turns_any_hit_in_either_stance_and_else_does_nothing(
    red: str, face: str, hurt: int, stance: str
) -> None:
    assert played(f"B1{stance} {red}", "counter", face).hurt == hurt


@pytest.mark.rule("kiriai", "K-R8")
@pytest.mark.slow
def test_every_pair_of_cards_from_everywhere_leaves_both_on_the_row_and_blue_below_red() -> None:
    seen = shared = 0
    for size in (5, 7):
        for blue in range(1, size + 1):
            for red in range(blue, size + 1):
                for letters in ("HH", "HE", "EH", "EE"):
                    before = f"B{blue}{letters[0]} R{red}{letters[1]}"
                    for blues in (*BASICS, *SPECIALS):
                        for reds in (*BASICS, *SPECIALS):
                            after = played(before, blues, reds, size).after
                            assert 1 <= after[BLUE].space <= after[RED].space <= size
                            seen += 1
                            shared += after[BLUE].space == after[RED].space
    assert seen == (15 + 28) * 4 * 100
    assert shared > 0


@pytest.mark.rule("kiriai", "K-R3")
def test_five_basic_cards_bear_seven_faces() -> None:
    assert len({FACES[face].card for face in BASICS}) == 5
    assert len(BASICS) == 7
