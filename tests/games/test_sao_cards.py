"""Cards as data: where each value is from, files that are refused, corrections that stay."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement

import pytest

from companion.errors import BadState
from companion.games.cardfile import to_toml
from companion.games.sao.actions import Agreed, Correct, Corrected, Exchange, Told
from companion.games.sao.cards import (
    deck,
    describe,
    merge,
    offered,
    own,
    parse,
    shipped,
)
from companion.games.sao.legal import legal
from companion.games.sao.names import NAMES
from companion.games.sao.patterns import blocks, vocabulary
from companion.games.sao.play import apply, new
from companion.games.sao.state import Options, Owned
from tests.games.sao_playout import start
from tests.games.sao_table import done, fight, hp, refused, throw


def test_the_numbers_that_the_rulebook_and_the_faq_give_are_marked_so() -> None:
    rows = {(card, field): (value, source) for card, field, value, source in describe(shipped())}
    assert rows["kirito", "skill1.damage"] == ("1", "rulebook")
    assert rows["kirito", "skill2.pattern"] == ("same", "rulebook")
    assert rows["pkguild", "step1.hp"] == ("20", "rulebook")
    assert rows["coat", "amount"] == ("1", "faq")
    assert rows["kuradeel", "hurts"] == ("4", "faq")
    assert rows["kirito", "skill3.damage"] == ("10", "fan")
    assert rows["asuna", "face.2"] == ("1 2", "rulebook")
    # not found anywhere: ours
    for card, field in (("final", "step1.hp"), ("final", "step2.damage"), ("shield", "absorbs"),
                        ("lisbeth", "skill3.pattern"), ("silica", "skill4.healing"),
                        ("agil", "face.3"), ("yui", "uses")):  # fmt: skip
        assert rows[card, field][1] == "house", (card, field)
    assert {source for _, source in rows.values()} == {"rulebook", "faq", "fan", "house"}


def test_the_box_holds_six_characters_ten_scenarios_and_eight_items() -> None:
    cards = shipped()
    assert len(cards.characters) == 6
    assert [len(cards.section(n)) for n in range(4)] == [3, 3, 3, 1]
    assert sum(item.copies for item in cards.items.values()) == 8


def test_every_name_on_a_card_can_be_translated() -> None:
    names = {value for _, field, value, _ in describe(shipped()) if field.endswith("name")}
    assert names == {name.template for name in NAMES}


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ("[illfang.step1]\nhp = -3", "illfang: step1.hp is -3, not 1 to 199"),
        ("[kirito.skill1]\npattern = 'twelve'", "kirito: skill1.pattern is 'twelve'"),
        ("[kirito.skill2]\npattern = '= 1 2 3'", "kirito: skill2.pattern"),
        ("[heathcliff]\nhp = 9", "heathcliff: there is no such card"),
        ("[illfang]\ncolour = 'red'", "illfang: a scenario has no colour"),
        ("[illfang.step9]\nhp = 3", "illfang: a scenario has no step9.hp"),
        ("[illfang.step6]\nhp = 3\ndamage = 1", "illfang: needs step1 and no gap"),
        ("[kirito]\nability = 'win'", "kirito: ability is 'win'"),
        ("[kirito.face]\n1 = '7'", "kirito: face.1 is '7'"),
        ("[kirito]\nname = '{x}'", "kirito: name"),
        ("[kirito.hp]\nstart = 'ten'", "kirito: hp.start is 'ten', must be a number"),
        ("[kirito.hp]\nstart = true", "kirito: hp.start is True, must be a number"),
        ("[coat]\neffect = 'magic'", "coat: effect is 'magic'"),
        ("[coat]\nsource = 'hearsay'\namount = 2", "coat: source is 'hearsay'"),
        ("[illfang]\nsection = 'final'", "illfang: the final battle has 2 steps"),
        ("[pkguild]\nsection = 'upper'\n[illfang]\nsection = 'upper'\n"
         "[traproom]\nsection = 'upper'", "no card of the lower section"),
        ("kirito = 3", "kirito: must be a card"),
        ("[kirito", "own.toml: "),
    ],
)  # fmt: skip
def test_a_bad_card_file_is_refused_with_file_card_and_reason(lines: str, complaint: str) -> None:
    with pytest.raises(BadState) as caught:
        own(lines, "own.toml", shipped())
    assert str(caught.value).startswith("own.toml: ")
    assert complaint in str(caught.value)


def test_a_whole_set_must_be_whole() -> None:
    with pytest.raises(BadState, match=r"x\.toml: kirito: kind must be one of"):
        parse("[kirito]\nname = 'Kirito'", "x.toml")
    with pytest.raises(BadState, match=r"is missing|must be among|needs"):
        parse("[asuna]\nkind = 'character'\nname = 'Asuna'", "x.toml")


def test_the_owners_file_overrides_card_by_card_and_is_marked() -> None:
    mine = own("[final.step1]\nhp = 77\n[lisbeth.skill3]\npattern = 'run'", "own.toml", shipped())
    cards = merge(shipped(), mine)
    assert cards.scenarios["final"].steps[0].hp == 77
    assert cards.scenarios["final"].steps[0].damage == shipped().scenarios["final"].steps[0].damage
    assert cards.values["final", "step1.hp"].source == "owner"
    assert cards.characters["lisbeth"].skills[2].pattern == "run"
    assert not cards.house("final", "step1.hp")
    assert cards.house("final")


def test_corrections_survive_being_written_to_a_file() -> None:
    mine = (("kirito", "hp.start", 11), ("kirito", "skill3.pattern", "sets 2 2"),
            ("asuna", "face.4", "portrait"), ("kirito", "hp.start", 12))  # fmt: skip
    back = own(to_toml(mine), "own.toml", shipped())
    assert deck(back) == deck(mine)
    assert deck(back).characters["kirito"].hp[0] == 12


def test_a_game_records_the_cards_it_is_played_with() -> None:
    state = start(2, ("kirito", "asuna"), Options(corrections=(("asuna", "hp.start", 5),)))
    assert state.heroes[1].hp == 5
    with pytest.raises(BadState, match="asuna"):
        new(2, Options(corrections=(("asuna", "hp.start", 0),)))


@pytest.mark.rule("sao", "H1")
def test_with_cardboard_each_value_is_compared_once_and_the_printed_one_counts() -> None:
    state = start(2, ("kirito", "asuna"), Options(cards="table"))
    state = done(state, Told(0, "illfang"))
    assert state.phase == "check"
    assert refused(state, Correct(0, "kirito", "skill2.damage")) == "H1"  # from the rulebook
    assert refused(state, Corrected(0, "illfang", "step1.hp", 9)) == "H1"
    state = done(state, Correct(1, "illfang", "step1.hp"))
    assert next(iter(legal(state, 0))) == Corrected(0, "illfang", "step1.hp", 8)
    for value in (0, 200, -3, "nine"):
        assert refused(state, Corrected(0, "illfang", "step1.hp", value)) == "H1"
    assert refused(state, Corrected(0, "illfang", "step2.hp", 9)) == "H1"
    state = done(state, Corrected(0, "illfang", "step1.hp", 9))
    assert state.now.hp == 9
    assert refused(state, Correct(0, "illfang", "step1.hp")) == "H1"
    state = done(state, Correct(0, "asuna", "hp.start"), Corrected(0, "asuna", "hp.start", 7))
    assert hp(state) == (10, 7)
    state = done(state, Agreed(1))
    assert state.phase == "roll"
    assert state.corrections == (("illfang", "step1.hp", 9), ("asuna", "hp.start", 7))
    assert refused(state, Agreed(1)) == "H1"


@pytest.mark.rule("sao", "H1")
def test_a_face_of_a_character_die_is_learnt_when_it_lies_there() -> None:
    state = throw(
        done(fight("kirito", "agil", scenario="giant"), Exchange(0, 0)), "555", "123", "6"
    )
    assert state.pool[0] == (1,)
    assert refused(state, Correct(0, "kirito", "face.5")) == "H1"
    state = done(state, Correct(0, "kirito", "face.6"), Corrected(0, "kirito", "face.6", "5 6"))
    assert (state.phase, state.pool[0]) == ("dice", (5, 6))
    assert refused(state, Correct(0, "kirito", "face.6")) == "H1"


@pytest.mark.rule("sao", "H1")
def test_the_number_of_dice_the_shield_yui_and_the_items_can_be_compared_too() -> None:
    kit = (Owned("potion"), Owned("coat", 0))
    state = fight("kirito", "silica", scenario="twins", cards="table", kit=kit, yui=1)
    state = replace(state, phase="check", dice=(), partner=-1)
    for key in (("silica", "skill2.dice"), ("shield", "absorbs"), ("potion", "amount")):
        assert Correct(0, *key) in list(legal(state, 0))
    assert Correct(0, "coat", "amount") not in list(legal(state, 0))  # the FAQ says it
    four = done(state, Correct(0, "silica", "skill2.dice"),
                Corrected(0, "silica", "skill2.dice", 4))  # fmt: skip
    assert four.card(1).skills[1].dice == 4
    twice = done(state, Correct(0, "yui", "uses"), Corrected(0, "yui", "uses", 2))
    assert twice.yui == 2
    helped = done(replace(state, yui=0), Correct(0, "yui", "uses"), Corrected(0, "yui", "uses", 2))
    assert helped.yui == 1


def test_what_a_panel_offers_can_be_played() -> None:
    cards = shipped()
    for card, field in (("illfang", "step1.hp"), ("agil", "face.3"), ("silica", "skill5.pattern"),
                        ("kirito", "ability"), ("silica", "skill2.addition"),
                        ("giant", "step1.rerolls"), ("uses", "level50.3"),
                        ("agil", "skill2.dice"), ("asuna", "skill6.dice")):  # fmt: skip
        values = offered(cards, card, field)
        for value in values:
            merge(cards, ((card, field, value),))
    assert offered(cards, "illfang", "step1.hp")[:2] == (8, 9)
    assert offered(cards, "illfang", "step1.hp")[-1] == 7
    assert offered(cards, "illfang", "colour") == ()
    assert offered(cards, "asuna", "skill6.dice") == (8,)  # no other number shows 1 1 2 3 4 5 6 6
    assert set(offered(cards, "agil", "skill2.dice")) == set(range(2, 9))  # one die has no 10


@pytest.mark.parametrize("dice", range(1, 9))
def test_every_pattern_that_a_panel_offers_can_be_shown_by_some_dice(dice: int) -> None:
    offers = list(vocabulary(dice))
    assert len(set(offers)) == len(offers)
    assert all(blocks(pattern, dice) for pattern in offers)


def test_patterns_by_hand() -> None:
    pairs = list(combinations_with_replacement(range(1, 7), 2))
    assert blocks("sum >= 10", 2) == {(4, 6), (5, 5), (5, 6), (6, 6)}
    assert blocks("sum <= 4", 2) == {(1, 1), (1, 2), (1, 3), (2, 2)}
    assert blocks("different", 2) == {pair for pair in pairs if pair[0] != pair[1]}
    assert blocks("sets 2 2", 4) >= {(1, 1, 1, 1), (1, 1, 2, 2)}
    assert (1, 1, 1, 2) not in blocks("sets 2 2", 4)
    assert blocks("sets 4 2", 6) >= {(1, 1, 2, 2, 2, 2), (3, 3, 3, 3, 3, 3)}
    assert (1, 1, 1, 2, 2, 2) not in blocks("sets 4 2", 6)
    for wrong in ("", "sum", "sum 4", "same 3", "from", "= x", "sum >= -1", "run run"):
        with pytest.raises(ValueError, match="pattern"):
            blocks(wrong, 2)


def test_nothing_is_lost_when_a_correction_is_refused() -> None:
    state = throw(fight("kirito", "asuna"), "123", "456")
    with pytest.raises(ValueError, match="H1"):
        apply(state, Correct(0, "illfang", "step1.hp"))
    assert [die.face for die in state.dice] == [1, 2, 3, 4, 5, 6]
