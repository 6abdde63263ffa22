"""One sentence about an action, for each viewer."""

from __future__ import annotations

from typing import Any

from companion.games.hack import actions as do
from companion.games.hack.judge import apply
from companion.games.hack.kinds import KIND_NAMES
from companion.games.hack.phrases import COMPARISON, name, outcome
from companion.games.hack.state import State
from companion.words import Seat, Text, text


def tell(before: State, action: Any, viewer: int | None) -> Text:
    """What happened; a hidden card by name only to its own seat."""
    if isinstance(action, do.Shuffled):
        return text("{who}'s pile is shuffled", who=Seat(action.side))
    if isinstance(action, do.Cut):
        a, b = (before.cards[card].destiny for card in action.cards)
        return text("The cut: {a} against {b}", a=a, b=b)
    sentence = said(before, action, viewer)
    fought = before.phase in ("flip", "destiny", "order") and not isinstance(action, do.Next)
    if fought or isinstance(action, do.Fight):
        after = apply(before, action)
        if after.report is not None and after.report is not before.report:
            return text("{said}. {outcome}", said=sentence, outcome=outcome(after))
    return sentence


def said(before: State, action: Any, viewer: int | None) -> Text:
    """What a seat did, without what came of it."""
    who, mine = Seat(action.seat), action.seat == viewer
    match action:
        case do.Destiny(_, number):
            return text("{who}: destiny {n}", who=who, n=number)
        case do.Discard(_, card) | do.Target(_, card) if card in ("?", *before.cards.cards):
            if isinstance(action, do.Discard) or before.due[0].verb == "discard":
                return text("{who} discards {card}", who=who, card=name(before, card))
            return text("{who} chooses {card}", who=who, card=name(before, card))
        case do.Target(_, what):
            return text("{who} chooses {card}", who=who, card=name(before, what.split()[-1]))
        case do.DiscardHand():
            return text("{who} discards the hand", who=who)
        case do.Open(_, kind):
            return text("{who} plays: {kind}", who=who, kind=KIND_NAMES[kind])
        case do.Show(_, card):
            return text("{who} shows {card}", who=who, card=name(before, card))
        case do.PlayPC(_, card):
            return text("{who} plays {card}", who=who, card=name(before, card))
        case do.Withdraw():
            return text("{who} takes the card back", who=who)
        case do.Correct() | do.Corrected() | do.Agreed():
            return COMPARISON.sentence(before, action)
        case do.PlayItem(_, card, pc):
            return text("{pc} bears {card}", pc=name(before, pc), card=name(before, card))
        case do.Attack(_, card):
            return text("{who} attacks: {card}", who=who, card=name(before, card))
        case do.Store(_, card):
            return text("{who} stores {card}", who=who, card=name(before, card))
        case do.Hide(_, card) if mine and card in before.cards:
            return text("You hide {card}", card=name(before, card))
        case do.Hide():
            return text("{who} hides a card", who=who)
        case do.Sacrifice(_, place):
            return text("{who} sacrifices hidden {n}", who=who, n=place + 1)
        case do.Join(_, card):
            return text("{card} joins", card=name(before, card))
        case do.Avoid():
            return text("{who} avoids", who=who)
        case do.Fight():
            return text("{who} fights", who=who)
        case do.Assign(_, monster, pc):
            return text("{a} against {b}", a=name(before, monster), b=name(before, pc))
        case do.Next(_, pc):
            return text("{pc} fights now", pc=name(before, pc))
        case do.Flip(_, _, card):
            return text("{who} flips {card}", who=who, card=name(before, card))
        case do.Reward(_, monster):
            return text("Reward of {card}", card=name(before, monster))
        case do.Score(_, ""):
            return text("{who} scores nothing", who=who)
        case do.Score(_, monster):
            return text("{who} scores {card}", who=who, card=name(before, monster))
        case do.Pass():
            return text("{who} has no card", who=who)
    return text("{who} is done", who=who)
