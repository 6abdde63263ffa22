"""A friend's box with cards that we do not know: brought, then played with to the end."""

from __future__ import annotations

import random

import pytest

from companion.cli.box import PRINTINGS
from companion.errors import BadState
from companion.games import GAMES
from companion.games.box import from_file
from tests.games import contract
from tests.games.shelf import Moment, walk

FRIEND = """
format = 1
[hack.water_spirit]
kind = "monster"
name = "水の精霊"
a = 4
b = 4
strength = 5
points = 2
storable = 1
text = "reward: draw 1"
[hack.stranger]
kind = "pc"
a = 3
b = 3
strength = 4
text = "printed"
[hack.lantern]
kind = "item"
a = 3
b = 3
strength = 2
[hack.whistle]
kind = "action"
a = 3
b = 3
text = "flip: strength +3"
[sainome.trident]
kind = "weapon"
name = "Trident"
copies = 4
damage = 2
links = "up left down right"
six = 1
[sainome.mirror]
kind = "item"
use = "counter"
copies = 3
six = 1
text = "counter: damage =0; counter: bind 1"
[sainome.riddle]
kind = "skill"
use = "instant"
copies = 2
text = "printed"
[sainome.comet]
kind = "magic"
copies = 2
damage = 3
catalyst = 1
links = "up"
[sao.cloak]
kind = "item"
name = "Cloak of Stars"
effect = "armour"
copies = 4
amount = 2
[sao.flask]
kind = "item"
effect = "heal"
copies = 3
amount = 3
[sao.harpy]
kind = "scenario"
name = "The Harpy"
section = "lower"
steps = 2
step1.hp = 4
step2.hp = 5
step2.aoe = 1
[swordcrafters."magic.101a"]
method = "least"
gems = "red green"
pays = "5 2"
[swordcrafters."magic.102a"]
method = "pairs"
gems = "blue"
pays = "4"
"""
NEW = {
    "hack": ("water_spirit", "stranger", "lantern", "whistle"),
    "sainome": ("trident", "mirror", "riddle", "comet"),
    "sao": ("cloak", "flask", "harpy"),
    "swordcrafters": ("101a", "102a"),
}
BOX = from_file(FRIEND.encode(), "friend.toml", PRINTINGS)
WAYS = [
    pytest.param(key, option, value, id=f"{key}-{value}", marks=pytest.mark.slow)
    for key in NEW
    for option, values in (
        ("way", ("virtual", "tracked"))
        if key == "swordcrafters"
        else ("cards", ("companion", "table")),
    )
    for value in values
]


def played(key: str, option: str, value: str) -> tuple[Moment, ...]:
    """A whole game at random in which a card that we do not know came out."""
    game = GAMES[key]
    options = game.options(corrections=BOX[key], **{option: value})
    for seed in range(20):
        moments = tuple(walk(game, 2, options, seed))
        if any(f"'{new}'" in repr(moment.action) for new in NEW[key] for moment in moments):
            return moments
    raise AssertionError(f"no card of {NEW[key]} was ever played")


@pytest.mark.parametrize(("key", "option", "value"), WAYS)
def test_a_whole_game_with_cards_that_we_do_not_know_keeps_every_promise(
    key: str, option: str, value: str
) -> None:
    game, moments = GAMES[key], played(key, option, value)
    assert game.result(moments[-1].state) is not None
    for promise in contract.PROMISES:
        promise(game, moments, 2, random.Random(promise.__name__))


@pytest.mark.parametrize("key", NEW)
def test_what_is_new_is_drawn_and_every_value_of_it_says_whose_it_is(key: str) -> None:
    printing = PRINTINGS[key]
    cards = printing.values(BOX[key], "friend.toml")
    for new in (card for card in cards if card not in printing.values((), "ours")):
        assert printing.name(new, cards[new]).show()
        assert {value.source for value in cards[new].values()} <= {
            "owner",
            "house",
            "fan",
            "rulebook",
        }


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ('[sao.harpy]\nkind = "character"', "f: sao: harpy: kind must be scenario or item"),
        ('[sao.coat]\nkind = "scenario"', "coat: kind is item by the rulebook, not scenario"),
        ('[sao."Harpy!"]\nkind = "item"', "f: sao: Harpy!: a new card is called"),
        ("[sao.harpy]\nsteps = 2", "harpy: there is no such card; a new one needs its kind"),
        ('[sao.harpy]\nkind = "scenario"\nsection = "final"', "harpy: the final battle has 2"),
        ('[sao.harpy]\nkind = "scenario"\nsteps = 9', "f: sao: harpy: steps is 9, not 1 to 6"),
        ('[sao.cloak]\nkind = "item"\neffect = "fly"', "f: sao: cloak: effect is 'fly'"),
    ],
)  # fmt: skip
def test_a_broken_box_is_refused_with_file_card_and_reason(lines: str, reason: str) -> None:
    with pytest.raises(BadState, match=r"^f: ") as refused:
        from_file(f"format = 1\n{lines}".encode(), "f", PRINTINGS)
    assert reason in str(refused.value)
