"""The cards of Sainome Colosseum as data: sources, refusals, and what is learnt while playing."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files

import pytest

from companion.errors import BadState
from companion.games import cardfile
from companion.games.sainome import SAINOME
from companion.games.sainome import actions as do
from companion.games.sainome.cards import CARDS, FIXED, deck, doubtful, own, shipped
from companion.games.sainome.kinds import PLACES, WORDS
from companion.games.sainome.phrases import character_lines
from companion.games.sainome.state import Options, State
from companion.games.sainome.verbs import VERBS
from companion.language import speaker
from companion.views import Line
from tests.games.sainome_table import UP, A, B, Lay, after, board, hp, legal, refused, thrown

TOML = files("companion.games.sainome").joinpath("cards.toml").read_text("utf-8")


def sources(field: str, kind: str = "") -> dict[str, str]:
    """Where a field of every card comes from."""
    values = shipped().values.items()
    return {k: v[field].source for k, v in values if field in v and kind in ("", v["kind"].value)}


@pytest.mark.rule("sainome", "R2")
def test_copies_of_items_and_skills_and_the_6_are_marked_house_and_numbers_fan() -> None:
    assert set(sources("copies", "item").values()) == {"house"}
    assert set(sources("copies", "skill").values()) == {"house"}
    assert set(sources("copies", "weapon").values()) == {"fan"}
    assert set(sources("copies", "magic").values()) == {"fan"}
    equipped = [key for key, card in shipped().cards.items() if card.use == "equip"]
    assert {sources("six")[key] for key in equipped} == {"house"}
    assert set(sources("damage").values()) == {"fan"}
    assert sources("catalyst")["fireball"] == sources("text")["charge"] == "rulebook"
    assert sources("use")["time_bomb"] == sources("up")["swordsman"] == "house"


def test_the_reconstruction_is_the_one_of_the_notes() -> None:
    copies = Counter(shipped().deck)
    twice = {
        "dagger", "fireball", "bomb", "throwing_knives", "playing_cards", "wooden_buckler",
        "charge", "time_bomb", "treasure_search",
    }  # fmt: skip
    assert {card for card, count in copies.items() if count == 2} == twice
    assert set(copies.values()) == {1, 2}
    assert (copies.total(), len(copies)) == (50, 41)


def test_names_are_japanese_and_english_the_rulebooks_marked_so() -> None:
    values = shipped().values
    assert values["wooden_buckler"]["japanese"].value == "ウッドシールド"
    printed = {key for key, source in sources("japanese").items() if source == "rulebook"}
    assert printed == {
        "swordsman", "magician", "sister", "princess", "fireball", "wooden_buckler", "charge",
        "substitution", "time_bomb", "choice_of_two", "quick_change", "restart", "steal",
    }  # fmt: skip
    assert len({str(v["japanese"].value) for v in values.values()}) == len(values) == 45


def test_each_reader_is_told_a_card_by_the_name_of_his_own_printing() -> None:
    """No word of another game, or of the doctor, gets into them: each has its own Japanese."""
    say, values = speaker("ja"), shipped().values
    for key, one in (*shipped().cards.items(), *shipped().characters.items()):
        assert one.name.show() == values[key]["name"].value
        assert one.name.show((), say) == values[key]["japanese"].value
    told = character_lines(shipped().characters["sister"])
    with_saw = next(line.show((), say) for line in told if line.show().endswith("with saw"))
    assert with_saw.startswith("威力")
    assert values["saw"]["japanese"].value in with_saw


def test_every_word_of_a_card_that_is_carried_out_has_a_verb() -> None:
    for card in shipped().cards.values():
        for clause in card.clauses:
            if clause.when in ("played", "acts"):
                assert clause.effect.verb in VERBS, card.key
    assert set(VERBS) <= set(WORDS.verbs)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('kind = "weapon"', 'kind = "tool"', "kind must be one of character, weapon"),
        ("damage = 2", "damage = 99", "damage is 99, not 0 to 9"),
        ("damage = 2\n", "", "damage is missing"),
        ('links = "up down"', 'links = "inside"', "links is 'inside'"),
        ('text = "power: luck 1"', 'text = "power: win 1"', "must be one of damage"),
        ("copies = 1", "copies = 2", "11 cards are weapon, not 10"),
        ('awakens = "hurt"', 'awakens = "never"', "awakens is 'never'"),
        ("awake_up = 0", "awake_up = 6", "awake_up is 6, not 0 to 5"),
        ('source = "fan"', 'source = "rumour"', "source is 'rumour'"),
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
    text = '[dagger]\ndamage = 2\nsix = 0\n\n[sister]\nawakens = "hp 3"\n'
    corrections = own(text, "mine.toml", shipped())
    cards = deck(corrections)
    assert (cards["dagger"].damage, cards["dagger"].six) == (2, False)
    assert cards.characters["sister"].awakens == "hp 3"
    assert cardfile.to_toml(corrections) == text
    assert cards["claymore"] == shipped()["claymore"]
    with pytest.raises(BadState, match=r"mine\.toml: katana: there is no such card"):
        own("[katana]\ndamage = 1\n", "mine.toml", shipped())
    with pytest.raises(BadState, match="such a card has no damage"):
        CARDS.merge(shipped(), (("sister", "damage", 1),))


def shown_character() -> State:
    """Cardboard: A has just chosen the Swordsman."""
    state = SAINOME.new(2, Options(cards="table"))
    return after(state, thrown(6), thrown(1), do.Take(A, "character"), do.Choose(A, "swordsman"))


@pytest.mark.rule("sainome", "H2", "R34")
def test_the_owner_is_asked_for_the_print_of_a_character_once() -> None:
    state = shown_character()
    assert state.learning
    refused(state, do.Choose(A, "sister"), "H2")
    refused(state, do.Corrected(A, 3), "H2")
    state = after(state, do.Correct(A, "awake_up"))
    refused(state, do.Agreed(A), "H2")
    refused(state, do.Corrected(A, 6), "H2")
    state = after(state, do.Corrected(A, 2))
    refused(state, do.Correct(A, "awake_up"), "H2")  # it is sure now
    state = after(state, do.Agreed(A))
    assert state.corrections == (("swordsman", "awake_up", 2),)
    assert state.cards.characters["swordsman"].faces[1].slots == (2, 4, 5, 3)
    assert SAINOME.waiting(state).seats == (B,)
    refused(state, do.Agreed(B), "H2")


@pytest.mark.rule("sainome", "H2")
def test_what_was_compared_is_never_asked_again_and_what_was_not_is_asked_next_time() -> None:
    shown = shown_character()
    for sure in (True, False):
        state = after(shown, do.Agreed(A, sure=sure))
        again = SAINOME.new(2, Options(cards="table", corrections=state.corrections))
        assert (not doubtful(again.cards, "swordsman")) is sure


@pytest.mark.rule("sainome", "H2")
def test_a_card_is_compared_when_it_is_first_shown_and_its_print_counts() -> None:
    state = board(Lay("magician", hand=3), Lay("princess", hand=1), cards="table")
    from dataclasses import replace

    asked = tuple(key for key in state.asked if key != "saw")
    told = tuple(told for told in state.corrections if told[0] != "saw")
    options = replace(state.options, corrections=told)
    state = replace(state, asked=asked, corrections=told, options=options)
    state = after(state, do.Reequip(A), do.Open(A, "item"), do.Show(A, "saw"))
    assert {a.field for a in legal(state, A, do.Correct)} == set(doubtful(shipped(), "saw"))
    assert not set(doubtful(shipped(), "saw")) & set(FIXED)
    lines = [part.text.show() for part in SAINOME.view(state, B).parts if isinstance(part, Line)]
    assert "Saw ノコギリ" in lines
    assert "Some values are of the house" in lines
    state = after(state, do.Correct(A, "damage"), do.Corrected(A, 5), do.Agreed(A))
    state = after(state, do.Attach(A, "saw", UP), do.GoOn(A), do.Strike(A), thrown(2), do.GoOn(B))
    assert state.hit is not None
    assert state.hit.amount == 5
    assert cardfile.to_toml(state.corrections[-1:]) == "[saw]\ndamage = 5\n"


@pytest.mark.rule("sainome", "H2")
def test_a_text_that_our_words_cannot_say_is_left_to_the_players_and_their_counters() -> None:
    fix = (("steal", "text", "printed"),)
    state = board(Lay("magician", hand=("steal",)), Lay("princess", hand=("saw",)), fix=fix)
    state = after(state, do.Play(A, "steal"))
    assert (state.discard, state.sides[B].hand, hp(state)) == (("steal",), ("saw",), (10, 10))


def test_a_panel_is_offered_the_present_value_first() -> None:
    assert CARDS.offered(shipped(), "dagger", "damage")[0] == 1
    assert CARDS.offered(shipped(), "dagger", "links")[0] == " ".join(PLACES)
    assert "printed" in CARDS.offered(shipped(), "steal", "text")
