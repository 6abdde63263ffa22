"""The coach of Sword of Fellows in words: the best line first, each with the odds of its policy."""

from __future__ import annotations

from collections.abc import Iterator

from companion.bots.fellows import COACH, Line, again, exchanges, ranked
from companion.games.sao import actions as do
from companion.games.sao.phrases import SIDE_NAMES, dice_names, leads_to
from companion.games.sao.state import State, name
from companion.views import Choice
from companion.words import Text, text

MOST = 3  # lines that are told: a glass is small


def advice(state: State, seat: int) -> tuple[Text, ...]:
    """What the pair may do now; then the odds of the dice that are picked, and of standing."""
    if seat not in {state.seat(who) for who in state.pair} or not state.heroes:
        return ()
    if state.phase == "roll" and not any(True for _ in exchanges(state)):
        return ()  # there is nothing to choose
    lines = ranked(state)
    shown = lines[:MOST]
    if picked := _picked(state):
        shown = [*shown[:1], picked, *shown[1:]]
    stand = next((line for line in lines if isinstance(line.action, do.Strike)), None)
    if stand is not None and stand not in shown:
        shown.append(stand)
    return tuple(dict.fromkeys(said(state, line) for line in shown))


def hints(state: State, seat: int) -> Iterator[Choice]:
    """The first line as a choice of the seat that can make it; who picks dice has decided."""
    if state.marks or not advice(state, seat):
        return
    best = ranked(state)[0]
    if best.action is not None and best.action.seat == seat:
        label = in_words(state, best.action)
        if isinstance(best.action, do.Strike):
            label = text("{n} damage", n=round(best.odds.damage))
        yield Choice(label, best.action, odds(state, best) or said(state, best))


def _picked(state: State) -> Line | None:
    """The dice under the fingers, if they may be thrown."""
    shared, ring = state.throws() if state.phase == "dice" else (0, -1)
    free = all((shared or state.dice[i].by == ring) and not state.dice[i].counts
               for i in state.marks)  # fmt: skip
    if state.phase != "dice" or not state.marks or not free:
        return None
    return Line(do.Again(0, state.marks), again(state, COACH.turn(state), state.marks))


def said(state: State, line: Line) -> Text:
    """A line with its odds, where there are any."""
    move, more = in_words(state, line.action), odds(state, line)
    return text("{move}: {odds}", move=move, odds=more) if more else move


def odds(state: State, line: Line) -> Text | None:
    """What a line brings on average, its dice thrown on as well as can be."""
    action, found = line.action, line.odds
    if isinstance(action, _WITHOUT_ODDS) or (isinstance(action, do.Ability) and not action.dice):
        return None
    damage, uses = f"{found.damage:.1f}", f"{found.uses:.1f}"
    if state.last:
        return text(
            "{damage} damage, wins {chance}%, {uses} abilities left",
            damage=damage, chance=round(100 * found.beaten), uses=uses,
        )  # fmt: skip
    return text(
        "{damage} damage, switch {chance}%, {uses} abilities left",
        damage=damage, chance=round(100 * found.switch), uses=uses,
    )  # fmt: skip


_WITHOUT_ODDS = (
    do.Strike, do.Finish, do.Target, do.Forgo, do.Yui, do.Consume, do.Give, do.Onward,
)  # fmt: skip


def in_words(state: State, action: object) -> Text:
    """A line without its odds."""
    match action:
        case do.Strike(_, uses):
            plan = next(plan for plan in state.plans() if plan.uses == uses)
            then = leads_to(state, plan)
            return text("Stand: {damage} damage, {then}", damage=plan.damage, then=then)
        case do.Again(_, dice):
            return text("Rethrow {dice}", dice=dice_names(state, dice))
        case do.Ability():
            return _ability(state, action)
        case do.Control(_, die, to):
            return text("Die control: {die} to {to}", die=dice_names(state, (die,)), to=to)
        case do.Chain(_, who):
            return text("Chain {who}", who=name(state, who))
        case do.Exchange(_, who):
            return text("{who}'s blue die", who=name(state, who))
        case do.Lay(_, value):
            return text("Lay a {value}", value=value)
        case do.Consume(_, item, who):
            return text("{item} for {who}", item=Text(state.cards.items[item].name),
                        who=name(state, who))  # fmt: skip
        case do.Target(_, who) if state.asks[0][0] == "heal":
            return text("Heal {who}", who=name(state, who))
        case do.Target(_, who):
            return text("Token {side} for {who}", side=SIDE_NAMES[state.asks[0][0]],
                        who=name(state, who))  # fmt: skip
        case do.Give(_, item, who):
            return text("{item} for {who}", item=Text(state.cards.items[item].name),
                        who=name(state, who))  # fmt: skip
        case do.Yui():
            return text("Yui helps")
        case do.Forgo():
            return text("Take the hit")
        case do.Onward():
            return text("Go on")
        case do.Finish():
            return text("Finish")
        case _:
            return text("Throw as it is")


def _ability(state: State, action: do.Ability) -> Text:
    """An ability as one would say it."""
    who, dice = name(state, action.who), dice_names(state, action.dice)
    match state.card(action.who).power.kind:
        case "restore":
            whom = name(state, action.to)
            return text("{who} gives {whom} a use back", who=who, whom=whom)
        case "flip":
            return text("{who} turns over {dice}", who=who, dice=dice)
        case "shift":
            to = state.dice[action.dice[0]].face + action.to
            return text("{who}: all {dice} to {to}", who=who, dice=dice, to=to)
        case _:
            return text("{who} sets {dice} to {to}", who=who, dice=dice, to=action.to)
