"""What the words of the card texts do in .hack//ENEMY."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.effects import Due, Effect, Verb
from companion.games.hack.fights import stripped, with_hero, wounded
from companion.games.hack.state import Hero, State, with_side, without
from companion.games.records import replace


def due_of(effect: Effect, seat: int, card: str) -> Due:
    """An effect for the seat whose card it is; what the other must give up, the other chooses."""
    decides = 1 - seat if effect.verb == "discard" else seat
    return Due(effect.verb, effect.amount, decides, card)


def flipped(state: State, effect: Effect, seat: int) -> State:
    """Strength and destiny for the fight that is being resolved."""
    amount = -effect.amount if effect.sign == "-" else effect.amount
    battle = state.battle
    if effect.verb == "strength":
        battle = replace(battle, plus=_raised(battle.plus, seat, amount))
    else:
        battle = replace(battle, fate=_raised(battle.fate, seat, amount))
    return replace(state, battles=(battle, *state.battles[1:]))


def _raised(both: tuple[int, int], seat: int, amount: int) -> tuple[int, int]:
    return (both[0] + amount, both[1]) if seat == 0 else (both[0], both[1] + amount)


IN_FIGHT = ("strength", "destiny")


def _draw(state: State, due: Due, _target: str) -> State:
    return with_side(state, due.seat, owed=state.sides[due.seat].owed + 1)


def _score(state: State, due: Due, _target: str) -> State:
    return with_side(state, due.seat, extra=state.sides[due.seat].extra + 1)


def _hurt(state: State, due: Due) -> tuple[str, ...]:
    """Only a wounded PC can be healed (R22)."""
    return tuple(hero.card for hero in state.sides[due.seat].heroes if hero.wounded)


def _heal(state: State, due: Due, target: str) -> State:
    hero = next(hero for hero in state.sides[due.seat].heroes if hero.card == target)
    return with_hero(state, due.seat, replace(hero, wounded=False))


def _idle(state: State, seat: int) -> list[Hero]:
    """PCs that have no fight to come."""
    to_come = state.battles[1:] if state.phase == "reward" else state.battles
    busy = {battle.pc for battle in to_come}
    return [hero for hero in state.sides[seat].heroes if hero.card not in busy]


def _victims(state: State, due: Due) -> tuple[str, ...]:
    """Also the PC that has just lost (H8)."""
    return tuple(hero.card for hero in _idle(state, 1 - due.seat))


def _wound(state: State, due: Due, target: str) -> State:
    return wounded(state, 1 - due.seat, target)


def _hand(state: State, due: Due) -> tuple[str, ...]:
    return tuple(dict.fromkeys(state.sides[due.seat].hand))


def _discard(state: State, due: Due, target: str) -> State:
    side = state.sides[due.seat]
    return with_side(
        state, due.seat, hand=without(side.hand, target), discard=(*side.discard, target)
    )


def _items(state: State, due: Due) -> tuple[str, ...]:
    heroes = state.sides[1 - due.seat].heroes
    return tuple(f"{hero.card} {item}" for hero in heroes for item in hero.items)


def _destroy(state: State, due: Due, target: str) -> State:
    pc, item = target.split()
    hero = next(hero for hero in state.sides[1 - due.seat].heroes if hero.card == pc)
    return stripped(state, 1 - due.seat, hero, item)


VERBS: Mapping[str, Verb[State]] = {
    "draw": Verb(_draw),
    "score": Verb(_score),
    "heal": Verb(_heal, _hurt),
    "wound": Verb(_wound, _victims),
    "discard": Verb(_discard, _hand),
    "destroy": Verb(_destroy, _items),
}
