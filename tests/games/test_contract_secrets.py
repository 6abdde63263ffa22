"""A planted leak is caught: every mark taken off, every telling that names what is hidden."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest

from companion.games.api import Game, Pick, Secrets
from companion.words import Text, text
from tests.games.contract_secrets import the_unknowable_leaves_no_trace, unseen_is_canonical
from tests.games.liar import LIAR, Dealt, State
from tests.games.shelf import GAMES, Moment, tables, walk

MARKED = [
    pytest.param(
        game,
        kind,
        field.name,
        id=f"{game.key}-{kind.__name__}-{field.name}",
        marks=[pytest.mark.slow] if game.cards is not None else [],
    )
    for game in GAMES
    for kind in game.actions
    for field in fields(kind)
    if field.metadata.get("secret") and field.name != "salt"
]


@cache
def moments(game_key: str, kind: type) -> tuple[Moment, ...]:
    """Where a kind of action is taken in a game at random: the first walk in which it is."""
    game = next(game for game in GAMES if game.key == game_key)
    for _, seats, options in tables(game):
        if taken := [one for one in walk(game, seats, options, 1) if type(one.action) is kind]:
            return tuple(taken)
    raise AssertionError(f"no walk has a {kind.__name__}")


def look(game: Game[Any], kind: type) -> None:
    """Hold a game to the promise wherever this kind of action is taken."""
    for moment in moments(game.key, kind):
        the_unknowable_leaves_no_trace(game, [moment], 2, random.Random(1))


@pytest.mark.parametrize(("game", "kind", "name"), MARKED)
def test_a_secret_field_without_its_mark_is_caught(
    game: Game[Any], kind: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind.__dataclass_fields__[name], "metadata", {})
    with pytest.raises(AssertionError, match=f"prints {name} of {kind.__name__}, what the public"):
        look(game, kind)


@pytest.mark.parametrize(
    ("game", "kind"),
    [pytest.param(*case.values[:2], id=case.id, marks=case.marks) for case in MARKED],
)
def test_a_telling_that_names_a_secret_is_caught(game: Game[Any], kind: Any) -> None:
    def gossip(before: Any, action: Any, viewer: int | None) -> Text:
        return (
            text("{x}", x=repr(action))
            if isinstance(action, kind)
            else game.tell(before, action, viewer)
        )

    with pytest.raises(AssertionError, match=f"`tell` of {kind.__name__} says what the public"):
        look(replace(game, tell=gossip), kind)


def test_telling_one_seat_what_another_was_dealt_is_caught() -> None:
    def whisper(before: Any, action: Any, viewer: int | None) -> Text:
        return LIAR.tell(before, action, 0 if viewer == 1 else viewer)

    with pytest.raises(AssertionError, match="`tell` of Dealt says what seat 1 cannot know"):
        look(replace(LIAR, tell=whisper), Dealt)


def test_an_unseen_that_looks_at_the_truth_is_caught() -> None:
    def turned(state: State, _viewer: int | None, pick: Pick) -> State:
        """Turns each die on by as much as was picked."""
        dice = tuple(tuple((die + pick(6)) % 6 + 1 for die in hand) for hand in state.dice)
        return replace(state, dice=dice)

    walked = tuple(walk(LIAR, 2, LIAR.options(), 1))
    with pytest.raises(AssertionError, match=r"for the public draws .* by the same picks"):
        unseen_is_canonical(
            replace(LIAR, secrets=Secrets(unseen=turned)), walked, 2, random.Random(1)
        )
