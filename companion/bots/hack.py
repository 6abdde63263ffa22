"""Players of .hack//ENEMY: PCs first, attacks that win, actions kept for the fight."""

from __future__ import annotations

from math import exp
from typing import Any

from companion.bots.api import Bot
from companion.bots.flat import Skill, trying, weighing
from companion.games.hack import actions as do
from companion.games.hack.fights import sums, total
from companion.games.hack.kinds import ACTION
from companion.games.hack.ledger import result
from companion.games.hack.state import State
from companion.words import text


def weigh(state: State, seat: int, action: Any) -> float:
    """How good a move looks just now, by what the seat can see."""
    cards, side = state.cards, state.sides[seat]
    match action:
        case do.PlayPC(_, card, replaces):
            if not replaces:
                return 9.0 - 2 * len(side.heroes)
            old = state.hero(seat, replaces)
            gain = cards[card].strength - cards[replaces].strength
            return gain + (5.0 if old is not None and old.wounded else -3.0)
        case do.PlayItem(_, card, pc):
            hero = state.hero(seat, pc)
            items = hero.items if hero is not None else ()
            worn = [cards[i].strength for i in items if cards[i].subtype == cards[card].subtype]
            return 4.0 + cards[card].strength - 3 * sum(worn)
        case do.Attack(_, card):
            return 5.0 + cards[card].strength - _best(state, 1 - seat)
        case do.Store():
            return 4.5 - len(side.portal)
        case do.Hide(_, card):
            return 5.5 if card in cards and cards[card].kind == ACTION else 0.5
        case do.Fight():
            foes = sum(cards[monster].strength for monster in state.attackers)
            fights = max(1, min(len(side.heroes), len(state.attackers)))
            return _best(state, seat) - foes / fights + 0.5
        case do.Avoid():
            return -1.0 * len(state.attackers)
        case do.Assign(_, monster, pc):
            if monster not in state.attackers:
                return -9.0  # one could move it for ever
            owner = seat if state.phase == "assign" else 1 - seat
            margin = _strength(state, owner, pc) - cards[monster].strength
            return float(margin if owner == seat else -margin)
        case do.Flip():
            if not state.battles:
                return -1.0
            parts = sums(state, state.battle)
            behind = total(parts[1 - seat]) - total(parts[seat])
            return 1.0 if -3 < behind < 5 else -1.0
        case do.Score(_, monster):
            return float(cards[monster].points) if monster else -1.0
        case do.Join() | do.Reward() | do.Target():
            return 1.0
        case do.Discard(_, card):
            return -float(cards[card].strength) if card in cards else 0.0
        case do.DiscardHand():
            return -5.0
    return 0.0


def worth(state: State, seat: int) -> float:
    """Points decide; PCs, what they bear, and cards in wait are how one gets there."""
    ended = result(state)
    if ended is not None:
        return float(seat in ended.winners) if ended.winners else 0.5
    lead = _standing(state, seat) - _standing(state, 1 - seat)
    return 1 / (1 + exp(-lead))


def _standing(state: State, seat: int) -> float:
    side = state.sides[seat]
    strengths = sum(_strength(state, seat, hero.card) for hero in side.heroes)
    wounds = sum(hero.wounded for hero in side.heroes)
    waits = 0.1 * len(side.portal) + 0.12 * len(side.hidden) + 0.05 * len(side.hand)
    return 0.45 * state.points(seat) + 0.06 * strengths - 0.2 * wounds + waits


def _strength(state: State, seat: int, pc: str) -> int:
    hero = state.hero(seat, pc)
    if hero is None:
        return 0
    return sum(state.cards[card].strength for card in (hero.card, *hero.items))


def _best(state: State, seat: int) -> int:
    """The strongest PC of a seat; without one an attack meets nobody."""
    heroes = state.sides[seat].heroes
    return max((_strength(state, seat, hero.card) for hero in heroes), default=-4)


SKILL = Skill(weigh, worth, clock=lambda state: state.turns, width=6, margin=6.0)
PLAYERS: tuple[Bot, ...] = (
    weighing("hack", "easy", SKILL, text("Misjudges its cards now and then"), 15.0),
    weighing("hack", "good", SKILL, text("Plays what looks best at once")),
    trying("hack", SKILL, text("Tries its best moves out in its head"), 33),
)
