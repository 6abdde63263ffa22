"""One sentence about an action, for each viewer."""

from __future__ import annotations

from typing import Any

from companion.games.api import Rolled
from companion.games.sainome import actions as do
from companion.games.sainome.judge import apply
from companion.games.sainome.kinds import KIND_NAMES, PLACE_NAMES, PLACES
from companion.games.sainome.phrases import COMPARISON, name, outcome
from companion.games.sainome.state import State
from companion.games.sainome.turn import thrown
from companion.words import Seat, Text, text


def tell(before: State, action: Any, viewer: int | None) -> Text:
    """What happened, and what came of it; a secret card by name only to its own seat."""
    sentence = said(before, action, viewer)
    if before.phase in ("off", "right", "choose", "deal", "draft"):
        return sentence
    after = apply(before, action)
    if after.report is not None and after.report is not before.report:
        sentence = text("{said}. {outcome}", said=sentence, outcome=outcome(after, after.report))
    for seat, side in enumerate(after.sides):
        if side.awakened != before.sides[seat].awakened:
            who = after.character(seat).name
            if side.awakened:
                return text("{said}. {who} awakens!", said=sentence, who=who)
            return text("{said}. {who} turns back", said=sentence, who=who)
    return sentence


def said(before: State, action: Any, viewer: int | None) -> Text:
    """What was done, without what came of it."""
    match action:
        case Rolled(dice):
            who, values = Seat(thrown(before)[0]), [die.value for die in dice]
            if len(values) == 1:
                return text("{who} rolls {n}", who=who, n=values[0])
            return text("{who} rolls {n} and {m}", who=who, n=values[0], m=values[1])
        case do.Shuffled():
            return text("The cards are shuffled")
        case do.Fated(what):
            card = name(before, before.sides[before.other].hand[int(what)])
            return text("{who} loses {card}", who=Seat(before.other), card=card)
    return _done(before, action, Seat(action.seat), action.seat == viewer)


def _done(before: State, action: Any, who: Seat, mine: bool) -> Text:
    match action:
        case do.Take(_, "first"):
            return text("{who} will begin", who=who)
        case do.Take():
            return text("{who} chooses first", who=who)
        case do.Choose(_, key):
            return text("{who} is the {name}", who=who, name=name(before, key))
        case do.Draft(_, card) if mine:
            return text("You pick {card}", card=name(before, card))
        case do.Draft():
            return text("{who} picks a card", who=who)
        case do.Open(_, kind):
            return text("{who} shows: {kind}", who=who, kind=KIND_NAMES[kind])
        case do.Show(_, card):
            return text("{who} shows {card}", who=who, card=name(before, card))
        case do.Play(_, card) | do.Counter(_, card) | do.Use(_, card):
            return text("{who} plays {card}", who=who, card=name(before, card))
        case do.Withdraw():
            return text("{who} takes the card back", who=who)
        case do.Correct() | do.Corrected() | do.Agreed():
            return COMPARISON.sentence(before, action)
        case do.Attach(_, card, place):
            side = PLACE_NAMES[PLACES[place]]
            return text("{who}: {card} {side}", who=who, card=name(before, card), side=side)
        case do.Detach(seat, place):
            off = name(before, before.sides[seat].worn[place])
            return text("{who} takes off {card}", who=who, card=off)
        case do.Guard(seat, place) | do.Next(seat, place):
            used = name(before, before.sides[seat].worn[place])
            return text("{who} uses {card}", who=who, card=used)
        case do.Again(_, card) | do.Discard(_, card):
            return text("{who} discards {card}", who=who, card=name(before, card))
    return _plain(before, action, who)


def _plain(before: State, action: Any, who: Seat) -> Text:
    match action:
        case do.Draw():
            return text("{who} draws", who=who)
        case do.Reequip():
            return text("{who} re-equips", who=who)
        case do.Strike():
            return text("{who} attacks", who=who)
        case do.End():
            return text("{who} ends the actions", who=who)
        case do.Name(_, number) | do.Pick(_, number):
            return text("{who}: {n}", who=who, n=number)
        case do.Target() if before.due[0].verb == "steal":
            return text("{who} takes a card", who=who)
        case do.Target(_, what) if what in ("?", *before.cards.cards):
            return text("{who} takes {card}", who=who, card=name(before, what))
        case do.Target(seat, what) if before.due[0].verb in ("break", "back", "take"):
            card = name(before, before.due[0].card)
            lost = name(before, before.sides[1 - seat].worn[int(what.split()[0])])
            return text("{who} chooses {lost} for {card}", who=who, lost=lost, card=card)
        case do.Target():
            card = name(before, before.due[0].card)
            return text("{who} chooses for {card}", who=who, card=card)
    return text("{who} goes on", who=who)
