"""What changes dice without a throw: the characters' abilities and the die-control token."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

from companion.games.api import refuse
from companion.games.sao.actions import Ability, Control
from companion.games.sao.dicework import Bar, check_dice, turned
from companion.games.sao.state import State, hero, home, name
from companion.words import text


def ability(state: State, action: Ability, bar: Bar) -> State:
    """A character's power over the dice (R18, R23, R24, R63, R75)."""
    who = action.who
    refuse(state.phase == "dice", "R23", text("Abilities are for lying dice."))
    refuse(0 <= who < len(state.heroes), "R18", text("There is no such character."))
    refuse(action.seat == state.seat(who), "R18", text("That is {who}'s.", who=name(state, who)))
    chained = who in state.pair and not state.heroes[who].dead
    bar(chained, "R18", text("{who} is not chained now.", who=name(state, who)))
    bar(state.now.abilities, "R75", text("This step forbids abilities."))
    free = state.gratis(who)
    left = state.heroes[who].uses
    why = text("{who} has 0 of {most} uses left.", who=name(state, who), most=state.most())
    bar(free or left > 0, "R24", why)
    power = state.card(who).power
    if power.kind == "restore":
        changed = _restored(state, action, free)
    elif power.kind == "shift":
        changed = _shifted(state, action)
    else:
        most = power.dice
        n = len(action.dice)
        refuse(1 <= n <= most, "R23", text("Pick 1 to {most} dice, not {n}.", most=most, n=n))
        check_dice(state, action.dice, "R23")
        changed = state
        for at in action.dice:
            changed = _set(changed, at, action.to, power.to)
    changed = replace(changed, marks=())
    if free:
        return replace(changed, free=(*changed.free, who))
    return hero(changed, who, uses=max(0, changed.heroes[who].uses - 1))


def _set(state: State, at: int, to: int, allowed: tuple[int, ...]) -> State:
    """One die to an allowed value; without a list, to its opposite face."""
    die = state.dice[at]
    refuse(die.of < 0, "R23", text("Abilities leave blue dice alone."))
    if not allowed:
        refuse(to == 0, "R23", text("A die is turned over, not set."))
        return turned(state, at, 7 - die.face)
    refuse(to in allowed, "R23", text("Not to {to}.", to=to))
    refuse(die.face != to, "R23", text("The die shows {to} already.", to=to))
    return turned(state, at, to)


def _shifted(state: State, action: Ability) -> State:
    """Every regular die of one value goes up or down by one."""
    refuse(len(action.dice) == 1, "R23", text("Pick one die for its value."))
    check_dice(state, action.dice, "R23")
    picked = state.dice[action.dice[0]]
    refuse(picked.of < 0, "R23", text("Abilities leave blue dice alone."))
    to = picked.face + action.to
    refuse(action.to in (1, -1), "R23", text("One up or one down, not {to}.", to=action.to))
    refuse(1 <= to <= 6, "R23", text("A die shows 1 to 6, not {value}.", value=to))
    for at, die in enumerate(state.dice):
        if die.of < 0 and die.face == picked.face:
            state = turned(state, at, to)
    return state


def _restored(state: State, action: Ability, free: bool) -> State:
    """Another character gets a use back; oneself only where the ability costs none."""
    whom = action.to
    refuse(not action.dice, "R23", text("This ability changes no dice."))
    refuse(whom in state.living(), "R23", text("There is no such character."))
    refuse(free or whom != action.who, "R23", text("That would gain nothing."))
    uses, most = state.heroes[whom].uses, state.most()
    why = text("{who} has {n} of {most} uses.", who=name(state, whom), n=uses, most=most)
    refuse(uses < most, "R23", why)
    return hero(state, whom, uses=uses + 1)


def control(state: State, action: Control, bar: Bar) -> State:
    """The die-control token turns one of its holder's dice and goes home (R67)."""
    refuse(state.phase == "dice", "R67", text("Die control is for lying dice."))
    refuse(action.seat == state.seat(state.turn), "R67", text("Only in the holder's turn."))
    bar(state.holds("control", state.turn), "R67", text("No die-control token here."))
    check_dice(state, (action.die,), "R67")
    die = state.dice[action.die]
    refuse(die.by == state.turn, "R67", text("Only one of your own dice."))
    refuse(1 <= action.to <= 6, "R67", text("A die shows 1 to 6, not {value}.", value=action.to))
    refuse(state.values(die) != (action.to,), "R67", text("The die shows {to}.", to=action.to))
    return home(turned(state, action.die, action.to), (state.turn,), ("control",))


def abilities(state: State, who: int) -> Iterator[Ability]:
    """Every use of a character's power that changes something, if it may be used at all."""
    seat, power = state.seat(who), state.card(who).power
    plain = [(at, die.face) for at, die in enumerate(state.dice) if die.of < 0]
    if power.kind == "restore":
        free = state.gratis(who)
        for whom in state.living():
            if state.heroes[whom].uses < state.most() and (free or whom != who):
                yield Ability(seat, who, (), whom)
    elif power.kind == "shift":
        for (at, face), step in product(plain, (1, -1)):
            if 1 <= face + step <= 6:
                yield Ability(seat, who, (at,), step)
    else:
        for to in power.to or (0,):
            open_dice = [at for at, face in plain if face != to]
            for n in range(1, power.dice + 1):
                for dice in combinations(open_dice, n):
                    yield Ability(seat, who, dice, to)
