"""The coach of Sword of Fellows, and the partner for who plays alone: what to do now, best first.

Everything is read off the public state. A line is a move with the odds of the turn that follows it,
all of one policy: the one that hopes for the most (danger.py), exact over all throws (turn.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

from companion.bots.casual import Greed, casual_turn
from companion.bots.danger import Hope
from companion.bots.turn import Faces, Odds, Power, Turn
from companion.games.api import require
from companion.games.sao import actions as do
from companion.games.sao import dicework, powers
from companion.games.sao.course import laid_out, targets
from companion.games.sao.kinds import ADDITIONS
from companion.games.sao.legal import able, exchangeable, meals, partners
from companion.games.sao.state import State

CHANGES = ("set", "flip", "shift")
"""Kinds of ability that change dice."""
AT_ONCE = Odds(2.0)
"""Of a move that costs nothing which would be missed: before all others."""


@dataclass(frozen=True, slots=True)
class Line:
    """A move, and what to expect of the turn if play is best from there; no move: throw."""

    action: Any
    odds: Odds


@dataclass(frozen=True, slots=True)
class Mind:
    """What a player wants: the best turn by it, and the worth of what is done between throws."""

    turn: Callable[[State], Turn]
    quick: Callable[[State], Turn]  # the same without its odds
    hope: Callable[[State], Hope | Greed]


def ranked(state: State, mind: Mind | None = None) -> list[Line]:
    """What the party may do now, best first; nothing where cards alone can go on."""
    found = list(_lines(state, mind or COACH)) if not state.outcome else []
    found.sort(key=lambda line: -line.odds.worth)
    return found


def _lines(state: State, mind: Mind) -> Iterator[Line]:
    seat = state.seat(state.turn)
    match state.phase:
        case "chain":
            for who in partners(state):
                paired = laid_out(replace(state, partner=who))
                yield Line(do.Chain(seat, who), _from_hand(paired, mind))
        case "lay":
            for value in range(1, 7):
                lay = do.Lay(seat, value)
                laid = dicework.lay(state, lay)
                yield Line(lay, mind.turn(laid).keep(*in_hand(laid)))
        case "roll":
            yield Line(None, mind.turn(state).keep(*in_hand(state)))
            for blue, after in exchanges(state):
                yield Line(blue, _from_hand(after, mind))
        case "dice":
            yield from _dice(state, mind)
        case "skills" if not state.spent:
            yield from _strikes(state, mind)
        case "skills":
            yield Line(do.Finish(seat), AT_ONCE)
        case "effect":
            yield from _targets(state, seat)
        case "counter":
            yield from _counter(state, seat, mind)
        case "fallen":
            for who in state.fallen():
                yield Line(do.Consume(seat, state.relic(), who), AT_ONCE)
        case "give":
            yield Line(do.Give(seat, state.editing[0], state.kirito()), AT_ONCE)
        case "pack":
            yield Line(do.Onward(seat), AT_ONCE)


def _essence(state: State) -> State:
    """What the solution of a turn depends on: not how the dice lie, nor who points at them."""
    dice = tuple(die if die.counts else replace(die, face=0, fresh=True) for die in state.dice)
    return replace(
        state, phase="dice", dice=dice, marks=(), rerolls=0, ring=0, deck=(), spent=(), moved=(),
        switch=False, asks=(), then="", editing=("", ""), back="",
    )  # fmt: skip


@lru_cache(maxsize=1)  # a turn takes 2 to 7 MB, more with three blue dice
def _solved(state: State, told: bool = True) -> Turn:
    plain, faces, powers = _dice_of(state)
    return Turn(state.arms(), plain, faces, Hope(state).worth, powers, told)


@lru_cache(maxsize=2)  # a fifth of that each; 16 are met again hardly more often
def _valued(state: State) -> Turn:
    return _solved.__wrapped__(state, told=False)


def _told(state: State) -> Turn:
    return _solved(_essence(state))


def _untold(state: State) -> Turn:
    return _valued(_essence(state))


def _greedy(state: State) -> Turn:
    return casual_turn(state.arms(), *_dice_of(state))


COACH = Mind(_told, _untold, Hope)
"""The careful player, who says what to expect of each line."""
CAREFUL = Mind(_untold, _untold, Hope)
"""The same in silence: the odds hold the worth alone, in half the time."""
CASUAL = Mind(_greedy, _greedy, Greed)


def _dice_of(state: State) -> tuple[int, tuple[Faces, ...], tuple[tuple[Power, int], ...]]:
    """How many plain dice there are, the faces of the blue ones, and what may change them."""
    plain, blue = _split(state)
    faces = tuple(state.card(state.dice[i].of).faces for i in blue)
    return len(plain), faces, tuple(_powers(state))


def _powers(state: State) -> Iterator[tuple[Power, int]]:
    """What may change dice in this turn, with how often: abilities, the die-control token."""
    for who in _acting(state):
        power = state.card(who).power
        yield (power.kind, power.dice, power.to), state.heroes[who].uses + state.gratis(who)
    if state.holds("control", state.turn):
        yield ("set", 1, (1, 2, 3, 4, 5, 6)), 1


def _acting(state: State) -> list[int]:
    """Who of the pair may change dice by an ability now."""
    return [
        who
        for who in state.pair
        if not state.heroes[who].dead and able(state, who) and state.card(who).power.kind in CHANGES
    ]


def _split(state: State) -> tuple[list[int], list[int]]:
    """The places of the plain dice (a blue one that was turned is one) and of the blue ones."""
    blue = [i for i, die in enumerate(state.dice) if die.of >= 0 and not die.counts]
    return [i for i in range(len(state.dice)) if i not in blue], blue


def _face(state: State, at: int) -> int:
    """Which of the different faces of its die a blue one shows."""
    faces = tuple(dict.fromkeys(state.card(state.dice[at].of).faces))
    return faces.index(state.values(state.dice[at]))


def _value(state: State, at: int) -> int:
    return state.values(state.dice[at])[0]


def in_hand(state: State) -> tuple[list[int], tuple[int | None, ...], int]:
    """About to throw: the plain dice that lie, the faces of the blue ones, throws to go."""
    plain, blue = _split(state)
    kept = [_value(state, i) for i in plain if state.dice[i].face]
    faces = tuple(_face(state, i) if state.dice[i].face else None for i in blue)
    return kept, faces, max(0, state.now.rerolls - state.rerolls) + 1


def _from_hand(state: State, mind: Mind) -> Odds:
    """The same, with the blue dice brought in that are worth it."""
    best = max(_hands(state), key=lambda hand: mind.quick(hand).keep(*in_hand(hand)).worth)
    return mind.turn(best).keep(*in_hand(best))


def _hands(state: State) -> Iterator[State]:
    yield state
    for _, after in exchanges(state):
        yield from _hands(after)


def exchanges(state: State) -> Iterator[tuple[do.Exchange, State]]:
    """Each blue die that may be brought into the throw."""
    for who, hero in enumerate(state.heroes):
        seat = state.seat(state.turn if hero.dead else who)
        if exchangeable(state, seat, who):
            blue = do.Exchange(seat, who)
            yield blue, dicework.exchange(state, blue, require)


def _dice(state: State, mind: Mind) -> Iterator[Line]:
    """Spend the dice, throw some again, change some; or help somebody first."""
    turn = mind.turn(state)
    yield from _helps(state)
    yield from _strikes(state, mind)
    yield from _agains(state, turn)
    yield from _changes(state, turn)


def _helps(state: State) -> Iterator[Line]:
    """A use given back: by Lisbeth, whose ability does nothing else, or by a tonic."""
    spent = [who for who in state.pair if not state.heroes[who].uses and state.now.abilities
             and state.card(who).power.kind in CHANGES]  # fmt: skip
    for who in state.pair:
        if state.card(who).power.kind == "restore" and able(state, who):
            for action in powers.abilities(state, who):
                if action.to != who:
                    yield Line(action, AT_ONCE)
    for meal in meals(state, state.seat(state.turn)):
        if state.cards.items[meal.item].effect == "ability" and meal.who in spent:
            yield Line(meal, AT_ONCE)


def _strikes(state: State, mind: Mind) -> Iterator[Line]:
    """Each plan; before it a potion, where the plan is worth that much only with one."""
    seat, hope = state.seat(state.turn), mind.hope(state)
    for plan in state.plans():
        bits = sum(1 << n for n, side in enumerate(ADDITIONS) if side and side in plan.additions)
        worth, beaten = hope.of(plan.damage, plan.complete, plan.healing, bits)
        odds = Odds(worth, plan.damage, plan.complete, beaten)
        yield Line(do.Strike(seat, plan.uses), odds)
        for meal in meals(state, seat):
            if state.cards.items[meal.item].effect == "heal":
                full = hope.drunk(meal.who, plan.damage, plan.complete)
                if full > hope.sober(plan.damage, plan.complete) and full >= worth:
                    yield Line(meal, replace(odds, worth=full + 1e-9))


def _agains(state: State, turn: Turn) -> Iterator[Line]:
    """Every set of dice that may be thrown again; of dice that are alike, the first."""
    shared, ring = state.throws()
    plain, blue = _split(state)
    free = {i for i, die in enumerate(state.dice) if shared or (ring >= 0 and die.by == ring)}
    alike: dict[int, list[int]] = {}
    for i in plain:
        if i in free and not state.dice[i].counts:  # a turned one stays as it counts
            alike.setdefault(state.dice[i].face, []).append(i)
    some = [[same[:n] for n in range(len(same) + 1)] for same in alike.values()]
    some += [[[], [i]] for i in blue if i in free]
    for parts in product(*some):
        thrown = tuple(i for part in parts for i in part)
        if thrown:
            yield Line(do.Again(state.seat(state.turn), thrown), again(state, turn, thrown))


def again(state: State, turn: Turn, thrown: tuple[int, ...]) -> Odds:
    """What to expect of throwing exactly these dice."""
    plain, blue = _split(state)
    kept = [_value(state, i) for i in plain if i not in thrown]
    faces = tuple(None if i in thrown else _face(state, i) for i in blue)
    return turn.keep(kept, faces, max(1, state.throws()[0]))


def set_to(state: State, action: do.Ability | do.Control) -> tuple[int, ...]:
    """What the plain dice show after an ability or a die-control token, sorted."""
    plain, _ = _split(state)
    values = [_value(state, i) for i in plain]
    if isinstance(action, do.Control):
        changed = [action.to if i == action.die else v for i, v in zip(plain, values, strict=True)]
    else:
        changed = _changed(state, action, plain, values)
    return tuple(sorted(changed))


def _changes(state: State, turn: Turn) -> Iterator[Line]:
    """Abilities and the die-control token, each with what follows without another throw."""
    plain, blue = _split(state)
    faces = tuple(_face(state, i) for i in blue)
    acting = _acting(state)
    tokens = state.holds("control", state.turn)
    seen = set()
    for n, who in enumerate(acting):
        used = tuple(int(i == n) for i in range(len(acting) + tokens))
        for action in powers.abilities(state, who):
            have = set_to(state, action)
            if (who, have) not in seen:
                seen.add((who, have))
                yield Line(action, turn.settle(have, faces, used))
    for at in plain if tokens else ():
        for to in range(1, 7):
            if state.dice[at].by == state.turn and _value(state, at) != to:
                token = do.Control(state.seat(state.turn), at, to)
                odds = turn.settle(set_to(state, token), faces, (*(0 for _ in acting), 1))
                yield Line(token, odds)


def _changed(state: State, action: do.Ability, plain: list[int], values: list[int]) -> list[int]:
    """What the plain dice show after an ability."""
    kind, picked = state.card(action.who).power.kind, state.dice[action.dice[0]].face
    if kind == "shift":
        return [v + action.to if v == picked else v for v in values]
    return [
        v if i not in action.dice else 7 - v if kind == "flip" else action.to
        for i, v in zip(plain, values, strict=True)
    ]


def _targets(state: State, seat: int) -> Iterator[Line]:
    """Healing and the shield for who needs it most, other tokens for who strikes next."""
    kind, amount = state.asks[0]
    for who in targets(state):
        hp, top = state.heroes[who].hp, state.top(who)
        if kind == "heal":
            need = min(amount, top - hp) / hp
        else:
            need = 1 / hp if kind == "shield" else float(who == state.partner)
        yield Line(do.Target(seat, who), Odds(need))


def _counter(state: State, seat: int, mind: Mind) -> Iterator[Line]:
    """Yui now, or a hit (perhaps after a potion)."""
    hope = mind.hope(state)
    yield Line(do.Forgo(seat), Odds(hope.sober(0, False)))
    if state.yui:
        yield Line(do.Yui(seat), Odds(hope.with_yui(0)))
    for meal in meals(state, seat):
        if state.cards.items[meal.item].effect == "heal":
            yield Line(meal, Odds(hope.drunk(meal.who, 0, False)))
