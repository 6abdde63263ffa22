"""The only judge of .hack//ENEMY: what each action leads to, or why it is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.errors import BadState, Illegal
from companion.games import effects
from companion.games.api import require
from companion.games.effects import firing
from companion.games.hack import actions as do
from companion.games.hack.attack import ATTACK_ACTS
from companion.games.hack.cards import CARDS, doubtful
from companion.games.hack.fights import flips_now, holding
from companion.games.hack.flow import fated, settle, triggered
from companion.games.hack.hand import HAND_ACTS
from companion.games.hack.kinds import ACTION
from companion.games.hack.state import (
    NOBODY,
    SEATS,
    UNKNOWN,
    State,
    pool,
    shower,
    with_side,
    without,
)
from companion.games.hack.turn import NOT_NOW, deciders, destinies
from companion.games.hack.verbs import IN_FIGHT, VERBS, due_of, flipped
from companion.games.records import replace
from companion.words import Seat, text

Act = Callable[[State, Any], State]


def apply(state: State, action: Any) -> State:
    """The state after the action, or Illegal with rule and reason."""
    kind = type(action)
    if kind not in _ACTS:
        raise BadState(f"{action!r} is no action of .hack//ENEMY")
    phases, act = _ACTS[kind]
    require(state.phase != "over", "R5" if state.back else "R6", "The game is over")
    if kind is do.Shuffled:
        return settle(_shuffled(state, action))
    if state.drawing() != NOBODY:
        raise Illegal("R13", text("The discards are shuffled first"))
    if kind is do.Cut:
        return settle(_cut(state, action))
    require(action.seat in SEATS, "R1", "Only seats 1 and 2 play")
    if state.due and kind is not do.Target:
        who, card = Seat(state.due[0].seat), state.cards[state.due[0].card].name
        raise Illegal("H4", text("{who} chooses for {card} first", who=who, card=card))
    late = kind is do.Join and state.phase == "stand" and action.seat == state.mover
    if not late and action.seat not in deciders(state):  # first of all: whose move it is
        raise Illegal("R10", text("It is {who}'s move", who=Seat(1 - action.seat)))
    joins = kind is do.Join and action.seat != state.mover
    if not state.due and (state.phase not in phases or joins):
        raise Illegal(*NOT_NOW[state.phase])
    return settle(act(state, action))


def _shuffled(state: State, action: do.Shuffled) -> State:
    seat = state.drawing()
    require(seat != NOBODY, "R13", "No shuffle is due: no deck is empty")
    require(action.side == seat, "R13", "{who}'s discards are shuffled first", who=Seat(seat))
    pile = state.sides[seat].discard
    if state.cardboard:
        require(not action.order, "R13", "Real cards are shuffled by hand")
        return with_side(state, seat, deck=(UNKNOWN,) * len(pile), discard=())
    same = sorted(action.order) == sorted(pile)
    require(same, "R13", "Shuffle the {n} cards of the pile", n=len(pile))
    return with_side(state, seat, deck=action.order, discard=())


def _cut(state: State, action: do.Cut) -> State:
    require(state.phase == "cut" and not state.cardboard, "R8", "No cut is due now")
    fair = len(action.cards) == 2 and all(
        card in state.list_of(seat) for seat, card in enumerate(action.cards)
    )
    require(fair, "R8", "Cut both decks: one card of each")
    first, second = (state.cards[card].destiny for card in action.cards)
    return replace(state, cut=(first, second))


def _destiny(state: State, action: do.Destiny) -> State:
    rule = "R8" if state.phase == "cut" else "R43"
    known = action.number in destinies(state, action.seat)
    require(known, rule, "No card left has destiny {n}", n=action.number)
    if state.phase == "destiny":
        return fated(state, action.seat, action.number)
    cut = list(state.cut)
    cut[action.seat] = action.number
    return replace(state, cut=(cut[0], cut[1]))


def _agreed(state: State, action: do.Agreed) -> State:
    state = CARDS.agreed(state, action)
    if not state.battles:
        return replace(state, phase="play")
    card, seat = state.shown, shower(state)
    return _turned_up(replace(state, shown="", phase="flip"), seat, card)


def _flip(state: State, action: do.Flip) -> State:
    seat, card = action.seat, action.card
    hidden = state.sides[seat].hidden
    require(0 <= action.place < len(hidden), "R30", "You have no hidden card there")
    lies = hidden[action.place]
    can = card == lies or (lies == UNKNOWN and card in pool(state, seat))
    require(can and card in state.cards, "R30", "Another card was hidden there")
    one = state.cards[card]
    require(one.kind == ACTION, "R30", "{card} is no action: only actions flip", card=one.name)
    require(flips_now(state, one), "R30", "{card} flips at another time", card=one.name)
    require(not state.shown, "H1", "First play the shown card")
    rest = hidden[: action.place] + hidden[action.place + 1 :]
    state = with_side(state, seat, hidden=rest)
    if state.phase != "flip":  # the players do what it says
        return with_side(state, seat, discard=(*state.sides[seat].discard, card))
    if state.cardboard and card not in state.asked and doubtful(state.cards, card):
        return replace(state, shown=card, asked=(*state.asked, card), phase="learn")
    return _turned_up(state, seat, card)


def _turned_up(state: State, seat: int, card: str) -> State:
    """An action has its effect and is discarded; then the defender may flip again (H3)."""
    found = list(firing(state.cards[card].clauses, "flip", holding(state, card, seat)))
    for effect in found:
        if effect.verb in IN_FIGHT:
            state = flipped(state, effect, seat)
    due = tuple(due_of(effect, seat, card) for effect in found if effect.verb in VERBS)
    side = state.sides[seat]
    state = with_side(state, seat, discard=(*side.discard, card))
    return replace(state, due=due, passed=0)


def _ready(state: State, action: do.Ready) -> State:
    match state.phase:
        case "join":
            return replace(state, phase="stand")
        case "assign":
            idle = len(state.sides[action.seat].heroes) > len(state.battles)
            require(
                not (idle and state.attackers),
                "R38",
                "A monster and a PC are still free: assign them",
            )
            return replace(state, phase="extra" if state.attackers else "order")
        case "extra":
            require(not state.attackers, "R41", "Assign every extra attacker first")
            return replace(state, phase="order")
        case "flip":
            return replace(state, passed=state.passed + 1)
    return replace(state, rewards=())


def _reward(state: State, action: do.Reward) -> State:
    left = action.monster in state.rewards
    require(left, "R50", "That monster has no reward to use")
    state = replace(state, rewards=without(state.rewards, action.monster))
    return triggered(state, "reward", action.monster, action.seat)


def _target(state: State, action: do.Target) -> State:
    require(bool(state.due), "H4", "No effect waits for a choice")
    return effects.choose(state, VERBS, action.what, "H4")


_ACTS: dict[type, tuple[tuple[str, ...], Act]] = {
    do.Shuffled: ((), _shuffled),
    do.Cut: ((), _cut),
    do.Destiny: (("cut", "destiny"), _destiny),
    do.Correct: (("learn",), CARDS.correct),
    do.Corrected: (("learn",), CARDS.corrected),
    do.Agreed: (("learn",), _agreed),
    do.Flip: (("flip", "play", "stand"), _flip),
    do.Ready: (("join", "assign", "extra", "flip", "reward"), _ready),
    do.Reward: (("reward",), _reward),
    do.Target: ((), _target),
    **HAND_ACTS,
    **ATTACK_ACTS,
}
