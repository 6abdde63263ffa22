"""The coach: exact odds of what the pair may throw again, and what an ability would bring."""

from __future__ import annotations

from companion.games.api import require
from companion.games.sao import powers
from companion.games.sao.actions import Ability
from companion.games.sao.assign import Arms, Dice
from companion.games.sao.legal import able
from companion.games.sao.odds import Faces, Line, lines, promise
from companion.games.sao.phrases import dice_names, leads_to
from companion.games.sao.state import State, name
from companion.words import Text, text


def advice(state: State, seat: int) -> tuple[Text, ...]:
    """The best lines first; nothing to say outside the pair or without lying dice."""
    if state.phase not in ("dice", "skills") or state.outcome:
        return ()
    if seat not in {state.seat(who) for who in state.pair}:
        return ()
    best = state.plans()[0]
    now = text("Stand: {damage} damage, {then}", damage=best.damage, then=leads_to(state, best))
    if state.phase == "skills":
        return (now,)
    found = [_said(state, line) for line in picked(state)]
    for line in odds(state):
        found.append(_said(state, line) if line.thrown else now)
    if now not in found:
        found.append(now)
    return tuple(dict.fromkeys(found))[:6] + _powers(state, seat, best.damage)


def odds(state: State) -> tuple[Line, ...]:
    """Every sensible set of dice to throw again now; abilities and items are not looked ahead to.

    The ring's extra round is weighed when it comes, when only its holder's dice may be thrown.
    """
    arms, dice, faces, throws, free = _asked(state)
    return lines(arms, dice, faces, throws, free) if free else ()


def picked(state: State) -> tuple[Line, ...]:
    """The odds of throwing exactly the dice that are picked, sensible or not."""
    arms, dice, faces, throws, free = _asked(state)
    marks = state.marks
    return (promise(arms, dice, faces, throws, marks),) if marks and set(marks) <= set(free) else ()


def _asked(state: State) -> tuple[Arms, Dice, tuple[Faces, ...], int, tuple[int, ...]]:
    """What the odds depend on; the dice that may be thrown come last."""
    shared, ring = state.throws()
    free = tuple(i for i, die in enumerate(state.dice) if shared or (ring >= 0 and die.by == ring))
    faces = tuple(
        state.card(die.of).faces if die.of >= 0 and not die.counts else () for die in state.dice
    )
    # A blue die that a token turned is kept as it counts: it is a plain one until it is thrown.
    turned = {i for i, die in enumerate(state.dice) if die.counts}
    free = tuple(i for i in free if i not in turned)
    return state.arms(), state.pool, faces, max(1, shared), free


def _said(state: State, line: Line) -> Text:
    dice = dice_names(state, line.thrown)
    damage = f"{line.damage:.1f}"
    if state.last:
        return text("Throw {dice}: {damage} damage", dice=dice, damage=damage)
    return text(
        "Throw {dice}: {damage} damage, switch {chance}%",
        dice=dice, damage=damage, chance=round(100 * line.switch),
    )  # fmt: skip


def _powers(state: State, seat: int, now: int) -> tuple[Text, ...]:
    """The best single use of an ability of this seat, if it gains damage at once."""
    best: tuple[int, Text] | None = None
    for who in state.pair:
        if state.seat(who) != seat or state.heroes[who].dead or not able(state, who):
            continue
        for action in powers.abilities(state, who):
            if action.dice:
                after = powers.ability(state, action, require)
                damage = after.plans()[0].damage
                if damage > now and (best is None or damage > best[0]):
                    best = (damage, _use(state, action, damage))
    return (best[1],) if best else ()


def _use(state: State, action: Ability, damage: int) -> Text:
    """An ability and what it would bring."""
    who, dice = name(state, action.who), dice_names(state, action.dice)
    match state.card(action.who).power.kind:
        case "flip":
            return text("{who} turns over {dice}: {n} damage", who=who, dice=dice, n=damage)
        case "shift":
            to = state.dice[action.dice[0]].face + action.to
            return text(
                "{who}: all {dice} to {to}: {n} damage", who=who, dice=dice, to=to, n=damage
            )
        case _:
            to = action.to
            return text(
                "{who} sets {dice} to {to}: {n} damage", who=who, dice=dice, to=to, n=damage
            )
