"""The cards of .hack//ENEMY as data: sources, refusals, and what is learnt while playing."""

from __future__ import annotations

from importlib.resources import files

import pytest

from companion.errors import BadState
from companion.games import cardfile
from companion.games.hack import HACK
from companion.games.hack import actions as do
from companion.games.hack.cards import CARDS, FIXED, deck, doubtful, own, shipped
from companion.games.hack.state import Battle, Hero, Options
from companion.views import Line
from tests.games.hack_table import A, B, Lay, after, board, refused

TOML = files("companion.games.hack").joinpath("cards.toml").read_text("utf-8")


def test_names_and_copies_are_the_rulebooks_and_all_numbers_are_marked_house() -> None:
    rows = cardfile.describe(shipped().values)
    for card, field, _, source in rows:
        if field in ("name", "a", "b"):
            assert source == "rulebook", (card, field)
        elif (card, field) == ("parasite_dragon", "unique"):
            assert source == "fan"
        else:
            assert source == "house", (card, field)
    assert all(card.house for card in shipped().cards.values())
    assert len(shipped().cards) == 29


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('kind = "pc"', 'kind = "hero"', "kind must be one of pc, item, monster, action"),
        ("strength = 4", "strength = 99", "strength is 99, not 0 to 20"),
        ("strength = 4", 'strength = "4"', "must be a number"),
        ("strength = 4", "power = 4", "has no power"),
        ("strength = 4\n", "", "strength is missing"),
        ('element = "fire"', 'element = "ice"', "element is 'ice'"),
        ('text = "played: draw 1"', 'text = "played: win 1"', "must be one of strength"),
        ("a = 3", "a = 4", "deck a has 41 cards, not 40"),
        ('source = "house"', 'source = "rumour"', "source is 'rumour'"),
        ("[mistral]", "mistral = 3\n[mistral2]", "must be a card"),
        ("[mistral]", "[mistral", "cards.toml: "),
    ],
)
def test_a_card_file_that_is_wrong_is_refused_with_file_card_and_reason(
    old: str, new: str, why: str
) -> None:
    assert old in TOML
    with pytest.raises(BadState, match=r"cards\.toml") as refusal:
        CARDS.parse(TOML.replace(old, new, 1), "cards.toml")
    assert why in str(refusal.value)


def test_the_owners_file_overrides_card_by_card_and_can_be_written_back() -> None:
    text = '[gladiator]\nstrength = 8\ntext = "reward: draw 2"\n\n[elk]\ntolerance = 2\n'
    corrections = own(text, "mine.toml", shipped())
    cards = deck(corrections)
    assert (cards["gladiator"].strength, cards["elk"].tolerance) == (8, 2)
    assert cards.values["gladiator"]["strength"].source == "owner"
    assert cards["mistral"] == shipped()["mistral"]
    assert cardfile.to_toml(corrections) == text
    with pytest.raises(BadState, match=r"mine\.toml: wyvern: there is no such card"):
        own("[wyvern]\nstrength = 1\n", "mine.toml", shipped())
    with pytest.raises(BadState, match="such a card has no points"):
        CARDS.merge(shipped(), (("elk", "points", 1),))


@pytest.mark.rule("hack", "H2")
def test_the_first_time_a_printed_card_is_seen_its_owner_is_asked_once() -> None:
    state = HACK.new(2, Options(cards="table"))
    state = after(state, do.Destiny(A, 5), do.Destiny(B, 2), do.Shuffled(A, ()), do.Shuffled(B, ()))
    state = after(state, do.Open(A, "monster"), do.Show(A, "ochimusha"))
    assert (state.phase, state.shown) == ("learn", "ochimusha")
    fields = {a.field for a in HACK.legal(state, A) if isinstance(a, do.Correct)}
    assert (
        fields
        == set(doubtful(shipped(), "ochimusha"))
        == set(shipped().values["ochimusha"]) - set(FIXED)
    )
    refused(state, do.Attack(A, "ochimusha"), "H2")
    refused(state, do.Correct(A, "name"), "H2")
    refused(state, do.Corrected(A, 3), "H2")
    state = after(state, do.Correct(A, "strength"))
    refused(state, do.Agreed(A), "H2")
    refused(state, do.Corrected(A, 21), "H2")
    state = after(state, do.Corrected(A, 3))
    assert state.cards["ochimusha"].strength == 3
    refused(state, do.Correct(A, "strength"), "H2")  # it is sure now
    state = after(state, do.Correct(A, "points"), do.Corrected(A, 2), do.Agreed(A))
    state = after(state, do.Attack(A, "ochimusha"), do.Avoid(B))
    state = after(state, do.Ready(A)) if state.rewards else state
    assert state.points(A) == 2
    assert cardfile.to_toml(state.corrections) == "[ochimusha]\nstrength = 3\npoints = 2\n"
    # the second copy is not asked for again
    state = after(state, do.Hide(B, "?"), do.Open(A, "monster"), do.Show(A, "ochimusha"))
    assert state.phase == "play"


@pytest.mark.rule("hack", "H2")
def test_a_card_that_was_compared_is_never_asked_for_again() -> None:
    state = board(Lay(hand=2), cards="table", kind="item")
    shown = after(state, do.Show(A, "noble_cloak"), do.Correct(A, "destiny"), do.Corrected(A, 5))
    put_off = after(shown, do.Agreed(A))
    assert doubtful(put_off.cards, "noble_cloak")
    sure = after(shown, do.Agreed(A, sure=True))
    assert doubtful(sure.cards, "noble_cloak") == ()
    assert not sure.cards["noble_cloak"].house
    assert sure.cards["noble_cloak"].destiny == 5
    later = board(Lay(hand=2), cards="table", kind="item", fix=sure.corrections)
    assert after(later, do.Show(A, "noble_cloak")).phase == "play"


@pytest.mark.rule("hack", "H2")
def test_a_requirement_that_the_print_has_bars_the_play_and_the_card_goes_back() -> None:
    state = HACK.new(2, Options(cards="table"))
    state = after(state, do.Destiny(A, 5), do.Destiny(B, 2), do.Shuffled(A, ()), do.Shuffled(B, ()))
    state = after(state, do.Open(A, "monster"), do.Show(A, "gladiator"), do.Correct(A, "needs"))
    state = after(state, do.Corrected(A, "spot 2 fire"), do.Agreed(A))
    refused(state, do.Attack(A, "gladiator"), "R15")
    state = after(state, do.Withdraw(A))
    assert (len(state.sides[A].hand), state.phase) == (5, "play")


@pytest.mark.rule("hack", "H2", "R30")
def test_an_action_of_cardboard_is_compared_when_it_is_flipped() -> None:
    state = board(
        Lay(hidden=2, heroes=(Hero("elk"),)), cards="table", mover=B, phase="flip",
        battles=(Battle("elk", ("fiend_menhir",)),),
    )  # fmt: skip
    state = after(state, do.Flip(A, 1, "la_repth"))
    assert (state.phase, state.shown, len(state.sides[A].hidden)) == ("learn", "la_repth", 1)
    state = after(state, do.Correct(A, "text"), do.Corrected(A, "flip: strength +2"), do.Agreed(A))
    assert (state.phase, state.battle.plus) == ("flip", (2, 0))
    assert state.sides[A].discard == ("la_repth",)


@pytest.mark.rule("hack", "H2")
def test_a_text_that_our_words_cannot_say_is_left_to_the_players_and_their_counters() -> None:
    state = board(Lay(hand=2), cards="table", kind="pc", fix=(("bt", "text", "printed"),))
    state = after(state, do.Show(A, "bt"))
    lines = [part.text.show() for part in HACK.view(state, B).parts if isinstance(part, Line)]
    assert "Do what the card says and set the counters" in lines
    state = after(state, do.Agreed(A), do.PlayPC(A, "bt"))
    keys = {counter.key for counter in HACK.rulings.counters(state)}
    assert {"points0", "points1", "wound00", "hand0", "hand1"} <= keys
    assert HACK.rulings.overrule is not None
    ruled = HACK.rulings.overrule(state, "hand1", 3)
    assert len(ruled.sides[B].hand) == 3
    assert HACK.rulings.overrule(state, "wound00", 1).sides[A].heroes[0].wounded
    assert HACK.rulings.overrule(state, "points1", 4).points(B) == 4
    with pytest.raises(BadState, match="no counter"):
        HACK.rulings.overrule(state, "mana", 1)


def test_a_ruling_that_gives_seven_points_ends_the_game_and_taking_them_brings_it_back() -> None:
    state = board(Lay(hand=("elk",)), Lay(hand=("crim",)))
    assert HACK.rulings.overrule is not None
    won = HACK.rulings.overrule(state, "points0", 7)
    result = HACK.result(won)
    assert result is not None
    assert result.winners == (A,)
    assert HACK.rulings.overrule(won, "points0", 6).phase == "play"


def test_a_panel_is_offered_the_present_value_first() -> None:
    assert CARDS.offered(shipped(), "gladiator", "strength")[0] == shipped()["gladiator"].strength
    assert set(CARDS.offered(shipped(), "gladiator", "points")) == set(range(8))
    assert "printed" in CARDS.offered(shipped(), "elk", "text")
