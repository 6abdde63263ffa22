"""Swordcrafters: what swords are worth, by hand and against a second, naive implementation."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.errors import BadState
from companion.games.swordcrafters import SWORDCRAFTERS
from companion.games.swordcrafters.actions import Card, Printed
from companion.games.swordcrafters.cards import (
    METHODS,
    Magic,
    parse,
    pays,
    relevant,
    shipped,
    title,
)
from companion.games.swordcrafters.cardset import book, describe, learnt, own, to_toml
from companion.games.swordcrafters.ledger import rival_totals, sheets
from companion.games.swordcrafters.score import Sheet, Tally, joined, scored, tally
from companion.games.swordcrafters.state import Options
from companion.games.swordcrafters.sword import Run, Sword
from companion.views import Line, Meter
from tests.games import swords_naive as naive
from tests.games.swords import TILE, apply, legal, new, on, sword, virtual
from tests.games.swords import scored as ended

BLUE = Magic("2a", "most", ("blue",), (6, 3), "fan")


def sheet(*swords: Sword, cards: tuple[Magic, ...] = (), **how: Any) -> tuple[Sheet, ...]:
    how = {"light": False, "positive": False} | how
    return scored([tally(one) for one in swords], cards, **how)


def runs(*lengths: int) -> Tally:
    """A sword whose sides have these best runs."""
    return Tally(9, tuple(Run(side, "red", 1, n) for side, n in enumerate(lengths)), (0,) * 6)


def blues(*counts: int) -> list[Tally]:
    return [Tally(9, (), (0, n, 0, 0, 0, 0)) for n in counts]


def paid(card: Magic, *counts: int, positive: bool = False) -> list[int]:
    found = scored(blues(*counts), (card,), light=False, positive=positive)
    return [one.magic[0].points for one in found]


@pytest.mark.rule("swordcrafters", "S-R27")
def test_st1_the_longest_swords_get_six_each() -> None:
    swords = [Tally(n, (), (0,) * 6) for n in (14, 14, 12)]
    found = scored(swords, (), light=False, positive=False)
    assert [one.length.points for one in found] == [6, 6, 0]


@pytest.mark.rule("swordcrafters", "S-R28", "S-R29")
def test_st2_and_st4_runs_of_two_and_more_pay_two_a_gem() -> None:
    (one,) = scored([runs(4, 2, 1, 0)], (), light=False, positive=False)
    assert sum(points for _, points in one.quality) == 12


@pytest.mark.rule("swordcrafters", "S-R37")
def test_st3_lightweight_pays_five_a_gem_for_the_best_side_alone() -> None:
    (one,) = scored([runs(4, 2, 1, 0)], (), light=True, positive=False)
    assert [points for _, points in one.quality] == [20]
    (none,) = scored([runs(1, 0, 1, 1)], (), light=True, positive=False)
    assert none.quality == ()


@pytest.mark.rule("swordcrafters", "S-R37")
def test_lightweight_uses_the_beginner_cards_only() -> None:
    start = new(2, Options(way="virtual", variant="light", faces="intermediate"))
    assert SWORDCRAFTERS.chance is not None
    dealt = SWORDCRAFTERS.chance(start, random.Random(1).randrange)
    assert {key[-1] for key in dealt.magic} == {"a"}


@pytest.mark.rule("swordcrafters", "S-R28")
def test_st4_a_run_of_one_pays_nothing() -> None:
    assert sheet(sword("RBRB/R-R-/-/B"))[0].quality == ()


@pytest.mark.rule("swordcrafters", "S-R29")
def test_st5_two_runs_of_three_on_one_side_count_once() -> None:
    (one,) = sheet(sword("RRRBBB///"))
    assert [(run.gem, run.length, points) for run, points in one.quality] == [("red", 3, 6)]


@pytest.mark.rule("swordcrafters", "S-R28")
def test_blanks_break_a_run_and_a_guard_begins_one() -> None:
    """SA5: the guards are on sides 1 and 3."""
    (one,) = sheet(sword("RR-R/RR/BRR/--", guards="RB"))
    assert [(run.side, run.gem, run.start, run.length) for run, _ in one.quality] == [
        (0, "red", 1, 3),  # the guard and two tiles
        (1, "red", 1, 2),
        (2, "blue", 1, 2),  # the guard and one tile; the two reds after it come second
    ]
    assert sum(points for _, points in one.quality) == 14
    assert one.length.value == 11  # guards are no tiles


@pytest.mark.rule("swordcrafters", "S-R30", "S-R31")
def test_st6_places_pay_as_the_card_says() -> None:
    assert paid(BLUE, 5, 3, 1) == [6, 3, 0]
    assert paid(BLUE, 1, 5, 3) == [0, 6, 3]


@pytest.mark.rule("swordcrafters", "S-R32")
def test_st7_and_st8_ties_share_the_places_they_fill_rounded_down() -> None:
    assert paid(BLUE, 5, 5, 1) == [4, 4, 0]  # (6 + 3) / 2, nobody is second
    assert paid(BLUE, 5, 3, 3) == [6, 1, 1]  # 3 / 2
    assert paid(BLUE, 5, 5, 5) == [3, 3, 3]
    three = Magic("1a", "most", ("blue",), (7, 4, 2), "house")
    assert paid(three, 5, 3, 3, 1) == [7, 3, 3, 0]
    assert paid(three, 5, 5, 1, 1) == [5, 5, 1, 1]
    assert paid(three, 5, 5, 5, 5) == [3, 3, 3, 3]  # 13 / 4


@pytest.mark.rule("swordcrafters", "S-R31", "S-H11")
def test_a_sword_without_the_gem_takes_a_place_unless_the_table_chose_otherwise() -> None:
    """SA7."""
    assert paid(BLUE, 2, 0, 0) == [6, 1, 1]
    assert paid(BLUE, 2, 0, 0, positive=True) == [6, 0, 0]
    least = Magic("8a", "least", ("blue",), (5, 2), "house")
    assert paid(least, 2, 0, 1, positive=True) == [0, 5, 2]  # the fewest may well be none


@pytest.mark.rule("swordcrafters", "S-R30", "S-H7")
@pytest.mark.parametrize(
    ("method", "gems", "value"),
    [
        ("most", ("red",), 5),
        ("most", ("red", "blue"), 8),
        ("least", ("green",), 2),
        ("pairs", ("red", "blue"), 3),
        ("pairs", ("red",), 2),
        ("triads", ("red", "blue", "green"), 2),
        ("triads", ("red",), 1),
        ("difference", ("blue", "red"), 2),
        ("lead", ("blue", "red"), -2),
        ("lead", ("red", "blue"), 2),
        ("two", (), 9),
    ],
)
def test_every_method_counts_as_it_says(method: str, gems: tuple[str, ...], value: int) -> None:
    """SA10, worked out for 5 red, 3 blue, 2 green, 4 purple."""
    assert relevant(Magic("1a", method, gems, (6, 3), "house"), (5, 3, 2, 4, 0, 0)) == value


def random_sword(rng: random.Random) -> tuple[Sword, list[str]]:
    """A sword as the game holds it and as letters; few colours, so that ties are many."""
    letters = rng.choice(("RB-", "RBG-", "RBGPYO-"))
    tiles, extra = divmod(rng.randrange(0, 26), 4)
    sides = ["".join(rng.choice(letters) for _ in range(tiles + (s < extra))) for s in range(4)]
    guards = "".join(rng.choice(naive.LETTERS) for _ in range(2))
    made = Sword(
        tuple(TILE[one] for one in guards), tuple(tuple(TILE[x] for x in side) for side in sides)
    )
    shown = [f"[{guards[0]}]{sides[0]}", sides[1], f"[{guards[1]}]{sides[2]}", sides[3]]
    return made, shown


@pytest.mark.rule("swordcrafters", "S-R27", "S-R28", "S-R30", "S-R32")
@pytest.mark.slow
def test_ten_thousand_random_swords_score_as_the_naive_implementation_says() -> None:
    rng, swords, ties = random.Random(2026), 0, 0
    every = shipped().magic
    while swords < 10_000:
        count = rng.randint(1, 5)
        made = [random_sword(rng) for _ in range(count)]
        cards = rng.sample(every, 3)
        light, positive = rng.random() < 0.3, rng.random() < 0.3
        found = scored([tally(one) for one, _ in made], cards, light=light, positive=positive)
        plain = [letters for _, letters in made]
        totals = naive.longest_points(plain)
        for at, letters in enumerate(plain):
            totals[at] += naive.quality_points(letters, light)
        for card in cards:
            shown = "".join(gem[0].upper() for gem in card.gems)
            points = naive.magic_points(card.method, shown, list(card.pays), plain, positive)
            ties += len(points) - len(set(points))
            totals = [a + b for a, b in zip(totals, points, strict=True)]
        assert [one.total for one in found] == totals, (made, cards, light, positive)
        swords += count
    assert ties > 1_000


@pytest.mark.rule("swordcrafters", "S-R33")
def test_most_points_win_and_equals_share_the_victory() -> None:
    state = virtual(3)
    alike = sword("RR/B/G/P", guards="RB")
    result = SWORDCRAFTERS.result(ended(state, alike, alike, sword("R/B/G/P", guards="RB")))
    assert result is not None
    assert result.winners == (0, 1)
    assert result.why.show().startswith("2 share the victory")
    better = sword("RRR/B/G/P", guards="RB")
    result = SWORDCRAFTERS.result(ended(state, alike, better, alike))
    assert result is not None
    assert result.winners == (1,)


@pytest.mark.rule("swordcrafters", "S-R30", "S-R33")
def test_the_breakdown_tells_tiles_runs_places_and_who_shared() -> None:
    """Cards 1 to 3: most red, most blue, most green, 6 and 3 each."""
    state = virtual(3)
    end = ended(
        state,
        sword("RR/B/-/-", guards="GG"),  # 5 tiles: 2 red, 1 blue, 2 green
        sword("BB/R/R/-", guards="YY"),  # 5 tiles: 2 red, 2 blue, 0 green
        sword("G/-/-/-", guards="RP"),  # 4 tiles: 1 red, 0 blue, 1 green
    )
    result = SWORDCRAFTERS.result(end)
    assert result is not None
    told = [[(what.show(), n) for what, n in score.breakdown] for score in result.scores]
    assert told[0] == [
        ("Longest, 5 tiles, as Seat 2", 6),
        ("Side 1: 2 Red", 4),
        ("Side 2: no run", 0),
        ("Side 3: no run", 0),
        ("Side 4: no run", 0),
        ("Most Red: 2, 1st with Seat 2", 4),
        ("Most Blue: 1, 2nd", 3),
        ("Most Green: 2, 1st", 6),
    ]
    assert [score.total for score in result.scores] == [23, 6 + 4 + 4 + 6 + 0, 0 + 0 + 0 + 0 + 3]
    assert told[2][0] == ("4 tiles, not the longest", 0)
    assert told[1][-1] == ("Most Green: 0, 3rd", 0)
    parts = SWORDCRAFTERS.view(end, None).parts
    shown = [part.text.show() for part in parts if isinstance(part, Line)]
    assert "Seat 1, Side 1: [G] R R" in shown  # the tiles, to be checked by eye


@pytest.mark.rule("swordcrafters", "S-R36", "S-H13")
def test_two_swords_score_each_or_as_one() -> None:
    """SA12."""
    one, two = tally(sword("RRR/B/B/B")), tally(sword("RR/B/B/B"))
    both = joined([one, two])
    assert both.length == 11
    assert both.gems[:2] == (5, 6)
    assert [run.length for run in both.runs if run.length > 1] == [3, 2]
    for dual, entrants in (("each", 4), ("together", 2)):
        end = on(virtual(2, variant="dual", dual=dual), seed=4)
        assert len(sheets(end)) == entrants
        result = SWORDCRAFTERS.result(end)
        assert result is not None
        totals = [0, 0]
        for at, sheet_of in enumerate(sheets(end)):
            totals[at * 2 // entrants] += sheet_of.total
        assert [score.total for score in result.scores] == totals


@pytest.mark.rule("swordcrafters", "S-R41")
def test_a_solo_sword_is_scored_against_the_cards() -> None:
    """Opponent 1: 12 tiles, runs 2 and 2, 3 red, 2 blue, 2 green; cards most red, blue, green."""
    state = virtual(1)
    end = ended(
        state, sword("RRRR/B/G/P", guards="RB")
    )  # 7 tiles, run of 5, 5 red, 2 blue, 1 green
    assert rival_totals(end) == (6 + 8 + 3 + 4 + 6,)
    result = SWORDCRAFTERS.result(end)
    assert result is not None
    assert result.scores[0].total == 0 + 10 + 6 + 4 + 3
    assert result.winners == ()
    assert result.why.show() == "23 VP against 27: lost"
    parts = SWORDCRAFTERS.view(end, 0).parts
    shown = [part.text.show() for part in parts if isinstance(part, Line)]
    for line in ("Opponent 1: 12 tiles, runs 2+2+0+0", "Opponent 1: R3 B2 G2 P1 Y2 O2, house card",
                 "Opponent 1: 27 VP", "Opponent 1: Longest, 12 tiles: 6",
                 "Opponent 1: Side 1: run of 2: 4", "Opponent 1: Most Red: 3, 2nd: 3"):  # fmt: skip
        assert line in shown
    assert not any(isinstance(part, Meter) for part in parts)  # tiles are not taken for points
    assert SWORDCRAFTERS.rulings.overrule is not None
    level = SWORDCRAFTERS.result(SWORDCRAFTERS.rulings.overrule(end, "word0", 4))
    assert level is not None
    assert (level.winners, level.why.show()) == ((0,), "27 VP against 27: won")
    won = ended(state, sword("RRRRRR/BBBB/GGG/P", guards="RB"))
    result = SWORDCRAFTERS.result(won)
    assert result is not None
    assert result.winners == (0,)


@pytest.mark.rule("swordcrafters", "S-H3", "S-R4")
def test_the_house_set_has_18_cards_of_two_sides_and_10_solo_cards_marked_so() -> None:
    house = shipped()
    assert [card.key for card in house.magic] == [
        f"{n}{side}" for n in range(1, 19) for side in "ab"
    ]
    assert len(house.solo) == 10
    assert {card.method for card in house.magic} == set(METHODS)
    assert {len(card.pays) for card in house.magic} == {2, 3}
    assert {card.source for card in house.solo} == {"house"}
    assert [card.key for card in house.magic if card.source != "house"] == ["2a"]
    shown = {title(card).show() for card in house.magic}
    assert len(shown) == 36  # no two cards look alike
    state = virtual(2, faces="intermediate")
    parts = SWORDCRAFTERS.view(state, 0).parts
    shown = {part.text.show() for part in parts if isinstance(part, Line)}
    assert {f"{title(card).show()}: {pays(card).show()}" for card in state.magic} <= shown
    assert all(pays(card).show().endswith("VP, house card") for card in state.magic)


@pytest.mark.rule("swordcrafters", "S-H3")
def test_the_panel_that_offers_cards_marks_the_house_cards_and_no_others() -> None:
    def marked() -> dict[str, bool]:
        offered = SWORDCRAFTERS.view(state, 0).choices
        cards = [each for each in offered if isinstance(each.action, Card)]
        return {each.action.card: each.detail.show().endswith(", house card") for each in cards}

    file = (
        '[solo.4]\nslices = "HVHV"\nlength = 12\nruns = [2, 2, 0, 0]\ngems = [3, 2, 2, 1, 2, 2]\n'
    )
    state = new(1, Options(corrections=own(file, "own.toml")))
    for word in ("most", "blue"):
        assert marked() == {}  # a ring of all cards is no list
        state = apply(state, Printed(0, word))
    assert marked() == {"2a": False, "13a": True, "14a": True}
    for key in ("2a", "1a", "3a"):
        state = apply(state, Card(0, key))
    assert marked() == {str(n): n != 4 for n in range(1, 11)}
    for key, house in (("4", False), ("5", True)):
        seen = SWORDCRAFTERS.view(apply(state, Card(0, key)), 0).parts
        (gems,) = (
            part for part in seen if isinstance(part, Line) and "Opponent 1: R" in part.text.show()
        )
        assert gems.text.show().endswith(", house card") == house


@pytest.mark.rule("swordcrafters", "S-H3")
def test_the_owners_file_lies_over_the_house_set_card_by_card() -> None:
    file = '[magic.1a]\nmethod = "most"\ngems = ["green"]\npays = [5, 2, 1]\n'
    corrections = own(file, "own.toml")
    cards = book(corrections)
    assert len(cards.magic) == 36
    assert cards.magic[0] == Magic("1a", "most", ("green",), (5, 2, 1), "owner")
    assert own(to_toml(corrections), "again.toml") == corrections
    state = virtual(2, corrections=corrections)
    assert state.magic[0].pays == (5, 2, 1)
    rows = list(describe(corrections))
    assert ("magic.1a", "pays", "5 2 1", "owner") in rows
    assert ("solo.1", "slices", "HVHV", "house") in rows
    with pytest.raises(BadState, match=r"own\.toml: magic\.1a: gems is missing"):
        own('[magic.1a]\nmethod = "most"\npays = [5]\n', "own.toml")
    with pytest.raises(BadState, match="no card"):
        book((("other", "pays", "5"),))


@pytest.mark.rule("swordcrafters", "S-H3")
def test_a_printed_card_told_at_the_table_is_kept_and_found_again() -> None:
    state = new(2, Options())
    for word in ("pairs", "red", "blue", "9", "5", "done"):
        state = apply(state, Printed(0, word))
    kept = learnt(state)
    assert ("magic.101a", "pays", "9 5") in kept
    again = new(2, Options(corrections=kept))
    assert Card(0, "101a") in list(legal(again, 0))
    for word in ("pairs", "red", "blue", "9", "5", "done"):
        again = apply(again, Printed(0, word))
    assert again.magic[0].key == "101a"
    assert learnt(again) == kept  # nothing is told twice


@pytest.mark.rule("swordcrafters", "S-R30")
@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("pays = []", "cards: magic.1a: a card pays at least the first place"),
        ("pays = [0]", "a card pays at least the first place"),
        ("pays = [3, 6]", "a later place pays no more than an earlier one"),
        ("pays = [6, 3, 2, 1]", "at most 3 places, not 4"),
        ("pays = [6, 0]", "a paying place pays 1 to 12"),
        ('pays = ["6"]', "whole numbers"),
        ("pays = 6.5", "whole numbers"),
    ],
)
def test_a_card_that_cannot_pay_is_refused_with_file_card_and_reason(line: str, why: str) -> None:
    with pytest.raises(BadState, match=why):
        parse(f'[magic.1a]\nmethod = "most"\ngems = ["red"]\n{line}\n', "cards")


SOLO = '[solo.1]\nslices = "HHVV"\nlength = 5\nruns = [0,0,0,0]\ngems = [1,1,1,1,1,1]'


def test_a_solo_card_in_order_is_taken() -> None:
    assert parse(SOLO, "cards").solo[0].gems == (1,) * 6


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ('[magic.1a]\nmethod = "best"\ngems = ["red"]\npays = [1]', "method must be one of"),
        ('[magic.1a]\nmethod = "most"\ngems = ["pink"]\npays = [1]', "gems must be"),
        ('[magic.1a]\nmethod = "lead"\ngems = ["red"]\npays = [1]', "lead shows 2 gems, not 1"),
        ('[magic.1c]\nmethod = "most"\ngems = ["red"]\npays = [1]', "a number and a or b"),
        ('[magic.1a]\ngems = ["red"]\npays = [1]', "method is missing"),
        ('[magic.1a]\nmethod = "two"\ngems = []\npays = [1]\nvp = 3', "there is no vp"),
        ('[magic.1a]\nmethod = "two"\ngems = []\npays = [1]\nsource = "x"', "source must be"),
        ("[other.1]\na = 1", "a card is"),
        ("magic = 3", "a card is"),
        ("[[[", "cards"),
        (SOLO.replace("HHVV", "HHHH"), "both among them"),
        (SOLO.replace("length = 5", "length = 0"), "1 to 90"),
        (SOLO.replace("[0,0,0,0]", "[0,0,0]"), "four sides"),
        (SOLO.replace("[1,1,1,1,1,1]", "[1]"), "six counts"),
    ],
)
def test_a_card_file_with_a_mistake_is_refused(source: str, why: str) -> None:
    with pytest.raises(BadState, match=why):
        parse(source, "cards")
