"""What the buttons of a seat mean: every legal action by name, forbidden ones at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.hack import actions as do
from companion.games.hack.hand import may_bear
from companion.games.hack.kinds import KIND_NAMES
from companion.games.hack.legal import barred, legal
from companion.games.hack.phrases import (
    COMPARISON,
    effect_text,
    listed,
    name,
    short,
)
from companion.games.hack.state import State
from companion.views import BLANK, Choice, Drawn
from companion.words import Text, text


def choices(state: State, seat: int) -> Iterator[Choice]:
    """Legal actions in the order of the game, then what is barred, with its rule."""
    for action in legal(state, seat):
        yield Choice(
            _label(state, action), action, _detail(state, action), drawn=_drawn(state, action)
        )
    for action, why in barred(state, seat):
        label, drawn = _label(state, action), _drawn(state, action)
        yield Choice(label, action, why.why, why.rule, drawn=drawn)
    if state.phase == "stand" and seat == state.other and not state.sides[seat].heroes:
        yield Choice(text("Fight"), do.Fight(seat), text("Without a PC you must avoid"), "R36")


def _drawn(state: State, action: Any) -> tuple[Drawn, Text] | None:
    card = getattr(action, "card", "")
    return ("card", name(state, card)) if card in state.cards else None


def _detail(state: State, action: Any) -> Text:
    match action:
        case do.PlayItem(seat, card, pc):
            hero, subtype = state.hero(seat, pc), state.cards[card].subtype
            worn = [i for i in hero.items if state.cards[i].subtype == subtype] if hero else []
            return _with_loss(state, card, worn)
        case do.PlayPC(seat, card, replaces) if replaces:
            hero = state.hero(seat, replaces)
            items = hero.items if hero else ()
            lost = [i for i in items if not may_bear(state.cards[card], state.cards[i])]
            return _with_loss(state, card, [replaces, *lost])
        case do.PlayPC() | do.Attack() | do.Store() | do.Show() | do.Join():
            return short(state.cards[action.card])
        case do.Hide(_, card) | do.Discard(_, card) if card in state.cards:
            return short(state.cards[card])
        case do.Correct() | do.Corrected() | do.Agreed():
            return COMPARISON.detail(state, action)
        case do.Avoid():
            points = sum(state.cards[monster].points for monster in state.attackers)
            return text("the other scores {n} VP", n=points)
        case do.Reward(_, card):
            return effect_text(state, card, "reward")
        case do.Flip(_, _, card) if card in state.cards:
            return effect_text(state, card, "flip")
        case do.Target():
            due = state.due[0]
            return effect_text(state, due.card, verb=due.verb)
        case do.Sacrifice(seat, place) if state.sides[seat].hidden[place] in state.cards:
            return name(state, state.sides[seat].hidden[place])
        case do.Score(_, monster) if monster:
            return text("{n} VP", n=state.cards[monster].points)
    return BLANK


def _with_loss(state: State, card: str, lost: list[str]) -> Text:
    """A card to play, and what must make room for it (R17, R20)."""
    shown = short(state.cards[card])
    if not lost:
        return shown
    return text("{card}; sacrifices {lost}", card=shown, lost=listed(state, lost))


def _label(state: State, action: Any) -> Text:
    match action:
        case do.Destiny(_, number):
            return text("Destiny {n}", n=number)
        case do.Discard(_, card):
            return text("Discard {card}", card=name(state, card))
        case do.DiscardHand():
            return text("Discard the hand")
        case do.Open(_, kind):
            return text("Play: {kind}", kind=KIND_NAMES[kind])
        case do.Show(_, card):
            return name(state, card)
        case do.Withdraw():
            return text("Take it back")
        case do.Correct() | do.Corrected() | do.Agreed():
            return COMPARISON.label(state, action)
        case do.PlayPC(_, card, replaces) if replaces:
            return text("{card} for {old}", card=name(state, card), old=name(state, replaces))
        case do.PlayPC(_, card):
            return name(state, card)
        case do.PlayItem(_, card, pc):
            return text("{card} on {pc}", card=name(state, card), pc=name(state, pc))
        case do.Attack(_, card):
            return text("Attack: {card}", card=name(state, card))
        case do.Store(_, card):
            return text("Store: {card}", card=name(state, card))
        case do.Hide(_, card):
            return text("Hide {card}", card=name(state, card))
        case do.Sacrifice(_, place):
            return text("Sacrifice no. {n}", n=place + 1)
        case do.Join(_, card):
            return text("Join: {card}", card=name(state, card))
        case do.Flip(_, place, card):
            return text("{n}: flip {card}", n=place + 1, card=name(state, card))
    return _in_attack(state, action)


def _in_attack(state: State, action: Any) -> Text:
    match action:
        case do.Avoid():
            return text("Avoid")
        case do.Fight():
            return text("Fight")
        case do.Assign(_, monster, pc):
            return text("{a} : {b}", a=name(state, monster), b=name(state, pc))
        case do.Next(_, pc):
            return text("{pc} fights", pc=name(state, pc))
        case do.Reward(_, monster):
            return text("Reward: {card}", card=name(state, monster))
        case do.Score(_, monster) if monster:
            return text("Score {card}", card=name(state, monster))
        case do.Score():
            return text("Score nothing")
        case do.Target(_, what):
            return _target(state, what)
        case do.Pass():
            return text("No card to play")
    return _DONE.get(state.phase, text("Done"))


def _target(state: State, what: str) -> Text:
    if " " in what:
        pc, item = what.split()
        return text("{item} of {pc}", item=name(state, item), pc=name(state, pc))
    return name(state, what)


_DONE = {
    "join": text("Attack now"),
    "assign": text("Declare"),
    "extra": text("Declare"),
    "flip": text("Flip nothing"),
    "reward": text("No reward"),
}
