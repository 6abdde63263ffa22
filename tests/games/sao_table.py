"""A table for Sword of Fellows: put a party before an enemy, throw given values, look."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.errors import Illegal
from companion.games.api import Die, Rolled
from companion.games.cardfile import Correction
from companion.games.sao.actions import Strike
from companion.games.sao.course import begin_turn, healed
from companion.games.sao.play import apply
from companion.games.sao.possible import possible
from companion.games.sao.state import Options, Owned, State, Token
from tests.games.sao_playout import start


def fight(
    *party: str, scenario: str = "pkguild", step: int = 0, turn: str = "kirito",
    difficulty: str = "normal", kit: tuple[Owned, ...] = (), solo: bool = False,
    corrections: tuple[Correction, ...] = (), yui: int = 0, cards: str = "companion",
) -> State:  # fmt: skip
    """This party at the start of a turn before this enemy, everybody unhurt."""
    options = Options(difficulty, cards, corrections)
    state = start(1 if solo else len(party), party, options)
    section = state.cards.scenarios[scenario].section
    deck = list(state.deck)
    for owned in kit:
        deck.remove(owned.item)
    state = replace(
        state, section=section, level=min(2, section), scenario=scenario, step=step, kit=kit,
        deck=tuple(deck), yui=yui, turn=party.index(turn), phase="chain",
    )  # fmt: skip
    state = begin_turn(healed(state))
    possible(state)
    return state


def throw(state: State, black: str = "", white: str = "", blue: str = "") -> State:
    """These values come to rest: `throw(state, "256", "123")`."""
    given = (("black", black), ("white", white), ("blue", blue))
    dice = tuple(Die(body, int(value)) for body, values in given for value in values)
    return done(state, Rolled(dice))


def done(state: State, *actions: Any) -> State:
    """The state after these actions, each leaving a possible state."""
    for action in actions:
        state = apply(state, action)
        possible(state)
    return state


def refused(state: State, action: Any) -> str:
    """The rule by which an action is refused; the sentence must say something."""
    with pytest.raises(Illegal) as caught:
        apply(state, action)
    assert caught.value.why.show()
    return caught.value.rule


def strike(state: State, damage: int | None = None) -> State:
    """The turn player strikes with the best plan, or with the one that does this damage."""
    plan = next(p for p in state.plans() if damage in (None, p.damage))
    return done(state, Strike(state.seat(state.turn), plan.uses))


def token(state: State, side: str, holder: str, owner: str) -> State:
    """An addition token lies with somebody."""
    places = {key: who for who, key in enumerate(state.picks)}
    tokens = tuple(
        Token(t.owner, side, places[holder]) if t.owner == places[owner] else t
        for t in state.tokens
    )
    return replace(state, tokens=tokens)


def hp(state: State) -> tuple[int, ...]:
    """Everybody's HP."""
    return tuple(one.hp for one in state.heroes)
