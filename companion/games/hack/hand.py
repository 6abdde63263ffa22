"""Playing from the hand: PCs, items, monsters, hidden cards, and what makes room for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.errors import Illegal
from companion.games.api import require
from companion.games.cardgame import taken, taken_back
from companion.games.effects import needs_text
from companion.games.hack import actions as do
from companion.games.hack.cards import doubtful
from companion.games.hack.fights import met, stripped
from companion.games.hack.flow import triggered
from companion.games.hack.kinds import (
    ACTION,
    ITEM,
    KIND_NAMES,
    MONSTER,
    NAMES,
    PC,
    WORDS,
    Card,
)
from companion.games.hack.state import (
    MOST_HIDDEN,
    MOST_PCS,
    UNKNOWN,
    Hero,
    State,
    held,
    pool,
    with_side,
    without,
)
from companion.games.records import replace
from companion.words import text

OPENED = (PC, ITEM, MONSTER)
"""Kinds that are played face up, and so by name."""


def _open(state: State, action: do.Open) -> State:
    _not_shown(state)
    require(action.kind in openable(state), "H1", "No card of that kind can be in the hand")
    return replace(state, kind=action.kind)


def openable(state: State) -> tuple[str, ...]:
    """Cardboard: the other kinds that the hand can hold."""
    if UNKNOWN not in state.sides[state.mover].hand or state.shown:
        return ()
    kinds = {state.cards[card].kind for card in pool(state, state.mover)}
    return tuple(kind for kind in OPENED if kind in kinds and kind != state.kind)


def showable(state: State) -> tuple[str, ...]:
    """Cardboard: the cards of the opened kind that the deck can still contain."""
    if UNKNOWN not in state.sides[state.mover].hand or state.shown or not state.kind:
        return ()
    can = pool(state, state.mover)
    return tuple(c for c in state.cards.cards if c in can and state.cards[c].kind == state.kind)


def _show(state: State, action: do.Show) -> State:
    _not_shown(state)
    if action.card not in showable(state):
        if action.card in state.list_of(action.seat) and not pool(state, action.seat)[action.card]:
            copies = state.list_of(action.seat).count(action.card)
            name = state.cards[action.card].name
            raise Illegal(
                "R1", text("Your deck has {card} {n} times: all lie open", n=copies, card=name)
            )
        require(bool(state.kind), "H1", "First say what kind of card it is")
        raise Illegal("H1", text("Your deck has no such card of that kind"))
    side = state.sides[action.seat]
    state = with_side(state, action.seat, hand=without(side.hand, UNKNOWN))
    new = action.card not in state.asked and bool(doubtful(state.cards, action.card))
    asked = (*state.asked, action.card) if new else state.asked
    return replace(state, shown=action.card, asked=asked, phase="learn" if new else "play")


def _withdraw(state: State, action: do.Withdraw) -> State:
    require(bool(state.shown), "H1", "You show no card that could be taken back")
    return taken_back(state, action.seat)


def _may_play_pc(state: State, action: do.PlayPC) -> tuple[Card, Hero | None]:
    """The card, and the PC that it replaces."""
    card = _card(state, action, PC)
    old = state.hero(action.seat, action.replaces) if action.replaces else None
    require(old is not None or not action.replaces, "R17", "You have no such PC to replace")
    copy = state.hero(action.seat, action.card)
    require(copy is None or copy is old, "R16", "{card} is in play: replace it", card=card.name)
    full = len(state.sides[action.seat].heroes) == MOST_PCS
    require(old is not None or not full, "R16", "Three PCs are in play: replace one")
    return card, old


def _play_pc(state: State, action: do.PlayPC) -> State:
    """Whatever the other has in play (R18); a new copy of a wounded PC is healthy (R24)."""
    card, old = _may_play_pc(state, action)
    side = state.sides[action.seat]
    hero, fallen = Hero(card.key), []
    if old is not None:
        items = tuple(i for i in old.items if may_bear(card, state.cards[i]))
        hero = Hero(card.key, items)
        fallen = [old.card, *(i for i in old.items if i not in items)]
    heroes = tuple(hero if h is old else h for h in side.heroes)
    if old is None:
        heroes = (*heroes, hero)
    state = taken(state, action.seat, card.key)
    pile = (*state.sides[action.seat].discard, *fallen)
    state = with_side(state, action.seat, heroes=heroes, discard=pile)
    return triggered(replace(state, phase="played"), "played", card.key, action.seat)


def _may_play_item(state: State, action: do.PlayItem) -> tuple[Card, Hero]:
    """The card, and who is going to bear it."""
    card = _card(state, action, ITEM)
    hero = state.hero(action.seat, action.pc)
    if hero is None:
        raise Illegal("R26", text("An item needs a PC of yours"))
    require(
        may_bear(state.cards[hero.card], card), "R15", "Only a {of} bears {card}",
        of=NAMES[card.bearer], card=card.name,
    )  # fmt: skip
    return card, hero


def _play_item(state: State, action: do.PlayItem) -> State:
    """First the requirement, then the text (R27)."""
    card, hero = _may_play_item(state, action)
    state = taken(state, action.seat, card.key)
    for old in hero.items:
        if state.cards[old].subtype == card.subtype:  # R17: one weapon, one armor
            state = stripped(state, action.seat, hero, old)
    side = state.sides[action.seat]
    heroes = tuple(
        replace(h, items=(*h.items, card.key)) if h.card == hero.card else h for h in side.heroes
    )
    state = with_side(state, action.seat, heroes=heroes)
    return triggered(replace(state, phase="played"), "played", card.key, action.seat)


def _attack(state: State, action: do.Attack) -> State:
    card = _may_attack(state, action)
    state = taken(state, action.seat, card.key)
    seen = replace(state, attackers=(card.key,)) if state.options.rules > 1 else state
    state = triggered(seen, "played", card.key, action.seat)
    return replace(state, attackers=(card.key,), phase="join", report=None, earlier=())


def _store(state: State, action: do.Store) -> State:
    card = _may_store(state, action)
    state = taken(state, action.seat, card.key)
    side = state.sides[action.seat]
    state = with_side(state, action.seat, portal=(*side.portal, card.key))
    return triggered(replace(state, phase="played"), "played", card.key, action.seat)


def _may_store(state: State, action: do.Store) -> Card:
    card = _may_attack(state, action)
    require(card.storable, "R31", "{card} is not storable", card=card.name)
    return card


def _may_attack(state: State, action: do.Attack | do.Store) -> Card:
    card = _card(state, action, MONSTER)
    if card.unique:
        there = [*state.attacking()]
        for side in state.sides:
            there += [*side.portal, *side.score]
        require(card.key not in there, "R33", "{card} is unique and in play", card=card.name)
    return card


def _hide(state: State, action: do.Hide) -> State:
    _not_shown(state)
    side = state.sides[action.seat]
    require(action.card in side.hand, "R28", "That card is not in your hand")
    hidden = (*side.hidden, action.card)
    state = with_side(state, action.seat, hand=without(side.hand, action.card), hidden=hidden)
    return replace(state, kind="", phase="room" if len(hidden) > MOST_HIDDEN else "played")


def _sacrifice(state: State, action: do.Sacrifice) -> State:
    side = state.sides[action.seat]
    fits = 0 <= action.place < MOST_HIDDEN
    require(fits, "R29", "Sacrifice one of the five hidden before this one")
    gone = side.hidden[action.place]
    hidden = side.hidden[: action.place] + side.hidden[action.place + 1 :]
    state = with_side(state, action.seat, hidden=hidden, discard=(*side.discard, gone))
    return replace(state, phase="played")


def _discard(state: State, action: do.Discard) -> State:
    side = state.sides[action.seat]
    require(action.card in side.hand, "R12", "That card is not in your hand")
    hand, pile = without(side.hand, action.card), (*side.discard, action.card)
    return with_side(state, action.seat, hand=hand, discard=pile)


def _discard_hand(state: State, action: do.DiscardHand) -> State:
    _not_shown(state)
    require(state.first_turn(), "R14", "You can discard your hand on your first turn only")
    side = state.sides[action.seat]
    require(bool(side.hand), "R14", "Your hand is empty: pass")
    state = with_side(state, action.seat, hand=(), discard=side.discard + side.hand)
    return replace(state, phase="played")


def _pass(state: State, action: do.Pass) -> State:
    _not_shown(state)
    require(not state.sides[action.seat].hand, "R14", "Play a card: only an empty hand passes")
    return replace(state, phase="played")


def _card(state: State, action: Any, kind: str) -> Card:
    """The card, if it is at hand, of this kind, and its requirements are met."""
    if action.card not in held(state, action.seat):
        unknown = UNKNOWN in state.sides[action.seat].hand
        why = text("First show the card") if unknown else text("That card is not in your hand")
        raise Illegal("H1" if unknown else "R14", why)
    card = state.cards[action.card]
    rule = "R28" if card.kind == ACTION else "R14"
    require(
        card.kind == kind, rule, "{card} can only be played as {kind}",
        card=card.name, kind=KIND_NAMES[card.kind],
    )  # fmt: skip
    if not all(met(state, need) for need in card.needs):
        raise Illegal(
            "R15",
            text("{card} needs: {needs}", card=card.name, needs=needs_text(card.needs, WORDS)),
        )
    return card


def may_bear(pc: Card, item: Card) -> bool:
    """Is the PC of the class that the item asks for?"""
    return item.bearer in ("", pc.pc_class)


def _not_shown(state: State) -> None:
    require(not state.shown, "H1", "First play the shown card")


MAY_PLAY: dict[type, Callable[[State, Any], Any]] = {
    do.PlayPC: _may_play_pc,
    do.PlayItem: _may_play_item,
    do.Attack: _may_attack,
    do.Store: _may_store,
}
"""What a rule may forbid of the ways to play a card face up: raises Illegal, changes nothing."""
_PLAY = ("play",)
HAND_ACTS: dict[type, tuple[tuple[str, ...], Callable[[State, Any], State]]] = {
    do.Open: (_PLAY, _open),
    do.Show: (_PLAY, _show),
    do.Withdraw: (_PLAY, _withdraw),
    do.PlayPC: (_PLAY, _play_pc),
    do.PlayItem: (_PLAY, _play_item),
    do.Attack: (_PLAY, _attack),
    do.Store: (_PLAY, _store),
    do.Hide: (_PLAY, _hide),
    do.DiscardHand: (_PLAY, _discard_hand),
    do.Pass: (_PLAY, _pass),
    do.Sacrifice: (("room",), _sacrifice),
    do.Discard: (("draw",), _discard),
}
