"""The story of a move: nothing is left out of it, and what is left out is noticed."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest

from companion.games import SHELF
from companion.games.api import Game
from companion.games.story import Fact, Story, changes, outcome
from companion.views import Beat, leaves
from companion.words import text
from tests.games.contract_story import silent
from tests.games.shelf import walk


@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_a_beat_that_is_taken_out_is_missed(game: Game[Any]) -> None:
    """Whichever beat that names a change is left out of any telling: the contract says so."""
    missed = 0
    for state, action in islice(walk(game, max(game.seats[0], 2), game.options(), 5), 150):
        if action is None:
            break
        after = game.apply(state, action)
        told = outcome(game.story, state, action, after, None)
        assert not silent(game, state, after, None, told)
        for gone in random.Random(1).sample(range(len(told)), min(2, len(told))):
            rest = (*told[:gone], *told[gone + 1 :])
            alone = set(told[gone].about) - {key for beat in rest for key in beat.about}
            facts = {fact.key: fact.value for fact in game.story.facts(state, None)}
            changed = {f.key for f in game.story.facts(after, None)
                       if f.key in facts and facts[f.key] != f.value}  # fmt: skip
            if alone & changed:
                assert silent(game, state, after, None, rest)
                missed += 1
    assert missed > 5


def test_what_a_game_does_not_word_the_facts_tell() -> None:
    story: Story[int] = Story(lambda n, _viewer: [Fact("hp", text("HP"), n)])
    (told,) = outcome(story, 10, "a blow", 7, None)
    assert told.says.show() == "HP 10 → 7"
    assert told.about == ("hp",)


def test_what_a_game_words_itself_is_not_told_twice() -> None:
    own = Beat(text("Ouch"), ("hp",))
    story: Story[int] = Story(lambda n, _viewer: [Fact("hp", text("HP"), n)], lambda *_move: [own])
    assert outcome(story, 10, "a blow", 7, None) == (own,)
    assert not tuple(changes(story, 7, 7, None))


def test_a_great_beat_stands_alone_and_a_quiet_one_nowhere() -> None:
    one, two, great, quiet = (Beat(text("x"), weight=n) for n in (1, 1, 2, 0))
    assert leaves((one, quiet, two, great, one)) == ((one, two), (great,), (one,))
