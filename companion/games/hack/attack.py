"""The attack step: joining, avoiding or fighting, assigning, the order of fights, scoring."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.errors import Illegal
from companion.games.api import require
from companion.games.hack import actions as do
from companion.games.hack.fights import joining
from companion.games.hack.flow import scored
from companion.games.hack.state import Battle, State, with_side, without
from companion.games.records import replace
from companion.words import text


def _join(state: State, action: do.Join) -> State:
    side = state.sides[action.seat]
    require(action.card in side.portal, "R34", "That card is not in your portal")
    card = state.cards[action.card]
    may = action.card in joining(state)
    require(may, "R32", "{card} joins only if a card's text allows it", card=card.name)
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
    """One PC and one monster at a time, any with any, and moved until all is ready (R40, R41)."""
    monster, pc = action.monster, action.pc
    extra = state.phase == "extra"
    rule = "R41" if extra else "R39"
    name = state.cards[monster].name if monster in state.cards else text("{m}", m=monster)
    require(
        monster in (*state.attackers, *placed(state)), rule, "{m} is not yours to place", m=name
    )
    there = monster not in state.attackers and met(state, monster, pc)
    require(not there, rule, "{m} fights there already", m=name)
    state = _lifted(state, monster)
    at = next((n for n, battle in enumerate(state.battles) if battle.pc == pc), None)
    if extra:
        if at is None:
            raise Illegal("R41", text("An extra attacker joins a fight that is set up already"))
        more = replace(state.battles[at], monsters=(*state.battles[at].monsters, monster))
        battles = (*state.battles[:at], more, *state.battles[at + 1 :])
    else:
        require(state.hero(action.seat, pc) is not None, "R38", "That is no PC of yours")
        busy = state.cards[pc].name
        require(at is None, "R39", "{pc} has a monster: move that one first", pc=busy)
        battles = (*state.battles, Battle(pc, (monster,)))
    return replace(state, attackers=without(state.attackers, monster), battles=battles)


def placed(state: State) -> tuple[str, ...]:
    """The monsters that this step has placed already: the pairs, or those beyond them."""
    first = 1 if state.phase == "extra" else 0
    return tuple(monster for battle in state.battles for monster in battle.monsters[first:])


def met(state: State, monster: str, pc: str) -> bool:
    """Is the monster in this PC's fight?"""
    return any(battle.pc == pc and monster in battle.monsters for battle in state.battles)


def _lifted(state: State, monster: str) -> State:
    """A monster that was placed is in nobody's fight again."""
    if monster in state.attackers:
        return state
    first = 1 if state.phase == "extra" else 0
    at = next(n for n, b in enumerate(state.battles) if monster in b.monsters[first:])
    battle = state.battles[at]
    rest = (*battle.monsters[:first], *without(battle.monsters[first:], monster))
    battles = (*state.battles[:at], replace(battle, monsters=rest), *state.battles[at + 1 :])
    kept = tuple(battle for battle in battles if battle.monsters)
    return replace(state, attackers=(*state.attackers, monster), battles=kept)


def _next(state: State, action: do.Next) -> State:
    first = tuple(battle for battle in state.battles if battle.pc == action.pc)
    require(bool(first), "R42", "That PC has no fight to come")
    rest = tuple(battle for battle in state.battles if battle.pc != action.pc)
    return replace(state, battles=first + rest, phase="flip", passed=0)


def _score(state: State, action: do.Score) -> State:
    """One of them, or none (H7)."""
    worth = [m for m in state.battle.monsters if state.cards[m].points]
    require(action.monster in ("", *worth), "R51", "That monster has no point to score")
    return scored(state, action.monster)


ATTACK_ACTS: dict[type, tuple[tuple[str, ...], Callable[[State, Any], State]]] = {
    do.Join: (("join", "stand"), _join),
    do.Avoid: (("stand",), _avoid),
    do.Fight: (("stand",), _fight),
    do.Assign: (("assign", "extra"), _assign),
    do.Next: (("order",), _next),
    do.Score: (("score",), _score),
}
