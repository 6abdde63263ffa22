"""The attack step: joining, avoiding or fighting, assigning, the order of fights, scoring."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.errors import Illegal
from companion.games.api import require
from companion.games.hack import actions as do
from companion.games.hack.fights import joining
from companion.games.hack.flow import scored
from companion.games.hack.state import Battle, State, with_side, without
from companion.words import text


def _join(state: State, action: do.Join) -> State:
    side = state.sides[action.seat]
    require(action.card in side.portal, "R34", "It is not in your portal")
    card = state.cards[action.card]
    may = action.card in joining(state)
    require(may, "R32", "{card} cannot join this attack", card=card.name)
    state = with_side(state, action.seat, portal=without(side.portal, action.card))
    return replace(state, attackers=(*state.attackers, action.card))


def _avoid(state: State, _action: do.Avoid) -> State:
    rewards = tuple(m for m in state.attackers if state.cards[m].has("reward"))
    return replace(state, rewards=rewards, phase="reward")


def _fight(state: State, action: do.Fight) -> State:
    heroes = state.sides[action.seat].heroes
    require(bool(heroes), "R36", "Without a PC you must avoid")
    return replace(state, phase="assign")


def _assign(state: State, action: do.Assign) -> State:
    """One PC and one monster at a time, any with any (R40)."""
    free = action.monster in state.attackers
    at = next((n for n, battle in enumerate(state.battles) if battle.pc == action.pc), None)
    if state.phase == "assign":
        require(free, "R39", "That monster is not free")
        require(at is None, "R39", "That PC has a monster")
        mine = state.hero(action.seat, action.pc) is not None
        require(mine, "R38", "That is no PC of yours")
        battles = (*state.battles, Battle(action.pc, (action.monster,)))
    else:
        require(free, "R41", "That monster is not free")
        if at is None:
            raise Illegal("R41", text("Only into an existing fight"))
        battle = state.battles[at]
        more = replace(battle, monsters=(*battle.monsters, action.monster))
        battles = (*state.battles[:at], more, *state.battles[at + 1 :])
    return replace(state, attackers=without(state.attackers, action.monster), battles=battles)


def _next(state: State, action: do.Next) -> State:
    first = tuple(battle for battle in state.battles if battle.pc == action.pc)
    require(bool(first), "R42", "That PC has no fight to come")
    rest = tuple(battle for battle in state.battles if battle.pc != action.pc)
    return replace(state, battles=first + rest, phase="flip", passed=0)


def _score(state: State, action: do.Score) -> State:
    worth = [m for m in state.battle.monsters if state.cards[m].points]
    require(action.monster in ("", *worth), "R51", "It has no point to score")
    return scored(state, action.monster)


ATTACK_ACTS: dict[type, tuple[tuple[str, ...], Callable[[State, Any], State]]] = {
    do.Join: (("join", "stand"), _join),
    do.Avoid: (("stand",), _avoid),
    do.Fight: (("stand",), _fight),
    do.Assign: (("assign", "extra"), _assign),
    do.Next: (("order",), _next),
    do.Score: (("score",), _score),
}
