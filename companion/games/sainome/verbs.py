"""What the words of the card texts do in Sainome Colosseum."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.effects import Due, Verb, firing
from companion.games.records import replace
from companion.games.sainome import strike
from companion.games.sainome.damage import countered, hit
from companion.games.sainome.kinds import PLACES, Card
from companion.games.sainome.state import (
    HAND,
    NOTHING_WORN,
    SEATS,
    SLOTS,
    State,
    discarded,
    in_slot,
    into_hand,
    met,
    with_side,
    without,
)


def bared(state: State, seat: int) -> State:
    """Everything attached comes back to the hand; a Time Bomb is discarded (R18, H5)."""
    side = state.sides[seat]
    mine = tuple(card.key for _, card in state.worn(seat))
    bombs = tuple(key for key in side.worn if key and key not in mine)
    state = with_side(state, seat, hand=side.hand + mine, worn=NOTHING_WORN)
    return replace(discarded(state, *bombs), phase="equip", fitting=seat)


def _their_worn(state: State, due: Due) -> tuple[str, ...]:
    return tuple(str(place) for place, _ in state.worn(1 - due.seat))


def _off(state: State, seat: int, place: int) -> tuple[State, str]:
    worn = state.sides[seat].worn
    return with_side(state, seat, worn=in_slot(worn, place, "")), worn[place]


def _break(state: State, due: Due, target: str) -> State:
    state, card = _off(state, 1 - due.seat, int(target))
    return discarded(state, card)


def _back(state: State, due: Due, target: str) -> State:
    state, card = _off(state, 1 - due.seat, int(target))
    return into_hand(state, 1 - due.seat, card)


def _takeable(state: State, due: Due) -> tuple[str, ...]:
    """Their slot and the free one of ours that the card there fits."""
    free = [place for place in SLOTS if not state.sides[due.seat].worn[place]]
    return tuple(
        f"{theirs} {mine}"
        for theirs, card in state.worn(1 - due.seat)
        for mine in free
        if PLACES[mine] in card.links
    )


def _take(state: State, due: Due, target: str) -> State:
    theirs, mine = map(int, target.split())
    state, card = _off(state, 1 - due.seat, theirs)
    return with_side(state, due.seat, worn=in_slot(state.sides[due.seat].worn, mine, card))


def _at_random(state: State, _due: Due) -> tuple[str, ...]:
    """Places in the other's hand; of cards that nobody knows, one is as good as another."""
    held = len(state.sides[state.other].hand)
    return tuple(map(str, range(min(1, held) if state.cardboard else held)))


def _drop(state: State, _due: Due, target: str) -> State:
    hand, at = state.sides[state.other].hand, int(target)
    state = with_side(state, state.other, hand=hand[:at] + hand[at + 1 :])
    return discarded(state, hand[at])


def _bind(state: State, due: Due, _target: str) -> State:
    seat = 1 - due.seat
    return with_side(state, seat, fewer=state.sides[seat].fewer + 1)


def _free_slots(state: State, due: Due) -> tuple[str, ...]:
    worn = state.sides[1 - due.seat].worn
    return tuple(str(place) for place in SLOTS if not worn[place])


def _plant(state: State, due: Due, target: str) -> State:
    if state.played == due.card:
        state = replace(state, played="")
    else:
        state = replace(state, discard=without(state.discard, due.card))
    worn = in_slot(state.sides[1 - due.seat].worn, int(target), due.card)
    return with_side(state, 1 - due.seat, worn=worn)


def _barrage(state: State, due: Due, _target: str) -> State:
    mine = tuple(state.worn(due.seat))
    for place, card in mine:
        state, _ = _off(state, due.seat, place)
        state = discarded(state, card.key)
    return hit(state, 1 - due.seat, due.card, ((due.card, len(mine)),))


def _swap(state: State, _due: Due, _target: str) -> State:
    hands = [state.sides[seat].hand for seat in SEATS]
    return with_side(with_side(state, 0, hand=hands[1]), 1, hand=hands[0])


def _change(state: State, due: Due, _target: str) -> State:
    return replace(bared(state, due.seat), swift=True)


def _overdrive(state: State, due: Due, _target: str) -> State:
    awake = state.sides[due.seat].awake
    return state if awake else with_side(state, due.seat, driven=True)


def _reckless(state: State, due: Due, _target: str) -> State:
    hand = state.sides[due.seat].hand
    state = discarded(with_side(state, due.seat, hand=()), *hand)
    return replace(state, reckless=(len(hand), 0), throw="reckless") if hand else state


def _restart(state: State, _due: Due, _target: str) -> State:
    """Everything but the HP stacks is shuffled, and five are dealt to each."""
    state = discarded(state, *state.deck, *([state.played] if state.played else []))
    state = replace(state, deck=(), played="")
    for seat in SEATS:
        side = state.sides[seat]
        mine = (*side.hand, *(card for card in side.worn if card), *side.ready)
        state = with_side(
            discarded(state, *mine), seat, hand=(), worn=NOTHING_WORN, ready=(), owed=HAND
        )
    return state


def _their_hand(state: State, due: Due) -> tuple[str, ...]:
    return tuple(dict.fromkeys(state.sides[1 - due.seat].hand))


def _steal(state: State, due: Due, target: str) -> State:
    hand = state.sides[1 - due.seat].hand
    return into_hand(with_side(state, 1 - due.seat, hand=without(hand, target)), due.seat, target)


def _pile(state: State, _due: Due) -> tuple[str, ...]:
    return tuple(dict.fromkeys(state.discard))


def _search(state: State, due: Due, target: str) -> State:
    state = replace(state, discard=without(state.discard, target))
    return into_hand(state, due.seat, target)


VERBS: Mapping[str, Verb[State]] = {
    "break": Verb(_break, _their_worn),
    "back": Verb(_back, _their_worn),
    "take": Verb(_take, _takeable),
    "drop": Verb(_drop, _at_random),
    "bind": Verb(_bind),
    "plant": Verb(_plant, _free_slots),
    "barrage": Verb(_barrage),
    "swap": Verb(_swap),
    "choice": Verb(lambda state, _due, _target: strike.begin(state, two=True)),
    "change": Verb(_change),
    "overdrive": Verb(_overdrive),
    "reckless": Verb(_reckless),
    "restart": Verb(_restart),
    "steal": Verb(_steal, _their_hand),
    "search": Verb(_search, _pile),
}


def answered(state: State, seat: int, card: Card) -> State:
    """A counter card of this seat acts on the damage under way and is discarded (R39)."""
    due = tuple(
        strike.queued(effect.verb, effect.amount, seat, card.key)
        for effect in firing(card.clauses, "counter", met(state, seat))
        if effect.verb in VERBS
    )
    return replace(countered(discarded(state, card.key), card), due=state.due + due)
