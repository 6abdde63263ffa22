"""Setting up: who plays whom, what lies where, in which order the scenarios come."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import BadState
from companion.games.sao.actions import Drawn, Finish, Forgo, Give, Onward, Play, Stand, Told
from companion.games.sao.course import onward, to_reveal
from companion.games.sao.game import SAO
from companion.games.sao.legal import legal
from companion.games.sao.play import chance, new, waiting
from companion.games.sao.state import Options, Owned
from companion.views import Line
from companion.words import text
from tests.games.sao_playout import start
from tests.games.sao_table import done, fight, hp, refused, throw


@pytest.mark.rule("sao", "R1")
@pytest.mark.parametrize("seats", [0, 5])
def test_nobody_and_five_cannot_play(seats: int) -> None:
    with pytest.raises(BadState, match="1 to 4"):
        new(seats, Options())
    assert SAO.seats == range(1, 5)


@pytest.mark.rule("sao", "R2", "R4")
def test_the_last_to_choose_must_be_kirito_if_nobody_is() -> None:
    state = done(new(2, Options()), Play(0, "asuna"))
    assert refused(state, Play(1, "klein")) == "R2"
    assert refused(state, Play(1, "asuna")) == "R4"
    assert refused(state, Play(0, "agil")) == "R4"
    assert list(legal(state, 1)) == [Play(1, "kirito")]
    assert done(state, Play(1, "kirito")).phase == "reveal"


def test_everybody_reads_who_plays_whom_while_the_others_still_choose() -> None:
    state = done(new(3, Options()), Play(1, "asuna"))
    names = (text("Blue"), text("Red"), text("Green"))
    for viewer in (None, 0, 1, 2):
        (line,) = SAO.view(state, viewer).parts
        assert isinstance(line, Line)
        assert line.text.show(names) == "Red: Asuna"


@pytest.mark.rule("sao", "R3", "R17")
def test_alone_one_plays_kirito_and_one_other_by_the_rules_for_two() -> None:
    state = done(new(1, Options()), Play(0, "asuna"), Drawn("illfang"))
    assert state.picks == ("kirito", "asuna")
    assert state.partner == 1
    assert state.most() == 1
    state = done(throw(state, "123", "123"), Stand(0), Finish(0))
    assert (state.turn, state.partner) == (1, 0)
    assert not any(one.exhausted for one in state.heroes)
    assert {action.seat for action in legal(throw(state, "123", "123"), 0)} == {0}


@pytest.mark.rule("sao", "R5")
def test_lisbeth_and_silica_bring_one_token_each() -> None:
    assert start(2, ("kirito", "asuna"), Options()).tokens == ()
    tokens = start(3, ("kirito", "silica", "lisbeth"), Options()).tokens
    assert [(token.owner, token.holder) for token in tokens] == [(1, -1), (2, -1)]


@pytest.mark.rule("sao", "R6", "R12")
def test_each_section_has_three_cards_of_which_one_comes_at_random_when_it_is_reached() -> None:
    state = start(2, ("kirito", "asuna"), Options())
    assert state.scenario == ""
    assert waiting(state).chance
    places = iter(range(3))
    cards = [chance(state, lambda _n: next(places)).card for _ in range(3)]
    assert cards == ["illfang", "pkguild", "traproom"]
    assert refused(state, Drawn("kuradeel")) == "R6"
    assert refused(state, Told(0, "illfang")) == "R12"
    assert done(state, Drawn("traproom")).scenario == "traproom"


@pytest.mark.rule("sao", "R7")
def test_the_item_deck_has_the_eight_cards() -> None:
    deck = start(2, ("kirito", "asuna"), Options()).deck
    assert sorted(deck) == sorted(
        ["coat", "ring", "repulser", "tonic", "tonic", "potion", "potion", "relic"]
    )
    state = replace(fight("kirito", "asuna"), phase="loot", dice=(), partner=1)
    assert refused(state, Drawn("illfang")) == "R7"
    assert done(state, Drawn("tonic")).deck.count("tonic") == 1


@pytest.mark.rule("sao", "R8", "R9", "R10", "R14")
def test_everybody_starts_unhurt_with_one_use_without_dice_of_their_own_and_kirito_begins() -> None:
    state = done(start(3, ("asuna", "kirito", "agil"), Options()), Drawn("illfang"))
    assert hp(state) == (8, 10, 12)
    assert [one.uses for one in state.heroes] == [1, 1, 1]
    assert (state.level, state.blue, state.yui) == (0, False, 0)
    assert state.turn == 1


@pytest.mark.rule("sao", "R11", "R13")
def test_scenarios_come_in_order_and_their_steps_too() -> None:
    state = fight("kirito", "asuna", scenario="illfang", corrections=(("kirito", "hp.start", 99),))
    assert [step.hp for step in state.scene.steps] == [8, 8, 8, 25]
    state = replace(state, damage=8)
    state = done(throw(state, "123", "123"), Stand(0), Finish(0))
    assert (state.step, state.damage, state.scenario) == (1, 0, "illfang")
    sections = []
    for section in range(3):
        state = to_reveal(replace(fight("kirito", "asuna"), section=section, level=0))
        sections.append({card for card in state.cards.section(section)})
        after = onward(replace(fight("kirito", "asuna"), section=section, partner=1))
        assert after.section == section + 1
    assert sections[0] == {"illfang", "pkguild", "traproom"}
    assert after.scenario == "final"


@pytest.mark.rule("sao", "R12", "R39")
def test_with_cardboard_the_first_player_tells_which_card_was_turned_up() -> None:
    state = start(2, ("asuna", "kirito"), Options(cards="table"))
    assert waiting(state).seats == (1,)
    assert refused(state, Told(0, "illfang")) == "R12"
    assert refused(state, Drawn("illfang")) == "R12"
    assert done(state, Told(1, "illfang")).phase == "check"
    assert not SAO.secrets.reveals(state, Told(1, "illfang"))
    assert SAO.secrets.reveals(state, Drawn("illfang"))
    loot = replace(fight("kirito", "asuna", cards="table"), phase="loot", dice=(), partner=1)
    assert refused(loot, Told(1, "coat")) == "R39"


def test_loot_of_the_deck_goes_to_somebody_and_can_be_left_there() -> None:
    state = replace(fight("kirito", "asuna"), phase="loot", dice=(), partner=1)
    state = done(state, Drawn("coat"))
    assert refused(state, Give(1, "coat", 1)) == "R40"
    assert refused(state, Onward(0)) == "R46"
    assert refused(state, Forgo(0)) == "R41"
    assert done(state, Give(0, "coat", 1)).kit == (Owned("coat", 1),)


@pytest.mark.rule("sao", "H1")
def test_what_the_rulebook_prints_is_not_the_owners_to_correct() -> None:
    with pytest.raises(BadState, match=r"kirito: skill1\.damage is 1 by the rulebook, not 9"):
        new(2, Options(corrections=(("kirito", "skill1.damage", 9),)))
    new(2, Options(corrections=(("kirito", "skill1.damage", 1), ("kirito", "hp.start", 20))))
