"""What changes dice without a throw: the characters' abilities and the die-control token."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from companion.games.api import require
from companion.games.records import replace
from companion.games.sao.actions import Ability, Control
from companion.games.sao.dicework import Should, check_dice, turned
from companion.games.sao.state import State, hero, home, name


def ability(state: State, action: Ability, should: Should) -> State:
    """A character's power over the dice (R18, R23, R24, R63, R75)."""
    who = action.who
    require(0 <= who < len(state.heroes), "R18", "There is no such character.")
    require(
        action.seat == state.seat(who), "R18", "Only {who} uses that ability.", who=name(state, who)
    )
    chained = who in state.pair and not state.heroes[who].dead
    should(chained, "R18", "{who} is not chained now.", who=name(state, who))
    should(state.now.abilities, "R75", "This step forbids abilities.")
    free = state.gratis(who)
    left = state.heroes[who].uses
    should(
        free or left > 0, "R24", "{who} has 0 of {most} uses left.",
        who=name(state, who), most=state.most(),
    )  # fmt: skip
    power = state.card(who).power
    if power.kind == "restore":
        changed = _restored(state, action, free)
    elif power.kind == "shift":
        changed = _shifted(state, action)
    else:
        most = power.dice
        n = len(action.dice)
        require(1 <= n <= most, "R23", "Pick 1 to {most} dice, not {n}.", most=most, n=n)
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
    require(die.of < 0, "H9", "Abilities change no blue dice: pick others.")
    if not allowed:
        require(to == 0, "R23", "This ability turns dice over: name no value.")
        return turned(state, at, 7 - die.face)
    require(to in allowed, "R23", "This ability does not set a die to {to}.", to=to)
    require(die.face != to, "R23", "The die shows {to} already.", to=to)
    return turned(state, at, to)


def _shifted(state: State, action: Ability) -> State:
    """Every regular die of one value goes up or down by one."""
    require(len(action.dice) == 1, "R23", "Pick one die for its value.")
    check_dice(state, action.dice, "R23")
    picked = state.dice[action.dice[0]]
    require(picked.of < 0, "H9", "Abilities change no blue dice: pick others.")
    to = picked.face + action.to
    require(action.to in (1, -1), "R23", "One up or one down, not {to}.", to=action.to)
    require(1 <= to <= 6, "R23", "A die shows 1 to 6, not {value}.", value=to)
    for at, die in enumerate(state.dice):
        if die.of < 0 and die.face == picked.face:
            state = turned(state, at, to)
    return state


def _restored(state: State, action: Ability, free: bool) -> State:
    """Another character gets a use back; oneself only where the ability costs none."""
    whom = action.to
    require(not action.dice, "R23", "This ability changes no dice.")
    require(0 <= whom < len(state.heroes), "R23", "There is no such character.")
    require(whom in state.living(), "R23", "{who} is dead.", who=name(state, whom))
    require(free or whom != action.who, "R23", "That would gain nothing.")
    uses, most = state.heroes[whom].uses, state.most()
    require(
        uses < most, "R23", "{who} has all uses left: {n} of {most}.",
        who=name(state, whom), n=uses, most=most,
    )  # fmt: skip
    return hero(state, whom, uses=uses + 1)


def control(state: State, action: Control, should: Should) -> State:
    """The die-control token turns one of its holder's dice and goes home (R67)."""
    require(
        action.seat == state.seat(state.turn),
        "R67",
        "Only {who} does that now.",
        who=name(state, state.turn),
    )
    holder = name(state, state.turn)
    should(state.holds("control", state.turn), "R67", "{who} has no die-control token.", who=holder)
    check_dice(state, (action.die,), "R67")
    die = state.dice[action.die]
    require(die.by == state.turn, "R67", "Choose one of your own dice.")
    require(1 <= action.to <= 6, "R67", "A die shows 1 to 6, not {value}.", value=action.to)
    require(state.values(die) != (action.to,), "R67", "The die shows {to} already.", to=action.to)
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
