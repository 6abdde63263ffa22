"""What the buttons of a seat mean: every legal action by name, forbidden ones at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.sainome import actions as do
from companion.games.sainome.kinds import KIND_NAMES, PLACE_NAMES, PLACES
from companion.games.sainome.legal import barred, legal
from companion.games.sainome.phrases import (
    COMPARISON,
    effect_text,
    name,
    short,
    skill_text,
    slot_sign,
    turning,
)
from companion.games.sainome.state import IN_HAND, SLOTS, State
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


def _drawn(state: State, action: Any) -> tuple[Drawn, Text] | None:
    card = getattr(action, "card", "")
    return ("card", name(state, card)) if card in state.cards else None


def _detail(state: State, action: Any) -> Text:
    match action:
        case do.Show(_, card):
            one = state.cards[card]
            return text("{japanese}: {short}", japanese=one.names.japanese, short=short(one))
        case do.Choose(_, key):
            who = state.cards.characters[key]
            what = skill_text(who, awakened=False)
            return text("{skill}; awakens {when}", skill=what, when=turning(who.awakens))
        case do.Attach(seat, card, place):
            number = slot_sign(state.number(seat, place))
            return text("on a {n}: {short}", n=number, short=short(state.cards[card]))
        case do.Detach(seat, place) | do.Next(seat, place) | do.Guard(seat, place):
            return short(state.cards[state.sides[seat].worn[place]])
        case do.Play() | do.Counter() | do.Use() | do.Draft() | do.Discard() | do.Again():
            return short(state.cards[action.card]) if action.card in state.cards else BLANK
        case do.Correct() | do.Corrected() | do.Agreed():
            return COMPARISON.detail(state, action)
        case do.Take(_, "first"):
            return text("the other chooses a character first")
        case do.Take():
            return text("the other has the first turn")
        case do.Target(_, what) if what in state.cards:
            return short(state.cards[what])
        case do.Target():
            due = state.due[0]
            return effect_text(state.cards[due.card], due.verb)
    return BLANK


def _label(state: State, action: Any) -> Text:
    match action:
        case do.Take(_, "first"):
            return text("Begin")
        case do.Take():
            return text("Choose first")
        case do.Choose(_, key):
            return name(state, key)
        case do.Open(_, kind):
            return text("Show: {kind}", kind=KIND_NAMES[kind])
        case do.Show(_, card) | do.Play(_, card) | do.Draft(_, card) | do.Counter(_, card):
            return name(state, card)
        case do.Withdraw():
            return text("Take it back")
        case do.Correct() | do.Corrected() | do.Agreed():
            return COMPARISON.label(state, action)
        case do.Attach(_, card, place):
            return text("{card} {side}", card=name(state, card), side=PLACE_NAMES[PLACES[place]])
        case do.Detach(seat, place):
            return text("Off: {card}", card=name(state, state.sides[seat].worn[place]))
        case do.Guard(seat, place):
            return text("Guard: {card}", card=name(state, state.sides[seat].worn[place]))
        case do.Next(seat, place):
            return _there(state, seat, place)
    return _plain(state, action)


def _plain(state: State, action: Any) -> Text:
    match action:
        case do.Draw():
            return text("Draw")
        case do.Reequip():
            return text("Re-equip")
        case do.Strike():
            return text("Attack")
        case do.End():
            return text("End the actions")
        case do.Name(_, number) | do.Pick(_, number):
            return text("{n}", n=number)
        case do.Again(_, card):
            return text("Again for {card}", card=name(state, card))
        case do.Use(seat, card, place):
            if place == IN_HAND:
                return text("6: {card}", card=name(state, card))
            return text("6: {card}", card=_there(state, seat, place))
        case do.Discard(_, card):
            return text("Discard {card}", card=name(state, card))
        case do.Target(seat, what):
            return _target(state, seat, what)
    return _going_on(state)


def _there(state: State, seat: int, place: int) -> Text:
    card = name(state, state.sides[seat].worn[place])
    return text("{card} ({side})", card=card, side=PLACE_NAMES[PLACES[place]])


def _target(state: State, seat: int, what: str) -> Text:
    verb = state.due[0].verb
    if verb in ("steal", "search"):
        return name(state, what)
    if verb == "plant":
        return PLACE_NAMES[PLACES[int(what)]]
    if verb == "take":
        theirs, mine = map(int, what.split())
        card = name(state, state.sides[1 - seat].worn[theirs])
        return text("{card} {side}", card=card, side=PLACE_NAMES[PLACES[mine]])
    return _there(state, 1 - seat, int(what)) if int(what) in SLOTS else text("{n}", n=what)


def _going_on(state: State) -> Text:
    if state.hit is not None:
        return text("Take {n} damage", n=state.hit.amount)
    return _ON.get(state.phase, text("Go on"))


_ON = {
    "equip": text("Done"),
    "again": text("Keep the roll"),
    "dodge": text("Let it be"),
    "six": text("Pass"),
    "burn": text("Burn no more"),
    "trash": text("End the turn"),
}
