"""A changed copy is the one that dataclasses would make, and its original stays as it is."""

from __future__ import annotations

import dataclasses

import pytest

from companion.games.frozen import replace
from companion.games.sao.state import Hero, Options, State, Thrown

VALUES = (State(2, Options(), phase="dice"), Hero("kirito", 9, 1), Thrown("black", 0, face=3))


@pytest.mark.parametrize("one", VALUES)
def test_every_field_is_changed_as_dataclasses_do_it(one: State | Hero | Thrown) -> None:
    before = repr(one)
    for field in dataclasses.fields(one):
        change = {field.name: 77}
        assert replace(one, **change) == dataclasses.replace(one, **change) != one
    assert replace(one) == one
    assert repr(one) == before


def test_the_copy_is_frozen_and_has_the_same_hash() -> None:
    die = replace(Thrown("black", 0), face=4)
    assert hash(die) == hash(Thrown("black", 0, 4))
    with pytest.raises(dataclasses.FrozenInstanceError):
        die.face = 5  # type: ignore[misc]


def test_a_field_that_is_not_there_cannot_be_changed() -> None:
    with pytest.raises(KeyError):
        replace(Hero("kirito", 9, 1), mana=3)  # type: ignore[call-arg]
