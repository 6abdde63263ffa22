"""Every action that a seat may take now."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from companion.errors import Illegal
from companion.games.api import require
from companion.games.sao import dicework as dw
from companion.games.sao import powers
from companion.games.sao.actions import (
    Again,
    Agreed,
    Chain,
    Consume,
    Control,
    Correct,
    Corrected,
    Exchange,
    Finish,
    Forgo,
    Give,
    Lay,
    Mark,
    Onward,
    Play,
    Stand,
    Strike,
    Target,
    Told,
    Trigger,
    Yui,
)
from companion.games.sao.assign import every_use, payments
from companion.games.sao.cards import offered
from companion.games.sao.course import targets
from companion.games.sao.party import MEALTIMES, correctable, movable
from companion.games.sao.state import State


def legal(state: State, seat: int) -> Iterator[Any]:
    """Lazily: the most telling moves first."""
    if not 0 <= seat < state.seats or state.outcome:
        return
    if state.phase == "choose":
        yield from _characters(state, seat)
        return
    mine = seat == state.seat(state.turn)
    heroes = range(len(state.heroes))
    match state.phase:
        case "reveal" | "loot" if mine and state.options.cards == "table":
            cards = state.cards.section(state.section) if state.phase == "reveal" else state.deck
            yield from (Told(seat, card) for card in dict.fromkeys(cards))
        case "check":
            yield Agreed(seat)
        case "correct":
            yield from (Corrected(seat, *state.editing, value)
                        for value in offered(state.cards, *state.editing))  # fmt: skip
        case "chain" if mine:
            yield from (Chain(seat, who) for who in partners(state))
        case "lay" if mine:
            yield from (Lay(seat, value) for value in range(1, 7))
        case "roll":
            yield from (Exchange(seat, who) for who in heroes if exchangeable(state, seat, who))
        case "dice":
            yield from _dice(state, seat, mine)
        case "skills":
            yield from _skills(state, seat, mine)
        case "effect" if mine:
            yield from (Target(seat, who) for who in targets(state))
            yield Forgo(seat)
        case "counter" if mine:
            yield from (Yui(seat), Forgo(seat)) if state.yui else (Forgo(seat),)
        case "fallen":
            yield from (Consume(seat, state.relic(), who) for who in state.fallen())
            if mine:
                yield Forgo(seat)
        case "give" if mine:
            yield from (Give(seat, state.editing[0], who) for who in heroes)
        case "pack":
            yield from _pack(state, seat, mine)
    yield from meals(state, seat)
    yield from (Correct(seat, *key) for key in correctable(state))
    if mine and state.phase in ("dice", "skills") and not state.spent:
        yield from _lesser(state, seat)


def _characters(state: State, seat: int) -> Iterator[Play]:
    at = seat if state.seats > 1 else 1
    if not state.picks[at]:
        open_seats = state.picks.count("")
        for key in state.cards.characters:
            last_chance = open_seats == 1 and "kirito" not in state.picks and key != "kirito"
            if key not in state.picks and not last_chance:
                yield Play(seat, key)


def partners(state: State) -> tuple[int, ...]:
    """Who may be chained: anybody else who stands and is not exhausted."""
    return tuple(
        who
        for who in state.living()
        if who != state.turn and (state.last or not state.heroes[who].exhausted)
    )


def exchangeable(state: State, seat: int, who: int) -> bool:
    """May this seat bring this character's die into the throw?"""
    return state.blue and _allowed(lambda: dw.exchange(state, Exchange(seat, who), require))


def _dice(state: State, seat: int, mine: bool) -> Iterator[Any]:
    if mine:
        yield from (Strike(seat, plan.uses) for plan in state.plans())
        yield Stand(seat)
    standing = [who for who in state.pair if not state.heroes[who].dead]
    paired = seat in {state.seat(who) for who in standing}
    if paired:
        yield from (Mark(seat, die) for die in range(len(state.dice)))
        yield from (Again(seat, dice) for dice in throwable(state, seat))
    for who in standing:
        if seat == state.seat(who) and able(state, who):
            yield from powers.abilities(state, who)
    if mine and state.holds("control", state.turn):
        for at, die in enumerate(state.dice):
            if die.by == state.turn:
                yield from (Control(seat, at, to) for to in range(1, 7)
                            if state.values(die) != (to,))  # fmt: skip


def _lesser(state: State, seat: int) -> Iterator[Strike]:
    """Every other use of the dice, down to none: as legal as the best, but nobody's first thought.

    They are many, so they come last.
    """
    best = {plan.uses for plan in state.plans()}
    every = every_use(state.arms(), state.pool)
    yield from (Strike(seat, uses) for uses in every if uses not in best)


def throwable(state: State, seat: int) -> Iterator[tuple[int, ...]]:
    """Every set of dice that this seat may have thrown again."""
    shared, ring = state.throws()
    free = [i for i, die in enumerate(state.dice) if shared or die.by == ring]
    free = [i for i in free if dw.may_throw(state, seat, (i,))]
    for n in range(1, len(free) + 1):
        yield from combinations(free, n)


def able(state: State, who: int) -> bool:
    """Has the character an ability left, and does the step allow it?"""
    return state.now.abilities and (state.gratis(who) or state.heroes[who].uses > 0)


def _skills(state: State, seat: int, mine: bool) -> Iterator[Any]:
    open_dice = state.unspent()
    standing = {state.seat(who) for who in state.pair if not state.heroes[who].dead}
    if mine:
        if not state.spent:
            yield from (Strike(seat, plan.uses) for plan in state.plans())
        yield Finish(seat)
        for skill, dice in payments(state.arms(), state.pool):
            if set(dice) <= set(open_dice):
                yield Trigger(seat, skill, dice)
    if seat in standing:
        yield from (Mark(seat, die) for die in open_dice)


def _pack(state: State, seat: int, mine: bool) -> Iterator[Any]:
    if mine:
        yield Onward(seat)
    for item in movable(state):
        holder = next(o.holder for o in state.kit if o.item == item and o.holder >= 0)
        if seat == state.seat(holder) or (mine and state.options.gear == "either"):
            yield from (Give(seat, item, who) for who in range(len(state.heroes)) if who != holder)


def meals(state: State, seat: int) -> Iterator[Consume]:
    """The consumables that would help somebody now."""
    loose = dict.fromkeys(o.item for o in state.kit if o.holder < 0)
    if not loose or state.phase not in MEALTIMES or not state.now.consumables:
        return
    for key in loose:
        effect = state.cards.items[key].effect
        for who in state.living():
            one = state.heroes[who]
            if (effect == "heal" and one.hp < state.top(who)) or (
                effect == "ability" and one.uses < state.most()
            ):
                yield Consume(seat, key, who)


def _allowed(attempt: Any) -> bool:
    try:
        attempt()
    except Illegal:
        return False
    return True
