"""States of the two card games that no play can reach: each is refused with its own reason."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from companion.errors import BadState
from companion.games.hack import HACK
from companion.games.hack.state import Battle, Hero
from companion.games.sainome import SAINOME
from companion.games.sainome.state import Attack, Hit, Report
from tests.games import hack_table, sainome_table

FIGHT = Battle("mistral", ("ochimusha",))


def changed(state: Any, changes: dict[str, Any]) -> Any:
    """A state changed behind the rules' back; "a" and "b" change a side."""
    rest = dict(changes)
    pairs = zip(state.sides, ("a", "b"), strict=True)
    sides = tuple(replace(side, **rest.pop(name, {})) for side, name in pairs)
    return replace(state, sides=sides, **rest)


def hack() -> Any:
    """A's turn of .hack//ENEMY to play a card."""
    lay = hack_table.Lay
    return hack_table.board(lay(portal=("gladiator",)), lay(heroes=(Hero("gardenia"),)))


def sainome() -> Any:
    """A's action phase of Sainome Colosseum."""
    lay = sainome_table.Lay
    return sainome_table.board(lay(hand=("dagger",)), lay("sister"))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"phase": "tea"}, "there is no phase 'tea'"),
        ({"back": "play"}, "nothing to go back to"),
        ({"mover": 2}, "two play"),
        ({"turns": 0}, "no turn has begun"),
        ({"passed": 3}, "a count is below zero"),
        ({"shown": "elk"}, "only cardboard is shown"),
        ({"attackers": ("elk",)}, "no monster attacks"),
        ({"attackers": ("gladiator",)}, "attackers without an attack"),
        ({"phase": "stand"}, "nobody attacks"),
        ({"battles": (FIGHT,)}, "fights without an attack"),
        ({"phase": "flip"}, "no fight"),
        ({"phase": "reward"}, "nobody has won"),
        ({"phase": "order", "battles": (FIGHT, FIGHT)}, "a PC fights twice"),
        ({"phase": "order", "battles": (FIGHT,)}, "a fight without its PC"),
        ({"phase": "order", "battles": (Battle("gardenia", ()),)}, "a fight without a monster"),
        (
            {"phase": "order", "battles": (Battle("gardenia", ("ochimusha",), destiny=(3, 2)),)},
            "a destiny out of turn",
        ),
        ({"rewards": ("ochimusha",)}, "a reward out of turn"),
        (
            {"phase": "reward", "attackers": ("gladiator",), "rewards": ("ochimusha",)},
            "a reward of nobody",
        ),
        ({"a": {"hand": ("gardenia",)}}, "the cards of seat 1 are not those of its deck"),
        ({"b": {"deck": ()}}, "the cards of seat 2 are not those of its deck"),
        ({"a": {"owed": -1}}, "a number of cards that cannot be owed"),
        ({"kind": "pc"}, "only cardboard is shown"),
        ({"asked": ("elk", "elk")}, "asked for an unknown card"),
        ({"editing": "strength"}, "a value is open out of turn"),
        ({"cut": (99, 2)}, "a cut that no card has"),
        ({"phase": "cut"}, "the cut is decided"),
        ({"phase": "over"}, "the game is over without an end"),
    ],
)
def test_a_game_of_hack_that_cannot_be_is_refused_with_the_reason(
    changes: dict[str, Any], why: str
) -> None:
    HACK.possible(hack())
    with pytest.raises(BadState, match=f"{re.escape(why)}$"):
        HACK.possible(changed(hack(), changes))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"phase": "tea"}, "there is no phase 'tea'"),
        ({"mover": 2}, "two play"),
        ({"done": ("draw", "draw")}, "an action twice, or a third one"),
        ({"done": ("tea",)}, "an action that is none"),
        ({"turns": 0}, "no turn has begun"),
        ({"off": (7, 1)}, "a die shows 1 to 6"),
        ({"off": (6, 6)}, "nobody won the roll-off"),
        ({"phase": "off"}, "the roll-off is decided"),
        ({"phase": "right"}, "a character before the roll-off"),
        ({"a": {"character": "nobody"}}, "there is no such character"),
        ({"a": {"character": "sister"}}, "a character is there once"),
        ({"a": {"character": ""}}, "a character is missing"),
        ({"phase": "choose"}, "a turn too early"),
        ({"phase": "draft", "turns": 0}, "cards before they are dealt"),
        ({"a": {"pack": ("dagger",)}}, "a draft has packs, and nothing else has"),
        ({"a": {"worn": ("", "", "")}}, "a character has four sides"),
        ({"a": {"worn": ("tea", "", "", "")}}, "'tea' cannot be attached"),
        ({"a": {"fewer": 10}}, "a count that cannot be"),
        ({"a": {"hand": ()}}, "the cards are not those of the deck"),
        ({"attack": Attack()}, "an attack out of its phase"),
        ({"swift": True}, "a Quick Change out of its phase"),
        ({"phase": "attack", "throw": "attack", "attack": Attack(star=6)}, "a star slot is 2 to 5"),
        (
            {"phase": "attack", "throw": "attack", "attack": Attack(number=3)},
            "a roll out of its phase",
        ),
        ({"phase": "six", "attack": Attack(dice=(5,), number=5)}, "no 6 was rolled"),
        ({"phase": "land", "attack": Attack(dice=(5,), number=5)}, "no card acts"),
        ({"reckless": (1, 0)}, "an assault out of its phase"),
        ({"hit": Hit(2, "dagger", (), 1)}, "damage that cannot be"),
        ({"hit": Hit(1, "tea", (), 1)}, "damage of no card"),
        ({"hit": Hit(1, "dagger", (), 1, guts=True)}, "Guts without the card"),
        ({"throw": "attack"}, "dice out of their phase"),
        ({"throw": "tea"}, "dice for nothing"),
        ({"throw": "guts"}, "dice before the damage"),
        ({"asked": ("tea",)}, "asked for an unknown card"),
        ({"kind": "weapon"}, "only cardboard is shown"),
        ({"learning": True}, "no card to compare"),
        ({"editing": "damage"}, "a value is open out of turn"),
        ({"report": Report("tea")}, "a report of nothing"),
        ({"report": Report("hit", "tea")}, "a report of no card"),
        ({"report": Report("hit", parts=(("tea", 1),))}, "damage of nothing"),
    ],
)
def test_a_game_of_sainome_that_cannot_be_is_refused_with_the_reason(
    changes: dict[str, Any], why: str
) -> None:
    SAINOME.possible(sainome())
    with pytest.raises(BadState, match=f"{re.escape(why)}$"):
        SAINOME.possible(changed(sainome(), changes))
