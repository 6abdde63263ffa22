"""What the pair does with its dice: throw, throw again, change them, spend them on skills."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Protocol

from companion.games.api import DiceWanted, Die, Rolled, require
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
from companion.words import Text, Value, text


class Should(Protocol):
    """What only a rule asks for: `require` in hard mode, passed over in soft mode."""

    def __call__(self, met: bool, rule: str, template: str, /, **values: Value) -> None: ...


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
    require(state.phase == "roll", "R21", "No roll is wanted now.")
    need = Counter(die.body for die in state.dice if not die.face)
    have = Counter(die.body for die in action.dice)
    for body, colour in COLOURS.items():
        require(
            need[body] == have[body], thrown(state, action), "{need} {body} wanted, {have} seen.",
            need=need[body], have=have[body], body=colour,
        )  # fmt: skip
    extra = have.total() - need.total()
    require(extra == 0, thrown(state, action), "{n} dice of another colour.", n=extra)
    for die in action.dice:
        require(1 <= die.value <= 6, "R19", "A die shows 1 to 6, not {value}.", value=die.value)
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
    require(state.phase == "lay", "R62", "Only Kirito alone lays support dice.")
    require(1 <= action.value <= 6, "R62", "A die shows 1 to 6, not {v}.", v=action.value)
    at = next(i for i, die in enumerate(state.dice) if die.body == "white" and not die.face)
    state = turned(state, at, action.value)
    done = all(die.face for die in state.dice if die.body == "white")
    return replace(state, phase="roll" if done else "lay")


def exchange(state: State, action: Exchange, should: Should) -> State:
    """A character die instead of a regular one that is about to be thrown (R47, R61)."""
    who = action.who
    require(state.phase == "roll", "R47", "Exchange a die before the throw.")
    require(0 <= who < len(state.heroes), "R47", "There is no such character.")
    dead = state.heroes[who].dead
    thrower = state.turn if dead else who
    if dead:
        spent = any(die.of >= 0 and state.heroes[die.of].dead for die in state.dice)
        require(not spent, "R61", "One die of the dead at a time.")
    require(thrower in state.pair, "R47", "{who} throws no dice now.", who=name(state, who))
    mine = action.seat == state.seat(thrower)
    require(mine, "R47", "{who} decides that.", who=name(state, thrower))
    should(state.level > 0, "R47", "Character dice come with level 50.")
    should(state.blue or not state.level, "R64", "This game is without blue dice.")
    out = any(die.of == who for die in state.dice)
    require(not out, "R47", "{who}'s die is in play.", who=name(state, who))
    body = "black" if thrower == state.turn else "white"
    at = next((i for i, d in enumerate(state.dice) if d.body == body and not d.face), -1)
    require(at >= 0, "R47", "No regular die of {who} in hand.", who=name(state, thrower))
    blue = Thrown("blue", thrower, of=who)
    return replace(state, dice=(*state.dice[:at], blue, *state.dice[at + 1 :]))


def mark(state: State, action: Mark) -> State:
    """A finger on a die; taking it off again is taking back."""
    require(state.phase in ("dice", "skills"), "R21", "No dice to pick now.")
    rule = "R21" if state.phase == "dice" else "R25"
    _by_pair(state, action.seat, rule)
    check_dice(state, (action.die,), rule)
    require(action.die not in state.marks, rule, "This die is picked already.")
    if state.phase == "skills":
        require(action.die in state.unspent(), "R26", "This die is used already.")
    return replace(state, marks=tuple(sorted((*state.marks, action.die))))


def again(state: State, action: Again, should: Should) -> State:
    """The agreed dice go back into the hands (R20 to R22)."""
    require(state.phase == "dice", "R20", "Nothing to throw again now.")
    _by_pair(state, action.seat, "R20")
    require(bool(action.dice), "R21", "Pick the dice first.")
    check_dice(state, action.dice, "R21")
    shared, ring = state.throws()
    if ring >= 0:
        theirs = all(state.dice[i].by == ring for i in action.dice)
        should(theirs, "H4", "The ring is for {who}'s dice.", who=name(state, ring))
    elif not shared:
        limit = state.now.rerolls
        rule = {0: "R74", 1: "R73"}.get(limit, "R20")
        should(False, rule, "{n} of {limit} throws used.", n=state.rerolls, limit=limit)
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
    require(state.phase == "dice", "R25", "There are no dice to settle.")
    _by_turn(state, action.seat)
    return replace(state, phase="skills", marks=())


def strike(state: State, action: Strike, should: Should) -> State:
    """A whole use of the dice, offered or not: skills in the order of the card (R25 to R27)."""
    require(state.phase in ("dice", "skills"), "R25", "There are no dice to spend.")
    _by_turn(state, action.seat)
    require(not state.spent, "R25", "Go on one skill at a time.")
    whole = all(isinstance(use, tuple) and len(use) == 2 for use in action.uses)
    in_order = whole and tuple(sorted(action.uses)) == action.uses
    require(in_order, "R25", "A plan names skills and their dice.")
    taken: list[int] = []
    for skill, dice in action.uses:
        _fitting(state, skill, dice, should)
        require(not set(taken) & set(dice), "R26", "A die counts once only.")
        taken += dice
    return struck(state, action.uses)


def trigger(state: State, action: Trigger, should: Should) -> State:
    """One skill, with dice of one's choice (R25 to R27)."""
    require(state.phase == "skills", "R25", "Settle the dice first.")
    _by_turn(state, action.seat)
    _fitting(state, action.skill, action.dice, should)
    free = set(action.dice) <= set(state.unspent())
    require(free, "R26", "A die counts once only.")
    spent = (*state.spent, (action.skill, tuple(sorted(action.dice))))
    return replace(state, spent=spent, marks=())


def _fitting(state: State, number: int, dice: tuple[int, ...], should: Should) -> None:
    """Is the skill known, and do these dice show it?"""
    skills = state.card(state.turn).skills
    require(0 <= number < len(skills), "R25", "There is no such skill.")
    skill = skills[number]
    check_dice(state, dice, "R26")
    level = (0, 50, 80)[skill.level]
    should(
        skill.level <= state.level, "R25", "{skill} comes with level {level}.",
        skill=Text(skill.name), level=level,
    )  # fmt: skip
    require(
        skill.dice == len(dice), "R25", "{skill} takes {n} dice, not {m}.",
        skill=Text(skill.name), n=skill.dice, m=len(dice),
    )  # fmt: skip
    shown = fits(tuple(state.values(state.dice[i]) for i in dice), skill.pattern)
    should(shown, "R25", "These dice are no {skill}.", skill=Text(skill.name))


def check_dice(state: State, dice: tuple[int, ...], rule: str) -> None:
    """Are these dice of the pool, each once?"""
    top = len(state.dice)
    ok = all(0 <= die < top for die in dice)
    require(ok, rule, "There are {n} dice.", n=top)
    once = tuple(sorted(set(dice))) == dice
    require(once, rule, "Each die once, from left to right.")


def _by_pair(state: State, seat: int, rule: str) -> None:
    seats = {state.seat(who) for who in state.pair if not state.heroes[who].dead}
    require(seat in seats, rule, "The chained pair decides that.")


def _by_turn(state: State, seat: int) -> None:
    require(
        seat == state.seat(state.turn), "R25", "That is for {who}.", who=name(state, state.turn)
    )
