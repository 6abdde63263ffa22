"""What stands under a choice, over whole games: what it leads to, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from companion.games.api import Game
from companion.games.hack import HACK
from companion.games.hack.phrases import value_text
from companion.games.sainome import SAINOME
from companion.games.sao import SAO
from companion.language import speaker
from companion.views import Choice
from tests.games.shelf import walk

JAPANESE = speaker("ja")


def offered(game: Game[Any], **options: Any) -> Iterator[Choice]:
    """Every choice that some seat has in some games at random."""
    seats = max(game.seats)
    for seed in range(4):
        for moment in walk(game, seats, game.options(**options), seed):
            for seat in range(seats):
                yield from game.view(moment.state, seat).choices


@pytest.mark.slow
def test_whoever_picks_an_attached_card_reads_there_what_is_done_to_it() -> None:
    targets = (c for c in offered(SAINOME) if type(c.action).__name__ == "Target")
    details = {choice.detail.show() for choice in targets}
    assert "Played: 1 attached card returns to their hand" in details
    assert "" not in details


@pytest.mark.slow
def test_whoever_picks_for_a_card_or_uses_it_reads_there_what_it_does() -> None:
    asked = ("Reward", "Flip", "Target")
    found = {kind: set[str]() for kind in asked}
    for choice in offered(HACK):
        if (kind := type(choice.action).__name__) in asked and not choice.barred:
            found[kind].add(choice.detail.show())
    assert "Reward: draw 1" in found["Reward"]
    assert "Flip: strength +3" in found["Flip"]
    assert "Reward: other discards 1" in found["Target"]
    assert all("" not in details for details in found.values())


@pytest.mark.parametrize("game", [HACK, SAINOME, SAO], ids=lambda game: game.key)
@pytest.mark.slow
def test_what_a_value_is_and_where_it_is_from_is_told_in_the_readers_words(game: Game[Any]) -> None:
    some = islice(offered(game, cards="table"), 20_000)
    asked = [choice for choice in some if type(choice.action).__name__ == "Correct"]
    told = {choice.detail.show((), JAPANESE) for choice in asked}
    assert told
    assert [one for one in told if re.search(r"\b[a-z]{3,}", one)] == []  # no key of a file


@pytest.mark.slow
def test_an_ability_tells_how_often_it_can_still_be_used() -> None:
    details = {c.detail for c in offered(SAO) if type(c.action).__name__ == "Ability"}
    assert {"0 of 1 uses left", "1 of 1 uses left"} <= {detail.show() for detail in details}


def test_the_subtype_of_an_item_is_called_as_elsewhere() -> None:
    assert [value_text("subtype", of).show() for of in ("weapon", "armor")] == ["Weapon", "Armor"]
