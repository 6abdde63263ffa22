"""What the pair does with its dice: throw, throw again, change them, spend them on skills."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from companion.games.api import DiceWanted, Die, Rolled, require
from companion.games.records import replace
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
    need = Counter(die.body for die in state.dice if not die.face)
    have = Counter(die.body for die in action.dice)
    for body, colour in COLOURS.items():
        require(
            need[body] == have[body], thrown(state, action), "{need} {body} wanted, {have} seen.",
            need=need[body], have=have[body], body=colour,
        )  # fmt: skip
    extra = have.total() - need.total()
    require(
        extra == 0,
        thrown(state, action),
        "{n} dice are of a colour that is not thrown now.",
        n=extra,
    )
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
    require(1 <= action.value <= 6, "R62", "A die shows 1 to 6, not {v}.", v=action.value)
    at = next(i for i, die in enumerate(state.dice) if die.body == "white" and not die.face)
    state = turned(state, at, action.value)
    done = all(die.face for die in state.dice if die.body == "white")
    return replace(state, phase="roll" if done else "lay")


def exchange(state: State, action: Exchange, should: Should) -> State:
    """A character die instead of a regular one that is about to be thrown (R47, R61)."""
    who = action.who
    require(0 <= who < len(state.heroes), "R47", "There is no such character.")
    dead = state.heroes[who].dead
    thrower = state.turn if dead else who
    if dead:
        spent = any(die.of >= 0 and state.heroes[die.of].dead for die in state.dice)
        require(not spent, "H5", "One die of the dead is in play: one at a time.")
    require(thrower in state.pair, "R47", "{who} throws no dice now.", who=name(state, who))
    should(state.level > 0, "R47", "Character dice come with level 50.")
    mine = action.seat == state.seat(thrower)
    require(mine, "R47", "Only {who}, who throws, decides that.", who=name(state, thrower))
    should(state.blue or not state.level, "R64", "This game is without blue dice.")
    out = any(die.of == who for die in state.dice)
    require(not out, "R47", "{who}'s die is in play already.", who=name(state, who))
    body = "black" if thrower == state.turn else "white"
    at = next((i for i, d in enumerate(state.dice) if d.body == body and not d.face), -1)
    require(at >= 0, "R47", "{who} has no regular die left to exchange.", who=name(state, thrower))
    blue = Thrown("blue", thrower, of=who)
    return replace(state, dice=(*state.dice[:at], blue, *state.dice[at + 1 :]))


def mark(state: State, action: Mark) -> State:
    """A finger on a die, or off it again."""
    rule = "R21" if state.phase == "dice" else "R25"
    _by_pair(state, action.seat, rule)
    check_dice(state, (action.die,), rule)
    if state.phase == "skills":
        require(action.die in state.unspent(), "R26", "This die is used already.")
    return replace(state, marks=tuple(sorted({*state.marks} ^ {action.die})))


def again(state: State, action: Again, should: Should) -> State:
    """The agreed dice go back into the hands (R20 to R22)."""
    _by_pair(state, action.seat, "R20")
    require(bool(action.dice), "R21", "Pick the dice first.")
    check_dice(state, action.dice, "R21")
    said = may_throw(state, action.seat, action.dice)
    should(said, "H7", "{who} says which of these dice are thrown.", who=name(state, state.turn))
    shared, ring = state.throws()
    if ring >= 0:
        theirs = all(state.dice[i].by == ring for i in action.dice)
        should(theirs, "H4", "The ring is for {who}'s dice.", who=name(state, ring))
    elif not shared:
        limit = state.now.rerolls
        rule = {0: "R74", 1: "R73"}.get(limit, "R20")
        should(False, rule, "No throw is left: {n} of {limit} used.", n=state.rerolls, limit=limit)
    dice = tuple(
        replace(die, face=0, counts=0) if i in action.dice else die
        for i, die in enumerate(state.dice)
    )
    rounds = state.rerolls if ring >= 0 else state.rerolls + 1
    state = replace(state, dice=dice, marks=(), phase="roll", rerolls=rounds)
    return replace(state, ring=state.ring + 1) if ring >= 0 else state


def may_throw(state: State, seat: int, dice: Iterable[int]) -> bool:
    """May this seat alone say that these dice are thrown again (H7)?"""
    leads = seat == state.seat(state.turn) or state.options.throwing == "either"
    return leads or all(state.seat(state.dice[i].by) == seat for i in dice)


def turned(state: State, at: int, value: int) -> State:
    """A die turned by hand: a blue one has other faces, so it counts as the value."""
    die = state.dice[at]
    die = replace(die, face=value) if die.of < 0 else replace(die, counts=value)
    return replace(state, dice=(*state.dice[:at], die, *state.dice[at + 1 :]))


def stand(state: State, action: Stand) -> State:
    """The dice are final; the turn player spends them one skill at a time."""
    _by_turn(state, action.seat)
    return replace(state, phase="skills", marks=())


def strike(state: State, action: Strike, should: Should) -> State:
    """A whole use of the dice, offered or not: skills in the order of the card (R25 to R27)."""
    _by_turn(state, action.seat)
    require(not state.spent, "R25", "You go skill by skill: trigger one more, or finish.")
    whole = all(isinstance(use, tuple) and len(use) == 2 for use in action.uses)
    require(whole, "R25", "A plan names skills and their dice.")
    taken: list[int] = []
    for skill, dice in action.uses:
        _fitting(state, skill, dice, should)
        require(not set(taken) & set(dice), "R26", "Each die counts once.")
        taken += dice
    return struck(state, action.uses)


def trigger(state: State, action: Trigger, should: Should) -> State:
    """One skill, with dice of one's choice (R25 to R27)."""
    _by_turn(state, action.seat)
    _fitting(state, action.skill, action.dice, should)
    free = set(action.dice) <= set(state.unspent())
    require(free, "R26", "Each die counts once.")
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
    should(shown, "R25", "These dice do not make {skill}.", skill=Text(skill.name))


def check_dice(state: State, dice: tuple[int, ...], rule: str) -> None:
    """Are these dice of the pool, each once?"""
    top = len(state.dice)
    ok = all(0 <= die < top for die in dice)
    require(ok, rule, "Choose among the {n} dice.", n=top)
    require(len(set(dice)) == len(dice), rule, "Each die counts once.")


def _by_pair(state: State, seat: int, rule: str) -> None:
    seats = {state.seat(who) for who in state.pair if not state.heroes[who].dead}
    require(seat in seats, rule, "Only the chained pair decides that.")


def _by_turn(state: State, seat: int) -> None:
    require(
        seat == state.seat(state.turn),
        "R25",
        "Only {who} does that now.",
        who=name(state, state.turn),
    )
