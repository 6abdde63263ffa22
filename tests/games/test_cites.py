"""Each move cites the rule that allows it: the ids, read off the rulebooks by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.api import Die, Rolled, cited
from companion.games.hack import HACK
from companion.games.hack import actions as hack
from companion.games.kiriai import KIRIAI
from companion.games.kiriai.state import GoOn, Pick, Place, Seal
from companion.games.sainome import SAINOME
from companion.games.sainome import actions as sainome
from companion.games.sao import SAO
from companion.games.sao import actions as sao
from companion.games.sao.state import Hero
from companion.games.swordcrafters import SWORDCRAFTERS
from companion.games.swordcrafters import actions as swords


def says(game: Any, rule: str) -> str:
    return next(one.text for one in game.rules if one.id == rule)


@pytest.mark.parametrize("face", ["charge", "high", "kesa"])
def test_a_card_face_down_cites_the_rule_of_laying_it_whatever_it_is(face: str) -> None:
    start = KIRIAI.new(2, KIRIAI.options())
    assert cited(KIRIAI, start, Pick(0, face)) == "K-R9"
    assert "face down" in says(KIRIAI, "K-R9")


def test_the_second_seal_cites_the_opening_of_the_cards_the_first_does_not() -> None:
    start = KIRIAI.new(2, KIRIAI.options())
    red = replace(start.fighters[1], done=True)
    waits = replace(start, fighters=(start.fighters[0], red))
    assert cited(KIRIAI, start, Seal(0)) == "K-R9"
    assert cited(KIRIAI, waits, Seal(0)) == cited(KIRIAI, waits, GoOn(0)) == "K-R13"
    assert "opened" in says(KIRIAI, "K-R13")


def test_a_secret_start_cites_its_rule_before_and_at_the_reveal() -> None:
    start = KIRIAI.new(2, KIRIAI.options(battlefield="advanced"))
    assert cited(KIRIAI, start, Place(0, 2, "heaven")) == "K-R7"


SAO_START = replace(
    SAO.new(2, SAO.options()),
    picks=("kirito", "asuna"),
    heroes=(Hero("kirito", 5, 1), Hero("asuna", 5, 1)),
)
THROW = Rolled((Die("black", 3),))


@pytest.mark.parametrize(
    ("changes", "action", "rule", "word"),
    [
        ({}, THROW, "R19", "black dice"),
        ({"rerolls": 1}, THROW, "R21", "thrown, all at once"),
        ({"ring": 1}, THROW, "R21", "thrown, all at once"),
        ({"section": 3, "step": 1, "scenario": "x"}, THROW, "R54", "four black dice"),
        ({"phase": "reveal"}, sao.Drawn("x"), "R12", "revealed when it is reached"),
        ({"phase": "loot"}, sao.Drawn("x"), "R39", "reveals the top item"),
        ({"asks": (("heal", 2),)}, sao.Target(0, 1), "R70", "Healing"),
        ({"asks": (("shield", 0),)}, sao.Target(0, 1), "R66", "shield"),
        ({"asks": (("x2", 0),), "phase": "effect"}, sao.Forgo(0), "R65", "x2"),
        ({"phase": "counter"}, sao.Forgo(0), "H2", "Yui may"),
        ({}, sao.Ability(0, 0, (0,), 6), "R23", "ability"),
        ({"options": SAO.options(difficulty="easy")}, sao.Ability(0, 0, (0,), 6), "R63", "nothing"),
        ({"seats": 1}, sao.Play(0, "asuna"), "R3", "alone"),
    ],
)
def test_sword_of_fellows_cites_by_what_is_going_on(
    changes: dict[str, Any], action: Any, rule: str, word: str
) -> None:
    assert cited(SAO, replace(SAO_START, **changes), action) == rule
    assert word in says(SAO, rule)


@pytest.mark.parametrize(
    ("seats", "variant", "cut", "take"),
    [
        (3, "standard", "S-R12", "S-R16"),
        (2, "standard", "S-R34", "S-R34"),
        (2, "dual", "S-R34", "S-R36"),
        (1, "standard", "S-R39", "S-R16"),
    ],
)
def test_swordcrafters_cites_the_rule_for_this_many_players(
    seats: int, variant: str, cut: str, take: str
) -> None:
    start = SWORDCRAFTERS.new(seats, SWORDCRAFTERS.options(variant=variant))
    assert cited(SWORDCRAFTERS, start, swords.Cut(0)) == cut
    assert cited(SWORDCRAFTERS, start, swords.Take(0, 0)) == take


def test_a_tile_that_nobody_told_is_named_by_the_house_rule() -> None:
    start = SWORDCRAFTERS.new(2, SWORDCRAFTERS.options())
    smiths = (replace(start.smiths[0], hands=(("ruby", "?"),)), start.smiths[1])
    craft = replace(start, smiths=smiths)
    assert cited(SWORDCRAFTERS, craft, swords.Pick(0, "ruby")) == "S-R22"
    assert cited(SWORDCRAFTERS, craft, swords.Pick(0, "emerald")) == "S-H2"


HACK_START = HACK.new(2, HACK.options())


@pytest.mark.parametrize(
    ("phase", "action", "rule", "word"),
    [
        ("deal", hack.Shuffled(0, ()), "R7", "Shuffle"),
        ("draw", hack.Shuffled(0, ()), "R13", "shuffled into a new one"),
        ("destiny", hack.Shuffled(0, ()), "R44", "for destiny"),
        ("play", hack.PlayPC(0, "a"), "R19", "face up"),
        ("play", hack.PlayPC(0, "a", "b"), "R20", "Replacing"),
        ("stand", hack.Avoid(0), "R36", "must avoid"),
        ("reward", hack.Reward(0, "a"), "R37", "Avoided"),
        ("assign", hack.Assign(0, "a", "b"), "R38", "defender pairs"),
        ("extra", hack.Assign(0, "a", "b"), "R41", "every monster left"),
    ],
)
def test_hack_cites_by_phase(phase: str, action: Any, rule: str, word: str) -> None:
    assert cited(HACK, replace(HACK_START, phase=phase), action) == rule
    assert word in says(HACK, rule)


SAINOME_START = SAINOME.new(2, SAINOME.options())


@pytest.mark.parametrize(
    ("changes", "action", "rule", "word"),
    [
        ({"throw": "off"}, THROW, "R3", "higher roll"),
        ({"throw": "attack"}, THROW, "R22", "Attack: roll"),
        ({"throw": "reckless"}, THROW, "R21", "instant"),
        ({"phase": "equip"}, sainome.Attach(0, "dagger", 0), "R8", "first hand"),
        ({"phase": "equip", "turns": 2}, sainome.Attach(0, "dagger", 0), "R18", "Re-equip"),
        ({"phase": "equip", "turns": 2, "swift": True}, sainome.GoOn(0), "R21", "instant"),
        ({"phase": "pay"}, sainome.Discard(0, "dagger"), "H3", "Catalysts"),
        ({"phase": "six"}, sainome.GoOn(0), "R26", "passes on a 6"),
    ],
)
def test_sainome_cites_by_what_is_going_on(
    changes: dict[str, Any], action: Any, rule: str, word: str
) -> None:
    assert cited(SAINOME, replace(SAINOME_START, **changes), action) == rule
    assert word in says(SAINOME, rule)


@pytest.mark.parametrize(("held", "rule"), [(6, "R28"), (5, "R29")])
def test_who_holds_too_many_cards_must_discard_others_may(held: int, rule: str) -> None:
    side = replace(SAINOME_START.sides[0], hand=("dagger",) * held)
    trash = replace(SAINOME_START, phase="trash", sides=(side, SAINOME_START.sides[1]))
    assert cited(SAINOME, trash, sainome.Discard(0, "dagger")) == rule
