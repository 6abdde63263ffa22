"""Players of Sainome Colosseum: arm every number, strike, and spend a card only where it tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import exp
from typing import Any

from companion.bots.api import Bot
from companion.bots.flat import Skill, trying, weighing
from companion.games.sainome import actions as do
from companion.games.sainome.kinds import EQUIP, Card
from companion.games.sainome.ledger import result
from companion.games.sainome.state import State
from companion.words import text

DANGER = 3  # HP from which on every point is fought for


def weigh(state: State, seat: int, action: Any) -> float:
    """How good a move looks just now, by what the seat can see."""
    side, cards = state.sides[seat], state.cards
    armed = 4 - side.worn.count("")
    match action:
        case do.Attach(_, card, _):
            return 5.0 + _blow(cards[card]) - 0.1 * len(cards[card].links)
        case do.Strike():
            return 1.0 + armed
        case do.Draw():
            return 4.0 - len(side.hand) / 2
        case do.Reequip():
            fits = sum(card.use == EQUIP for card in _known(state, side.hand))
            return 3.0 - armed + min(fits, 4 - armed)
        case do.Use(_, card, _):
            return 3.0 + _blow(cards[card])
        case do.Counter():
            return 4.0 if _hurts(state, seat, 2) else -0.5
        case do.Guard():
            return 1.0 if _hurts(state, seat, 3) else -1.0
        case do.Play():
            return 2.5
        case do.Pick(_, number):
            told = _told(state, state.mover, number)
            return told if seat == state.mover else -told
        case do.Again(_, card):
            return 2.0 - _told(state, seat, state.strike.number) - _keep(state, card)
        case do.Next(_, place):
            return _blow(cards[side.worn[place]])
        case do.Discard(_, card):
            return -1.0 - _keep(state, card)
        case do.Detach():
            return -9.0  # one could put it on again for ever
        case do.End():
            return 0.5
    return 0.0


def worth(state: State, seat: int) -> float:
    """HP decide; armed slots and cards are how one takes them."""
    ended = result(state)
    if ended is not None:
        return float(seat in ended.winners)
    lead = _standing(state, seat) - _standing(state, 1 - seat)
    return 1 / (1 + exp(-lead))


def _standing(state: State, seat: int) -> float:
    side = state.sides[seat]
    arms = sum(_blow(card) for _, card in state.worn(seat))
    return 0.4 * len(side.stack) + 0.12 * arms + 0.1 * len(side.hand) + 0.3 * side.awakened


def _blow(card: Card) -> float:
    """What an attached card may do when its number is rolled."""
    return card.damage + 0.5 * len(card.clauses) + 0.5 * card.stay - 0.5 * card.catalyst


def _keep(state: State, key: str) -> float:
    """What a card in the hand is good for."""
    return sum(_blow(one) if one.use == EQUIP else 2.0 for one in _known(state, (key,)))


def _known(state: State, keys: Iterable[str]) -> Iterator[Card]:
    """The cards with a name: one of cardboard has none in the hand, an empty slot has none."""
    return (state.cards[key] for key in keys if key in state.cards)


def _told(state: State, seat: int, number: int) -> float:
    """What a roll sets off."""
    if number == 6:
        side = state.sides[seat]
        able = _known(state, (*side.worn, *side.hand))
        return max((_blow(card) for card in able if card.six), default=0.0)
    return sum(_blow(card) for at, card in state.worn(seat) if state.number(seat, at) == number)


def _hurts(state: State, seat: int, much: int) -> bool:
    """Is the damage worth a card: it is much, or HP are few?"""
    if state.hit is None:
        return state.strike.number > 0 and _told(state, state.mover, state.strike.number) >= much
    return state.hit.amount >= much or len(state.sides[seat].stack) <= DANGER


SKILL = Skill(weigh, worth, clock=lambda state: state.turns)
PLAYERS: tuple[Bot, ...] = (
    weighing("sainome", "easy", SKILL, text("Misjudges its cards now and then"), 9.0),
    weighing("sainome", "good", SKILL, text("Plays what looks best at once")),
    trying("sainome", SKILL, text("Tries its best moves out in its head"), 17),
)
