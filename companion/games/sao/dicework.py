"""What the pair does with its dice: throw, throw again, change them, spend them on skills."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from companion.games.api import DiceWanted, Die, Rolled, refuse
from companion.games.sao.actions import (
    Again,
    Exchange,
    Lay,
    Mark,
    Stand,
    Strike,
    Trigger,
)
from companion.games.sao.assign import fits
from companion.games.sao.cites import thrown
from companion.games.sao.course import struck
from companion.games.sao.state import State, Thrown, name
from companion.words import Text, text

Bar = Callable[[bool, str, Text], None]
"""Refuses what only a rule forbids; in soft mode it lets it pass."""


COLOURS = {"black": text("black"), "white": text("white"), "blue": text("light-blue")}


def wanted(state: State) -> DiceWanted:
    """The throw that the table waits for; of two blue dice the turn player's comes first."""
    hand = [die for die in state.dice if not die.face]
    kept = tuple(Die(die.body, die.face) for die in state.dice if die.face)
    by = dict.fromkeys(state.seat(die.by) for die in hand)
    blue = tuple(state.picks[die.of] for die in hand if die.of >= 0)
    return DiceWanted(tuple(die.body for die in hand), tuple(by), kept, blue)


def on_table(state: State) -> DiceWanted | None:
    """The dice that the pair may pick up and throw again, in the order of the pool."""
    if state.phase != "dice":
        return None
    blue = tuple(state.picks[die.of] for die in state.dice if die.of >= 0)
    return DiceWanted((), kept=tuple(Die(d.body, d.face) for d in state.dice), characters=blue)


def rolled(state: State, action: Rolled) -> State:
    """The dice in the hands come to rest; each body in the order in which it was asked for."""
    refuse(state.phase == "roll", "R21", text("No roll is wanted now."))
    need = Counter(die.body for die in state.dice if not die.face)
    have = Counter(die.body for die in action.dice)
    for body, colour in COLOURS.items():
        if need[body] != have[body]:
            why = text(
                "{need} {body} wanted, {have} seen.", need=need[body], have=have[body], body=colour
            )
            refuse(False, thrown(state, action), why)
    extra = have.total() - need.total()
    refuse(extra == 0, thrown(state, action), text("{n} dice of another colour.", n=extra))
    for die in action.dice:
        if not 1 <= die.value <= 6:
            refuse(False, "R19", text("A die shows 1 to 6, not {value}.", value=die.value))
    rest = {body: iter([d for d in action.dice if d.body == body]) for body in need}
    dice = tuple(
        replace(die, face=next(rest[die.body]).value, fresh=True)
        if not die.face
        else replace(die, fresh=False)
        for die in state.dice
    )
    return replace(state, dice=dice, phase="dice", marks=())


def lay(state: State, action: Lay) -> State:
    """Kirito alone lays the support dice (R62)."""
    refuse(state.phase == "lay", "R62", text("Only Kirito alone lays support dice."))
    refuse(1 <= action.value <= 6, "R62", text("A die shows 1 to 6, not {v}.", v=action.value))
    at = next(i for i, die in enumerate(state.dice) if die.body == "white" and not die.face)
    state = turned(state, at, action.value)
    done = all(die.face for die in state.dice if die.body == "white")
    return replace(state, phase="roll" if done else "lay")


def exchange(state: State, action: Exchange, bar: Bar) -> State:
    """A character die instead of a regular one that is about to be thrown (R47, R61)."""
    who = action.who
    refuse(state.phase == "roll", "R47", text("Exchange a die before the throw."))
    refuse(0 <= who < len(state.heroes), "R47", text("There is no such character."))
    dead = state.heroes[who].dead
    thrower = state.turn if dead else who
    if dead:
        spent = any(die.of >= 0 and state.heroes[die.of].dead for die in state.dice)
        refuse(not spent, "R61", text("One die of the dead at a time."))
    refuse(thrower in state.pair, "R47", text("{who} throws no dice now.", who=name(state, who)))
    refuse(action.seat == state.seat(thrower), "R47",
           text("{who} decides that.", who=name(state, thrower)))  # fmt: skip
    bar(state.level > 0, "R47", text("Character dice come with level 50."))
    bar(state.blue or not state.level, "R64", text("This game is without blue dice."))
    out = any(die.of == who for die in state.dice)
    refuse(not out, "R47", text("{who}'s die is in play.", who=name(state, who)))
    body = "black" if thrower == state.turn else "white"
    at = next((i for i, d in enumerate(state.dice) if d.body == body and not d.face), -1)
    refuse(at >= 0, "R47", text("No regular die of {who} in hand.", who=name(state, thrower)))
    blue = Thrown("blue", thrower, of=who)
    return replace(state, dice=(*state.dice[:at], blue, *state.dice[at + 1 :]))


def mark(state: State, action: Mark) -> State:
    """A finger on a die; taking it off again is taking back."""
    refuse(state.phase in ("dice", "skills"), "R21", text("No dice to pick now."))
    rule = "R21" if state.phase == "dice" else "R25"
    _by_pair(state, action.seat, rule)
    check_dice(state, (action.die,), rule)
    refuse(action.die not in state.marks, rule, text("This die is picked already."))
    if state.phase == "skills":
        refuse(action.die in state.unspent(), "R26", text("This die is used already."))
    return replace(state, marks=tuple(sorted((*state.marks, action.die))))


def again(state: State, action: Again, bar: Bar) -> State:
    """The agreed dice go back into the hands (R20 to R22)."""
    refuse(state.phase == "dice", "R20", text("Nothing to throw again now."))
    _by_pair(state, action.seat, "R20")
    refuse(bool(action.dice), "R21", text("Pick the dice first."))
    check_dice(state, action.dice, "R21")
    shared, ring = state.throws()
    if ring >= 0:
        theirs = all(state.dice[i].by == ring for i in action.dice)
        bar(theirs, "H4", text("The ring is for {who}'s dice.", who=name(state, ring)))
    elif not shared:
        limit = state.now.rerolls
        rule = {0: "R74", 1: "R73"}.get(limit, "R20")
        bar(False, rule, text("{n} of {limit} throws used.", n=state.rerolls, limit=limit))
    dice = tuple(
        replace(die, face=0, counts=0) if i in action.dice else die
        for i, die in enumerate(state.dice)
    )
    rounds = state.rerolls if ring >= 0 else state.rerolls + 1
    state = replace(state, dice=dice, marks=(), phase="roll", rerolls=rounds)
    return replace(state, ring=state.ring + 1) if ring >= 0 else state


def turned(state: State, at: int, value: int) -> State:
    """A die turned by hand: a blue one has other faces, so it counts as the value."""
    die = state.dice[at]
    die = replace(die, face=value) if die.of < 0 else replace(die, counts=value)
    return replace(state, dice=(*state.dice[:at], die, *state.dice[at + 1 :]))


def stand(state: State, action: Stand) -> State:
    """The dice are final; the turn player spends them one skill at a time."""
    refuse(state.phase == "dice", "R25", text("There are no dice to settle."))
    _by_turn(state, action.seat)
    return replace(state, phase="skills", marks=())


def strike(state: State, action: Strike, bar: Bar) -> State:
    """A whole use of the dice, offered or not: skills in the order of the card (R25 to R27)."""
    refuse(state.phase in ("dice", "skills"), "R25", text("There are no dice to spend."))
    _by_turn(state, action.seat)
    refuse(not state.spent, "R25", text("Go on one skill at a time."))
    whole = all(isinstance(use, tuple) and len(use) == 2 for use in action.uses)
    in_order = whole and tuple(sorted(action.uses)) == action.uses
    refuse(in_order, "R25", text("A plan names skills and their dice."))
    taken: list[int] = []
    for skill, dice in action.uses:
        _fitting(state, skill, dice, bar)
        refuse(not set(taken) & set(dice), "R26", text("A die counts once only."))
        taken += dice
    return struck(state, action.uses)


def trigger(state: State, action: Trigger, bar: Bar) -> State:
    """One skill, with dice of one's choice (R25 to R27)."""
    refuse(state.phase == "skills", "R25", text("Settle the dice first."))
    _by_turn(state, action.seat)
    _fitting(state, action.skill, action.dice, bar)
    free = set(action.dice) <= set(state.unspent())
    refuse(free, "R26", text("A die counts once only."))
    spent = (*state.spent, (action.skill, tuple(sorted(action.dice))))
    return replace(state, spent=spent, marks=())


def _fitting(state: State, number: int, dice: tuple[int, ...], bar: Bar) -> None:
    """Is the skill known, and do these dice show it?"""
    skills = state.card(state.turn).skills
    refuse(0 <= number < len(skills), "R25", text("There is no such skill."))
    skill = skills[number]
    check_dice(state, dice, "R26")
    level = (0, 50, 80)[skill.level]
    why = text("{skill} comes with level {level}.", skill=Text(skill.name), level=level)
    bar(skill.level <= state.level, "R25", why)
    why = text("{skill} takes {n} dice, not {m}.", skill=Text(skill.name), n=skill.dice,
               m=len(dice))  # fmt: skip
    refuse(skill.dice == len(dice), "R25", why)
    shown = fits(tuple(state.values(state.dice[i]) for i in dice), skill.pattern)
    bar(shown, "R25", text("These dice are no {skill}.", skill=Text(skill.name)))


def check_dice(state: State, dice: tuple[int, ...], rule: str) -> None:
    """Are these dice of the pool, each once?"""
    top = len(state.dice)
    ok = all(0 <= die < top for die in dice)
    refuse(ok, rule, text("There are {n} dice.", n=top))
    once = tuple(sorted(set(dice))) == dice
    refuse(once, rule, text("Each die once, from left to right."))


def _by_pair(state: State, seat: int, rule: str) -> None:
    seats = {state.seat(who) for who in state.pair if not state.heroes[who].dead}
    refuse(seat in seats, rule, text("The chained pair decides that."))


def _by_turn(state: State, seat: int) -> None:
    why = text("That is for {who}.", who=name(state, state.turn))
    refuse(seat == state.seat(state.turn), "R25", why)
